"""Fits the map from raw to stated confidence to the program's own answers.

    detector-bench answers FOLDER > answers.jsonl
    calibrate.py answers.jsonl pairs.json [--real photographs.jsonl …]

The program must contain weights without such a map, so that its confidence is raw. The folder must
not be the benchmark's. Only one half of the real pictures is used, chosen by their groups or names;
the other half shows how good the map is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from metrics import calibration, reliability

RIGHT = 0.9  #: IoU of a detection that counts as right
REAL = 4.0  #: how often a detection in a real picture counts


def read(path: Path, real: bool) -> list[dict]:
    """The detections in a file; of real pictures, only those of one half."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows = [row for row in rows if row["confidence"] > 0]
    return [row for row in rows if is_for_fitting(row)] if real else rows


def is_for_fitting(row: dict) -> bool:
    """One half of all groups, or of the pictures if they have no groups."""
    name = str(row.get("group") or row["id"])
    return hashlib.md5(name.encode()).digest()[0] % 2 == 1


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("answers", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument(
        "--real", type=Path, nargs="*", default=[], help="answers to real pictures; half are used"
    )
    options = parser.parse_args()
    drawn = read(options.answers, False)
    real = [row for path in options.real for row in read(path, True)]
    rows = drawn + real
    raw = np.array([row["confidence"] for row in rows])
    right = np.array([row["hasPage"] and row["iou"] >= RIGHT for row in rows])
    weight = np.array([1.0] * len(drawn) + [REAL] * len(real))
    pairs = calibration(raw, right, weight)
    options.pairs.write_text(json.dumps(pairs) + "\n")
    for row in reliability(np.interp(raw, *np.array(pairs).T), right):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
