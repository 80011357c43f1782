"""Measures the right words on generated pages, clean and as poor copies, in languages that the
command line does not name."""

from __future__ import annotations

import json
import random
import re
import subprocess
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

TEXTS = Path(__file__).with_name("texts")
NAMES = {
    "fra": "French",
    "deu": "German",
    "spa": "Spanish",
    "pol": "Polish",
    "ces": "Czech",
    "jpn": "Japanese",
}
TRUETYPE, OPENTYPE = Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype")
LATIN_FACES = [
    TRUETYPE / "dejavu/DejaVuSerif.ttf",
    TRUETYPE / "dejavu/DejaVuSans.ttf",
    TRUETYPE / "lato/Lato-Regular.ttf",
    OPENTYPE / "urw-base35/NimbusRoman-Regular.otf",
]
JAPANESE_FACES = [OPENTYPE / "ipafont-mincho/ipam.ttf"]
RESOLUTION = 300
POINTS = 10.5
WIDTH, HEIGHT, MARGIN = 2480, 3508, 300


def parts(text: str, language: str) -> Counter:
    """The counted units of a text: words with their case and marks, or, in Japanese, characters."""
    letters = r"[^\W_]" if language == "jpn" else r"[^\W_]+"
    return Counter(re.findall(letters, unicodedata.normalize("NFC", text)))


def drawn(text: str, face: Path, by_character: bool) -> Image.Image:
    """The text on a page of A4 in 10.5 points, with its lines broken to fit and a larger first
    line."""
    page = Image.new("L", (WIDTH, HEIGHT), 250)
    draw = ImageDraw.Draw(page)
    y = MARGIN
    for number, block in enumerate(text.strip().split("\n\n")):
        size = round(POINTS * RESOLUTION / 72 * (1.5 if number == 0 else 1))
        font = ImageFont.truetype(str(face), size)
        pieces = list(block) if by_character else block.split()
        between = "" if by_character else " "
        lines = [""]
        for piece in pieces:
            longer = (lines[-1] + between + piece).strip()
            if draw.textlength(longer, font=font) > WIDTH - 2 * MARGIN:
                lines.append(piece)
            else:
                lines[-1] = longer
        for line in lines:
            draw.text((MARGIN, y), line, font=font, fill=25)
            y += round(1.45 * size)
        y += round(0.7 * size)
    return page


def poor(page: Image.Image, chance: random.Random) -> Image.Image:
    """A pale, soft, slightly turned copy, with grain and specks."""
    page = page.rotate(
        chance.uniform(-0.8, 0.8), Image.Resampling.BICUBIC, fillcolor=250
    ).filter(ImageFilter.GaussianBlur(1.6))
    page = page.point([90 + value * 145 // 255 for value in range(256)])
    grain = Image.effect_noise(page.size, 36)
    page = Image.blend(page, grain, 0.22)
    draw = ImageDraw.Draw(page)
    for _ in range(400):
        x, y = chance.randrange(WIDTH), chance.randrange(HEIGHT)
        draw.ellipse((x, y, x + chance.randrange(2, 6), y + chance.randrange(2, 6)), fill=70)
    return page


def read(program: str, picture: Path) -> str:
    output = picture.with_suffix(".txt")
    command = [program, "import", str(picture), "--quiet", "--reader", "auto", "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    text = output.read_text()
    output.unlink()
    return text


def languages(program: str, seed: int, pages: int) -> str:
    listed = subprocess.run([program, "readers", "--json"], check=True, capture_output=True)
    readers = json.loads(listed.stdout)["readers"]
    if not any(one["id"] == "paddle" and "problem" not in one for one in readers):
        return "skipped: no paddle (copystand readers install paddle)\n"
    chance = random.Random(seed)
    lines = [
        (
            "Generated A4 pages at 300 dpi in 10.5 points, read with `auto` and without a named"
            " language: the fraction of right words, with their case and accents (of right characters"
            " in Japanese)."
        ),
        "",
        "| Language | pages | clean | poor copies |",
        "|---|---|---|---|",
    ]
    missing = [face for face in LATIN_FACES + JAPANESE_FACES if not face.exists()]
    if missing:
        return f"skipped: no font {missing[0]}\n"
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "page.png"
        for language, name in NAMES.items():
            text = (TEXTS / f"{language}.txt").read_text()
            truth = parts(text, language)
            right: Counter = Counter()
            faces = (JAPANESE_FACES if language == "jpn" else LATIN_FACES)[:pages]
            for face in faces:
                page = drawn(text, face, language == "jpn")
                for look, shown in (("clean", page), ("poor", poor(page, chance))):
                    shown.save(picture, compress_level=1, dpi=(RESOLUTION, RESOLUTION))
                    right[look] += (truth & parts(read(program, picture), language)).total()
            cells = [
                f"{right[look] / (len(faces) * truth.total()):.3f}" for look in ("clean", "poor")
            ]
            lines.append(f"| {name} | {len(faces)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
