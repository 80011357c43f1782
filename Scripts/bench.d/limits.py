"""Measures the memory that large pages take, and the time that many files take."""

from __future__ import annotations

import os
import random
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import pikepdf
from pikepdf import Dictionary, Name
from PIL import Image, ImageDraw, ImageFont

from measure import tree

Image.MAX_IMAGE_PIXELS = None
DPI = 600
SIDES = {"250 megapixels": (15_811, 15_811), "A0 at 600 dpi": (19_866, 28_087)}
MODES = {"L": "gray", "RGB": "color", "RGBA": "color and alpha"}
LINE = (
    "harbor lantern meadow copper river window garden timber silver station bridge market orchard "
)
FACE = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
FILES = 2_000
KINDS = ["jpg", "png", "tif", "gif", "bmp", "webp", "jp2", "pdf", "txt"]


def limits(program: str, seed: int) -> str:
    rows, refused = [], []
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        for name, size in SIDES.items():
            for mode in MODES:
                picture = page(size, mode)
                for ending in ("png",) if mode == "RGBA" else ("jpg", "tif", "png", "pdf"):
                    source = save(picture, work / f"page.{ending}")
                    for profile, out in (("none", "png"), ("none", "pdf"), ("document", "pdf")):
                        cells = measured(program, source, profile, work / f"out.{out}")
                        if cells is None:
                            refused.append(f"{name}, {MODES[mode]}, as `{ending}`")
                        else:
                            rows.append(
                                f"| {name}, {MODES[mode]} | `{ending}` | `{profile}` | `{out}` |"
                                f" {cells}"
                            )
                    source.unlink()
        text = [
            (
                "Pages of print and disks at 600 dpi. Each process's peak (`VmHWM`), the file's"
                " pages that are mapped included."
            ),
            "",
            (
                "| Page | File | Profile | Output | `copystand`, MB | backend, MB | recognizer, MB"
                " | wall s |"
            ),
            "|---" * 8 + "|",
            *rows,
            "",
            "Target: below 1,500 MB in each."
            + (f" Refused as too large: {'; '.join(dict.fromkeys(refused))}." if refused else ""),
            "",
            folder(program, work, random.Random(seed)),
        ]
    return "\n".join(text) + "\n"


def page(size: tuple[int, int], mode: str) -> Image.Image:
    picture = Image.new(mode, size, "white")
    pen = ImageDraw.Draw(picture)
    letters = ImageFont.truetype(FACE, 110)
    for top in range(400, size[1] - 400, 900):
        pen.text((400, top), (LINE * 4)[: size[0] // 75], fill="black", font=letters)
    for index in range(20):
        left, top = size[0] * index // 20, size[1] * index // 20
        pen.ellipse(
            (left, top, left + 700, top + 700),
            fill=index * 12 if mode == "L" else (index * 12, 200 - index * 9, 80),
        )
    return picture


def save(picture: Image.Image, path: Path) -> Path:
    if path.suffix == ".pdf":
        photograph = path.with_suffix(".embedded")
        picture.save(photograph, "JPEG", quality=80)
        pdf = pikepdf.new()
        across, down = (side * 72 / DPI for side in picture.size)
        image = pikepdf.Stream(
            pdf,
            photograph.read_bytes(),
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=picture.width,
            Height=picture.height,
            ColorSpace=Name.DeviceGray if picture.mode == "L" else Name.DeviceRGB,
            BitsPerComponent=8,
            Filter=Name.DCTDecode,
        )
        pdf.pages.append(
            pikepdf.Page(
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Page,
                        MediaBox=[0, 0, across, down],
                        Resources=Dictionary(XObject=Dictionary(I=image)),
                        Contents=pikepdf.Stream(pdf, f"{across} 0 0 {down} 0 0 cm /I Do".encode()),
                    )
                )
            )
        )
        pdf.save(path)
        photograph.unlink()
    else:
        picture.save(
            path,
            dpi=(DPI, DPI),
            **{
                ".jpg": {"quality": 80},
                ".png": {"compress_level": 1},
                ".tif": {"compression": "tiff_lzw"},
            }[path.suffix],
        )
    return path


def measured(program: str, source: Path, profile: str, out: Path) -> str | None:
    """The peaks in MB and the seconds of an import; None for a page that is refused as too
    large.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "import", str(source), "-p", profile, "-o", str(out), "--page-timeout", "600"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    peaks: dict[str, int] = {}
    while process.poll() is None:
        for one in tree(process.pid):
            try:
                status = Path(f"/proc/{one}/status").read_text()
                name = re.search(r"Name:\s*(\S+)", status)[1]
                peaks[name] = max(
                    peaks.get(name, 0), int(re.search(r"VmHWM:\s*(\d+)", status)[1]) * 1024
                )
            except (OSError, TypeError):
                continue
        time.sleep(0.02)
    seconds = time.monotonic() - start
    said = process.stderr.read()
    out.unlink(missing_ok=True)
    if "is too large: " in said:
        return None
    if process.returncode != 0:
        raise RuntimeError(f"{source.name} ended with {process.returncode}: {said[-500:]}")
    cells = [
        peaks.get(name, 0) / 1e6 for name in ("copystand", "copystand-backe", "copystand-recog")
    ]
    return (
        " | ".join([*(f"{cell:,.0f}" if cell else "" for cell in cells), f"{seconds:.0f}"]) + " |"
    )


def folder(program: str, work: Path, generator: random.Random) -> str:
    """Makes many files of all kinds, some of them without pages, some damaged."""
    files = work / "files"
    files.mkdir()
    made = {}
    for kind in KINDS[:-1]:
        picture = page((1240, 1754), generator.choice(("L", "RGB")))
        path = files / f"0000.{kind}"
        picture.save(path, resolution=150) if kind == "pdf" else picture.save(path)
        made[kind] = path.read_bytes()
        path.unlink()
    made["txt"] = b"no page\n"
    for number in range(FILES):
        kind = generator.choice(KINDS)
        damaged = kind != "txt" and generator.random() < 0.02
        (files / f"{number:04}.{kind}").write_bytes(
            made[kind][: len(made[kind]) // 2] if damaged else made[kind]
        )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(
        [
            program,
            "import",
            str(files),
            "-p",
            "none",
            "-o",
            str(work / "all.pdf"),
            "--allow-duplicates",
        ],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    listed = subprocess.run(
        ["qpdf", "--show-npages", str(work / "all.pdf")], capture_output=True, text=True
    ).stdout.strip()
    return (
        f"{FILES:,} files of A4 at 150 dpi in one folder"
        f" ({', '.join(f'`{kind}`' for kind in KINDS)}; one in fifty cut in half) become a PDF of"
        f" {listed} pages with `-p none` in {seconds:.0f} s (target: under 60) with {used:.0f} s of"
        f" processor time, exit code {done.returncode}, at a load of {os.getloadavg()[0]:.0f}."
    )
