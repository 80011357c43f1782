"""Runs the steps that correct pages on generated pages: their orientation, skew and crop.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import cv2
import numpy as np
from PIL import Image

from entries.pages import DPI, scanned
from quads import overlap

from . import glass
from .layouts import ALPHABETS, LAYOUTS, page


def reports(program: str, folder: Path, step: str, profile: str = "none") -> list[dict]:
    """Returns one step's report about each picture in a folder, in the order of the names; the step
    runs alone or within a profile.
    """
    answer = subprocess.run(
        [
            program,
            "import",
            str(folder),
            "-p",
            profile,
            "--step",
            f"{step}=on",
            "--json",
            "--quiet",
            "-o",
            f"{folder}-{profile}.json",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    pages = sorted(json.loads(answer)["pages"], key=lambda one: one["label"])
    return [next(one for one in page["steps"] if one["name"] == step) for page in pages]


def table(
    heads: list[str], rows: list[dict], kinds: list[str], cells: Callable[[list[dict]], list[str]]
) -> str:
    """A line for all rows, and one for the rows of each kind, which is one of their values. `cells`
    makes the columns after name and number.
    """
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for name in ["all", *kinds]:
        of = [row for row in rows if name == "all" or name in row.values()]
        lines.append(f"| {' | '.join([name, str(len(of)), *cells(of)])} |")
    return "\n".join(lines) + "\n\n"


def keep(details: Path | None, name: str, folder: Path, rows: list[dict]) -> None:
    """Keeps the result of each page, and the pictures of those that are `bad`."""
    if not details:
        return
    (details / name).mkdir(parents=True, exist_ok=True)
    (details / f"{name}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for number, row in enumerate(rows):
        if row["bad"]:
            file = next(folder.glob(f"{number:04}.*"))
            (details / name / file.name).write_bytes(file.read_bytes())


def orientation(program: str, folder: Path, count: int, seed: int, details: Path | None) -> str:
    turns = []
    for number in range(count):
        dice = random.Random(f"orientation {seed} {number}")
        # All turns, alphabets and layouts are used in turn.
        turn, alphabet, layout = (
            number % 4,
            list(ALPHABETS)[number // 4 % 3],
            LAYOUTS[number // 12 % 3],
        )
        sheet = scanned(page(dice, layout, alphabet), dice)
        sheet.rotate(90 * turn, expand=True).save(
            folder / f"{number:04}.png", dpi=(DPI, DPI), compress_level=1
        )
        turns.append((turn, alphabet, layout))
    alone, whole = (
        orientation_rows(turns, reports(program, folder, "orientation", name))
        for name in ("none", "document")
    )
    keep(details, "orientation", folder, alone)
    keep(details, "orientation-document", folder, whole)
    heads = [
        "Pages",
        "number",
        "turned wrongly",
        'left though not upright, as "upright already"',
        "left as not known",
    ]
    tables = (
        table(
            heads,
            rows,
            [*ALPHABETS, *LAYOUTS],
            lambda of: [
                str(sum(row["wrong"] for row in of)),
                str(sum(row["claimed"] for row in of)),
                str(sum(row["unsure"] and not row["claimed"] for row in of)),
            ],
        )
        for rows in (alone, whole)
    )
    return (
        "The step alone:\n\n{}The profile `document`, whose reading in English proves what is"
        " likely:\n\n{}".format(*tables)
        + "Target: no wrong turn, at most 3 % not known."
    )


def orientation_rows(turns: list[tuple[int, str, str]], said: list[dict]) -> list[dict]:
    """The reported orientation of pages against the true one."""
    rows = []
    for (turn, alphabet, layout), report in zip(turns, said):
        # The picture was turned counterclockwise, so the same number of clockwise turns makes it
        # upright.
        wrong = report["changed"] and report["measurements"]["angle"] % 360 != 90 * turn
        unsure = not report["changed"] and (turn != 0 or "upright already" not in report["summary"])
        claimed = unsure and "upright already" in report["summary"]
        rows.append(
            {
                "alphabet": alphabet,
                "layout": layout,
                "turn": 90 * turn,
                "wrong": wrong,
                "claimed": claimed,
                "unsure": unsure,
                "bad": wrong or unsure,
                "said": report["summary"],
                **report["measurements"],
            }
        )
    return rows


def deskew(program: str, folder: Path, count: int, seed: int, details: Path | None) -> str:
    angles = []
    for number in range(count):
        dice = random.Random(f"deskew {seed} {number}")
        layout, angle = LAYOUTS[number % 3], dice.uniform(-10, 10)
        turned = page(dice, layout).rotate(angle, resample=Image.BICUBIC, fillcolor=250)
        scanned(turned, dice, lean=0).save(
            folder / f"{number:04}.png", dpi=(DPI, DPI), compress_level=1
        )
        angles.append((layout, angle))
    rows = []
    for (layout, angle), report in zip(angles, reports(program, folder, "deskew")):
        found = (
            report["measurements"].get("angle")
            if report["changed"] or "already straight" in report["summary"]
            else None
        )
        error = abs(angle if found is None else found - angle)
        rows.append(
            {
                "layout": layout,
                "angle": angle,
                "found": found,
                "error": error,
                "bad": error > 0.3,
                "said": report["summary"],
            }
        )
    keep(details, "deskew", folder, rows)
    return (
        table(
            ["Pages", "number", "mean error", "worst", "left as they were"],
            rows,
            LAYOUTS,
            lambda of: [
                f"{mean(row['error'] for row in of):.3f}°",
                f"{max(row['error'] for row in of):.3f}°",
                str(sum(row["found"] is None for row in of)),
            ],
        )
        + "Target: a mean error of at most 0.1°; a page that is left counts with its whole angle."
    )


def crop(program: str, folder: Path, count: int, seed: int, details: Path | None) -> str:
    truths = []
    for number in range(count):
        dice = random.Random(f"crop {seed} {number}")
        lid = glass.LIDS[number % 3]
        picture, corners = glass.scan(dice, page(dice, dice.choice(LAYOUTS)), lid)
        Image.fromarray(picture).save(
            folder / f"{number:04}.png", dpi=(glass.DPI, glass.DPI), compress_level=1
        )
        truths.append((lid, corners, picture.shape[1::-1]))
    rows = []
    for (lid, corners, (width, height)), report in zip(truths, reports(program, folder, "crop")):
        measured = report["measurements"]
        found = (
            [(measured[f"x{corner}"], measured[f"y{corner}"]) for corner in range(1, 5)]
            if report["changed"]
            else [(0, 0), (width, 0), (width, height), (0, height)]
        )
        share = overlap(found, corners)
        rows.append(
            {
                "lid": lid,
                "iou": share,
                "left": not report["changed"],
                "bad": share < 0.98,
                "said": report["summary"],
                "truth": np.round(corners, 1).tolist(),
                "found": found,
            }
        )
    keep(details, "crop", folder, rows)
    return (
        table(
            ["Lid", "scans", "mean IoU", "worst", "IoU of at least 0.98", "left whole"],
            rows,
            glass.LIDS,
            lambda of: [
                f"{mean(row['iou'] for row in of):.4f}",
                f"{min(row['iou'] for row in of):.3f}",
                f"{100 * mean(row['iou'] >= 0.98 for row in of):.0f} %",
                str(sum(row["left"] for row in of)),
            ],
        )
        + "Target: a mean IoU of at least 0.98; a scan that is left whole counts with the whole"
        " glass."
    )


GLASS_SIZE = f"{glass.GLASS[0]} × {glass.GLASS[1]} mm"
PARTS: dict[str, tuple[str, Callable]] = {
    "orientation": (
        (
            "Which way up: pages of 200 dpi in four turns, three alphabets and three layouts, a"
            " little askew, with grain and specks."
        ),
        orientation,
    ),
    "deskew": ("Straightening: pages turned by up to 10° either way.", deskew),
    "crop": (
        (
            f"Cropping: sheets of {len(glass.SHEETS)} sizes on a glass of {GLASS_SIZE} at"
            f" {glass.DPI} dpi, turned by up to 6°, under dark, white and dirty lids."
        ),
        crop,
    ),
}


def pages(program: str, count: int, seed: int, details: Path | None = None) -> str:
    """The tables of all three."""
    cv2.setNumThreads(1)
    parts = []
    for name, (what, part) in PARTS.items():
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work) / name
            folder.mkdir()
            parts.append(
                f"{what} {count} of them (`--pages {count} --seed"
                f" {seed}`).\n\n{part(program, folder, count, seed, details)}"
            )
    return "\n\n".join(parts) + "\n"
