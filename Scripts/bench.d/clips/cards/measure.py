"""Watches made-up clips of cards and says which cards were captured, and whether they were cut out
right.
"""

import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

import cv2
import numpy as np

from quads import overlap

from ..make import printed
from ..result import Result, clips, table
from ..watching import SOON_ENOUGH, events

# A capture shows the card that its picture is most like, if it is at least this much like it
# (correlation of the two pictures, 0…1).
LIKE = 0.6
# A capture whose corners overlap less than this with the card's was cut out wrongly. A sleeve's
# edges overlap by 0.92.
OVERLAP = 0.9
# Pictures are compared at this width and height.
SMALL = (66, 92)
# A print is compared without a rim of so many of these pixels, and a capture at these sizes: it may
# be cut out with a sleeve, or a little inside the card's edges.
RIM = 4
SIZES = (0.95, 1, 1.06)


@dataclass
class CardResult(Result):
    """The results of some clips of cards."""

    KIND = "card"
    FAULTS = ("twice", "missed", "strangers", "misplaced", "late")

    once_by_way: Counter = field(default_factory=Counter)
    by_way: Counter = field(default_factory=Counter)
    # Captures cut out at other places than the card's edges.
    misplaced: list[str] = field(default_factory=list)


def small(picture: np.ndarray, size: float = 1) -> np.ndarray:
    """A picture reduced to so many times the size at which pictures are compared."""
    width, height = (round(side * size) for side in SMALL)
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)


def middle(print: np.ndarray) -> np.ndarray:
    """A card's print, reduced and without its rim."""
    return small(print)[RIM:-RIM, RIM:-RIM]


def delivered(pdf: Path, work: Path) -> list[np.ndarray]:
    """The pictures of a PDF's pages, reduced."""
    name = work / f"{pdf.stem}-page"
    subprocess.run(["pdftoppm", "-png", "-r", "72", str(pdf), str(name)], check=True)
    files = sorted(work.glob(f"{name.name}-*.png"), key=lambda file: int(file.stem.split("-")[-1]))
    return [cv2.imread(str(file)) for file in files]


def identify(picture: np.ndarray, prints: list[np.ndarray]) -> int | None:
    """The number of the card that a captured picture shows, whichever way up."""
    views = [
        small(np.ascontiguousarray(np.rot90(picture, turns)), size)
        for turns in range(4)
        for size in SIZES
    ]

    def likeness(print: np.ndarray) -> float:
        return max(cv2.matchTemplate(one, print, cv2.TM_CCOEFF_NORMED).max() for one in views)

    found = [likeness(print) for print in prints]
    best = int(np.argmax(found))
    return best + 1 if found[best] >= LIKE else None


def score(result: CardResult, clip: Path, truth: dict, seen: list[tuple[dict, np.ndarray]]) -> None:
    """Adds a clip to the result; `seen` is the event and the delivered picture of each capture."""
    count = len(truth["texts"])
    prints = [middle(cv2.imread(str(printed(clip, number)))) for number in range(1, count + 1)]
    result.begin()
    for event, picture in seen:
        time = event["time"]
        card = identify(picture, prints)
        name = result.name(clip, card, time)
        if card is None:
            result.strangers.append(name)
            continue
        place = result.add(name, card, time, truth)
        if place and event.get("corners"):
            result.overlaps.append(overlap(event["corners"], place["corners"]))
            if result.overlaps[-1] < OVERLAP:
                result.misplaced.append(f"{name} (overlap {result.overlaps[-1]:.3f})")
    visible, once = result.end(clip, truth)
    result.by_way[truth["way"]] += visible
    result.once_by_way[truth["way"]] += once


def measure(program: str, folder: Path, work: Path, numbers: tuple[int, int]) -> CardResult:
    """Watches the clips of (how many cards, which seed)."""
    result = CardResult()
    for clip, truth in clips(folder, *numbers, cards=True):
        pdf = work / f"{clip.stem}-cards.pdf"
        captured = events(program, clip, pdf, "--profile", "card")
        pictures = delivered(pdf, work) if captured else []
        if len(pictures) != len(captured):
            raise RuntimeError(
                f"{len(captured)} cards of {clip} were captured and {len(pictures)} delivered"
            )
        score(result, clip, truth, list(zip(captured, pictures)))
    result.show_faults()
    return result


WAYS = {"single": "laid down one by one", "stack": "stacked", "fan": "fanned"}


def report(result: CardResult, seed: int) -> str:
    """The result as a table."""

    def rows():
        wanted = f"at least {0.97 * result.pages:.0f}"
        yield "captured exactly once", f"{result.once} of {result.pages}", wanted
        for way, words in WAYS.items():
            if result.by_way[way]:
                yield f"of those {words}", f"{result.once_by_way[way]} of {result.by_way[way]}", "-"
        yield "captured twice or more", f"{len(result.twice)}", "0"
        yield "missed", f"{len(result.missed)}", "-"
        yield "captures of no card", f"{len(result.strangers)}", "0"
        if result.overlaps:
            yield "overlap (IoU) of the corners, mean", f"{mean(result.overlaps):.3f}", "-"
            yield f"overlap below {OVERLAP}", f"{len(result.misplaced)}", "0"
            yield "from steady to captured, median", f"{median(result.delays):.2f} s", "-"
            yield f"captured later than {SOON_ENOUGH:.2f} s", f"{len(result.late)}", "-"

    number = result.pages + result.cut_off
    head = (
        f"{number} trading cards in made-up clips (`--pages {number} --seed {seed}`), watched with"
        " the profile `card`: laid down, slid, stacked, fanned, one in six held up to the camera"
        " for a second; with sleeves, foil and a lamp that they reflect, on desks, felt and mats"
        f" with pictures. Not counted among them: {result.cut_off} with a corner beyond the"
        " picture's edge all the time."
    )
    return table(head, "card", rows())
