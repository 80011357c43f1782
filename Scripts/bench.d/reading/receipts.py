"""Compares receipts' dates and totals with those that are printed on them."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

# The day and the sum by the picture's number, which a person read in the receipts' true texts. One
# is a chit without a sum.
TRUTH = {
    "006": ("2019-01-11", "327.00"),
    "035": ("2018-03-12", "8.20"),
    "056": ("2018-03-21", "8.70"),
    "079": ("2017-09-19", "15.90"),
    "174": ("2018-02-01", "20.50"),
    "189": ("2018-03-02", "63.35"),
    "208": ("2018-03-24", "12.30"),
    "263": ("2017-05-17", "41.50"),
    "289": ("2018-04-10", None),
    "293": ("2018-04-06", "270.00"),
    "297": ("2018-04-11", "12.40"),
    "304": ("2018-04-28", "39.60"),
    "315": ("2018-04-18", "11.25"),
    "343": ("2017-08-03", "51.88"),
    "348": ("2017-09-28", "48.04"),
    "365": ("2017-10-22", "34.21"),
    "402": ("2016-05-01", "51.30"),
    "409": ("2018-05-14", "87.10"),
    "439": ("2018-05-27", "10.70"),
    "475": ("2017-04-04", "14.90"),
    "492": ("2017-03-21", "10.00"),
    "516": ("2018-05-24", "52.00"),
    "531": ("2018-06-16", "28.15"),
    "534": ("2018-06-13", "473.30"),
    "556": ("2018-06-30", "4.20"),
    "575": ("2018-05-05", "137.15"),
    "580": ("2018-06-25", "17.45"),
    "587": ("2018-06-25", "5.00"),
    "592": ("2018-04-30", "93.00"),
    "596": ("2018-06-05", "52.00"),
    "607": ("2018-04-30", "404.39"),
}


def receipts(program: str, data: Path) -> str:
    folder = data / "dev2/ocr/receipt"
    pictures = [(folder / f"sroie_{name}.jpg", truth) for name, truth in TRUTH.items()]
    pictures = [pair for pair in pictures if pair[0].exists()]
    if not pictures:
        return "skipped: no data\n"
    right = {"date": 0, "total": 0}
    known = {"date": 0, "total": 0}
    wrong = []
    with tempfile.TemporaryDirectory() as place:
        for picture, truth in pictures:
            found = fields(program, picture, Path(place) / "page.json")
            for name, value in zip(("date", "total"), truth):
                if value is None:
                    continue
                known[name] += 1
                right[name] += found.get(name) == value
                if found.get(name) != value:
                    wrong.append(f"{picture.stem}: {name} {found.get(name)}, not {value}")
    lines = [
        f"{len(pictures)} real receipts of `dev2`, with `--profile receipt` and the usual reader.",
        "",
        "| | right | target |",
        "|---|---|---|",
    ]
    for name in ("date", "total"):
        share = right[name] / known[name]
        lines.append(f"| {name} | {right[name]} of {known[name]} ({share:.1%}) | 95 % |")
    lines += ["", *([f"Wrong: {'; '.join(wrong)}."] if wrong else [])]
    return "\n".join(lines) + "\n"


def fields(program: str, picture: Path, output: Path) -> dict[str, str]:
    """The fields that were found on a receipt."""
    command = [program, "import", str(picture), "-p", "receipt", "-o", str(output)]
    subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL)
    pages = json.loads(output.read_text())["pages"]
    output.unlink()
    return {
        found["kind"]: found["text"]
        for page in pages
        for step in page["provenance"]["steps"]
        for found in step.get("found", [])
    }
