"""One training run: network, moving average, optimizer, schedule."""

from __future__ import annotations

import argparse
import copy
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist

from data import HeldShards, Shards, augment
from model import Net
from targets import leaning, loss, targets

WARM_UP = 150  #: steps
WARM_UP_OF_SECOND_LEG = 40
#: The input's side up to each share of the run: small pictures come first, since they teach most
# per second.
SIDES = ((96, 0.15), (128, 0.7), (160, 0.85), (192, 1.0))
SIDES_ON_GPU = ((128, 0.15), (160, 0.35), (192, 1.0))
SIDES_OF_SECOND_LEG = (
    (160, 0.6),
    (192, 1.0),
)  #: for a run that begins with the weights of another
EMA_KEEP = 0.998  #: a step
# The number of steps after which the processes average their weights. Each trains alone in between,
# so that none waits at every step for one whose core another program has taken.
LEG = 16
# A short second run keeps what many more pictures have taught: the finest layers, which tell edges
# from print, stay unchanged, and so do the means and variances of all normalizations.
KEPT = ("s2", "s4", "s8")
# The strength with which every step pulls a second run's values back to their initial ones, in
# parts of the rate: AdamW's decay, but toward these values instead of zero.
PULL = 5.0


def learning_rate(peak: float, step: int, share: float, warm_up: int = WARM_UP) -> float:
    """The rate: a cosine from the peak to nearly zero over the run, after a short warm-up."""
    return (
        peak * min(1.0, (step + 1) / warm_up) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, share)))
        + 1e-5
    )


class Run:
    """One training run: network, its moving average, optimizer, and progress."""

    def __init__(self, options: argparse.Namespace, rank: int) -> None:
        torch.manual_seed(options.seed)
        self.options, self.rank = options, rank
        self.device = torch.device(options.device)
        self.net = Net().to(self.device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.net).eval()
        self.began: list[torch.Tensor] = []
        self.earlier: Net | None = None
        if options.start:
            self._begin_with(options.start)
        self.trained = [value for value in self.net.parameters() if value.requires_grad]
        self.optimizer = torch.optim.AdamW(
            self.trained,
            options.rate,
            weight_decay=0.0 if options.start else 0.02,
            betas=(0.9, 0.98),
            fused=True,
        )
        self.step, self.spent, self.running = 0, 0.0, torch.tensor(float("nan"), device=self.device)
        self.clock = time.monotonic()  #: when the last meeting was
        self._seed()

    def _begin_with(self, path: Path) -> None:
        """Begins with the averaged weights of an earlier run, without its schedule and its
        optimizer's state.
        """
        state = torch.load(path, map_location=self.device)
        for net in (self.net, self.average):
            net.load_state_dict(state.get("average", state))
        if self.options.whole:
            return
        self.net.eval()
        for name in KEPT:
            self.net.get_submodule(name).requires_grad_(False)
        self.earlier = copy.deepcopy(self.net)
        self.began = [v.detach().clone() for v in self.net.parameters() if v.requires_grad]

    def _seed(self) -> None:
        """Different scenes and noise in each process and after each resumption."""
        self.rng = np.random.default_rng((self.options.seed, self.rank, self.step))
        torch.manual_seed(self.options.seed * 1000 + self.rank + self.step)

    @property
    def share(self) -> float:
        """The share of the run that is done, 0 to 1."""
        options = self.options
        return self.step / options.steps if options.steps else self.spent / (options.minutes * 60)

    def save(self, path: Path) -> None:
        """Saves everything needed to continue the run; the file is written completely or not at
        all."""
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "spent": self.spent,
            "running": float(self.running),
        }
        torch.save(state, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path) -> None:
        """Continues where a saved run stopped."""
        state = torch.load(path, map_location=self.device)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.spent, self.running = (
            state["step"],
            state["spent"],
            torch.tensor(state["running"], device=self.device),
        )
        self._seed()

    def train_round(self, shards: Shards | HeldShards) -> tuple[int, dict[str, torch.Tensor]]:
        """Makes some steps in this process alone, then averages with the others. Returns the
        input's side and the parts of the last loss.
        """
        share = self.share
        plan = (
            SIDES_OF_SECOND_LEG
            if self.options.start
            else SIDES if self.device.type == "cpu" else SIDES_ON_GPU
        )
        side = next(s for s, until in plan if share <= until or until == 1.0)
        count = min(LEG, self.options.steps - self.step) if self.options.steps else LEG
        for _ in range(count):
            parts = self._advance(shards, side, share)
        self._meet()
        self._average(count)
        return side, parts

    def _advance(
        self, shards: Shards | HeldShards, side: int, share: float
    ) -> dict[str, torch.Tensor]:
        """Makes one step. Returns the parts of the loss."""
        warm_up = WARM_UP_OF_SECOND_LEG if self.began else WARM_UP
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.options.rate, self.step, share, warm_up)
        pictures, corners = shards.draw(
            self.rng, self.options.batch // self.options.processes, side
        )
        wanted, present = targets(corners, side // 4)
        # This halves the memory traffic on a GPU; on a CPU it is slower than single precision.
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device.type == "cuda"):
            if self.earlier is None:
                maps, presence = self.net(augment(pictures))
            else:
                with torch.no_grad():
                    seen = self.earlier.fine(augment(pictures))  # the same in both networks
                    wanted, present = leaning(*self.earlier.answer(*seen), wanted, present)
                maps, presence = self.net.answer(*seen)
        off = loss(maps, presence, wanted, present)
        self.optimizer.zero_grad(set_to_none=True)
        off.total.backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 5.0)
        self.optimizer.step()
        if self.began:
            with torch.no_grad():
                pull = min(1.0, PULL * self.optimizer.param_groups[0]["lr"])
                torch._foreach_lerp_(self.trained, self.began, pull)
        self.step += 1
        value = off.total.detach()
        self.running = torch.where(self.running.isnan(), value, 0.98 * self.running + 0.02 * value)
        return off.parts

    @torch.no_grad()
    def _meet(self) -> None:
        """Averages the networks and the optimizers' moments over the processes; the first one's
        clock counts for all, so that all follow the same schedule and end together.
        """
        now = time.monotonic()
        spent, self.clock = torch.tensor([now - self.clock]), now
        if self.options.processes > 1:
            dist.broadcast(spent, 0)
            moments = [
                m for s in self.optimizer.state.values() for m in (s["exp_avg"], s["exp_avg_sq"])
            ]
            values = [
                *self.trained,
                *(b for b in self.net.buffers() if b.is_floating_point()),
                *moments,
            ]
            flat = torch.cat([v.flatten() for v in values])
            dist.all_reduce(flat)
            flat /= self.options.processes
            for value, part in zip(values, flat.split([v.numel() for v in values])):
                value.copy_(part.view_as(value))
        self.spent += float(spent)

    @torch.no_grad()
    def _average(self, count: int) -> None:
        """Moves the average toward the network after this many steps. Early on, new values count
        more.
        """
        keep = min(EMA_KEEP**count, self.step / (self.step + 20 * count))
        mine, theirs = list(self.average.parameters()), list(self.net.parameters())
        torch._foreach_lerp_(mine, theirs, 1 - keep)
        for old, new in zip(self.average.buffers(), self.net.buffers()):
            old.lerp_(new, 1 - keep) if old.is_floating_point() else old.copy_(new)
