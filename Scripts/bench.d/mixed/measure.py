"""Makes PDFs of pages as JPEGs and in layers, draws them again, and lets Tesseract read both. The
results are the sizes and the legibility of the layers.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .pages import DPI, KINDS, page


@dataclass
class Row:
    pages: int = 0
    words: int = 0
    #: The number of bytes, and of words right, by compression.
    bytes: Counter = None
    right: Counter = None
    kept: int = 0

    def __post_init__(self) -> None:
        self.bytes, self.right = Counter(), Counter()


def plain(words: list[str]) -> Counter:
    kept = ("".join(letter for letter in word.lower() if letter.isalnum()) for word in words)
    return Counter(word for word in kept if word)


def read(pdf: Path, work: Path) -> Counter:
    """The words that Tesseract reads on a page as poppler draws it."""
    picture = work / "drawn"
    subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", str(pdf), str(picture)],
        check=True,
        capture_output=True,
    )
    text = subprocess.run(
        ["tesseract", f"{picture}.png", "-"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
    ).stdout
    return plain(text.split())


def measure(
    program: str, row: Row, source: Path, said: Counter, work: Path, details: Path | None
) -> None:
    row.pages += 1
    row.words += sum(said.values())
    for how in ("jpeg", "mixed"):
        out = (details or work) / f"{source.stem}-{how}.pdf"
        out.unlink(missing_ok=True)
        told = subprocess.run(
            [
                program,
                "import",
                str(source),
                "--profile",
                "none",
                "--pdf-compression",
                how,
                "-o",
                str(out),
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stderr
        row.bytes[how] += out.stat().st_size
        row.right[how] += sum((said & read(out, work)).values())
        row.kept += how == "mixed" and "kept as a JPEG" in told


def mixed(program: str, pages: int, seed: int, data: Path, details: Path | None) -> str:
    rows: dict[str, Row] = {}
    if details:
        details.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        for number in range(pages):
            kind = KINDS[number % len(KINDS)]
            picture, said = page(kind, random.Random(f"{seed} {number}"))
            source = work / f"{number:03}.png"
            picture.save(source, dpi=(DPI, DPI), compress_level=1)
            measure(
                program, rows.setdefault(f"made: {kind}", Row()), source, plain(said), work, details
            )
            source.unlink()
        for source in sorted((data / "ocr-speed").glob("*.png")):
            said = plain(source.with_suffix(".gt.txt").read_text().split())
            measure(
                program, rows.setdefault("`ocr-speed`, gray", Row()), source, said, work, details
            )
    lines = [
        (
            f"{pages} made-up A4 pages (`--pages {pages} --seed {seed}`) of 300 dpi with grain,"
            " each as a PDF of its own with a JPEG at the usual quality and in layers"
            " (`--pdf-compression mixed`). Words right are those Tesseract reads on the page as"
            " poppler draws it at 300 dpi."
        ),
        "",
        (
            "| Pages | number | JPEG kB a page | layers kB a page | JPEG / layers | words right,"
            " JPEG | words right, layers | kept as JPEG |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        each = {how: row.bytes[how] / row.pages / 1000 for how in row.bytes}
        share = {
            how: f"{row.right[how]} of {row.words} ({100 * row.right[how] / row.words:.2f} %)"
            for how in row.right
        }
        lines.append(
            f"| {name} | {row.pages} | {each['jpeg']:.0f} | {each['mixed']:.0f} |"
            f" {each['jpeg'] / each['mixed']:.1f} | {share['jpeg']} | {share['mixed']} |"
            f" {row.kept} |"
        )
    lines += [
        "",
        (
            "Target: five times smaller with as many words right. Pages with photographs and pale"
            " pencil are to stay what they are."
        ),
    ]
    if "`ocr-speed`, gray" not in rows:
        lines += ["", "`ocr-speed`: skipped: no data"]
    return "\n".join(lines) + "\n"
