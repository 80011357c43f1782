"""Measures how well `copystand detect` finds pages, side by side with the usual OpenCV pipeline."""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import cv2
import numpy as np

import detection_rims
import detection_scenes
import detection_worst
import reliability
from quads import overlap

# OpenCV's pipeline works on a picture of this many pixels on its longer side, as most scanners
# built on it do.
WORKING_SIDE = 500


@dataclass
class Found:
    """A detector's answer for one picture."""

    corners: list[list[float]] | None
    milliseconds: float
    confidence: float = 0


def contours(path: Path) -> Found:
    """Canny → contours → approxPolyDP: the largest convex outline with four corners. The time is
    without decoding.
    """
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    start = time.perf_counter()
    scale = WORKING_SIDE / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    # Edges are widened to close small gaps.
    edges = cv2.dilate(cv2.Canny(gray, 50, 150), np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    quads = []
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:10]:
        corners = cv2.approxPolyDP(outline, 0.02 * cv2.arcLength(outline, True), True)
        if (
            len(corners) == 4
            and cv2.isContourConvex(corners)
            and cv2.contourArea(corners) > 0.03 * gray.size
        ):
            quads.append(corners)
    best = max(quads, key=cv2.contourArea, default=None)
    quad = None if best is None else (best.reshape(4, 2) / scale).tolist()
    return Found(quad, 1000 * (time.perf_counter() - start))


def copystand(program: str, paths: list[Path], *options: str) -> list[Found]:
    """Sends all pictures through the program, on one core."""
    # Detector and decoder share one core, so that threads give no advantage.
    run = subprocess.run(
        ["taskset", "-c", "0", program, "detect", "--json", *options, *map(str, paths)],
        capture_output=True,
        text=True,
    )
    entries = json.loads(run.stdout)
    broken = [entry for entry in entries if "error" in entry]
    if broken or len(entries) != len(paths):
        raise RuntimeError(
            f"{len(entries)} answers for {len(paths)} pictures, {len(broken)} could not be read:"
            f" {run.stderr[-500:]}"
        )
    return [
        Found(entry["corners"], entry["milliseconds"], entry["confidence"]) for entry in entries
    ]


def row(name: str, group: str, truths: list, found: list[Found]) -> str:
    shares = [
        overlap(one.corners, truth) if one.corners else 0 for one, truth in zip(found, truths)
    ]
    times = [one.milliseconds for one in found]
    return (
        f"| {group} | {name} | {len(shares)} | {mean(shares):.3f} |"
        f" {100 * mean(float(share > 0.9) for share in shares):.0f} % |"
        f" {sum(one.corners is None for one in found)} | {median(times):.1f} |"
    )


@dataclass
class Set:
    """Pictures of one kind with the program's results."""

    name: str
    pictures: list[dict]
    found: list[Found]

    def overlaps(self) -> Iterator[tuple[dict, Found, float]]:
        """Each picture with its result and the overlap of that with the true page: 0 without a
        result.
        """
        for picture, one in zip(self.pictures, self.found):
            true = picture.get("corners")
            yield picture, one, overlap(one.corners, true) if one.corners and true else 0

    def answers(self) -> list[tuple[float, float]]:
        """The stated confidence and the overlap of each detection."""
        return [(one.confidence, share) for _, one, share in self.overlaps() if one.corners]

    def worst(self, number: int) -> list[tuple[dict, Found, float]]:
        """The pages with the worst results, and the false pages with the highest confidence."""

        def badness(entry: tuple[dict, Found, float]) -> float:
            picture, one, share = entry
            return 1 - share if "corners" in picture else one.confidence

        return sorted(self.overlaps(), key=badness, reverse=True)[:number]


def measure(program: str, bench: str, data: Path, runs: int, details: Path | None) -> str:
    """The tables: photographs, generated pictures, confidence, and the time for a camera's frame.
    """
    cv2.setNumThreads(1)
    sets, parts = [], []
    folder = data / "quads-dev"
    if (folder / "quads.jsonl").exists():
        text, photographs = of_photographs(program, folder, runs)
        parts.append(text)
        sets.append(photographs)
    else:
        parts.append("skipped: no data for the photographs")
    folder = data / "dev2" / "quads"
    parts.append(
        of_cards(program, folder)
        if (folder / "quads.jsonl").exists()
        else "skipped: no data for the cards"
    )
    if (folder / "negatives.jsonl").exists():
        parts.append(of_rims(program, folder))
    parts.append(of_spreads(program))
    text, drawn = of_scenes(program)
    parts.append(text)
    sets.append(drawn)
    parts.append("A detection is right when its IoU is at least 0.9; by stated confidence:")
    parts += ["\n".join(reliability.table(one.name, one.answers())) for one in sets]
    photo = next(
        (picture["path"] for picture in sets[0].pictures if picture["path"].suffix == ".jpg"), None
    )
    parts.append(of_frames(bench, photo))
    if details:
        write_details(details, sets)
    return "\n\n".join(parts) + "\n"


def of_frames(bench: str, photo: Path) -> str:
    """The processor time for finding the page in one frame that is in memory already."""
    run = subprocess.run(
        ["taskset", "-c", "0", bench, "frame", str(photo)],
        capture_output=True,
        text=True,
        check=True,
    )
    first, *rows = run.stdout.strip().splitlines()
    return "\n".join(
        [f"A camera's frame in memory, {first}:", "", "| Frame | ms |", "|---|---|", *rows]
    )


def of_scenes(program: str) -> tuple[str, Set]:
    """Generated pictures with a page and empty desks."""
    pictures = detection_scenes.read(detection_scenes.generated())
    drawn = Set(
        "generated", pictures, copystand(program, [picture["path"] for picture in pictures])
    )
    paged = [
        (picture["tags"][0], share)
        for picture, _, share in drawn.overlaps()
        if "corners" in picture
    ]
    lines = [
        (
            f"{len(paged)} generated pictures with a page and {len(pictures) - len(paged)} empty"
            " desks, of seeds, fonts, documents and surfaces that training never sees:"
        ),
        "",
        "| Kind | number | mean IoU | IoU > 0.9 |",
        "|---|---|---|---|",
    ]
    for kind in [None, *sorted({kind for kind, _ in paged})]:
        shares = [share for one, share in paged if kind in (None, one)]
        lines.append(
            f"| {kind or 'all'} | {len(shares)} | {mean(shares):.3f} |"
            f" {100 * mean(float(share > 0.9) for share in shares):.0f} % |"
        )
    empty = [one for picture, one in zip(pictures, drawn.found) if "corners" not in picture]
    lines += [
        "",
        "| Confidence of at least | false pages on empty desks | pages kept |",
        "|---|---|---|",
    ]
    for least in (0.3, 0.6, 0.85):
        false = mean(float(one.corners is not None and one.confidence >= least) for one in empty)
        kept = mean(
            float(one.corners is not None and one.confidence >= least)
            for picture, one in zip(pictures, drawn.found)
            if "corners" in picture
        )
        lines.append(f"| {least} | {100 * false:.1f} % | {100 * kept:.0f} % |")
    return "\n".join(lines), drawn


def of_cards(program: str, folder: Path) -> str:
    """The table for photographs of trading cards and pages, with and without the kind of object
    being named, and for pictures without either.
    """
    pictures = detection_scenes.read(folder)
    lines = [
        (
            "Photographs that no training saw (`dev2/quads`): cards on tables, mats and paper and"
            " in hands,"
        ),
        (
            "pages, and pictures without either. The weights of `--profile card` were set with the"
            " same photographs:"
        ),
        "",
        (
            "| Pictures | Options | number | mean IoU | IoU > 0.9 | right ones over 0.6 | false"
            " pages over 0.6 |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    for name, subset, options in (
        ("cards", "tcg", ()),
        ("cards", "tcg", ("--profile", "card")),
        ("pages", "page2", ()),
    ):
        chosen = [picture for picture in pictures if picture.get("subset") == subset]
        found = copystand(program, [picture["path"] for picture in chosen], *options)
        shares = [
            (
                max(
                    overlap(one.corners, true)
                    for true in (picture["corners"], picture.get("also"))
                    if true
                )
                if one.corners
                else 0
            )
            for picture, one in zip(chosen, found)
        ]
        sure = [one.confidence > 0.6 for one, share in zip(found, shares) if share > 0.9]
        empty = copystand(
            program, [picture["path"] for picture in pictures if "corners" not in picture], *options
        )
        false = sum(one.corners is not None and one.confidence > 0.6 for one in empty)
        lines.append(
            f"| {name} | {'`' + ' '.join(options) + '`' if options else 'none'} | {len(chosen)} |"
            f" {mean(shares):.3f} | {100 * mean(float(share > 0.9) for share in shares):.0f} % |"
            f" {sum(sure)} of {len(sure)} | {false} of {len(empty)} |"
        )
    return "\n".join(lines)


def of_rims(program: str, folder: Path) -> str:
    """The table for pictures without a page that a black rim surrounds."""
    pictures = [one["path"] for one in detection_scenes.read(folder) if "corners" not in one]
    lines = [
        f"The {len(pictures)} of these photographs without a page or card, with an added rim:",
        "",
        "| Rim | number | false pages over 0.6 |",
        "|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as work:
        paths = detection_rims.write(pictures, Path(work))
        found = copystand(program, paths)
    for kind in detection_rims.KINDS:
        chosen = [one for path, one in zip(paths, found) if path.stem.endswith(kind)]
        false = sum(one.corners is not None and one.confidence > 0.6 for one in chosen)
        lines.append(f"| {kind} | {len(chosen)} | {false} |")
    return "\n".join(lines)


def of_spreads(program: str) -> str:
    """The table for pictures of many cards, which should all be found in one search."""
    folder = detection_scenes.spreads()
    rows = [json.loads(line) for line in (folder / "spreads.jsonl").read_text().splitlines()]
    options = ["detect", "--all", "--json", "--profile", "card"]
    run = subprocess.run(
        ["taskset", "-c", "0", program, *options, *(str(folder / row["image"]) for row in rows)],
        capture_output=True,
        text=True,
        check=True,
    )
    shares, others, times = [], 0, []
    for row, entry in zip(rows, json.loads(run.stdout), strict=True):
        quads = [one["corners"] for one in entry["all"]]
        shares += [max((overlap(quad, card) for quad in quads), default=0) for card in row["cards"]]
        others += sum(all(overlap(quad, card) < 0.5 for card in row["cards"]) for quad in quads)
        times.append(entry["milliseconds"])
    return "\n".join(
        [
            (
                f"Cards found at once (`detect --all --profile card`) in {len(rows)} generated"
                f" pictures of 2 to 20 cards:"
            ),
            "",
            "| cards | found (IoU of 0.85 and more) | mean IoU | other things | ms, median |",
            "|---|---|---|---|---|",
            (
                f"| {len(shares)} | {100 * mean(float(one >= 0.85) for one in shares):.1f} % |"
                f" {mean(shares):.3f} | {others} | {median(times):.0f} |"
            ),
        ]
    )


def write_details(folder: Path, sets: list[Set]) -> None:
    """Writes every answer as JSON, draws the worst twenty of each set, and plots the confidence."""
    folder.mkdir(parents=True, exist_ok=True)
    reliability.plot(folder / "confidence.svg", {one.name: one.answers() for one in sets})
    for one in sets:
        rows = [
            {
                "id": picture["id"],
                "tags": picture["tags"],
                "iou": round(share, 4),
                "confidence": found.confidence,
                "page": "corners" in picture,
                "corners": found.corners,
            }
            for picture, found, share in one.overlaps()
        ]
        (folder / f"{one.name}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
        tiles = [
            detection_worst.tile(
                picture["path"],
                picture.get("corners"),
                found.corners,
                f"{picture['tags'][-1]} {picture['id'][-5:]}: {share:.2f}, sure"
                f" {found.confidence:.2f}",
            )
            for picture, found, share in one.worst(20)
        ]
        detection_worst.sheet(folder / f"worst-{one.name}.jpg", tiles)


def of_photographs(program: str, folder: Path, runs: int) -> tuple[str, Set]:
    """The table for the photographs of a folder, side by side with OpenCV."""
    pictures = detection_scenes.read(folder)
    paths = [picture["path"] for picture in pictures]
    results: dict[str, list[list[Found]]] = {
        "copystand detect": [],
        "OpenCV: Canny → contours → approxPolyDP": [],
    }
    for _ in range(runs):
        results["copystand detect"].append(copystand(program, paths))
        results["OpenCV: Canny → contours → approxPolyDP"].append(
            [contours(path) for path in paths]
        )
    # Frames on whose desk papers and pens cover the page's edges.
    covered = ["background05" in picture["tags"] for picture in pictures]
    groups = {
        "all": [True] * len(pictures),
        "covered edges": covered,
        "the others": [not one for one in covered],
    }
    lines = [
        (
            f"The development photographs (`quads-dev`), one core; the time is the median of {runs}"
            " runs in turn, without reading and decoding the files."
        ),
        "",
        "| Pictures | Detector | number | mean IoU | IoU > 0.9 | no page found | ms, median |",
        "|---|---|---|---|---|---|---|",
    ]
    for group, members in groups.items():
        chosen = [number for number, member in enumerate(members) if member]
        for name, passes in results.items():
            found = [
                Found(passes[0][number].corners, median(one[number].milliseconds for one in passes))
                for number in chosen
            ]
            lines.append(
                row(name, group, [pictures[number]["corners"] for number in chosen], found)
            )
    return "\n".join(lines), Set("photographs", pictures, results["copystand detect"][0])
