"""Sheets on a scanner's glass under lids of three kinds, and the true place of each."""

from __future__ import annotations

import random

import cv2
import numpy as np
from PIL import Image

from clips.desk import cloud

#: Dots per inch of the scans, and the glass in millimeters.
DPI = 100
GLASS = (216, 300)
LIDS = ["dark", "white", "dirty"]
SHEETS = [(210, 297), (148, 210), (216, 279), (105, 148), (90, 180), (80, 220), (130, 100)]


def scan(dice: random.Random, page: Image.Image, lid: str) -> tuple[np.ndarray, np.ndarray]:
    """A scan, gray or in color, and the corners of the sheet in it: top left, top right, bottom
    right, bottom left.

    The sheet is the page scaled to one of `SHEETS`. It is turned by up to 6°, lies completely on
    the glass, and has a shadow along two of its sides.
    """
    numbers = np.random.default_rng(dice.getrandbits(32))
    size = tuple(round(side / 25.4 * DPI) for side in GLASS)
    corners, paper = place(dice, size)
    ground = lid_levels(dice, numbers, size, lid)
    tone = dice.uniform(205, 252) if lid != "white" else dice.uniform(200, 236)
    sheet = cv2.resize(
        np.asarray(page, np.float32), np.round(paper).astype(int), interpolation=cv2.INTER_AREA
    ) * (tone / 250)
    mask = covered(corners, size)
    # The sheet's thickness keeps the lamp's light off a strip next to it.
    away = np.float32(
        [
            [1, 0, dice.choice([-1, 1]) * dice.uniform(0.6, 2)],
            [0, 1, dice.choice([-1, 1]) * dice.uniform(0.6, 2)],
        ]
    )
    shade = (
        cv2.GaussianBlur(cv2.warpAffine(mask, away, size), (0, 0), 1)
        * (1 - mask)
        * dice.uniform(0.12, 0.35)
    )
    picture = ground * (1 - shade)
    height, width = sheet.shape
    matrix = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [width, 0], [width, height], [0, height]]), np.float32(corners)
    )
    drawn = cv2.warpPerspective(
        sheet, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    picture = picture * (1 - mask) + drawn * mask
    light = (
        1
        - dice.uniform(0, 0.08) * np.linspace(0, 1, size[0])
        - dice.uniform(0, 0.05) * np.linspace(0, 1, size[1])[:, None]
    )
    picture = cv2.GaussianBlur(picture * light, (0, 0), dice.uniform(0.4, 0.9))
    picture = picture + numbers.normal(0, dice.uniform(0.5, 3.5), picture.shape)
    if dice.random() < 0.5:
        picture = picture[..., None] * np.array([dice.uniform(0.92, 1), dice.uniform(0.96, 1), 1])
    return np.clip(picture, 0, 255).astype(np.uint8), np.array(corners)


def place(dice: random.Random, size: tuple[int, int]) -> tuple[np.ndarray, tuple[float, float]]:
    """The place of a sheet in pixels of the glass, and its size in pixels."""
    while True:
        width, height = (side / 25.4 * DPI for side in dice.choice(SHEETS))
        turn = np.radians(dice.choice([0, dice.uniform(-1, 1), dice.uniform(-6, 6)]))
        across, down = np.array([-1, 1, 1, -1]) * width / 2, np.array([-1, -1, 1, 1]) * height / 2
        corners = np.c_[
            across * np.cos(turn) - down * np.sin(turn), across * np.sin(turn) + down * np.cos(turn)
        ]
        # Returns true if a strip of the lid is visible beside the sheet; otherwise there is nothing
        # to cut off.
        room = (np.array(size) - np.ptp(corners, axis=0)) / 2 - 4
        if (room > 0).all():
            middle = np.array(size) / 2 + [dice.uniform(-1, 1) * one for one in room]
            return corners + middle, (width, height)


def covered(corners: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The share of each pixel that the sheet covers, 0…1, sampled at eight by eight points in
    the pixel."""
    fine = np.zeros((size[1] * 8, size[0] * 8), np.uint8)
    cv2.fillConvexPoly(
        fine, np.round((corners * 8 - 0.5) * 16).astype(np.int32), 255, cv2.LINE_8, 4
    )
    return cv2.resize(fine, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def lid_levels(
    dice: random.Random, numbers: np.random.Generator, size: tuple[int, int], lid: str
) -> np.ndarray:
    """The glass without a sheet."""
    level = {
        "dark": dice.uniform(8, 70),
        "white": dice.uniform(240, 254),
        "dirty": dice.choice([dice.uniform(20, 80), dice.uniform(120, 190)]),
    }[lid]
    ground = np.full(size[::-1], level, np.float32)
    if lid == "dirty":
        ground += 6 * cloud(numbers, size, (4, 5))
        for _ in range(dice.randint(30, 250)):
            x, y, r = dice.uniform(0, size[0]), dice.uniform(0, size[1]), dice.uniform(0.5, 2.5)
            cv2.circle(
                ground,
                (int(x), int(y)),
                int(np.ceil(r)),
                level + dice.uniform(-60, 90),
                -1,
                cv2.LINE_AA,
            )
        for _ in range(dice.randint(0, 8)):
            start = np.array([dice.uniform(0, size[0]), dice.uniform(0, size[1])])
            way = np.cumsum(numbers.normal(0, 6, (14, 2)) + numbers.normal(0, 7, 2), axis=0) + start
            cv2.polylines(
                ground, [way.astype(np.int32)], False, level + dice.uniform(-50, 90), 1, cv2.LINE_AA
            )
    return ground
