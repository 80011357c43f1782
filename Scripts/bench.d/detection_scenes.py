"""Generated pictures for finding pages in: drawn once by the detector's own generator, from
material that its training never sees.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES, EMPTY, SPREADS = 1000, 300, 50
SHORT_SIDE = 720
# Changed when the generator draws different pictures, so that old pictures are not used.
VERSION = 1


def generated() -> Path:
    """The folder with the pictures; drawing them takes some minutes the first time."""
    size = ("--documents", "500", "--surfaces", "500", "--short", str(SHORT_SIDE))
    return drawn("pages", "--pictures", str(PAGES), "--empty", str(EMPTY), *size)


def spreads() -> Path:
    """The folder with pictures of 2 to 20 cards each."""
    size = ("--documents", "80", "--surfaces", "60", "--short", "1080")
    return drawn("spreads", "--spreads", str(SPREADS), *size)


def drawn(name: str, *options: str) -> Path:
    """The folder of this name; the generator draws it with these options if it does not exist."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "copystand-bench"
    folder = cache / f"{name}-{VERSION}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        print(f"  drawing the generated pictures ({name})", file=sys.stderr)
        generator = ROOT / "Scripts/train-detector/generate.py"
        subprocess.run(
            [sys.executable, generator, part, "--split", "bench", *options],
            check=True,
            stdout=sys.stderr,
        )
        part.rename(folder)
    return folder


def read(folder: Path) -> list[dict]:
    """The pictures of a folder, with and without a page; `path` is the file of each."""
    rows = []
    for name in ("quads.jsonl", "negatives.jsonl"):
        index = folder / name
        if index.exists():
            rows += [json.loads(line) for line in index.read_text().splitlines() if line.strip()]
    return [{**row, "path": folder / row["image"]} for row in rows]
