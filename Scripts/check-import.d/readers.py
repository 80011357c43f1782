"""Programs that read pictures besides Copystand: each returns the pages, in sRGB on white."""

import base64
import multiprocessing
import os
import re
import subprocess
import tempfile

from PIL import Image, ImageOps, ImageSequence

import tiff
from colors import flat

MOST_PAGES = 20
SECONDS = 120
# The profile of Ghostscript, which has the same primaries and gamma.
ADOBE_RGB = "/usr/share/color/icc/ghostscript/a98.icc"
HERE = os.path.dirname(os.path.abspath(__file__))


def is_animated(path) -> bool:
    """The first picture of an animation counts as its page."""
    return path.lower().endswith((".gif", ".webp", ".avif", ".png", ".jxl"))


def pillow(path):
    """This is in a separate process, since the reader's libraries crash on some files."""
    with tempfile.TemporaryDirectory() as place:
        worker = multiprocessing.get_context("fork").Process(target=save, args=(path, place))
        worker.start()
        worker.join(SECONDS)
        worker.kill()
        return pictures_in(place) if worker.exitcode == 0 else []


def save(path, place):
    """Writes the pages, and ends immediately, so that no cleanup of the parent process runs."""
    try:
        for number, page in enumerate(frames_of(path)):
            page.save(os.path.join(place, f"{number:03}.png"), compress_level=1)
    except Exception:  # It reports files that it can't read in many ways.
        os._exit(1)
    os._exit(0)


def frames_of(path):
    with Image.open(path) as picture:
        pages = []
        for frame in ImageSequence.Iterator(picture):
            tags = getattr(frame, "tag_v2", {})
            # Tag 254 says that a picture is a smaller copy of another, which is not a page.
            if tags.get(254, 0) & 1 and pages:
                continue
            frame = ImageOps.exif_transpose(frame.copy())
            # TIFF 6.0, section 18: only ExtraSamples, tag 338, makes a sample alpha.
            if frame.mode == "RGBA" and tags and not set(tags.get(338, ())) & {1, 2}:
                frame = frame.convert("RGB")
            if is_adobe_rgb(frame) and os.path.exists(ADOBE_RGB):
                with open(ADOBE_RGB, "rb") as profile:
                    frame.info["icc_profile"] = profile.read()
            pages.append(flat(frame))
            if len(pages) > MOST_PAGES or is_animated(path):
                break
        return pages


def is_adobe_rgb(picture) -> bool:
    """Returns true if EXIF names Adobe RGB and no profile contradicts it (DCF 2.0, 5.1)."""
    if picture.info.get("icc_profile") or picture.mode != "RGB":
        return False
    exif = picture.getexif()
    return exif.get_ifd(0x8769).get(0xA001) == 65535 and exif.get_ifd(0xA005).get(1) == "R03"


def imagemagick(path):
    frames = "[0]" if is_animated(path) else f"[0-{MOST_PAGES}]"
    with tempfile.TemporaryDirectory() as place:
        command = ["convert", path + frames, "-auto-orient", "-background", "white"]
        # Without this option, a GIF's picture is not laid on its canvas.
        command += ["-coalesce"] if path.lower().endswith(".gif") else []
        command += ["-alpha", "remove", "-colorspace", "sRGB", os.path.join(place, "%03d.png")]
        run(command)
        return pictures_in(place)


def chromium(path):
    """Reads the page that the browser draws. It honors gamma, primaries, masks, alpha and skipped
    pixels."""
    kind = {"jpg": "jpeg", "jpeg": "jpeg"}.get(ending(path), ending(path))
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    with open(os.path.join(HERE, "show.html")) as file:
        page = file.read().replace("SOURCE", f"data:image/{kind};base64,{data}")
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "page.html"), "w") as file:
            file.write(page)
        shown = run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--user-data-dir={place}/profile",
                "--force-color-profile=srgb",
                "--dump-dom",
                f"file://{place}/page.html",
            ]
        )
        _, found, code = shown.stdout.decode("utf-8", "replace").partition("base64,")
        if not found:
            return []
        with open(os.path.join(place, "page.png"), "wb") as file:
            file.write(base64.b64decode(code.partition("<")[0]))
        return pictures_in(place)


def avifdec(path):
    with tempfile.TemporaryDirectory() as place:
        run(["avifdec", "--no-strict", "-d", "8", path, os.path.join(place, "page.png")])
        return [transformed(picture, avif_facts(path)) for picture in pictures_in(place)]


def heif_convert(path):
    """The example program of libheif, whose pictures keep their profiles."""
    with tempfile.TemporaryDirectory() as place:
        run(["heif-convert", path, os.path.join(place, "page.png")])
        return pictures_in(place)


def djxl(path):
    """The decoder that Copystand uses, but with its own code for turns and colors. Its alpha
    differs from the expected pictures of the format's own tests.
    """
    with tempfile.TemporaryDirectory() as place:
        page = os.path.join(place, "page.png")
        run(["djxl", path, page])
        with Image.open(page) as picture:
            return [] if "A" in picture.mode else [flat(picture)]


def avif_facts(path):
    """Returns avifdec's report about a file."""
    return run(["avifdec", "--no-strict", "--info", path]).stdout.decode("utf-8", "replace")


def transformed(picture, facts):
    """Makes the changes to a picture that the container requests and avifdec does not make:
    ISO/IEC 14496-12, 12.1.4 (clap), and ISO/IEC 23008-12, 6.5.10 and 6.5.12 (irot, imir)."""
    clap = re.search(
        r"clap .*W: (\d+)/(\d+), H: (\d+)/(\d+), hOff: (-?\d+)/(\d+), vOff: (-?\d+)/(\d+)", facts
    )
    if clap:
        numbers = [int(number) for number in clap.groups()]
        width, height, right, down = (a / b for a, b in zip(numbers[::2], numbers[1::2]))
        left = right + (picture.width - width) / 2
        top = down + (picture.height - height) / 2
        picture = picture.crop((round(left), round(top), round(left + width), round(top + height)))
    for quarter in re.findall(r"irot \(Rotation\) +: (\d)", facts):
        picture = picture.rotate(90 * int(quarter), expand=True)
    for axis in re.findall(r"imir \(Mirror\) +: Mode (\d)", facts):
        picture = ImageOps.flip(picture) if axis == "0" else ImageOps.mirror(picture)
    return picture


def mutool(path):
    with tempfile.TemporaryDirectory() as place:
        run(["mutool", "run", os.path.join(HERE, "pages.js"), path, place + "/", str(MOST_PAGES)])
        return pictures_in(place)


def ffmpeg(path):
    """FFmpeg has its own decoders for nearly all kinds, but leaves out alpha and turns of AVIF.
    """
    if ending(path) == "avif":
        facts = avif_facts(path)
        if "* Alpha          : Absent" not in facts or "* Transformations: None" not in facts:
            return []
    with tempfile.TemporaryDirectory() as place:
        white = "split[a][b];[a]drawbox=c=white:t=fill:replace=1[w];[w][b]overlay=format=gbrp"
        run(
            ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-filter_complex", white]
            + ["-pix_fmt", "rgb24", os.path.join(place, "page.png")]
        )
        return pictures_in(place)


WEB = "bmp gif jpg jpeg png webp"
PORTABLE = "ppm pgm pbm pnm pam"
TIFF = "tif tiff"
# The quick readers come first; the others are only used when these don't agree. ImageMagick leaves
# out the alpha of AVIF files, so it is not used for them.
READERS = {
    pillow: f"{WEB} {PORTABLE} {TIFF} jp2 j2k",
    imagemagick: f"{WEB} {PORTABLE} {TIFF} jp2 j2k jxl heic heif dng cr2 nef arw",
    heif_convert: "heic heif",
    avifdec: "avif",
    djxl: "jxl",
    chromium: f"{WEB} avif",
    mutool: f"jpg jpeg png bmp gif {PORTABLE} {TIFF} jp2 j2k",
    ffmpeg: "bmp jp2 j2k avif",
    tiff.by_words: TIFF,
}


def ending(path) -> str:
    return path.rsplit(".", 1)[-1].lower()


def readers(path):
    return [reader for reader, endings in READERS.items() if ending(path) in endings.split()]


def pages(reader, path):
    """The pages that a reader finds in a file; empty if it can't read it."""
    try:
        return reader(path)
    except Exception:
        return []


def run(command) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)


def pictures_in(place):
    names = sorted(name for name in os.listdir(place) if name.endswith(".png"))
    return [flat(Image.open(os.path.join(place, name))) for name in names]
