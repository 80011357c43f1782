"""Makes clips: `python3 -m clips.make FOLDER --pages 100 --seed 4`, with `--cards` of cards."""

import argparse
import json
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from .avi import AVIWriter
from .camera import Camera
from .cards.dealer import Dealer
from .cards.lamp import Lamp
from .cards.print import card, maker, sleeve
from .cards.tables import table
from .desk import desk
from .hand import Hand
from .pages import Sheet, sheet
from .stage import Stage, Truth
from .story import Story

PAGES_A_CLIP = 10
# Changed when the same seed gives different clips, so that old clips are not used.
VERSION = 2
# Two sizes alternate; a large picture is filmed at half the rate, as by cheap cameras.
FORMATS = [((1280, 720), 30), ((1920, 1080), 15)]
# Distinguishes the random numbers of clips of cards from those of pages.
CARDS = 1


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


def set_up(
    random: np.random.Generator, path: Path, ground: np.ndarray, camera: Camera, rate: int
) -> Stage:
    """A stage that films to a file: how well its pictures are kept, its hand and its light."""
    writer = AVIWriter(path, camera.size, rate, int(random.integers(68, 86)))
    angle = float(
        random.choice([0, 0.5, -0.5, np.pi / 2, -np.pi / 2], p=[0.4, 0.15, 0.15, 0.15, 0.15])
    )
    stage = Stage(camera, ground, Hand(random), angle, writer, rate)
    stage.light = float(random.uniform(0.8, 1.1))
    return stage


def finish(clip: Path, part: Path, stage: Stage, sheets: list[Sheet], facts: dict) -> None:
    """Completes a clip that was filmed to `part`: NAME.avi, NAME.json with its truth, and its pages
    as they were printed.
    """
    stage.writer.close()
    for index, one in enumerate(sheets, 1):
        cv2.imwrite(str(printed(clip, index)), one.picture)
    truth = {
        "size": stage.camera.size,
        "rate": stage.rate,
        **facts,
        "frames": len(stage.truth),
        "texts": [one.text for one in sheets],
        "steady": intervals(stage.truth, stage.rate),
        "tops": [one.page or 0 for one in stage.truth],
    }
    clip.with_suffix(".json").write_text(json.dumps(truth))
    part.rename(clip)


def printed(clip: Path, number: int) -> Path:
    """The picture of a clip's printed page."""
    return clip.with_name(f"{clip.stem}-page-{number:02}.png")


def make_clip(folder: Path, number: int, pages: int, seed: int) -> None:
    """Makes clip `number` of a seed."""
    random = np.random.default_rng([seed, number])
    size, rate = FORMATS[number % 2]
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
    clip = folder / f"clip-{number:02}.avi"
    part = clip.with_suffix(".avi.part")
    stage = set_up(random, part, ground, camera, rate)
    Story(stage, random, is_pile).tell(sheets, list(range(1, pages + 1)))
    finish(clip, part, stage, sheets, {"desk": kind, "pile": is_pile})


def make_card_clip(folder: Path, number: int, cards: int, seed: int) -> None:
    """Makes clip `number` of a seed, of cards."""
    random = np.random.default_rng([seed, number, CARDS])
    size, rate = FORMATS[number % 2]
    made_by, sleeved = maker(random), sleeve(random)
    if random.random() < 0.6:
        # Most decks are of one maker, in sleeves of one kind.
        sheets = [card(random, made_by, sleeved) for _ in range(cards)]
    else:
        sheets = [card(random, maker(random), sleeve(random)) for _ in range(cards)]
    way = str(random.choice(["single", "stack", "fan"], p=[0.4, 0.35, 0.25]))
    kind, ground = table(random, size)
    # A card takes a third to half of the picture's height, so that it can be held up.
    camera = Camera(random, size, 88 * random.uniform(1.6, 2.4))
    clip = folder / f"clip-{number:02}.avi"
    part = clip.with_suffix(".avi.part")
    stage = set_up(random, part, ground, camera, rate)
    stage.lamp = Lamp(random, size)
    Dealer(stage, random, way).tell(sheets, list(range(1, cards + 1)))
    facts = {"desk": kind, "way": way, "sleeves": [one.margin > 0 for one in sheets]}
    finish(clip, part, stage, sheets, facts)


def make(
    folder: Path, pages: int, seed: int, progress=lambda name: None, cards: bool = False
) -> list[Path]:
    """The clips of a seed, of pages or of cards, and makes the missing ones."""
    cv2.setNumThreads(1)
    place = folder / f"v{VERSION}-{'cards-' if cards else ''}seed{seed}"
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
            (make_card_clip if cards else make_clip)(part, number, count, seed)
        clips.append(clip)
    return clips


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--cards", action="store_true")
    arguments = parser.parse_args()
    numbers = (arguments.pages, arguments.seed)
    for made in make(arguments.folder, *numbers, print, arguments.cards):
        print(made)
