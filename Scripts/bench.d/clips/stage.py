"""The stage: draws the desk, the pages and the hand, films them, and records the truth of each
frame.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from .avi import AVIWriter
from .camera import Camera
from .hand import Hand
from .pages import SCALE, Sheet

# The maximum number of pictures within the exposure of one frame. A moving page is drawn as their
# mean.
MOST_SUBFRAMES = 8
# The number of pixels that a corner should move from one of these pictures to the next.
STEP = 8
# The part of a frame's time for which the shutter is open.
SHUTTER = 0.5


@dataclass(frozen=True)
class Pose:
    """The place of a page: its middle in millimeters, its turn in radians, and the angle by which
    it is turned over (π: its back is up).
    """

    x: float = 0
    y: float = 0
    z: float = 0
    turn: float = 0
    flip: float = 0

    def toward(self, other: "Pose", share: float) -> "Pose":
        ease = share * share * (3 - 2 * share)
        return Pose(
            *(a + (b - a) * ease for a, b in zip(vars(self).values(), vars(other).values()))
        )

    def corners(self, sheet: Sheet, margin: float = 0) -> np.ndarray:
        """The page's corners in space, or places this many millimeters beyond them: top left, top
        right, bottom right, bottom left.
        """
        across = np.array([-1, 1, 1, -1]) * (sheet.width / 2 + margin)
        down = np.array([-1, -1, 1, 1]) * (sheet.height / 2 + margin)
        # Turned about the line down its middle, it is lifted so far that its edge stays on the
        # desk.
        lift = self.z + abs(np.sin(self.flip)) * sheet.width / 2
        x, z = across * np.cos(self.flip), lift + across * np.sin(self.flip)
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.c_[self.x + x * c - down * s, self.y + x * s + down * c, z]


@dataclass
class Truth:
    """The truth of a frame."""

    page: int | None
    corners: list[list[float]] | None
    is_still: bool
    is_covered: bool
    blur: float
    light: float

    @property
    def is_steady(self) -> bool:
        """The page lies still and sharp in the light, and not under the hand."""
        return (
            self.page is not None
            and self.is_still
            and not self.is_covered
            and self.blur < 0.8
            and 0.55 < self.light < 1.3
        )


@dataclass
class Moment:
    """Events around the page: light, focus, a push against the camera, the hand (its
    fingertips, in pixels).
    """

    light: float = 1
    blur: float = 0
    shift: np.ndarray = field(default_factory=lambda: np.zeros(2))
    tip: np.ndarray | None = None
    # The hand holds the page up to the camera, covers its edge alone, and shakes a little.
    is_held: bool = False


class Stage:
    """Films one clip."""

    def __init__(
        self,
        camera: Camera,
        desk: np.ndarray,
        hand: Hand,
        hand_angle: float,
        writer: AVIWriter,
        rate: int,
    ):
        self.camera = camera
        self.ground = desk
        self.hand = hand
        self.hand_angle = hand_angle
        self.hand_size = 330 * camera.matrix[0, 0] / camera.distance
        self.writer = writer
        self.rate = rate
        self.light = 1.0
        self.sizes: dict[tuple[int, float], np.ndarray] = {}
        self.truth: list[Truth] = []
        self.top: tuple[int, Sheet, Pose] | None = None
        self.drawn: tuple[Pose | None, np.ndarray] | None = None
        # A lamp that shiny pages reflect, such as `cards.lamp.Lamp`.
        self.lamp = None

    @property
    def away(self) -> np.ndarray:
        """The direction, in the picture and on the desk, in which the hand leaves."""
        return np.array([-np.sin(self.hand_angle), np.cos(self.hand_angle)])

    def seconds(self, frames: int) -> float:
        return frames / self.rate

    # The page on top

    def put(self, number: int, sheet: Sheet, pose: Pose) -> None:
        """Makes a page the one that moves and that is searched for. The previous one stays where it
        is.
        """
        self.settle()
        self.top = (number, sheet, pose)

    def settle(self) -> None:
        """Makes the page on top a part of the ground."""
        if self.top:
            self.ground = self.composed(self.top[1], self.top[2])
        self.clear()

    def clear(self) -> None:
        """Removes the page on top."""
        self.top = self.drawn = None

    def turn_over(self, number: int, sheet: Sheet) -> None:
        """Turns over the page on top."""
        self.top = (number, sheet, replace(self.top[2], flip=0))
        self.drawn = None

    def composed(self, sheet: Sheet, pose: Pose, back: Sheet | None = None) -> np.ndarray:
        """The ground with a page and its shadow on it."""
        space = pose.corners(sheet, sheet.margin)
        picture, shown = sheet.picture, space
        if np.cos(pose.flip) < 0:
            picture, shown = (back or sheet).picture, space[[1, 0, 3, 2]]
        place = self.camera.project(shown).astype(np.float32)
        frame = self.ground.copy()
        shadow = np.zeros(frame.shape[:2], np.uint8)
        fallen = self.camera.project(
            space * [1, 1, 0] + [1.5 + 0.25 * space[:, 2].mean(), 2.5 + 0.3 * space[:, 2].mean(), 0]
        )
        cv2.fillConvexPoly(shadow, cv2.convexHull(fallen.astype(np.int32)), 90, cv2.LINE_AA)
        shadow = cv2.blur(shadow, (11, 11))
        cv2.multiply(frame, cv2.merge([255 - shadow] * 3), frame, 1 / 255)
        height, width = picture.shape[:2]
        matrix = cv2.getPerspectiveTransform(
            np.float32([[0, 0], [width, 0], [width, height], [0, height]]), place
        )
        size = self.camera.size
        # The page is reduced first, since small letters would otherwise be drawn from single
        # pixels.
        factor = np.linalg.norm(place[0] - place[3]) / height
        reduced = self.reduced(picture, factor)
        matrix = matrix @ np.diag([width / reduced.shape[1], height / reduced.shape[0], 1])
        picture = reduced
        page = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC)
        if sheet.mask is None:
            mask = np.zeros(frame.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.round(place * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        else:
            small = self.reduced(sheet.mask, factor)
            mask = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR)
        if sheet.gloss and self.lamp:
            page = cv2.add(page, self.lamp.reflected(sheet.gloss, pose))
        alpha = cv2.merge([mask] * 3)
        return cv2.add(
            cv2.multiply(page, alpha, scale=1 / 255),
            cv2.multiply(frame, 255 - alpha, scale=1 / 255),
        )

    def reduced(self, picture: np.ndarray, factor: float) -> np.ndarray:
        """The picture of a page at about the size in which it is visible: `factor` in steps of a
        tenth.
        """
        factor = min(1, np.ceil(factor * 10) / 10)
        key = (id(picture), factor)
        if key not in self.sizes:
            self.sizes[key] = cv2.resize(
                picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
            )
        return self.sizes[key]

    # Frames

    def play(
        self, seconds: float, pose=None, moment=None, back: tuple[int, Sheet] | None = None
    ) -> None:
        """Films for some seconds.

        `pose` gives the pose of the page on top, and `moment` the other events; both get the share
        0…1 of the time.
        """
        count = max(1, round(seconds * self.rate))
        for index in range(count):
            self.film(
                index,
                count,
                pose,
                moment(index / count) if moment else Moment(light=self.light),
                back,
            )
        if pose and self.top:
            self.top = (*self.top[:2], pose(1))

    def exposed(self, pose, index: int, count: int) -> list[Pose]:
        """The poses of the page on top while the shutter is open."""
        first, last = pose(index / count), pose((index + SHUTTER) / count)
        ends = [self.camera.project(one.corners(self.top[1])) for one in (first, last)]
        way = np.linalg.norm(ends[1] - ends[0], axis=1).max()
        number = int(np.clip(way / STEP, 2, MOST_SUBFRAMES))
        return [pose((index + SHUTTER * sub / number) / count) for sub in range(number)]

    def film(self, index: int, count: int, pose, moment: Moment, back) -> None:
        now = self.top[2] if self.top else None
        is_moving = pose is not None and self.top is not None
        if is_moving:
            poses = self.exposed(pose, index, count)
            now = poses[0]
            scenes = [self.composed(self.top[1], one, back and back[1]) for one in poses]
            scene = np.mean(scenes, axis=0, dtype=np.float32).astype(np.uint8)
            self.drawn = None
        else:
            if self.drawn is None:
                self.drawn = (now, self.composed(self.top[1], now) if self.top else self.ground)
            scene = self.drawn[1]
        is_covered = False
        if moment.tip is not None:
            scene = scene.copy()
            self.hand.draw(scene, moment.tip, self.hand_angle, self.hand_size)
        corners = None
        if self.top:
            corners = self.camera.project(now.corners(self.top[1])) + moment.shift
            if moment.tip is not None:
                # The hand is wider than its tip, so a tip near the page means a hand on it.
                distance = cv2.pointPolygonTest(
                    corners.astype(np.float32), tuple(map(float, moment.tip)), True
                )
                is_covered = distance > -0.1 * self.hand_size
                is_covered = is_covered and not moment.is_held
        is_still = (not is_moving or moment.is_held) and not np.any(moment.shift)
        self.truth.append(
            Truth(
                self.top[0] if self.top else None,
                None if corners is None else corners.round(2).tolist(),
                is_still,
                is_covered,
                moment.blur,
                moment.light,
            )
        )
        self.writer.add(self.camera.expose(scene, moment.light, moment.blur, moment.shift))
