"""Draws pictures for people: scenes with their corners, or the worst answers of a checkpoint with
its maps beside them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from examples import SIDE, Example, load_pictures, load_shards

TRUE, FOUND = (0, 220, 0), (0, 0, 255)
COLUMNS = 8


def tile(example: Example, found: np.ndarray | None, label: str) -> np.ndarray:
    """The picture with the true quad (green), the found one (red) and a label."""
    picture = example.picture.copy()
    for quad, color in ((example.corners, TRUE), (found, FOUND)):
        if quad is not None:
            cv2.polylines(
                picture,
                [np.round(quad * SIDE * 16).astype(np.int32)],
                True,
                color,
                1,
                cv2.LINE_AA,
                4,
            )
    cv2.putText(picture, label, (2, 10), 0, 0.33, (0, 255, 255), 1, cv2.LINE_AA)
    return picture


def sheet(tiles: list[np.ndarray], columns: int) -> np.ndarray:
    """The tiles in rows; the last row is filled with black."""
    tiles = tiles + [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[at : at + columns]) for at in range(0, len(tiles), columns)])


def worst(checkpoint: Path, examples: list[Example], count: int) -> list[np.ndarray]:
    """Tiles of the answers with the least overlap, and of the false pages with the highest
    confidence, each with its maps.
    """
    from evaluate import answers, load

    found = answers(load(checkpoint), examples)
    badness = [1 - a.score if e.corners is not None else a.raw for a, e in zip(found, examples)]
    tiles = []
    for k in np.argsort(badness)[::-1][:count]:
        answer, example = found[k], examples[k]
        maps = cv2.resize((answer.maps.transpose(1, 2, 0) * 255).astype(np.uint8), (SIDE, SIDE))
        label = f"{'/'.join(example.tags)[-18:]} iou {answer.score:.2f} raw {answer.raw:.2f}"
        tiles.append(np.hstack([tile(example, answer.quad, label), maps]))
    return tiles


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="shards of generate.py, or pictures with quads.jsonl"
    )
    parser.add_argument("out", type=Path, help="the sheet, a PNG file")
    parser.add_argument("--count", type=int, default=48)
    parser.add_argument(
        "--worst",
        type=Path,
        help="a checkpoint: show its worst answers instead of the first scenes",
    )
    options = parser.parse_args()
    pictures = (options.folder / "quads.jsonl").exists()
    examples = load_pictures(options.folder) if pictures else load_shards(options.folder)
    if options.worst:
        tiles = worst(options.worst, examples, options.count)
    else:
        tiles = [tile(e, None, e.tags[0] if pictures else "") for e in examples[: options.count]]
    cv2.imwrite(str(options.out), sheet(tiles, COLUMNS // 2 if options.worst else COLUMNS))


if __name__ == "__main__":
    main()
