"""Trains the network on scenes from disk, for a planned time or number of steps. It can be stopped
and resumed.

On CPUs, it runs one single-threaded process per core, and the processes average their networks
every few steps. On a busy machine, this is many times faster than threads that wait for each other
at every layer.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import cv2
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from data import HeldShards, Shards
from run import Run


def train(rank: int, options: argparse.Namespace) -> None:
    """Runs one process of the run. The first process logs, saves every few minutes, and keeps
    numbered copies of the average.
    """
    cv2.setNumThreads(1)
    if options.processes > 1:
        torch.set_num_threads(1)
        dist.init_process_group(
            "gloo",
            init_method=f"file://{options.out.resolve()}/meeting",
            rank=rank,
            world_size=options.processes,
        )
    run = Run(options, rank)
    if options.device == "cpu":
        shards = Shards(options.scenes)
    else:
        torch.backends.cudnn.benchmark = True
        shards = HeldShards(options.scenes, run.device, options.hold, options.consume)
    checkpoint = options.out / "checkpoint.pt"
    if options.resume and checkpoint.exists():
        run.load(checkpoint)
    saved, kept = time.monotonic(), int(run.share * options.keep)
    rounds, scenes = 0, shards.refresh()
    began, seen_before = time.monotonic(), run.step
    while run.share < 1:
        side, parts = run.train_round(shards)
        rounds += 1
        if rounds % 4 == 0:
            scenes = shards.refresh()
        if rank > 0:
            continue
        now = time.monotonic()
        if rounds % 4 == 0:
            line = {
                "minute": round(run.spent / 60, 1),
                "step": run.step,
                "seen": run.step * options.batch,
                "side": side,
                "scenes": scenes,
                "loss": round(float(run.running), 4),
                "a second": round((run.step - seen_before) * options.batch / (now - began)),
                **{name: round(float(value), 4) for name, value in parts.items()},
            }
            print(json.dumps(line), flush=True)
            began, seen_before = now, run.step
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
    parser.add_argument(
        "out", type=Path, help="folder for checkpoint.pt, average-NN.pt and final.pt"
    )
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument(
        "--minutes", type=float, default=0, help="planned length of the run in time"
    )
    length.add_argument(
        "--steps", type=int, default=0, help="planned length of the run in steps of --batch scenes"
    )
    parser.add_argument(
        "--batch", type=int, default=48, help="scenes a step, of all processes together"
    )
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate")
    parser.add_argument(
        "--processes", type=int, default=0, help="default: one a core, or 1 on a GPU"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument(
        "--hold", type=int, default=450_000, help="scenes held in a GPU's memory, 110 kB each"
    )
    parser.add_argument(
        "--consume",
        action="store_true",
        help="on a GPU: remove scenes from disk once they are held",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=3, help="minutes between checkpoints")
    parser.add_argument(
        "--keep", type=int, default=10, help="copies of the average kept over the run"
    )
    parser.add_argument(
        "--start",
        type=Path,
        help="begin with these weights: a checkpoint.pt or final.pt of another run",
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help="with --start: every layer learns and nothing holds it back, for millions of scenes",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue from checkpoint.pt in the folder"
    )
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
