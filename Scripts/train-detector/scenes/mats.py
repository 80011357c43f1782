"""Surfaces under cards: printed playmats, ruled paper, a binder's page of pockets. They are only
drawn for training.
"""

from __future__ import annotations

import cv2
import numpy as np

from .color import gray, hsv, noise, vivid
from .dice import Dice
from .surfaces import any_color, fabric, plain
from .trading import artwork


def playmat(dice: Dice, size: int) -> np.ndarray:
    """A mat with a picture all over it, or with one color and zones printed on it."""
    if dice.chance(0.6):
        picture = cv2.GaussianBlur(artwork(dice, size, size), (0, 0), dice.real(0.3, 2)).astype(
            np.float32
        )
    else:
        picture = np.ascontiguousarray(np.clip(plain(dice, size), 0, 255), np.float32)
        color, line = any_color(dice).tolist(), dice.whole(1, 3)
        across = dice.whole(40, 110)
        for x in range(dice.whole(0, across), size, int(across * 1.2)):
            for y in range(dice.whole(0, across), size, int(across * 1.7)):
                cv2.rectangle(picture, (x, y), (x + across, y + int(across * 1.4)), color, line)
    weave = dice.rng.standard_normal((size, size, 1), dtype=np.float32) * np.float32(
        dice.real(0, 8)
    )
    return picture * np.float32(dice.real(0.5, 1.05)) + weave


def ruled(dice: Dice, size: int) -> np.ndarray:
    """Paper with lines or squares, perhaps with a margin."""
    picture = np.float32(gray(dice, 205, 252, 8)) * (
        1 - 0.12 * noise(dice, size, size, ((2, 1.0),))[..., None]
    )
    picture = np.ascontiguousarray(picture, np.float32)
    color = hsv(dice.real(0.5, 0.7), dice.real(0.1, 0.6), dice.real(0.5, 0.9))
    pitch, line = dice.whole(10, 34), dice.whole(1, 2)
    for at in range(dice.whole(0, pitch), size, pitch):
        cv2.line(picture, (0, at), (size, at), color, line)
    if dice.chance(0.35):
        for at in range(0, size, pitch):
            cv2.line(picture, (at, 0), (at, size), color, line)
    elif dice.chance(0.5):
        at = dice.whole(20, size // 3)
        cv2.line(picture, (at, 0), (at, size), (210, 80, 90), line)
    return picture


def pockets(dice: Dice, size: int) -> np.ndarray:
    """A binder's page: clear pockets with welded seams, some with a card in them."""
    picture = np.ascontiguousarray(
        np.clip((fabric if dice.chance(0.3) else plain)(dice, size), 0, 255), np.float32
    )
    across = size // dice.whole(3, 5)
    down = int(across * 1.4)
    for x in range(0, size, across):
        for y in range(0, size, down):
            rim = max(3, across // 14)
            if dice.chance(0.6):
                art = artwork(dice, down - 2 * rim, across - 2 * rim).astype(np.float32)
                part = picture[y + rim : y + down - rim, x + rim : x + across - rim]
                part[:] = art[: part.shape[0], : part.shape[1]]
            cv2.rectangle(
                picture, (x, y), (x + across, y + down), vivid(dice, 0, 0.6), dice.whole(1, 2)
            )
    return picture + np.float32(dice.real(0, 25))
