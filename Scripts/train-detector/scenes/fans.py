"""Cards in a fan and in rows: those of one hand, and those laid out side by side. They are only
drawn for training.
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, rotation
from .dice import Dice
from .geometry import grown
from .others import alike
from .pools import Document, Pools
from .sheet import Lay, lay


def fan(
    dice: Dice, canvas: Canvas, pools: Pools, document: Document, corners: np.ndarray
) -> None:
    """One to seven cards behind the card, turned about a place beyond one of its short sides."""
    ends = [(corners[k] + corners[(k + 1) % 4]) / 2 for k in range(4)]
    middle = corners.mean(0)
    far = max(ends, key=lambda end: float(np.linalg.norm(end - middle)))
    if dice.chance(0.5):
        far = 2 * middle - far
    pivot = middle + (far - middle) * dice.real(0.7, 2.5)
    step = dice.real(0.05, 0.3) * (1 if dice.chance(0.5) else -1)
    for depth in range(dice.whole(1, 7), 0, -1):
        turn = rotation(step * depth + dice.normal(0, 0.02))
        behind = ((corners - pivot) @ turn.T + pivot).astype(np.float32)
        lay(dice, canvas, alike(dice, pools, document), behind, Lay(0.0, shadow=0.9))


def row(
    dice: Dice, canvas: Canvas, pools: Pools, document: Document, corners: np.ndarray
) -> None:
    """Cards of the same size beside the card, in its own perspective: in a row or all around it."""
    gap = dice.real(0.02, 0.3)
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    if dice.chance(0.5):
        around = [place for place in around if place[1] == 0]
    for x, y in around:
        if dice.chance(0.25):
            continue
        x, y = x * (1 + gap) + dice.normal(0, 0.03), y * (1 + gap) + dice.normal(0, 0.03)
        beside = grown(corners, -x, -y, x, y)
        other = alike(dice, pools, document)
        lay(dice, canvas, other, beside.astype(np.float32), Lay(0.0, shadow=0.9))
