"""Compares PDFs with mutool's reading of the same file."""

import collections
import os
import re
import subprocess

from PIL import Image

import pictures
from colors import flat

MOST_PAGES = 20
DPI = 72
# A page that is drawn again from a picture has other edges than one with letters.
MEAN, WORST, GRID = 5, 64, 24
LEAST_WORDS = 0.98


def compare(path, run, verdict) -> None:
    theirs = sizes(path)
    if theirs is None:
        return verdict.ended("unread", "mutool does not read it") and None
    result = run.files[0]
    ours = sizes(result)
    if ours is None:
        return verdict.ended("differs", "mutool does not read the result") and None
    if len(ours) + len(run.skipped) != len(theirs):
        return verdict.differs(f"{len(ours)} pages instead of {len(theirs)}")
    if run.skipped:
        return verdict.differs(f"{len(run.skipped)} pages are left out")
    for number, (one, other) in enumerate(zip(ours, theirs), 1):
        if max(abs(a - b) for a, b in zip(one, other)) > 1.5:
            verdict.differs(
                f"page {number} has {one[0]:.0f} × {one[1]:.0f} pt instead of "
                f"{other[0]:.0f} × {other[1]:.0f}"
            )
    recall, lost = words(path, result)
    if recall < LEAST_WORDS:
        verdict.differs(f"{recall:.2f} of the words, without {' '.join(lost)}")
    place = os.path.dirname(result)
    before, after = draw(path, place, "before"), draw(result, place, "after")
    for number in sorted(before.keys() & after.keys()):
        mean, worst = pictures.difference(*fit(before[number], after[number]), GRID)
        if mean > MEAN or worst > WORST:
            verdict.differs(
                f"page {number} looks different: {mean:.1f} levels, {worst:.0f} at most"
            )


def mutool(*words) -> subprocess.CompletedProcess:
    return subprocess.run(["mutool", *words], capture_output=True, timeout=120)


def sizes(path):
    """The width and height of every page in points, as it is shown; None when it can't be read."""
    done = mutool("draw", "-q", "-F", "stext", "-o", "-", path, f"1-{MOST_PAGES}")
    found = re.findall(rb'<page id="[^"]*" width="([^"]*)" height="([^"]*)"', done.stdout)
    return [(float(width), float(height)) for width, height in found] or None


def words(path, result):
    """The share of the file's words that the result has, and some of the missing ones."""

    def counted(file):
        text = mutool("draw", "-q", "-F", "txt", "-o", "-", file, f"1-{MOST_PAGES}").stdout
        return collections.Counter(re.findall(r"\w+", text.decode("utf-8", "replace")))

    before, after = counted(path), counted(result)
    total = sum(before.values())
    lost = before - after
    if total < 5:
        return 1, []
    return 1 - sum(lost.values()) / total, list(lost)[:5]


def draw(path, place, name):
    """The pages as pictures, by number."""
    target = os.path.join(place, name + "-%d.png")
    mutool("draw", "-q", "-r", str(DPI), "-o", target, path, f"1-{MOST_PAGES}")
    found = {}
    for number in range(1, MOST_PAGES + 1):
        if os.path.exists(target % number):
            found[number] = flat(Image.open(target % number))
    return found


def fit(one, other):
    """Both pictures at the size of the first: half a point of difference is a pixel here."""
    return one, other if one.size == other.size else other.resize(one.size)
