"""Watches generated clips and reports which pages were captured, when, and how well they can be
read."""

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from PIL import Image

from quads import overlap
from score import page_texts, words

from .make import make, printed
from .watching import SOON_ENOUGH, events, is_in_view, waited

# A captured page counts as blurred if less than this part of the clean page's text can be read.
READABLE = 0.8
# A page whose longer side over its shorter is farther than this from the true one is squeezed.
TRUE_SHAPE = 0.02


@dataclass
class Capture:
    """A page that a run captured."""

    time: float
    corners: list[list[float]] | None
    text: Counter
    # The delivered page's longer side over its shorter.
    shape: float
    page: int | None = None


@dataclass
class Result:
    """The results of some clips."""

    pages: int = 0
    # Pages with a corner always outside the picture, and those of them that were captured: `watch`
    # asks the user to push such a page.
    cut_off: int = 0
    cut_off_captured: int = 0
    once: int = 0
    twice: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    blurred: list[str] = field(default_factory=list)
    # Captures that show no page of the clip.
    strangers: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
    overlaps: list[float] = field(default_factory=list)
    # The relative error of each page's shape, as a share of the true shape.
    shapes: list[float] = field(default_factory=list)
    squeezed: list[str] = field(default_factory=list)


def share(truth: Counter, text: Counter) -> float:
    """The part of the true words that were read."""
    return sum((truth & text).values()) / max(1, sum(truth.values()))


def watch(program: str, clip: Path, work: Path) -> list[Capture]:
    """The pages that `copystand watch` captures of a clip, in order."""
    pdf = work / f"{clip.stem}.pdf"
    captured = events(program, clip, pdf)
    if not captured:
        return []
    texts, shapes = page_texts(pdf), page_shapes(pdf)
    if not len(texts) == len(shapes) == len(captured):
        raise RuntimeError(
            f"{len(captured)} pages of {clip} were captured and {len(texts)} delivered"
        )
    return [
        Capture(event["time"], event.get("corners"), words(text), shape)
        for event, text, shape in zip(captured, texts, shapes)
    ]


def page_shapes(pdf: Path) -> list[float]:
    """For each page of a PDF, the ratio of its longer side to its shorter side."""
    lines = subprocess.run(
        ["pdfinfo", "-l", "-1", str(pdf)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    sizes = [re.fullmatch(r"Page +\d+ size: +(\S+) x (\S+) pts.*", line) for line in lines]
    sides = [sorted(map(float, size.groups())) for size in sizes if size]
    return [longer / shorter for shorter, longer in sides]


def true_shape(clip: Path, number: int) -> float:
    """The printed page's longer side over its shorter."""
    with Image.open(printed(clip, number)) as picture:
        return max(picture.size) / min(picture.size)


def clean_shares(program: str, clip: Path, truth: dict, work: Path) -> list[float]:
    """The part of each page's words that can be read on the printed page."""
    pictures = [printed(clip, number) for number in range(1, len(truth["texts"]) + 1)]
    pdf = work / f"{clip.stem}-clean.pdf"
    subprocess.run(
        [program, "import", "-q", *map(str, pictures), "-o", str(pdf)],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return [share(words(true), words(read)) for true, read in zip(truth["texts"], page_texts(pdf))]


def identify(capture: Capture, truth: dict, texts: list[Counter]) -> int | None:
    """The page that a capture shows: by its words, or, if too few can be read, by the page that was
    there at the time.
    """
    shares = [share(text, capture.text) for text in texts]
    best = max(range(len(texts)), key=shares.__getitem__)
    if shares[best] >= 0.3:
        return best + 1
    frame = min(round(capture.time * truth["rate"]), len(truth["tops"]) - 1)
    return truth["tops"][max(0, frame)] or None


def score(
    result: Result, clip: Path, truth: dict, captures: list[Capture], clean: list[float]
) -> None:
    """Adds a clip to the result."""
    texts = [words(text) for text in truth["texts"]]
    in_view = {one["page"] for one in truth["steady"] if is_in_view(one["corners"], truth["size"])}
    seen: Counter = Counter()
    for capture in captures:
        capture.page = identify(capture, truth, texts)
        name = f"{clip.stem} page {capture.page} at {capture.time:.2f} s"
        if capture.page is None:
            result.strangers.append(name)
            continue
        seen[capture.page] += 1
        recall = share(texts[capture.page - 1], capture.text) / max(clean[capture.page - 1], 1e-6)
        result.recalls.append(min(1, recall))
        if recall < READABLE:
            result.blurred.append(f"{name} ({100 * recall:.0f} % of its words)")
        off = abs(capture.shape / true_shape(clip, capture.page) - 1)
        result.shapes.append(off)
        if off > TRUE_SHAPE:
            result.squeezed.append(f"{name} (by {100 * off:.1f} %)")
        lay = waited(capture.time, capture.page, truth)
        if lay and seen[capture.page] == 1:
            result.delays.append(lay[0])
            if round(lay[0], 3) > SOON_ENOUGH:
                result.late.append(f"{name} ({lay[0]:.2f} s)")
        if lay and capture.corners:
            result.overlaps.append(overlap(capture.corners, lay[1]["corners"]))
    for page in range(1, len(texts) + 1):
        if seen[page] > 1:
            result.twice.append(f"{clip.stem} page {page} ({seen[page]} times)")
        if page not in in_view:
            result.cut_off += 1
            result.cut_off_captured += seen[page] > 0
            continue
        result.pages += 1
        result.once += seen[page] == 1
        if seen[page] == 0:
            result.missed.append(f"{clip.stem} page {page}")


def measure(program: str, folder: Path, work: Path, pages: int, seed: int) -> Result:
    """Watches the clips of a seed."""
    result = Result()
    for clip in make(folder, pages, seed, lambda name: print(f"  making {name}", file=sys.stderr)):
        print(f"  watching {clip.name}", file=sys.stderr)
        truth = json.loads(clip.with_suffix(".json").read_text())
        captures = watch(program, clip, work)
        score(result, clip, truth, captures, clean_shares(program, clip, truth, work))
    for kind in ("twice", "missed", "blurred", "strangers", "late", "squeezed"):
        for one in getattr(result, kind):
            print(f"  {kind}: {one}", file=sys.stderr)
    return result


def report(result: Result, seed: int) -> str:
    """The result as a table."""

    def rows():
        yield (
            "captured exactly once",
            f"{result.once} of {result.pages}",
            f"at least {0.98 * result.pages:.0f}",
        )
        yield "captured twice or more", f"{len(result.twice)}", "0"
        yield "missed", f"{len(result.missed)}", "-"
        yield (
            f"blurred (under {100 * READABLE:.0f} % of the clean page's words)",
            f"{len(result.blurred)}",
            "0",
        )
        yield "captures of no page", f"{len(result.strangers)}", "0"
        if result.delays:
            yield "from steady to captured, median", f"{median(result.delays):.2f} s", "-"
            yield (
                "from steady to captured, worst",
                f"{max(result.delays):.2f} s",
                f"at most {SOON_ENOUGH:.2f} s",
            )
            yield f"captured later than {SOON_ENOUGH:.2f} s", f"{len(result.late)}", "0"
            yield (
                "word recall against the clean page, mean",
                f"{mean(result.recalls):.3f}",
                "at least 0.95",
            )
            yield (
                "overlap (IoU) of the corners with the true ones, mean",
                f"{mean(result.overlaps or [0]):.3f}",
                "-",
            )
            yield (
                "longer side over shorter, farthest from the page's own",
                f"{100 * max(result.shapes):.1f} %",
                "-",
            )
            yield f"farther than {100 * TRUE_SHAPE:.0f} %", f"{len(result.squeezed)}", "0"

    number = result.pages + result.cut_off
    return "\n".join(
        [
            (
                f"{number} pages in made-up clips (`--pages {number} --seed {seed}`; 720p at 30"
                " frames a second and 1080p at 15, in turn), watched as recordings: pages laid"
                " down, dropped, piled, turned over, pushed and taken away by a hand, lamps,"
                f" focus, bumps, noise. Not counted among them: {result.cut_off} that had a corner"
                f" beyond the picture's edge all the time, of which {result.cut_off_captured} were"
                " captured."
            ),
            "",
            "| Of the pages | | target |",
            "|---|---|---|",
            *(f"| {a} | {b} | {c} |" for a, b, c in rows()),
            "",
        ]
    )
