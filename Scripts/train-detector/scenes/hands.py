"""Hands that hold a page or reach into the picture."""

from __future__ import annotations

import cv2
import numpy as np

from .canvas import SUBPIXEL, Canvas, capsule, fixed, oval
from .color import SKIN
from .dice import Dice


def hand(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """Draws one to four fingers over a side or corner of the quad, mostly with palm and sleeve."""
    unit, middle = canvas.unit, corners.mean(0)
    side = dice.whole(0, 3)
    where = 0.0 if dice.chance(0.3) else dice.real(0.05, 0.95)
    at = corners[side] + (corners[(side + 1) % 4] - corners[side]) * where
    outward = at - middle
    heading = np.arctan2(outward[1], outward[0]) + dice.normal(0, 0.4)
    away = np.array([np.cos(heading), np.sin(heading)])
    beside = np.array([-away[1], away[0]])
    thick, fingers = unit * dice.real(3, 8.5), dice.whole(1, 4) if dice.chance(0.6) else 1
    tip, length = at - away * unit * dice.real(1, 13), unit * dice.real(13, 38)
    mask = np.zeros((canvas.height, canvas.width), np.uint8)
    for finger in range(fingers):
        start = (
            tip
            + beside * (finger - (fingers - 1) / 2) * thick * 1.05
            - away * unit * dice.real(-2, 2)
        )
        end = start + away * (length + unit * dice.real(0, 8)) + beside * dice.normal(0, 1.5) * unit
        _add(mask, capsule(start, end, thick * dice.real(0.85, 1)))
    sleeve = None
    if dice.chance(0.75):
        palm = tip + away * (length + thick * 1.2)
        _add(
            mask,
            oval(
                palm, thick * fingers * 0.4 + 6 * unit, thick * fingers * 0.35 + 5 * unit, heading
            ),
        )
        _add(mask, capsule(palm, palm + away * unit * 70, thick * fingers * 0.6 + 8 * unit))
        if dice.chance(0.4):
            cuff = palm + away * unit * dice.real(10, 25)
            sleeve = capsule(
                cuff, cuff + away * unit * 80, thick * fingers * 0.6 + 11 * unit, False
            )
    _paint(dice, canvas, mask)
    if sleeve is not None:
        canvas.thing(sleeve, dice.rng.uniform(0, 255, 3), 1.0, 0.3)


def _add(mask: np.ndarray, outline: np.ndarray) -> None:
    cv2.fillPoly(mask, [fixed(outline)], 255, cv2.LINE_AA, SUBPIXEL)


def _paint(dice: Dice, canvas: Canvas, mask: np.ndarray) -> None:
    """Skin on the mask: lighter in the middle of each limb, with a shadow beside it."""
    found = cv2.boundingRect(mask)
    if found[2] == 0:
        return
    margin = int(12 * canvas.unit)
    left, top = max(0, found[0] - margin), max(0, found[1] - margin)
    right, bottom = (
        min(canvas.width, found[0] + found[2] + margin),
        min(canvas.height, found[1] + found[3] + margin),
    )
    mask = mask[top:bottom, left:right]
    cover = cv2.GaussianBlur(mask, (0, 0), 0.5).astype(np.float32)[..., None] / 255
    round_ = cv2.GaussianBlur(mask, (0, 0), canvas.unit * dice.real(2, 5))
    shift = canvas.light * canvas.unit * dice.real(0.5, 3)
    fallen = cv2.warpAffine(
        round_, np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]), (mask.shape[1], mask.shape[0])
    )
    canvas.darken((left, top, right, bottom), fallen, dice.real(0.15, 0.5))
    skin = dice.pick(list(SKIN)) * np.float32(dice.real(0.7, 1.1))
    shade = 0.75 + 0.42 * (round_.astype(np.float32) / 255 - 0.5)[..., None]
    part = canvas.pixels[top:bottom, left:right]
    part[:] = np.clip(part * (1 - cover) + cover * skin * shade, 0, 255).astype(np.uint8)
