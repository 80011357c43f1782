"""Makes a checkpoint between the weights that second runs began with and the mean of their results.

    mix_weights.py start.pt ONE/final.pt OTHER/final.pt --into mixed.pt --share 0.18

A short second run learns new kinds of pictures before it forgets the old ones, so weights in
between keep both (Wortsman and others, "Robust fine-tuning of zero-shot models", 2022), and the
mean of several runs forgets less than each of them. This works because they leave all
normalizations unchanged.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

State = dict[str, torch.Tensor]


def mixed(start: State, ends: list[State], share: float) -> State:
    """Mixes the values: this share of the way from one state to the mean of others."""

    def value(name: str) -> torch.Tensor:
        if not start[name].is_floating_point():
            return start[name]
        mean = torch.stack([end[name] for end in ends]).mean(0)
        return torch.lerp(start[name], mean, share)

    return {name: value(name) for name in start}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("start", type=Path)
    parser.add_argument("ends", type=Path, nargs="+")
    parser.add_argument("--into", type=Path, required=True, help="the checkpoint to write")
    parser.add_argument("--share", type=float, required=True, help="0 is the start, 1 the end")
    options = parser.parse_args()
    states = [
        torch.load(path, map_location="cpu", weights_only=True)
        for path in (options.start, *options.ends)
    ]
    start, *ends = (state.get("average", state) for state in states)
    torch.save(mixed(start, ends, options.share), options.into)


if __name__ == "__main__":
    main()
