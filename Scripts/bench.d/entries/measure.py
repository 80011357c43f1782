"""Reads generated booklets with the built program and counts the entries whose beginning and end
are right.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from difflib import SequenceMatcher
from pathlib import Path

from .pages import Booklet, Entry, scanned

PAGES_A_BOOKLET = 4
#: The number of words at either end of an entry that must be there.
EDGE = 4


def make(folder: Path, pages: int, seed: int) -> list[tuple[Path, Booklet]]:
    """Booklets with `pages` pages in total, each a folder of pictures."""
    made = []
    for number in range(0, pages, PAGES_A_BOOKLET):
        dice = random.Random(f"{seed} {number}")
        booklet = Booklet(dice, min(PAGES_A_BOOKLET, pages - number))
        place = folder / f"booklet-{number // PAGES_A_BOOKLET:03}"
        place.mkdir(parents=True)
        for index, sheet in enumerate(booklet.pages):
            scanned(sheet, dice).save(
                place / f"{index + 1:02}.png", dpi=(200, 200), compress_level=1
            )
        made.append((place, booklet))
    return made


def plain(words: list[str]) -> str:
    return "".join(letter for word in words for letter in word.lower() if letter.isalnum())


def alike(left: str, right: str) -> bool:
    return SequenceMatcher(None, left, right, autojunk=False).ratio() >= 0.75


def matches(target: Entry, found: dict) -> tuple[bool, bool]:
    """Returns whether the found entry begins at the right place, and whether it also ends there."""
    words = (found.get("text") or "").split()
    starts = (
        found["pages"][0] == wanted.pages[0]
        and (found.get("number") or "").lower() == wanted.number.lower()
        and alike(plain(words[:EDGE]), plain(wanted.words[:EDGE]))
    )
    ends = found["pages"][-1] == wanted.pages[-1] and alike(
        plain(words[-EDGE:]), plain(wanted.words[-EDGE:])
    )
    return starts, starts and ends


def score(target: list[Entry], found: list[dict]) -> tuple[int, int]:
    """The number of entries that begin at the right place, and of those that also end at the
    right place; each found entry counts once."""
    starts = ends = 0
    left = list(found)
    for entry in wanted:
        best = max(left, key=lambda one: matches(entry, one), default=None)
        if best is None or not matches(entry, best)[0]:
            continue
        left.remove(best)
        starts += 1
        ends += matches(entry, best)[1]
    return starts, ends


def f1(right: int, wanted: int, found: int) -> float:
    return 2 * right / max(1, wanted + found)


def entries(program: str, pages: int, seed: int, details: Path | None = None) -> str:
    rows: dict[str, list[int]] = {}
    titles = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for place, booklet in make(Path(folder), pages, seed):
            out = place.with_suffix(".json")
            subprocess.run(
                [program, "import", str(place), "--profile", "entries", "-o", str(out), "--quiet"],
                check=True,
                capture_output=True,
            )
            found = json.loads(out.read_text())["entries"]
            starts, ends = score(booklet.entries, found)
            for name in (
                "all",
                f"{booklet.columns} column{'s' if booklet.columns > 1 else ''}",
                (
                    f"numbered {booklet.numbering}"
                    if booklet.numbering != "titles"
                    else "titles alone"
                ),
            ):
                row = rows.setdefault(name, [0, 0, 0, 0, 0])
                for index, value in enumerate(
                    (len(booklet.pages), len(booklet.entries), len(found), starts, ends)
                ):
                    row[index] += value
            if details:
                details.mkdir(parents=True, exist_ok=True)
                (details / f"{place.name}.json").write_text(
                    json.dumps(
                        {
                            "numbering": booklet.numbering,
                            "columns": booklet.columns,
                            "starts": starts,
                            "ends": ends,
                            "wanted": [vars(entry) for entry in booklet.entries],
                            "found": found,
                        },
                        indent=1,
                    )
                )
            for entry in booklet.entries:
                titles[1] += 1
                titles[0] += any(
                    matches(entry, one)[0] and alike(plain([one["title"]]), plain([entry.title]))
                    for one in found
                )
    lines = [
        (
            f"{pages} generated pages (`--pages {pages} --seed {seed}`) of 200 dpi in booklets of"
            f" {PAGES_A_BOOKLET}: one and two columns, numbers of five kinds or titles alone,"
            " hanging or not, running heads and page numbers, a little askew, specks and grain."
        ),
        "",
        "| Pages | number | entries | found | F1, begin rightly | F1, begin and end rightly |",
        "|---|---|---|---|---|---|",
    ]
    for name, (count, wanted, found, starts, ends) in sorted(
        rows.items(), key=lambda row: (row[0] != "all", row[0])
    ):
        lines.append(
            f"| {name} | {count} | {wanted} | {found} | {f1(starts, wanted, found):.3f} |"
            f" {f1(ends, wanted, found):.3f} |"
        )
    lines += ["", f"Target: F1 of at least 0.95. Titles right: {titles[0]} of {titles[1]}."]
    return "\n".join(lines) + "\n"
