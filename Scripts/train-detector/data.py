"""Scenes from disk as batches: flips, turns, gray, colour, resolution."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

LUMA = (0.114, 0.587, 0.299)  #: of blue, green and red
GRAY_SHARE, SWAP_SHARE = 0.22, 0.25


class Shards:
    """The shards of a folder: memory-mapped for a CPU, held in the device's memory for a GPU."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        self.folder, self.device = folder, device
        self.pictures: list[np.ndarray] = []
        self.corners: list[np.ndarray] = []
        self.known: set[str] = set()
        if self.refresh() == 0:
            raise SystemExit(f"no scenes in {folder}: write some with generate.py --scenes")
        self.held: torch.Tensor | None = None
        if device.type != "cpu":
            self.held = torch.cat([torch.from_numpy(np.array(p)).to(device) for p in self.pictures])

    def refresh(self) -> int:
        """Takes in shards written since, on a CPU; returns the number of scenes."""
        if self.known and self.device.type != "cpu":
            return len(self.quads)
        for path in sorted(self.folder.glob("*.corners.npy")):
            if path.name not in self.known:
                self.known.add(path.name)
                self.corners.append(np.load(path))
                self.pictures.append(np.load(str(path).replace(".corners.", ".pictures."), mmap_mode="r"))
        if self.corners:
            self.quads = torch.from_numpy(np.concatenate(self.corners))
            self.starts = np.cumsum([0] + [len(c) for c in self.corners])
        return len(self.quads) if self.corners else 0

    def draw(self, rng: np.random.Generator, count: int, side: int) -> tuple[torch.Tensor, torch.Tensor]:
        """So many scenes by lot, each in one of its eight turns and flips: uint8 n × 3 × side × side and corners."""
        chosen = rng.integers(len(self.quads), size=count)
        corners = self.quads[torch.from_numpy(chosen)].to(self.device)
        if self.held is not None:
            pictures = reduced(self.held[torch.from_numpy(chosen).to(self.device)], side)
        else:
            homes = np.searchsorted(self.starts, chosen, side="right") - 1
            found = (self.pictures[h][k - self.starts[h]] for h, k in zip(homes, chosen))
            # Reduced before all else, and by whole bytes: what follows has less to do.
            small = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in found]
            pictures = torch.from_numpy(np.stack(small))
        return turned(pictures.permute(0, 3, 1, 2), corners, torch.from_numpy(rng.integers(8, size=count)))


def reduced(pictures: torch.Tensor, side: int) -> torch.Tensor:
    """Pictures (uint8 n × h × w × 3) of the side, on a GPU."""
    if pictures.shape[1] == side:
        return pictures
    x = F.interpolate(pictures.permute(0, 3, 1, 2).float(), size=(side, side), mode="bilinear", antialias=True)
    return x.round().clamp(0, 255).byte().permute(0, 2, 3, 1)


def turned(pictures: torch.Tensor, corners: torch.Tensor, turns: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Each picture and its corners in its one of eight turns: bit 1 mirrored, 2 upside down, 4 transposed."""
    turns = turns.to(pictures.device)
    left, down, swap = ((turns & bit) > 0 for bit in (1, 2, 4))
    pictures = torch.where(left[:, None, None, None], pictures.flip(3), pictures)
    pictures = torch.where(down[:, None, None, None], pictures.flip(2), pictures)
    pictures = torch.where(swap[:, None, None, None], pictures.transpose(2, 3), pictures)
    x = torch.where(left[:, None], 1 - corners[..., 0], corners[..., 0])
    y = torch.where(down[:, None], 1 - corners[..., 1], corners[..., 1])
    upright, laid = torch.stack([x, y], 2), torch.stack([y, x], 2)
    return pictures, torch.where(swap[:, None, None], laid, upright)


def normalise(picture: torch.Tensor) -> torch.Tensor:
    """The network's input from pictures in 0..1."""
    return ((picture - 0.5) * 4).contiguous(memory_format=torch.channels_last)


def luma(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures in shades of gray, as one channel."""
    return (pictures * torch.tensor(LUMA, device=pictures.device)[:, None, None]).sum(1, keepdim=True)


def augment(pictures: torch.Tensor) -> torch.Tensor:
    """Turns some gray, swaps channels of some, varies exposure and balance; network input."""
    count, device = len(pictures), pictures.device
    x = pictures.float() / 255
    lot = torch.rand(count, 1, 1, 1, device=device)
    x = torch.where(lot < GRAY_SHARE, luma(x), x)
    swap = torch.rand(count, 1, 1, 1, device=device) < SWAP_SHARE
    x = torch.where(swap & (lot >= GRAY_SHARE), x.flip(1), x)
    exposure = 1 + 0.12 * torch.randn(count, 1, 1, 1, device=device)
    balance = 1 + 0.04 * torch.randn(count, 3, 1, 1, device=device)
    x = x * exposure * balance + 0.05 * torch.randn(count, 1, 1, 1, device=device)
    return normalise(x.clamp(0, 1))
