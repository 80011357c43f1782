"""Compares the words right of `copystand import` and of `tesseract` alone, on the same pictures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from score import right

from .spoiled import KINDS, spoiled

#: Profiles that fit the kinds of pictures in `ocr-dev`.
PROFILES = {"page": "document", "receipt": "receipt"}


@dataclass
class Tally:
    """The words right and the words in the truth, page by page."""

    pages: list[tuple[int, int]] = field(default_factory=list)

    def recall(self, pages: list[int] | None = None) -> float:
        chosen = [
            page for number, page in enumerate(self.pages) if pages is None or number in pages
        ]
        return sum(found for found, _ in chosen) / max(1, sum(all_ for _, all_ in chosen))

    def shown(self) -> str:
        return (
            f"{sum(found for found, _ in self.pages)} of {sum(all_ for _, all_ in self.pages)}"
            f" ({100 * self.recall():.1f} %)"
        )


def tesseract(pictures: list[Path]) -> list[str]:
    """The text of each picture from Tesseract alone."""
    alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    return [
        subprocess.run(
            ["tesseract", str(one), "-", "-l", "eng"],
            check=True,
            capture_output=True,
            text=True,
            env=alone,
        ).stdout
        for one in pictures
    ]


def copystand(program: str, pictures: list[Path], *options: str) -> list[str]:
    """The text of each picture; each is imported separately."""
    texts = []
    for one in pictures:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [program, "import", str(one), "--quiet", *options, "-o", f"{folder}/page.txt"],
                check=True,
                capture_output=True,
                text=True,
            )
            texts.append(Path(f"{folder}/page.txt").read_text())
    return texts


def tally(truths: list[str], texts: list[str]) -> Tally:
    return Tally([right(truth, text) for truth, text in zip(truths, texts)])


def of_data(program: str, folder: Path) -> str:
    """The table of the true scans."""
    if not (folder / "index.json").exists():
        return "The scans of `ocr-dev`: skipped: no data"
    index = json.loads((folder / "index.json").read_text())
    lines = [
        "The scans of `ocr-dev`, each with the profile that fits it:",
        "",
        "| Set | pictures | Tesseract alone | `copystand import` |",
        "|---|---|---|---|",
    ]
    for kind, profile in PROFILES.items():
        rows = [row for row in index if row["kind"] == kind]
        pictures = [folder / row["image"] for row in rows]
        truths = [(folder / row["gt"]).read_text() for row in rows]
        theirs = tally(truths, tesseract(pictures))
        ours = tally(truths, copystand(program, pictures, "--profile", profile))
        lines.append(
            f"| {kind}s, `--profile {profile}` | {len(rows)} | {theirs.shown()} | {ours.shown()} |"
        )
        for row, (a, all_), (b, _) in zip(rows, theirs.pages, ours.pages):
            print(f"  {row['image']}: {a} and {b} of {all_}", file=sys.stderr)
    return "\n".join(lines + ["", "Target: at least as many on every set."])


def of_spoiled(program: str, count: int, seed: int, details: Path | None) -> str:
    """The table of the pages that were spoiled on purpose."""
    each = max(1, count // len(KINDS))
    lines = [
        (
            f"{each} generated pages of each kind (`--pages {each * len(KINDS)} --seed {seed}`),"
            " type of 9 to 11 points, scans of 200 dpi and photographs of 8 megapixels:"
        ),
        "",
        "| Pages | number | Tesseract alone | `copystand import` | points more |",
        "|---|---|---|---|---|",
    ]
    theirs, ours = Tally(), Tally()
    for kind in KINDS:
        made = [
            spoiled(np.random.default_rng([seed, KINDS.index(kind), number]), kind)
            for number in range(each)
        ]
        truths = [one.text for one in made]
        with tempfile.TemporaryDirectory() as work:
            folder = details / kind.replace(" ", "-") if details else Path(work)
            folder.mkdir(parents=True, exist_ok=True)
            pictures = [
                save(folder / f"{number:02}.png", one.picture, one.dpi)
                for number, one in enumerate(made)
            ]
            mine = tally(truths, copystand(program, pictures))
            other = tally(truths, tesseract(pictures))
            if kind == "photographed":
                flat = [
                    save(folder / f"{number:02}-flat.png", one.flattened(), 200)
                    for number, one in enumerate(made)
                ]
                true = tally(truths, copystand(program, flat, "--no-step", "crop"))
        theirs.pages += other.pages
        ours.pages += mine.pages
        lines.append(row(kind, other, mine))
        print(
            f"  {kind}:"
            f" {[f'{a / n:.2f} {b / n:.2f}' for (a, n), (b, _) in zip(other.pages, mine.pages)]}",
            file=sys.stderr,
        )
    lines.append(row("all", theirs, ours))
    lines += ["", "Target: at least 10 points more.", "", of_photographs(mine, true)]
    return "\n".join(lines)


def row(name: str, theirs: Tally, ours: Tally) -> str:
    points = 100 * (ours.recall() - theirs.recall())
    return f"| {name} | {len(ours.pages)} | {theirs.shown()} | {ours.shown()} | {points:+.1f} |"


def of_photographs(found: Tally, true: Tally) -> str:
    """The number of words that are lost by finding the corners, on the photographs that can be
    read."""
    readable = [number for number, (right_, all_) in enumerate(true.pages) if right_ >= 0.97 * all_]
    return (
        f"Of the {len(true.pages)} photographs {len(readable)} are read with a recall of at least"
        f" 0.97 when made rectangular by their true corners (together {true.recall(readable):.3f});"
        f" these reach {found.recall(readable):.3f} when the page is found by the program. Target:"
        " at least 0.95."
    )


def save(place: Path, picture: np.ndarray, dpi: int | None) -> Path:
    image = Image.fromarray(picture[:, :, ::-1])
    image.save(place, compress_level=1, **({"dpi": (dpi, dpi)} if dpi else {}))
    return place


def words(program: str, data: Path, count: int, seed: int, details: Path | None = None) -> str:
    """The tables of both."""
    cv2.setNumThreads(1)
    return f"{of_data(program, data / 'ocr-dev')}\n\n{of_spoiled(program, count, seed, details)}\n"
