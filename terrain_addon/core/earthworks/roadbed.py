# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of roads: even along each, rounded where several meet and where one ends.

Each road is a ridge of density around its center line, which falls to 0 at a distance from its
edge. Densities add up. The height is the mean of the levels around, weighted by density, and the
edge lies where the density is that at the edge of a straight road.

Source: convolution surfaces (Bloomenthal and Shoemake, *Convolution surfaces*, 1991), here with a
quartic kernel, whose integral along a segment is a polynomial.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..shapes import Boxes, samples_in
from .courses import Courses

PAIRS = 2**15
"""Samples compared with segments at once."""


@dataclass(frozen=True)
class Roadbed:
    """Samples on and beside roads.

    Attributes
    ----------
    place : ndarray of intp, shape (n,)
        Indices of the samples in the flat grid, ascending.
    level : ndarray of float64, shape (n,)
        Height of the road there in meters, without crown.
    half : ndarray of float64, shape (n,)
        Meters from the center to the edge of the road.
    beyond : ndarray of float64, shape (n,)
        Meters beyond the rounded edge, negative on the road.
    nearer : ndarray of float64, shape (n,)
        How many meters nearer the rounded edge is than that of the nearest road.
    """

    place: Indices
    level: Doubles
    half: Doubles
    beyond: Doubles
    nearer: Doubles

    @classmethod
    def on(
        cls, courses: Courses, grid: Grid, margin: float, cancelled: Cancel | None = None
    ) -> Roadbed:
        """Return the samples of a grid up to ``margin`` meters beyond the edges of roads.

        ``margin`` is above zero: edges are rounded within it where roads meet.
        """
        density, level, radius, depth = (np.zeros(grid.nx * grid.ny) for _ in range(4))
        kernel = _Kernel.of(courses, margin)
        x, y = grid.x, grid.y
        for rows, columns, segments in samples_in(kernel.boxes, grid, PAIRS):
            poll(cancelled)
            here, segments, weight, raised, beyond = kernel.at(segments, x[columns], y[rows])
            place = rows[here] * grid.nx + columns[here]
            np.add.at(density, place, weight)
            np.add.at(level, place, raised)
            np.add.at(radius, place, kernel.radius.take(segments) * weight)
            np.maximum.at(depth, place, margin - beyond)
        place = np.flatnonzero(density)
        density = density[place]
        level, radius = level[place] / density, radius[place] / density
        # A straight road has the density (1 - (distance / radius)^2)^(5/2) * 16 / 15.
        share = np.sqrt(1 - np.minimum(density * (15 / 16), 1) ** 0.4)
        beyond = margin - radius * (1 - share)
        nearer = margin - depth[place] - beyond
        return cls(place, level, radius - margin, beyond, nearer)


@dataclass(frozen=True)
class _Kernel:
    """Segments of roads, (n,) each, and the density around them."""

    x: Doubles
    y: Doubles
    along_x: Doubles
    along_y: Doubles
    length: Doubles
    level: Doubles
    rise: Doubles
    radius: Doubles
    half: Doubles
    widening: Doubles

    @classmethod
    def of(cls, courses: Courses, margin: float) -> _Kernel:
        first = courses.first
        along_x, along_y, rise, widening = (
            np.diff(one)[first] for one in (courses.x, courses.y, courses.level, courses.half)
        )
        length = np.hypot(along_x, along_y)
        inverse = 1 / np.where(length > 0, length, 1)
        half = courses.half[first]
        return cls(
            x=courses.x[first],
            y=courses.y[first],
            along_x=along_x * inverse,
            along_y=along_y * inverse,
            length=length,
            level=courses.level[first],
            rise=rise * inverse,
            radius=half + widening / 2 + margin,
            half=half,
            widening=widening * inverse,
        )

    @property
    def boxes(self) -> Boxes:
        """Rectangles around the samples that segments add to."""
        x, y = self.x + self.along_x * self.length, self.y + self.along_y * self.length
        far = self.radius
        return Boxes(
            segment=np.arange(len(x)),
            low=np.minimum(self.y, y) - far,
            high=np.maximum(self.y, y) + far,
            left=np.minimum(self.x, x) - far,
            right=np.maximum(self.x, x) + far,
        )

    def at(
        self, segment: Indices, x: Doubles, y: Doubles
    ) -> tuple[Indices, Indices, Doubles, Doubles, Doubles]:
        """Return the samples (n,) that segments add to, those segments, density, density times
        level, and meters beyond the edge."""
        x, y = x - self.x.take(segment), y - self.y.take(segment)
        along_x, along_y = self.along_x.take(segment), self.along_y.take(segment)
        along, across = x * along_x + y * along_y, x * along_y - y * along_x
        square = self.radius.take(segment) ** 2 - across * across
        behind, ahead = -along, self.length.take(segment) - along
        within = (square > 0) & (np.maximum(behind, 0) ** 2 < square)
        within &= np.minimum(ahead, 0) ** 2 < square
        here = np.flatnonzero(within)
        segment, along, across = segment[here], along[here], across[here]
        square, behind, ahead = square[here], behind[here], ahead[here]
        reach = np.sqrt(square)
        low, high = np.maximum(behind, -reach), np.minimum(ahead, reach)
        scale = (self.radius**-5).take(segment)
        rise = self.rise.take(segment)
        density = (_zeroth(high, square) - _zeroth(low, square)) * scale
        level = (self.level.take(segment) + rise * along) * density
        level += (_first(high, square) - _first(low, square)) * (rise * scale)
        way = np.clip(along, 0, self.length.take(segment))
        along -= way
        half = self.half.take(segment) + self.widening.take(segment) * way
        beyond = np.sqrt(across * across + along * along) - half
        return here, segment, density, level, beyond


def _zeroth(t: Doubles, square: Doubles) -> Doubles:
    """Return the integral of (square - t^2)^2 from 0 to t."""
    power = t * t
    return t * (square * (square - power * (2 / 3)) + power * power * 0.2)


def _first(t: Doubles, square: Doubles) -> Doubles:
    """Return the integral of t (square - t^2)^2, up to a constant."""
    power = square - t * t
    return power * power * power * (-1 / 6)
