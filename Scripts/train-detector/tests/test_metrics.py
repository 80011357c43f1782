"""Tests overlap, calibration and the reader of maps. Needs no torch."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from calibrate import is_for_fitting
from metrics import calibration, iou, isotonic, reliability
from reader import confidence, ordered, read

SQUARE = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]])


def drawn_maps(quad: np.ndarray, cells: int = 48) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Page, boundary and corners as the training draws them, computed cell by cell."""
    y, x = np.mgrid[:cells, :cells] + 0.5
    page, boundary, corner = (
        np.ones((cells, cells)),
        np.zeros((cells, cells)),
        np.zeros((cells, cells)),
    )
    for start, end in zip(quad * cells, np.roll(quad, -1, 0) * cells):
        side = end - start
        length = np.hypot(*side)
        inward = ((y - start[1]) * side[0] - (x - start[0]) * side[1]) / length
        page = np.minimum(page, np.clip(inward + 0.5, 0, 1))
        along = np.clip(((x - start[0]) * side[0] + (y - start[1]) * side[1]) / length**2, 0, 1)
        off = np.hypot(x - start[0] - along * side[0], y - start[1] - along * side[1])
        boundary = np.maximum(boundary, np.exp(-(off**2) / 2 / 0.8**2))
        corner = np.maximum(
            corner, np.exp(-((x - start[0]) ** 2 + (y - start[1]) ** 2) / 2 / 1.1**2)
        )
    maps = (page, boundary, corner)
    return tuple(m.astype(np.float32) for m in maps)  # type: ignore[return-value]


class Overlap(unittest.TestCase):
    """Intersection over union."""

    def test_known_overlaps(self) -> None:
        self.assertAlmostEqual(iou(SQUARE, SQUARE), 1, places=5)
        self.assertAlmostEqual(iou(SQUARE, SQUARE + (0.3, 0)), 1 / 3, places=4)
        self.assertEqual(iou(SQUARE, SQUARE + 5), 0)

    def test_the_order_of_corners_does_not_matter(self) -> None:
        self.assertAlmostEqual(iou(SQUARE, SQUARE[::-1]), 1, places=5)
        self.assertTrue(np.array_equal(ordered(np.roll(SQUARE[::-1], 1, 0)), SQUARE))


class Reading(unittest.TestCase):
    """Perfect maps give the quad from which they were drawn."""

    def test_quads_are_read_to_a_third_of_a_cell(self) -> None:
        rng = np.random.default_rng(5)
        for _ in range(40):
            quad = SQUARE + rng.uniform(-0.12, 0.12, (4, 2))
            maps = drawn_maps(quad)
            found = read(*maps)
            assert found is not None
            self.assertLess(np.abs(found - quad).max() * 48, 0.35)
            self.assertGreater(confidence(found, maps[0], 1.0), 0.97)

    def test_an_empty_map_holds_no_page(self) -> None:
        self.assertIsNone(read(*(np.zeros((48, 48), np.float32) for _ in range(3))))


class Calibrating(unittest.TestCase):
    """The reliability of confidences."""

    def test_pools_grow_and_keep_the_mean(self) -> None:
        rng = np.random.default_rng(1)
        raw = rng.random(500)
        right = (rng.random(500) < raw**2).astype(float)
        _, values = isotonic(raw, right)
        self.assertTrue((np.diff(values) > 0).all())

    def test_the_map_states_what_is_right(self) -> None:
        rng = np.random.default_rng(2)
        raw = rng.random(6000)
        right = (rng.random(6000) < raw**2).astype(float)
        pairs = np.array(calibration(raw, right))
        self.assertTrue((np.diff(pairs[:, 0]) > 0).all() and (np.diff(pairs[:, 1]) > 0).all())
        self.assertEqual(pairs[0].tolist(), [0, 0])
        for row in reliability(np.interp(raw, *pairs.T), right):
            self.assertLess(abs(row["stated"] - row["right"]), 0.08)

    def test_a_detection_that_counts_four_times_is_as_four_detections(self) -> None:
        rng = np.random.default_rng(3)
        raw = rng.random(300)
        right = (rng.random(300) < raw).astype(float)
        weight = np.where(np.arange(300) < 60, 4.0, 1.0)
        repeated = np.repeat(np.arange(300), weight.astype(int))
        middles, values = isotonic(raw, right, weight)
        others, same = isotonic(raw[repeated], right[repeated])
        np.testing.assert_allclose(middles, others)
        np.testing.assert_allclose(values, same)

    def test_photographs_of_one_scene_are_all_fitted_on_or_all_judged_by(self) -> None:
        rows = [{"id": f"{group}-{n}", "group": group} for group in "abcdefgh" for n in range(5)]
        chosen = {row["group"] for row in rows if is_for_fitting(row)}
        for row in rows:
            self.assertEqual(is_for_fitting(row), row["group"] in chosen)
        self.assertTrue(0 < len(chosen) < 8)


if __name__ == "__main__":
    unittest.main()
