"""Documents and desks that only benchmarks use; training never sees these kinds."""

from __future__ import annotations

import cv2
import numpy as np

from .color import blend, gray, hsv, ink, noise, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press


def crossword(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A puzzle page: a grid with black cells and clues below."""
    press, cells = Press(dice, split, width, height, paper(dice)), dice.whole(9, 15)
    left, top, color = width * 0.1, height * 0.12, ink(dice)
    pitch = min(width * 0.8, height * 0.55) / cells
    for row in range(cells):
        for column in range(cells):
            x, y = left + column * pitch, top + row * pitch
            press.box(
                x,
                y,
                x + pitch,
                y + pitch,
                fill=(15, 15, 15) if dice.chance(0.2) else None,
                outline=color,
            )
    press.text(left, height * 0.04, press.words(2), 26, color)
    press.block(left, top + pitch * cells + 15, width * 0.8, height * 0.25, 10, color)
    return press.pixels()


def poster(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A leaflet of wide colored bands."""
    press, y = Press(dice, split, width, height, paper(dice)), 0.0
    while y < height:
        band = height * dice.real(0.08, 0.3)
        press.box(
            0, y, width, y + band, fill=vivid(dice, 0.1, 0.4) if dice.chance(0.6) else paper(dice)
        )
        press.text(
            width * dice.real(0.04, 0.2), y + 8, press.words(3), dice.whole(14, 40), ink(dice)
        )
        y += band
    return press.pixels()


def terrazzo(dice: Dice, size: int) -> np.ndarray:
    """Terrazzo: chips in a plain ground."""
    ground = np.float32(gray(dice, 120, 240, 15))
    picture = np.ascontiguousarray(np.broadcast_to(ground, (size, size, 3))).astype(np.uint8)
    for _ in range(dice.whole(150, 600)):
        center, reach = dice.rng.uniform(0, size, 2), dice.log_real(1.5, 9)
        chip = cv2.convexHull((center + dice.rng.normal(0, reach, (6, 2))).astype(np.int32))
        cv2.fillConvexPoly(picture, chip, gray(dice, 30, 255, 40), cv2.LINE_AA)
    return picture.astype(np.float32)


def herringbone(dice: Dice, size: int) -> np.ndarray:
    """Parquet laid in herringbone."""
    picture = np.zeros((size, size, 3), np.uint8)
    long, wood = (
        dice.whole(40, 90),
        np.float32(hsv(dice.real(0.05, 0.12), dice.real(0.2, 0.6), dice.real(0.4, 0.9))),
    )
    short = long // 4
    for row in range(-2, size // short + 6):
        for column in range(-2, size // long + 3):
            x, y = column * long + (row % 4) * short, row * short
            for turned in (False, True):
                color = (wood * dice.real(0.75, 1.1)).clip(0, 255).tolist()
                across, down = (short, long) if turned else (long, short)
                corner = (x + (long if turned else 0), y - (0 if turned else 0))
                cv2.rectangle(picture, corner, (corner[0] + across, corner[1] + down), color, -1)
                cv2.rectangle(
                    picture,
                    corner,
                    (corner[0] + across, corner[1] + down),
                    (wood * 0.5).tolist(),
                    1,
                )
    return picture * (0.8 + 0.3 * noise(dice, size, size)[..., None])


def denim(dice: Dice, size: int) -> np.ndarray:
    """Twill: fine diagonal threads with worn patches."""
    y, x = np.mgrid[:size, :size].astype(np.float32)
    twill = 0.5 + 0.5 * np.sin((x + y) * dice.real(1.0, 2.2))
    field = np.clip(0.5 * twill + 0.5 * noise(dice, size, size), 0, 1)
    return blend(
        field, np.float32(hsv(dice.real(0.55, 0.66), 0.45, 0.75)), np.float32(hsv(0.62, 0.6, 0.3))
    )


def cork(dice: Dice, size: int) -> np.ndarray:
    """Cork board."""
    field = noise(dice, size, size, ((60, 1.0), (120, 0.8), (20, 0.3)))
    return blend(
        np.clip((field - 0.5) * 2 + 0.5, 0, 1),
        np.float32((214, 165, 110)),
        np.float32((130, 85, 45)),
    )
