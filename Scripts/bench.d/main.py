"""The benchmarks, one function each; see Scripts/bench for how to call them."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from datetime import date
from pathlib import Path

from archive import archive
from blank import blank
from backends import backends
from barcodes import barcodes
from cluster import cluster
from measure import Run, median, run
from scanner import scanner
from score import recall
from sharing import sharing

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "Docs/Benchmarks.md"
ALONE = {"OMP_THREAD_LIMIT": "1"}


def interleaved(
    commands: dict[str, tuple[list[str], dict[str, str]]], runs: int
) -> dict[str, list[Run]]:
    """Runs the commands in turn, `runs` times each, so that a slow minute of the machine affects
    all of them.
    """
    results: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(runs):
        for name, (command, environment) in commands.items():
            for place in [
                Path(part) for part in command if part.endswith(".pdf") and "/out-" in part
            ]:
                place.unlink(missing_ok=True)
            print(f"  run {number + 1}: {name}", file=sys.stderr)
            results[name].append(run(command, environment))
    return results


def pipeline(arguments) -> str:
    data = Path(arguments.data) / "ocr-speed"
    pages = sorted(data.glob("*.png"))
    if not pages:
        return "skipped: no data\n"
    truths = [page.with_suffix(".gt.txt") for page in pages]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        floor = work / "floor"
        subprocess.run(
            [
                "cc",
                "-O2",
                "-o",
                floor,
                ROOT / "Scripts/bench.d/floor.c",
                "-llept",
                "-ltesseract",
                "-lpthread",
            ],
            check=True,
        )
        both = work / "pages.pdf"
        subprocess.run([sys.executable, "-m", "img2pdf", *pages, "-o", both], check=True)
        names = [str(page) for page in pages]
        commands = {
            "copystand import": (
                [f"{arguments.bin}/copystand", "import", *names, "-o", f"{work}/out-copystand.pdf"],
                {},
            ),
            "two bare Tesseract engines (floor)": ([str(floor), *names], ALONE),
            "ocrmypdf --jobs 2 --deskew": (
                ["ocrmypdf", "--jobs", "2", "--deskew", str(both), f"{work}/out-ocrmypdf.pdf"],
                {},
            ),
            "ocrmypdf --jobs 2 --deskew, OMP_THREAD_LIMIT=1": (
                [
                    "ocrmypdf",
                    "--jobs",
                    "2",
                    "--deskew",
                    str(both),
                    f"{work}/out-ocrmypdf-alone.pdf",
                ],
                ALONE,
            ),
        }
        if not shutil.which("ocrmypdf"):
            commands = {
                name: value for name, value in commands.items() if not name.startswith("ocrmypdf")
            }
        results = interleaved(commands, arguments.runs)
        ours = median([one.seconds for one in results["copystand import"]])
        lines = [
            (
                f"{len(pages)} A4 pages at 300 dpi to a searchable PDF, whole commands, median of"
                f" {arguments.runs} runs in turn."
            ),
            "",
            (
                "| Command | wall s | pages/min | processor s | words right | PDF MB | Copystand is"
                " faster by |"
            ),
            "|---|---|---|---|---|---|---|",
        ]
        for name, measured in results.items():
            wall = median([one.seconds for one in measured])
            used = median([one.processor_seconds for one in measured])
            made = [
                Path(part)
                for part in commands[name][0]
                if part.endswith(".pdf") and "/out-" in part
            ]
            right, size = "-", "-"
            if made:
                found, total = recall(made[0], truths)
                right = f"{found} of {total} ({100 * found / total:.2f} %)"
                size = f"{made[0].stat().st_size / 1e6:.2f}"
            lines.append(
                f"| {name} | {wall:.2f} | {60 * len(pages) / wall:.0f} | {used:.1f} | {right} |"
                f" {size} | {wall / ours:.2f} × |"
            )
        if not shutil.which("ocrmypdf"):
            lines.append("\nskipped: ocrmypdf is not installed")
        return "\n".join(lines) + "\n"


def memory(arguments) -> str:
    data = Path(arguments.data) / "ocr-speed"
    source = sorted(data.glob("*.png"))
    if not source:
        return "skipped: no data\n"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        peaks = {}
        for count in (20, 200):
            pages = work / f"{count}"
            pages.mkdir()
            for number in range(count):
                (pages / f"{number:03}.png").symlink_to(source[number % len(source)].resolve())
            print(f"  {count} pages", file=sys.stderr)
            peaks[count] = run(
                [
                    f"{arguments.bin}/copystand",
                    "import",
                    str(pages),
                    "-o",
                    f"{work}/out-{count}.pdf",
                ],
                memory=True,
            )
    more = peaks[200].peak_megabytes - peaks[20].peak_megabytes
    return "\n".join(
        [
            (
                "Peak memory (proportional set size) of the program, its backend and its"
                " recognizers together, sampled ten times a second."
            ),
            "",
            "| Import | peak MB | wall s |",
            "|---|---|---|",
            *(
                f"| {count} pages | {one.peak_megabytes:.0f} | {one.seconds:.0f} |"
                for count, one in peaks.items()
            ),
            "",
            f"The long import takes {more:+.0f} MB (target: at most +100 MB).",
            "",
        ]
    )


def startup(arguments) -> str:
    program = f"{arguments.bin}/copystand"
    commands = {
        "copystand --help": ([program, "--help"], 50),
        "copystand devices --backend virtual": ([program, "devices", "--backend", "virtual"], 150),
    }
    lines = [
        f"Wall time, median of {10 * arguments.runs} runs.",
        "",
        "| Command | ms | target ms |",
        "|---|---|---|",
    ]
    for name, (command, wanted) in commands.items():
        walls = [run(command).seconds * 1000 for _ in range(10 * arguments.runs)]
        lines.append(f"| `{name}` | {median(walls):.0f} | under {wanted} |")
    return "\n".join(lines) + "\n"


def kept_clips() -> Path:
    """The folder of the clips, which are made once."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "copystand-bench/clips"


def card_watching(arguments) -> str:
    from clips.cards.measure import measure, report

    numbers = (arguments.pages or 100, arguments.seed)
    with tempfile.TemporaryDirectory() as work:
        result = measure(f"{arguments.bin}/copystand", kept_clips(), Path(work), numbers)
    return report(result, arguments.seed)


def clip_watching(arguments) -> str:
    from clips.measure import measure, report

    folder = kept_clips()
    with tempfile.TemporaryDirectory() as work:
        result = measure(
            f"{arguments.bin}/copystand", folder, Path(work), arguments.pages or 100, arguments.seed
        )
    return report(result, arguments.seed)


def video_watching(arguments) -> str:
    from videos import videos

    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "copystand-bench"
    return videos(f"{arguments.bin}/copystand", folder, arguments.runs, arguments.seed)


def live_path(arguments) -> str:
    from live import live

    return live(f"{arguments.bin}/copystand", kept_clips(), arguments.runs, arguments.seed)


def detection(arguments) -> str:
    from detection import measure

    return measure(
        f"{arguments.bin}/copystand",
        f"{arguments.bin}/detector-bench",
        Path(arguments.data),
        arguments.runs,
        arguments.details,
    )


def blank_pages(arguments) -> str:
    return blank(f"{arguments.bin}/copystand", arguments.pages or 500, arguments.seed)


def web(arguments) -> str:
    from web.report import report

    return report(
        f"{arguments.bin}/copystand",
        arguments.runs,
        arguments.seed,
        ["watching", "serving", "showing", "acting"],
    )


def entry_reading(arguments) -> str:
    from entries.measure import entries

    return entries(
        f"{arguments.bin}/copystand", arguments.pages or 100, arguments.seed, arguments.details
    )


def serial_reading(arguments) -> str:
    from serials.measure import serials

    return serials(
        f"{arguments.bin}/copystand", arguments.pages or 300, arguments.seed, arguments.details
    )


def layered_pages(arguments) -> str:
    from mixed.measure import mixed

    return mixed(
        f"{arguments.bin}/copystand",
        arguments.pages or 12,
        arguments.seed,
        Path(arguments.data),
        arguments.details,
    )


def kept_parts(arguments) -> str:
    from keeps.measure import keeps

    return keeps(f"{arguments.bin}/copystand", arguments.seed, arguments.details)


def large_and_many(arguments) -> str:
    from limits import limits

    return limits(f"{arguments.bin}/copystand", arguments.seed)


def page_steps(arguments) -> str:
    from pages.measure import pages

    return pages(
        f"{arguments.bin}/copystand", arguments.pages or 200, arguments.seed, arguments.details
    )


def reading_right(arguments) -> str:
    from reading.measure import reading

    return reading(f"{arguments.bin}/copystand", Path(arguments.data), arguments.pages)


def turned_pages(arguments) -> str:
    from reading.turns import turns

    return turns(f"{arguments.bin}/copystand", Path(arguments.data))


def receipt_fields(arguments) -> str:
    from reading.receipts import receipts

    return receipts(f"{arguments.bin}/copystand", Path(arguments.data))


def languages_right(arguments) -> str:
    from reading.languages import languages

    return languages(f"{arguments.bin}/copystand", arguments.seed, arguments.pages or 4)


def words_right(arguments) -> str:
    from words.measure import words

    return words(
        f"{arguments.bin}/copystand",
        Path(arguments.data),
        arguments.pages or 60,
        arguments.seed,
        arguments.details,
    )


BENCHMARKS = {
    "pipeline": pipeline,
    "memory": memory,
    "startup": startup,
    "clips": clip_watching,
    "card-clips": card_watching,
    "live": live_path,
    "videos": video_watching,
    "detection": detection,
    "scanner": scanner,
    "barcodes": barcodes,
    "archive": archive,
    "cluster": cluster,
    "backends": backends,
    "blank": blank_pages,
    "web": web,
    "entries": entry_reading,
    "serials": serial_reading,
    "mixed": layered_pages,
    "pages": page_steps,
    "words": words_right,
    "reading": reading_right,
    "turns": turned_pages,
    "receipts": receipt_fields,
    "languages": languages_right,
    "sharing": sharing,
    "keeps": kept_parts,
    "limits": large_and_many,
}


def write(name: str, text: str) -> None:
    """Replaces the section of this benchmark in the report."""
    report = REPORT.read_text()
    text = "\n".join(
        line if line.startswith("|") else textwrap.fill(line, 100)
        for line in text.rstrip().split("\n")
    )
    section = (
        f"<!-- {name} -->\n{text}\n\nMeasured {date.today()} with `Scripts/bench {name}`,"
        f" {os.cpu_count()} cores.\n<!-- /{name} -->"
    )
    updated, found = re.subn(
        rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: section, report, flags=re.S
    )
    if not found:
        raise SystemExit(f"{REPORT} has no section for {name}")
    REPORT.write_text(updated)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--data", default=str(ROOT.parent / "shared/data"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--details", type=Path)
    parser.add_argument("--no-write", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.names or BENCHMARKS:
        print(f"== {name}", file=sys.stderr)
        text = BENCHMARKS[name](arguments)
        print(text)
        if not arguments.no_write and not text.startswith("skipped"):
            write(name, text)


if __name__ == "__main__":
    main()
