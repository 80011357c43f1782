#!/usr/bin/env python3
"""Trains the reader of characters: train.py FONTS OUT --steps N."""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

import faces
from lines import BETWEEN, UNSURE, distorted, draw
from model import SignNetwork

WIDTH = 224


def drawn(arguments: tuple[list[Path], int, int]) -> list:
    """`count` clean lines of one seed."""
    fonts, count, seed = arguments
    dice = random.Random(seed)
    return [draw(dice.choice(fonts), dice) for _ in range(count)]


def batch(
    pool: list, size: int, dice: random.Random, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    shown = [distorted(dice.choice(pool), WIDTH, dice, rng) for _ in range(size)]
    return (
        torch.from_numpy(np.stack([one for one, _ in shown])).float()[:, None],
        torch.from_numpy(np.stack([classes for _, classes in shown])),
    )


def supply(pool: list, size: int, seed: int, queue: multiprocessing.Queue) -> None:
    dice, rng = random.Random(seed), np.random.default_rng(seed)
    torch.set_num_threads(1)
    while True:
        pictures, classes = batch(pool, size, dice, rng)
        queue.put((pictures.numpy(), classes.numpy()))


@torch.no_grad()
def figures(network: SignNetwork, held: list[tuple[torch.Tensor, torch.Tensor]]) -> str:
    network.eval()
    right = total = false = gaps = 0
    for pictures, classes in held:
        answers = network(pictures).argmax(1)
        signs = (classes != BETWEEN) & (classes != UNSURE)
        right += int((answers == classes)[signs].sum())
        total += int(signs.sum())
        false += int((answers != BETWEEN)[classes == BETWEEN].sum())
        gaps += int((classes == BETWEEN).sum())
    network.train()
    return f"characters {right / total:.4f}, gaps taken for characters {false / gaps:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fonts", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--lines", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    # The threads of one process wait for each other at every layer, which takes long on a busy
    # machine.
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    trained = faces.files(arguments.fonts, faces.TRAINED)
    assert len(trained) == len(
        faces.TRAINED
    ), f"{len(trained)} of {len(faces.TRAINED)} typefaces are installed below {arguments.fonts}"
    workers = 2
    with multiprocessing.Pool(workers) as helpers:
        share = arguments.lines // 8
        pool = sum(
            helpers.map(
                drawn, [(trained, share, 8 * arguments.seed + index) for index in range(8)]
            ),
            [],
        )
    dice, rng = random.Random(-1), np.random.default_rng(99)
    unseen = drawn((faces.files(arguments.fonts, faces.HELD_OUT), 600, -1))
    held = [batch(unseen, 32, dice, rng) for _ in range(6)]
    queue: multiprocessing.Queue = multiprocessing.Queue(8)
    suppliers = [
        multiprocessing.Process(
            target=supply,
            args=(pool, arguments.batch, 1000 + arguments.seed * 10 + index, queue),
            daemon=True,
        )
        for index in range(workers)
    ]
    for one in suppliers:
        one.start()
    network = SignNetwork()
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.97), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.004, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 0.004, total_steps=arguments.steps, pct_start=0.1
    )
    begun, loss_sum = time.monotonic(), 0.0
    for step in range(1, arguments.steps + 1):
        pictures, classes = (torch.from_numpy(one) for one in queue.get())
        loss = functional.cross_entropy(network(pictures), classes, ignore_index=UNSURE)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        averaged.update_parameters(network)
        loss_sum += loss.item()
        if step % 50 == 0:
            print(
                f"step {step}, {time.monotonic() - begun:.0f} s, loss {loss_sum / 50:.4f}",
                flush=True,
            )
            loss_sum = 0.0
        if step % 100 == 0 or step == arguments.steps:
            torch.save(averaged.module.state_dict(), arguments.out)
            print("  unseen typefaces:", figures(averaged.module, held), flush=True)


if __name__ == "__main__":
    main()
