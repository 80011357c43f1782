"""Turns the network's maps into a quad: the plain reader for evaluation (the program has its own,
finer one).
"""

from __future__ import annotations

import cv2
import numpy as np

SMALLEST = 24  #: cells squared, at twice the maps' resolution: less is no page
CORNER_PULL = 0.8
CORNER_LEAST = 0.3


def read(page: np.ndarray, boundary: np.ndarray, corner: np.ndarray) -> np.ndarray | None:
    """The corners in 0..1 of the frame (clockwise from the one nearest the top left), or None, from
    three maps of probabilities.
    """
    quad = _outline(page)
    if quad is None:
        return None
    for reach in (2.5, 1.75, 1.25):
        quad = _fit_sides(quad, boundary, reach)
    quad = _pull_corners(quad, corner)
    return ordered((quad + 0.5) / page.shape[0])


def confidence(quad: np.ndarray, page: np.ndarray, presence: float) -> float:
    """The confidence by the program's definition: presence times the overlap of the page's map and
    the quad (shared over joint area, each cell counted by how far it belongs).
    """
    cells = page.shape[0]
    y, x = np.mgrid[:cells, :cells] + 0.5
    depth = np.full(page.shape, np.inf)
    for start, end in zip(quad * cells, np.roll(quad, -1, 0) * cells):
        side = end - start
        depth = np.minimum(
            depth,
            ((y - start[1]) * side[0] - (x - start[0]) * side[1]) / max(np.hypot(*side), 1e-9),
        )
    inside = np.clip(depth + 0.5, 0, 1)
    return float(
        presence * np.minimum(page, inside).sum() / max(1e-6, np.maximum(page, inside).sum())
    )


def ordered(quad: np.ndarray) -> np.ndarray:
    """The corners clockwise, from the one nearest the top left."""
    off = quad - quad.mean(0)
    quad = quad[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    return np.roll(quad, -int(np.argmin(quad.sum(1))), 0)


def _outline(page: np.ndarray) -> np.ndarray | None:
    """The four corners of the largest region's hull, in cells."""
    cells = page.shape[0]
    fine = cv2.resize(page, (cells * 2, cells * 2), interpolation=cv2.INTER_LINEAR)
    outlines, _ = cv2.findContours(
        (fine > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < SMALLEST:
        return None
    hull = cv2.convexHull(largest)
    length = cv2.arcLength(hull, True)
    for slack in (0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1):
        points = cv2.approxPolyDP(hull, slack * length, True)
        if len(points) <= 4:
            break
    quad = points.reshape(-1, 2) if len(points) == 4 else cv2.boxPoints(cv2.minAreaRect(hull))
    return ordered((quad.astype(float) + 0.5) / 2 - 0.5)


def _sample(field: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    height, width = field.shape
    x, y = np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001)
    i, j = x.astype(int), y.astype(int)
    a, b = x - i, y - j
    return (field[j, i] * (1 - a) + field[j, i + 1] * a) * (1 - b) + (
        field[j + 1, i] * (1 - a) + field[j + 1, i + 1] * a
    ) * b


def _fit_sides(quad: np.ndarray, boundary: np.ndarray, reach: float) -> np.ndarray:
    """Moves each side to a robust line through the boundary's ridge beside it, and intersects
    neighbors.
    """
    cells, lines = boundary.shape[0], []
    offsets = np.arange(-reach, reach + 0.01, 0.25)
    for start, end in zip(quad, np.roll(quad, -1, 0)):
        side = end - start
        length = np.linalg.norm(side)
        if length < 1e-3:
            return quad
        normal = np.array([-side[1], side[0]]) / length
        at = np.linspace(0.06, 0.94, max(8, int(length * 1.5)))
        points = start + at[:, None] * side
        inside = ((points > 0.2) & (points < cells - 1.2)).all(1)
        ridge = (
            _sample(
                boundary,
                points[:, None, 0] + offsets * normal[0],
                points[:, None, 1] + offsets * normal[1],
            )
            ** 2
        )
        ridge *= np.abs(offsets[None] - offsets[ridge.argmax(1)][:, None]) < 1.01
        mass = ridge.sum(1)
        off, trust = (
            (ridge * offsets).sum(1) / (mass + 1e-6),
            np.minimum(mass / len(offsets) * 4, 1) * inside + 1e-4,
        )
        line = _robust_line(at, off, trust) if trust.sum() >= 1.5 else np.zeros(2)
        first, last = start + normal * line[0], end + normal * (line[0] + line[1])
        across = np.array([-(last - first)[1], (last - first)[0]])
        across /= np.linalg.norm(across) + 1e-9
        lines.append((across, across @ first))
    return np.array([_crossing(lines[k - 1], lines[k], quad[k]) for k in range(4)])


def _robust_line(at: np.ndarray, off: np.ndarray, trust: np.ndarray) -> np.ndarray:
    columns, weight, line = np.c_[np.ones_like(at), at], trust.copy(), np.zeros(2)
    for _ in range(3):
        line = np.linalg.lstsq(columns * weight[:, None] ** 0.5, off * weight**0.5, rcond=None)[0]
        weight = trust / (1 + (np.abs(off - columns @ line) / 0.35) ** 2)
    return line


def _crossing(
    one: tuple[np.ndarray, float], other: tuple[np.ndarray, float], otherwise: np.ndarray
) -> np.ndarray:
    """The point where two lines cross, or the old corner if that point is far away."""
    system = np.array([one[0], other[0]])
    if abs(np.linalg.det(system)) < 1e-3:
        return otherwise
    corner = np.linalg.solve(system, [one[1], other[1]])
    return corner if np.linalg.norm(corner - otherwise) < 8 else otherwise


def _pull_corners(quad: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Moves corners toward the peak of the corner map near them."""
    cells, moved = corner.shape[0], quad.copy()
    for k, (x, y) in enumerate(np.round(quad).astype(int)):
        if not (2 <= x < cells - 2 and 2 <= y < cells - 2):
            continue
        window = corner[y - 2 : y + 3, x - 2 : x + 3]
        peak = float(window.max())
        if peak < CORNER_LEAST:
            continue
        row, column = np.unravel_index(window.argmax(), window.shape)
        top, left = max(0, y - 3 + row), max(0, x - 3 + column)
        weight = corner[top : y + row, left : x + column] ** 2
        rows, columns = np.mgrid[top : top + weight.shape[0], left : left + weight.shape[1]]
        center = np.array([(weight * columns).sum(), (weight * rows).sum()]) / weight.sum()
        moved[k] += (center - quad[k]) * CORNER_PULL * min(1.0, peak)
    return moved
