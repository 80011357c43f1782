"""Desk and floor surfaces, drawn from noise (float32 RGB squares)."""

from __future__ import annotations

import cv2
import numpy as np

from .color import blend, fake_photo, gray, hsv, noise
from .dice import Dice


def any_color(dice: Dice) -> np.ndarray:
    """Any color, dark and pale ones included; muted more often than not."""
    muted = dice.chance(0.6)
    return np.float32(hsv(dice.real(0, 1), dice.real(0, 0.35 if muted else 1), dice.real(0.08, 1)))


def wood_color(dice: Dice) -> np.ndarray:
    """A wood's color, from ebony to birch."""
    return np.float32(hsv(dice.real(0.03, 0.12), dice.real(0.12, 0.75), dice.real(0.24, 0.95)))


def two_tone(dice: Dice, field: np.ndarray) -> np.ndarray:
    """The field in two shades of one color, or in two colors."""
    one = any_color(dice)
    return blend(
        field,
        one,
        np.clip(one * dice.real(0.5, 1.3), 0, 255) if dice.chance(0.65) else any_color(dice),
    )


def wood(dice: Dice, size: int) -> np.ndarray:
    """Wood grain, often in planks."""
    color = wood_color(dice)
    other = color * dice.real(0.55, 0.95) if dice.chance(0.85) else wood_color(dice)
    warp = noise(dice, size, size, ((3, 1.0), (6, 0.3)))
    y = np.arange(size, dtype=np.float32)[:, None] + warp * dice.real(10, 80)
    rings = sum(
        weight * np.sin(y * dice.real(low, high) + warp * dice.real(0, 6))
        for low, high, weight in ((0.05, 0.2, 1.0), (0.2, 0.5, 0.7), (0.5, 1.2, 0.4))
    )
    fibre = cv2.resize(dice.rng.random((size, 12), dtype=np.float32), (size, size))
    picture = blend(
        np.clip(
            0.5 + 0.2 * rings * dice.real(0.2, 1.2) + dice.real(0.1, 0.6) * (fibre - 0.5), 0, 1
        ),
        color,
        other,
    )
    if dice.chance(0.5):
        plank = dice.whole(30, 120)
        for top in range(dice.whole(0, plank) - plank, size, plank):
            board = picture[max(0, top) : top + plank]
            board *= dice.real(0.8, 1.15)
            board[: dice.whole(1, 3)] *= dice.real(0.3, 0.8)
            if dice.chance(0.6):
                at = dice.whole(0, size - 2)
                board[:, at : at + 2] *= 0.5
    return picture


def fabric(dice: Dice, size: int) -> np.ndarray:
    """Woven cloth, sometimes striped or plaid."""
    x = np.arange(size, dtype=np.float32)
    weave = (
        0.5
        + 0.25 * np.sin(x * dice.real(0.3, 2.2))[:, None]
        + 0.25 * np.sin(x * dice.real(0.3, 2.2))[None]
    )
    grain = dice.rng.standard_normal((size, size), dtype=np.float32) * dice.real(0, 0.12)
    picture = two_tone(
        dice,
        np.clip(
            weave * dice.real(0.1, 0.7) + noise(dice, size, size) * dice.real(0.1, 0.6) + grain,
            0,
            1,
        ),
    )
    if dice.chance(0.35):
        for axis in (0, 1):
            if dice.chance(0.7):
                period, color, cover = dice.whole(12, 90), any_color(dice), dice.real(0.2, 0.8)
                for start in range(0, size, period):
                    stripe = (
                        np.s_[start : start + period // 2]
                        if axis == 0
                        else np.s_[:, start : start + period // 2]
                    )
                    picture[stripe] += (color - picture[stripe]) * cover
    return picture


def stone(dice: Dice, size: int) -> np.ndarray:
    """Stone, plaster, concrete, sand: noise with several grain sizes."""
    kind = dice.whole(0, 2)
    if kind == 0:
        field = noise(dice, size, size, tuple((2**i, dice.real(0, 1)) for i in range(1, 8)))
    elif kind == 1:
        field = cv2.GaussianBlur(
            dice.rng.random((size, size), dtype=np.float32), (0, 0), dice.real(0.5, 3)
        )
        field = (field - field.min()) / (field.max() - field.min())
    else:
        field = np.abs(noise(dice, size, size) - 0.5) * 2
    return two_tone(dice, field)


def marble(dice: Dice, size: int) -> np.ndarray:
    """Veined marble, mostly light."""
    y, x = np.mgrid[:size, :size].astype(np.float32)
    turn, field = dice.angle(), noise(dice, size, size)
    wave = (x * np.cos(turn) + y * np.sin(turn)) * dice.real(0.01, 0.05) + field * dice.real(4, 14)
    color = np.float32(gray(dice, 180, 250, 6)) if dice.chance(0.6) else any_color(dice)
    return blend(np.abs(np.sin(wave)) ** dice.real(0.2, 0.8), color, color * dice.real(0.3, 0.85))


def plain(dice: Dice, size: int) -> np.ndarray:
    """A plain desk: white, gray, black or colored, unevenly lit."""
    tone = dice.weighted([("white", 4), ("black", 2), ("gray", 2), ("tinted", 2), ("any", 2)])
    if tone == "white":
        color = np.float32(gray(dice, 175, 252, 10))
    elif tone == "black":
        color = np.float32(gray(dice, 3, 60, 6))
    elif tone == "gray":
        color = np.float32(gray(dice, 60, 190, 10))
    elif tone == "tinted":
        color = np.float32(hsv(dice.real(0, 1), dice.real(0.03, 0.2), dice.real(0.65, 0.98)))
    else:
        color = any_color(dice)
    picture = blend(
        noise(dice, size, size, ((2, 1.0), (3, 0.4))), color, color * dice.real(0.6, 1.0)
    )
    return picture + dice.rng.standard_normal((size, size, 1), dtype=np.float32) * dice.real(0, 6)


def tiles(dice: Dice, size: int) -> np.ndarray:
    """Tiles or bricks with joints, sometimes in a checkered pattern."""
    picture = dice.pick([plain, marble, stone])(dice, size)
    tall, wide, joint = dice.whole(24, 140), dice.whole(24, 140), dice.whole(1, 5)
    grout = any_color(dice) if dice.chance(0.3) else picture.mean((0, 1)) * dice.real(0.4, 1.3)
    bond, chequered, second = dice.chance(0.5), dice.chance(0.3), any_color(dice)
    for row, top in enumerate(range(0, size, tall)):
        shift = (row % 2) * wide // 2 if bond else 0
        for column, left in enumerate(range(-shift, size, wide)):
            tile = picture[top : top + tall, max(0, left) : left + wide]
            tile *= dice.real(0.85, 1.1)
            if chequered and (row + column) % 2:
                tile += (second - tile) * 0.8
        picture[top : top + joint] = grout
        for left in range(-shift, size, wide):
            if left >= 0:
                picture[top : top + tall, left : left + joint] = grout
    return picture


def carpet(dice: Dice, size: int) -> np.ndarray:
    """Carpet, plain or with ornaments."""
    field = noise(dice, size, size, ((40, 0.5), (80, 0.8), (160, 1.0), (320, 0.8), (5, 0.4)))
    color = any_color(dice)
    picture = blend(
        np.clip((field - 0.5) * dice.real(0.6, 1.6) + 0.5, 0, 1),
        color,
        color * dice.real(0.4, 0.9),
    )
    if dice.chance(0.4):
        picture = np.ascontiguousarray(np.clip(picture, 0, 255))
        pitch, color = dice.whole(30, 100), any_color(dice)
        for y in range(0, size + pitch, pitch):
            for x in range(0, size + pitch, pitch):
                cv2.circle(picture, (x, y), pitch // 3, color.tolist(), dice.whole(1, 8))
                cv2.line(
                    picture,
                    (x - pitch // 2, y),
                    (x, y - pitch // 2),
                    (color * 0.7).tolist(),
                    dice.whole(1, 4),
                )
    return picture


def scenery(dice: Dice, size: int) -> np.ndarray:
    """The background of a page that is held up: a room out of focus."""
    return cv2.GaussianBlur(fake_photo(dice, size, size), (0, 0), dice.real(0.5, 6)).astype(
        np.float32
    )
