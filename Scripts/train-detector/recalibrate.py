"""Puts another map from raw to stated confidence into the program's weights. The network stays
unchanged.

    recalibrate.py --raw                                 # the program states raw confidence: for
    detector-bench answers
    recalibrate.py --once once.json --closely closely.json

The checksum in the tests' answers is updated, since the network's answers do not change.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path

from weights_file import NETWORKS, answers_of, decoded, encoded, pairs_of, weights_of

NAMES = {"once": "calibration", "closely": "calibration-close"}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--raw", action="store_true", help="take both maps out")
    parser.add_argument("--once", type=Path, help="pairs that calibrate.py wrote, for one look")
    parser.add_argument(
        "--closely", type=Path, help="the same for stills, which are looked at closely"
    )
    parser.add_argument("--network", choices=NETWORKS, default="page")
    options = parser.parse_args()
    if not options.raw and not (options.once and options.closely):
        parser.error("say --raw, or --once and --closely")
    tensors, side, note = decoded(weights_of(options.network).read_bytes())
    for choice, name in NAMES.items():
        tensors.pop(name, None)
        if not options.raw:
            tensors[name] = pairs_of(getattr(options, choice))
    data = encoded(tensors, side, note)
    weights_of(options.network).write_bytes(data)
    answers = answers_of(options.network)
    told = json.loads(answers.read_text())
    told["checksum"] = struct.unpack("<I", data[-4:])[0]
    answers.write_text(json.dumps(told, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
