# SPDX-License-Identifier: GPL-3.0-or-later
"""Lands to erode in tests: smooth bumps of a given extent, at any resolution."""

import numpy as np
from numpy.typing import NDArray

from terrain_addon.core import noise

EXTENT = 1000.0


def axis(count: int) -> NDArray[np.float64]:
    """Centres of ``count`` cells over the extent, in meters."""
    return (np.arange(count, dtype=np.float64) + 0.5) / count * EXTENT - EXTENT / 2


def hills(rows: int, columns: int, seed: int = 1, octaves: int = 4) -> NDArray[np.float32]:
    """0 to about 200 meters of fBm; the longer side is the extent."""
    spacing = EXTENT / max(rows, columns)
    x = (np.arange(columns) - columns / 2 + 0.5) * spacing
    y = (np.arange(rows) - rows / 2 + 0.5) * spacing
    field = noise.sample_grid("perlin", x / 400, y / 400, seed=seed, fractal="fbm", octaves=octaves)
    return (100 + 150 * field).astype(np.float32)


def island(count: int, seed: int = 3) -> NDArray[np.float32]:
    """A hill of 120 meters that falls to 30 meters below the sea at 0."""
    x = axis(count)
    distance = np.hypot(x[None, :], x[:, None])
    bump = np.maximum(150 * (1 - (distance / 420) ** 2), -30)
    return (bump + 0.15 * (hills(count, count, seed) - 100)).astype(np.float32)
