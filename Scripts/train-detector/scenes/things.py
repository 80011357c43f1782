"""Things that lie on desks and over pages. Lengths are in units (1 % of the frame's short side).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import bodies
from .canvas import Canvas, box, capsule, oval, ribbon
from .color import lit, thing_color, vivid
from .dice import Dice


def pen(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A pen, pencil or thick marker: barrel, cap, highlight."""
    unit, turn = canvas.unit, dice.angle()
    thick = dice.real(1, 3) if dice.chance(0.5) else dice.real(3, 9)
    along = np.array([np.cos(turn), np.sin(turn)]) * unit * dice.real(14, 45) / 2
    start, end, color = at - along, at + along, thing_color(dice)
    canvas.thing(
        capsule(start, end, thick * unit, dice.chance(0.5)),
        color,
        dice.real(0.5, 2),
        dice.real(0.2, 0.6),
    )
    cap = dice.real(0.55, 0.85)
    canvas.fill(
        capsule(start + 2 * along * cap, end, thick * unit * dice.real(0.85, 1.15), False),
        thing_color(dice),
    )
    if dice.chance(0.4):
        canvas.fill(
            capsule(
                start + 2 * along * (cap - 0.3),
                start + 2 * along * (cap - 0.1),
                thick * unit,
                False,
            ),
            thing_color(dice),
        )
    if dice.chance(0.6):
        off = np.array([-along[1], along[0]]) / np.linalg.norm(along) * thick * unit * 0.2
        canvas.fill(capsule(start + off, end + off, thick * unit * 0.2), lit(color, 1.3))


def cable(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A cable that runs through the point, often across the whole frame."""
    unit, turn, way = canvas.unit, dice.angle(), [at]
    bend, drift = dice.real(0.1, 0.6), dice.normal(0, 0.15)
    ends = []
    for side in (0.0, np.pi):
        heading, point, half = turn + side, at, []
        for _ in range(dice.whole(3, 14)):
            heading += dice.normal(0, bend) + drift
            point = point + np.array([np.cos(heading), np.sin(heading)]) * unit * 8
            half.append(point)
        ends.append(half)
    way = np.array(ends[0][::-1] + way + ends[1])
    fine = np.linspace(0, len(way) - 1, len(way) * 4)
    smooth = np.stack([np.interp(fine, np.arange(len(way)), way[:, k]) for k in (0, 1)], 1)
    window = np.hanning(11)[1:-1] / np.hanning(11).sum()
    smooth = np.stack([np.convolve(smooth[:, k], window, "valid") for k in (0, 1)], 1)
    level = dice.real(0, 60) if dice.chance(0.7) else dice.real(160, 255)
    color = (
        np.full(3, level) + dice.rng.uniform(-8, 8, 3)
        if dice.chance(0.85)
        else np.float32(vivid(dice))
    )
    band = ribbon(smooth, unit * dice.real(0.5, 2.8))
    if dice.chance(0.7):
        canvas.shadow(band, dice.real(0.3, 1.5), dice.real(0.2, 0.5))
    canvas.fill(band, color)


def ruler(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A ruler, blade, strap or tape with ticks."""
    unit, turn, color = canvas.unit, dice.angle(), thing_color(dice)
    along = np.array([np.cos(turn), np.sin(turn)]) * unit * dice.real(20, 70) / 2
    thick = unit * dice.real(2, 5)
    canvas.thing(capsule(at - along, at + along, thick, False), color, dice.real(0.1, 0.8), 0.35)
    beside = np.array([-along[1], along[0]]) / np.linalg.norm(along) * thick
    for k in np.linspace(-0.95, 0.95, dice.whole(10, 40)):
        canvas.fill(
            capsule(
                at + along * k + beside * 0.2, at + along * k + beside * 0.48, unit * 0.3, False
            ),
            lit(color, 0.4),
        )


def ring(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Hoops with arms: glasses, scissors' eyes, key rings, tape."""
    unit, color, turn = canvas.unit, thing_color(dice), dice.angle()
    reach, thick = unit * dice.real(2, 7), unit * dice.real(0.5, 2)
    along = np.array([np.cos(turn), np.sin(turn)])
    for center in (at, at + along * reach * 2.2)[: dice.whole(1, 2)]:
        hoop = oval(center, reach, reach * dice.real(0.7, 1), turn)
        canvas.fill(ribbon(np.concatenate([hoop, hoop[:1]]), thick), color)
    if dice.chance(0.7):
        canvas.fill(
            capsule(at, at + np.array([-along[1], along[0]]) * reach * dice.real(2, 5), thick),
            color,
        )


def clip(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Coins, paper clips, erasers, crumbs, sticky notes: small things."""
    unit, color, turn = canvas.unit, thing_color(dice), dice.angle()
    if dice.chance(0.4):
        canvas.thing(oval(at, unit * dice.real(1, 2.5), unit * dice.real(1, 2.5)), color, 0.3, 0.3)
    else:
        canvas.thing(
            box(at, unit * dice.real(1, 9), unit * dice.real(1, 9), turn), color, 0.3, 0.3
        )


THINGS: list[tuple[Callable[[Dice, Canvas, np.ndarray], None], float]] = [
    (pen, 0.24),
    (cable, 0.17),
    (bodies.mug, 0.09),
    (bodies.mouse, 0.06),
    (bodies.fruit, 0.07),
    (bodies.block, 0.14),
    (bodies.phone, 0.06),
    (ruler, 0.06),
    (ring, 0.05),
    (clip, 0.06),
]


def any_thing(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Draws a thing with its middle at the point."""
    dice.weighted(THINGS)(dice, canvas, at)
