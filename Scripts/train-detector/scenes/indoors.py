"""Busy things around a desk: shelves, screens, windows, edges of furniture."""

from __future__ import annotations

import cv2
import numpy as np

from . import documents, leaflets
from .busy import ground
from .color import fake_photo, gray, jitter, noise, vivid
from .dice import Dice
from .holdout import Split


def shelf(dice: Dice, size: int) -> np.ndarray:
    """Rows of spines: books, folders, boxes."""
    picture = np.full((size, size, 3), gray(dice, 10, 120, 10), np.uint8)
    y = -dice.whole(0, 60)
    while y < size:
        tall, x = dice.whole(60, 150), -dice.whole(0, 20)
        while x < size:
            wide, short = dice.whole(6, 34), dice.whole(0, 18)
            color = vivid(dice, 0, 0.1)
            cv2.rectangle(picture, (x, y + short), (x + wide, y + tall), color, -1)
            if dice.chance(0.6):
                at = y + short + dice.whole(5, tall // 2)
                cv2.rectangle(
                    picture,
                    (x + wide // 4, at),
                    (x + 3 * wide // 4, at + dice.whole(4, 25)),
                    gray(dice, 100, 255, 20),
                    -1,
                )
            x += wide + dice.whole(0, 2)
        y += tall + dice.whole(3, 20)
    return picture * (0.7 + 0.5 * noise(dice, size, size)[..., None])


def screen(dice: Dice, size: int, split: Split) -> np.ndarray:
    """A monitor or laptop over a desk edge, showing windows of a program."""
    picture = ground(dice, size)
    left, top = dice.whole(-120, 120), dice.whole(-120, 60)
    wide, tall, rim = dice.whole(140, 330), dice.whole(100, 220), dice.whole(4, 12)
    cv2.rectangle(picture, (left, top), (left + wide, top + tall), gray(dice, 5, 50, 4), -1)
    inner_w, inner_h = wide - 2 * rim, tall - 2 * rim
    shown = (
        fake_photo(dice, inner_h, inner_w)
        if dice.chance(0.5)
        else np.full((inner_h, inner_w, 3), vivid(dice, 0, 0.1), np.uint8)
    )
    for _ in range(dice.whole(1, 3)):
        w, h = dice.whole(inner_w // 4, inner_w), dice.whole(inner_h // 4, inner_h)
        x, y = dice.whole(0, inner_w - w), dice.whole(0, inner_h - h)
        page = dice.pick([documents.letter, documents.form, leaflets.dark])(
            dice, split, w * 2, h * 2
        )
        shown[y : y + h, x : x + w] = cv2.resize(page, (w, h), interpolation=cv2.INTER_AREA)
        shown[y : y + 5, x : x + w] = vivid(dice, 0, 0.2)
    x0, y0, x1, y1 = (
        max(0, left + rim),
        max(0, top + rim),
        min(size, left + wide - rim),
        min(size, top + tall - rim),
    )
    if x1 > x0 and y1 > y0:
        picture[y0:y1, x0:x1] = shown[
            y0 - top - rim : y1 - top - rim, x0 - left - rim : x1 - left - rim
        ]
    cv2.rectangle(
        picture,
        (left + wide // 2 - 15, top + tall),
        (left + wide // 2 + 15, top + tall + dice.whole(10, 60)),
        gray(dice, 10, 90, 4),
        -1,
    )
    return picture.astype(np.float32)


def window(dice: Dice, size: int) -> np.ndarray:
    """A bright window, door or cupboard front: panes in frames on a wall."""
    picture = ground(dice, size)
    left, top = dice.whole(-80, 160), dice.whole(-80, 160)
    pane_w, pane_h, rim = dice.whole(40, 130), dice.whole(40, 160), dice.whole(3, 14)
    frame, light = gray(dice, 30, 255, 10), gray(dice, 120, 255, 20)
    for row in range(dice.whole(1, 3)):
        for column in range(dice.whole(2, 4)):
            x, y = left + column * (pane_w + rim), top + row * (pane_h + rim)
            cv2.rectangle(
                picture, (x - rim, y - rim), (x + pane_w + rim, y + pane_h + rim), frame, -1
            )
            cv2.rectangle(picture, (x, y), (x + pane_w, y + pane_h), jitter(dice, light, 25), -1)
    return picture * (0.8 + 0.4 * noise(dice, size, size)[..., None])


def furniture(dice: Dice, size: int) -> np.ndarray:
    """Long strong edges: table rims, drawers, walls, mats."""
    picture = ground(dice, size)
    for _ in range(dice.whole(1, 8)):
        kind, color = dice.whole(0, 2), vivid(dice, 0, 0)
        if kind == 0:
            at, turn = dice.rng.uniform(0, size, 2), dice.angle()
            along = np.array([np.cos(turn), np.sin(turn)]) * size * 2
            beside = np.array([-along[1], along[0]])
            cv2.fillPoly(
                picture,
                [np.int32([at - along, at + along, at + along + beside, at - along + beside])],
                color,
                cv2.LINE_AA,
            )
        elif kind == 1:
            one, other = dice.rng.integers(0, size, (2, 2)).tolist()
            cv2.line(picture, one, other, color, dice.whole(1, 14), cv2.LINE_AA)
        else:
            cv2.fillPoly(
                picture,
                [cv2.convexHull(dice.rng.integers(0, size, (5, 2)).astype(np.int32))],
                color,
                cv2.LINE_AA,
            )
    return picture * (0.8 + 0.4 * noise(dice, size, size)[..., None])
