"""Measures the quality of quads, and the reliability of a confidence."""

from __future__ import annotations

import cv2
import numpy as np


def iou(one: np.ndarray, other: np.ndarray) -> float:
    """The area that two convex quads share, divided by the area that they cover together."""
    one, other = (cv2.convexHull((q * 1000).astype(np.float32)) for q in (one, other))
    both, _ = cv2.intersectConvexConvex(one, other)
    return float(both / max(1e-9, cv2.contourArea(one) + cv2.contourArea(other) - both))


def summary(scores: np.ndarray) -> dict[str, float]:
    """The mean, the median, and the shares above 0.9 and 0.95."""
    return {
        "n": len(scores),
        "mean": round(float(scores.mean()), 4),
        "median": round(float(np.median(scores)), 4),
        "over .9": round(float((scores > 0.9).mean()), 3),
        "over .95": round(float((scores > 0.95).mean()), 3),
    }


def isotonic(
    raw: np.ndarray, right: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Fits the growing step function nearest to `right` (0 or 1) over `raw`: pool adjacent
    violators. Returns the middles of the pools and their values.
    """
    weight = np.ones(len(raw)) if weight is None else weight
    order = np.argsort(raw, kind="stable")
    pools: list[list[float]] = []  # sum of raw, sum of right, weight
    for x, y, w in zip(raw[order], right[order], weight[order]):
        pools.append([float(x * w), float(y * w), float(w)])
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] >= pools[-1][1] / pools[-1][2]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last)]
    return np.array([p[0] / p[2] for p in pools]), np.array([p[1] / p[2] for p in pools])


def calibration(
    raw: np.ndarray, right: np.ndarray, weight: np.ndarray | None = None, points: int = 12
) -> list[list[float]]:
    """At most this many [raw, share that is right] pairs, both strictly growing, from [0, 0] to raw
    1. `weight` is the weight of each detection (1).

    One additional wrong detection is assumed at the top: even if all of the surest ones were right,
    the next one is not certain.
    """
    weight = np.ones(len(raw)) if weight is None else weight
    middles, values = isotonic(
        np.append(raw, raw.max()), np.append(right, False), np.append(weight, 1.0)
    )
    grid = np.unique(np.quantile(raw, np.linspace(0.02, 0.98, points - 2)))
    smooth = np.interp(grid, middles, values)
    pairs = [[0.0, 0.0]]
    for x, y in zip(grid, smooth):
        if x > pairs[-1][0] + 1e-3:
            pairs.append([float(x), float(max(y, pairs[-1][1] + 1e-4))])
    pairs.append([1.0, float(min(1.0, max(values[-1], pairs[-1][1] + 1e-4)))])
    return [[round(x, 4), round(min(y, 1.0), 4)] for x, y in pairs if x == 0 or y <= 1.0]


def reliability(stated: np.ndarray, right: np.ndarray) -> list[dict[str, float]]:
    """For ten ranges of stated confidence: the number of detections, the mean stated confidence,
    and the share that was right.
    """
    rows = []
    for low in np.arange(0, 1, 0.1):
        inside = (stated >= low) & (stated < low + 0.1 + (low > 0.85) * 1e-6)
        if inside.any():
            rows.append(
                {
                    "from": round(float(low), 1),
                    "n": int(inside.sum()),
                    "stated": round(float(stated[inside].mean()), 3),
                    "right": round(float(right[inside].mean()), 3),
                }
            )
    return rows
