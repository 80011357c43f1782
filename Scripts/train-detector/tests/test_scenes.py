"""The corners of scenes are exact, scenes are seeded, and benchmarks share nothing with training. Needs no torch.

Run: python -m unittest discover -s tests, in the folder of the training."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scenes.canvas import Canvas, capsule, oval
from scenes.catalogue import BENCH_DOCUMENTS, BENCH_SURFACES, SURFACES, TRAIN_DOCUMENTS
from scenes.dice import Dice
from scenes.geometry import Placing, area_of, place, visible_share
from scenes.holdout import BENCH, TRAIN
from scenes.pools import Document, Pools, Surface, make_document
from scenes.recipes import RECIPES
from scenes.scene import SceneMaker
from scenes.sheet import Lay, lay


def plain_document(ratio: float = 1.4, kind: str = "page") -> Document:
    """A white sheet whose corners carry squares of pure red."""
    width, height = 320, int(320 * ratio)
    sheet = np.full((height, width, 4), 255, np.uint8)
    mark = 16
    for rows in (slice(0, mark), slice(height - mark, height)):
        for columns in (slice(0, mark), slice(width - mark, width)):
            sheet[rows, columns] = (255, 0, 0, 255)
    mips = [sheet]
    for _ in range(3):
        mips.append(cv2.resize(mips[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return Document(kind, mips)


def small_pools() -> Pools:
    """Pools of one sheet of each kind and one gray desk."""
    documents = [plain_document(kind=k) for k in ("page", "receipt", "card", "book")]
    return Pools(documents, [Surface(False, np.full((320, 320, 3), 90, np.uint8))])


class Corners(unittest.TestCase):
    """What is drawn lies where the corners say."""

    def drawn(self, seed: int, curl: float) -> tuple[np.ndarray, np.ndarray]:
        """A sheet on a black desk: the picture and its corners."""
        dice, document = Dice(7, seed), plain_document()
        canvas = Canvas(np.zeros((600, 800, 3)), np.zeros(2))
        corners = place(dice, document.ratio, canvas.size, Placing(0.4, 0.8, over=0, aside=0))
        assert corners is not None
        lay(dice, canvas, document, corners, Lay(curl, shadow=0, tone=np.ones(3, np.float32)))
        return canvas.pixels, corners

    def test_a_flat_sheet_covers_its_quad_and_nothing_else(self) -> None:
        for seed in range(20):
            picture, corners = self.drawn(seed, 0.0)
            true = np.zeros(picture.shape[:2], np.uint8)
            cv2.fillConvexPoly(true, np.round((corners - 0.5) * 16).astype(np.int32), 1, shift=4)
            rim = cv2.dilate(true, np.ones((5, 5))) - cv2.erode(true, np.ones((5, 5)))
            seen = (picture.max(2) > 100).astype(np.uint8)
            self.assertEqual(int(((seen != true) & (rim == 0)).sum()), 0, f"seed {seed}")

    def test_marks_in_the_sheets_corners_lie_at_the_corners_even_when_it_is_curled(self) -> None:
        for seed in range(20):
            for curl in (0.0, 0.03, 0.08):
                picture, corners = self.drawn(seed, curl)
                red = (picture[..., 0] > 45) & (picture[..., 1] < 0.4 * picture[..., 0])
                ys, xs = np.nonzero(red)
                points = np.c_[xs, ys] + 0.5
                self.assertGreater(len(points), 30)
                for corner in corners:
                    nearest = np.linalg.norm(points - corner, axis=1).min()
                    self.assertLess(nearest, 2.5, f"seed {seed}, curl {curl}")

    def test_corners_are_named_from_the_sheets_own_top_left_clockwise(self) -> None:
        for seed in range(30):
            corners = place(Dice(3, seed), 1.4, np.float32([400, 300]), Placing())
            assert corners is not None
            self.assertGreater(cv2.contourArea(corners, oriented=True), 0)
            self.assertGreater(area_of(corners) / 120000, 0.03)
            self.assertGreater(visible_share(corners / (400, 300)), 0.8)


class Scenes(unittest.TestCase):
    """Whole scenes."""

    def test_every_recipe_makes_pictures_with_a_page_where_it_should(self) -> None:
        maker = SceneMaker(small_pools(), 1)
        for recipe in RECIPES:
            for index in range(6):
                scene = maker.make(index, recipe)
                self.assertEqual(scene.picture.shape, (192, 192, 3))
                self.assertEqual(scene.picture.dtype, np.uint8)
                if not recipe.page:
                    self.assertIsNone(scene.corners)
                elif scene.corners is not None:
                    self.assertLess(np.abs(scene.corners - 0.5).max(), 0.66)

    def test_the_same_number_makes_the_same_scene_and_another_number_another(self) -> None:
        one, other = SceneMaker(small_pools(), 1), SceneMaker(small_pools(), 1)
        self.assertTrue(np.array_equal(one.make(5).picture, other.make(5).picture))
        self.assertFalse(np.array_equal(one.make(5).picture, one.make(6).picture))
        self.assertFalse(np.array_equal(one.make(5).picture, SceneMaker(small_pools(), 2).make(5).picture))

    def test_frames_keep_the_cameras_shape_when_they_are_not_squashed(self) -> None:
        maker = SceneMaker(small_pools(), 1, short=240, squash=None)
        shapes = {maker.make(index).picture.shape for index in range(12)}
        self.assertTrue(all(min(shape[:2]) == 240 for shape in shapes))
        self.assertGreater(len(shapes), 2)

    def test_a_quarter_of_the_page_at_least_stays_in_sight(self) -> None:
        """Things over a page never hide most of it: the page drawn red on a black desk is seen in every scene."""
        red = np.full((448, 320, 4), 255, np.uint8)
        red[..., 1:3] = 0
        mips = [red, red[::2, ::2].copy(), red[::4, ::4].copy(), red[::8, ::8].copy()]
        maker = SceneMaker(Pools([Document("page", mips)], [Surface(False, np.zeros((320, 320, 3), np.uint8))]), 4)
        held = next(r for r in RECIPES if r.name == "held")
        for index in range(20):
            scene = maker.make(index, held)
            if scene.corners is None:
                continue
            quad = np.zeros((192, 192), np.uint8)
            cv2.fillConvexPoly(quad, np.round(scene.corners * 192).astype(np.int32), 1)
            pixels = scene.picture[quad > 0].astype(int)
            reddish = pixels[:, 0] > 1.5 * np.maximum(pixels[:, 1], pixels[:, 2])
            self.assertGreater(reddish.mean(), 0.25, f"scene {index}")


class HeldOut(unittest.TestCase):
    """Benchmarks show nothing that training has seen."""

    def test_fonts_and_syllables_are_divided(self) -> None:
        self.assertFalse(set(TRAIN.fonts) & set(BENCH.fonts))
        self.assertFalse(set(TRAIN.syllables) & set(BENCH.syllables))

    def test_benchmarks_have_kinds_of_documents_and_desks_of_their_own(self) -> None:
        self.assertGreater(len(BENCH_DOCUMENTS), len(TRAIN_DOCUMENTS))
        self.assertTrue({n for n, _ in BENCH_SURFACES} - {n for n, _ in SURFACES})

    def test_a_document_is_the_same_each_time_it_is_made(self) -> None:
        for index in range(8):
            one, other = (make_document(Dice(TRAIN.seed, 1, index), TRAIN, 448) for _ in range(2))
            self.assertTrue(np.array_equal(one.mips[0], other.mips[0]))


class Shapes(unittest.TestCase):
    """Outlines have the size they are asked for."""

    def test_areas(self) -> None:
        bar = capsule(np.array([10.0, 20.0]), np.array([50.0, 20.0]), 8.0)
        self.assertAlmostEqual(area_of(bar), 40 * 8 + np.pi * 16, delta=3)
        self.assertAlmostEqual(area_of(oval(np.array([0.0, 0.0]), 10, 5, 0.7)), np.pi * 50, delta=3)


if __name__ == "__main__":
    unittest.main()
