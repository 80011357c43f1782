"""Measures the archive with the program for tests: adding and searching in generated pages."""

import subprocess
import sys
import tempfile
from pathlib import Path

# Each figure: its name in the output, a description, and the required value.
FIGURES = [
    (
        "bulk_pages_per_second",
        "adding in bulk, a hundred pages a transaction, pages a second",
        "at least 1,000",
    ),
    (
        "single_text_pages_per_second",
        "adding pages one a transaction, text only, pages a second",
        "at least 100",
    ),
    (
        "single_pages_per_second",
        "adding pages one a transaction, each with a picture of its own, pages a second",
        "at least 100",
    ),
    ("open_ms", "opening it and reading a document's head, ms", "under 50"),
    ("word_ms", "a word on 1 % of the pages, ranked, ms", "under 30"),
    ("phrase_ms", "a phrase on 1 %, ranked, ms", "under 30"),
    ("prefix_ms", "a prefix on 1 %, ranked, ms", "under 30"),
    ("half_ms", "a word on half of the pages, ms", "under 100"),
    ("half_and_rare_ms", "that and a word on 1 %, ranked by the rare one, ms", "under 100"),
    ("number_ms", "a word on one page, ms", "under 30"),
    (
        "tagged_ms",
        (
            "a word on half of the pages, in one of every hundred documents, spread over the"
            " archive, ms"
        ),
        "under 100",
    ),
    ("filtered_ms", "a word on half of the pages, in a type that no document has, ms", "under 100"),
]


def archive(arguments) -> str:
    program = f"{arguments.bin}/archive-program-for-tests"
    pages = arguments.pages or 100_000
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/archive"
        found = {}
        for command in (["fill", place, str(pages)], ["measure", place, "40"]):
            print(f"  {command[0]}", file=sys.stderr)
            output = subprocess.run(
                [program, *command], check=True, capture_output=True, text=True
            ).stdout
            print(output, file=sys.stderr)
            for line in output.splitlines():
                if not line.startswith(" "):
                    name, value = line.split()
                    found[name] = value
        size = sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file()) / 1e6
    rows = [f"| {what} | {found[name]} | {wanted} |" for name, what, wanted in FIGURES]
    return (
        "\n".join(
            [
                (
                    f"{pages:,} generated pages of 60 to 80 words with boxes, {size:.0f} MB. Times"
                    " are 95th percentiles of 40 runs, with the first 20 hits, their boxes and"
                    " snippets."
                ),
                "",
                "| What | Measured | Target |",
                "|---|---|---|",
                *rows,
            ]
        )
        + "\n"
    )
