"""Draws the pictures with the worst results, with the true and the found corners.
"""

from pathlib import Path

import cv2
import numpy as np

TRUE, FOUND = (0, 190, 0), (0, 0, 235)
WIDTH, HEIGHT, COLUMNS = 200, 190, 5


def tile(path: Path, true: list | None, found: list | None, label: str) -> np.ndarray:
    """Draws one picture, fitted into the tile, with true corners in green and found ones in red."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    room = HEIGHT - 16
    scale = min(WIDTH / picture.shape[1], room / picture.shape[0])
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for corners, color in ((true, TRUE), (found, FOUND)):
        if corners is not None:
            outline = np.round(np.array(corners) * scale * 16).astype(np.int32)
            cv2.polylines(picture, [outline], True, color, 2, cv2.LINE_AA, 4)
    canvas = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    canvas[: picture.shape[0], : picture.shape[1]] = picture
    cv2.putText(
        canvas, label, (2, HEIGHT - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1, cv2.LINE_AA
    )
    return canvas


def sheet(path: Path, tiles: list[np.ndarray]) -> None:
    """Writes the tiles in rows as a JPEG file."""
    blank = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    tiles = tiles + [blank] * (-len(tiles) % COLUMNS)
    rows = [np.hstack(tiles[at : at + COLUMNS]) for at in range(0, len(tiles), COLUMNS)]
    cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 72])
