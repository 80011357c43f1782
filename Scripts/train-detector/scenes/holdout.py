"""Divides fonts and syllables into those for training and those only for the benchmarks."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageFont

# The folders of Debian's fonts-urw-base35 and fonts-dejavu, or those named by TRAIN_DETECTOR_FONTS.
FONT_FOLDERS = os.environ.get(
    "TRAIN_DETECTOR_FONTS", "/usr/share/fonts/opentype/urw-base35:/usr/share/fonts/truetype/dejavu"
).split(":")
#: Families of Debian's fonts-urw-base35 and fonts-dejavu that only benchmarks may use.
BENCH_FAMILIES = ("URWBookman", "URWGothic", "P052", "DejaVuSerif")
#: Fonts without letters, or with letters that no document uses.
UNUSABLE = ("Symbols", "D050000L", "Z003", "MathTeX")


@dataclass(frozen=True)
class Split:
    """One side of the division of the materials: training or benchmarks."""

    name: str
    seed: int
    syllables: tuple[str, ...]

    @property
    def is_bench(self) -> bool:
        """True for the part of the benchmarks, which is never used for training."""
        return self.name == "bench"

    @functools.cached_property
    def fonts(self) -> list[str]:
        """Paths of this side's fonts; raises when the two Debian packages are missing."""
        files = sorted(str(f) for d in FONT_FOLDERS for f in Path(d).glob("*.[ot]tf"))
        usable = [f for f in files if not any(u in f for u in UNUSABLE)]
        mine = [f for f in usable if any(b in f for b in BENCH_FAMILIES) == self.is_bench]
        if len(mine) < 4:
            raise SystemExit(
                "too few fonts: install the packages fonts-urw-base35 and fonts-dejavu, "
                "or name the folders of their files in TRAIN_DETECTOR_FONTS, divided by colons"
            )
        return mine


TRAIN = Split(
    "train",
    1,
    tuple(
        "ka lo mi ter san dor el in ver con pro ta re un de la pos ing tion er al ment gra "
        "sto pli qua bel fo ra nu is at the of and to a".split()
    ),
)
BENCH = Split(
    "bench",
    2,
    tuple(
        "ost wick ham bu zen fri gel mor ny aus ein der und ich keit lich hof tal bru vi "
        "cam po des les que ou le il gli che".split()
    ),
)


@functools.lru_cache(maxsize=1024)
def font(path: str, size: int) -> ImageFont.FreeTypeFont:
    """The font at the path in the given pixel size."""
    return ImageFont.truetype(path, size)
