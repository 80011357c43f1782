"""The benchmarks, one function each; see Scripts/bench for how to call them."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from archive import archive
from measure import Run, median, run, watch_spool
from score import recall

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "Docs/Benchmarks.md"
ALONE = {"OMP_THREAD_LIMIT": "1"}


def interleaved(commands: dict[str, tuple[list[str], dict[str, str]]], runs: int) -> dict[str, list[Run]]:
    """Runs the commands in turn, `runs` times each, so that a slow minute of the machine hits all of them."""
    results: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(runs):
        for name, (command, environment) in commands.items():
            for place in [Path(part) for part in command if part.endswith(".pdf") and "/out-" in part]:
                place.unlink(missing_ok=True)
            print(f"  run {number + 1}: {name}", file=sys.stderr)
            results[name].append(run(command, environment))
    return results


def street(arguments) -> str:
    data = Path(arguments.data) / "ocr-speed"
    pages = sorted(data.glob("*.png"))
    if not pages:
        return "skipped: no data\n"
    truths = [page.with_suffix(".gt.txt") for page in pages]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        floor = work / "floor"
        subprocess.run(
            ["cc", "-O2", "-o", floor, ROOT / "Scripts/bench.d/floor.c", "-llept", "-ltesseract", "-lpthread"],
            check=True)
        both = work / "pages.pdf"
        subprocess.run([sys.executable, "-m", "img2pdf", *pages, "-o", both], check=True)
        names = [str(page) for page in pages]
        commands = {
            "copystand import": (
                [f"{arguments.bin}/copystand", "import", *names, "-o", f"{work}/out-copystand.pdf"], {}),
            "two bare Tesseract engines (floor)": ([str(floor), *names], ALONE),
            "ocrmypdf --jobs 2 --deskew": (
                ["ocrmypdf", "--jobs", "2", "--deskew", str(both), f"{work}/out-ocrmypdf.pdf"], {}),
            "ocrmypdf --jobs 2 --deskew, OMP_THREAD_LIMIT=1": (
                ["ocrmypdf", "--jobs", "2", "--deskew", str(both), f"{work}/out-ocrmypdf-alone.pdf"], ALONE),
        }
        if not shutil.which("ocrmypdf"):
            commands = {name: value for name, value in commands.items() if not name.startswith("ocrmypdf")}
        results = interleaved(commands, arguments.runs)
        ours = median([one.seconds for one in results["copystand import"]])
        lines = [
            f"{len(pages)} A4 pages at 300 dpi to a searchable PDF, whole commands, median of {arguments.runs} runs in turn.",
            "",
            "| Command | wall s | pages/min | processor s | words right | PDF MB | Copystand is faster by |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, measured in results.items():
            wall = median([one.seconds for one in measured])
            used = median([one.processor_seconds for one in measured])
            made = [Path(part) for part in commands[name][0] if part.endswith(".pdf") and "/out-" in part]
            right, size = "-", "-"
            if made:
                found, total = recall(made[0], truths)
                right = f"{found} of {total} ({100 * found / total:.2f} %)"
                size = f"{made[0].stat().st_size / 1e6:.2f}"
            lines.append(
                f"| {name} | {wall:.2f} | {60 * len(pages) / wall:.0f} | {used:.1f} | {right} | {size} | {wall / ours:.2f} × |")
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
                [f"{arguments.bin}/copystand", "import", str(pages), "-o", f"{work}/out-{count}.pdf"], memory=True)
    more = peaks[200].peak_megabytes - peaks[20].peak_megabytes
    return "\n".join([
        "Peak memory (proportional set size) of the program, its backend and its recognisers together, sampled ten times a second.",
        "",
        "| Import | peak MB | wall s |", "|---|---|---|",
        *(f"| {count} pages | {one.peak_megabytes:.0f} | {one.seconds:.0f} |" for count, one in peaks.items()),
        "", f"The long import takes {more:+.0f} MB (wanted: at most +100 MB).", ""])


def startup(arguments) -> str:
    program = f"{arguments.bin}/copystand"
    commands = {
        "copystand --help": ([program, "--help"], 50),
        "copystand devices --backend virtual": ([program, "devices", "--backend", "virtual"], 150),
    }
    lines = [f"Wall time, median of {10 * arguments.runs} runs.", "", "| Command | ms | wanted ms |", "|---|---|---|"]
    for name, (command, wanted) in commands.items():
        walls = [run(command).seconds * 1000 for _ in range(10 * arguments.runs)]
        lines.append(f"| `{name}` | {median(walls):.0f} | under {wanted} |")
    return "\n".join(lines) + "\n"


def clip_watching(arguments) -> str:
    from clips.measure import measure, report

    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "copystand-bench/clips"
    with tempfile.TemporaryDirectory() as work:
        result = measure(f"{arguments.bin}/copystand", folder, Path(work), arguments.pages or 100, arguments.seed)
    return report(result, arguments.seed)


def detection(arguments) -> str:
    from detection import measure

    return measure(
        f"{arguments.bin}/copystand", f"{arguments.bin}/detector-bench", Path(arguments.data), arguments.runs,
        arguments.details)


def sane_house(folder: Path, devices: int = 1) -> dict[str, str]:
    """A SANE of the benchmark's own: its `test` driver with a glass that holds A4."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dll.conf").write_text("test\n")
    (folder / "test.conf").write_text(
        f"number_of_devices {devices}\nmode Gray\ndepth 8\nresolution 50\ngeometry_max 300\nbr_x 210\nbr_y 297\n")
    return {"SANE_CONFIG_DIR": str(folder), "COPYSTAND_SPOOL": str(folder / "spool"), "HOME": str(folder)}


def one_page(arguments, work: Path) -> list[str]:
    """A4 in colour at 600 dpi to an uncompressed TIFF, against scanimage."""
    environment = sane_house(work / "sane")
    picture = "Color pattern"
    places = [work / "out-copystand.tiff", work / "out-scanimage.tiff", work / "out-synced.tiff"]
    scanimage = (
        f"scanimage -d test:0 --mode Color --resolution 600 --test-picture '{picture}' --format=tiff -o ")
    commands = {
        "copystand scan -p none": [
            f"{arguments.bin}/copystand", "scan", "-d", "sane:test:0", "--mode", "colour", "-r", "600",
            "--set", f"test-picture={picture}", "-p", "none", "-q", "-o", str(places[0])],
        "scanimage -o": ["sh", "-c", f"exec {scanimage} {places[1]}"],
        "scanimage -o, then sync of the file": ["sh", "-c", f"{scanimage} {places[2]} && sync {places[2]}"],
    }
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(3 * arguments.runs):
        for name, command in commands.items():
            for place in places:
                place.unlink(missing_ok=True)
            # What the run before left to be written is not this one's work.
            os.sync()
            print(f"  run {number + 1}: {name}", file=sys.stderr)
            walls[name].append(run(command, environment).seconds)
    plain = median(walls["scanimage -o"])
    lines = [
        f"A4 in colour at 600 dpi (104 MB) from SANE's `test` driver, uncompressed, whole commands, median of {3 * arguments.runs} runs in turn. "
        "Copystand syncs the page to its spool and the file to the disk before it says that it is done; `scanimage` leaves both to the kernel.",
        "", "| Command | wall s | against `scanimage -o` |", "|---|---|---|"]
    for name, times in walls.items():
        lines.append(f"| {name} | {median(times):.2f} | {median(times) / plain:.2f} × |")
    return lines + ["", "Wanted: at most 1.10 ×."]


def feeder(arguments, work: Path) -> list[str]:
    """Fifty feeder pages at 300 dpi: does the feeder wait for OCR, and does memory grow?"""
    pages = sorted((Path(arguments.data) / "ocr-speed").glob("*.png"))
    if not pages:
        return ["", "skipped: no data for the feeder's pages"]
    folder = work / "pages"
    folder.mkdir()
    count = 50
    for number in range(count):
        (folder / f"{number:03}.png").symlink_to(pages[number % len(pages)].resolve())
    environment = {
        "COPYSTAND_VIRTUAL_PAGES": str(folder), "COPYSTAND_SPOOL": str(work / "spool"), "HOME": str(work)}
    lines = [
        "", f"{count} pages from the virtual feeder (A4 at 300 dpi, from PNG files) to a searchable PDF. Captured: until the last page is safe in the spool.",
        "", "| Profile | captured s | pages/min captured | whole run s | peak MB |", "|---|---|---|---|---|"]
    for name, profile in (("document (with OCR)", "document"), ("none", "none")):
        place = work / f"out-{profile}.pdf"
        print(f"  {name}", file=sys.stderr)
        command = [
            f"{arguments.bin}/copystand", "scan", "-d", "virtual:feeder", "-p", profile, "-q", "-o", str(place)]
        seconds, captured, peak = watch_spool(command, environment, work / "spool", count)
        lines.append(f"| {name} | {captured:.1f} | {60 * count / captured:.0f} | {seconds:.1f} | {peak:.0f} |")
    return lines


def listing(arguments, work: Path) -> list[str]:
    """How fast `devices` answers with a SANE of four scanners."""
    environment = sane_house(work / "listing", devices=4)
    walls = [
        run([f"{arguments.bin}/copystand", "devices"], environment).seconds * 1000
        for _ in range(10 * arguments.runs)]
    return ["", f"`copystand devices` with four scanners of SANE's `test` driver and the virtual devices: {median(walls):.0f} ms, "
            f"median of {len(walls)} runs."]


def scanner(arguments) -> str:
    if not shutil.which("scanimage"):
        return "skipped: scanimage is not installed\n"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        return "\n".join(one_page(arguments, work) + feeder(arguments, work) + listing(arguments, work)) + "\n"


BENCHMARKS = {
    "street": street, "memory": memory, "startup": startup, "clips": clip_watching, "detection": detection,
    "scanner": scanner, "archive": archive}


def write(name: str, text: str) -> None:
    """Replaces the section of this benchmark in the report."""
    report = REPORT.read_text()
    section = f"<!-- {name} -->\n{text.rstrip()}\n\nMeasured {date.today()} with `Scripts/bench {name}`, {os.cpu_count()} cores.\n<!-- /{name} -->"
    updated, found = re.subn(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: section, report, flags=re.S)
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
