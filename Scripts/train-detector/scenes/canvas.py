"""The frame being drawn: polygons with soft shadows, in pixels of a frame of the camera's shape."""

from __future__ import annotations

import cv2
import numpy as np

SUBPIXEL = 4


class Canvas:
    """An RGB frame; `unit` is 1 % of its short side, so that sizes mean the same at every
    resolution.
    """

    def __init__(self, pixels: np.ndarray, light: np.ndarray) -> None:
        self.pixels = np.ascontiguousarray(np.clip(pixels, 0, 255).astype(np.uint8))
        self.height, self.width = pixels.shape[:2]
        self.unit = min(self.height, self.width) / 100
        self.size = np.float32([self.width, self.height])
        #: The direction and the softness of shadows: their x and y shift for one unit of height.
        self.light = np.float32(light)

    def fill(self, outline: np.ndarray, color: np.ndarray | tuple[int, ...]) -> None:
        """A filled polygon, antialiased."""
        cv2.fillPoly(
            self.pixels, [fixed(outline)], [float(c) for c in color], cv2.LINE_AA, SUBPIXEL
        )

    def region(self, outline: np.ndarray, margin: float) -> tuple[int, int, int, int] | None:
        """The box of whole pixels around the outline, cut to the frame: left, top, right,
        bottom."""
        left, top = np.floor(outline.min(0) - margin).astype(int)
        right, bottom = np.ceil(outline.max(0) + margin).astype(int)
        left, top, right, bottom = (
            max(0, left),
            max(0, top),
            min(self.width, right),
            min(self.height, bottom),
        )
        return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else None

    def shadow(self, outline: np.ndarray, rise: float, strength: float) -> None:
        """The shadow of a thing of this outline, `rise` units high."""
        blur = max(0.4, (0.25 + 0.35 * rise) * self.unit)
        moved = outline + self.light * rise * self.unit
        box = self.region(moved, 3 * blur)
        if box is None:
            return
        left, top, right, bottom = box
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [fixed(moved - (left, top))], 255, cv2.LINE_AA, SUBPIXEL)
        self.darken(box, cv2.GaussianBlur(mask, (0, 0), blur), strength)

    def darken(self, box: tuple[int, int, int, int], mask: np.ndarray, strength: float) -> None:
        """Darkens a region according to a mask (uint8)."""
        left, top, right, bottom = box
        part = self.pixels[top:bottom, left:right]
        part[:] = (
            part * (1 - mask.astype(np.float32) * np.float32(strength / 255))[..., None]
        ).astype(np.uint8)

    def thing(
        self,
        outline: np.ndarray,
        color: np.ndarray | tuple[int, ...],
        rise: float = 1.0,
        strength: float = 0.4,
    ) -> None:
        """Draws a filled polygon that casts a shadow."""
        self.shadow(outline, rise, strength)
        self.fill(outline, color)


def fixed(outline: np.ndarray) -> np.ndarray:
    """OpenCV has fixed-point coordinates, and pixel centers at half a pixel."""
    return np.round((outline - 0.5) * (1 << SUBPIXEL)).astype(np.int32)


def capsule(
    start: np.ndarray, end: np.ndarray, width: float, round_ends: bool = True
) -> np.ndarray:
    """Draws a bar with that width from start to end, with round or straight ends."""
    along = end - start
    along = along / (np.linalg.norm(along) + 1e-6)
    beside = np.array([-along[1], along[0]]) * width / 2
    if not round_ends:
        return np.array([start + beside, end + beside, end - beside, start - beside])
    turn = np.linspace(-np.pi / 2, np.pi / 2, 7)[:, None]
    reach = np.cos(turn) * along * width / 2
    return np.concatenate(
        [end + reach + np.sin(turn) * beside, start - reach - np.sin(turn) * beside]
    )


def oval(center: np.ndarray, across: float, down: float, turn: float = 0.0) -> np.ndarray:
    """Draws an ellipse with two half axes, turned by an angle in radians."""
    at = np.linspace(0, 2 * np.pi, 25)[:-1]
    points = np.stack([np.cos(at) * across, np.sin(at) * down], 1)
    return center + points @ rotation(turn).T


def box(center: np.ndarray, across: float, down: float, turn: float = 0.0) -> np.ndarray:
    """Draws a rectangle with two side lengths, turned by an angle in radians."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (across / 2, down / 2)
    return center + half @ rotation(turn).T


def ribbon(points: np.ndarray, width: float) -> np.ndarray:
    """A band of the width along a line of points."""
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-6
    beside = np.stack([-along[:, 1], along[:, 0]], 1) * width / 2
    return np.concatenate([points + beside, (points - beside)[::-1]])


def rotation(turn: float) -> np.ndarray:
    """The 2 × 2 matrix that turns by radians."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s], [s, c]])
