"""Colors (RGB, 0 to 255) of paper, ink, skin and things, and smooth noise."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np

from .dice import Dice

RGB = tuple[int, int, int]
#: Skin in RGB, light to dark.
SKIN = np.float32(
    [
        [235, 190, 165],
        [220, 170, 140],
        [205, 150, 120],
        [180, 120, 90],
        [140, 85, 60],
        [100, 60, 45],
    ]
)
SIX_OCTAVES = ((2, 1.0), (4, 0.6), (8, 0.4), (16, 0.3), (32, 0.2), (64, 0.15))


def hsv(hue: float, saturation: float, value: float) -> RGB:
    """RGB of hue, saturation and value, each 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return int(red * 255), int(green * 255), int(blue * 255)


def jitter(dice: Dice, color: RGB, amount: float) -> RGB:
    """The color with each channel changed by at most the amount."""
    return tuple(  # type: ignore[return-value]
        int(np.clip(c + dice.real(-amount, amount), 0, 255)) for c in color
    )


def gray(dice: Dice, low: int, high: int, tint: float = 0) -> RGB:
    """A gray between two levels, slightly tinted."""
    level = dice.whole(low, high)
    return jitter(dice, (level, level, level), tint)


def vivid(dice: Dice, saturation: float = 0.25, value: float = 0.25) -> RGB:
    """Any color with at least the given saturation and value."""
    return hsv(dice.real(0, 1), dice.real(saturation, 1), dice.real(value, 1))


def paper(dice: Dice) -> RGB:
    """The color of a sheet: mostly white, sometimes cream or pastel."""
    if dice.chance(0.7):
        return gray(dice, 225, 255, 6)
    if dice.chance(0.6):
        return hsv(dice.real(0.06, 0.17), dice.real(0.04, 0.24), dice.real(0.78, 0.99))
    return hsv(dice.real(0, 1), dice.real(0.04, 0.28), dice.real(0.78, 1))


def ink(dice: Dice) -> RGB:
    """The color of print: mostly black, sometimes colored."""
    return gray(dice, 0, 90, 15) if dice.chance(0.85) else vivid(dice, 0.3, 0.1)


def noise(
    dice: Dice, height: int, width: int, octaves: tuple[tuple[int, float], ...] = SIX_OCTAVES
) -> np.ndarray:
    """Smooth value noise scaled to 0..1; octaves are (cells across, weight)."""
    field = np.zeros((height, width), np.float32)
    for cells, weight in octaves:
        grid = dice.rng.random((cells, cells), dtype=np.float32)
        field += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    field -= field.min()
    return field / (field.max() + 1e-6)


def blend(field: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A picture that is `one` where the field is 1 and `other` where it is 0."""
    return one * field[..., None] + other * (1 - field[..., None])


def fake_photo(dice: Dice, height: int, width: int) -> np.ndarray:
    """Something that looks like a photograph from afar: gradients, blobs, edges, grain
    (uint8 RGB).
    """
    wash = noise(dice, height, width, ((2, 1.0), (3, 0.5)))
    picture = np.ascontiguousarray(
        blend(wash, np.float32(vivid(dice, 0.1)), np.float32(vivid(dice, 0.1))).astype(np.uint8)
    )
    for _ in range(dice.whole(2, 12)):
        color, kind = vivid(dice, 0.05, 0.05), dice.whole(0, 3)
        x, y = dice.whole(0, width), dice.whole(0, height)
        across, down = dice.whole(3, max(4, width // 3)), dice.whole(3, max(4, height // 3))
        if kind == 0:
            cv2.circle(picture, (x, y), min(across, down), color, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(
                picture, (x, y), (across, down), dice.whole(0, 180), 0, 360, color, -1, cv2.LINE_AA
            )
        elif kind == 2:
            points = (dice.rng.random((dice.whole(3, 6), 2)) * (width, height)).astype(np.int32)
            cv2.fillPoly(picture, [points], color, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x, y), (x + across, y + down), color, -1)
    if dice.chance(0.5):
        picture = cv2.GaussianBlur(picture, (0, 0), dice.real(1, 5))
    grain = dice.rng.standard_normal((height, width, 1), dtype=np.float32) * dice.real(0, 12)
    return np.clip(
        picture * (0.6 + 0.8 * noise(dice, height, width)[..., None]) + grain, 0, 255
    ).astype(np.uint8)


def thing_color(dice: Dice) -> np.ndarray:
    """The color of a thing: any, dark or light."""
    kind = dice.weighted([("any", 4), ("dark", 3), ("light", 2)])
    return np.float32(
        vivid(dice, 0, 0.05)
        if kind == "any"
        else gray(dice, 5, 70, 8) if kind == "dark" else gray(dice, 170, 255, 8)
    )


def lit(color: np.ndarray, factor: float) -> np.ndarray:
    """The color in more or less light."""
    return np.clip(color * factor + (25 if factor > 1 else 0), 0, 255)
