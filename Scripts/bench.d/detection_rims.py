"""Pictures without a page, with the black rims that films, scans and corrected lenses have."""

from pathlib import Path

import cv2
import numpy as np

KINDS = ("straight", "bowed", "vignette")
SEED = 7


def rimmed(picture: np.ndarray, kind: str, random: np.random.Generator) -> np.ndarray:
    """The picture with bars on two or four sides, with a corrected lens's bows, or with a dark,
    round rim.
    """
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    u, v = np.abs(x / width - 0.5) * 2, np.abs(y / height - 0.5) * 2
    if kind == "vignette":
        power = random.choice([2.0, 4.0, 8.0])
        away = (u**power + v**power) ** (1 / power)
        start, soft = random.uniform(0.9, 1.1), random.uniform(0.02, 0.4)
        return (picture * (1 - np.clip((away - start) / soft, 0, 1))[..., None]).astype(np.uint8)
    short = min(height, width)
    if kind == "straight":
        top, right, bottom, left = random.integers(3, max(5, int(0.07 * short)), 4)
        if random.random() < 0.3:
            top = bottom = 0
        elif random.random() < 0.3:
            right = left = 0
        black = (y < top) | (y >= height - bottom) | (x < left) | (x >= width - right)
    else:
        bow, rest = random.uniform(3, 0.03 * short), random.uniform(2, 0.02 * short)
        across, down = rest + bow * v * v, rest + bow * u * u
        black = (x < across) | (x >= width - across) | (y < down) | (y >= height - down)
    result = picture.copy()
    result[black] = random.integers(0, 4)
    return result


def write(pictures: list[Path], folder: Path) -> list[Path]:
    """Each picture with a rim of each kind, as JPEG files in the folder."""
    random, written = np.random.default_rng(SEED), []
    for path in pictures:
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        for kind in KINDS:
            place = folder / f"{path.stem}-{kind}.jpg"
            cv2.imwrite(
                str(place), rimmed(picture, kind, random), [cv2.IMWRITE_JPEG_QUALITY, 90]
            )
            written.append(place)
    return written
