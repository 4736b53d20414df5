# SPDX-License-Identifier: GPL-3.0-or-later
"""Exposure of shores to waves, from the fetch: the open water that the wind blows over."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Bools, Floats
from .smoothing import box

DIRECTIONS = 16
NEAR = 8.0
"""How much more the nearest shore counts than that within reach."""
STEPS = 24
"""Cells over which water is followed: finer ones hardly change the mean of all directions."""


@dataclass(frozen=True)
class Waves:
    """Waves that reach the shores.

    Attributes
    ----------
    fetch : float
        Meters of open water beyond which waves grow no further.
    wind : float
        Degrees from X counterclockwise, the direction that the wind blows toward.
    strength : float
        How much the wind keeps to that direction: 0 blows from all sides alike, 1 never against it.
    """

    fetch: float
    wind: float = 0.0
    strength: float = 0.0

    def cells(self, spacing: float) -> int:
        """Return the fetch in cells of that many meters, at least 1."""
        return max(1, round(self.fetch / spacing))


def exposure(water: Bools, spacing: float, waves: Waves, radius: int) -> Floats:
    """Return how much each shore is exposed: about 1 on a straight coast of the open sea.

    The mean of the fetch over all directions, as a share of its limit (effective fetch: Saville,
    1954), doubled, since a straight coast has the sea on one side only. Headlands have up to 2,
    bays near 0. Averaged over the cells of water beside land within ``2 * radius`` cells, so that
    all that is near a shore has its value; 0 farther away.

    Parameters
    ----------
    water : ndarray of bool, shape (H, W)
        The sea. What lies beyond the border counts as sea.
    spacing : float
        Meters between cells.
    waves : Waves
        Fetch and wind.
    radius : int
        Cells, at least 1.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Depends on :func:`reach` cells around each.

    Examples
    --------
    >>> water = np.ones((80, 80), bool)
    >>> water[:, 40:] = False
    >>> shore = exposure(water, 10.0, Waves(fetch=200.0), 1)[40, 39]
    >>> bool(0.9 < shore < 1.1)
    True
    """
    cells = waves.cells(spacing)
    total = np.zeros(water.shape, np.float32)
    for number in range(DIRECTIONS):
        # None along the axes: a shore along one has as many directions to the sea as to the land.
        angle = 2 * math.pi * (number + 0.5) / DIRECTIONS
        # Waves that come from there run with the wind where it blows the opposite way.
        weight = 1 - waves.strength * math.cos(angle - math.radians(waves.wind))
        if weight > 1e-6:
            total += np.float32(weight) * open_water(water, angle, cells)
    total *= np.float32(2 / (DIRECTIONS * cells))
    share = (water & (box((~water).astype(np.float32), 1) > 0.05)).astype(np.float32)
    total *= share
    total, share = (_spread(field, radius) for field in (total, share))
    # Running means are off by rounding: without a shore around there is none.
    share[share < 0.5 / (2 * radius + 1) ** 4] = np.inf
    return total / share


def _spread(field: Floats, radius: int) -> Floats:
    """Return a mean within ``2 * radius`` cells in which the nearest ones count most."""
    near = max(1, radius // 4)
    out = box(box(field, radius), radius)
    out += np.float32(NEAR) * box(box(field, near), near)
    return out


def reach(waves: Waves, spacing: float, radius: int) -> int:
    """Return cells around a point that its :func:`exposure` depends on."""
    return waves.cells(spacing) + 2 * radius + 3


def open_water(water: Bools, angle: float, cells: int) -> Floats:
    """Return (H, W) float32, the number of cells of water in a row, up to ``cells``, from each cell
    on in a direction in radians from the first axis X (columns) to Y (rows).

    Each pass doubles the length that is known.
    """
    run, length = water.astype(np.float32), 1
    while length < cells:
        ahead = _ahead(
            run, round(length * math.sin(angle)), round(length * math.cos(angle)), length
        )
        run += np.where(run == length, ahead, np.float32(0))
        length *= 2
    return np.minimum(run, np.float32(cells))


def _ahead(field: Floats, rows: int, columns: int, beyond: float) -> Floats:
    """Return the values some rows and columns ahead; ``beyond`` outside the field."""
    out = np.full_like(field, beyond)
    height, width = field.shape
    if abs(rows) < height and abs(columns) < width:
        to = np.s_[
            max(-rows, 0) : height - max(rows, 0), max(-columns, 0) : width - max(columns, 0)
        ]
        source = np.s_[
            max(rows, 0) : height - max(-rows, 0), max(columns, 0) : width - max(-columns, 0)
        ]
        out[to] = field[source]
    return out


def shore_meters(side: Floats, spacing: float, cells: int) -> Floats:
    """Return the distance from the shoreline in meters, positive inland.

    Parameters
    ----------
    side : ndarray of float32, shape (H, W)
        Above 0 on land; the shoreline is where it is 0, interpolated between cells.
    spacing : float
        Meters between cells.
    cells : int
        Largest distance; values depend on :func:`passes` cells around each.

    Returns
    -------
    ndarray of float32, shape (H, W)
        First-order solution of the eikonal equation (Rouy and Tourin, 1992), at most ``cells`` *
        ``spacing`` either way.

    Examples
    --------
    >>> side = np.tile(np.arange(-4.5, 5, dtype=np.float32), (5, 1))
    >>> [float(d) for d in shore_meters(side, 10.0, 3)[2]]
    [-30.0, -30.0, -25.0, -15.0, -5.0, 5.0, 15.0, 25.0, 30.0, 30.0]
    """
    limit = np.float32(cells)
    near = np.minimum(_crossing(side), limit)
    for _ in range(passes(cells)):
        near = np.minimum(near, _from_neighbors(near))
    return np.where(side > 0, near, -near) * np.float32(spacing)


def passes(cells: int) -> int:
    """Return the passes, a cell each, that carry a distance so far along a diagonal."""
    return math.ceil(cells * math.sqrt(2)) + 1


def _crossing(side: Floats) -> Floats:
    """Return how many cells away the shoreline is where it passes beside a cell; infinite
    elsewhere."""
    padded = np.pad(side, 1, mode="edge")
    inverse = np.zeros_like(side)
    for before, after in (
        (padded[1:-1, :-2], padded[1:-1, 2:]),
        (padded[:-2, 1:-1], padded[2:, 1:-1]),
    ):
        share = np.full_like(side, np.inf)
        for other in (before, after):
            across = (side > 0) != (other > 0)
            rise = np.where(across, side - other, np.float32(1))
            share = np.where(across, np.minimum(share, np.abs(side / rise)), share)
        inverse += np.maximum(share, np.float32(1e-3)) ** -2
    with np.errstate(divide="ignore"):
        return np.where(inverse > 0, 1 / np.sqrt(inverse), np.float32(np.inf)).astype(np.float32)


def _from_neighbors(near: Floats) -> Floats:
    """Return the distance that those of the four neighbors lead to, in cells."""
    padded = np.pad(near, 1, mode="edge")
    across = np.minimum(padded[1:-1, :-2], padded[1:-1, 2:])
    along = np.minimum(padded[:-2, 1:-1], padded[2:, 1:-1])
    apart = np.minimum(np.abs(across - along), np.float32(1))
    farther = apart + np.sqrt(np.float32(2) - apart * apart)
    return np.minimum(across, along) + np.float32(0.5) * farther
