"""Makes batches of scenes from disk: flips, turns, gray, color, resolution."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

LUMA = (0.114, 0.587, 0.299)  #: of blue, green and red
GRAY_SHARE, SWAP_SHARE = 0.22, 0.25
WHOLE = "*.corners.npy"  #: written last: a shard that has this file is whole


class Shards:
    """The shards of a folder, memory-mapped, for training on a CPU."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pictures: list[np.ndarray] = []
        self.corners: list[np.ndarray] = []
        self.known: set[str] = set()
        if self.refresh() == 0:
            raise no_scenes(folder)

    def refresh(self) -> int:
        """Adds shards that were written since the last call. Returns the number of scenes."""
        for path in sorted(self.folder.glob(WHOLE)):
            if path.name not in self.known:
                self.known.add(path.name)
                self.corners.append(np.load(path))
                self.pictures.append(np.load(pictures_of(path), mmap_mode="r"))
        if self.corners:
            self.quads = torch.from_numpy(np.concatenate(self.corners))
            self.starts = np.cumsum([0] + [len(c) for c in self.corners])
        return len(self.quads) if self.corners else 0

    def draw(
        self, rng: np.random.Generator, count: int, side: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Draws this many random scenes, each in one of its eight turns and flips: uint8 n × 3 ×
        side × side and corners.
        """
        chosen = rng.integers(len(self.quads), size=count)
        homes = np.searchsorted(self.starts, chosen, side="right") - 1
        found = (self.pictures[h][k - self.starts[h]] for h, k in zip(homes, chosen))
        # Pictures are reduced first, and as whole bytes, so that the following steps have less to
        # do.
        small = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in found]
        pictures, corners = torch.from_numpy(np.stack(small)), self.quads[torch.from_numpy(chosen)]
        return turned(
            pictures.permute(0, 3, 1, 2), corners, torch.from_numpy(rng.integers(8, size=count))
        )


class HeldShards:
    """The shards of a folder in a GPU's memory, which has room for this many scenes; new ones
    replace the oldest. With `consume`, a shard's files are removed once it is loaded, so that any
    number of scenes can be drawn while a network is trained on them.
    """

    def __init__(self, folder: Path, device: torch.device, room: int, consume: bool) -> None:
        self.folder, self.device, self.room, self.consume = folder, device, room, consume
        self.known: set[str] = set()
        self.taken = 0  #: scenes, over all the run
        self.quads = torch.full((room, 4, 2), float("nan"), device=device)
        self.pictures = torch.empty(0, dtype=torch.uint8, device=device)
        if self.refresh() == 0:
            raise no_scenes(folder)

    def refresh(self) -> int:
        """Adds shards that were written since the last call. Returns the number of scenes held."""
        for path in sorted(self.folder.glob(WHOLE)):
            if path.name in self.known:
                continue
            self.known.add(path.name)
            pictures, corners = np.load(pictures_of(path)), np.load(path)
            if len(corners) > self.room:
                raise SystemExit(
                    f"{path} has {len(corners)} scenes, and there is room for {self.room}: --hold"
                    " more"
                )
            if not len(self.pictures):
                self.pictures = torch.empty(
                    (self.room, *pictures.shape[1:]), dtype=torch.uint8, device=self.device
                )
            places = (torch.arange(len(corners)) + self.taken).remainder(self.room).to(self.device)
            self.pictures[places] = torch.from_numpy(pictures).to(self.device)
            self.quads[places] = torch.from_numpy(corners).to(self.device)
            self.taken += len(corners)
            if self.consume:
                path.unlink()
                pictures_of(path).unlink()
        return min(self.taken, self.room)

    def draw(
        self, rng: np.random.Generator, count: int, side: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Draws scenes as `Shards.draw` does, but on the GPU."""
        chosen = torch.from_numpy(rng.integers(min(self.taken, self.room), size=count)).to(
            self.device
        )
        turns = torch.from_numpy(rng.integers(8, size=count)).to(self.device)
        return turned(
            reduced(self.pictures[chosen], side).permute(0, 3, 1, 2), self.quads[chosen], turns
        )


def pictures_of(corners: Path) -> Path:
    """The file of a shard's pictures beside that of its corners."""
    return corners.with_name(corners.name.replace(".corners.", ".pictures."))


def no_scenes(folder: Path) -> SystemExit:
    """The error message for a folder without shards."""
    return SystemExit(f"no scenes in {folder}: write some with generate.py --scenes")


def reduced(pictures: torch.Tensor, side: int) -> torch.Tensor:
    """Pictures (uint8 n × h × w × 3) of the side, on a GPU."""
    if pictures.shape[1] == side:
        return pictures
    x = F.interpolate(
        pictures.permute(0, 3, 1, 2).float(), size=(side, side), mode="bilinear", antialias=True
    )
    return x.round().clamp(0, 255).byte().permute(0, 2, 3, 1)


def turned(
    pictures: torch.Tensor, corners: torch.Tensor, turns: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Turns or flips each picture and its corners in one of eight ways: bit 1 mirrors, 2 turns
    upside down, 4 transposes.
    """
    left, down, swap = ((turns & bit) > 0 for bit in (1, 2, 4))
    pictures = torch.where(left[:, None, None, None], pictures.flip(3), pictures)
    pictures = torch.where(down[:, None, None, None], pictures.flip(2), pictures)
    pictures = torch.where(swap[:, None, None, None], pictures.transpose(2, 3), pictures)
    x = torch.where(left[:, None], 1 - corners[..., 0], corners[..., 0])
    y = torch.where(down[:, None], 1 - corners[..., 1], corners[..., 1])
    upright, laid = torch.stack([x, y], 2), torch.stack([y, x], 2)
    return pictures, torch.where(swap[:, None, None], laid, upright)


def normalize(picture: torch.Tensor) -> torch.Tensor:
    """The network's input from pictures in 0..1."""
    return ((picture - 0.5) * 4).contiguous(memory_format=torch.channels_last)


def luma(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures in shades of gray, as one channel."""
    return (pictures * torch.tensor(LUMA, device=pictures.device)[:, None, None]).sum(
        1, keepdim=True
    )


def augment(pictures: torch.Tensor) -> torch.Tensor:
    """Makes some pictures gray, swaps channels of some, and varies exposure and balance; returns
    network input."""
    count, device = len(pictures), pictures.device
    x = pictures.float() / 255
    lot = torch.rand(count, 1, 1, 1, device=device)
    x = torch.where(lot < GRAY_SHARE, luma(x), x)
    swap = torch.rand(count, 1, 1, 1, device=device) < SWAP_SHARE
    x = torch.where(swap & (lot >= GRAY_SHARE), x.flip(1), x)
    exposure = 1 + 0.12 * torch.randn(count, 1, 1, 1, device=device)
    balance = 1 + 0.04 * torch.randn(count, 3, 1, 1, device=device)
    x = x * exposure * balance + 0.05 * torch.randn(count, 1, 1, 1, device=device)
    return normalize(x.clamp(0, 1))
