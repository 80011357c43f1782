"""Compares all readers on the same pictures: words right by kind of page, and processor seconds a
page.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

#: The profile for a kind of page, where it is not `document`.
PROFILES = {"receipt": "receipt"}
#: The recall that `auto` should reach, set before it was written; and processor seconds of any page.
WANTED = {
    "book-eng": 0.99,
    "book-fra": 0.975,
    "book-ita": 0.93,
    "book-spa": 0.94,
    "column": 0.975,
    "form": 0.935,
    "historic-fra": 0.76,
    "oldbook": 0.98,
    "receipt": 0.965,
    "report": 0.97,
    "table": 0.99,
    "typescript": 0.91,
    "all": 0.955,
}
LONGEST = 12
ALONE = {**os.environ, "OMP_THREAD_LIMIT": "1"}


def counted(text: str) -> Counter:
    return Counter(re.findall("[a-z0-9]+", text.lower()))


def tesseract(picture: Path, _: str) -> str:
    return output(["tesseract", str(picture), "-", "-l", "eng"], ALONE)


def ocrmypdf(picture: Path, _: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        run = [
            "ocrmypdf",
            "--quiet",
            "--image-dpi",
            "300",
            "--output-type",
            "pdf",
            "--sidecar",
            f"{folder}/page.txt",
        ]
        subprocess.run(
            [*run, str(picture), f"{folder}/page.pdf"], check=True, capture_output=True, env=ALONE
        )
        return Path(f"{folder}/page.txt").read_text()


def output(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment
    ).stdout


class Bare:
    """RapidOCR alone, which reads one picture after the other."""

    def __init__(self, python: Path):
        self.process = subprocess.Popen(
            [str(python), str(Path(__file__).with_name("bare.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.process.stdout.readline()

    @property
    def spent(self) -> float:
        """The processor seconds of all threads since the start of the process (proc(5), stat)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __call__(self, picture: Path, _: str) -> str:
        self.process.stdin.write(f"{picture}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Ours:
    """`copystand import` with one of its readers."""

    def __init__(self, program: str, reader: str):
        self.program, self.reader = program, reader

    def __call__(self, picture: Path, kind: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [
                    self.program,
                    "import",
                    str(picture),
                    "--quiet",
                    "--profile",
                    PROFILES.get(kind, "document"),
                    "--reader",
                    self.reader,
                    "-o",
                    f"{folder}/page.txt",
                ],
                check=True,
                capture_output=True,
                text=True,
            )
            return Path(f"{folder}/page.txt").read_text()


def ways(program: str) -> tuple[dict[str, Callable[[Path, str], str]], list[str]]:
    """The installed readers, and a note about those that are missing."""
    found: dict[str, Callable[[Path, str], str]] = {"tesseract": tesseract}
    skipped = []
    if shutil.which("ocrmypdf"):
        found["ocrmypdf"] = ocrmypdf
    else:
        skipped.append("ocrmypdf: skipped: not installed")
    readers = json.loads(output([program, "readers", "--json"], dict(os.environ)))["readers"]
    paddle = next((one for one in readers if one["id"] == "paddle" and "problem" not in one), None)
    if paddle:
        found["rapidocr"] = Bare(Path(paddle["manifest"]).parent / "venv/bin/python")
    found["ours, tesseract"] = Ours(program, "tesseract")
    if paddle:
        found |= {"ours, paddle": Ours(program, "paddle"), "ours, auto": Ours(program, "auto")}
    else:
        skipped.append(
            "rapidocr, and ours with paddle and auto: skipped: no paddle (copystand readers install"
            " paddle)"
        )
    return found, skipped


def spent(way: Callable[[Path, str], str]) -> float:
    """The processor seconds of the work so far. They hardly depend on the machine's other work."""
    if isinstance(way, Bare):
        return way.spent
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def half(name: str) -> str:
    """Two halves of the pages, so that choices made on one half can be tested on the other.
    """
    return "second half" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 else "first half"


def reading(program: str, data: Path, pages: int | None) -> str:
    folder = data / "dev2/ocr"
    if not (folder / "index.json").exists():
        return "skipped: no data\n"
    rows = json.loads((folder / "index.json").read_text())
    if pages:
        rows = rows[:: max(1, len(rows) // pages)][:pages]
    found, skipped = ways(program)
    right: dict[str, Counter] = defaultdict(Counter)
    seconds: dict[str, Counter] = defaultdict(Counter)
    words, number, refused, worst = Counter(), Counter(), Counter(), []
    longest: dict[str, float] = defaultdict(float)
    for row in rows:
        truth = counted((folder / row["gt"]).read_text(errors="replace"))
        groups = [row["kind"], half(row["image"]), "all"]
        here = {}
        for group in groups:
            words[group] += truth.total()
            number[group] += 1
        for name, read in found.items():
            start = spent(read)
            try:
                text = read(folder / row["image"], row["kind"])
            except subprocess.CalledProcessError:
                text = ""
                refused[name] += 1
            hits = (truth & counted(text)).total()
            taken = spent(read) - start
            longest[name] = max(longest[name], taken)
            here[name] = hits / max(1, truth.total())
            for group in groups:
                right[group][name] += hits
                seconds[group][name] += taken
        print(
            f"  {row['image']}: "
            + ", ".join(f"{name} {value:.3f}" for name, value in here.items()),
            file=sys.stderr,
        )
        single = max([value for name, value in here.items() if not name.startswith("ours")])
        worst.append((here.get("ours, auto", here["ours, tesseract"]) - single, row["image"]))
    lines = [
        (
            f"Word recall on {len(rows)} real pages on which none of the programs was developed"
            " (order and case do not count, `[a-z0-9]+`), and processor seconds a page; whole"
            " commands, one for each picture (rapidocr: without its start):"
        ),
        "",
        "| Pages | number | " + " | ".join(found) + " | target |",
        "|---|---" + "|---" * len(found) + "|---|",
    ]
    kinds = sorted({row["kind"] for row in rows})
    for group in [*kinds, *sorted({half(row["image"]) for row in rows}), "all"]:
        cells = [
            f"{right[group][name] / words[group]:.3f}"
            f" ({seconds[group][name] / number[group]:.1f} s)"
            for name in found
        ]
        target = f"{WANTED[group]:.3f}" if group in WANTED else ""
        lines.append(f"| {group} | {number[group]} | " + " | ".join([*cells, target]) + " |")
    cells = [f"{longest[name]:.1f} s" for name in found]
    lines.append("| the page that takes longest | | " + " | ".join(cells) + f" | {LONGEST} s |")
    least, image = min(worst)
    lines += [
        "",
        (
            f"Against the best of the other readers on the same page, ours is worst on `{image}`:"
            f" {least:+.3f}."
        ),
        *skipped,
    ]
    lines += [
        f"{name} refused {count} of the pictures, whose words it lacks."
        for name, count in refused.items()
    ]
    return "\n".join(lines) + "\n"
