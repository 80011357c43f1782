"""Tests that processes which train together agree. Skipped without torch."""

from __future__ import annotations

import argparse
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as mp
except ImportError as error:
    raise unittest.SkipTest("torch is not installed") from error

from data import Shards
from model import Net
from run import KEPT, LEG, Run

OPTIONS = argparse.Namespace(
    device="cpu",
    seed=0,
    start=None,
    whole=False,
    rate=0.003,
    steps=LEG + 2,
    minutes=0,
    batch=4,
    processes=2,
)


def scenes(folder: Path) -> None:
    """A shard of eight scenes: a white page on black."""
    pictures, corners = np.zeros((8, 192, 192, 3), np.uint8), np.zeros((8, 4, 2), np.float32)
    pictures[:, 48:144, 48:144] = 255
    corners[:] = [[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]]
    np.save(folder / "0000000.pictures.npy", pictures)
    np.save(folder / "0000000.corners.npy", corners)


def together(rank: int, folder: str) -> None:
    """Runs as one of two processes: trains to the end and writes its result."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    run, shards = Run(OPTIONS, rank), Shards(Path(folder))
    while run.share < 1:
        run.train_round(shards)
    torch.save(
        {"net": run.net.state_dict(), "step": run.step, "drawn": run.rng.random()},
        f"{folder}/{rank}.pt",
    )


class Together(unittest.TestCase):
    """Two processes."""

    def test_they_draw_other_scenes_and_come_to_the_same_network_at_the_planned_step(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            scenes(Path(folder))
            mp.spawn(together, (folder,), 2)
            one, other = (torch.load(f"{folder}/{rank}.pt", weights_only=False) for rank in (0, 1))
        self.assertNotEqual(one["drawn"], other["drawn"])
        self.assertEqual((one["step"], other["step"]), (LEG + 2, LEG + 2))
        for name, value in one["net"].items():
            self.assertTrue(torch.equal(value, other["net"][name]), name)


class SecondLeg(unittest.TestCase):
    """A run that begins with the weights of another."""

    def after_three_steps(self, whole: bool) -> tuple[dict, dict]:
        """The values before and after three steps."""
        with tempfile.TemporaryDirectory() as folder:
            scenes(Path(folder))
            start = Path(folder) / "start.pt"
            torch.save(Net().state_dict(), start)
            options = {**vars(OPTIONS), "start": start, "processes": 1, "steps": 3, "whole": whole}
            run, shards = Run(argparse.Namespace(**options), 0), Shards(Path(folder))
            while run.share < 1:
                run.train_round(shards)
            return torch.load(start), run.net.state_dict()

    def test_its_finest_layers_and_normalizations_stay_and_the_others_learn(self) -> None:
        before, after = self.after_three_steps(whole=False)
        for name, value in after.items():
            stays = name.split(".")[0] in KEPT or "running" in name or "num_batches" in name
            if stays:
                self.assertTrue(torch.equal(value, before[name]), name)
        for name in ("s16.0.m.0.0.weight", "d4.m.1.0.weight", "out.weight", "pres.weight"):
            self.assertFalse(torch.equal(after[name], before[name]), name)

    def test_every_layer_learns_in_a_whole_one(self) -> None:
        before, after = self.after_three_steps(whole=True)
        for name in ("s2.0.weight", "s2.1.running_mean", "s16.0.m.0.0.weight", "out.weight"):
            self.assertFalse(torch.equal(after[name], before[name]), name)


if __name__ == "__main__":
    unittest.main()
