"""Makes PDFs searchable with each program, and counts the parts that are left."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from .documents import KINDS
from .facts import facts, words

READERS = {
    "qpdf": ["qpdf", "--check"],
    "mutool": ["mutool", "draw", "-q", "-F", "txt", "-o", "/dev/null"],
    "poppler": ["pdftocairo", "-pdf"],
}


def commands(program: str, source: Path, out: Path) -> dict[str, list[str]]:
    found = {"copystand import": [program, "import", str(source), "-o", str(out)]}
    if shutil.which("ocrmypdf"):
        found["ocrmypdf --skip-text"] = [
            "ocrmypdf",
            "--skip-text",
            "--jobs",
            "2",
            str(source),
            str(out),
        ]
        found["ocrmypdf --skip-text --output-type pdf"] = [
            "ocrmypdf",
            "--skip-text",
            "--jobs",
            "2",
            "--output-type",
            "pdf",
            str(source),
            str(out),
        ]
    return found


def peer() -> str:
    if not shutil.which("ocrmypdf"):
        return "skipped: no ocrmypdf."
    version = subprocess.run(
        ["ocrmypdf", "--version"], capture_output=True, text=True
    ).stdout.strip()
    return f"The peer is OCRmyPDF {version}."


def kept(before: Counter, after: Counter) -> str:
    total = sum(before.values())
    left = sum((before & after).values())
    return (
        ""
        if total == 0
        else "all" if left == total else "none" if left == 0 else f"{left} of {total}"
    )


def opens(path: Path) -> str:
    """The readers that report a fault."""
    bad = []
    for name, command in READERS.items():
        more = ["/dev/null"] if name == "poppler" else []
        done = subprocess.run(
            [*command, str(path), *more], capture_output=True, text=True, errors="replace"
        )
        complaints = [
            line for line in done.stderr.splitlines() if line and "ICC support" not in line
        ]
        if done.returncode != 0 or complaints:
            bad.append(name)
    return "all" if not bad else "not " + ", ".join(bad)


def keeps(program: str, seed: int, details: Path | None) -> str:
    rows = []
    with tempfile.TemporaryDirectory() as place:
        work = details or Path(place)
        work.mkdir(parents=True, exist_ok=True)
        for kind, make in KINDS.items():
            source, said = make(work, random.Random(f"{seed} {kind}"))
            before = facts(source)
            names = list(before)
            for number, (name, command) in enumerate(
                commands(program, source, work / f"{kind}-out.pdf").items()
            ):
                out = work / f"{kind}-{number}.pdf"
                out.unlink(missing_ok=True)
                done = subprocess.run([*command[:-1], str(out)], capture_output=True, text=True)
                if not out.exists():
                    reason = re.sub(
                        r"\s+",
                        " ",
                        (
                            done.stderr.strip().splitlines()[-1]
                            if done.stderr.strip()
                            else "no word why"
                        ),
                    )
                    rows.append(
                        f"| {kind} | `{name}` | refused: {reason[:80]}" + " |" * (len(names) + 3)
                    )
                    continue
                after = facts(out)
                read = words(out) - before["text"]
                wanted = Counter(word for line in said for word in line.split())
                found = f"{sum((read & wanted).values())} of {sum(wanted.values())}" if said else ""
                cells = [kept(before[part], after[part]) for part in names]
                growth = f"{(out.stat().st_size - source.stat().st_size) / 1000:+.0f} kB"
                rows.append(
                    f"| {kind} | `{name}` | "
                    + " | ".join([*cells, found, growth, opens(out)])
                    + " |"
                )
    lines = [
        (
            "Five made-up PDFs of three pages: digital ones, scans of 300 dpi, a digital page with"
            " a scan and a scan under a digital stamp, a signed one and a tagged one. Each has"
            " links, an outline, two attachments, two fields of a form, page labels, a language, a"
            " title and dates. Kept are: words that poppler reads, painting operators, embedded"
            " fonts, pictures pixel for pixel, links to their targets, bookmarks to their pages,"
            " attachments byte for byte, fields with their values on a page, tags whose content is"
            " there, and signatures that are valid (`pdfsig`). A cell is empty where the PDF has"
            " nothing of the kind."
        ),
        "",
        "| PDF | Command | "
        + " | ".join([*names, "scanned words found", "size", "opened without a word by"])
        + " |",
        "|---" * (len(names) + 5) + "|",
        *rows,
        "",
        f"{peer()} Opened by: `qpdf --check`, `mutool draw` and poppler. Debian has no veraPDF.",
    ]
    return "\n".join(lines) + "\n"
