"""Cards (drawn with the long side down), open books and photographs."""

from __future__ import annotations

import numpy as np

from .color import blend, fake_photo, gray, hsv, ink, noise, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press


def identity(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """An ID card or license: portrait, fields, sometimes machine-readable lines."""
    press = Press(dice, split, width, height, (255, 255, 255))
    wash = noise(dice, height, width, ((2, 1.0), (6, 0.3)))
    one, other = (
        np.float32(hsv(dice.real(0, 1), dice.real(0.04, 0.43), dice.real(0.6, 1))) for _ in range(2)
    )
    press.paste(blend(wash, one, other).astype(np.uint8), 0, 0)
    press.photo(
        width * (0.05 if dice.chance(0.6) else 0.68),
        height * dice.real(0.2, 0.35),
        width * 0.26,
        height * 0.55,
    )
    if dice.chance(0.7):
        press.box(0, 0, width, height * dice.real(0.08, 0.2), fill=vivid(dice, 0.2, 0.12))
    x = width * (0.36 if dice.chance(0.6) else 0.06)
    for row in range(dice.whole(4, 9)):
        press.text(
            x,
            height * (0.22 + 0.08 * row),
            press.words(dice.whole(1, 3))[:26],
            dice.whole(10, 17),
            ink(dice),
        )
    if dice.chance(0.4):
        press.box(0, height * 0.74, width, height, fill=gray(dice, 225, 250, 6))
        for row in range(3):
            press.text(
                width * 0.03,
                height * (0.77 + 0.07 * row),
                ("<" * dice.whole(3, 12)).join(press.words(3).upper().split()),
                16,
                (20, 20, 20),
            )
    return press.pixels()


def bank(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """The front of a bank or member's card."""
    press = Press(dice, split, width, height, (0, 0, 0))
    wash = noise(dice, height, width, ((2, 1.0), (3, 0.5)))
    press.paste(
        blend(
            wash, np.float32(vivid(dice, 0.05, 0.05)), np.float32(vivid(dice, 0.05, 0.05))
        ).astype(np.uint8),
        0,
        0,
    )
    print_ = (235, 235, 235) if dice.chance(0.7) else (30, 30, 30)
    press.draw.rounded_rectangle(
        (width * 0.08, height * 0.35, width * 0.2, height * 0.52), 5, fill=(205, 180, 90)
    )
    press.text(
        width * 0.08,
        height * 0.6,
        " ".join(str(dice.whole(1000, 9999)) for _ in range(4)),
        dice.whole(20, 30),
        print_,
    )
    press.text(width * 0.08, height * 0.8, press.words(2).upper(), 16, print_)
    press.text(width * 0.65, height * 0.08, press.words(1).upper(), 30, (255, 255, 255))
    return press.pixels()


def back(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """The back of a card: magnetic stripe at or near an edge, signature field, codes."""
    press = Press(
        dice, split, width, height, paper(dice) if dice.chance(0.6) else vivid(dice, 0.05, 0.2)
    )
    if dice.chance(0.6):
        wash = noise(dice, height, width, ((2, 1.0), (5, 0.5)))
        press.paste(
            blend(wash, np.float32(paper(dice)), np.float32(hsv(dice.real(0, 1), 0.2, 0.9))).astype(
                np.uint8
            ),
            0,
            0,
        )
    top = height * (0 if dice.chance(0.3) else dice.real(0.02, 0.16))
    press.box(0, top, width, top + height * dice.real(0.14, 0.25), fill=gray(dice, 0, 50, 6))
    if dice.chance(0.6):
        press.box(
            width * 0.06,
            height * 0.45,
            width * dice.real(0.5, 0.8),
            height * 0.58,
            fill=gray(dice, 215, 255),
        )
    if dice.chance(0.5):
        press.barcode(
            width * 0.06,
            height * dice.real(0.62, 0.75),
            width * dice.real(0.5, 0.94),
            height * 0.14,
            (10, 10, 10),
        )
    press.block(
        width * 0.06, height * 0.65, width * 0.86, height * 0.3, dice.whole(9, 13), ink(dice)
    )
    press.text(
        width * 0.6, height * 0.3, str(dice.whole(10**6, 10**9)), dice.whole(14, 24), (20, 20, 20)
    )
    return press.pixels()


def business(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A business card or ticket."""
    light = dice.chance(0.75)
    press = Press(dice, split, width, height, paper(dice) if light else vivid(dice, 0.1, 0.05))
    color, x = ink(dice) if light else gray(dice, 220, 250), width * dice.real(0.05, 0.5)
    if dice.chance(0.6):
        press.photo(
            width * dice.real(0.05, 0.6),
            height * dice.real(0.05, 0.5),
            width * dice.real(0.1, 0.35),
            height * dice.real(0.15, 0.4),
        )
    press.text(x, height * dice.real(0.1, 0.4), press.words(2), dice.whole(18, 36), color)
    press.block(
        x, height * dice.real(0.5, 0.65), width * 0.48, height * 0.32, dice.whole(10, 15), color
    )
    if dice.chance(0.2):
        press.box(0, height * 0.85, width, height, fill=vivid(dice))
    return press.pixels()


def playing(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A playing or trading card with its border; drawn upright, then laid on its side."""
    press = Press(dice, split, height, width, (250, 250, 250))
    if dice.chance(0.5):
        press.photo(0, 0, height, width)
    border = dice.pick([(10, 10, 10), (245, 245, 245), vivid(dice)])
    press.box(0, 0, height - 1, width - 1, outline=border, line=dice.whole(6, 34))
    if dice.chance(0.5):
        for _ in range(dice.whole(1, 10)):
            center = (
                dice.real(0.2, 0.8) * height,
                dice.real(0.15, 0.85) * width,
                dice.whole(12, 24),
            )
            press.draw.regular_polygon(
                center, dice.whole(3, 6), fill=dice.pick([(200, 20, 30), (15, 15, 15)])
            )
        press.text(12, 8, dice.pick("A23456789JQK"), 40, (20, 20, 20))
    else:
        press.photo(height * 0.1, width * 0.12, height * 0.8, width * 0.42)
        press.box(height * 0.08, width * 0.6, height * 0.92, width * 0.92, fill=paper(dice))
        press.block(height * 0.11, width * 0.62, height * 0.78, width * 0.26, 13, ink(dice))
    return np.ascontiguousarray(np.rot90(press.pixels()))


def book(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """An open book: two pages and the shade of the gutter."""
    press, color, face = Press(dice, split, width, height, paper(dice)), ink(dice), None
    face, size, margin = press.typeface(), dice.whole(8, 12), width * dice.real(0.03, 0.06)
    for x in (margin, width / 2 + margin * 0.8):
        across = width / 2 - 1.8 * margin
        if dice.chance(0.8):
            press.block(
                x,
                height * dice.real(0.06, 0.2),
                across,
                height * dice.real(0.6, 0.85),
                size,
                color,
                face,
            )
        if dice.chance(0.35):
            press.photo(
                x,
                height * dice.real(0.08, 0.5),
                across * dice.real(0.5, 1),
                height * dice.real(0.15, 0.4),
            )
    x = (np.arange(width) - width * 0.5) / width
    shade = (
        1
        - dice.real(0.2, 0.65) * np.exp(-((x / dice.real(0.01, 0.05)) ** 2))
        - dice.real(0, 0.15) * np.exp(-((x / 0.12) ** 2))
    )
    return np.clip(press.pixels() * shade[None, :, None], 0, 255).astype(np.uint8)


def photograph(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A photographic print, often with a white border."""
    picture = fake_photo(dice, height, width)
    if dice.chance(0.5):
        rim = dice.whole(8, 24)
        picture[:rim] = picture[-rim:] = 245
        picture[:, :rim] = picture[:, -rim:] = 245
    return picture
