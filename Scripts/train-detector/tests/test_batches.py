"""Tests turns of batches, and the maps drawn from corners. Skipped without torch."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("torch is not installed") from error

from data import HeldShards, turned
from model import Net, parameters
from reader import read
from targets import KEPT, leaning, loss, targets

QUAD = torch.tensor([[0.2, 0.25], [0.8, 0.15], [0.7, 0.9], [0.3, 0.8]])


class Turning(unittest.TestCase):
    """Pictures and corners turn together."""

    def test_a_mark_at_a_corner_stays_at_it_in_all_eight_turns(self) -> None:
        picture, corners = torch.zeros(8, 3, 100, 100, dtype=torch.uint8), QUAD.repeat(8, 1, 1)
        for x, y in QUAD.tolist():
            row, column = round(y * 100), round(x * 100)
            picture[:, :, row - 1 : row + 1, column - 1 : column + 1] = 255
        pictures, quads = turned(picture, corners, torch.arange(8))
        for turn in range(8):
            for x, y in quads[turn].tolist():
                row, column = round(y * 100), round(x * 100)
                mark = pictures[turn, 0, row - 1 : row + 1, column - 1 : column + 1]
                self.assertEqual(int(mark.min()), 255, f"turn {turn}")
        self.assertEqual(len({pictures[turn].numpy().tobytes() for turn in range(8)}), 8)


class Holding(unittest.TestCase):
    """Scenes in a GPU's memory (here in the processor's)."""

    def shard(self, folder: Path, number: int) -> None:
        """Five scenes in which all pixels and corners are the shard's number."""
        np.save(folder / f"{number:07d}.pictures.npy", np.full((5, 192, 192, 3), number, np.uint8))
        np.save(folder / f"{number:07d}.corners.npy", np.full((5, 4, 2), number, np.float32))

    def test_new_scenes_take_the_oldest_ones_place_and_leave_the_disk(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder, rng = Path(name), np.random.default_rng(0)
            self.shard(folder, 1)
            held = HeldShards(folder, torch.device("cpu"), 8, consume=True)
            self.assertEqual(held.refresh(), 5)
            for number in (2, 3):
                self.shard(folder, number)
                self.assertEqual(held.refresh(), 8)
            self.assertEqual(list(folder.iterdir()), [])
            pictures, corners = held.draw(rng, 200, 96)
            shown = pictures[:, 0, 0, 0].float()
            self.assertEqual(tuple(pictures.shape), (200, 3, 96, 96))
            self.assertEqual(set(shown.tolist()), {2.0, 3.0})
            # A corner at (n, n) is at one of (±n, ±n) mirrored about the frame's middle, whatever
            # the turn.
            mirrored = torch.minimum(
                (corners - shown[:, None, None]).abs(), (1 - corners - shown[:, None, None]).abs()
            )
            self.assertLess(float(mirrored.max()), 1e-6)

    def test_a_shard_larger_than_the_room_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            self.shard(Path(name), 1)
            with self.assertRaisesRegex(SystemExit, "room for 4"):
                HeldShards(Path(name), torch.device("cpu"), 4, consume=False)


class Drawing(unittest.TestCase):
    """The maps training asks for."""

    def test_the_reader_finds_the_quad_the_maps_were_drawn_from_in_any_order_of_its_corners(
        self,
    ) -> None:
        for order in ([0, 1, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0]):
            maps, present = targets(QUAD[order][None], 48)
            found = read(*maps[0].numpy())
            assert found is not None
            self.assertLess(np.abs(found - QUAD.numpy()).max() * 48, 0.35)
            self.assertEqual(present.tolist(), [1.0])

    def test_no_page_asks_for_empty_maps(self) -> None:
        maps, present = targets(torch.full((1, 4, 2), float("nan")), 48)
        self.assertEqual(float(maps.abs().max()), 0)
        self.assertEqual(present.tolist(), [0.0])

    def test_right_answers_cost_less_than_empty_ones(self) -> None:
        wanted, present = targets(QUAD[None], 48)
        right = loss((wanted * 0.98 + 0.01).logit(), torch.tensor([[4.0]]), wanted, present)
        empty = loss(torch.full_like(wanted, -4.0), torch.tensor([[-4.0]]), wanted, present)
        self.assertLess(float(right.total), 0.6 * float(empty.total))

    def test_a_right_answer_of_an_earlier_network_is_kept_and_a_wrong_one_is_not(self) -> None:
        wanted, present = targets(QUAD[None].repeat(2, 1, 1), 48)
        other, _ = targets(QUAD[None] * 0.5, 48)
        answers = torch.cat([wanted[:1], other]) * 0.98 + 0.01
        seen = torch.tensor([[3.0], [3.0]])
        leant, there = leaning(answers.logit(), seen, wanted, present)
        drawn = wanted[0] + KEPT * (answers[0] - wanted[0])
        torch.testing.assert_close(leant[0], drawn)
        torch.testing.assert_close(leant[1], wanted[1])
        self.assertAlmostEqual(float(there[1]), 1.0)
        self.assertLess(float(there[0]), 1.0)


class Size(unittest.TestCase):
    """The network."""

    def test_it_has_at_most_half_a_million_values_and_maps_of_a_quarter_of_the_side(self) -> None:
        net = Net().eval()
        self.assertLess(parameters(net), 500_000)
        for side in (96, 192):
            maps, presence = net(torch.zeros(2, 3, side, side))
            self.assertEqual(tuple(maps.shape), (2, 3, side // 4, side // 4))
            self.assertEqual(tuple(presence.shape), (2, 1))


if __name__ == "__main__":
    unittest.main()
