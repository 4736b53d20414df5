# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks: rests of former headlands that stand on the platform before a cliff."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from . import random_fields
from .smoothing import smoothstep

LEAST_RADIUS, MOST_RADIUS = 0.12, 0.3
"""Of a stack, as shares of the side of its square."""
SAMPLES_ACROSS = 3.0
"""Samples across a square below which its stack would be smaller than a sample."""
STEEP = math.tan(math.radians(80))
CORNERS = 5.0
"""Exponent of the superellipse of their plan: joints bound them."""
NEAREST, FARTHEST = 0.6, -0.2
"""Where stacks stand, as shares of the way from the old shore to the cliff."""


@dataclass(frozen=True)
class Stacks:
    """Stacks at places that follow from a seed.

    Attributes
    ----------
    x, y : ndarray of float64, shape (n,)
        Meters, their middles.
    luck : ndarray of float32, shape (n,)
        0 to 1: they stand where this is less than their share.
    radius : ndarray of float32, shape (n,)
        Meters.
    angle : ndarray of float32, shape (n,)
        Radians from X of the longer side.
    top : ndarray of float32, shape (n,)
        Their height as a share of that of the former land.
    """

    x: Doubles
    y: Doubles
    luck: Floats
    radius: Floats
    angle: Floats
    top: Floats

    @classmethod
    def around(cls, grid: Grid, side: float, seed: int) -> Stacks:
        """Return those that may reach into a grid, at most one in each square of that side in
        meters; none where they would be smaller than its samples."""
        empty = side < SAMPLES_ACROSS * max(grid.dx, grid.dy)
        (columns, rows) = (
            np.zeros(0, np.int64) if empty else _squares(axis, side) for axis in (grid.x, grid.y)
        )

        def drawn(stream: int) -> Floats:
            bits = random_fields.hashed(rows, columns, seed + stream).ravel()
            return (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)

        y, x = (part.ravel() for part in np.meshgrid(rows, columns, indexing="ij"))
        joints = math.pi * float(random_fields.uniform((1, 1), seed)[0, 0])
        return cls(
            (x + 0.25 + 0.5 * drawn(1)) * side,
            (y + 0.25 + 0.5 * drawn(2)) * side,
            drawn(3),
            np.float32(side)
            * (LEAST_RADIUS + np.float32(MOST_RADIUS - LEAST_RADIUS) * drawn(4) ** 2),
            (joints + 0.5 * np.pi * np.round(drawn(5)) + 0.3 * drawn(6)).astype(np.float32),
            np.float32(0.55) + np.float32(0.45) * drawn(7),
        )

    def standing(self, inland: Floats, width: Floats, attack: Floats, density: float) -> Stacks:
        """Return those that stand: on the outer part of the platform off headlands.

        Parameters
        ----------
        inland : ndarray of float32, shape (n,)
            Meters from the shoreline.
        width : ndarray of float32, shape (n,)
            Meters, width of the platform.
        attack : ndarray of float32, shape (n,)
            How strongly waves attack: 1 on a straight coast.
        density : float
            Share of the squares before the outermost headlands that have one.
        """
        way = inland / np.maximum(width, np.float32(1e-6))
        here = (way > FARTHEST) & (way < NEAREST)
        here &= self.luck < density * smoothstep(0.7, 1.1, attack)
        parts = (self.luck, self.radius, self.angle, self.top)
        return Stacks(self.x[here], self.y[here], *(part[here] for part in parts))

    def heights(self, grid: Grid, above: Floats, waver: Floats) -> Floats:
        """Return up to which height above the sea each point of a grid stands: -inf off stacks.

        ``above`` is the height of the land above the sea before the waves came, ``waver`` noise
        from -1 to 1; (ny, nx) float32.
        """
        out = np.full(grid.shape, -np.inf, np.float32)
        for x, y, radius, angle, top in zip(
            self.x, self.y, self.radius, self.angle, self.top, strict=True
        ):
            rows, columns = (
                _within(axis, middle, 2 * radius) for axis, middle in ((grid.y, y), (grid.x, x))
            )
            part = np.s_[rows, columns]
            east, north = (grid.x[columns] - x)[None, :], (grid.y[rows] - y)[:, None]
            along = np.abs(east * math.cos(angle) + north * math.sin(angle)) / 1.3
            across = np.abs(north * math.cos(angle) - east * math.sin(angle)) * 1.3
            apart = (along**CORNERS + across**CORNERS) ** (1 / CORNERS)
            inside = radius * (1 + 0.4 * waver[part]) - apart.astype(np.float32)
            stands = np.minimum(np.float32(STEEP) * inside, top * above[part])
            stands[stands <= 0] = -np.inf
            np.maximum(out[part], stands, out=out[part])
        return out


def _squares(axis: Doubles, side: float) -> NDArray[np.int64]:
    """Return the numbers of the squares over an axis and beside it."""
    first, last = (math.floor(end / side) for end in (axis[0], axis[-1]))
    return np.arange(first - 1, last + 2, dtype=np.int64)


def _within(axis: Doubles, middle: float, radius: float) -> slice:
    """Return the samples of an axis within a radius."""
    return slice(*np.searchsorted(axis, (middle - radius, middle + radius)))
