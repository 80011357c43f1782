"""Prints whose picture extends to the edge: business cards, covers, banknotes. They are only drawn
for training.
"""

from __future__ import annotations

import numpy as np

from .color import blend, gray, hsv, noise, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press
from .trading import artwork


def bleed(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A business or gift card with colors to the edge: two fields, a gradient or a picture."""
    press = Press(dice, split, width, height, vivid(dice, 0.2, 0.1))
    kind = dice.whole(0, 2)
    if kind == 0:
        wash = noise(dice, height, width, ((2, 1.0),))
        tones = (np.float32(vivid(dice, 0.3, 0.2)), np.float32(vivid(dice, 0.3, 0.2)))
        press.paste(blend(wash, *tones).astype(np.uint8), 0, 0)
    elif kind == 1:
        press.paste(artwork(dice, height, width), 0, 0)
    # A field of another color over a part of the card: its edge looks like the card's.
    if dice.chance(0.6):
        part = dice.real(0.15, 0.7)
        fill = paper(dice) if dice.chance(0.5) else vivid(dice, 0.1, 0.1)
        if dice.chance(0.5):
            press.box(0, height * part, width, height, fill=fill)
        else:
            press.box(0, 0, width * part, height, fill=fill)
    light = dice.pick([(245, 245, 245), (20, 20, 20), vivid(dice, 0.3, 0.4)])
    press.text(
        width * dice.real(0.05, 0.4),
        height * dice.real(0.08, 0.5),
        press.words(2),
        dice.whole(22, 60),
        light,
    )
    if dice.chance(0.7):
        left, top = width * dice.real(0.05, 0.5), height * dice.real(0.5, 0.7)
        press.block(left, top, width * 0.42, height * 0.28, dice.whole(11, 16), light)
    return press.pixels()


def cover(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """The cover of a book or a magazine: a picture or a color to the edge, a title, perhaps a
    frame or a band.
    """
    press = Press(dice, split, width, height, vivid(dice, 0.05, 0.1))
    if dice.chance(0.65):
        press.paste(artwork(dice, height, width), 0, 0)
    if dice.chance(0.35):
        inset = min(width, height) * dice.real(0.04, 0.14)
        outline, line = vivid(dice, 0.05, 0.1), dice.whole(2, 14)
        press.box(inset, inset, width - inset, height - inset, outline=outline, line=line)
    if dice.chance(0.4):
        top = height * dice.real(0, 0.7)
        deep = height * dice.real(0.08, 0.3)
        press.box(0, top, width, top + deep, fill=vivid(dice, 0, 0.05))
    if dice.chance(0.3):
        press.box(0, 0, width * dice.real(0.03, 0.1), height, fill=gray(dice, 5, 240, 20))
    light = dice.pick([(250, 250, 250), (15, 15, 15), vivid(dice, 0.5, 0.5)])
    title = dice.whole(30, 90)
    press.text(width * 0.08, height * dice.real(0.04, 0.2), press.words(1)[:12], title, light)
    for _ in range(dice.whole(0, 4)):
        left, top = width * dice.real(0.05, 0.5), height * dice.real(0.25, 0.9)
        press.text(left, top, press.words(2)[:20], dice.whole(14, 34), light)
    return press.pixels()


def banknote(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A note of fine lines in two pale colors, with a portrait, numbers, and often a plain rim."""
    hue = dice.real(0, 1)
    one = np.float32(hsv(hue, dice.real(0.1, 0.6), dice.real(0.6, 0.98)))
    other = np.float32(hsv(hue + dice.real(-0.2, 0.2), dice.real(0.1, 0.7), dice.real(0.4, 0.9)))
    x = np.arange(width, dtype=np.float32)[None]
    y = np.arange(height, dtype=np.float32)[:, None]
    field = noise(dice, height, width, ((2, 1.0), (4, 0.6)))
    lines = 0.5 + 0.5 * np.sin((x * dice.real(-0.4, 0.4) + y * dice.real(0.2, 0.9)) + 25 * field)
    fine = np.clip(0.6 * field + 0.4 * lines, 0, 1)
    press = Press(dice, split, width, height, paper(dice))
    rim = height * (dice.real(0.03, 0.09) if dice.chance(0.5) else 0)
    print_ = blend(fine, one, other).astype(np.uint8)
    press.paste(print_[: int(height - 2 * rim), : int(width - 2 * rim)], rim, rim)
    dark = tuple(int(c) for c in other * 0.45)
    across, left = height * dice.real(0.4, 0.7), width * dice.real(0.1, 0.75)
    top = height * dice.real(0.1, 0.3)
    for level in (0.9, 0.75, 0.55):
        reach = across * level / 2
        middle = (left + across / 2, top + across / 2)
        x0, y0 = middle[0] - reach, middle[1] - reach * 1.2
        box = (x0, y0, 2 * middle[0] - x0, 2 * middle[1] - y0)
        press.draw.ellipse(box, fill=tuple(int(c * level + 20) for c in other))
    value = str(dice.pick([1, 5, 10, 20, 50, 100, 200, 500, 1000]))
    for place in ((0.03, 0.05), (0.82, 0.05), (0.03, 0.72), (0.82, 0.72)):
        if dice.chance(0.7):
            press.text(width * place[0], height * place[1], value, int(height * 0.2), dark)
    press.text(width * 0.3, height * 0.04, press.words(3).upper()[:26], int(height * 0.09), dark)
    press.text(width * 0.6, height * 0.85, str(dice.whole(10**7, 10**9)), int(height * 0.08), dark)
    if dice.chance(0.3):
        band = width * dice.real(0.1, 0.9)
        press.box(band, 0, band + width * 0.015, height, fill=gray(dice, 150, 220))
    return press.pixels()
