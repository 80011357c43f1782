"""Sheets other than the page: mostly out of view, under it, beside it, over it."""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, box
from .dice import Dice
from .geometry import turned, visible_share
from .pools import Document, Pools
from .sheet import Lay, lay


def at_the_rim(dice: Dice, canvas: Canvas, pools: Pools, at: np.ndarray) -> None:
    """Draws a sheet, magazine or book mostly out of view (at most half of it is visible), near the
    place (0..1).
    """
    document, reach = dice.pick(pools.documents), canvas.unit * dice.real(25, 70)
    flat = box(np.zeros(2), reach, reach * document.ratio, dice.angle())
    for push in (1.0, 1.25, 1.6, 2.2):
        corners = (flat + canvas.size * (0.5 + (at - 0.5) * push)).astype(np.float32)
        if visible_share(corners / canvas.size) < 0.5:
            lay(dice, canvas, document, corners)
            return


def stacked_under(
    dice: Dice, canvas: Canvas, pools: Pools, document: Document, corners: np.ndarray
) -> np.ndarray | None:
    """Draws sheets under the page, slightly turned and moved, often of the same paper. Returns that
    paper's tone.
    """
    same = dice.chance(0.6)
    tone, reach = None, corners.max(0) - corners.min(0)
    for _ in range(dice.whole(1, 4)):
        if dice.chance(0.3):
            other = document
        elif dice.chance(0.5):
            other = dice.pick(pools.documents)
        else:
            other = alike(dice, pools, document)
        shift = dice.normal(0, 0.12), dice.real(0.95, 1.06), dice.rng.normal(0, 0.07, 2) * reach
        tone = lay(
            dice, canvas, other, turned(corners, *shift), Lay(0.0, tone=tone if same else None)
        )
    return tone if same else None


def alike(dice: Dice, pools: Pools, document: Document) -> Document:
    """A sheet of the same kind and brightness, or the document itself if twenty tries found none.
    """
    for _ in range(20):
        other = dice.pick(pools.documents)
        if other.kind == document.kind and other.is_light == document.is_light:
            return other
    return document


def beside(dice: Dice, canvas: Canvas, pools: Pools, corners: np.ndarray) -> None:
    """Draws one to three sheets beside the page, partly under it."""
    reach = corners.max(0) - corners.min(0)
    for _ in range(dice.whole(1, 3)):
        way = dice.angle()
        shift = np.array([np.cos(way), np.sin(way)]) * reach * dice.real(0.35, 0.85)
        turn = dice.angle() if dice.chance(0.6) else dice.normal(0, 0.2)
        moved = turned(corners, turn, dice.real(0.6, 1.1), shift)
        lay(dice, canvas, dice.pick(pools.documents), moved)


def over(dice: Dice, canvas: Canvas, pools: Pools, corners: np.ndarray) -> None:
    """Draws a sheet over one corner or side of the page."""
    side = dice.whole(0, 3)
    at = corners[side] if dice.chance(0.5) else (corners[side] + corners[(side + 1) % 4]) / 2
    outward = (at - corners.mean(0)) / (np.linalg.norm(at - corners.mean(0)) + 1e-6)
    sheet = turned(corners, dice.angle(), dice.real(0.25, 0.8), np.zeros(2)) - corners.mean(0)
    reach = -(sheet @ outward).min() - dice.real(0.03, 0.18) * np.linalg.norm(
        corners[2] - corners[0]
    )
    lay(dice, canvas, dice.pick(pools.documents), (sheet + at + outward * reach).astype(np.float32))
