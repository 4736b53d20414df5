# SPDX-License-Identifier: GPL-3.0-or-later
"""Openness: sky view, ridges and valleys.

From the horizons in eight directions within a radius (Yokoyama, Shirasawa and Pike,
"Visualizing topography by openness", 2002; Zaksek, Ostir and Kokalj, "Sky-view factor", 2011).
Steps are fixed shares of the radius in meters: with nearer ones the result would depend on the
resolution.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.progress import Cancel

STEPS = (1 / 4, 3 / 8, 1 / 2, 3 / 4, 1)
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Rows and columns to the neighbor in each of eight directions."""
FULL = 20.0
"""Mean fall in degrees on both sides of a full ridge."""
UPRIGHT = np.float32(1e18)  # a tangent whose square float32 still holds
BAND = 64  # rows at a time: temporaries stay in the processor's cache


def reach(dx: float, dy: float, radius: float) -> int:
    """Return samples around a point that its value depends on, along the finer axis."""
    return _samples(radius, min(dx, dy))


def _samples(radius: float, spacing: float) -> int:
    return max(round(radius / spacing), 1)


def sky_view(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return the visible share of the sky: 1 on plains and tops, less in gorges (ambient
    occlusion)."""
    out = np.empty(height.shape, np.float32)
    for rows, up, _ in _horizons(height, dx, dy, radius, cancelled):
        np.clip(up, np.float32(0), UPRIGHT, out=up)
        up /= np.sqrt(up * up + np.float32(1))
        out[rows] = np.float32(1) - up.mean(axis=0)
    return out


def ridge(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return 0 to 1 where the ground falls away on both sides."""
    return np.clip(_falls(height, dx, dy, radius, cancelled), np.float32(0), np.float32(1))


def valley(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return 0 to 1 where the ground rises on both sides."""
    return np.clip(-_falls(height, dx, dy, radius, cancelled), np.float32(0), np.float32(1))


def _falls(height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None) -> Floats:
    """Return the mean fall of the ground around, or rise if negative, as a share of ``FULL``.

    The difference of positive and negative openness: zero on any plane.
    """
    out = np.empty(height.shape, np.float32)
    for rows, up, down in _horizons(height, dx, dy, radius, cancelled):
        angle = np.arctan(up, out=up)
        angle += np.arctan(down, out=down)
        out[rows] = angle.mean(axis=0) * np.float32(-0.5 / np.radians(FULL))
    return out


def _horizons(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield rows, and the steepest rise and fall (tangents) in each direction from them.

    The border is repeated outward. Cancelled is raised between bands.
    """
    ny, nx = height.shape
    farthest = _samples(radius, dy), _samples(radius, dx)
    steps = sorted({tuple(max(round(share * far), 1) for far in farthest) for share in STEPS})
    # Beyond one side length there is only the repeated border.
    rows_out, columns_out = min(farthest[0], ny - 1), min(farthest[1], nx - 1)
    terrain = np.pad(height, ((rows_out, rows_out), (columns_out, columns_out)), mode="edge")
    for rows in parts(ny, BAND, cancelled):
        here = height[rows]
        up = np.full((len(DIRECTIONS), *here.shape), -np.inf, np.float32)
        down = np.full_like(up, np.inf)
        for n, (dj, di) in enumerate(DIRECTIONS):
            for along_y, along_x in steps:
                j = rows_out + rows.start + dj * min(along_y, rows_out)
                i = columns_out + di * min(along_x, columns_out)
                with np.errstate(over="ignore"):  # upright
                    tangent = terrain[j : j + len(here), i : i + nx] - here
                    away = along_x * np.hypot(di * dx, dj * dy * (along_y / along_x))
                    tangent *= np.float32(1 / away)
                np.maximum(up[n], tangent, out=up[n])
                np.minimum(down[n], tangent, out=down[n])
        yield rows, up, down
