"""What watching a clip gives, and when a page could first be captured."""

import json
import subprocess
from pathlib import Path

# A page is expected once it has been steady for this long, in seconds.
LONG_ENOUGH = 1.0
# A page captured more than this many seconds after it became steady is late.
SOON_ENOUGH = 0.8


def events(program: str, clip: Path, pdf: Path, *options: str) -> list[dict]:
    """The captures that `copystand watch` reports of a clip, in order; the pages are in `pdf`."""
    command = [program, "watch", "--device", f"file:{clip}", "-o", str(pdf), "--json", *options]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode != 0:
        raise RuntimeError(f"watching {clip} ended with {run.returncode}:\n{run.stderr[-2000:]}")
    all_events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return [event for event in all_events if event["event"] == "captured"]


def is_in_view(corners: list[list[float]], size: list[int]) -> bool:
    """Whether all four corners lie within a picture of that width and height."""
    return all(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in corners)


def waited(time: float, page: int, truth: dict) -> tuple[float, dict] | None:
    """Seconds for which a page had been steady when it was captured, and the place where it lay."""
    before = [
        one
        for one in truth["steady"]
        if one["page"] == page and one["from"] <= time + 1 / truth["rate"]
    ]
    if not before:
        return None
    start = next((one for one in before if one["to"] - one["from"] >= LONG_ENOUGH), before[-1])
    return max(0, time - start["from"]), before[-1]
