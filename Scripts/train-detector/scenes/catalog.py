"""The kinds of documents and surfaces, and their frequencies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import bench_only, cards, documents, leaflets, prints, trading
from .dice import Dice
from .holdout import Split

Maker = Callable[[Dice, Split, int, int], np.ndarray]
Catalog = list[tuple[tuple[Maker, str], float]]
_DOCUMENTS: Catalog = [
    ((documents.letter, "page"), 0.24),
    ((documents.form, "page"), 0.12),
    ((documents.receipt, "receipt"), 0.09),
    ((documents.magazine, "page"), 0.12),
    ((leaflets.note, "page"), 0.11),
    ((leaflets.dark, "page"), 0.05),
    ((leaflets.certificate, "page"), 0.05),
    ((cards.identity, "card"), 0.04),
    ((cards.bank, "card"), 0.03),
    ((cards.back, "card"), 0.03),
    ((cards.business, "card"), 0.03),
    ((cards.playing, "card"), 0.02),
    ((cards.book, "book"), 0.06),
    ((cards.photograph, "page"), 0.02),
]
TRADING: Catalog = [
    ((trading.framed, "trading"), 0.1),
    ((trading.full_art, "trading"), 0.05),
    ((trading.back, "trading"), 0.03),
]
#: Kinds that were added after the benchmarks' pictures were fixed are only for training.
TRAIN_DOCUMENTS = _DOCUMENTS + [
    ((leaflets.spread, "spread"), 0.06),
    ((leaflets.notebook, "page"), 0.04),
    *TRADING,
    ((prints.bleed, "card"), 0.05),
    ((prints.cover, "page"), 0.05),
    ((prints.banknote, "banknote"), 0.03),
]
BENCH_DOCUMENTS = _DOCUMENTS + [
    ((bench_only.crossword, "page"), 0.1),
    ((bench_only.poster, "page"), 0.1),
]
SURFACES = [
    ("plain", 0.24),
    ("wood", 0.18),
    ("fabric", 0.09),
    ("stone", 0.08),
    ("marble", 0.06),
    ("tiles", 0.07),
    ("carpet", 0.06),
    ("scenery", 0.04),
    ("papers", 0.05),
    ("newsprint", 0.02),
    ("keyboard", 0.04),
    ("shelf", 0.02),
    ("screen", 0.03),
    ("window", 0.02),
    ("furniture", 0.06),
]
#: The surfaces for training, with the kinds that were added later.
TRAIN_SURFACES = SURFACES + [("playmat", 0.06), ("ruled", 0.03), ("pockets", 0.02)] + [
    ("room", 0.05),
    ("front", 0.02),
]
BENCH_SURFACES = SURFACES + [(name, 0.06) for name in ("terrazzo", "herringbone", "denim", "cork")]
#: Surfaces without objects of their own.
QUIET = {name for name, _ in BENCH_SURFACES + TRAIN_SURFACES} - {
    "papers",
    "newsprint",
    "keyboard",
    "shelf",
    "screen",
    "window",
    "furniture",
    "pockets",
    "room",
    "front",
}
