"""Sheets with little print or strong frames: notes, flyers, certificates."""

from __future__ import annotations

import numpy as np

from .color import gray, hsv, ink, jitter, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press


def note(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A blank sheet, ruled or squared paper, or a note written by hand."""
    press, color, kind = (
        Press(dice, split, width, height, paper(dice)),
        ink(dice),
        dice.whole(0, 4),
    )
    if kind == 1:
        press.block(
            width * dice.real(0.1, 0.3),
            height * dice.real(0.1, 0.7),
            width * 0.6,
            dice.real(15, 80),
            dice.whole(10, 16),
            color,
        )
    if kind == 2:
        pitch, rule = (
            dice.real(12, 26),
            dice.pick([(150, 170, 220), (190, 190, 190), (120, 120, 160)]),
        )
        for y in np.arange(pitch * 2, height, pitch):
            press.draw.line((0, y, width, y), fill=rule)
        if dice.chance(0.5):
            for x in np.arange(pitch, width, pitch):
                press.draw.line((x, 0, x, height), fill=rule)
        elif dice.chance(0.5):
            press.draw.line((width * 0.12, 0, width * 0.12, height), fill=(220, 120, 120))
    if kind == 3 or kind == 2 and dice.chance(0.6):
        press.scribble()
    return press.pixels()


def dark(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A dark flyer or cover."""
    press = Press(
        dice, split, width, height, hsv(dice.real(0, 1), dice.real(0, 0.8), dice.real(0.03, 0.37))
    )
    color = gray(dice, 150, 255, 20)
    if dice.chance(0.5):
        press.block(
            width * 0.1,
            height * dice.real(0.1, 0.5),
            width * 0.8,
            height * dice.real(0.1, 0.5),
            dice.whole(10, 24),
            color,
        )
    if dice.chance(0.3):
        press.photo(
            width * 0.1,
            height * dice.real(0.1, 0.5),
            width * dice.real(0.3, 0.8),
            height * dice.real(0.2, 0.4),
        )
    if dice.chance(0.5):
        press.text(
            width * 0.1, height * 0.1, press.words(2), dice.whole(24, 60), vivid(dice, 0, 0.5)
        )
    return press.pixels()


def certificate(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A sheet with strong frames inside it: certificate, label, framed page, colored margins."""
    press, color = (
        Press(dice, split, width, height, paper(dice)),
        ink(dice) if dice.chance(0.6) else vivid(dice, 0.3, 0.1),
    )
    for _ in range(dice.whole(1, 3)):
        inset, line = min(width, height) * dice.real(0.02, 0.16), dice.whole(2, 22)
        fill = jitter(dice, paper(dice), 25) if dice.chance(0.4) else None
        press.box(inset, inset, width - inset, height - inset, fill, color, line)
    press.text(width * 0.25, height * 0.25, press.words(2), dice.whole(20, 44), color)
    press.block(
        width * 0.22,
        height * 0.4,
        width * 0.56,
        height * dice.real(0.1, 0.35),
        dice.whole(10, 16),
        ink(dice),
    )
    return press.pixels()


def spread(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """An open book or magazine: two pages and the shade of the gutter between them."""
    press, color = Press(dice, split, width, height, paper(dice)), ink(dice)
    size, margin = dice.whole(8, 13), width * dice.real(0.03, 0.06)
    for left in (0.0, width / 2):
        top = height * dice.real(0.05, 0.2)
        if dice.chance(0.4):
            tall = height * dice.real(0.2, 0.5)
            press.photo(left + margin, top, width / 2 - 2 * margin, tall)
            top += tall + size
        press.block(left + margin, top, width / 2 - 2 * margin, height * 0.93 - top, size, color)
    off = np.abs(np.arange(width) - width / 2) / width
    shade = 1 - dice.real(0.15, 0.6) * np.exp(-((off / dice.real(0.01, 0.06)) ** 2))
    return (press.pixels() * shade[None, :, None]).astype(np.uint8)


def notebook(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A page of a notebook: ruled, often written on, with the holes or the wire of its binding."""
    sheet = note(dice, split, width, height).copy()
    pitch, inset, bore = dice.whole(14, 40), dice.whole(8, 22), dice.whole(3, 7)
    level = dice.real(10, 120)
    across = np.arange(width)[None]
    for y in range(pitch // 2, height, pitch):
        down = np.arange(max(0, y - bore), min(height, y + bore))[:, None]
        round_ = (across - inset) ** 2 + (down - y) ** 2 < bore**2
        sheet[down[0, 0] : down[-1, 0] + 1][round_] = level
    return sheet
