"""Protection of a card: a sleeve, a stiff holder, a slab. It is only drawn for training."""

from __future__ import annotations

import cv2
import numpy as np

from .canvas import SUBPIXEL, Canvas, fixed
from .color import gray, vivid
from .dice import Dice
from .geometry import grown


def under(dice: Dice, canvas: Canvas, corners: np.ndarray) -> np.ndarray:
    """Draws the holder's clear part around the card, before the card; returns its outline."""
    if dice.chance(0.65):
        rims = dice.rng.uniform(0.01, 0.05, 4)  # a sleeve, open on one side
        rims[dice.whole(0, 3)] += dice.real(0, 0.05)
    elif dice.chance(0.6):
        rims = dice.rng.uniform(0.08, 0.14, 4)  # a stiff holder
    else:
        rims = np.array([0.15, dice.real(0.3, 0.5), 0.15, 0.15])  # a slab with a label
    outline = grown(corners, *rims)
    cover = np.zeros((canvas.height, canvas.width), np.uint8)
    cv2.fillPoly(cover, [fixed(outline)], 255, cv2.LINE_AA, SUBPIXEL)
    canvas.shadow(outline, 0.3, dice.real(0, 0.3))
    clear = cover[..., None].astype(np.float32) / 255 * np.float32(dice.real(0.03, 0.3))
    canvas.pixels = (canvas.pixels * (1 - clear) + np.float32(gray(dice, 150, 250)) * clear).astype(
        np.uint8
    )
    edge = vivid(dice, 0, 0.3) if dice.chance(0.2) else gray(dice, 120, 255)
    cv2.polylines(canvas.pixels, [fixed(outline)], True, edge, 1, cv2.LINE_AA, SUBPIXEL)
    if rims[1] > 0.2:
        label = grown(corners, 0.1, rims[1] * 0.8, 0.1, -1 - rims[1] * 0.25)
        canvas.fill(label, gray(dice, 200, 255))
    return outline


def glare(dice: Dice, canvas: Canvas, outline: np.ndarray) -> None:
    """Draws bands of reflected light across the holder."""
    cover = np.zeros((canvas.height, canvas.width), np.uint8)
    cv2.fillPoly(cover, [fixed(outline)], 255, cv2.LINE_AA, SUBPIXEL)
    light = np.zeros_like(cover)
    for _ in range(dice.whole(1, 3)):
        a, b = (
            outline[0] + (outline[2] - outline[0]) * dice.rng.uniform(-0.1, 1.1, 2)
            for _ in range(2)
        )
        cv2.line(
            light,
            a.astype(int).tolist(),
            b.astype(int).tolist(),
            255,
            max(1, int(canvas.unit * dice.real(1, 12))),
        )
    light = cv2.GaussianBlur(light, (0, 0), canvas.unit * dice.real(0.5, 4))
    share = (np.minimum(light, cover).astype(np.float32) / 255 * np.float32(dice.real(0.15, 0.9)))[
        ..., None
    ]
    canvas.pixels = (canvas.pixels * (1 - share) + 255 * share).astype(np.uint8)
