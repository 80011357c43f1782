"""Pictures of what profiles and steps do, from the program's own explanation of them."""

import json
import os
import subprocess
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .papers import letter, minutes
from .spoil import gray, scanned, smooth_noise

#: The most bytes a picture may have.
LIMIT = 25_000
HEIGHT = 330


@dataclass
class Shown:
    """A picture of one profile or step."""

    #: A file under Samples, or a drawing of a page.
    source: object
    #: Further arguments of the program.
    options: list
    #: The step whose picture comes last; None for the whole profile.
    step: str | None = None
    #: The part of the page that is shown, as shares: left, top, right, bottom.
    detail: tuple | None = None
    #: True to frame what was found.
    framed: bool = False


def cleaned(step, *options):
    """One step alone."""
    return ["--profile", "none", "--step", f"{step}=on", *options]


def worn():
    """A page scanned with its folder's edge and punch holes."""
    a = scanned(minutes(), 150, (210, 297), 0, (0, 0), 240, 244, 201, noise=1)
    a[:, :34] = 52 + 6 * smooth_noise(np.random.default_rng(1), (a.shape[0], 34), 20)
    for y in (0.5 - 0.135, 0.5 + 0.135):
        cy, cx = round(a.shape[0] * y), 76
        yy, xx = np.mgrid[0 : a.shape[0], 0 : a.shape[1]]
        a[(yy - cy) ** 2 + (xx - cx) ** 2 < 18**2] = 60
    return gray(a)


def leaning():
    """A page that was skewed in the feeder."""
    return gray(scanned(minutes(), 150, (224, 304), 4.2, (0, 0), 240, 240, 202, noise=1))


def back():
    """An empty back through which the front is seen, with dust."""
    front = (
        letter()
        .image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        .filter(ImageFilter.GaussianBlur(5))
        .resize((1240, 1754))
    )
    shine = np.asarray(front, np.float32)
    a = 244 - (255 - shine) * 0.22 + smooth_noise(np.random.default_rng(3), shine.shape, 3) * 1.5
    return gray(a)


def shaded():
    """A page that fills the picture, in bad light."""
    page = np.asarray(minutes().image.resize((1240, 1754), Image.BOX), np.float32)
    y, x = np.mgrid[0:1:1754j, 0:1:1240j]
    light = 1 - 0.45 * x - 0.3 / (1 + np.exp(-18 * (y - 0.62)))
    return gray(page * light * 0.95 + smooth_noise(np.random.default_rng(4), page.shape, 2) * 1.5)


def cream():
    """Print on cream paper."""
    a = scanned(letter(), 200, (204, 286), 0, (0, 0), 240, 240, 205, noise=1)
    return Image.merge("RGB", [gray(a * tint) for tint in (1, 0.98, 0.93)])


PICTURES = {
    "profile-document": Shown("05-notice.jpg", ["--profile", "document"]),
    "profile-photo": Shown("photos/glass.jpg", ["--profile", "photo"]),
    "profile-book": Shown("books/spread.jpg", ["--profile", "book"]),
    "profile-card": Shown("cards/three.jpg", ["--profile", "card"], framed=True),
    "profile-receipt": Shown("receipts/till.jpg", ["--profile", "receipt"], framed=True),
    "profile-entries": Shown(
        "04-register.tif", ["--profile", "entries", "--pages", "1"], framed=True
    ),
    "profile-serial-label": Shown(
        "labels/imei.jpg",
        ["--profile", "serial-label", "--step", "label.device=accessory"],
        framed=True,
    ),
    "step-items": Shown("photos/glass.jpg", cleaned("items"), "items"),
    "step-facing-pages": Shown("books/spread.jpg", cleaned("facing-pages"), "facing-pages"),
    "step-crop": Shown("01-letter.jpg", ["--profile", "document"], "crop"),
    "step-edges": Shown(worn, cleaned("edges"), "edges"),
    "step-blank": Shown(back, cleaned("blank"), "blank"),
    "step-orientation": Shown("06-receipt.jpg", ["--profile", "document"], "orientation"),
    "step-deskew": Shown(leaning, cleaned("deskew"), "deskew"),
    "step-uncurl": Shown("books/spread.jpg", ["--profile", "book"], "uncurl", (0.45, 0.05, 1, 0.5)),
    "step-label": Shown(
        "labels/imei.jpg", cleaned("label", "--step", "label.device=accessory"), "label"
    ),
    "step-light": Shown(shaded, cleaned("light"), "light"),
    "step-enhance": Shown(
        "01-letter.jpg", ["--profile", "document"], "enhance", (0.08, 0.2, 0.5, 0.38)
    ),
    "step-despeckle": Shown(
        "04-register.tif", cleaned("despeckle", "--pages", "1"), "despeckle", (0.1, 0.06, 0.5, 0.22)
    ),
    "step-color": Shown(cream, cleaned("color"), "color", (0.4, 0.02, 1, 0.4)),
    "step-binarize": Shown(
        "02-minutes.jpg", cleaned("binarize"), "binarize", (0.08, 0.2, 0.5, 0.4)
    ),
}


def make(name, program, samples, work, folder):
    """Makes the picture `name` in `folder`; returns its size in bytes."""
    shown = PICTURES[name]
    source = samples / shown.source if isinstance(shown.source, str) else work / "page.png"
    if not isinstance(shown.source, str):
        image = shown.source()
        image.save(source, dpi=(round(image.height / 11.69),) * 2)
    answer = json.loads(
        subprocess.run(
            [
                program,
                "import",
                source,
                *shown.options,
                "--explain",
                work / "why",
                "--json",
                "--quiet",
                "-o",
                work / "page.json",
            ],
            check=True,
            capture_output=True,
            env={**os.environ, "HOME": str(work)},
        ).stdout
    )
    explained = work / "why/page-0001"
    report = json.loads((explained / "report.json").read_text())
    before, after = chosen(report, shown.step)
    left = [Image.open(explained / before).convert("RGB")]
    right = [Image.open(explained / one).convert("RGB") for one in after]
    if shown.framed:
        for page, image in zip(answer["pages"], right):
            frame(image, [one["corners"] for one in page["found"]])
        for entry in answer.get("entries") or []:
            frame(right[0], [box(place) for place in entry["places"] if place["page"] == 1])
    if shown.detail:
        left, right = ([cut(one, shown.detail) for one in images] for images in (left, right[:1]))
    return saved(beside(left, right), folder / f"{name}.jpg")


def chosen(report, step):
    """The pictures before and after a step, or of the whole profile; several if it splits the
    picture.
    """
    parts = [
        [(one["name"], one["picture"]) for one in part["steps"] if one.get("picture")]
        for part in report["parts"]
    ]
    before, after = "00-captured.png", [pictures[-1][1] for pictures in parts]
    if step:
        places = [[name for name, _ in pictures].index(step) for pictures in parts]
        after = [pictures[place][1] for pictures, place in zip(parts, places)]
        if places[0]:
            before = parts[0][places[0] - 1][1]
    return before, list(dict.fromkeys(after))


def box(place):
    """The corners of an entry's place."""
    left, top, width, height = (place["box"][key] for key in ("x", "y", "width", "height"))
    return [
        {"x": x, "y": y}
        for x, y in (
            (left, top),
            (left + width, top),
            (left + width, top + height),
            (left, top + height),
        )
    ]


def frame(image, found):
    """Draws a line about each thing that was found."""
    draw = ImageDraw.Draw(image)
    for corners in found:
        # A little outside, so that the line covers nothing.
        room = image.height / 150
        across, down = ([corner[axis] for corner in corners] for axis in ("x", "y"))
        draw.rectangle(
            [min(across) - room, min(down) - room, max(across) + room, max(down) + room],
            outline=(214, 40, 60),
            width=max(2, image.height // 200),
        )


def cut(image, shares):
    """A part of a page."""
    return image.crop(tuple(round(share * side) for share, side in zip(shares, 2 * image.size)))


def beside(left, right):
    """The picture before and the result, of one height, on paper gray."""

    def row(images):
        scaled = [
            one.resize((max(1, round(one.width * HEIGHT / one.height)), HEIGHT), Image.LANCZOS)
            for one in images
        ]
        out = Image.new(
            "RGB",
            (sum(one.width for one in scaled) + 8 * (len(scaled) - 1), HEIGHT),
            (222, 222, 222),
        )
        x = 0
        for one in scaled:
            out.paste(one, (x, 0))
            x += one.width + 8
        return out

    before, after = row(left), row(right)
    is_wide = before.width + after.width > 3.2 * HEIGHT
    size = (
        (max(before.width, after.width) + 16, 2 * HEIGHT + 32)
        if is_wide
        else (before.width + after.width + 40, HEIGHT + 16)
    )
    out = Image.new("RGB", size, (222, 222, 222))
    out.paste(before, (8, 8))
    out.paste(after, (8, HEIGHT + 24) if is_wide else (before.width + 32, 8))
    # No wider than a page of documentation shows it.
    return (
        out
        if out.width <= 900
        else out.resize((900, round(out.height * 900 / out.width)), Image.LANCZOS)
    )


def saved(image, place):
    """Writes a JPEG of the best quality that is small enough; returns its size in bytes."""
    while True:
        for quality in range(78, 30, -4):
            image.save(place, quality=quality, optimize=True, progressive=True)
            if place.stat().st_size <= LIMIT:
                return place.stat().st_size
        image = image.resize((image.width * 9 // 10, image.height * 9 // 10), Image.LANCZOS)
