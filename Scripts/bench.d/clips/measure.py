"""Watches generated clips and reports which pages were captured, when, and how well they can be
read."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from PIL import Image

from quads import overlap
from score import page_texts, words

from .make import printed
from .result import Result, clips, table
from .watching import SOON_ENOUGH, events

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
class PageResult(Result):
    """The results of some clips of pages."""

    FAULTS = ("twice", "missed", "blurred", "strangers", "late", "squeezed")

    blurred: list[str] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
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
    result: PageResult, clip: Path, truth: dict, captures: list[Capture], clean: list[float]
) -> None:
    """Adds a clip to the result."""
    texts = [words(text) for text in truth["texts"]]
    result.begin()
    for capture in captures:
        capture.page = identify(capture, truth, texts)
        name = result.name(clip, capture.page, capture.time)
        if capture.page is None:
            result.strangers.append(name)
            continue
        recall = share(texts[capture.page - 1], capture.text) / max(clean[capture.page - 1], 1e-6)
        result.recalls.append(min(1, recall))
        if recall < READABLE:
            result.blurred.append(f"{name} ({100 * recall:.0f} % of its words)")
        off = abs(capture.shape / true_shape(clip, capture.page) - 1)
        result.shapes.append(off)
        if off > TRUE_SHAPE:
            result.squeezed.append(f"{name} (by {100 * off:.1f} %)")
        place = result.add(name, capture.page, capture.time, truth)
        if place and capture.corners:
            result.overlaps.append(overlap(capture.corners, place["corners"]))
    result.end(clip, truth)


def measure(program: str, folder: Path, work: Path, pages: int, seed: int) -> PageResult:
    """Watches the clips of a seed."""
    result = PageResult()
    for clip, truth in clips(folder, pages, seed):
        captures = watch(program, clip, work)
        score(result, clip, truth, captures, clean_shares(program, clip, truth, work))
    result.show_faults()
    return result


def report(result: PageResult, seed: int) -> str:
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
    head = (
        f"{number} pages in made-up clips (`--pages {number} --seed {seed}`; 720p at 30 frames a"
        " second and 1080p at 15, in turn), watched as recordings: pages laid down, dropped, piled,"
        " turned over, pushed and taken away by a hand, lamps, focus, bumps, noise. Not counted"
        f" among them: {result.cut_off} that had a corner beyond the picture's edge all the time,"
        f" of which {result.cut_off_captured} were captured."
    )
    return table(head, "page", rows())
