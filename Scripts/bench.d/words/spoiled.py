"""Pages spoiled in five ways: skewed, grainy, unevenly lit, pale, and photographed at an angle."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from clips.camera import Camera
from clips.desk import cloud, desk
from clips.pages import SCALE, Sheet, sheet
from clips.stage import Pose, Stage

KINDS = ["askew", "grainy", "unevenly lit", "pale", "photographed"]
PHOTOGRAPH = (2448, 3264)
#: Dots per inch of the scans.
DPI = round(25.4 * SCALE)


@dataclass
class Spoiled:
    """A page as it was captured, with its truth."""

    picture: np.ndarray  # BGR
    text: str
    #: The page's corners in a photograph, and its size in millimeters.
    corners: np.ndarray | None = None
    size: tuple[float, float] = (0, 0)

    @property
    def dpi(self) -> int | None:
        """None means a photograph, which has no scale."""
        return None if self.corners is not None else DPI

    def flattened(self) -> np.ndarray:
        """A photographed page made rectangular by its true corners."""
        width, height = (round(side * SCALE) for side in self.size)
        flat = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
        matrix = cv2.getPerspectiveTransform(np.float32(self.corners), flat)
        return cv2.warpPerspective(self.picture, matrix, (width, height), flags=cv2.INTER_CUBIC)


def spoiled(random: np.random.Generator, kind: str) -> Spoiled:
    """A page with type of 9 to 11 points, spoiled in one way."""
    page = sheet(random, random.uniform(3.2, 3.9))
    if kind == "photographed":
        return photographed(random, page)
    height, width = page.picture.shape[:2]
    picture = page.picture.astype(np.float32)
    if kind == "askew":
        turn = cv2.getRotationMatrix2D(
            (width / 2, height / 2), random.choice([-1, 1]) * random.uniform(3, 10), 1
        )
        picture = cv2.warpAffine(
            picture,
            turn,
            (width, height),
            flags=cv2.INTER_CUBIC,
            borderValue=[float(v) for v in picture[0, 0]],
        )
    elif kind == "grainy":
        picture += cv2.GaussianBlur(
            random.normal(0, random.uniform(60, 110), picture.shape[:2]), (0, 0), 0.6
        )[..., None].astype(np.float32)
        specks = random.random(picture.shape[:2])
        share = random.uniform(0.002, 0.012)
        picture[specks < share] = 30
        picture[specks > 1 - share] = 235
    elif kind == "unevenly lit":
        picture *= shadow(random, (width, height))[..., None]
    elif kind == "pale":
        top = random.uniform(170, 235)
        picture = top - (250 - picture) * random.uniform(0.1, 0.2)
    picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.3, 0.7))
    picture += random.normal(0, random.uniform(1, 3), picture.shape)
    return Spoiled(np.clip(picture, 0, 255).astype(np.uint8), page.text)


def shadow(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """The light, which falls off across the page, and a soft shadow on it, 0…1."""
    width, height = size
    angle = random.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    slope = (x * np.cos(angle) + y * np.sin(angle)) / 1.4
    light = 1 - random.uniform(0.3, 0.75) * (slope + 1) / 2
    hills = cloud(random, size, (2, 3))
    return light * (
        1 - random.uniform(0.2, 0.5) / (1 + np.exp(-12 * (hills - random.uniform(-0.1, 0.4))))
    )


def photographed(random: np.random.Generator, page: Sheet) -> Spoiled:
    """The page on a desk, seen at an angle, in the light of a room."""
    camera = Camera(random, PHOTOGRAPH, 1.08 * page.height)
    _, ground = desk(random, PHOTOGRAPH)
    stage = Stage(camera, ground, None, 0, None, 1)
    pose = Pose(
        random.uniform(-6, 6), random.uniform(-6, 6), 0, np.radians(random.uniform(-12, 12))
    )
    scene = stage.composed(page, pose)
    light = 1 - random.uniform(0.1, 0.45) * (cloud(random, PHOTOGRAPH, (2, 2)) + 1) / 2
    warm = np.array([random.uniform(0.75, 1), random.uniform(0.9, 1), 1])
    scene = np.clip(scene * (light[..., None] * warm), 0, 255).astype(np.uint8)
    picture = camera.expose(scene, random.uniform(0.75, 1), random.uniform(0.4, 1), np.zeros(2))
    corners = camera.project(pose.corners(page))
    return Spoiled(picture, page.text, corners, (page.width, page.height))
