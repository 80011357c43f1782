"""The section of the report."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from measure import resident_megabytes, tree

from .host import Host
from .interaction import interactions, openings
from .page import first_paint, scrolling
from .painted import mark, painted
from .requests import CONNECTIONS, RUNS, SECONDS, ask

STREAMS, VIEWERS = 200, 8
DOCUMENTS = 5_000
PAGES = "document.querySelectorAll('.pages.review > li').length > 400"
PICTURE = "document.querySelector('.picture image')?.getAttribute('href')"
LISTED = "document.querySelectorAll('.found').length > 40"
# The actions in a long document, and in an archive of many: the pressed elements, and the keys, if
# any.
IN_DOCUMENT = [
    ("button[aria-label='Next page']", ""),
    (".pages.review [data-number='4'] .check", ""),
    ("button[aria-label='Zoom in']", ""),
    ("[data-keep=turnRight]", ""),
    (".pages.review [tabindex='0']", "\ue015"),
]
IN_ARCHIVE = [
    (".look-of", ""),
    ("main input[type=search]", "e"),
    ("main input[type=search]", "t"),
    (".found input", ""),
    (".selected .acts summary", ""),
]
HERE = Path(__file__).resolve().parent


def frames(folder: Path, seed: int) -> None:
    """Pictures of a page on a desk at 1080p, which differ by a camera's noise."""
    import cv2
    import numpy as np

    folder.mkdir()
    random = np.random.default_rng(seed)
    desk = np.full((1080, 1920, 3), (70, 85, 95), np.uint8)
    cv2.fillPoly(
        desk, [np.array([(620, 90), (1290, 110), (1310, 1010), (600, 990)])], (225, 230, 232)
    )
    for line in range(28):
        cv2.putText(
            desk,
            f"Line {line} of what is written on this page",
            (680, 180 + 28 * line),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.75,
            (40, 40, 40),
            2,
        )
    for number in range(30):
        noise = random.normal(0, 4, desk.shape)
        picture = np.clip(desk + noise, 0, 255).astype(np.uint8)
        mark(picture, number)
        cv2.imwrite(str(folder / f"{number:02}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 80])


def memory(host: Host) -> tuple[float, float]:
    """The megabytes (proportional set size) of the host alone, and with the backends and helpers
    that it has started.
    """
    return resident_megabytes([host.process.pid]), resident_megabytes(tree(host.process.pid))


def watching(host: Host, seconds: float) -> list[str]:
    """A watched camera, without and with viewers."""
    order = {
        "device": "benchmark:one",
        "profile": "none",
        "watch": {"manual": True, "stills": "never"},
    }
    job = host.ask("POST", "jobs", order)["id"]
    host.shown(job, 3)
    alone = host.shown(job, seconds) / seconds
    quiet, _ = memory(host)
    load = subprocess.Popen(
        [
            sys.executable,
            HERE / "viewers.py",
            "127.0.0.1",
            str(host.port),
            job,
            str(VIEWERS),
            str(STREAMS),
            str(seconds + 4),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(2)
    crowded = host.shown(job, seconds) / seconds
    own, whole = memory(host)
    told = json.loads(load.communicate()[0])
    paint = (
        painted(host.address, host.folder / "frames" / "taken", seconds)
        if shutil.which("chromium")
        else None
    )
    host.ask("POST", f"jobs/{job}/stop")
    size = median(path.stat().st_size for path in (host.folder / "frames").glob("*.jpg")) / 1000
    return [
        (
            f"A camera of 1920 × 1080 and 30 frames a second (Motion JPEG, {size:.0f} kB each, with"
            f" the time in every picture), watched by one job; then {VIEWERS} show its film and"
            f" {told['streams']} more connections listen to the host's events, all from a second"
            " process."
        ),
        "",
        "| | without them | with them | target |",
        "|---|---|---|---|",
        f"| frames looked at a second | {alone:.1f} | {crowded:.1f} | unchanged |",
        f"| memory of the host, MB | {quiet:.0f} | {own:.0f} | under 300 |",
        f"| the same with its backends, MB | - | {whole:.0f} | - |",
        f"| pictures a second at each viewer | - | {told['rate']:.1f} | - |",
        (
            "| from the camera to the picture's last byte at the viewer, median, ms | - |"
            f" {told['median']:.1f} | under 150 |"
        ),
        f"| the same, 99th percentile | - | {told['late']:.1f} | - |",
        *(
            [
                (
                    "| from the camera until a single headless Chromium has painted it, median, ms"
                    f" | {paint['median']:.0f} | - | under 150 |"
                ),
                f"| the same, 99th percentile | {paint['late']:.0f} | - | - |",
                f"| pictures a second that it painted | {paint['rate']:.1f} | - | - |",
            ]
            if paint
            else ["| painted in Chromium | skipped: not installed | - | - |"]
        ),
        "",
    ]


def serving(host: Host, folder: Path) -> list[str]:
    """Listings and pictures."""
    documents = host.ask("GET", "documents?limit=1000")["documents"]
    places = [f"/api/v1/documents/{one['id']}/pages/1" for one in documents if one["pages"] == 1]
    hashes = [host.ask("GET", place.removeprefix("/api/v1/"))["page"] for place in places[:20]]
    rows = []
    for name, paths, wanted in [
        (
            f"`documents?limit=20`, of {len(documents)}",
            ["/api/v1/documents?limit=20"],
            "5,000, p99 under 20 ms",
        ),
        ("`documents?limit=100`, as the page asks", ["/api/v1/documents?limit=100"], "-"),
        ("`jobs`", ["/api/v1/jobs"], "5,000, p99 under 20 ms"),
        ("`search?q=fox`, 20 hits", ["/api/v1/search?q=fox&limit=20"], "-"),
        ("thumbnails of documents", [place + "/thumbnail" for place in places], "2,000"),
        ("page images of documents", [place + "/image" for place in places], "2,000"),
        (
            "thumbnails by their hash",
            [f"/api/v1/images/{one['thumbnail']}" for one in hashes],
            "2,000",
        ),
        (
            "page images by their hash",
            [f"/api/v1/images/{one['image']}" for one in hashes],
            "2,000",
        ),
    ]:
        print(f"  {name}", file=sys.stderr)
        rate, middle, late = ask(host.address, paths, folder)
        rows.append(f"| {name} | {rate:,.0f} | {middle:.1f} | {late:.1f} | {wanted} |")
    return [
        (
            f"`wrk` in a process of its own on the same machine, {CONNECTIONS} connections with"
            f" keep-alive; medians of {RUNS} runs of {SECONDS} s."
        ),
        "",
        "| What | requests/s | median ms | p99 ms | target |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]


def showing(host: Host, runs: int) -> list[str]:
    """The page in a browser."""
    if not shutil.which("chromium"):
        return ["skipped: Chromium is not installed", ""]
    paint, size, files = first_paint(host.address, runs)
    told = scrolling(host.address)
    times = sorted(told["times"])
    late = sum(one > 33.4 for one in times)
    return [
        "Headless Chromium without a graphics card.",
        "",
        "| | | target |",
        "|---|---|---|",
        (
            f"| first contentful paint, median of {runs} new browsers | {paint:.0f} ms | under 150"
            " ms |"
        ),
        f"| the page and its {files} files on the wire | {size / 1000:.0f} kB | under 200 kB |",
        (
            "| a review of 500 pages, scrolled for 8 s: a frame, median |"
            f" {times[len(times) // 2]:.1f} ms | 16.7 ms |"
        ),
        f"| the same, 99th percentile | {times[int(len(times) * 0.99)]:.1f} ms | - |",
        f"| frames later than 33 ms | {late} of {len(times)} | - |",
        (
            f"| thumbnails asked for after {told['at'] / max(1, told['height']):.0%} of the way |"
            f" {told['there']} of 500 | as needed |"
        ),
        "",
    ]


def many(program: str, folder: Path) -> Host:
    """A host with an archive of many documents of one page."""
    folder.mkdir()
    host = Host(program, folder)
    maker = Path(program).parent / "archive-program-for-tests"
    archive = folder / "XDG_DATA_HOME" / "copystand"
    archive.parent.mkdir()
    sample = HERE.parents[2] / "Samples/01-letter.jpg"
    subprocess.run([maker, "documents", archive, str(DOCUMENTS), sample], check=True)
    return host


def acting(long: Host, program: str, folder: Path) -> list[str]:
    """The times that the page takes to answer its user, in a long document and among many."""
    if not shutil.which("chromium"):
        return ["skipped: Chromium is not installed", ""]
    print(f"  {DOCUMENTS} documents", file=sys.stderr)
    in_document = interactions(long.address, "document/1", PAGES, IN_DOCUMENT)
    turning = openings(
        long.address,
        "document/1",
        PICTURE,
        [f".pages.review [data-number='{number}']" for number in (2, 3, 4)],
    )
    with many(program, folder / "many") as host:
        in_archive = interactions(host.address, "archive", LISTED, IN_ARCHIVE)
        opening = openings(
            host.address, "archive", LISTED, [f".found:nth-child({n}) .title" for n in (1, 2, 3)]
        )
    return [
        (
            "From an input to the next paint, as the browser reports it in steps of 8 ms; from a"
            " touch on a phone's size until the page's picture is decoded and painted."
        ),
        "",
        "| | ms | target |",
        "|---|---|---|",
        (
            f"| slowest of {len(in_document)} interactions with a document of 500 pages |"
            f" {max(in_document.values()):.0f} | under 100 |"
        ),
        (
            f"| slowest of {len(in_archive)} interactions with {DOCUMENTS:,} documents |"
            f" {max(in_archive.values()):.0f} | under 100 |"
        ),
        (
            "| a touch on another of 500 pages shows it, median of 3 |"
            f" {median(turning):.0f} | under 150 |"
        ),
        (
            f"| a touch on one of {DOCUMENTS:,} documents shows its page, median of 3 |"
            f" {median(opening):.0f} | under 150 |"
        ),
        "",
    ]


def report(program: str, runs: int, seed: int, parts: list[str]) -> str:
    """Measures everything, or only the given parts of `watching`, `serving`, `showing` and
    `acting`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        host = Host(program, folder)
        frames(folder / "frames", seed)
        scan = ["scan", "-d", "virtual:feeder", "-r", "75"]
        print("  a document of 500 pages and 200 of one page", file=sys.stderr)
        host.run(*scan, "-p", "none", "--set", "pages=500", "-t", "Long")
        host.run(*scan[:-1], "150", "-n", "1", "-t", "Letter")
        for number in range(199):
            host.run(*scan[:-1], "150", "-p", "none", "-n", "1", "-t", f"Document {number}")
        lines = []
        with host:
            if "watching" in parts:
                lines += watching(host, 15)
            if "serving" in parts:
                lines += serving(host, folder)
            if "showing" in parts:
                lines += showing(host, runs)
            if "acting" in parts:
                lines += acting(host, program, folder)
        busy = os.getloadavg()[0]
    return "\n".join([*lines, f"The machine's load was {busy:.1f} at the end."]) + "\n"
