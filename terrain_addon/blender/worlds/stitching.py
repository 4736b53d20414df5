# SPDX-License-Identifier: GPL-3.0-or-later
"""Borders of tiles of unlike detail, without gaps and with one normal for both sides.

A tile beside a coarser one has its border on the straight lines of the coarser border. So two
neighbors always have the same outline, and what a skirt would hide is not there.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Offset = tuple[int, int]
"""Columns and rows from a tile to another."""

BORDERS: dict[Offset, Any] = {
    (-1, 0): np.s_[:, 0],
    (1, 0): np.s_[:, -1],
    (0, -1): np.s_[0],
    (0, 1): np.s_[-1],
}
"""The border of a tile that touches each neighbor, as an index of its heights."""
_SECOND: dict[Offset, Any] = {
    (-1, 0): np.s_[:, -2],
    (1, 0): np.s_[:, 1],
    (0, -1): np.s_[-2],
    (0, 1): np.s_[1],
}
"""The line of the neighbor that lies beyond this border."""


def snapped(border: Array, cells: int) -> Array:
    """Return a border (n,) on the straight lines of one with fewer cells.

    Points that both share keep their height to the bit.
    """
    if cells >= len(border) - 1:
        return border
    at = np.arange(len(border))
    ends = np.linspace(0, len(border) - 1, cells + 1)
    return np.interp(at, ends, np.interp(ends, at, border)).astype(np.float32)


def stitched(height: Array, cells: Mapping[Offset, int]) -> Array:
    """Return heights (ny, nx) with each border snapped to the cells of its neighbor, if any."""
    out = height.copy()
    for offset, count in cells.items():
        out[BORDERS[offset]] = snapped(height[BORDERS[offset]], count)
    return out


def border_normals(height: Array, beside: Mapping[Offset, Array], dx: float, dy: float) -> Array:
    """Return normals (ny, nx, 3) of the points on borders with neighbors of the same detail.

    They are those of one surface across the border. Zero elsewhere, which leaves them to Blender.

    Parameters
    ----------
    height : (ny, nx) meters
    beside : heights of the neighbors, of the same shape
    dx, dy : meters between samples
    """
    ny, nx = height.shape
    wide = np.full((ny + 2, nx + 2), np.nan, np.float32)
    wide[1:-1, 1:-1] = height
    inner = (slice(1, -1), slice(1, -1))
    places = {(-1, 0): (inner[0], 0), (1, 0): (inner[0], -1), (0, -1): (0, inner[1])}
    places[0, 1] = (-1, inner[1])
    for offset, other in beside.items():
        wide[places[offset]] = other[_SECOND[offset]]
    out = np.zeros((ny, nx, 3), np.float32)
    out[..., 0] = (wide[1:-1, :-2] - wide[1:-1, 2:]) / (2 * dx)
    out[..., 1] = (wide[:-2, 1:-1] - wide[2:, 1:-1]) / (2 * dy)
    out[..., 2] = 1
    out /= np.linalg.norm(out, axis=-1, keepdims=True)
    out[1:-1, 1:-1] = 0
    out[~np.isfinite(out).all(axis=-1)] = 0
    return out
