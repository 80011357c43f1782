"""Turns real pages in each way, and counts those that are turned back and those that are left."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from PIL import Image

from .measure import PROFILES

# The turn of a picture, by the clockwise degrees that undo it.
TURNS = {0: None, 90: Image.ROTATE_90, 180: Image.ROTATE_180, 270: Image.ROTATE_270}


def turns(program: str, data: Path) -> str:
    lines = [
        (
            "Real pages, upright and turned, with the reader `tesseract`: the turn that"
            " `orientation` gives them."
        ),
        "",
        "| Pages | back when turned by 90° | 180° | 270° | turned wrongly when upright | other |",
        "|---|---|---|---|---|---|",
    ]
    missed = []
    for name in ("dev2/ocr", "ocr-dev"):
        rows = listed(data / name)
        if not rows:
            lines.append(f"| `{name}` | skipped: no data | | | | |")
            continue
        done: dict[int, Counter] = defaultdict(Counter)
        with tempfile.TemporaryDirectory() as place:
            for picture, kind in rows:
                for degrees in TURNS:
                    given = given_turn(program, picture, kind, degrees, Path(place))
                    done[degrees][given] += 1
                    if given != degrees:
                        missed.append(f"{picture.name} {degrees}° → {given}°")
        back = [f"{done[degrees][degrees] / len(rows):.1%}" for degrees in (90, 180, 270)]
        wrong = len(rows) - done[0][0]
        else_wrong = sum(
            count
            for degrees in (90, 180, 270)
            for given, count in done[degrees].items()
            if given not in (0, degrees)
        )
        lines.append(f"| `{name}`, {len(rows)} | {' | '.join(back)} | {wrong} | {else_wrong} |")
    lines += [
        "",
        "Pages that were not turned back kept their orientation, except those in the last column.",
        *([f"Missed: {', '.join(missed)}."] if missed else []),
    ]
    return "\n".join(lines) + "\n"


def listed(folder: Path) -> list[tuple[Path, str]]:
    """The pictures of a folder, each with its kind."""
    index = folder / "index.json"
    if not index.exists():
        return []
    kinds = {row["image"]: row.get("kind", "receipt") for row in json.loads(index.read_text())}
    return [(folder / image, kind) for image, kind in kinds.items()]


def given_turn(program: str, picture: Path, kind: str, degrees: int, place: Path) -> int:
    """The degrees by which a turned page is turned back."""
    source = place / "page.png"
    page = Image.open(picture)
    resolution = {"dpi": page.info["dpi"]} if "dpi" in page.info else {}
    turned = page if TURNS[degrees] is None else page.transpose(TURNS[degrees])
    turned.save(source, compress_level=1, **resolution)
    command = [program, "import", str(source), "--reader", "tesseract", "--json"]
    command += ["-p", PROFILES.get(kind, "document"), "-o", str(place / "page.json")]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    (place / "page.json").unlink(missing_ok=True)
    steps = json.loads(done.stdout)["pages"][0]["steps"]
    return sum(
        int(step["measurements"].get("angle", 0))
        for step in steps
        if step["name"] == "orientation" and step["changed"]
    )
