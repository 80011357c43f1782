"""A hand with its forearm, seen from above."""

import cv2
import numpy as np

SKINS = [(140, 170, 220), (120, 150, 205), (90, 120, 180), (60, 85, 140), (45, 60, 100)]
SIDE = 900


class Hand:
    """A sprite whose fingertips point up; `reach` is the place of the fingertips, and the sprite
    has `SIDE` × `SIDE` pixels."""

    reach = np.array([SIDE * 0.5, SIDE * 0.08])

    def __init__(self, random: np.random.Generator):
        mask = np.zeros((SIDE, SIDE), np.uint8)

        def limb(start, end, thickness):
            cv2.line(
                mask,
                tuple(int(v * SIDE) for v in start),
                tuple(int(v * SIDE) for v in end),
                255,
                int(thickness * SIDE),
            )

        for index, (x, tip) in enumerate([(0.41, 0.13), (0.47, 0.09), (0.53, 0.1), (0.585, 0.15)]):
            bend = random.uniform(-0.015, 0.015)
            limb((x, 0.32), (x + bend + (index - 1.5) * 0.012, tip), 0.052)
        limb((0.4, 0.42), (0.31 + random.uniform(-0.02, 0.02), 0.27), 0.06)
        limb((0.5, 0.36), (0.5, 0.46), 0.22)
        limb((0.5, 0.5), (0.5 + random.uniform(-0.05, 0.05), 1.1), 0.15)
        self.mask = cv2.GaussianBlur(mask, (0, 0), 2)
        skin = np.float32(SKINS[random.integers(len(SKINS))])
        depth = cv2.distanceTransform((mask > 128).astype(np.uint8), cv2.DIST_L2, 3)
        round_edges = np.clip(depth / (0.03 * SIDE), 0, 1)[..., None]
        sleeve = np.float32(random.integers(20, 200, 3))
        color = np.where(np.arange(SIDE)[:, None, None] > SIDE * 0.72, sleeve, skin)
        self.picture = np.clip(color * (0.6 + 0.4 * round_edges), 0, 255).astype(np.uint8)

    def draw(self, frame: np.ndarray, tip: np.ndarray, angle: float, size: float) -> None:
        """Draws the hand with its fingertips at `tip`, coming from `angle` (0: from below, in
        radians), `size` pixels long.
        """
        scale = size / SIDE
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix = np.c_[turn, tip - turn @ self.reach].astype(np.float32)
        corners = np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) @ turn.T + matrix[:, 2]
        low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(0)).astype(int), [frame.shape[1], frame.shape[0]])
        if (high <= low).any():
            return
        matrix[:, 2] -= low
        room = tuple(int(value) for value in high - low)
        alpha = cv2.warpAffine(self.mask, matrix, room)[..., None].astype(np.float32) / 255
        color = cv2.warpAffine(self.picture, matrix, room).astype(np.float32)
        part = frame[low[1] : high[1], low[0] : high[0]]
        part[:] = (part * (1 - alpha) + color * alpha).astype(np.uint8)
