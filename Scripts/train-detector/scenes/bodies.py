"""Three-dimensional things: mugs, mice, fruit, boxes, phones. Lengths are in units (1 % of the
frame's short side).
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, box, capsule, oval
from .color import gray, hsv, lit, thing_color, vivid
from .dice import Dice


def mug(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A mug or glass from above: body, rim, drink, handle."""
    reach, color = (
        canvas.unit * dice.real(6, 15),
        np.float32(gray(dice, 150, 255, 12)) if dice.chance(0.6) else thing_color(dice),
    )
    lean = dice.rng.normal(0, 0.5, 2) * reach
    canvas.shadow(oval(at, reach, reach), dice.real(2, 6), dice.real(0.2, 0.5))
    turn = dice.angle()
    canvas.fill(
        oval(at + reach * np.array([np.cos(turn), np.sin(turn)]), reach * 0.5, reach * 0.35, turn),
        lit(color, 0.8),
    )
    canvas.fill(oval(at + lean * 0.5, reach * 0.9, reach * 0.9), lit(color, 0.75))
    canvas.fill(oval(at, reach, reach * dice.real(0.8, 1)), color)
    canvas.fill(oval(at, reach * 0.85, reach * 0.72), lit(color, dice.real(0.3, 0.85)))


def mouse(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A computer mouse."""
    turn, color, wide = dice.angle(), thing_color(dice), canvas.unit * dice.real(4, 7)
    canvas.thing(oval(at, wide * 1.7, wide, turn), color, dice.real(1, 3), 0.45)
    canvas.fill(
        oval(at - canvas.light * wide * 0.2, wide * 0.9, wide * 0.5, turn), lit(color, 1.25)
    )


def fruit(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Fruit, balls, lids: round things with a highlight."""
    reach, color = (
        canvas.unit * dice.real(2, 7),
        np.float32(hsv(dice.real(-0.05, 0.35), dice.real(0.5, 0.95), dice.real(0.5, 1))),
    )
    canvas.thing(
        oval(at, reach, reach * dice.real(0.85, 1), dice.angle()), color, dice.real(1, 3), 0.45
    )
    canvas.fill(oval(at - canvas.light * reach * 0.35, reach * 0.5, reach * 0.5), lit(color, 1.15))


def block(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A box, closed notebook, wallet or stapler."""
    across, down, turn, color = (
        canvas.unit * dice.real(4, 20),
        canvas.unit * dice.real(4, 14),
        dice.angle(),
        thing_color(dice),
    )
    canvas.thing(box(at, across, down, turn), color, dice.real(0.5, 4), dice.real(0.2, 0.5))
    if dice.chance(0.6):
        inner = dice.real(0.6, 0.95)
        canvas.fill(
            box(at, across * inner, down * inner, turn),
            lit(color, dice.real(0.6, 1.3)) if dice.chance(0.6) else thing_color(dice),
        )
    if dice.chance(0.3):
        canvas.fill(box(at, across * 0.5, down * 0.15, turn), thing_color(dice))


def phone(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A phone: dark slab, rounded, sometimes lit."""
    unit, turn, rim = canvas.unit, dice.angle(), np.float32(gray(dice, 3, 60, 4))
    across, down = unit * dice.real(9, 16), unit * dice.real(18, 32)
    reach = np.array([np.cos(turn), np.sin(turn)]) * (down - across * 0.2) / 2
    canvas.thing(np.concatenate([box(at, down - across * 0.2, across, turn)]), rim, 0.7, 0.4)
    canvas.fill(capsule(at - reach, at + reach, across * 0.96), rim)
    screen = (
        np.float32(gray(dice, 5, 35)) if dice.chance(0.7) else np.float32(vivid(dice, 0.1, 0.3))
    )
    canvas.fill(box(at, down * 0.86, across * 0.88, turn), screen)
