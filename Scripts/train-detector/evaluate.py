"""Prints figures of a checkpoint: real pictures (a folder with quads.jsonl), generated ones, empty
desks, confidence.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from data import luma, normalize
from examples import Example, load_pictures, load_shards
from metrics import calibration, iou, reliability, summary
from model import Net
from reader import confidence, read

RIGHT = 0.9  #: an IoU from which a detection counts as right
FALSE_PAGE = 0.6  #: a confidence from which an empty desk counts as a false page


@dataclass
class Answer:
    """The result for a scene: IoU with the truth (0 where either is missing), raw confidence,
    quad, maps.
    """

    score: float
    raw: float
    quad: np.ndarray | None
    maps: np.ndarray


@torch.no_grad()
def answers(net: Net, examples: list[Example], gray: bool = False) -> list[Answer]:
    """Runs network and reader over the examples."""
    found = []
    for at in range(0, len(examples), 64):
        batch = examples[at : at + 64]
        x = torch.from_numpy(np.stack([e.picture for e in batch])).permute(0, 3, 1, 2).float() / 255
        if gray:
            x = luma(x).repeat(1, 3, 1, 1)
        logits, presence = net(normalize(x))
        for example, maps, there in zip(
            batch, torch.sigmoid(logits).numpy(), torch.sigmoid(presence)[:, 0].tolist()
        ):
            quad = read(*maps)
            score = (
                iou(quad, example.corners)
                if quad is not None and example.corners is not None
                else 0.0
            )
            found.append(
                Answer(
                    score, confidence(quad, maps[0], there) if quad is not None else 0.0, quad, maps
                )
            )
    return found


def report(title: str, examples: list[Example], found: list[Answer]) -> None:
    """Prints a set's figures, in total and by tag."""
    paged = [k for k, e in enumerate(examples) if e.corners is not None]
    scores = np.array([found[k].score for k in paged])
    print(json.dumps({"set": title, **summary(scores)}))
    tags = sorted({t for k in paged for t in examples[k].tags})
    for tag in tags:
        of_tag = np.array([found[k].score for k in paged if tag in examples[k].tags])
        print(json.dumps({"set": f"{title}: {tag}", **summary(of_tag)}))


def load(checkpoint: Path) -> Net:
    """The network of a checkpoint, ready to run. For a checkpoint.pt, this is its moving
    average."""
    state = torch.load(checkpoint, map_location="cpu")
    net = Net()
    net.load_state_dict(state.get("average", state))
    return net.eval().to(memory_format=torch.channels_last)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, help="folder of real pictures with quads.jsonl")
    parser.add_argument(
        "--bench",
        type=Path,
        help="folder written by generate.py --split bench --even --scenes 1500",
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = load(options.checkpoint)
    if options.data is None or not (options.data / "quads.jsonl").exists():
        print("real pictures: skipped: no data (name a folder with quads.jsonl with --data)")
    else:
        examples = load_pictures(options.data)
        found = answers(net, examples)
        report("real", examples, found)
        clear = np.array(
            [
                a.score
                for a, e in zip(found, examples)
                if "occluded" not in e.tags and e.corners is not None
            ]
        )
        print(json.dumps({"set": "real: edges visible", **summary(clear)}))
        print(
            json.dumps(
                {
                    "set": "real, luma only",
                    **summary(np.array([a.score for a in answers(net, examples, gray=True)])),
                }
            )
        )
    if options.bench is None:
        print(
            "generated pictures: skipped: no data (write them with generate.py, name them with"
            " --bench)"
        )
        return
    examples = load_shards(options.bench)
    found = answers(net, examples)
    report("generated", examples, found)
    confidences(examples, found)


def confidences(examples: list[Example], found: list[Answer]) -> None:
    """Prints the false pages on empty desks, and the reliability of the plain reader's confidence,
    which is fitted to one half of the examples (ten of every twenty) and tested on the other.
    The program's own confidence is fitted by calibrate.py.
    """
    raw = np.array([a.raw for a in found])
    right = np.array([a.score >= RIGHT for a in found])
    empty = np.array([e.corners is None for e in examples])
    even = np.arange(len(examples)) % 20 < 10
    pairs = calibration(raw[even], right[even])
    stated = np.interp(raw, *np.array(pairs).T)
    judged = ~even
    print(
        json.dumps(
            {
                "set": "empty desks",
                "n": int(empty.sum()),
                "false at raw .6": round(float((raw[empty] > FALSE_PAGE).mean()), 4),
                "false at stated .6": round(float((stated[empty] > FALSE_PAGE).mean()), 4),
                "pages kept at stated .6": round(float((stated[~empty] > FALSE_PAGE).mean()), 4),
            }
        )
    )
    for row in reliability(stated[judged], right[judged]):
        print(json.dumps({"reliability": row}))


if __name__ == "__main__":
    main()
