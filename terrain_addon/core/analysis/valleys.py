# SPDX-License-Identifier: GPL-3.0-or-later
"""The valley that a picture of a terrain should show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..hydrology import drainage_area, route
from ..hydrology.d8 import NONE, receivers
from ..hydrology.rivers import main_donors

Doubles = NDArray[np.float64]
Cells = NDArray[np.intp]

_TRUNKS = 6
"""Valleys that are tried: those with the largest catchments."""
_SMALLEST = 0.02
"""Least catchment of a valley's head, as a share of the terrain."""
_LENGTHS = (0.22, 0.32, 0.45)
"""Lengths of the views that are tried, as shares of the terrain's longer side."""
_BORDER = 0.04
"""Distance of the viewer from the border, likewise."""
_SIDES = (0.04, 0.08, 0.12)
"""Distances across the valley at which its walls are measured, likewise."""
_STEPS = 12
_CLEAR = 5.0
"""Depth in meters that outweighs one meter of unevenness along the valley floor."""


class Valley(NamedTuple):
    """A straight view up a valley: its two ends, and the depth of the valley."""

    start: tuple[float, float]
    """X and Y in meters from the middle of the first sample."""
    end: tuple[float, float]
    floor: float
    """Height of the ground at the start, in meters."""
    depth: float
    """Mean height of the lower wall above the floor along the view, in meters."""


def largest_valley(height: Doubles, spacing: float) -> Valley | None:
    """Return the best view up a large valley of a terrain.

    Valleys are followed from where the largest catchments leave the terrain up their largest
    tributaries. Of all views from a point in them to one farther up, the best has the highest walls
    on both sides and no spur in between.

    Parameters
    ----------
    height : ndarray of float, shape (H, W)
        Meters. About a hundred samples along a side are enough.
    spacing : float
        Meters between samples.

    Returns
    -------
    Valley or None
        None for a terrain without valleys, such as a plain or a single cone.

    Examples
    --------
    >>> y, x = np.mgrid[0:60, 0:60] * 100.0
    >>> valley = largest_valley(0.1 * y + 0.8 * abs(x - 3000), 100.0)
    >>> valley.start[0], valley.end[0], valley.end[1] > valley.start[1]
    (3000.0, 3000.0, True)
    """
    height = np.asarray(height, np.float64)
    looks = [
        _measured(height, spacing, trunk[start], trunk[end])
        for trunk in _trunks(height, spacing)
        for start, end in _looks(trunk, height.shape)
    ]
    valley, worth = max(looks, key=lambda look: look[1], default=(None, 0.0))
    return valley if worth > 0 else None


def _trunks(height: Doubles, spacing: float) -> list[Cells]:
    """Return the largest valleys from their mouth to their head: (n, 2) rows and columns each."""
    tree = route(height.astype(np.float32))
    area = drainage_area(tree, spacing).ravel()
    channel = np.flatnonzero(area >= _SMALLEST * area.size * spacing**2)
    inner = channel[tree.directions.ravel()[channel] != NONE]
    donors = main_donors(receivers(tree.directions), area, inner, None)
    mouths = np.setdiff1d(channel, inner)
    trunks: list[Cells] = []
    for mouth in mouths[np.argsort(-area[mouths], kind="stable")][:_TRUNKS]:
        cells = [int(mouth)]
        while (above := int(donors[cells[-1]])) >= 0:
            cells.append(above)
        trunks.append(np.stack(np.unravel_index(cells, height.shape), axis=1))
    return trunks


def _looks(trunk: Cells, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indices into a trunk: where the viewer stands, and what they look at."""
    longest = max(shape)
    inside = np.minimum(trunk, np.array(shape) - 1 - trunk).min(axis=1) >= _BORDER * longest
    for start in np.flatnonzero(inside):
        away = np.hypot(*(trunk[start:] - trunk[start]).T)
        for length in _LENGTHS:
            farther = np.flatnonzero(away >= length * longest)
            if farther.size:
                yield int(start), int(start + farther[0])


def _measured(height: Doubles, spacing: float, start: Cells, end: Cells) -> tuple[Valley, float]:
    """Return the view from one cell to another, and its score in meters."""
    along = (end - start) / np.hypot(*(end - start))
    across = np.array([-along[1], along[0]])
    way = start + np.linspace(0.1, 1.0, _STEPS)[:, None] * (end - start)
    ground = _at(height, way)
    reach = max(height.shape) * across
    left, right = (
        np.max([_at(height, way + side * share * reach) for share in _SIDES], axis=0)
        for side in (-1, 1)
    )
    floor = float(height[tuple(start)])
    rise = np.linspace(floor, float(height[tuple(end)]), _STEPS)
    lower: Doubles = np.minimum(left, right)
    depth = float((lower - rise).mean())
    uneven = float(np.mean(np.abs(ground - rise)))  # spurs, or the floor of a crater
    worth = depth - _CLEAR * uneven
    return Valley(_place(start, spacing), _place(end, spacing), floor, depth), worth


def _place(cell: Cells, spacing: float) -> tuple[float, float]:
    return int(cell[1]) * spacing, int(cell[0]) * spacing


def _at(height: Doubles, places: Doubles) -> Doubles:
    """Return the heights of the cells nearest to places, and at the border outside."""
    cells = np.rint(places).astype(int)
    rows, columns = (np.clip(cells[:, axis], 0, height.shape[axis] - 1) for axis in (0, 1))
    return height[rows, columns]
