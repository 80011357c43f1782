"""The place of a sheet in the frame: a pinhole camera over a flat desk."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .canvas import rotation
from .dice import Dice

UNIT_SQUARE = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])


@dataclass(frozen=True)
class Placing:
    """Limits for the placing of pages: share of the frame they fill, tilt, and how far corners may
    leave it.
    """

    smallest: float = 0.2
    largest: float = 0.98
    over: float = 0.1  #: chance of filling the frame and more
    tilt: float = 0.35  #: spread of the camera's tilt from upright, radians
    aside: float = 0.15  #: chance of corners out of view
    askew: float = 0.45  #: chance of lying at any angle, not nearly upright or across


def place(dice: Dice, ratio: float, size: np.ndarray, how: Placing) -> np.ndarray | None:
    """Corners (pixels; top left, top right, bottom right, bottom left of the sheet) of a sheet
    `ratio` times as tall as wide in a frame of the size, or None if none of thirty tries was
    visible enough.
    """
    frame = size / np.sqrt(size[0] * size[1])
    for _ in range(30):
        flat = (UNIT_SQUARE - 0.5) * (1 / np.sqrt(ratio), np.sqrt(ratio))
        turn = (
            dice.angle()
            if dice.chance(how.askew)
            else dice.whole(0, 3) * np.pi / 2 + dice.normal(0, 0.16)
        )
        corners = _project(dice, flat @ rotation(turn).T, how.tilt)
        corners -= (corners.max(0) + corners.min(0)) / 2
        reach = corners.max(0) - corners.min(0)
        share = (
            dice.real(0.95, 1.12) if dice.chance(how.over) else dice.real(how.smallest, how.largest)
        )
        corners *= (frame / reach).min() * share
        reach = corners.max(0) - corners.min(0)
        room = np.maximum(frame - reach, 0) / 2 + (reach * 0.13 if dice.chance(how.aside) else 0)
        corners += dice.rng.uniform(-1, 1, 2) * room * (1 if dice.chance(0.5) else 0.5) + frame / 2
        if _seen_well(corners / frame):
            return (corners / frame * size).astype(np.float32)
    return None


def _project(dice: Dice, flat: np.ndarray, spread: float) -> np.ndarray:
    """The flat points seen by a camera tilted about any axis, at 1.3 to 4 page sizes."""
    tilt = min(abs(dice.normal(0, spread)) if dice.chance(0.75) else dice.real(0.3, 0.95), 1.0)
    way = dice.angle()
    axis = np.array([np.cos(way), np.sin(way), 0])
    c, s = np.cos(tilt), np.sin(tilt)
    solid = np.c_[flat, np.zeros(4)]
    solid = solid * c + np.cross(axis, solid) * s + np.outer(solid @ axis, axis) * (1 - c)
    return solid[:, :2] / (solid[:, 2:] + dice.real(1.3, 4.0))


def _seen_well(corners: np.ndarray) -> bool:
    """Returns true if the quad is large enough, convex, without a tiny side, at least 80 % in view,
    and with no corner farther out than 15 % of the frame.
    """
    sides = np.roll(corners, -1, 0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    out = np.maximum(np.maximum(-corners, corners - 1), 0).max()
    area = area_of(corners)
    return bool(
        out < 0.15
        and area > 0.03
        and visible_share(corners) > 0.8
        and np.linalg.norm(sides, axis=1).min() > 0.1
        and (turns > 0).all()
    )


def area_of(corners: np.ndarray) -> float:
    """Area of a polygon."""
    return abs(cv2.contourArea(corners.astype(np.float32)))


def visible_share(corners: np.ndarray) -> float:
    """The share of a convex quad (in frame widths and heights) that lies in the frame."""
    inside, _ = cv2.intersectConvexConvex(corners.astype(np.float32), UNIT_SQUARE)
    return inside / max(area_of(corners), 1e-9)


def turned(corners: np.ndarray, turn: float, scale: float, shift: np.ndarray) -> np.ndarray:
    """The quad turned and scaled about its middle, then shifted."""
    middle = corners.mean(0)
    return ((corners - middle) @ rotation(turn).T * scale + middle + shift).astype(np.float32)


def grown(corners: np.ndarray, left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """The quad with its sides moved outward by parts of its width and height, in the card's own
    perspective.
    """
    wider = np.float32(
        [[-left, -top], [1 + right, -top], [1 + right, 1 + bottom], [-left, 1 + bottom]]
    )
    lay = cv2.getPerspectiveTransform(UNIT_SQUARE, corners.astype(np.float32))
    return cv2.perspectiveTransform(wider[None], lay)[0]
