"""Compares pictures with other programs' readings of the same file."""

import warnings

from PIL import Image, ImageChops, ImageFile, ImageStat

import readers
from colors import flat

Image.MAX_IMAGE_PIXELS = None
ImageFile.LOAD_TRUNCATED_IMAGES = True
warnings.simplefilter("ignore")
# The accepted difference in levels of 255, on a grid of 64 squares a side: decoders of the same
# JPEG differ by less than 2.
MEAN, WORST, GRID = 3, 24, 64


def compare(path, run, verdict) -> None:
    made = [Image.open(file) for file in run.files]
    least = None
    # Other programs have bugs, too, so agreement with one of them is enough.
    for reader in readers.readers(path):
        pages = readers.pages(reader, path)
        faults = differences(path, made, run, pages) if pages else None
        if faults is not None and (least is None or len(faults) < len(least)):
            least, verdict.reader = faults, reader.__name__
        if least == []:
            return
    if least is None:
        return verdict.ended("unread", "no other program reads it") and None
    for fault in least:
        verdict.differs(fault)


def differences(path, made, run, pages):
    """The differences from the pages that another program reads."""
    found = []
    # Readers stop one page after the maximum.
    count = min(len(made) + len(run.skipped), readers.MOST_PAGES + 1)
    if count != len(pages) and not readers.is_animated(path):
        found.append(f"{len(made)} pages instead of {len(pages)}")
    for number, (ours, theirs) in enumerate(zip(made[: readers.MOST_PAGES], pages), 1):
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


def difference(ours, theirs, grid=GRID):
    """The mean difference and that of the worst square, in levels of 255."""
    size = (min(grid, ours.width), min(grid, ours.height))
    small = [picture.resize(size, Image.BOX) for picture in (ours, theirs)]
    apart = ImageChops.difference(*small)
    mean = sum(ImageStat.Stat(apart).mean) / 3
    return mean, max(high for _, high in apart.getextrema())
