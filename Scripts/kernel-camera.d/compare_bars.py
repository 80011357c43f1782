#!/usr/bin/python3
"""Prints the differences between the colors of the same bars in several pictures. Fails above 4 of
255.

compare_bars.py PICTURE PICTURE…
"""

import sys

from PIL import Image


def bars(path: str) -> list[tuple[int, ...]]:
    """The colors in the middle of each of the eight bars, where no text is drawn."""
    picture = Image.open(path).convert("RGB")
    width, height = picture.size
    return [
        picture.getpixel((int((index + 0.5) * width / 8), height * 7 // 8)) for index in range(8)
    ]


def main() -> int:
    found = [bars(path) for path in sys.argv[1:]]
    worst = max(
        abs(a - b)
        for one in found
        for first, other in zip(found[0], one)
        for a, b in zip(first, other)
    )
    kinds = len(set(found[0]))
    print(f"at most {worst} of 255 apart in {len(found)} pictures of {kinds} bars")
    # A picture of one color would always match itself.
    return worst > 4 or kinds < 8


if __name__ == "__main__":
    sys.exit(main())
