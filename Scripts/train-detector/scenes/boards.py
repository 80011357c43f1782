"""Things that a page is clamped to: clipboards, mats, folders."""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, capsule
from .color import gray, hsv, vivid
from .dice import Dice
from .geometry import turned


def board(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """A clipboard, mat, tray or folder that the page lies on."""
    rim = turned(
        corners,
        dice.normal(0, 0.02),
        dice.real(1.05, 1.35),
        dice.rng.normal(0, 0.5, 2) * canvas.unit,
    )
    wood = hsv(dice.real(0.04, 0.1), dice.real(0.3, 0.7), dice.real(0.3, 0.8))
    colors = [
        (wood, 3),
        (gray(dice, 5, 70, 5), 3),
        (vivid(dice, 0.1, 0.1), 2),
        (gray(dice, 120, 250, 8), 1),
    ]
    color = dice.weighted(colors)
    canvas.thing(rim, color, dice.real(0.5, 2), 0.4)
    if dice.chance(0.4):
        canvas.fill(
            turned(rim, 0, 0.97, np.zeros(2)),
            np.clip(np.float32(color) * dice.real(0.7, 1.3), 0, 255),
        )


def clamp(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """A clipboard's metal clip over the middle of the top side."""
    side = dice.pick([0, 0, 0, 1, 3])
    one, other = corners[side], corners[(side + 1) % 4]
    half, outward = dice.real(0.12, 0.3), (one + other) / 2 - corners.mean(0)
    start, end = one + (other - one) * (0.5 - half), one + (other - one) * (0.5 + half)
    color = np.float32(gray(dice, 30, 210, 8))
    canvas.thing(
        capsule(start, end, canvas.unit * dice.real(4, 11), dice.chance(0.3)), color, 1.0, 0.4
    )
    spring = capsule(
        start + outward * 0.05, end + outward * 0.05, canvas.unit * dice.real(1, 3), False
    )
    canvas.fill(spring, np.clip(color * 1.25, 0, 255))
