"""Pools of finished documents and surfaces, made once and used in many scenes."""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass

import cv2
import numpy as np

from . import bench_only, busy, indoors, mats, rooms, surfaces, trading
from .catalog import (
    BENCH_DOCUMENTS,
    BENCH_SURFACES,
    QUIET,
    TRAIN_DOCUMENTS,
    TRAIN_SURFACES,
    Catalog,
)
from .dice import Dice
from .holdout import Split
from .wear import aged, rounded

SURFACE_SIDE = 320


@dataclass
class Document:
    """A finished sheet for scenes: kind ("page", "receipt", "card", "trading", "banknote", "book",
    "spread") and RGBA pictures, each half of the one before.
    """

    kind: str
    mips: list[np.ndarray]

    @property
    def ratio(self) -> float:
        """The height divided by the width."""
        return self.mips[0].shape[0] / self.mips[0].shape[1]

    @property
    def is_light(self) -> bool:
        """True for a sheet that is white or nearly."""
        return float(self.mips[3][..., :3].mean()) > 190


@dataclass
class Surface:
    """A square picture (RGB) of a surface under pages; `busy` when it contains objects itself."""

    busy: bool
    picture: np.ndarray


@dataclass
class Pools:
    """Everything that scenes are made from."""

    documents: list[Document]
    surfaces: list[Surface]


def make_document(
    dice: Dice, split: Split, side: int, catalog: Catalog | None = None
) -> Document:
    """One document whose long side has this many pixels (at most 620), of the split's kinds or
    those named.
    """
    kinds = catalog or (BENCH_DOCUMENTS if split.is_bench else TRAIN_DOCUMENTS)
    maker, kind = dice.weighted(kinds)
    if kind == "page":
        ratio = dice.pick([1.414, 1.414, 1.414, 1.294, 1.294, dice.real(1.0, 1.7)])
        width, height = int(620 / ratio), 620
        width, height = (height, width) if dice.chance(0.12) else (width, height)
    elif kind == "receipt":
        width, height = int(620 / dice.real(1.6, 4.2)), 620
    elif kind == "spread":
        width, height = 620, int(620 / dice.real(1.2, 1.6))
    elif kind == "banknote":
        width, height = 620, int(620 / dice.real(1.75, 2.4))
    elif kind == "trading":
        width, height = 600, int(600 / dice.pick(trading.SHAPES))
    else:
        width, height = (
            600,
            int(
                600
                / (
                    dice.real(1.25, 1.6)
                    if kind == "book"
                    else dice.pick([1.586, 1.586, 1.586, 1.75, dice.real(1.3, 1.9)])
                )
            ),
        )
    picture = maker(dice, split, width, height)
    scale = side / max(picture.shape[:2])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = aged(dice, picture, kind)
    height, width = picture.shape[:2]
    round_corners = kind == "trading" or kind == "card" and dice.chance(0.75) or dice.chance(0.03)
    cover = (
        rounded(height, width, int(min(height, width) * dice.real(0.03, 0.075)))
        if round_corners
        else np.full((height, width), 255, np.uint8)
    )
    mips = [np.dstack([picture, cover])]
    for _ in range(3):
        h, w = mips[-1].shape[:2]
        mips.append(
            cv2.resize(mips[-1], (max(8, w // 2), max(8, h // 2)), interpolation=cv2.INTER_AREA)
        )
    return Document(kind, mips)


def make_surface(dice: Dice, split: Split, sheets: list[np.ndarray]) -> Surface:
    """Draws one surface."""
    name = dice.weighted(BENCH_SURFACES if split.is_bench else TRAIN_SURFACES)
    if name == "papers":
        picture = busy.papers(dice, SURFACE_SIDE, sheets)
    elif name in ("newsprint", "screen"):
        home = busy if name == "newsprint" else indoors
        picture = getattr(home, name)(dice, SURFACE_SIDE, split)
    else:
        home = next(
            module
            for module in (surfaces, busy, indoors, mats, rooms, bench_only)
            if hasattr(module, name)
        )
        picture = getattr(home, name)(dice, SURFACE_SIDE)
    return Surface(name not in QUIET, np.clip(picture, 0, 255).astype(np.uint8))


def make_pools(
    split: Split,
    document_count: int,
    surface_count: int,
    workers: int,
    side: int = 448,
    catalog: Catalog | None = None,
) -> Pools:
    """Makes the pools for one split; each member has its own seed, so the number of workers changes
    nothing.
    """
    with multiprocessing.Pool(workers) as pool:
        jobs = [(Dice(split.seed, 1, i), split, side, catalog) for i in range(document_count)]
        made = pool.starmap(make_document, jobs, chunksize=16)
    sheets = [d.mips[0] for d in made[:80]]
    with multiprocessing.Pool(workers) as pool:
        laid = pool.starmap(
            make_surface,
            [(Dice(split.seed, 2, i), split, sheets) for i in range(surface_count)],
            chunksize=16,
        )
    return Pools(made, laid)
