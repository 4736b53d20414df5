# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular grids in the plane of the terrain."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from .arrays import Doubles
from .axis import RegularAxis

LEAST_LIMIT = 16
"""Samples beyond the border that are always allowed: they cost little."""


def outside_limit(size: float, spacing: float) -> int:
    """Return samples beyond the border up to which a terrain of that extent is evaluated.

    Half its extent: anything farther outside hardly shows inside, and would multiply the work.
    """
    return max(math.ceil(size / spacing / 2), LEAST_LIMIT)


@dataclass(frozen=True)
class Grid:
    """A window of the terrain's plane, sampled at regular points.

    Sample ``[j, i]`` lies at ``(x0 + dx * (i0 + i), y0 + dy * (j0 + j))`` meters; the terrain is
    centered at (0, 0). A window keeps ``x0``, ``y0`` and moves ``i0``, ``j0``, so that the
    coordinates of a shared point are the same bits in every window.

    Examples
    --------
    >>> grid = Grid.points(100.0, 50.0, 5, 3)
    >>> grid.x, grid.y
    (array([-50., -25.,   0.,  25.,  50.]), array([-25.,   0.,  25.]))
    >>> grid.window(1, 0, 2, 3).x
    array([-25.,   0.])
    """

    nx: int
    ny: int
    x0: float
    y0: float
    dx: float
    dy: float
    i0: int = 0
    j0: int = 0

    def __post_init__(self) -> None:
        counts, places = (self.nx, self.ny, self.i0, self.j0), (self.x0, self.y0, self.dx, self.dy)
        if not all(hasattr(count, "__index__") for count in counts):
            raise ValueError(f"A grid has whole numbers of points, not {self.nx} x {self.ny}")
        if not all(math.isfinite(place) for place in places):
            raise ValueError(
                "The origin and the spacing of a grid must be finite numbers, not "
                f"({self.x0:g}, {self.y0:g}) and {self.dx:g} x {self.dy:g}"
            )
        if self.nx < 1 or self.ny < 1:
            raise ValueError(f"A grid needs at least one point each way, not {self.nx} x {self.ny}")
        if not (self.dx > 0 and self.dy > 0):
            raise ValueError(f"Grid spacing must be above zero, not {self.dx:g} x {self.dy:g}")

    @classmethod
    def points(cls, size_x: float, size_y: float, nx: int, ny: int) -> Grid:
        """Return the points from border to border of a terrain of that size in meters (a mesh's
        vertices)."""
        dx = size_x / max(nx - 1, 1)
        dy = size_y / max(ny - 1, 1)
        return cls(nx, ny, -size_x / 2 if nx > 1 else 0.0, -size_y / 2 if ny > 1 else 0.0, dx, dy)

    @classmethod
    def pixels(cls, size_x: float, size_y: float, nx: int, ny: int) -> Grid:
        """Return the centers of the pixels of an image that covers a terrain of that size in
        meters."""
        dx, dy = size_x / nx, size_y / ny
        return cls(nx, ny, (dx - size_x) / 2, (dy - size_y) / 2, dx, dy)

    @classmethod
    def cells(cls, size_x: float, size_y: float, count: int) -> Grid:
        """Return the centers of square cells over a terrain of that size in meters, ``count`` of
        them along its longer side."""
        cell = max(size_x, size_y) / count
        nx, ny = (max(round(size / cell), 1) for size in (size_x, size_y))
        return cls(nx, ny, cell * (1 - nx) / 2, cell * (1 - ny) / 2, cell, cell)

    @property
    def shape(self) -> tuple[int, int]:
        """(ny, nx), the shape of arrays sampled here."""
        return self.ny, self.nx

    @property
    def size(self) -> tuple[float, float]:
        """Extent along x and y in meters, from the first sample to the last; at least one step."""
        return self.dx * max(self.nx - 1, 1), self.dy * max(self.ny - 1, 1)

    @property
    def across(self) -> RegularAxis:
        """The nx coordinates along X in meters as an axis: windows of a grid agree to the bit."""
        return RegularAxis(self.x, self.x0, self.dx, self.i0)

    @property
    def along(self) -> RegularAxis:
        """The ny coordinates along Y in meters, as :attr:`across`."""
        return RegularAxis(self.y, self.y0, self.dy, self.j0)

    @property
    def x(self) -> Doubles:
        """The nx coordinates along X in meters."""
        return self.x0 + self.dx * np.arange(self.i0, self.i0 + self.nx, dtype=np.float64)

    @property
    def y(self) -> Doubles:
        """The ny coordinates along Y in meters."""
        return self.y0 + self.dy * np.arange(self.j0, self.j0 + self.ny, dtype=np.float64)

    def padded(self, samples: int) -> Grid:
        """Return the same grid with that many more samples on each of its four sides."""
        return dataclasses.replace(
            self,
            nx=self.nx + 2 * samples,
            ny=self.ny + 2 * samples,
            i0=self.i0 - samples,
            j0=self.j0 - samples,
        )

    def with_margin(self, samples: int, size_x: float, size_y: float) -> Grid:
        """Pad as :meth:`padded` does, but no farther than :func:`outside_limit` beyond a terrain's
        border.

        That limit follows from the terrain and the spacing alone, so all windows of a grid share
        it. A grid that already lies beyond it, such as a coarse lattice around a terrain, gets a
        margin of at most as many samples there.
        """
        i0, nx = _reaching(self.i0, self.nx, samples, self.x0, self.dx, size_x)
        j0, ny = _reaching(self.j0, self.ny, samples, self.y0, self.dy, size_y)
        return dataclasses.replace(self, i0=i0, nx=nx, j0=j0, ny=ny)

    def window(self, i: int, j: int, nx: int, ny: int) -> Grid:
        """Return the nx x ny samples from column ``i`` and row ``j`` on."""
        return dataclasses.replace(self, i0=self.i0 + i, j0=self.j0 + j, nx=nx, ny=ny)

    def every(self, step: int) -> Grid:
        """Return every ``step``-th sample each way, from the first on."""
        if step == 1:
            return self
        return dataclasses.replace(
            self,
            nx=-(-self.nx // step),
            ny=-(-self.ny // step),
            x0=self.x0 + self.dx * self.i0,
            y0=self.y0 + self.dy * self.j0,
            dx=self.dx * step,
            dy=self.dy * step,
            i0=0,
            j0=0,
        )


def _reaching(
    start: int, count: int, samples: int, origin: float, step: float, size: float
) -> tuple[int, int]:
    """Return the first sample and number of samples along one axis, with a limited margin."""
    limit, stop = outside_limit(size, step), start + count
    first = math.ceil((-size / 2 - origin) / step) - limit
    last = math.floor((size / 2 - origin) / step) + limit + 1
    first = max(start - samples, first if start >= first else start - limit)
    last = min(stop + samples, last if stop <= last else stop + limit)
    return first, last - first
