"""Pages of three alphabets: booklets of one and two columns, letters and lists of sums."""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from entries.pages import DPI, FACES, FONTS, PAPERS, WORDS, Booklet, sentence, title

ALPHABETS = {
    "Latin": WORDS,
    "Greek": (Path(__file__).parent / "greek.txt").read_text().split(),
    "Cyrillic": (Path(__file__).parent / "russian.txt").read_text().split(),
}
LAYOUTS = ["booklet", "letter", "list"]
A4 = tuple(round(side / 25.4 * DPI) for side in PAPERS["a4"])


def page(dice: random.Random, layout: str, alphabet: str = "Latin") -> Image.Image:
    """Draws an upright page, dark on nearly white, at `DPI`."""
    words = ALPHABETS[alphabet]
    if layout == "booklet":
        return Booklet(dice, 1, words).pages[0]
    sheet = Image.new("L", A4, 250)
    draw = ImageDraw.Draw(sheet)
    em = round(dice.choice([10, 11, 12]) / 72 * DPI)
    regular, bold = (ImageFont.truetype(str(FONTS / face), em) for face in dice.choice(FACES))
    {"letter": letter, "list": price_list}[layout](dice, draw, words, regular, bold)
    return sheet


def letter(dice: random.Random, draw: ImageDraw.ImageDraw, words: list[str], regular, bold) -> None:
    """A letter: an address, a date, a few short paragraphs, a name."""
    em, left, room = regular.size, round(A4[0] * 0.12), A4[0] * 0.76
    y = A4[1] * 0.08
    for _ in range(dice.randint(2, 4)):
        draw.text((left, y), title(dice, words), font=regular, fill=30)
        y += 1.3 * em
    draw.text(
        (A4[0] * 0.65, y + em),
        f"{dice.randint(1, 28)}. {dice.randint(1, 12)}. {dice.randint(1950, 2026)}",
        font=regular,
        fill=30,
    )
    y += 5 * em
    draw.text((left, y), title(dice, words), font=bold, fill=30)
    y += 2.5 * em
    for _ in range(dice.randint(2, 4)):
        line = ""
        for word in " ".join(sentence(dice, words) for _ in range(dice.randint(2, 5))).split():
            longer = f"{line} {word}".strip()
            if line and regular.getlength(longer) > room:
                draw.text((left, y), line, font=regular, fill=30)
                y, line = y + 1.4 * em, word
            else:
                line = longer
        draw.text((left, y), line, font=regular, fill=30)
        y += 2.2 * em
    draw.text((left, y + 2 * em), title(dice, words), font=regular, fill=30)


def price_list(
    dice: random.Random, draw: ImageDraw.ImageDraw, words: list[str], regular, bold
) -> None:
    """A table of items, numbers and sums, with or without rules between its rows."""
    em, left, right = regular.size, round(A4[0] * 0.1), round(A4[0] * 0.9)
    y = A4[1] * 0.1
    draw.text((left, y), title(dice, words), font=bold, fill=30)
    y += 3 * em
    is_ruled = dice.random() < 0.6
    for _ in range(dice.randint(12, 28)):
        name = sentence(dice, words, 2, 4).rstrip(".?!")
        amount = f"{dice.randint(1, 999)}.{dice.randint(0, 99):02}"
        draw.text((left + 0.4 * em, y), name, font=regular, fill=30)
        draw.text((A4[0] * 0.66, y), str(dice.randint(1, 40)), font=regular, fill=30)
        draw.text((right - 0.4 * em - regular.getlength(amount), y), amount, font=regular, fill=30)
        if is_ruled:
            draw.line((left, y + 1.5 * em, right, y + 1.5 * em), fill=60, width=2)
        y += 1.8 * em
