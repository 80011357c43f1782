"""Scenes from disk as batches: flips, turns, gray, colour, resolution."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

LUMA = torch.tensor([0.114, 0.587, 0.299])[:, None, None]


class Shards:
    """The shards of a folder, memory-mapped; `refresh` finds those written since."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pictures: list[np.ndarray] = []
        self.corners: list[np.ndarray] = []
        self.known: set[str] = set()
        self.refresh()
        if not self.pictures:
            raise SystemExit(f"no scenes in {folder}: write some with generate.py --scenes")

    def refresh(self) -> int:
        """Takes in new shards; returns the number of scenes."""
        for path in sorted(self.folder.glob("*.corners.npy")):
            if path.name not in self.known:
                self.known.add(path.name)
                self.corners.append(np.load(path))
                self.pictures.append(np.load(str(path).replace(".corners.", ".pictures."), mmap_mode="r"))
        return sum(len(c) for c in self.corners)

    def draw(self, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """So many scenes by lot, each in one of its eight turns and flips: uint8 n × 3 × h × w and corners."""
        pictures, corners = [], []
        for _ in range(count):
            shard = int(rng.integers(len(self.corners)))
            at, turn = int(rng.integers(len(self.corners[shard]))), int(rng.integers(8))
            picture, quad = self.pictures[shard][at], self.corners[shard][at].copy()
            if turn & 1:
                picture, quad[:, 0] = picture[:, ::-1], 1 - quad[:, 0]
            if turn & 2:
                picture, quad[:, 1] = picture[::-1], 1 - quad[:, 1]
            if turn & 4:
                picture, quad = picture.transpose(1, 0, 2), quad[:, ::-1]
            pictures.append(picture)
            corners.append(quad)
        return torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2), torch.from_numpy(np.stack(corners))


def normalise(picture: torch.Tensor) -> torch.Tensor:
    """The network's input from pictures in 0..1."""
    return ((picture - 0.5) * 4).contiguous(memory_format=torch.channels_last)


def augment(pictures: torch.Tensor, side: int, gray_share: float = 0.22) -> torch.Tensor:
    """Reduces to the side, turns some gray, swaps channels of some, varies exposure and balance; network input."""
    count = len(pictures)
    x = pictures.float() / 255
    if side != x.shape[2]:
        x = F.interpolate(x, size=(side, side), mode="bilinear", antialias=True)
    lot = torch.rand(count, 1, 1, 1)
    x = torch.where(lot < gray_share, (x * LUMA).sum(1, keepdim=True), x)
    x = torch.where((torch.rand(count, 1, 1, 1) < 0.25) & (lot >= gray_share), x.flip(1), x)
    x = x * (1 + 0.12 * torch.randn(count, 1, 1, 1)) * (1 + 0.04 * torch.randn(count, 3, 1, 1)) + 0.05 * torch.randn(
        count, 1, 1, 1
    )
    return normalise(x.clamp(0, 1))
