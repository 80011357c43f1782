"""Puts words, scribbles and pictures on a sheet."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from .color import RGB, fake_photo, ink
from .dice import Dice
from .holdout import Split, font


class Press:
    """A sheet that is being printed: a PIL picture with the words and fonts of one split."""

    def __init__(self, dice: Dice, split: Split, width: int, height: int, color: RGB) -> None:
        self.dice, self.split, self.width, self.height = dice, split, width, height
        self.image = Image.new("RGB", (width, height), color)
        self.draw = ImageDraw.Draw(self.image)

    def typeface(self) -> str:
        """Path of one of the split's fonts."""
        return self.dice.pick(self.split.fonts)

    def words(self, count: int) -> str:
        """This many made-up words, the first one capitalized."""
        made = []
        for _ in range(count):
            if self.dice.chance(0.1):
                made.append(str(self.dice.whole(1, 99999)))
            else:
                made.append(
                    "".join(
                        self.dice.pick(self.split.syllables) for _ in range(self.dice.whole(1, 4))
                    )
                )
        return " ".join(made).capitalize()

    def text(
        self, x: float, y: float, words: str, size: int, color: RGB, face: str | None = None
    ) -> None:
        """Draws a line of text with its top left corner at x, y."""
        self.draw.text((x, y), words, font=font(face or self.typeface(), size), fill=color)

    def block(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        size: int,
        color: RGB,
        face: str | None = None,
        lead: float = 1.35,
    ) -> float:
        """Fills a box with paragraphs; returns the y below the last line."""
        dice, type_ = self.dice, font(face or self.typeface(), size)
        per_line, bottom, left = max(1, int(width / (size * 2.6))), y + height, dice.whole(3, 14)
        while y + size < bottom:
            line = self.words(max(1, per_line + dice.whole(-1, 1)))
            while " " in line and self.draw.textlength(line, type_) > width:
                line = line.rsplit(" ", 1)[0]
            left -= 1
            if left == 0:
                line = line[: max(1, int(len(line) * dice.real(0.2, 0.9)))]
            self.draw.text((x, y), line, font=type_, fill=color)
            y += size * lead
            if left == 0:
                left, y = dice.whole(3, 14), y + size * dice.real(0, 1.2)
        return y

    def paste(self, picture: np.ndarray, x: float, y: float) -> None:
        """Draws an RGB picture with its top left corner at x, y."""
        self.image.paste(Image.fromarray(picture), (int(x), int(y)))

    def photo(self, x: float, y: float, width: float, height: float) -> None:
        """A made-up photograph in a box."""
        self.paste(fake_photo(self.dice, max(4, int(height)), max(4, int(width))), x, y)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: RGB | None = None,
        outline: RGB | None = None,
        line: int = 1,
    ) -> None:
        """Draws a rectangle, unless it is empty."""
        if right > left and bottom > top:
            self.draw.rectangle((left, top, right, bottom), fill=fill, outline=outline, width=line)

    def scribble(self) -> None:
        """Draws lines of handwriting."""
        dice, (w, h) = self.dice, self.image.size
        color = dice.pick([(20, 30, 120), (10, 10, 10), (60, 60, 60), (150, 20, 30)])
        y, size = h * dice.real(0.08, 0.3), dice.real(6, 14)
        while y < h * dice.real(0.5, 0.98):
            x, end = w * dice.real(0.06, 0.15), w * dice.real(0.5, 0.95)
            while x < end:
                steps = dice.whole(2, 7) * 3
                xs = x + size * 0.3 * np.arange(steps)
                ys = y + dice.rng.normal(0, size * 0.4, steps)
                self.draw.line(
                    list(zip(xs.tolist(), ys.tolist())), fill=color, width=dice.whole(1, 2)
                )
                x = xs[-1] + size
            y += size * 2

    def barcode(
        self, left: float, top: float, right: float, height: float, color: RGB | None = None
    ) -> None:
        """Draws upright bars of random widths."""
        color = color or ink(self.dice)
        while left < right:
            bar = self.dice.whole(1, 4)
            self.box(left, top, left + bar - 0.5, top + height, fill=color)
            left += bar + self.dice.whole(1, 4)

    def pixels(self) -> np.ndarray:
        """The finished sheet (uint8 RGB)."""
        return np.asarray(self.image)
