"""Views without a page: rooms and fronts of buildings, full of objects with four corners. They are
only drawn for training.
"""

from __future__ import annotations

import cv2
import numpy as np

from .color import fake_photo, gray, hsv, jitter, noise, vivid
from .dice import Dice


def room(dice: Dice, size: int) -> np.ndarray:
    """A wall and a floor with doors, windows, pictures, lamps, beds and cupboards."""
    wall = gray(dice, 90, 240, 14) if dice.chance(0.7) else hsv(dice.real(0, 1), 0.3, 0.7)
    picture = np.full((size, size, 3), wall, np.uint8)
    floor = int(size * dice.real(0.45, 0.85))
    cv2.rectangle(picture, (0, floor), (size, size), gray(dice, 40, 180, 30), -1)
    if dice.chance(0.6):  # a corner of the room
        at = dice.whole(0, size)
        slope = dice.whole(-size // 2, size // 2)
        points = [[at, 0], [at, floor], [at + slope, size], [size, size], [size, 0]]
        shade = picture.copy()
        cv2.fillPoly(shade, [np.int32(points)], jitter(dice, wall, 40))
        picture = cv2.addWeighted(picture, 0.4, shade, 0.6, 0)
    for _ in range(dice.whole(1, 5)):  # hung on the wall, or a part of it
        wide, tall = dice.whole(18, 130), dice.whole(18, 150)
        left, top = dice.whole(-20, size), dice.whole(-20, floor)
        rim = dice.whole(1, 9)
        cv2.rectangle(
            picture,
            (left - rim, top - rim),
            (left + wide + rim, top + tall + rim),
            gray(dice, 5, 255, 25),
            -1,
        )
        shown = fake_photo(dice, tall, wide) if dice.chance(0.5) else None
        part = picture[max(0, top) : top + tall, max(0, left) : left + wide]
        if part.size:
            offset = (max(0, -top), max(0, -left))
            part[:] = (
                shown[offset[0] :, offset[1] :][: part.shape[0], : part.shape[1]]
                if shown is not None
                else vivid(dice, 0, 0.1)
            )
        if dice.chance(0.3):
            cv2.line(picture, (left + wide // 2, top), (left + wide // 2, top + tall), wall, 2)
    for _ in range(dice.whole(1, 5)):  # standing on the floor
        wide, tall = dice.whole(30, 200), dice.whole(25, 140)
        left, foot = dice.whole(-60, size), floor + dice.whole(-10, size // 4)
        tone = vivid(dice, 0, 0.05)
        depth = dice.whole(-40, 40)
        top = foot - tall
        right, back = left + wide, top - 15
        lid = [[left, top], [right, top], [right + depth, back], [left + depth, back]]
        cv2.rectangle(picture, (left, top), (left + wide, foot), tone, -1)
        cv2.fillPoly(picture, [np.int32(lid)], jitter(dice, tone, 40))
        for row in range(dice.whole(0, 3)):
            y = top + (row + 1) * tall // 4
            cv2.line(picture, (left, y), (left + wide, y), jitter(dice, tone, 60), 1)
    return picture * (0.65 + 0.6 * noise(dice, size, size)[..., None])


def front(dice: Dice, size: int) -> np.ndarray:
    """A building's front: rows of windows under a piece of sky, often seen at an angle."""
    wall = gray(dice, 60, 225, 30)
    picture = np.full((size, size, 3), wall, np.uint8)
    wide, tall = dice.whole(10, 60), dice.whole(14, 80)
    across, down = wide + dice.whole(6, 50), tall + dice.whole(6, 50)
    glass, rim = gray(dice, 10, 200, 25), gray(dice, 20, 250, 15)
    for top in range(dice.whole(-down, 0), size, down):
        for left in range(dice.whole(-across, 0), size, across):
            cv2.rectangle(picture, (left - 2, top - 2), (left + wide + 2, top + tall + 2), rim, -1)
            pane = jitter(dice, glass, 30)
            cv2.rectangle(picture, (left, top), (left + wide, top + tall), pane, -1)
            if dice.chance(0.5):
                middle = left + wide // 2
                cv2.line(picture, (middle, top), (middle, top + tall), rim, 1)
        if dice.chance(0.3):
            ledge = jitter(dice, wall, 50)
            cv2.line(picture, (0, top - 6), (size, top - 6), ledge, dice.whole(2, 8))
    if dice.chance(0.6):
        sky = hsv(dice.real(0.5, 0.65), dice.real(0, 0.5), dice.real(0.6, 1))
        edge = [[0, 0], [size, 0], [size, dice.whole(0, size // 2)], [0, dice.whole(0, size // 2)]]
        cv2.fillPoly(picture, [np.int32(edge)], sky)
    return picture * (0.7 + 0.5 * noise(dice, size, size)[..., None])
