"""Tests that the corners of scenes are exact, that scenes are seeded, and that benchmarks share
nothing with training. Needs no torch.

Run: python -m unittest discover -s tests, in the folder of the training.
"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scenes import camera, leaflets, leads, piles
from scenes.canvas import Canvas, capsule, oval
from scenes.catalog import BENCH_DOCUMENTS, BENCH_SURFACES, SURFACES, TRAIN_DOCUMENTS
from scenes.dice import Dice
from scenes.geometry import Placing, area_of, place, visible_share
from scenes.holdout import BENCH, TRAIN
from scenes.pools import Document, Pools, Surface, make_document
from scenes.recipes import RECIPES, TRAINING
from scenes.scene import SceneMaker
from scenes.sheet import Lay, lay


def plain_document(ratio: float = 1.4, kind: str = "page") -> Document:
    """A white sheet with squares of pure red in its corners."""
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
    kinds = ("page", "receipt", "card", "trading", "banknote", "book")
    documents = [plain_document(kind=k) for k in kinds]
    return Pools(documents, [Surface(False, np.full((320, 320, 3), 90, np.uint8))])


class Corners(unittest.TestCase):
    """Sheets are drawn at the corners that a scene states."""

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
        for recipe in TRAINING:
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
        self.assertFalse(
            np.array_equal(one.make(5).picture, SceneMaker(small_pools(), 2).make(5).picture)
        )

    def test_frames_keep_the_cameras_shape_when_they_are_not_squashed(self) -> None:
        maker = SceneMaker(small_pools(), 1, short=240, squash=None)
        shapes = {maker.make(index).picture.shape for index in range(12)}
        self.assertTrue(all(min(shape[:2]) == 240 for shape in shapes))
        self.assertGreater(len(shapes), 2)

    def test_a_quarter_of_the_page_at_least_stays_in_sight(self) -> None:
        """Checks that things over a page never hide most of it: the page drawn red on a black desk
        is visible in every scene.
        """
        maker = SceneMaker(
            Pools([red_document()], [Surface(False, np.zeros((320, 320, 3), np.uint8))]), 4
        )
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


def red_document() -> Document:
    """A sheet of pure red."""
    red = np.full((448, 320, 4), 255, np.uint8)
    red[..., 1:3] = 0
    return Document("page", [red, red[::2, ::2].copy(), red[::4, ::4].copy(), red[::8, ::8].copy()])


class UnderAndOver(unittest.TestCase):
    """Tests of the things under and over pages in scenes that only training uses."""

    def test_a_pile_shows_beside_the_page_and_never_over_it(self) -> None:
        shown = 0
        for seed in range(20):
            dice, canvas = Dice(8, seed), Canvas(np.zeros((400, 400, 3)), np.zeros(2))
            corners = place(dice, 1.4, canvas.size, Placing(0.4, 0.7, over=0, aside=0))
            assert corners is not None
            piles.pile(dice, canvas, small_pools(), plain_document(), corners)
            lay(dice, canvas, red_document(), corners, Lay(shadow=0, tone=np.ones(3, np.float32)))
            quad = np.zeros((400, 400), np.uint8)
            cv2.fillConvexPoly(quad, np.round(corners).astype(np.int32), 1)
            inner = cv2.erode(quad, np.ones((7, 7))) > 0
            self.assertGreater(int(canvas.pixels[inner][:, 0].min()), 90, f"seed {seed}")
            self.assertLess(int(canvas.pixels[inner][:, 1].max()), 60, f"seed {seed}")
            outer = cv2.dilate(quad, np.ones((5, 5))) == 0
            shown += bool((canvas.pixels[outer][:, 1] > 60).any())
        self.assertGreater(shown, 12)

    def test_a_bed_reaches_beyond_the_page_on_most_sides(self) -> None:
        for seed in range(10):
            dice, canvas = Dice(9, seed), Canvas(np.zeros((400, 400, 3)), np.zeros(2))
            corners = np.float32([[140, 120], [260, 120], [260, 280], [140, 280]])
            piles.bed(dice, canvas, small_pools(), corners)
            seen = canvas.pixels.max(2) > 40
            outside = [
                seen[200, :136].any(),
                seen[200, 264:].any(),
                seen[:116, 200].any(),
                seen[284:, 200].any(),
            ]
            self.assertGreaterEqual(sum(outside), 2, f"seed {seed}")

    def test_a_ledge_is_larger_than_the_page_and_holds_nearly_all_of_it(self) -> None:
        for seed in range(20):
            dice, canvas = Dice(12, seed), Canvas(np.zeros((400, 400, 3)), np.zeros(2))
            corners = np.float32([[170, 160], [240, 160], [240, 250], [170, 250]])
            piles.ledge(dice, canvas, small_pools(), corners)
            seen = canvas.pixels.max(2) > 40
            self.assertGreater(seen.sum(), 1.2 * 70 * 90, f"seed {seed}")
            self.assertGreater(seen[160:250, 170:240].mean(), 0.7, f"seed {seed}")

    def test_a_lead_runs_through_its_point_and_mostly_out_of_the_frame_on_two_sides(self) -> None:
        both = 0
        for seed in range(30):
            canvas = Canvas(np.full((200, 300, 3), 128.0), np.zeros(2))
            leads.lead(Dice(10, seed), canvas, np.array([150.0, 100.0]))
            changed = np.abs(canvas.pixels.astype(int) - 128).max(2) > 8
            self.assertTrue(changed[94:106, 144:156].any(), f"seed {seed}")
            rims = [changed[0], changed[-1], changed[:, 0], changed[:, -1]]
            both += sum(bool(rim.any()) for rim in rims) >= 2
        self.assertGreater(both, 12)

    def test_every_hardship_changes_the_picture_and_keeps_its_shape(self) -> None:
        scene = np.tile(np.linspace(0, 255, 120, dtype=np.float32)[None, :, None], (90, 1, 3))
        scene[30:60, 40:80] = 20
        for seed in range(16):
            hard = camera.hardship(Dice(11, seed), scene.copy())
            self.assertEqual(hard.shape, scene.shape)
            self.assertGreater(float(np.abs(hard - scene).mean()), 0.3, f"seed {seed}")


class HeldOut(unittest.TestCase):
    """Benchmarks contain nothing that training has seen."""

    def test_fonts_and_syllables_are_divided(self) -> None:
        self.assertFalse(set(TRAIN.fonts) & set(BENCH.fonts))
        self.assertFalse(set(TRAIN.syllables) & set(BENCH.syllables))

    def test_benchmarks_have_kinds_of_documents_and_desks_of_their_own(self) -> None:
        self.assertTrue(
            {maker for (maker, _), _ in BENCH_DOCUMENTS}
            - {maker for (maker, _), _ in TRAIN_DOCUMENTS}
        )
        self.assertTrue({n for n, _ in BENCH_SURFACES} - {n for n, _ in SURFACES})

    def test_what_was_added_for_training_alone_changes_no_scene_of_the_benchmarks(self) -> None:
        for recipe in RECIPES:
            added = (recipe.leads, recipe.pile, recipe.bed, recipe.hardship)
            self.assertEqual(added, ((0, 0), 0.0, 0.0, 0.0), recipe.name)
        makers = {maker for (maker, _), _ in BENCH_DOCUMENTS}
        self.assertFalse(makers & {leaflets.spread, leaflets.notebook})

    def test_a_document_is_the_same_each_time_it_is_made(self) -> None:
        for index in range(8):
            one, other = (make_document(Dice(TRAIN.seed, 1, index), TRAIN, 448) for _ in range(2))
            self.assertTrue(np.array_equal(one.mips[0], other.mips[0]))


class Shapes(unittest.TestCase):
    """Outlines have the requested size."""

    def test_areas(self) -> None:
        bar = capsule(np.array([10.0, 20.0]), np.array([50.0, 20.0]), 8.0)
        self.assertAlmostEqual(area_of(bar), 40 * 8 + np.pi * 16, delta=3)
        self.assertAlmostEqual(area_of(oval(np.array([0.0, 0.0]), 10, 5, 0.7)), np.pi * 50, delta=3)


if __name__ == "__main__":
    unittest.main()
