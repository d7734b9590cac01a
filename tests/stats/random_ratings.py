"""Random ratings with ties and gaps."""

from __future__ import annotations

import numpy as np


def pair(seed: int, n: int, *, n_points: int = 5, noise: int = 1) -> tuple[list[float], list[float]]:
    """Two raters of ``n`` tasks who agree up to ``noise`` points; ties are plenty."""
    rng = np.random.default_rng(seed)
    first = rng.integers(1, n_points + 1, size=n)
    second = np.clip(first + rng.integers(-noise, noise + 1, size=n), 1, n_points)
    return first.astype(float).tolist(), second.astype(float).tolist()


def panel(seed: int, n: int, *, n_raters: int = 4, n_points: int = 5, gap: float = 0.3) -> list[list[float | None]]:
    """Several raters of ``n`` tasks; a share ``gap`` of the cells is empty."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, n_points + 1, size=n)
    cells = np.clip(truth[:, None] + rng.integers(-1, 2, size=(n, n_raters)), 1, n_points)
    return [[None if rng.random() < gap else float(cell) for cell in row] for row in cells]
