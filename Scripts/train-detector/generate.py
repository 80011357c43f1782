"""Writes scenes to disk: shards of pictures and corners for training, or picture files for
benchmarks.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from scenes.catalog import TRADING, TRAIN_DOCUMENTS
from scenes.dice import Dice
from scenes.holdout import BENCH, TRAIN, Split
from scenes.pools import Pools, make_pools
from scenes.recipes import RECIPES, TRAINING, Recipe
from scenes.scene import SHORT, SceneMaker
from scenes.spreads import spread

SIDE = 192
SHARD = 2000
PICTURE_SHORT = 540
KINDS = "kinds.json"  #: in a folder whose scenes are of these kinds in turn: their names
_maker: SceneMaker


def write_shard(
    folder: Path, first: int, count: int, short: int, recipes: tuple[Recipe, ...] | None
) -> int:
    """Writes the scenes from number `first` on, drawn with that short side, as two .npy files:
    pictures (n, 192, 192, 3; uint8 BGR) and corners (n, 4, 2; NaN where no page is). The corners
    are written last, under their final name, so a shard that has them is complete.
    """
    pictures = np.empty((count, SIDE, SIDE, 3), np.uint8)
    corners = np.full((count, 4, 2), np.nan, np.float32)
    maker = SceneMaker(_maker.pools, _maker.split_seed, short)
    for at in range(count):
        scene = maker.make(first + at, recipes[(first + at) % len(recipes)] if recipes else None)
        pictures[at] = scene.picture[..., ::-1]
        if scene.corners is not None:
            corners[at] = scene.corners
    np.save(folder / f"{first:07d}.pictures.npy", pictures)
    np.save(folder / f"{first:07d}.tmp.npy", corners)
    os.replace(folder / f"{first:07d}.tmp.npy", folder / f"{first:07d}.corners.npy")
    return count


def generate(
    folder: Path,
    pools: Pools,
    split: Split,
    count: int,
    workers: int,
    recipes: tuple[Recipe, ...] | None = None,
    first: int = 0,
    shorts: tuple[int, ...] = (SHORT,),
) -> None:
    """Writes shards for `count` scenes, drawn with the short sides in turn. Existing ones are kept.
    """
    global _maker
    folder.mkdir(parents=True, exist_ok=True)
    if recipes:
        (folder / KINDS).write_text(json.dumps([r.name for r in recipes]) + "\n")
    _maker = SceneMaker(pools, split.seed)
    starts = [
        s
        for s in range(first, first + count, SHARD)
        if not (folder / f"{s:07d}.corners.npy").exists()
    ]
    jobs = [
        (folder, s, min(SHARD, first + count - s), shorts[s // SHARD % len(shorts)], recipes)
        for s in starts
    ]
    began, done = time.monotonic(), 0
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for made in pool.imap_unordered(_star, jobs):
            done += made
            print(f"{done} scenes, {done / (time.monotonic() - began):.0f} a second", flush=True)


def _star(job: tuple[Path, int, int, int, tuple[Recipe, ...] | None]) -> int:
    return write_shard(*job)


def pictures(
    folder: Path,
    pools: Pools,
    count: int,
    empty: int,
    short: int,
    first: int,
    kinds: tuple[Recipe, ...] = RECIPES,
) -> None:
    """Writes benchmark pictures of these kinds as JPEG files in the camera's shape, with
    quads.jsonl (corners in pixels) and negatives.jsonl beside them, of scenes unlike those of the
    hard set.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    maker = SceneMaker(pools, BENCH.seed, short, None)
    with_page = tuple(r for r in kinds if r.page)
    without = tuple(r for r in kinds if not r.page)
    with (
        open(folder / "quads.jsonl", "w") as quads,
        open(folder / "negatives.jsonl", "w") as negatives,
    ):
        for at in range(count + empty):
            recipes = with_page if at < count else without
            scene = maker.make(10**6 + first + at, recipes[at % len(recipes)])
            name, (height, width) = f"images/{at:05d}.jpg", scene.picture.shape[:2]
            cv2.imwrite(
                str(folder / name), scene.picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92]
            )
            row = {
                "id": f"generated_{at:05d}",
                "image": name,
                "width": width,
                "height": height,
                "tags": [scene.recipe],
            }
            if scene.corners is None:
                negatives.write(json.dumps(row) + "\n")
            else:
                row["corners"] = (scene.corners * (width, height)).round(3).tolist()
                quads.write(json.dumps(row) + "\n")


def spreads(folder: Path, pools: Pools, count: int, short: int, first: int) -> None:
    """Writes pictures of many cards as JPEG files, with spreads.jsonl: the corners of every
    card."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    with open(folder / "spreads.jsonl", "w") as lines:
        for at in range(first, first + count):
            drawn = spread(Dice(BENCH.seed, 4, at), pools, short)
            name = f"images/{at:05d}.jpg"
            cv2.imwrite(
                str(folder / name), drawn.picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92]
            )
            row = {"id": f"spread_{at:05d}", "image": name}
            row["cards"] = [card.round(2).tolist() for card in drawn.cards]
            lines.write(json.dumps(row) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", choices=("train", "bench"), default="train")
    parser.add_argument("--scenes", type=int, default=0, help="scenes for training, in shards")
    parser.add_argument("--first", type=int, default=0, help="number of the first scene or picture")
    parser.add_argument(
        "--pictures", type=int, default=0, help="pictures with a page, as JPEG files"
    )
    parser.add_argument("--empty", type=int, default=0, help="pictures of empty desks")
    parser.add_argument("--spreads", type=int, default=0, help="pictures of 2 to 20 trading cards")
    parser.add_argument(
        "--short",
        type=int,
        nargs="+",
        metavar="PIXELS",
        help=(
            f"short side of the pictures ({PICTURE_SHORT}), or those with which shards are drawn in"
            f" turn ({SHORT})"
        ),
    )
    parser.add_argument(
        "--even",
        action="store_true",
        help="the benchmarks' kinds of scenes in turn instead of all by share",
    )
    parser.add_argument("--kinds", nargs="+", metavar="NAME", help="these kinds of scenes in turn")
    parser.add_argument("--documents", type=int, default=1400)
    parser.add_argument("--surfaces", type=int, default=1400)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    known = {r.name: r for r in TRAINING}
    unknown = [name for name in options.kinds or () if name not in known]
    if unknown:
        sys.exit(f"no kind of scene is called {', '.join(unknown)}: there are {', '.join(known)}")
    kinds = tuple(known[name] for name in options.kinds or ()) or (
        RECIPES if options.even else None
    )
    split = BENCH if options.split == "bench" else TRAIN
    drawn = options.pictures + options.empty + options.spreads
    if drawn and not split.is_bench:
        sys.exit("pictures are for benchmarks: add --split bench")
    side = 620 if drawn else 448
    catalog = TRADING if options.spreads else TRAIN_DOCUMENTS if drawn and kinds else None
    pools = make_pools(
        split, options.documents, options.surfaces, options.workers, side, catalog
    )
    if options.scenes:
        generate(
            options.folder,
            pools,
            split,
            options.scenes,
            options.workers,
            kinds,
            options.first,
            tuple(options.short or (SHORT,)),
        )
    if options.pictures + options.empty:
        short = options.short[0] if options.short else PICTURE_SHORT
        pictures(
            options.folder,
            pools,
            options.pictures,
            options.empty,
            short,
            options.first,
            kinds or RECIPES,
        )
    if options.spreads:
        short = options.short[0] if options.short else PICTURE_SHORT
        spreads(options.folder, pools, options.spreads, short, options.first)


if __name__ == "__main__":
    main()
