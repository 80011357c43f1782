"""Long cables that cross the frame from side to side, over desk and page alike. They are only drawn
for training.
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, ribbon
from .color import lit, vivid
from .dice import Dice


def lead(dice: Dice, canvas: Canvas, through: np.ndarray) -> None:
    """A thin smooth cable from outside the frame past the point. It leaves the frame again, or ends
    inside it.
    """
    unit, reach = canvas.unit, float(np.hypot(*canvas.size))
    way = dice.angle()
    along, beside = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    stops = [-0.75, -0.35, 0.0, 0.35, 0.75 if dice.chance(0.7) else dice.real(0.1, 0.5)]
    bow = dice.real(0.02, 0.14)
    points = [
        through + along * reach * stop + beside * dice.normal(0, bow if stop else 0.0) * reach
        for stop in stops
    ]
    path = _smooth(np.array(points))
    if dice.chance(0.15):
        path = _looped(dice, path, unit * dice.real(3, 12))
    level = dice.real(0, 60) if dice.chance(0.7) else dice.real(150, 255)
    if dice.chance(0.85):
        color = np.full(3, level, np.float32) + dice.rng.uniform(-8, 8, 3)
    else:
        color = np.float32(vivid(dice))
    wide = unit * dice.log_real(0.35, 2.2)
    band = ribbon(path, wide)
    canvas.shadow(band, dice.real(0.2, 4), dice.real(0.1, 0.5))
    canvas.fill(band, np.clip(color, 0, 255))
    if dice.chance(0.5):
        canvas.fill(
            ribbon(path - canvas.light * wide * 0.15, wide * 0.25), lit(color, dice.real(1.1, 1.6))
        )


def _smooth(points: np.ndarray) -> np.ndarray:
    """A curve through the points (Catmull and Rom), with sixteen steps from each to the next."""
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    at = np.linspace(0, 1, 16, endpoint=False)[:, None]
    parts = []
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:]):
        bend = 2 * p0 - 5 * p1 + 4 * p2 - p3, 3 * (p1 - p2) + p3 - p0
        parts.append(0.5 * (2 * p1 + (p2 - p0) * at + bend[0] * at**2 + bend[1] * at**3))
    return np.concatenate(parts)


def _looped(dice: Dice, path: np.ndarray, radius: float) -> np.ndarray:
    """The path with one loop inserted."""
    at = dice.whole(8, len(path) - 8)
    turn = np.linspace(0, 2 * np.pi, 24)[1:-1, None]
    heading = path[at] - path[at - 1]
    heading = heading / (np.linalg.norm(heading) + 1e-6)
    beside = np.array([-heading[1], heading[0]]) * (1 if dice.chance(0.5) else -1)
    round_ = path[at] + radius * (np.sin(turn) * heading + (1 - np.cos(turn)) * beside)
    return np.concatenate([path[:at], round_, path[at:]])
