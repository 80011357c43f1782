"""Printed sheets: letters, forms, receipts, magazines."""

from __future__ import annotations

import numpy as np

from .color import gray, ink, jitter, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press


def letter(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A letter, report or paper in one to three columns."""
    press, color = Press(dice, split, width, height, paper(dice)), ink(dice)
    margin, size = int(width * dice.real(0.05, 0.14)), dice.whole(9, 16)
    if dice.chance(0.5):
        press.text(
            margin,
            margin * 0.6,
            press.words(2),
            dice.whole(16, 40),
            vivid(dice, 0.4, 0.1) if dice.chance(0.5) else color,
        )
    if dice.chance(0.4):
        press.block(
            width * dice.real(0.55, 0.65), margin * 0.7, width * 0.3, size * 5, size, color
        )
    if dice.chance(0.3):
        press.photo(
            dice.real(margin, width * 0.6), margin * 0.5, dice.real(40, 120), dice.real(30, 70)
        )
    columns, gap, face = dice.pick([1, 1, 1, 2, 2, 3]), width * 0.03, press.typeface()
    across = (width - 2 * margin - gap * (columns - 1)) / columns
    top = margin + height * dice.real(0.04, 0.2)
    bottom = height - margin - (height * dice.real(0, 0.5) if dice.chance(0.3) else 0)
    for column in range(columns):
        press.block(
            margin + column * (across + gap),
            top,
            across,
            bottom - top,
            size,
            color,
            face,
            dice.real(1.15, 1.7),
        )
        if dice.chance(0.25):
            tall = height * dice.real(0.08, 0.25)
            press.photo(
                margin + column * (across + gap),
                dice.real(top, max(top + 1, bottom - tall)),
                across,
                tall,
            )
    if dice.chance(0.3):
        press.text(width / 2, height - margin * 0.7, str(dice.whole(1, 400)), size, color)
    return press.pixels()


def form(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A form, invoice or packing list: tables, fields, bars."""
    press, color = Press(dice, split, width, height, paper(dice)), ink(dice)
    margin, line = int(width * dice.real(0.04, 0.1)), dice.whole(1, 2)
    press.text(margin, margin, press.words(3), dice.whole(14, 28), color)
    y: float = margin + dice.whole(30, 60)
    if dice.chance(0.4):
        inset = margin * dice.real(0.3, 0.9)
        press.box(
            inset, inset, width - inset, height - inset, outline=color, line=dice.whole(1, 5)
        )
    while y < height - margin:
        kind = dice.whole(0, 3)
        if kind == 0:
            y = _table(press, margin, y, line, color) + dice.whole(8, 20)
        elif kind == 1:
            press.text(margin, y, press.words(2), 11, color)
            press.draw.line((width * 0.35, y + 14, width - margin, y + 14), fill=color)
            y += dice.whole(20, 30)
        elif kind == 2:
            y = (
                press.block(
                    margin, y, width - 2 * margin, dice.whole(30, 100), dice.whole(9, 12), color
                )
                + 6
            )
        else:
            press.box(margin, y, width - margin, y + 18, fill=vivid(dice))
            y += 28
    return press.pixels()


def _table(press: Press, margin: int, y: float, line: int, color: tuple[int, int, int]) -> float:
    """A table from y down; returns its bottom."""
    dice, width = press.dice, press.width
    row = dice.whole(14, 26)
    edges = np.sort(
        np.r_[margin, dice.rng.uniform(margin, width - margin, dice.whole(1, 5)), width - margin]
    )
    for index in range(dice.whole(2, 10)):
        if y + row > press.height - margin:
            break
        if index == 0 and dice.chance(0.5):
            press.box(margin, y, width - margin, y + row, fill=jitter(dice, (200, 210, 225), 30))
        for left, right in zip(edges, edges[1:]):
            press.box(left, y, right, y + row, outline=color, line=line)
            if dice.chance(0.6):
                press.text(
                    left + 2, y + 2, press.words(1)[: max(1, int((right - left) / 8))], 10, color
                )
        y += row
    return y


def receipt(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A till receipt."""
    press, color = (
        Press(dice, split, width, height, gray(dice, 220, 252, 5)),
        gray(dice, 20, 110, 10),
    )
    margin, size = int(width * 0.06), max(9, int(width * dice.real(0.05, 0.08)))
    face, y = press.typeface(), float(margin)
    press.text(width * 0.2, y, press.words(2)[:14].upper(), int(size * 1.6), color)
    y += size * 2.4
    while y < height - margin - size:
        if dice.chance(0.08):
            press.draw.line((margin, y + size / 2, width - margin, y + size / 2), fill=color)
        elif dice.chance(0.04) and y + size * 4 < height - margin:
            press.barcode(width * 0.15, y, width * 0.85, size * 3, color)
            y += size * 3
        else:
            press.text(
                margin,
                y,
                press.words(dice.whole(1, 2))[: int(width * 0.6 / (size * 0.5))],
                size,
                color,
                face,
            )
            press.text(
                width - margin - size * 2.6, y, f"{dice.real(0, 99):.2f}", size, color, face
            )
        y += size * 1.25
    return press.pixels()


def magazine(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A magazine page, leaflet or cover: pictures, boxes, headlines."""
    press, color = (
        Press(dice, split, width, height, paper(dice) if dice.chance(0.7) else vivid(dice, 0.1)),
        ink(dice),
    )
    margin = int(width * dice.real(0, 0.08))
    if dice.chance(0.4):
        press.photo(
            0,
            0 if dice.chance(0.6) else height * dice.real(0, 0.5),
            width,
            height * dice.real(0.3, 1),
        )
    for _ in range(dice.whole(1, 6)):
        across, down = width * dice.real(0.15, 0.8), height * dice.real(0.08, 0.45)
        x, y = (
            dice.real(margin, max(margin + 1, width - across - margin)),
            dice.real(margin, max(margin + 1, height - down - margin)),
        )
        kind = dice.whole(0, 3)
        if kind == 0:
            press.photo(x, y, across, down)
        elif kind == 1:
            press.box(x, y, x + across, y + down, fill=vivid(dice, 0.1, 0.1))
            press.block(
                x + 5,
                y + 5,
                across - 10,
                down - 10,
                dice.whole(9, 18),
                (255, 255, 255) if dice.chance(0.5) else color,
            )
        else:
            if dice.chance(0.5):
                press.box(x - 4, y - 4, x + across + 4, y + down + 4, fill=paper(dice))
            press.block(x, y, across, down, dice.whole(9, 14), color)
    for _ in range(dice.whole(0, 3)):
        press.text(
            dice.real(margin, width * 0.5),
            dice.real(0, height * 0.85),
            press.words(dice.whole(1, 3)).upper(),
            dice.whole(24, 70),
            vivid(dice, 0, 0),
        )
    return press.pixels()
