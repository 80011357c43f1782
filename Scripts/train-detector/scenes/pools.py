"""Pools of finished documents and surfaces, made once and dealt to many scenes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from . import bench_only, busy, cards, documents, surfaces
from .colour import noise
from .dice import Dice
from .holdout import Split

SURFACE_SIDE = 320


@dataclass
class Document:
    """A sheet ready to be laid: kind ("page", "receipt", "card", "book") and RGBA pictures, halved each time."""

    kind: str
    mips: list[np.ndarray]

    @property
    def ratio(self) -> float:
        """Height over width."""
        return self.mips[0].shape[0] / self.mips[0].shape[1]

    @property
    def is_light(self) -> bool:
        """True for a sheet that is white or nearly."""
        return float(self.mips[3][..., :3].mean()) > 190


@dataclass
class Surface:
    """A square picture (RGB) of what pages lie on; `busy` when it holds things itself."""

    busy: bool
    picture: np.ndarray


@dataclass
class Pools:
    """Everything scenes are put together from."""

    documents: list[Document]
    surfaces: list[Surface]


Maker = Callable[[Dice, Split, int, int], np.ndarray]
TRAIN_DOCUMENTS: list[tuple[tuple[Maker, str], float]] = [
    ((documents.letter, "page"), 0.24), ((documents.form, "page"), 0.12), ((documents.receipt, "receipt"), 0.09),
    ((documents.magazine, "page"), 0.12), ((documents.note, "page"), 0.11), ((documents.dark, "page"), 0.05),
    ((documents.certificate, "page"), 0.05), ((cards.identity, "card"), 0.04), ((cards.bank, "card"), 0.03),
    ((cards.back, "card"), 0.03), ((cards.business, "card"), 0.03), ((cards.playing, "card"), 0.02),
    ((cards.book, "book"), 0.06), ((cards.photograph, "page"), 0.02)]
BENCH_DOCUMENTS = TRAIN_DOCUMENTS + [((bench_only.crossword, "page"), 0.1), ((bench_only.poster, "page"), 0.1)]
SURFACES = [("plain", 0.24), ("wood", 0.18), ("fabric", 0.09), ("stone", 0.08), ("marble", 0.06), ("tiles", 0.07),
            ("carpet", 0.06), ("scenery", 0.04), ("papers", 0.05), ("newsprint", 0.02), ("keyboard", 0.04),
            ("shelf", 0.02), ("screen", 0.03), ("window", 0.02), ("furniture", 0.06)]
BENCH_SURFACES = SURFACES + [(name, 0.06) for name in ("terrazzo", "herringbone", "denim", "cork")]
QUIET = {"plain", "wood", "fabric", "stone", "marble", "tiles", "carpet", "scenery", "terrazzo", "herringbone", "denim", "cork"}


def _rounded(height: int, width: int, radius: int) -> np.ndarray:
    cover = np.zeros((height, width), np.uint8)
    cv2.rectangle(cover, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(cover, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(cover, (x, y), radius, 255, -1, cv2.LINE_AA)
    return cover


def _aged(dice: Dice, picture: np.ndarray, kind: str) -> np.ndarray:
    """Folds and wrinkles."""
    height, width = picture.shape[:2]
    if kind in ("page", "receipt") and dice.chance(0.3):
        aged = picture.astype(np.float32)
        for _ in range(dice.whole(1, 3)):
            axis = dice.whole(0, 1)
            length = aged.shape[axis]
            at = np.arange(length) - length * dice.pick([1 / 3, 0.5, 2 / 3, dice.real(0.1, 0.9)])
            crease = 1 - dice.real(0.05, 0.25) * np.exp(-((at / dice.real(1, 3)) ** 2))
            crease += np.sign(at) * dice.real(-0.06, 0.06) * np.exp(-np.abs(at) / (length * dice.real(0.05, 0.4)))
            aged *= crease[:, None, None] if axis == 0 else crease[None, :, None]
        picture = np.clip(aged, 0, 255).astype(np.uint8)
    if dice.chance(0.2):
        relief = noise(dice, height, width, ((3, 1.0), (6, 0.8), (12, 0.6), (25, 0.4)))
        slope = np.clip(cv2.Sobel(relief, cv2.CV_32F, 0, 1) * dice.real(0.2, 1.2), -0.12, 0.12)
        picture = np.clip(picture * (1 + slope)[..., None], 0, 255).astype(np.uint8)
    return picture


def make_document(dice: Dice, split: Split, side: int) -> Document:
    """One document whose long side has so many pixels (at most 620)."""
    maker, kind = dice.weighted(BENCH_DOCUMENTS if split.is_bench else TRAIN_DOCUMENTS)
    if kind == "page":
        ratio = dice.pick([1.414, 1.414, 1.414, 1.294, 1.294, dice.real(1.0, 1.7)])
        width, height = int(620 / ratio), 620
        width, height = (height, width) if dice.chance(0.12) else (width, height)
    elif kind == "receipt":
        width, height = int(620 / dice.real(1.6, 4.2)), 620
    else:
        width, height = 600, int(600 / (dice.real(1.25, 1.6) if kind == "book" else dice.pick([1.586, 1.586, 1.586, 1.75, dice.real(1.3, 1.9)])))
    picture = maker(dice, split, width, height)
    scale = side / max(picture.shape[:2])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = _aged(dice, picture, kind)
    height, width = picture.shape[:2]
    round_corners = kind == "card" and dice.chance(0.75) or dice.chance(0.03)
    cover = _rounded(height, width, int(min(height, width) * dice.real(0.03, 0.075))) if round_corners else np.full((height, width), 255, np.uint8)
    mips = [np.dstack([picture, cover])]
    for _ in range(3):
        h, w = mips[-1].shape[:2]
        mips.append(cv2.resize(mips[-1], (max(8, w // 2), max(8, h // 2)), interpolation=cv2.INTER_AREA))
    return Document(kind, mips)


def make_surface(dice: Dice, split: Split, sheets: list[np.ndarray]) -> Surface:
    """One surface."""
    name = dice.weighted(BENCH_SURFACES if split.is_bench else SURFACES)
    if name == "papers":
        picture = busy.papers(dice, SURFACE_SIDE, sheets)
    elif name in ("newsprint", "screen"):
        picture = getattr(busy, name)(dice, SURFACE_SIDE, split)
    else:
        home = next(module for module in (surfaces, busy, bench_only) if hasattr(module, name))
        picture = getattr(home, name)(dice, SURFACE_SIDE)
    return Surface(name not in QUIET, np.clip(picture, 0, 255).astype(np.uint8))


def make_pools(split: Split, document_count: int, surface_count: int, workers: int, side: int = 448) -> Pools:
    """Pools for one split; each member has a seed of its own, so the number of workers changes nothing."""
    with multiprocessing.Pool(workers) as pool:
        jobs = [(Dice(split.seed, 1, i), split, side) for i in range(document_count)]
        made = pool.starmap(make_document, jobs, chunksize=16)
    sheets = [d.mips[0] for d in made[:80]]
    with multiprocessing.Pool(workers) as pool:
        laid = pool.starmap(make_surface, [(Dice(split.seed, 2, i), split, sheets) for i in range(surface_count)], chunksize=16)
    return Pools(made, laid)
