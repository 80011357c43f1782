"""Generated office pages as a color scanner returns them, for a PDF in layers."""

from __future__ import annotations

import math
import random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from entries.pages import FACES, FONTS, WORDS

DPI = 300
SIZE = (2480, 3508)
MARGIN = 260
#: Things on a page besides print.
KINDS = ["letter", "letterhead", "stamps", "small print", "photograph", "pencil"]


def points(size: float) -> int:
    return round(size * DPI / 72)


def face(dice: random.Random, size: float, bold: bool = False) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / dice.choice(FACES)[bold]), points(size))


def column(
    draw: ImageDraw.ImageDraw,
    dice: random.Random,
    font: ImageFont.FreeTypeFont,
    box: tuple[int, int, int, int],
    ink: tuple[int, int, int],
) -> list[str]:
    """Fills a box with lines of words. Returns the words."""
    left, top, right, bottom = box
    step = round(1.35 * sum(font.getmetrics()) / 1.2)
    said: list[str] = []
    y = top
    while y + step <= bottom:
        line: list[str] = []
        while draw.textlength(" ".join(line), font=font) < right - left:
            line.append(dice.choice(WORDS))
        line.pop()
        draw.text((left, y), " ".join(line), font=font, fill=ink)
        said += line
        y += step if dice.random() > 0.12 else 2 * step
    return said


def stamp(sheet: Image.Image, dice: random.Random, color: tuple[int, int, int]) -> None:
    """A round or framed stamp, turned and worn, over anything: ink only darkens."""
    side = 760
    mark = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(mark)
    if dice.random() < 0.5:
        draw.ellipse((60, 60, side - 60, side - 60), outline=255, width=14)
        draw.ellipse((120, 120, side - 120, side - 120), outline=255, width=6)
    else:
        draw.rectangle((40, 240, side - 40, side - 240), outline=255, width=14)
    text = dice.choice(["RECEIVED", "PAID", "COPY", "ENTERED"])
    draw.text((side / 2, side / 2), text, font=face(dice, 24, bold=True), fill=255, anchor="mm")
    worn = (
        Image.effect_noise((side // 12, side // 12), 90)
        .resize((side, side))
        .point(lambda level: 255 if level > 60 else 120)
    )
    mark = Image.composite(mark, Image.new("L", mark.size), worn).rotate(
        dice.uniform(-25, 25), resample=Image.BICUBIC
    )
    place = (dice.randint(MARGIN, SIZE[0] - side - 100), dice.randint(600, SIZE[1] - side - 300))
    part = sheet.crop((*place, place[0] + side, place[1] + side))
    inked = Image.merge(
        "RGB",
        [
            channel.point([round(level * tone / 255) for level in range(256)])
            for channel, tone in zip(part.split(), color)
        ],
    )
    sheet.paste(Image.composite(inked, part, mark), place)


def photograph(dice: random.Random, size: tuple[int, int]) -> Image.Image:
    """Light, shapes and grain at every scale, as in a picture of a landscape."""
    channels = []
    for _ in range(3):
        field = Image.new("L", size, 128)
        for power in range(8, 1, -1):
            cells = 2**power
            noise = Image.effect_noise((cells, max(2, cells * size[1] // size[0])), 160 / power)
            field = Image.blend(field, noise.resize(size, Image.BICUBIC), 0.35)
        channels.append(
            field.point(
                [min(255, max(0, round(2.6 * (level - 128) + 120))) for level in range(256)]
            )
        )
    picture = Image.merge("RGB", channels)
    draw = ImageDraw.Draw(picture)
    for _ in range(12):
        x, y, r = (
            dice.uniform(0, size[0]),
            dice.uniform(size[1] / 2, size[1]),
            dice.uniform(20, 160),
        )
        draw.polygon(
            [(x - r, size[1]), (x, y - r), (x + r, size[1])],
            fill=tuple(dice.randint(10, 120) for _ in range(3)),
        )
    return picture.filter(ImageFilter.GaussianBlur(1.2))


def scribble(sheet: Image.Image, dice: random.Random) -> None:
    """Pale waves in the margin and between lines, like a note in pencil."""
    draw = ImageDraw.Draw(sheet)
    for _ in range(6):
        x, y = dice.randint(200, 1400), dice.randint(300, 3200)
        tone = dice.randint(195, 210)
        line = [(x + t, y + 26 * math.sin(t / 19) + 14 * math.sin(t / 7)) for t in range(0, 900, 3)]
        draw.line(line, fill=(tone, tone, tone), width=4)


def page(kind: str, dice: random.Random) -> tuple[Image.Image, list[str]]:
    """A page of a kind, and the words that are printed on it in black or a dark color."""
    paper = tuple(dice.randint(238, 250) for _ in range(3))
    ink = (dice.randint(15, 50),) * 3
    sheet = Image.new("RGB", SIZE, paper)
    draw = ImageDraw.Draw(sheet)
    width, height = SIZE
    said: list[str] = []
    top, bottom = 320, height - 320
    if kind == "letterhead":
        color = dice.choice([(20, 60, 140), (150, 25, 35), (15, 105, 65)])
        draw.rectangle((0, 0, width, 150), fill=color)
        draw.ellipse((MARGIN, 220, MARGIN + 220, 440), fill=color)
        heading = [dice.choice(WORDS) for _ in range(3)]
        draw.text(
            (MARGIN + 280, 260), " ".join(heading), font=face(dice, 26, bold=True), fill=color
        )
        said += heading
        top = 560
    if kind == "photograph":
        sheet.paste(photograph(dice, (width - 2 * MARGIN, 1300)), (MARGIN, top))
        top += 1380
    if kind == "small print":
        font = face(dice, 7.5)
        middle = width // 2
        said += column(draw, dice, font, (MARGIN, top, middle - 40, bottom), ink)
        said += column(draw, dice, font, (middle + 40, top, width - MARGIN, bottom), ink)
    else:
        said += column(
            draw,
            dice,
            face(dice, dice.uniform(9.5, 12)),
            (MARGIN, top, width - MARGIN, bottom),
            ink,
        )
    if kind == "stamps":
        stamp(sheet, dice, (190, 30, 40))
        stamp(sheet, dice, (40, 60, 180))
    if kind == "pencil":
        scribble(sheet, dice)
    sheet = sheet.rotate(dice.uniform(-0.6, 0.6), resample=Image.BICUBIC, fillcolor=paper)
    sheet = sheet.filter(ImageFilter.GaussianBlur(dice.uniform(0.6, 1.0)))
    grain = Image.merge("RGB", [Image.effect_noise(SIZE, 60) for _ in range(3)])
    sheet = Image.blend(sheet, grain, dice.uniform(0.05, 0.09))
    return (sheet.convert("L") if kind == "letter" else sheet), said
