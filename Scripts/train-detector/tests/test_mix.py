"""Tests weights between two checkpoints. Skipped without torch."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("torch is not installed") from error

from mix_weights import mixed
from model import Net


class Mixing(unittest.TestCase):
    """Weights at a share of the way."""

    def test_the_ends_are_the_two_checkpoints_and_a_share_lies_between(self) -> None:
        one, other = Net().state_dict(), Net().state_dict()
        for share, wanted in ((0.0, one), (1.0, other)):
            for name, value in mixed(one, [other], share).items():
                torch.testing.assert_close(value, wanted[name])
        name = "s16.0.m.0.0.weight"
        between = mixed(one, [other, one], 0.5)[name]
        torch.testing.assert_close(between, 0.75 * one[name] + 0.25 * other[name])


if __name__ == "__main__":
    unittest.main()
