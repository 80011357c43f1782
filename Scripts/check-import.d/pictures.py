"""Compares pictures with what Pillow or ImageMagick reads in the same file."""
import io
import os
import subprocess
import tempfile
import warnings

from PIL import Image, ImageCms, ImageChops, ImageFile, ImageOps, ImageSequence, ImageStat

Image.MAX_IMAGE_PIXELS = None
ImageFile.LOAD_TRUNCATED_IMAGES = True
warnings.simplefilter("ignore")
MOST_PAGES = 20
# Levels of 255 on a grid of 64 squares a side: decoders of the same JPEG differ by less than 2.
MEAN, WORST, GRID = 3, 24, 64


def compare(path, run, verdict) -> None:
    readings = [pages for pages in (read(path), converted(path)) if pages]
    if not readings:
        return verdict.ended("unread", "no other program reads it") and None
    made = [Image.open(file) for file in run.files]
    # Other programs have faults, too: what one of them reads alike is right.
    faults = [differences(path, made, run, pages) for pages in readings]
    for fault in min(faults, key=len):
        verdict.differs(fault)


def differences(path, made, run, frames):
    """What differs from another program's pages."""
    found = []
    if len(made) + len(run.skipped) != len(frames) and not is_animated(path):
        found.append(f"{len(made)} pages instead of {len(frames)}")
    for number, (ours, theirs) in enumerate(zip(made[:MOST_PAGES], frames), 1):
        if ours.size != theirs.size:
            found.append(
                f"page {number} has {ours.width} × {ours.height} pixels instead of "
                f"{theirs.width} × {theirs.height}"
            )
            continue
        mean, worst = difference(flat(ours), theirs)
        if mean > MEAN or worst > WORST:
            found.append(f"page {number} differs by {mean:.1f} levels, {worst:.0f} at most")
    return found


def is_animated(path) -> bool:
    """Of an animation the first picture is the page."""
    return path.lower().endswith((".gif", ".webp", ".avif", ".png", ".jxl"))


def read(path):
    """The pages that Pillow reads, in sRGB on white; None when it reads none."""
    try:
        with Image.open(path) as picture:
            pages = []
            for frame in ImageSequence.Iterator(picture):
                pages.append(flat(ImageOps.exif_transpose(frame.copy())))
                if len(pages) > MOST_PAGES or is_animated(path):
                    break
            return pages
    except Exception:
        return None


def converted(path):
    """The pages that ImageMagick reads, likewise."""
    frames = "[0]" if is_animated(path) else f"[0-{MOST_PAGES}]"
    with tempfile.TemporaryDirectory() as place:
        command = ["convert", path + frames, "-auto-orient", "-background", "white"]
        command += ["-alpha", "remove", "-colorspace", "sRGB", os.path.join(place, "%03d.png")]
        try:
            subprocess.run(command, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return None
        try:
            names = sorted(os.listdir(place))
            pages = [flat(Image.open(os.path.join(place, name))) for name in names]
        except OSError:
            return None
        return pages or None


def flat(picture):
    """The picture as 8-bit sRGB on white."""
    profile = picture.info.get("icc_profile")
    if picture.mode.startswith("I;16") or picture.mode == "I":
        picture = picture.convert("I").point(lambda value: value / 257).convert("L")
    if picture.mode == "F":
        picture = picture.convert("L")
    if picture.mode in ("P", "PA", "LA", "La", "RGBa") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    if profile and picture.mode in ("L", "RGB", "CMYK", "LAB"):
        try:
            return ImageCms.profileToProfile(
                picture, io.BytesIO(profile), ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
        except ImageCms.PyCMSError:
            pass
    if picture.mode == "RGBA":
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    return picture.convert("RGB")


def difference(ours, theirs, grid=GRID):
    """The mean difference and that of the worst square, in levels of 255."""
    size = (min(grid, ours.width), min(grid, ours.height))
    small = [picture.resize(size, Image.BOX) for picture in (ours, theirs)]
    apart = ImageChops.difference(*small)
    mean = sum(ImageStat.Stat(apart).mean) / 3
    return mean, max(high for _, high in apart.getextrema())
