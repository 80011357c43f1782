"""Seeded random choices, in the words of the code for scenes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Dice:
    """One seeded stream of random choices; the same seed draws the same scene."""

    def __init__(self, *seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return bool(self.rng.random() < probability)

    def real(self, low: float, high: float) -> float:
        """A number drawn evenly from [low, high)."""
        return low + (high - low) * float(self.rng.random())

    def log_real(self, low: float, high: float) -> float:
        """A positive number whose logarithm is drawn evenly."""
        return float(np.exp(self.real(np.log(low), np.log(high))))

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def normal(self, mean: float = 0.0, sigma: float = 1.0) -> float:
        """A number from the normal distribution."""
        return float(self.rng.normal(mean, sigma))

    def angle(self) -> float:
        """An angle in radians, drawn evenly from the full turn."""
        return self.real(0.0, 2 * np.pi)

    def pick(self, options: Sequence[T]) -> T:
        """Draws one of the options, all equally likely."""
        return options[int(self.rng.integers(len(options)))]

    def weighted(self, options: Sequence[tuple[T, float]]) -> T:
        """An option of the (option, weight) pairs, drawn by weight."""
        at = self.real(0.0, sum(weight for _, weight in options))
        for option, weight in options:
            at -= weight
            if at <= 0:
                return option
        return options[-1][0]
