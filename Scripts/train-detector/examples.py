"""Pictures with known corners, from files or shards, as the network gets them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

SIDE = 192  #: of the network's input


@dataclass
class Example:
    """A picture squashed to the network's input (uint8 BGR), its corners in 0..1 or None, and its
    tags.
    """

    picture: np.ndarray
    corners: np.ndarray | None
    tags: list[str]


def load_pictures(folder: Path) -> list[Example]:
    """The examples of a folder with quads.jsonl and, if it exists, negatives.jsonl."""
    found = []
    for name in ("quads.jsonl", "negatives.jsonl"):
        if not (folder / name).exists():
            continue
        for line in (folder / name).read_text().splitlines():
            row = json.loads(line)
            picture = cv2.imread(str(folder / row["image"]))
            if picture is None:
                raise SystemExit(f"{folder / row['image']} cannot be read as a picture")
            height, width = picture.shape[:2]
            corners = np.array(row["corners"]) / (width, height) if "corners" in row else None
            found.append(
                Example(
                    cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA),
                    corners,
                    row.get("tags", []),
                )
            )
    return found


def load_shards(folder: Path) -> list[Example]:
    """The examples of shards from generate.py --even or --kinds; the kind is the tag."""
    if not (folder / "kinds.json").exists():
        raise SystemExit(
            f"{folder} does not say which kinds its scenes have: write them with generate.py"
            " --even"
        )
    names, found = json.loads((folder / "kinds.json").read_text()), []
    for path in sorted(folder.glob("*.corners.npy")):
        first = int(path.name.split(".")[0])
        corners, pictures = (
            np.load(path),
            np.load(str(path).replace(".corners.", ".pictures."), mmap_mode="r"),
        )
        for at in range(len(corners)):
            quad = None if np.isnan(corners[at]).any() else corners[at]
            found.append(Example(np.array(pictures[at]), quad, [names[(first + at) % len(names)]]))
    return found
