"""Fits the map from raw to stated confidence on the program's own answers.

    detector-bench answers FOLDER > answers.jsonl
    calibrate.py answers.jsonl pairs.json [--real photographs.jsonl …]

The program must carry weights without such a map, for its confidence is raw then. The folder must
not be the benchmark's. Of real pictures one half is used, by their groups or names; the other half
tells how good the map is.
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
    """The detections of a file; of real pictures those of one half."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows = [row for row in rows if row["confidence"] > 0]
    return [row for row in rows if is_for_fitting(row)] if real else rows


def is_for_fitting(row: dict) -> bool:
    """Half of all groups, or pictures where they have none."""
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
