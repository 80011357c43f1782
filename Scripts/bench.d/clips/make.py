"""Makes clips: `python3 -m clips.make FOLDER --pages 100 --seed 4`."""

import argparse
import json
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from .avi import AVIWriter
from .camera import Camera
from .desk import desk
from .hand import Hand
from .pages import sheet
from .stage import Stage, Truth
from .story import Story

PAGES_A_CLIP = 10
# Changed when the same seed gives different clips, so that old clips are not used.
VERSION = 1


def intervals(truth: list[Truth], rate: int) -> list[dict]:
    """The times during which a page is steady, in order."""
    found, frame = [], 0
    for key, run in groupby(
        truth, key=lambda one: (one.page if one.is_steady else None, one.is_steady)
    ):
        run = list(run)
        if key[1]:
            found.append(
                {
                    "page": key[0],
                    "from": frame / rate,
                    "to": (frame + len(run)) / rate,
                    "corners": run[0].corners,
                }
            )
        frame += len(run)
    return found


def make_clip(folder: Path, number: int, pages: int, seed: int) -> None:
    """Makes clip `number` of a seed: NAME.avi, NAME.json with its truth, and its printed pages.
    """
    random = np.random.default_rng([seed, number])
    # Two sizes alternate; a large picture is filmed at half the rate, as by cheap cameras.
    size, rate = [((1280, 720), 30), ((1920, 1080), 15)][number % 2]
    paper = [0.020, 0.0145][number % 2] * 297 * random.uniform(1, 1.2)
    sheets = [sheet(random, paper) for _ in range(pages)]
    if random.random() < 0.6:
        # Most stacks have one kind of paper.
        sheets = [one if one.height == sheets[0].height else None for one in sheets]
        while None in sheets:
            other = sheet(random, paper)
            if other.height == sheets[0].height:
                sheets[sheets.index(None)] = other
    is_pile = bool(random.random() < 0.5)
    kind, ground = desk(random, size)
    camera = Camera(random, size, max(one.height for one in sheets))
    name = f"clip-{number:02}"
    path = folder / f"{name}.avi.part"
    writer = AVIWriter(path, size, rate, int(random.integers(68, 86)))
    angle = float(
        random.choice([0, 0.5, -0.5, np.pi / 2, -np.pi / 2], p=[0.4, 0.15, 0.15, 0.15, 0.15])
    )
    stage = Stage(camera, ground, Hand(random), angle, writer, rate)
    stage.light = float(random.uniform(0.8, 1.1))
    Story(stage, random, is_pile).tell(sheets, list(range(1, pages + 1)))
    writer.close()
    for index, one in enumerate(sheets, 1):
        cv2.imwrite(str(folder / f"{name}-page-{index:02}.png"), one.picture)
    (folder / f"{name}.json").write_text(
        json.dumps(
            {
                "size": size,
                "rate": rate,
                "desk": kind,
                "pile": is_pile,
                "frames": len(stage.truth),
                "texts": [one.text for one in sheets],
                "steady": intervals(stage.truth, rate),
                "tops": [one.page or 0 for one in stage.truth],
            }
        )
    )
    path.rename(folder / f"{name}.avi")


def make(folder: Path, pages: int, seed: int, progress=lambda name: None) -> list[Path]:
    """The clips of a seed; makes the missing ones."""
    cv2.setNumThreads(1)
    place = folder / f"v{VERSION}-seed{seed}"
    place.mkdir(parents=True, exist_ok=True)
    clips = []
    for number in range((pages + PAGES_A_CLIP - 1) // PAGES_A_CLIP):
        count = min(PAGES_A_CLIP, pages - number * PAGES_A_CLIP)
        # A shorter last clip is another clip.
        part = place if count == PAGES_A_CLIP else place / f"of-{count}"
        part.mkdir(exist_ok=True)
        clip = part / f"clip-{number:02}.avi"
        if not clip.exists():
            progress(clip.name)
            make_clip(part, number, count, seed)
        clips.append(clip)
    return clips


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    for made in make(arguments.folder, arguments.pages, arguments.seed, print):
        print(made)
