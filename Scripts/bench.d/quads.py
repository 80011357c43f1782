"""Measures the overlap of quadrilaterals in pictures."""

import cv2
import numpy as np


def overlap(a, b) -> float:
    """The intersection over union of two convex quadrilaterals, 0…1."""
    first, second = (np.float32(cv2.convexHull(np.float32(quad)).reshape(-1, 2)) for quad in (a, b))
    common, _ = cv2.intersectConvexConvex(first, second)
    union = cv2.contourArea(first) + cv2.contourArea(second) - common
    return float(common / union) if union > 0 else 0
