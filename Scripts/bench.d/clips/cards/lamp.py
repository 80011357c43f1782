"""A lamp above the desk, as shiny things reflect it."""

import cv2
import numpy as np


class Lamp:
    """The mirror image of a lamp: a bright spot with a glow about it, fixed in the picture, since
    everything lies flat. What is lifted or leans shows it elsewhere.
    """

    # By how many pixels a millimeter of height moves the mirror image.
    SHIFT = 1.5

    def __init__(self, random: np.random.Generator, size: tuple[int, int]):
        width, height = size
        self.size = size
        self.place = np.array([0.5, 0.5]) * size + random.normal(0, 0.22, 2) * size
        turn, long, thin = random.uniform(0, np.pi), random.uniform(0.02, 0.06), 0.008
        y, x = np.mgrid[-height:height, -width:width].astype(np.float32)
        along = x * np.cos(turn) + y * np.sin(turn)
        across = y * np.cos(turn) - x * np.sin(turn)
        spot = np.exp(-((along / (long * height)) ** 4) - (across / (thin * height)) ** 2)
        glow = np.exp(-(x * x + y * y) / (random.uniform(0.1, 0.2) * height) ** 2)
        # Twice the picture's size, to be cut out about any place.
        self.light = 1.2 * spot + random.uniform(0.1, 0.4) * glow
        self.bright: dict[float, np.ndarray] = {}

    def reflected(self, gloss: float, pose) -> np.ndarray:
        """The light (BGR) that is added to a page of that gloss, 0…1, at its pose."""
        if gloss not in self.bright:
            level = np.clip(255 * gloss * self.light, 0, 255).astype(np.uint8)
            self.bright = {gloss: cv2.merge([level] * 3)}
        width, height = self.size
        lean = np.array([np.sin(pose.flip) * width, 0])
        place = self.place + self.SHIFT * pose.z * np.array([0.4, 1]) + lean
        x, y = (np.array([width, height]) - np.round(place)).astype(int)
        x, y = int(np.clip(x, 0, width)), int(np.clip(y, 0, height))
        return self.bright[gloss][y : y + height, x : x + width]
