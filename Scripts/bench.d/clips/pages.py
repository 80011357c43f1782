"""Pages of text: the picture and the words of each."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = [
    Path("/usr/share/fonts/truetype/dejavu") / name
    for name in ("DejaVuSerif.ttf", "DejaVuSans.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono.ttf")
]
# The letters of each word decide how many fit into a line, and so everything drawn afterward: with
# another list, every seed gives other clips (`VERSION` in make.py).
WORDS = (Path(__file__).parent / "words.txt").read_text().split()
# Dots per millimeter of the pictures of pages: 200 dpi.
SCALE = 200 / 25.4


@dataclass
class Sheet:
    """A page with a printer's quality."""

    picture: np.ndarray  # BGR
    text: str
    width: float  # in millimeters
    height: float
    # Where the picture is opaque, 0…255; None for everywhere.
    mask: np.ndarray | None = None
    # How far the picture reaches beyond the sheet on each side, in millimeters, as a sleeve does.
    margin: float = 0
    # How much of a lamp it reflects, 0…1.
    gloss: float = 0


def sheet(random: np.random.Generator, letter_height: float) -> Sheet:
    """A page of headings, paragraphs, lists or a table.

    `letter_height` is the size of its type in millimeters.
    """
    width, height = [(210, 297), (216, 279), (176, 250), (148, 210)][
        random.choice(4, p=[0.55, 0.2, 0.15, 0.1])
    ]
    # Smaller paper is filmed from closer, so its type may be smaller.
    letter_height *= height / 297
    paper = tuple(int(level) for level in random.integers(236, 254) - random.integers(0, 8, 3))
    ink = tuple(int(level) for level in random.integers(10, 60, 3))
    image = Image.new("RGB", (round(width * SCALE), round(height * SCALE)), paper)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(
        str(FONTS[random.choice(3, p=[0.5, 0.4, 0.1])]), round(letter_height * SCALE)
    )
    heading = ImageFont.truetype(
        str(FONTS[random.choice([1, 2])]), round(1.5 * letter_height * SCALE)
    )
    margin = random.uniform(0.08, 0.12) * image.width
    lines: list[str] = []
    y = random.uniform(0.06, 0.1) * image.height

    def line(text: str, face, x: float) -> None:
        nonlocal y
        draw.text((x, y), text, ink, font=face)
        lines.append(text)
        y += face.size * 1.45

    def fitted(face, room: float) -> str:
        text = str(random.choice(WORDS)).capitalize()
        while True:
            longer = f"{text} {random.choice(WORDS)}"
            if face.getlength(longer) > room:
                return text
            text = longer

    room = image.width - 2 * margin
    line(fitted(heading, room * random.uniform(0.5, 1)), heading, margin)
    y += font.size
    last = image.height * random.uniform(0.8, 0.93)
    while y < last:
        kind = random.choice(["paragraph", "list", "table"], p=[0.7, 0.15, 0.15])
        rows = int(random.integers(3, 8))
        if kind == "table":
            top = y
            for row in range(min(rows, 5)):
                if y > last:
                    break
                number = f"{random.integers(10, 999)}.{random.integers(10, 99)}"
                text = fitted(font, room * 0.55)
                draw.text(
                    (margin + room - font.getlength(number) - font.size / 2, y),
                    number,
                    ink,
                    font=font,
                )
                line(text, font, margin + font.size / 2)
                lines[-1] += f" {number}"
            draw.rectangle((margin, top - font.size * 0.3, margin + room, y), outline=ink, width=2)
        else:
            for row in range(rows):
                if y > last:
                    break
                indent = font.size * 1.2 if kind == "list" else 0
                if kind == "list":
                    draw.ellipse(
                        (
                            margin,
                            y + font.size * 0.45,
                            margin + font.size * 0.3,
                            y + font.size * 0.75,
                        ),
                        ink,
                    )
                end = 0.5 if row == rows - 1 else 1
                line(fitted(font, (room - indent) * end), font, margin + indent)
        y += font.size * random.uniform(0.5, 1.2)
    if random.random() < 0.2:
        # A picture with a caption without words.
        x, side = margin + room * random.uniform(0.6, 0.8), room * 0.18
        draw.ellipse(
            (x, image.height * 0.02, x + side * 0.6, image.height * 0.02 + side * 0.4),
            outline=ink,
            width=5,
        )
    return Sheet(np.asarray(image)[:, :, ::-1].copy(), "\n".join(lines), width, height)
