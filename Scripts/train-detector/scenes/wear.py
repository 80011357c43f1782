"""Traces of use on a sheet, such as folds and wrinkles, and round corners."""

from __future__ import annotations

import cv2
import numpy as np

from .color import noise
from .dice import Dice


def rounded(height: int, width: int, radius: int) -> np.ndarray:
    """The mask (0 to 255) of a sheet with round corners."""
    cover = np.zeros((height, width), np.uint8)
    cv2.rectangle(cover, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(cover, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(cover, (x, y), radius, 255, -1, cv2.LINE_AA)
    return cover


def aged(dice: Dice, picture: np.ndarray, kind: str) -> np.ndarray:
    """Draws folds and wrinkles."""
    height, width = picture.shape[:2]
    if kind in ("page", "receipt", "banknote") and dice.chance(0.3):
        worn = picture.astype(np.float32)
        for _ in range(dice.whole(1, 3)):
            axis = dice.whole(0, 1)
            length = worn.shape[axis]
            at = np.arange(length) - length * dice.pick([1 / 3, 0.5, 2 / 3, dice.real(0.1, 0.9)])
            crease = 1 - dice.real(0.05, 0.25) * np.exp(-((at / dice.real(1, 3)) ** 2))
            crease += (
                np.sign(at)
                * dice.real(-0.06, 0.06)
                * np.exp(-np.abs(at) / (length * dice.real(0.05, 0.4)))
            )
            worn *= crease[:, None, None] if axis == 0 else crease[None, :, None]
        picture = np.clip(worn, 0, 255).astype(np.uint8)
    if dice.chance(0.2):
        relief = noise(dice, height, width, ((3, 1.0), (6, 0.8), (12, 0.6), (25, 0.4)))
        slope = np.clip(cv2.Sobel(relief, cv2.CV_32F, 0, 1) * dice.real(0.2, 1.2), -0.12, 0.12)
        picture = np.clip(picture * (1 + slope)[..., None], 0, 255).astype(np.uint8)
    return picture
