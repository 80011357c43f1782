"""Surfaces with much detail of their own: papers, print, keyboards."""

from __future__ import annotations

import cv2
import numpy as np

from . import documents, surfaces
from .color import gray, jitter, vivid
from .dice import Dice
from .holdout import Split


def ground(dice: Dice, size: int) -> np.ndarray:
    """A plain surface (uint8) to put things on."""
    picture = dice.pick([surfaces.plain, surfaces.plain, surfaces.wood, surfaces.stone])(dice, size)
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))


def papers(dice: Dice, size: int, sheets: list[np.ndarray]) -> np.ndarray:
    """A heap of sheets (RGBA), none of them "the page"."""
    picture = ground(dice, size)
    for _ in range(dice.whole(5, 16)):
        sheet = dice.pick(sheets)
        height, width = sheet.shape[:2]
        scale, turn = dice.real(0.4, 1.2) * 448 / max(height, width), dice.angle()
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        x, y = dice.real(-20, size + 20), dice.real(-20, size + 20)
        move = np.float32(
            [
                [c, -s, x - c * width / 2 + s * height / 2],
                [s, c, y - s * width / 2 - c * height / 2],
            ]
        )
        laid = cv2.warpAffine(sheet, move, (size, size), flags=cv2.INTER_AREA)
        cover = laid[..., 3:] / 255.0
        shade = 1 - 0.4 * cv2.GaussianBlur(laid[..., 3], (0, 0), 4)[..., None] / 255.0
        picture = (
            picture * shade * (1 - cover) + laid[..., :3] * cover * dice.real(0.8, 1)
        ).astype(np.uint8)
    return picture.astype(np.float32)


def newsprint(dice: Dice, size: int, split: Split) -> np.ndarray:
    """Print that fills the view: newspaper, poster, map."""
    make = dice.pick([documents.letter, documents.magazine, documents.form, documents.magazine])
    return cv2.resize(
        make(dice, split, size * 2, size * 2), (size, size), interpolation=cv2.INTER_AREA
    ).astype(np.float32)


def keyboard(dice: Dice, size: int) -> np.ndarray:
    """A keyboard, or part of one, on a desk."""
    picture = ground(dice, size)
    key, columns, rows = dice.whole(12, 40), dice.whole(8, 18), dice.whole(3, 6)
    left, top, gap = dice.whole(-120, 80), dice.whole(-60, 200), max(1, key // 8)
    base = gray(dice, 10, 230, 8) if dice.chance(0.8) else vivid(dice, 0, 0.05)
    if dice.chance(0.85):
        cv2.rectangle(
            picture,
            (left - gap * 3, top - gap * 3),
            (left + columns * key + gap * 3, top + rows * key + gap * 3),
            base,
            -1,
        )
    cap = jitter(dice, base, 60)
    for row in range(rows):
        x, y = float(left), top + row * key
        while x < left + columns * key - gap:
            wide = key * dice.pick([1, 1, 1, 1, 1.5, 2])
            cv2.rectangle(
                picture, (int(x + gap), y + gap), (int(x + wide - gap), y + key - gap), cap, -1
            )
            mark = gray(dice, 215, 245) if np.mean(cap) < 120 else gray(dice, 15, 45)
            cv2.putText(
                picture,
                dice.pick("QWERTYUIOPASDF"),
                (int(x + gap * 2), y + key // 2),
                0,
                key / 60,
                mark,
                1,
                cv2.LINE_AA,
            )
            x += wide
    return picture.astype(np.float32)
