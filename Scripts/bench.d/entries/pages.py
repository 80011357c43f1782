"""Generated booklets of entries: one or two columns, five ways of numbering or titles alone,
running heads, entries across pages.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

DPI = 200
PAPERS = {"a4": (210, 297), "a5": (148, 210), "octavo": (156, 234)}
WORDS = (Path(__file__).resolve().parents[1] / "clips/words.txt").read_text().split()
FONTS = Path("/usr/share/fonts")
FACES = [
    ("truetype/dejavu/DejaVuSerif.ttf", "truetype/dejavu/DejaVuSerif-Bold.ttf"),
    ("truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSans-Bold.ttf"),
    ("opentype/urw-base35/NimbusRoman-Regular.otf", "opentype/urw-base35/NimbusRoman-Bold.otf"),
    ("opentype/urw-base35/P052-Roman.otf", "opentype/urw-base35/P052-Bold.otf"),
    ("opentype/urw-base35/C059-Roman.otf", "opentype/urw-base35/C059-Bold.otf"),
    ("opentype/urw-base35/NimbusSans-Regular.otf", "opentype/urw-base35/NimbusSans-Bold.otf"),
]
# This space keeps "§ 4" on one line.
NARROW = "\u00a0"
NUMBERINGS = ["1.", "1)", "I.", "a)", "§ 1", "titles"]
HEADS = ["none", "same", "facing", "with-number"]
FOLIOS = ["none", "bottom", "bottom-dashes", "bottom-page", "outer-top"]


@dataclass
class Entry:
    """A printed entry, which a reader should find."""

    number: str
    title: str
    #: The printed words, without the number.
    words: list[str] = field(default_factory=list)
    #: The entry's pages, from 1.
    pages: list[int] = field(default_factory=list)


@dataclass
class Line:
    text: str
    font: ImageFont.FreeTypeFont
    indent: float = 0
    above: float = 0
    entry: Entry | None = None
    #: The printed number, if it is to the left of the line.
    marker: str = ""
    justified: bool = True


def roman(number: int) -> str:
    result = ""
    for value, letters in [
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ]:
        while number >= value:
            result += letters
            number -= value
    return result


def label(numbering: str, number: int) -> str:
    return {
        "1.": f"{number}.",
        "1)": f"{number})",
        "I.": f"{roman(number)}.",
        "a)": f"{chr(96 + number)})",
        "§ 1": f"§ {number}",
        "titles": "",
    }[numbering]


def sentence(
    dice: random.Random, vocabulary: list[str] = WORDS, least: int = 5, most: int = 16
) -> str:
    words = [dice.choice(vocabulary).strip(".,;:") for _ in range(dice.randint(least, most))]
    if dice.random() < 0.15:
        words.insert(dice.randint(1, len(words) - 1), str(dice.randint(2, 1999)))
    return " ".join(words).capitalize() + dice.choice([".", ".", ".", ".", "?", "!"])


def title(dice: random.Random, vocabulary: list[str] = WORDS) -> str:
    words = [dice.choice(vocabulary).strip(".,;:") for _ in range(dice.randint(2, 5))]
    return " ".join(words).title()


class Booklet:
    """A document: its pages as pictures, and the entries in it."""

    def __init__(self, dice: random.Random, pages: int, vocabulary: list[str] = WORDS) -> None:
        self.dice = dice
        self.vocabulary = vocabulary
        self.wanted = pages
        self.numbering = dice.choice(NUMBERINGS)
        self.columns = dice.choice([1, 2])
        self.head = dice.choice(HEADS)
        self.folio = dice.choice(FOLIOS) if self.head != "with-number" else "none"
        paper = dice.choice(list(PAPERS) if self.columns == 1 else ["a4"])
        self.size = tuple(round(side / 25.4 * DPI) for side in PAPERS[paper])
        points = dice.choice([9.5, 10, 11] if self.columns == 2 else [10, 11, 12])
        regular, bold = dice.choice(FACES)
        em = round(points / 72 * DPI)
        self.em = em
        self.body = ImageFont.truetype(str(FONTS / regular), em)
        self.bold = ImageFont.truetype(str(FONTS / bold), em)
        self.big = ImageFont.truetype(str(FONTS / bold), round(em * dice.choice([1.2, 1.35])))
        self.small = ImageFont.truetype(str(FONTS / regular), round(em * 0.85))
        self.pitch = em * dice.choice([1.2, 1.3, 1.45])
        self.gap = em * dice.choice([0.5, 0.8, 1.1])
        self.margin = [
            round(self.size[0] * dice.uniform(0.09, 0.14)),
            round(self.size[1] * dice.uniform(0.09, 0.12)),
        ]
        self.gutter = round(em * 2.2)
        self.width = (
            self.size[0] - 2 * self.margin[0] - (self.columns - 1) * self.gutter
        ) / self.columns
        # The deepest indent, which the widest number needs.
        self.indent = em * {"I.": 4.4, "§ 1": 3.4}.get(self.numbering, 2.4)
        self.justified = dice.random() < 0.6
        self.hanging = dice.random() < 0.5 and self.numbering != "titles"
        self.titled = (
            dice.choice(["own-line", "run-in", "none"])
            if self.numbering != "titles"
            else "own-line"
        )
        self.first_folio = dice.randint(1, 300)
        self.heads = (title(dice, vocabulary), title(dice, vocabulary))
        self.entries: list[Entry] = []
        self.pages: list[Image.Image] = []
        self._set()

    def _lines(
        self, text: str, font: ImageFont.FreeTypeFont, entry: Entry, indent: float, first: float
    ) -> list[Line]:
        lines, words, room = [], [], self.width - first
        for word in text.split(" "):
            if words and font.getlength(" ".join(words + [word])) > room:
                lines.append(Line(" ".join(words), font, first if not lines else indent, 0, entry))
                words, room = [], self.width - indent
            words.append(word)
        lines.append(
            Line(" ".join(words), font, first if not lines else indent, 0, entry, justified=False)
        )
        return lines

    def _entry(self, number: int) -> list[Line]:
        dice = self.dice
        mark = label(self.numbering, number)
        name = title(dice, self.vocabulary) if self.titled != "none" else ""
        paragraphs = [
            " ".join(sentence(dice, self.vocabulary) for _ in range(dice.randint(1, 5)))
            for _ in range(dice.choice([1, 1, 1, 2, 3]))
        ]
        entry = Entry(mark.strip("§.) "), name)
        if not name:
            first = paragraphs[0]
            ends = [first.find(end) for end in ".?!" if end in first]
            entry.title = first[: min(ends) + 1]
        indent = self.indent if self.hanging else 0
        lines: list[Line] = []
        start = "" if self.hanging or not mark else mark.replace(" ", NARROW) + " "
        if self.titled == "own-line":
            lines += self._lines(
                start + name,
                self.big if self.numbering == "titles" else self.bold,
                entry,
                indent,
                indent,
            )
            for line in lines:
                line.justified = False
        elif self.titled == "run-in":
            paragraphs[0] = f"{name}. {paragraphs[0]}"
        for index, paragraph in enumerate(paragraphs):
            head = start if not lines else ""
            extra = self.em * 1.2 if index and not self.hanging else 0
            lines += self._lines(head + paragraph, self.body, entry, indent, indent + extra)
        lines[0].above = self.gap
        lines[0].marker = mark if self.hanging else ""
        self.entries.append(entry)
        return lines

    def _set(self) -> None:
        dice = self.dice
        number = dice.choice([1, 1, 1, dice.randint(2, 12)])
        page, column, y = 0, 0, 0.0
        sheet = self._sheet(1)
        top = self.margin[1] + (
            0 if self.head == "none" and self.folio != "outer-top" else self.em * 2.2
        )
        bottom = self.size[1] - self.margin[1] - self.em * 2
        draw = ImageDraw.Draw(sheet)
        y = top
        if dice.random() < 0.4:
            font = ImageFont.truetype(self.bold.path, round(self.em * 1.8))
            draw.text((self.margin[0], y), title(dice, self.vocabulary), font=font, fill=30)
            y += self.em * 3.6
        start = y
        while True:
            if self.numbering == "a)" and number > 26:
                number = 1
            lines = self._entry(number)
            number += 1
            for index, line in enumerate(lines):
                y += line.above if y > start else 0
                # A title stays with the line after it.
                need = self.pitch * (2 if index == 0 and len(lines) > 1 else 1)
                if y + need > bottom:
                    column += 1
                    if column == self.columns:
                        self.pages.append(sheet)
                        page, column = page + 1, 0
                        if page == self.wanted:
                            # The booklet ends within the entry: only the printed part counts.
                            if index == 0:
                                self.entries.pop()
                            return
                        sheet = self._sheet(page + 1)
                        draw = ImageDraw.Draw(sheet)
                        start = top
                    y = start
                self._line(draw, line, self.margin[0] + column * (self.width + self.gutter), y)
                words = line.text.split(" ")
                own_mark = index == 0 and not self.hanging and self.numbering != "titles"
                line.entry.words += words[1:] if own_mark else words
                if page + 1 not in line.entry.pages:
                    line.entry.pages.append(page + 1)
                y += self.pitch

    def _line(self, draw: ImageDraw.ImageDraw, line: Line, x: float, y: float) -> None:
        if line.marker:
            draw.text((x, y), line.marker, font=line.font, fill=30)
        x += line.indent
        words = line.text.split(" ")
        room = self.width - line.indent
        if not self.justified or not line.justified or len(words) < 2:
            draw.text((x, y), line.text, font=line.font, fill=30)
            return
        space = (room - sum(line.font.getlength(word) for word in words)) / (len(words) - 1)
        for word in words:
            draw.text((x, y), word, font=line.font, fill=30)
            x += line.font.getlength(word) + space

    def _sheet(self, number: int) -> Image.Image:
        sheet = Image.new("L", self.size, 250)
        draw = ImageDraw.Draw(sheet)
        folio = self.first_folio + number - 1
        head = self.heads[0] if self.head == "same" else self.heads[number % 2]
        if self.head == "with-number":
            head = f"{folio}   {head}" if number % 2 else f"{head}   {folio}"
        y = self.margin[1]
        if self.head != "none":
            wide = self.small.getlength(head)
            x = (
                (self.size[0] - wide) / 2
                if self.head == "same"
                else (self.margin[0] if number % 2 else self.size[0] - self.margin[0] - wide)
            )
            draw.text((x, y), head, font=self.small, fill=40)
        text = {
            "none": "",
            "bottom": f"{folio}",
            "bottom-dashes": f"- {folio} -",
            "bottom-page": f"Page {folio}",
            "outer-top": f"{folio}",
        }[self.folio]
        wide = self.small.getlength(text)
        if self.folio == "outer-top":
            side = self.head in ("same", "none") or number % 2
            draw.text(
                (self.size[0] - self.margin[0] - wide if side else self.margin[0], y),
                text,
                font=self.small,
                fill=40,
            )
        elif text:
            draw.text(
                ((self.size[0] - wide) / 2, self.size[1] - self.margin[1] - self.em),
                text,
                font=self.small,
                fill=40,
            )
        return sheet


def scanned(sheet: Image.Image, dice: random.Random, lean: float = 0.8) -> Image.Image:
    """The sheet as a scanner might return it: turned by up to `lean` degrees, soft, grainy, with
    specks.
    """
    sheet = sheet.rotate(dice.uniform(-lean, lean), resample=Image.BICUBIC, fillcolor=250)
    sheet = sheet.filter(ImageFilter.GaussianBlur(dice.uniform(0.2, 0.8)))
    draw = ImageDraw.Draw(sheet)
    for _ in range(dice.randint(0, 60)):
        x, y, r = (
            dice.uniform(0, sheet.width),
            dice.uniform(0, sheet.height),
            dice.uniform(0.5, 1.6),
        )
        draw.ellipse((x - r, y - r, x + r, y + r), fill=dice.randint(40, 160))
    return Image.blend(sheet, Image.effect_noise(sheet.size, 30), dice.uniform(0.02, 0.08))
