"""Objects under a page among many pages: piles of sheets, open books, notebooks. They are only
drawn for training.
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas
from .dice import Dice
from .geometry import turned
from .others import alike
from .pools import Document, Pools
from .sheet import Lay, lay

# This many sheets next to the page are drawn with their print; only the edges of lower ones are
# visible.
PRINTED = 2


def pile(
    dice: Dice, canvas: Canvas, pools: Pools, document: Document, corners: np.ndarray
) -> np.ndarray | None:
    """Draws one to thirty sheets under the page: in line with it or fanned out, a little larger or
    smaller. The lower a sheet is, the farther it is shifted, to the side from which the camera
    sees the pile's edge. Returns the paper's tone if all sheets have the same.
    """
    count = dice.whole(1, 4) if dice.chance(0.4) else dice.whole(3, 30)
    tidy = dice.chance(0.6)
    spread = dice.log_real(0.003, 0.03) if tidy else dice.real(0.03, 0.15)
    slip = canvas.unit * (dice.real(0.1, 1.2) if tidy else dice.real(0.8, 5))
    sizes = dice.real(0, 0.01) if dice.chance(0.6) else dice.real(0.01, 0.06)
    way = dice.angle()
    lean = np.array([np.cos(way), np.sin(way)]) * canvas.unit * dice.real(0, 0.35) * min(count, 12)
    tone = None
    if dice.chance(0.7):
        tone = np.float32(dice.real(0.7, 1.02) * dice.rng.uniform(0.96, 1.03, 3))
    paper = np.median(document.mips[3][..., :3].reshape(-1, 3), axis=0).astype(np.float32)
    paper = paper * (1 if tone is None else tone)
    for depth in range(count, 0, -1):
        shift = lean * depth / count + dice.rng.normal(0, slip, 2)
        under = turned(corners, dice.normal(0, spread), 1 + dice.normal(0, sizes), shift)
        if depth > PRINTED:
            level = paper * np.float32(dice.real(0.86, 1.04))
            canvas.thing(under, np.clip(level, 0, 255), dice.real(0.02, 0.5), dice.real(0.1, 0.5))
        else:
            other = alike(dice, pools, document) if dice.chance(0.7) else dice.pick(pools.documents)
            lay(dice, canvas, other, under, Lay(0.0, shadow=0.9, tone=tone))
    return tone


def bed(dice: Dice, canvas: Canvas, pools: Pools, corners: np.ndarray) -> None:
    """Draws a larger book, magazine, notebook or sheet, most of which the page covers."""
    shift = dice.rng.normal(0, 0.08, 2) * (corners.max(0) - corners.min(0))
    turn = dice.normal(0, 0.12) + dice.whole(0, 3) * np.pi / 2 if dice.chance(0.8) else dice.angle()
    larger = turned(corners, turn, dice.real(1.12, 1.7), shift)
    lay(dice, canvas, dice.pick(pools.documents), larger, Lay(dice.real(0, 0.03)))


def ledge(dice: Dice, canvas: Canvas, pools: Pools, corners: np.ndarray) -> None:
    """Draws one to six sheets under the page that are larger than it, all in about the same place:
    letters under a receipt or card, plans under a letter. Mostly they are of one kind of paper,
    so that only the page's own edge separates it from them.
    """
    way = dice.angle() if dice.chance(0.3) else dice.whole(0, 3) * np.pi / 2 + dice.normal(0, 0.15)
    scale, reach = dice.real(1.15, 2.4), corners.max(0) - corners.min(0)
    shift = (
        dice.rng.uniform(-0.5, 0.5, 2) * reach * (scale - 1) + dice.rng.normal(0, 0.05, 2) * reach
    )
    tone, same = None, dice.chance(0.5)
    first = dice.pick(pools.documents)
    for _ in range(dice.whole(1, 6)):
        other = alike(dice, pools, first) if dice.chance(0.6) else dice.pick(pools.documents)
        slip = dice.rng.normal(0, 0.05, 2) * reach
        larger = turned(
            corners, way + dice.normal(0, 0.05), scale * dice.real(0.95, 1.05), shift + slip
        )
        curl = dice.real(0, 0.02) if dice.chance(0.3) else 0.0
        tone = lay(dice, canvas, other, larger, Lay(curl, shadow=0.9, tone=tone if same else None))
