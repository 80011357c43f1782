"""Trains the network on scenes from disk, by a planned time or number of steps; can be stopped and resumed.

On CPUs it runs one single-threaded process a core and averages their gradients once a step: on a busy machine that is many
times faster than threads that wait for each other at every layer."""

from __future__ import annotations

import argparse
import copy
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from data import Shards, augment
from model import Net
from targets import loss, targets

BATCH = 48
WARM_UP = 150  #: steps
#: Side of the input up to which share of the run: small pictures first, they teach most per second.
SIDES = ((128, 0.42), (160, 0.66), (192, 1.0))
EMA_KEEP = 0.998


def learning_rate(peak: float, step: int, share: float) -> float:
    """Cosine from the peak to nearly nothing over the run, after a short warm-up."""
    return peak * min(1.0, (step + 1) / WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, share))) + 1e-5


class Run:
    """One training run: network, its moving average, optimiser, and how far it is."""

    def __init__(self, options: argparse.Namespace, rank: int) -> None:
        torch.manual_seed(options.seed)
        self.options, self.rank = options, rank
        self.device = torch.device(options.device)
        self.net = Net().to(self.device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.net).eval()
        self.optimiser = torch.optim.AdamW(self.net.parameters(), options.rate, weight_decay=0.02, betas=(0.9, 0.98))
        self.step, self.spent, self.running = 0, 0.0, float("nan")
        self._seed()

    def _seed(self) -> None:
        """Other scenes and other noise in each process and after each resumption."""
        self.rng = np.random.default_rng((self.options.seed, self.rank, self.step))
        torch.manual_seed(self.options.seed * 1000 + self.rank + self.step)

    @property
    def share(self) -> float:
        """How much of the run is done, 0 to 1."""
        options = self.options
        return self.step / options.steps if options.steps else self.spent / (options.minutes * 60)

    def save(self, path: Path) -> None:
        """Everything needed to go on, written whole or not at all."""
        state = {"net": self.net.state_dict(), "average": self.average.state_dict(), "optimiser": self.optimiser.state_dict(),
                 "step": self.step, "spent": self.spent, "running": self.running}
        torch.save(state, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path) -> None:
        """Goes on where a saved run stopped."""
        state = torch.load(path, map_location=self.device)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.spent, self.running = state["step"], state["spent"], state["running"]
        self._seed()

    def advance(self, shards: Shards) -> tuple[int, dict[str, float]]:
        """One step; returns the input's side and the parts of the loss."""
        share = self.share
        side = next(s for s, until in SIDES if share <= until or until == 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.options.rate, self.step, share)
        pictures, corners = shards.draw(self.rng, BATCH // self.options.processes)
        wanted, present = targets(corners, side // 4)
        maps, presence = self.net(augment(pictures, side).to(self.device))
        off = loss(maps, presence, wanted.to(self.device), present.to(self.device))
        self.optimiser.zero_grad(set_to_none=True)
        off.total.backward()
        self._agree()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self._average()
        self.step += 1
        value = float(off.total)
        self.running = value if math.isnan(self.running) else 0.98 * self.running + 0.02 * value
        return side, off.parts

    def _agree(self) -> None:
        """Averages gradients over the processes; the first one's clock counts for all."""
        if self.options.processes == 1:
            return
        grads = [p.grad for p in self.net.parameters() if p.grad is not None]
        clock = torch.tensor([self.spent if self.rank == 0 else 0.0])
        flat = torch.cat([g.flatten() for g in grads] + [clock * self.options.processes])
        dist.all_reduce(flat)
        flat /= self.options.processes
        self.spent, at = float(flat[-1]), 0
        for grad in grads:
            grad.copy_(flat[at: at + grad.numel()].view_as(grad))
            at += grad.numel()

    @torch.no_grad()
    def _average(self) -> None:
        """Moves the average towards the network; it trusts new values more while it is young."""
        keep = min(EMA_KEEP, (self.step + 1) / (self.step + 20))
        mine, theirs = list(self.average.parameters()), list(self.net.parameters())
        torch._foreach_lerp_(mine, theirs, 1 - keep)
        for old, new in zip(self.average.buffers(), self.net.buffers()):
            old.lerp_(new, 1 - keep) if old.is_floating_point() else old.copy_(new)


def train(rank: int, options: argparse.Namespace) -> None:
    """One process of the run; the first one logs every fifty steps, saves every few minutes, and keeps numbered copies of
    the average."""
    if options.processes > 1:
        torch.set_num_threads(1)
        dist.init_process_group("gloo", init_method=f"file://{options.out.resolve()}/meeting", rank=rank, world_size=options.processes)
    shards, run = Shards(options.scenes), Run(options, rank)
    checkpoint = options.out / "checkpoint.pt"
    if options.resume and checkpoint.exists():
        run.load(checkpoint)
    before, saved, kept = time.monotonic(), time.monotonic(), int(run.share * options.keep)
    while run.share < 1:
        side, parts = run.advance(shards)
        now = time.monotonic()
        run.spent, before = run.spent + now - before, now
        if run.step % 50 == 0:
            scenes = shards.refresh()
        if rank > 0:
            continue
        if run.step % 50 == 0:
            line = {"minute": round(run.spent / 60, 1), "step": run.step, "seen": run.step * BATCH, "side": side, "scenes": scenes,
                    "loss": round(run.running, 4), "a second": round(run.step * BATCH / run.spent), **parts}
            print(json.dumps(line), flush=True)
        if now - saved > options.every * 60:
            run.save(checkpoint)
            saved = now
        if int(run.share * options.keep) > kept:
            kept = int(run.share * options.keep)
            torch.save(run.average.state_dict(), options.out / f"average-{kept:02d}.pt")
    if rank == 0:
        run.save(checkpoint)
        torch.save(run.average.state_dict(), options.out / "final.pt")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path, help="folder of shards written by generate.py")
    parser.add_argument("out", type=Path, help="folder for checkpoint.pt, average-NN.pt and final.pt")
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float, default=0, help="planned length of the run in time")
    length.add_argument("--steps", type=int, default=0, help="planned length of the run in steps of 48 scenes")
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate")
    parser.add_argument("--processes", type=int, default=0, help="default: one a core, or 1 on a GPU")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=3, help="minutes between checkpoints")
    parser.add_argument("--keep", type=int, default=10, help="copies of the average kept over the run")
    parser.add_argument("--resume", action="store_true", help="go on from checkpoint.pt in the folder")
    options = parser.parse_args()
    options.processes = options.processes or (1 if options.device != "cpu" else os.cpu_count() or 1)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "meeting").unlink(missing_ok=True)
    if options.processes == 1:
        train(0, options)
    else:
        mp.spawn(train, (options,), options.processes)


if __name__ == "__main__":
    main()
