"""Reading barcodes on generated pages: kinds × rotation × blur × contrast, against zbarimg."""

import itertools
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageFilter

# Zint's name for a kind, the text to encode, and the text to expect. The second list has the kinds
# that zbarimg does not know.
DIGITS = "0123456789"
SHARED = [
    "CODE128",
    "CODE39",
    "CODE93",
    "CODABAR",
    "EAN13",
    "EAN8",
    "UPCA",
    "C25INTER",
    "DBAR_OMN",
    "QRCODE",
]
OURS_ALONE = ["DATAMATRIX", "AZTEC", "PDF417"]
TURNS = [0, 2, -7, 15, 33, 90, 180, 268]
BLURS = [0, 1.0, 1.8]
CONTRASTS = [1.0, 0.35, 0.15]
PAGE = (1240, 1754)


def check_digit(digits: str) -> str:
    """The check digit of EAN and UPC: weights 3, 1, 3 … from the right."""
    total = sum(
        int(digit) * (3 if index % 2 == 0 else 1) for index, digit in enumerate(reversed(digits))
    )
    return str(-total % 10)


def content(kind: str, dice: random.Random) -> tuple[str, str]:
    """The text for zint, and the text that a reader must find."""

    def digits(count: int) -> str:
        return "".join(dice.choice(DIGITS) for _ in range(count))

    if kind in ("EAN13", "EAN8", "UPCA"):
        # A number that begins with 0 is both a UPC-A and an EAN-13.
        text = str(dice.randint(1, 9)) + digits({"EAN13": 11, "EAN8": 6, "UPCA": 10}[kind])
        return text, text + check_digit(text)
    if kind == "DBAR_OMN":
        text = "0" + digits(12)
        return text, "01" + text + check_digit(text)
    if kind == "C25INTER":
        text = digits(10)
        return text, text
    if kind == "CODABAR":
        text = digits(8)
        return f"A{text}B", text
    text = "ASN" + digits(6)
    return text, text


def draw(kind: str, text: str, path: Path) -> None:
    names = {"EAN13": "EANX", "EAN8": "EANX"}
    subprocess.run(
        [
            "zint",
            "--barcode",
            names.get(kind, kind),
            "--data",
            text,
            "--notext",
            "--scale",
            "1.5",
            "--output",
            str(path),
        ],
        check=True,
        capture_output=True,
    )


def make(folder: Path, count: int, seed: int) -> dict[str, tuple[str, str]]:
    """Makes the pages, with their numbers as names; returns each page's kind and text."""
    dice = random.Random(seed)
    variants = list(itertools.product(TURNS, BLURS, CONTRASTS))
    truth = {}
    for number in range(count):
        kind = (SHARED + OURS_ALONE)[number % (len(SHARED) + len(OURS_ALONE))]
        turn, blur, contrast = dice.choice(variants)
        given, text = content(kind, dice)
        drawn = folder / "code.png"
        draw(kind, given, drawn)
        code = Image.open(drawn).convert("L")
        quiet = Image.new("L", (code.width + 60, code.height + 60), 255)
        quiet.paste(code, (30, 30))
        quiet = quiet.rotate(turn, resample=Image.BICUBIC, expand=True, fillcolor=255)
        page = Image.new("L", PAGE, 255)
        page.paste(
            quiet,
            (
                dice.randint(40, PAGE[0] - quiet.width - 40),
                dice.randint(40, PAGE[1] - quiet.height - 40),
            ),
        )
        page = page.filter(ImageFilter.GaussianBlur(blur)) if blur else page
        paper = dice.randint(200, 245)
        page = page.point(
            [round(paper * (1 - contrast * (255 - level) / 255)) for level in range(256)]
        )
        noise = Image.effect_noise(PAGE, 6)
        page = Image.blend(page, noise, 0.06 if contrast < 0.3 else 0.12)
        name = f"{number:04}.png"
        page.save(folder / name, compress_level=1)
        drawn.unlink()
        truth[name] = (kind, text)
    return truth


def plain(text: str) -> str:
    """A GTIN without the brackets and the leading zeros that readers write differently."""
    text = text.strip().replace("(", "").replace(")", "")
    return text.lstrip("0") if text.isdigit() else text


def matches(kind: str, wanted: str, read: str) -> bool:
    if kind == "CODABAR":
        read = read.strip("ABCD")
    return plain(read) == plain(wanted) or kind == "DBAR_OMN" and plain(read) == plain(wanted[2:])


def zbar(folder: Path, names: list[str]) -> tuple[dict[str, list[str]], float]:
    found: dict[str, list[str]] = {}
    start = time.monotonic()
    for name in names:
        output = subprocess.run(
            ["zbarimg", "-q", "--raw", str(folder / name)], capture_output=True, text=True
        ).stdout
        found[name] = output.splitlines()
    return found, time.monotonic() - start


def ours(
    program: str, folder: Path, names: list[str], work: Path
) -> tuple[dict[str, list[str]], float]:
    start = time.monotonic()
    output = subprocess.run(
        [
            program,
            "import",
            *[str(folder / name) for name in names],
            "--profile",
            "none",
            "--step",
            "barcodes=on",
            "--json",
            "-o",
            str(work / "pages.pdf"),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds = time.monotonic() - start
    pages = json.loads(output)["pages"]
    return {
        name: [code["text"] for code in page["barcodes"]]
        for name, page in zip(names, pages, strict=True)
    }, seconds


def barcodes(arguments) -> str:
    count = 300
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        truth = make(folder, count, arguments.seed)
        names = sorted(truth)
        readers = {
            "copystand import --step barcodes=on": ours(
                f"{arguments.bin}/copystand", folder, names, folder
            ),
            "zbarimg": zbar(folder, names),
        }
    known = [name for name in names if truth[name][0] in SHARED]
    lines = [
        (
            f"{count} generated pages of 150 dpi with one code each:"
            f" {len(SHARED) + len(OURS_ALONE)} kinds × turns of {TURNS}° × blur of {BLURS} pixels ×"
            f" contrast of {CONTRASTS}, with noise. {len(known)} are of kinds that zbarimg knows."
        ),
        "",
        "| Command | read, of the kinds both know | read, of all | wrong | wall s |",
        "|---|---|---|---|---|",
    ]
    for reader, (found, seconds) in readers.items():
        right = {name for name in names if any(matches(*truth[name], text) for text in found[name])}
        wrong = sum(not matches(*truth[name], text) for name in names for text in found[name])
        lines.append(
            f"| {reader} | {len(right & set(known))} of {len(known)} | {len(right)} of {count} |"
            f" {wrong} | {seconds:.1f} |"
        )
    return "\n".join(lines) + "\n"
