"""Tests that a second run of training begins with exactly the network that the program contains."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import unfold_weights
from export_weights import folded
from model import Net


class Scenes:
    """Noise instead of scenes."""

    def draw(self, rng: np.random.Generator, count: int, side: int) -> tuple[torch.Tensor, None]:
        return (
            torch.from_numpy(rng.integers(256, size=(count, 3, side, side), dtype=np.uint8)),
            None,
        )


class Unfolding(unittest.TestCase):
    """`unfold_weights` undoes exactly what `export_weights` does."""

    @torch.no_grad()
    def test_folded_weights_come_back_as_a_network_that_answers_the_same(self) -> None:
        torch.manual_seed(3)
        net = Net().train()
        for _ in range(3):  # means and variances that are not those of a fresh network
            net(torch.randn(4, 3, 64, 64) * 2)
        net.eval()
        tensors = {name: tensor.numpy() for name, tensor in folded(net.state_dict()).items()}
        tensors["s2.weight"] = tensors["s2.weight"][:, ::-1].copy()
        again = Net().eval()
        unfold_weights.fill(again, tensors)
        pictures = torch.randn(2, 3, 64, 64)
        for wanted, given in zip(net(pictures), again(pictures)):
            self.assertLess(float((wanted - given).abs().max()), 1e-3)

    @torch.no_grad()
    def test_normalizing_changes_no_answer_and_gives_each_layer_the_statistics_of_its_input(
        self,
    ) -> None:
        torch.manual_seed(4)
        net, pictures = Net().eval(), torch.randn(2, 3, 64, 64)
        before = net(pictures)
        batches, sides = unfold_weights.BATCHES, unfold_weights.SIDES
        unfold_weights.BATCHES, unfold_weights.SIDES = 2, (64,)
        try:
            unfold_weights.normalize(net, Scenes(), np.random.default_rng(1))
        finally:
            unfold_weights.BATCHES, unfold_weights.SIDES = batches, sides
        for wanted, given in zip(before, net(pictures)):
            self.assertLess(float((wanted - given).abs().max()), 1e-3)
        for name, part in unfold_weights.layers(net).items():
            self.assertFalse(
                torch.equal(part[1].running_var, torch.ones_like(part[1].running_var)), name
            )


if __name__ == "__main__":
    unittest.main()
