"""The camera: maps points of the desk to its picture, and degrades the picture."""

import cv2
import numpy as np


class Camera:
    """A pinhole above the desk; the desk's plane is z = 0 in millimeters with the origin under the
    picture's middle.
    """

    # The number of pixels by which the noise is larger than a picture.
    ROOM = 80

    def __init__(self, random: np.random.Generator, size: tuple[int, int], paper_height: float):
        self.size = size
        width, height = size
        tilt, roll = np.radians(random.uniform(0, 16)), np.radians(random.normal(0, 1.5))
        focal = height * random.uniform(1.2, 1.7)
        # The page fills this much of the picture's height.
        distance = focal * paper_height / (height * random.uniform(0.78, 0.88))
        lean = np.array(
            [[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]]
        )
        turn = np.array(
            [[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]
        )
        self.rotation = turn @ lean
        self.distance = distance
        self.matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
        # The noise is cut out at another place for each frame.
        noise = random.normal(0, random.uniform(1, 2.5), (height + self.ROOM, width + self.ROOM, 1))
        self.noise = np.repeat(noise.round().astype(np.int16), 3, 2)
        self.random = random

    def project(self, points: np.ndarray) -> np.ndarray:
        """The pixels of points (n × 3, millimeters; z toward the camera)."""
        seen = (points * [1, 1, -1]) @ self.rotation.T + [0, 0, self.distance]
        flat = seen @ self.matrix.T
        return flat[:, :2] / flat[:, 2:]

    def expose(self, scene: np.ndarray, light: float, blur: float, shift: np.ndarray) -> np.ndarray:
        """The picture of a scene.

        `light` multiplies its brightness, `blur` is the standard deviation in pixels of the blur
        when out of focus, and `shift` is the number of pixels by which the camera was pushed.
        """
        if blur > 0.05:
            scene = cv2.GaussianBlur(scene, (0, 0), blur)
        if np.any(shift):
            scene = cv2.warpAffine(
                scene,
                np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]),
                self.size,
                borderMode=cv2.BORDER_REFLECT,
            )
        width, height = self.size
        x, y = self.random.integers(0, self.ROOM, 2)
        return cv2.add(
            cv2.convertScaleAbs(scene, alpha=light),
            self.noise[y : y + height, x : x + width],
            dtype=cv2.CV_8U,
        )
