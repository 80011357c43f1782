"""Measures scanning: a large page against scanimage, what spooling costs, fifty feeder pages, the
listing, canceling.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import median, run, watch_spool
from timeline import phases

PICTURE = "Color pattern"
# The seconds that the fastest feeder scanners of offices take for one side of a page in color at
# 600 dpi: 20 sides a minute is what the maker of the ScanSnap iX1600 states for its mode
# "Excellent". A scanner on USB 2 can't be faster: 104 MB at 35 MB/s take 3 s as well.
FASTEST_SIDE = 3.0


def sane_setup(folder: Path, devices: int = 1) -> dict[str, str]:
    """A SANE setup for the benchmark: the `test` driver with a glass that holds A4."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dll.conf").write_text("test\n")
    (folder / "test.conf").write_text(
        f"number_of_devices {devices}\nmode Gray\ndepth 8\nresolution 50\ngeometry_max 300\nbr_x"
        " 210\nbr_y 297\n"
    )
    return {
        "SANE_CONFIG_DIR": str(folder),
        "COPYSTAND_SPOOL": str(folder / "spool"),
        "HOME": str(folder),
    }


def scan(arguments, *more: str) -> list[str]:
    """The command that scans A4 in color at 600 dpi without any processing."""
    return [
        f"{arguments.bin}/copystand",
        "scan",
        "-d",
        "sane:test:0",
        "--mode",
        "color",
        "-r",
        "600",
        "--set",
        f"test-picture={PICTURE}",
        *more,
        "-p",
        "none",
        "-q",
    ]


def peer(*more: str) -> list[str]:
    """The same command with scanimage."""
    return [
        "scanimage",
        "-d",
        "test:0",
        "--mode",
        "Color",
        "--resolution",
        "600",
        "--test-picture",
        PICTURE,
        *more,
        "--format=tiff",
    ]


def for_peer(environment: dict[str, str]) -> dict[str, str]:
    """The command for scanimage, which sometimes hangs when drivers cancel their threads;
    `CDeferredCancel.h` says why.
    """
    source = Path(__file__).parents[2] / "Sources/System/CDeferredCancel"
    library = Path(environment["SANE_CONFIG_DIR"]) / "deferred-cancel.so"
    subprocess.run(
        [
            "cc",
            "-shared",
            "-fPIC",
            "-I",
            source / "include",
            "-o",
            library,
            source / "DeferredCancel.c",
        ],
        check=True,
    )
    return {**environment, "LD_PRELOAD": str(library)}


def nowhere(command: list[str]) -> list[str]:
    """A command whose output is thrown away."""
    return ["sh", "-c", 'exec "$@" > /dev/null', "sh", *command]


def one_page(arguments, work: Path) -> list[str]:
    """Compares scanning A4 in color at 600 dpi to an uncompressed TIFF with scanimage."""
    environment = sane_setup(work / "sane")
    ours = work / "out-copystand.tiff"
    theirs = [work / "out-scanimage.tiff", work / "out-synced.tiff"]
    commands = {
        "copystand scan -p none": [*scan(arguments), "-o", str(ours)],
        "scanimage -o": [*peer(), "-o", str(theirs[0])],
        "scanimage -o, then sync of the file": [
            "sh",
            "-c",
            '"$@" && sync "$0"',
            str(theirs[1]),
            *peer(),
            "-o",
            str(theirs[1]),
        ],
    }

    def clear() -> None:
        for place in [ours, *theirs]:
            place.unlink(missing_ok=True)
        # Data that the previous run has not written yet must not count for this one.
        os.sync()

    results: dict[str, list] = {name: [] for name in commands}
    preloaded = for_peer(environment)
    environments = {
        name: preloaded if name.startswith("scanimage") else environment for name in commands
    }
    count = 5 * arguments.runs
    for number in range(count):
        for name, command in commands.items():
            clear()
            print(f"  run {number + 1}: {name}", file=sys.stderr)
            results[name].append(run(command, environments[name]))
    walls = {name: median([one.seconds for one in runs]) for name, runs in results.items()}
    plain, synced = walls["scanimage -o"], walls["scanimage -o, then sync of the file"]
    lines = [
        (
            "A4 in color at 600 dpi (104 MB) from SANE's `test` driver, uncompressed, whole"
            f" commands, median of {count} runs in turn. Copystand syncs the page to its spool and"
            " the file to the disk before it says that it is done; `scanimage` leaves both to the"
            " kernel."
        ),
        "",
        "| Command | wall s | processor s | against `scanimage -o` | against that with a sync |",
        "|---|---|---|---|---|",
    ]
    for name, runs in results.items():
        lines.append(
            f"| {name} | {walls[name]:.3f} | {median([one.processor_seconds for one in runs]):.2f}"
            f" | {walls[name] / plain:.2f} × | {walls[name] / synced:.2f} × |"
        )
    lines += ["", "Target: at most 1.10 × `scanimage -o`.", ""]
    tables = []
    for number in range(max(3, arguments.runs)):
        clear()
        tables.append(phases(commands["copystand scan -p none"], environment, work / "trace"))
    if not tables[0]:
        return lines + ["skipped: strace is not installed, so there is no table of the phases"]
    lines += [
        (
            f"Where the time goes, median of {len(tables)} runs under `strace`, which makes all of"
            " it slower:"
        ),
        "",
        "| Phase | ms |",
        "|---|---|",
    ]
    for index, (name, _) in enumerate(tables[0]):
        lines.append(f"| {name} | {median([table[index][1] for table in tables]):.1f} |")
    return lines


def delayed(microseconds: int) -> list[str]:
    """The options that make the `test` driver wait this long after each piece that it sends."""
    return ["--read-delay=yes", "--read-delay-duration", str(microseconds)]


def delay_for(seconds: float, environment: dict[str, str]) -> int:
    """The wait after each piece, in microseconds, with which `scanimage` takes `seconds` for the
    page, extrapolated from two shorter waits.

    The driver only accepts whole milliseconds.
    """
    short, long = 2, 10
    quick, slow = (
        run(nowhere(peer(*delayed(1000 * wait))), environment).seconds for wait in (short, long)
    )
    return 1000 * min(
        200, max(1, round(short + (seconds - quick) * (long - short) / (slow - quick)))
    )


def spooling(arguments, work: Path) -> list[str]:
    """Measures the cost of spool and journal, for a page as fast as the driver can deliver it and
    for one at the speed of a fast scanner.
    """
    environment = sane_setup(work / "spooling")
    place = work / "out-spooled.json"
    lines = [
        "",
        (
            "The cost of spooling and journaling: the same page goes into the spool, and only a"
            " `.json` is delivered. `scanimage` writes to `/dev/null`, which stores nothing."
            " The difference is the time that Copystand needs to make the page safe, including the"
            f" start of its processes. At {FASTEST_SIDE:.0f} s the driver is slowed down to the"
            " speed of the fastest office scanners (20 sides a minute in color at 600 dpi, as stated"
            " for the ScanSnap iX1600, and all that USB 2 can carry)."
        ),
        "",
        "| Page | Copystand s | scanimage to `/dev/null` s | difference ms | of the page's time |",
        "|---|---|---|---|---|",
    ]
    preloaded = for_peer(environment)
    wait = delay_for(FASTEST_SIDE, preloaded)
    for name, delay, count in (
        ("as fast as the driver can", 0, 5),
        (f"at {FASTEST_SIDE:.0f} s", wait, 2),
    ):
        slow = delayed(delay) if delay else []
        set_ = ["--set", "read-delay=yes", "--set", f"read-delay-duration={delay}"] if delay else []
        ours, theirs = [], []
        for number in range(count * arguments.runs):
            place.unlink(missing_ok=True)
            os.sync()
            print(f"  run {number + 1}: spooling {name}", file=sys.stderr)
            ours.append(run([*scan(arguments, *set_), "-o", str(place)], environment).seconds)
            theirs.append(run(nowhere(peer(*slow)), preloaded).seconds)
        more = median(ours) - median(theirs)
        share = f"{100 * more / median(theirs):.1f} %" if delay else "-"
        lines.append(
            f"| {name} | {median(ours):.3f} | {median(theirs):.3f} | {1000 * more:.0f} | {share} |"
        )
    return lines + ["", "Target: less than 5 % of the page's time."]


def feeder(arguments, work: Path) -> list[str]:
    """Scans fifty feeder pages at 300 dpi, to see whether the feeder waits for OCR, and whether
    memory grows."""
    pages = sorted((Path(arguments.data) / "ocr-speed").glob("*.png"))
    if not pages:
        return ["", "skipped: no data for the feeder's pages"]
    folder = work / "pages"
    folder.mkdir()
    count = 50
    for number in range(count):
        (folder / f"{number:03}.png").symlink_to(pages[number % len(pages)].resolve())
    environment = {
        "COPYSTAND_VIRTUAL_PAGES": str(folder),
        "COPYSTAND_SPOOL": str(work / "spool"),
        "HOME": str(work),
    }
    lines = [
        "",
        (
            f"{count} pages from the virtual feeder (A4 at 300 dpi, from PNG files) to a searchable"
            " PDF. Captured: until the last page is safe in the spool."
        ),
        "",
        "| Profile | captured s | pages/min captured | whole run s | peak MB |",
        "|---|---|---|---|---|",
    ]
    for name, profile in (("document (with OCR)", "document"), ("none", "none")):
        place = work / f"out-{profile}.pdf"
        print(f"  {name}", file=sys.stderr)
        command = [
            f"{arguments.bin}/copystand",
            "scan",
            "-d",
            "virtual:feeder",
            "-p",
            profile,
            "-q",
            "-o",
            str(place),
        ]
        seconds, captured, peak = watch_spool(command, environment, work / "spool", count)
        lines.append(
            f"| {name} | {captured:.1f} | {60 * count / captured:.0f} | {seconds:.1f} |"
            f" {peak:.0f} |"
        )
    return lines


def listing(arguments, work: Path) -> list[str]:
    """Measures how fast `devices` answers if SANE has four scanners."""
    environment = sane_setup(work / "listing", devices=4)
    walls = [
        run([f"{arguments.bin}/copystand", "devices"], environment).seconds * 1000
        for _ in range(10 * arguments.runs)
    ]
    return [
        "",
        (
            "`copystand devices` with four scanners of SANE's `test` driver and the virtual"
            f" devices: {median(walls):.0f} ms, median of {len(walls)} runs."
        ),
    ]


def cancelling(arguments, work: Path) -> list[str]:
    """Measures the time from Ctrl-C in the middle of a page to the end of the command, and whether
    the scanner can be used afterward.
    """
    environment = sane_setup(work / "cancelling")
    slow = [
        *scan(arguments, "--set", "read-delay=yes", "--set", "read-delay-duration=50000"),
        "-o",
        str(work / "out-cancelled.tiff"),
    ]
    usable = [*scan(arguments), "-o", str(work / "out-after.tiff")]
    waits = []
    for number in range(5 * arguments.runs):
        print(f"  run {number + 1}: cancel", file=sys.stderr)
        process = subprocess.Popen(
            slow,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # A page of the spool holds rows once the driver is reading.
        while not any(
            place.stat().st_blocks * 512 > 1 << 20
            for place in (work / "cancelling/spool").glob("*/*.raw*")
        ):
            if process.poll() is not None:
                raise RuntimeError("the page that was to be canceled ended before that")
            time.sleep(0.002)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        status = process.wait()
        waits.append(1000 * (time.monotonic() - start))
        if status != 130:
            raise RuntimeError(f"a canceled scan ended with {status}, not 130")
        (work / "out-after.tiff").unlink(missing_ok=True)
        run(usable, environment)
        shutil.rmtree(work / "cancelling/spool")
    return [
        "",
        (
            f"Ctrl-C in the middle of such a page: the command has ended {median(waits):.0f} ms"
            f" later (median of {len(waits)} runs; slowest {max(waits):.0f} ms), and the next"
            " command scans from the same device. Target: within a second."
        ),
    ]


def scanner(arguments) -> str:
    if not shutil.which("scanimage"):
        return "skipped: scanimage is not installed\n"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lines = (
            one_page(arguments, work)
            + spooling(arguments, work)
            + feeder(arguments, work)
            + listing(arguments, work)
            + cancelling(arguments, work)
        )
        return "\n".join(lines) + "\n"
