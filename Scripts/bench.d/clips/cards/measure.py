"""Watches made-up clips of cards and says which cards were captured, and whether they were cut out
right.
"""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

import cv2
import numpy as np

from quads import overlap

from ..make import make, printed
from ..watching import SOON_ENOUGH, events, is_in_view, waited

# A capture shows the card that its picture is most like, if it is at least this much like it
# (correlation of the two pictures, 0…1).
LIKE = 0.5
# A capture whose corners overlap less than this with the card's was cut out wrongly. A sleeve's
# edges overlap by 0.92.
OVERLAP = 0.9
# Pictures are compared at this width and height.
SMALL = (33, 46)


@dataclass
class Result:
    """The results of some clips."""

    cards: int = 0
    cut_off: int = 0
    once: int = 0
    once_by_way: Counter = field(default_factory=Counter)
    by_way: Counter = field(default_factory=Counter)
    twice: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    # Captures that show no card of the clip.
    strangers: list[str] = field(default_factory=list)
    # Captures cut out at other places than the card's edges.
    misplaced: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)


def small(picture: np.ndarray) -> np.ndarray:
    """A picture reduced, without its brightness and contrast, so that products are correlations."""
    levels = cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA).astype(np.float64)
    levels -= levels.mean((0, 1))
    return levels / max(np.linalg.norm(levels), 1e-9)


def delivered(pdf: Path, work: Path) -> list[np.ndarray]:
    """The pictures of a PDF's pages, reduced."""
    name = work / f"{pdf.stem}-page"
    subprocess.run(["pdftoppm", "-png", "-r", "72", str(pdf), str(name)], check=True)
    files = sorted(work.glob(f"{name.name}-*.png"), key=lambda file: int(file.stem.split("-")[-1]))
    return [cv2.imread(str(file)) for file in files]


def identify(picture: np.ndarray, prints: list[np.ndarray]) -> int | None:
    """The number of the card that a captured picture shows, whichever way up."""
    turned = [small(np.ascontiguousarray(np.rot90(picture, turns))) for turns in range(4)]
    likeness = [max(float((one * print).sum()) for one in turned) for print in prints]
    best = int(np.argmax(likeness))
    return best + 1 if likeness[best] >= LIKE else None


def score(result: Result, clip: Path, truth: dict, seen: list[tuple[dict, np.ndarray]]) -> None:
    """Adds a clip to the result; `seen` is the event and the delivered picture of each capture."""
    count = len(truth["texts"])
    prints = [small(cv2.imread(str(printed(clip, number)))) for number in range(1, count + 1)]
    steady = truth["steady"]
    in_view = {one["page"] for one in steady if is_in_view(one["corners"], truth["size"])}
    found: Counter = Counter()
    for event, picture in seen:
        time = event["time"]
        card = identify(picture, prints)
        name = f"{clip.stem} card {card} at {time:.2f} s"
        if card is None:
            result.strangers.append(name)
            continue
        found[card] += 1
        lay = waited(time, card, truth)
        if not lay:
            continue
        if found[card] == 1:
            result.delays.append(lay[0])
            if round(lay[0], 3) > SOON_ENOUGH:
                result.late.append(f"{name} ({lay[0]:.2f} s)")
        if event.get("corners"):
            result.overlaps.append(overlap(event["corners"], lay[1]["corners"]))
            if result.overlaps[-1] < OVERLAP:
                result.misplaced.append(f"{name} (overlap {result.overlaps[-1]:.3f})")
    for card in range(1, count + 1):
        if found[card] > 1:
            result.twice.append(f"{clip.stem} card {card} ({found[card]} times)")
        if card not in in_view:
            result.cut_off += 1
            continue
        result.cards += 1
        result.by_way[truth["way"]] += 1
        result.once += found[card] == 1
        result.once_by_way[truth["way"]] += found[card] == 1
        if found[card] == 0:
            result.missed.append(f"{clip.stem} card {card}")


def measure(program: str, folder: Path, work: Path, numbers: tuple[int, int]) -> Result:
    """Watches the clips of (how many cards, which seed)."""
    result = Result()
    cards, seed = numbers

    def progress(name: str) -> None:
        print(f"  making {name}", file=sys.stderr)

    for clip in make(folder, cards, seed, progress, cards=True):
        print(f"  watching {clip.name}", file=sys.stderr)
        truth = json.loads(clip.with_suffix(".json").read_text())
        pdf = work / f"{clip.stem}-cards.pdf"
        captured = events(program, clip, pdf, "--profile", "card")
        pictures = delivered(pdf, work) if captured else []
        if len(pictures) != len(captured):
            raise RuntimeError(
                f"{len(captured)} cards of {clip} were captured and {len(pictures)} delivered"
            )
        score(result, clip, truth, list(zip(captured, pictures)))
    for kind in ("twice", "missed", "strangers", "misplaced", "late"):
        for one in getattr(result, kind):
            print(f"  {kind}: {one}", file=sys.stderr)
    return result


WAYS = {"single": "laid down one by one", "stack": "stacked", "fan": "fanned"}


def report(result: Result, seed: int) -> str:
    """The result as a table."""

    def rows():
        wanted = f"at least {0.97 * result.cards:.0f}"
        yield "captured exactly once", f"{result.once} of {result.cards}", wanted
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

    number = result.cards + result.cut_off
    head = (
        f"{number} trading cards in made-up clips (`--pages {number} --seed {seed}`), watched with"
        " the profile `card`: laid down, slid, stacked, fanned, one in six held up to the camera"
        " for a second; with sleeves, foil and a lamp that they reflect, on desks, felt and mats"
        f" with pictures. Not counted among them: {result.cut_off} with a corner beyond the"
        " picture's edge all the time."
    )
    lines = [head, "", "| Of the cards | | target |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} |" for a, b, c in rows()), ""])
