"""Fits the map from raw to stated confidence on the program's own answers.

    detector-bench answers FOLDER > answers.jsonl
    calibrate.py answers.jsonl pairs.json

The program must carry weights without such a map, for its confidence is raw then. The folder must
not be the benchmark's.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from metrics import calibration, reliability

RIGHT = 0.9  #: IoU of a detection that counts as right


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("answers", type=Path)
    parser.add_argument("pairs", type=Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.answers.read_text().splitlines()]
    raw = np.array([row["confidence"] for row in rows])
    right = np.array([row["hasPage"] and row["iou"] >= RIGHT for row in rows])
    seen = raw > 0
    pairs = calibration(raw[seen], right[seen])
    options.pairs.write_text(json.dumps(pairs) + "\n")
    for row in reliability(np.interp(raw[seen], *np.array(pairs).T), right[seen]):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
