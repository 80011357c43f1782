"""Measures which of the generated pages are reported as blank. Every written page must count as
written."""

import json
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

DPI = 150
SIZE = (1240, 1754)
FONTS = ["DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf"]
WORDS = (
    "the quick account of a long journey by rail and river with notes upon the weather "
    "and several drawings which were lost in the year of the great flood"
).split()


def font(rng: random.Random, points: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(
        "/usr/share/fonts/truetype/dejavu/" + rng.choice(FONTS), max(6, int(points * DPI / 72))
    )


def lettering(rng: random.Random, lines: int, points: float) -> Image.Image:
    """Black text on white."""
    page = Image.new("L", SIZE, 255)
    pen = ImageDraw.Draw(page)
    face = font(rng, points)
    y = rng.randint(120, 300) if lines > 5 else rng.randint(120, 1500)
    for _ in range(lines):
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1 if lines < 3 else 6, 11)))
        pen.text((rng.randint(120, 180), y), text, fill=0, font=face)
        y += int(points * DPI / 72 * 1.5)
    return page


def scribble(rng: random.Random, page: Image.Image, ink: int) -> None:
    """A signature or a note in pen or pencil."""
    pen = ImageDraw.Draw(page)
    x, y = rng.randint(200, 800), rng.randint(300, 1400)
    points = []
    for step in range(rng.randint(14, 40)):
        points.append((x + step * rng.randint(5, 9), y + rng.randint(-35, 35)))
    pen.line(points, fill=ink, width=rng.choice([2, 3]))


def paper(rng: random.Random, sheet: np.ndarray) -> Image.Image:
    """The sheet as seen by a scanner: tint, uneven light, grain."""
    level = rng.choice([255, 250, 240, 228])
    tint = (
        np.array([1.0, rng.uniform(0.97, 1), rng.uniform(0.88, 1)])
        if rng.random() < 0.5
        else np.ones(3)
    )
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    light = 1 - rng.uniform(0, 0.12) * (x / SIZE[0] if rng.random() < 0.5 else y / SIZE[1])
    noise = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(0.5, 5), sheet.shape)
    color = (sheet / 255 * level * light + noise)[..., None] * tint
    return Image.fromarray(np.clip(color, 0, 255).astype(np.uint8))


def dirty(rng: random.Random, sheet: np.ndarray) -> np.ndarray:
    """Adds some dust, a shadow at an edge, punch holes and print that shines through from the back.
    """
    picture = Image.fromarray(sheet.astype(np.uint8))
    pen = ImageDraw.Draw(picture)
    if rng.random() < 0.7:
        for _ in range(rng.randint(3, 60)):
            x, y, r = rng.randint(0, SIZE[0]), rng.randint(0, SIZE[1]), rng.choice([0, 1, 1, 2])
            pen.ellipse((x - r, y - r, x + r, y + r), fill=rng.randint(20, 160))
    if rng.random() < 0.4:
        width = rng.randint(4, 35)
        side = rng.randrange(4)
        box = [
            (0, 0, width, SIZE[1]),
            (0, 0, SIZE[0], width),
            (SIZE[0] - width, 0, *SIZE),
            (0, SIZE[1] - width, *SIZE),
        ][side]
        pen.rectangle(box, fill=rng.randint(30, 160))
    if rng.random() < 0.3:
        for y in (SIZE[1] // 2 - 236, SIZE[1] // 2 + 236):
            pen.ellipse((60, y - 17, 95, y + 18), fill=rng.choice([20, 90, 150]))
    sheet = np.asarray(picture).astype(float)
    if rng.random() < 0.6:
        back = lettering(rng, rng.randint(8, 40), rng.uniform(9, 14)).transpose(
            Image.Transpose.FLIP_LEFT_RIGHT
        )
        back = back.filter(ImageFilter.GaussianBlur(rng.uniform(1, 2.5)))
        sheet = sheet - (255 - np.asarray(back).astype(float)) * rng.uniform(0.08, 0.3)
    return np.clip(sheet, 0, 255)


def written(rng: random.Random, kind: str) -> np.ndarray:
    if kind == "text":
        page = lettering(rng, rng.randint(8, 40), rng.uniform(8, 13))
    elif kind == "line":
        page = lettering(rng, 1, rng.uniform(8, 12))
    elif kind == "word in gray":
        page = lettering(rng, 1, rng.uniform(9, 12)).point(lambda v: 255 - (255 - v) // 2)
    elif kind == "pencil":
        page = Image.new("L", SIZE, 255)
        scribble(rng, page, rng.randint(120, 165))
    elif kind == "signature":
        page = Image.new("L", SIZE, 255)
        scribble(rng, page, rng.randint(0, 80))
    elif kind == "page number":
        page = Image.new("L", SIZE, 255)
        ImageDraw.Draw(page).text(
            (rng.choice([120, 600, 1080]), 1640),
            str(rng.randint(1, 480)),
            fill=rng.randint(0, 60),
            font=font(rng, rng.uniform(8, 11)),
        )
    elif kind == "faded":
        fade = rng.uniform(0.22, 0.4)
        page = lettering(rng, rng.randint(8, 30), rng.uniform(9, 12)).point(
            lambda v: int(255 - (255 - v) * fade)
        )
    else:
        page = Image.new("L", SIZE, 255)
        x, y = rng.randint(100, 700), rng.randint(100, 1100)
        ramp = (
            Image.linear_gradient("L")
            .resize((rng.randint(150, 500), rng.randint(150, 500)))
            .point(lambda v: 60 + v // 2)
        )
        page.paste(ramp, (x, y))
    return np.asarray(page).astype(float)


KINDS = ["text", "line", "word in gray", "pencil", "signature", "page number", "faded", "picture"]


def blank(binary: str, count: int, seed: int) -> str:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        truth = []
        for number in range(count):
            kind = "blank" if number % 2 else rng.choice(KINDS)
            sheet = np.full(SIZE[::-1], 255.0) if kind == "blank" else written(rng, kind)
            paper(rng, dirty(rng, sheet)).save(
                f"{folder}/{number:03}.png", dpi=(DPI, DPI), compress_level=1
            )
            truth.append(kind)
        answer = json.loads(
            subprocess.run(
                [
                    binary,
                    "import",
                    folder,
                    "-p",
                    "none",
                    "--step",
                    "blank=on",
                    "--json",
                    "-o",
                    f"{folder}-out.json",
                ],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        Path(f"{folder}-out.json").unlink()
    called = {int(page["label"].split(".")[0]): page["isBlank"] for page in answer["pages"]}
    lines = ["| Pages | Number | Called blank |", "|---|---|---|"]
    for kind in ["blank", *KINDS]:
        members = [number for number, name in enumerate(truth) if name == kind]
        if members:
            lines.append(
                f"| {kind} | {len(members)} | {sum(called[number] for number in members)} |"
            )
    missed = [f"{n:03} {truth[n]}" for n in called if called[n] != (truth[n] == "blank")]
    return "\n".join(lines) + "\n\nWrong: " + (", ".join(missed) or "none") + "\n"
