"""Things that lie about on desks and over pages. Lengths in units (1 % of the frame's short side)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .canvas import Canvas, box, capsule, oval, ribbon
from .colour import gray, hsv, vivid
from .dice import Dice


def _colour(dice: Dice) -> np.ndarray:
    kind = dice.weighted([("any", 4), ("dark", 3), ("light", 2)])
    return np.float32(vivid(dice, 0, 0.05) if kind == "any" else gray(dice, 5, 70, 8) if kind == "dark" else gray(dice, 170, 255, 8))


def _lit(colour: np.ndarray, factor: float) -> np.ndarray:
    return np.clip(colour * factor + (25 if factor > 1 else 0), 0, 255)


def pen(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A pen, pencil or thick marker: barrel, cap, highlight."""
    unit, turn = canvas.unit, dice.angle()
    thick = dice.real(1, 3) if dice.chance(0.5) else dice.real(3, 9)
    along = np.array([np.cos(turn), np.sin(turn)]) * unit * dice.real(14, 45) / 2
    start, end, colour = at - along, at + along, _colour(dice)
    canvas.thing(capsule(start, end, thick * unit, dice.chance(0.5)), colour, dice.real(0.5, 2), dice.real(0.2, 0.6))
    cap = dice.real(0.55, 0.85)
    canvas.fill(capsule(start + 2 * along * cap, end, thick * unit * dice.real(0.85, 1.15), False), _colour(dice))
    if dice.chance(0.4):
        canvas.fill(capsule(start + 2 * along * (cap - 0.3), start + 2 * along * (cap - 0.1), thick * unit, False), _colour(dice))
    if dice.chance(0.6):
        off = np.array([-along[1], along[0]]) / np.linalg.norm(along) * thick * unit * 0.2
        canvas.fill(capsule(start + off, end + off, thick * unit * 0.2), _lit(colour, 1.3))


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
    colour = np.full(3, level) + dice.rng.uniform(-8, 8, 3) if dice.chance(0.85) else np.float32(vivid(dice))
    band = ribbon(smooth, unit * dice.real(0.5, 2.8))
    if dice.chance(0.7):
        canvas.shadow(band, dice.real(0.3, 1.5), dice.real(0.2, 0.5))
    canvas.fill(band, colour)


def mug(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A mug or glass from above: body, rim, drink, handle."""
    reach, colour = canvas.unit * dice.real(6, 15), np.float32(gray(dice, 150, 255, 12)) if dice.chance(0.6) else _colour(dice)
    lean = dice.rng.normal(0, 0.5, 2) * reach
    canvas.shadow(oval(at, reach, reach), dice.real(2, 6), dice.real(0.2, 0.5))
    turn = dice.angle()
    canvas.fill(oval(at + reach * np.array([np.cos(turn), np.sin(turn)]), reach * 0.5, reach * 0.35, turn), _lit(colour, 0.8))
    canvas.fill(oval(at + lean * 0.5, reach * 0.9, reach * 0.9), _lit(colour, 0.75))
    canvas.fill(oval(at, reach, reach * dice.real(0.8, 1)), colour)
    canvas.fill(oval(at, reach * 0.85, reach * 0.72), _lit(colour, dice.real(0.3, 0.85)))


def mouse(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A computer mouse."""
    turn, colour, wide = dice.angle(), _colour(dice), canvas.unit * dice.real(4, 7)
    canvas.thing(oval(at, wide * 1.7, wide, turn), colour, dice.real(1, 3), 0.45)
    canvas.fill(oval(at - canvas.light * wide * 0.2, wide * 0.9, wide * 0.5, turn), _lit(colour, 1.25))


def fruit(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Fruit, balls, lids: round things with a highlight."""
    reach, colour = canvas.unit * dice.real(2, 7), np.float32(hsv(dice.real(-0.05, 0.35), dice.real(0.5, 0.95), dice.real(0.5, 1)))
    canvas.thing(oval(at, reach, reach * dice.real(0.85, 1), dice.angle()), colour, dice.real(1, 3), 0.45)
    canvas.fill(oval(at - canvas.light * reach * 0.35, reach * 0.5, reach * 0.5), _lit(colour, 1.15))


def block(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A box, closed notebook, wallet or stapler."""
    across, down, turn, colour = canvas.unit * dice.real(4, 20), canvas.unit * dice.real(4, 14), dice.angle(), _colour(dice)
    canvas.thing(box(at, across, down, turn), colour, dice.real(0.5, 4), dice.real(0.2, 0.5))
    if dice.chance(0.6):
        inner = dice.real(0.6, 0.95)
        canvas.fill(box(at, across * inner, down * inner, turn), _lit(colour, dice.real(0.6, 1.3)) if dice.chance(0.6) else _colour(dice))
    if dice.chance(0.3):
        canvas.fill(box(at, across * 0.5, down * 0.15, turn), _colour(dice))


def phone(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A phone: dark slab, rounded, sometimes lit."""
    unit, turn, rim = canvas.unit, dice.angle(), np.float32(gray(dice, 3, 60, 4))
    across, down = unit * dice.real(9, 16), unit * dice.real(18, 32)
    reach = np.array([np.cos(turn), np.sin(turn)]) * (down - across * 0.2) / 2
    canvas.thing(np.concatenate([box(at, down - across * 0.2, across, turn)]), rim, 0.7, 0.4)
    canvas.fill(capsule(at - reach, at + reach, across * 0.96), rim)
    screen = np.float32(gray(dice, 5, 35)) if dice.chance(0.7) else np.float32(vivid(dice, 0.1, 0.3))
    canvas.fill(box(at, down * 0.86, across * 0.88, turn), screen)


def ruler(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """A ruler, blade, strap or tape with ticks."""
    unit, turn, colour = canvas.unit, dice.angle(), _colour(dice)
    along = np.array([np.cos(turn), np.sin(turn)]) * unit * dice.real(20, 70) / 2
    thick = unit * dice.real(2, 5)
    canvas.thing(capsule(at - along, at + along, thick, False), colour, dice.real(0.1, 0.8), 0.35)
    beside = np.array([-along[1], along[0]]) / np.linalg.norm(along) * thick
    for k in np.linspace(-0.95, 0.95, dice.whole(10, 40)):
        canvas.fill(capsule(at + along * k + beside * 0.2, at + along * k + beside * 0.48, unit * 0.3, False), _lit(colour, 0.4))


def ring(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Glasses, scissors' eyes, key rings, tape: hoops with arms."""
    unit, colour, turn = canvas.unit, _colour(dice), dice.angle()
    reach, thick = unit * dice.real(2, 7), unit * dice.real(0.5, 2)
    along = np.array([np.cos(turn), np.sin(turn)])
    for centre in (at, at + along * reach * 2.2)[: dice.whole(1, 2)]:
        hoop = oval(centre, reach, reach * dice.real(0.7, 1), turn)
        canvas.fill(ribbon(np.concatenate([hoop, hoop[:1]]), thick), colour)
    if dice.chance(0.7):
        canvas.fill(capsule(at, at + np.array([-along[1], along[0]]) * reach * dice.real(2, 5), thick), colour)


def clip(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """Coins, paper clips, erasers, crumbs, sticky notes: small things."""
    unit, colour, turn = canvas.unit, _colour(dice), dice.angle()
    if dice.chance(0.4):
        canvas.thing(oval(at, unit * dice.real(1, 2.5), unit * dice.real(1, 2.5)), colour, 0.3, 0.3)
    else:
        canvas.thing(box(at, unit * dice.real(1, 9), unit * dice.real(1, 9), turn), colour, 0.3, 0.3)


THINGS: list[tuple[Callable[[Dice, Canvas, np.ndarray], None], float]] = [
    (pen, 0.24), (cable, 0.17), (mug, 0.09), (mouse, 0.06), (fruit, 0.07), (block, 0.14), (phone, 0.06), (ruler, 0.06),
    (ring, 0.05), (clip, 0.06)]


def any_thing(dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
    """One thing, its middle at the point."""
    dice.weighted(THINGS)(dice, canvas, at)
