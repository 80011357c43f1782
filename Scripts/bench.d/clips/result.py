"""What watching clips of pages or cards gives, and the table of it."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .make import make
from .watching import SOON_ENOUGH, is_in_view, waited


@dataclass
class Result:
    """The results of some clips, of pages or of cards; both are called pages here."""

    #: The word for one page.
    KIND = "page"
    #: The lists of faults that are written to standard error.
    FAULTS = ("twice", "missed", "strangers", "late")

    pages: int = 0
    # Pages with a corner always outside the picture, and those of them that were captured: `watch`
    # asks the user to push such a page.
    cut_off: int = 0
    cut_off_captured: int = 0
    once: int = 0
    twice: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    # Captures that show no page of the clip.
    strangers: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)
    captured: Counter = field(default_factory=Counter)

    def begin(self) -> None:
        """Counts the captures of the next clip."""
        self.captured = Counter()

    def name(self, clip: Path, page: int | None, time: float) -> str:
        """A capture, for messages."""
        return f"{clip.stem} {self.KIND} {page} at {time:.2f} s"

    def add(self, name: str, page: int, time: float, truth: dict) -> dict | None:
        """Counts a capture of a page, and for its first capture how long the page had been steady;
        the place where the page lay, unless it was moving.
        """
        self.captured[page] += 1
        found = waited(time, page, truth)
        if not found:
            return None
        delay, place = found
        if self.captured[page] == 1:
            self.delays.append(delay)
            if round(delay, 3) > SOON_ENOUGH:
                self.late.append(f"{name} ({delay:.2f} s)")
        return place

    def end(self, clip: Path, truth: dict) -> tuple[int, int]:
        """Adds the pages of a clip by how often each was captured; how many could be captured, and
        how many of those were captured once.
        """
        steady = truth["steady"]
        in_view = {one["page"] for one in steady if is_in_view(one["corners"], truth["size"])}
        once = 0
        for page in range(1, len(truth["texts"]) + 1):
            times = self.captured[page]
            if times > 1:
                self.twice.append(f"{clip.stem} {self.KIND} {page} ({times} times)")
            if page not in in_view:
                self.cut_off += 1
                self.cut_off_captured += times > 0
                continue
            once += times == 1
            if times == 0:
                self.missed.append(f"{clip.stem} {self.KIND} {page}")
        self.pages += len(in_view)
        self.once += once
        return len(in_view), once

    def show_faults(self) -> None:
        """Writes each fault to standard error."""
        for kind in self.FAULTS:
            for one in getattr(self, kind):
                print(f"  {kind}: {one}", file=sys.stderr)


def clips(folder: Path, pages: int, seed: int, cards: bool = False) -> Iterator[tuple[Path, dict]]:
    """The clips of a seed and their truth, made when they are missing."""

    def progress(name: str) -> None:
        print(f"  making {name}", file=sys.stderr)

    for clip in make(folder, pages, seed, progress, cards):
        print(f"  watching {clip.name}", file=sys.stderr)
        yield clip, json.loads(clip.with_suffix(".json").read_text())


def table(head: str, kind: str, rows: Iterable[tuple[str, str, str]]) -> str:
    """Rows of a measure, its value and its target, below a paragraph."""
    lines = [head, "", f"| Of the {kind}s | | target |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} |" for a, b, c in rows), ""])
