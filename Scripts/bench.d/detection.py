"""How well `copystand detect` finds pages, side by side with the usual OpenCV pipeline."""
import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import cv2
import numpy as np

from quads import overlap

# OpenCV's pipeline works on a picture of this many pixels on its longer side, as most scanners built on it do.
WORKING_SIDE = 500


@dataclass
class Found:
    """What a detector says of one picture."""
    corners: list[list[float]] | None
    milliseconds: float


def contours(path: Path) -> Found:
    """Canny → contours → approxPolyDP: the largest convex outline with four corners. The time is without decoding."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    start = time.perf_counter()
    scale = WORKING_SIDE / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    # Widened, so that small gaps in an edge close.
    edges = cv2.dilate(cv2.Canny(gray, 50, 150), np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    quads = []
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:10]:
        corners = cv2.approxPolyDP(outline, .02 * cv2.arcLength(outline, True), True)
        if len(corners) == 4 and cv2.isContourConvex(corners) and cv2.contourArea(corners) > .03 * gray.size:
            quads.append(corners)
    best = max(quads, key=cv2.contourArea, default=None)
    quad = None if best is None else (best.reshape(4, 2) / scale).tolist()
    return Found(quad, 1000 * (time.perf_counter() - start))


def copystand(program: str, paths: list[Path]) -> list[Found]:
    """All pictures through the program, on one core."""
    # One core for detector and decoder alike, so that nothing is gained by threads.
    run = subprocess.run(
        ["taskset", "-c", "0", program, "detect", "--json", *map(str, paths)], capture_output=True, text=True)
    entries = json.loads(run.stdout)
    broken = [entry for entry in entries if "error" in entry]
    if broken or len(entries) != len(paths):
        raise RuntimeError(f"{len(entries)} answers for {len(paths)} pictures, {len(broken)} could not be read: {run.stderr[-500:]}")
    return [Found(entry["corners"], entry["milliseconds"]) for entry in entries]


def row(name: str, group: str, truths: list, found: list[Found]) -> str:
    shares = [overlap(one.corners, truth) if one.corners else 0 for one, truth in zip(found, truths)]
    times = [one.milliseconds for one in found]
    return (f"| {group} | {name} | {len(shares)} | {mean(shares):.3f} | {100 * mean(float(share > .9) for share in shares):.0f} % | "
            f"{sum(one.corners is None for one in found)} | {median(times):.1f} |")


def measure(program: str, data: Path, runs: int) -> str:
    """The table for `quads-dev` in the folder of data."""
    index = data / "quads-dev/quads.jsonl"
    if not index.exists():
        return "skipped: no data\n"
    cv2.setNumThreads(1)
    pictures = [json.loads(line) for line in index.read_text().splitlines() if line.strip()]
    paths = [index.parent / picture["image"] for picture in pictures]
    results: dict[str, list[list[Found]]] = {"copystand detect": [], "OpenCV: Canny → contours → approxPolyDP": []}
    for _ in range(runs):
        results["copystand detect"].append(copystand(program, paths))
        results["OpenCV: Canny → contours → approxPolyDP"].append([contours(path) for path in paths])
    # Frames on whose desk papers and pens cover the page's edges.
    covered = ["background05" in picture["tags"] for picture in pictures]
    groups = {
        "all": [True] * len(pictures), "covered edges": covered, "the others": [not one for one in covered]}
    lines = [
        f"The development photographs (`quads-dev`), one core; the time is the median of {runs} runs in turn, without reading and "
        "decoding the files.", "",
        "| Pictures | Detector | number | mean IoU | IoU > 0.9 | no page found | ms, median |", "|---|---|---|---|---|---|---|"]
    for group, members in groups.items():
        chosen = [number for number, member in enumerate(members) if member]
        for name, passes in results.items():
            found = [
                Found(passes[0][number].corners, median(one[number].milliseconds for one in passes)) for number in chosen]
            lines.append(row(name, group, [pictures[number]["corners"] for number in chosen], found))
    return "\n".join(lines) + "\n"
