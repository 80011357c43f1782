"""Generated pictures to find pages in: drawn once by the detector's own generator, from what its
training never sees.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES, EMPTY = 1000, 300
SHORT_SIDE = 720
# Changed when the generator gives other pictures, so that old ones are not mistaken for them.
VERSION = 1


def generated() -> Path:
    """The folder with the pictures; drawing them takes some minutes the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "copystand-bench"
    folder = cache / f"pages-{VERSION}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        print("  drawing the generated pictures", file=sys.stderr)
        subprocess.run(
            [
                sys.executable,
                ROOT / "Scripts/train-detector/generate.py",
                part,
                "--split",
                "bench",
                "--pictures",
                str(PAGES),
                "--empty",
                str(EMPTY),
                "--short",
                str(SHORT_SIDE),
                "--documents",
                "500",
                "--surfaces",
                "500",
            ],
            check=True,
            stdout=sys.stderr,
        )
        part.rename(folder)
    return folder


def read(folder: Path) -> list[dict]:
    """The pictures of a folder, with a page and without; `path` is where each lies."""
    rows = []
    for name in ("quads.jsonl", "negatives.jsonl"):
        index = folder / name
        if index.exists():
            rows += [json.loads(line) for line in index.read_text().splitlines() if line.strip()]
    return [{**row, "path": folder / row["image"]} for row in rows]
