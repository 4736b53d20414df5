# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps: fields from outside of the recipe, painted or read from files, referenced by name.

A setting with the unit "map" holds the name of one. JSON holds the name only; the values are
passed to the evaluation as ``Recipe.maps``.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.blocks import row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from .smooth_map import SmoothMap

NO_DATA = (-9999.0, -32767.0, -32768.0)
"""Lowest values that mark gaps in elevation models. Others are beyond :data:`LARGEST`."""
LARGEST = 1e30


def gap_mark(values: Floats) -> float | None:
    """Return the value that marks gaps, where nothing was measured, or None."""
    low, high = float(values.min()), float(values.max())
    if low in NO_DATA or -low > LARGEST:
        return low
    return high if high > LARGEST else None


@dataclass(frozen=True)
class Placement:
    """Where a map lies on a terrain.

    Attributes
    ----------
    size : tuple of float
        (x, y) extent of the map in meters, from border to border; negative where it is mirrored.
    center : tuple of float
        (x, y) of its middle, in meters from the middle of the terrain.
    angle : float
        Degrees by which it is turned counterclockwise.
    """

    size: tuple[float, float]
    center: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0

    def share_of(self, size_x: float, size_y: float) -> float:
        """Return the share of a terrain of that size that the map covers, 0 to 1; up to a
        percent."""
        x, y = (np.linspace(-size / 2, size / 2, 101) for size in (size_x, size_y))
        u, v = self.shares(x[None], y[:, None])
        return float(((np.abs(u) <= 0.5 + 1e-9) & (np.abs(v) <= 0.5 + 1e-9)).mean())

    def shares(self, x: Doubles, y: Doubles) -> tuple[Doubles, Doubles]:
        """Return the places on the map, -0.5 to 0.5 along its columns and rows, of places on the
        terrain."""
        x, y = x - self.center[0], y - self.center[1]
        if self.angle:
            c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
            x, y = c * x + s * y, c * y - s * x
        return x / self.size[0], y / self.size[1]


@dataclass(frozen=True)
class Map:
    """A field over the whole terrain, or over a part that a :class:`Placement` gives.

    Parameters
    ----------
    name : str
        The name that settings refer to.
    values : ndarray of float32, shape (rows, columns)
        Row 0 at the lowest y.
    to_border : bool
        True if the outer values lie on the terrain's border, as the points of a mesh do; False if
        they lie half a cell inside, as the pixels of an image do.
    spacing : tuple of float or None
        (dx, dy) meters between columns and between rows; None where they are not known.
    in_meters : bool
        Whether the values are heights in meters.

    Raises
    ------
    ValueError
        Values that are not two-dimensional, not finite, or contain marks of missing data; a spacing
        that is not above zero.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import Grid
    >>> painted = Map("Paint", np.array([[0.0, 1.0]]))
    >>> painted.sample(Grid.points(10.0, 10.0, 3, 2), 10.0, 10.0)
    array([[0. , 0.5, 1. ],
           [0. , 0.5, 1. ]], dtype=float32)
    """

    name: str
    values: Floats = field(compare=False)
    to_border: bool = True
    spacing: tuple[float, float] | None = None
    in_meters: bool = False
    digest: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, np.float32)
        if values.ndim != 2 or values.size == 0:
            raise ValueError(f"The map {self.name!r} must have rows and columns")
        if not np.isfinite(values).all():
            raise ValueError(f"The map {self.name!r} holds values that are not finite")
        mark = gap_mark(values)
        if mark is not None:
            raise ValueError(
                f"The map {self.name!r} has gaps, marked by {mark:g}: fill them first, for example "
                "with gdal_fillnodata"
            )
        if self.spacing is not None and not all(0 < one < math.inf for one in self.spacing):
            raise ValueError(f"The spacing of the map {self.name!r} must be above zero")
        about = repr(values.shape)
        if self.spacing or self.in_meters:
            about += repr((self.spacing, self.in_meters))
        digest = hashlib.blake2b(about.encode(), digest_size=8)
        digest.update(values.data)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "digest", digest.digest())

    @property
    def size(self) -> tuple[float, float] | None:
        """Extent along x and y in meters, from border to border; None where it is not known."""
        if self.spacing is None:
            return None
        rows, columns = self.values.shape
        less = 1 if self.to_border else 0
        return self.spacing[0] * max(columns - less, 1), self.spacing[1] * max(rows - less, 1)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return float(self.values.min()), float(self.values.max())

    @cached_property
    def _smooth(self) -> SmoothMap:
        return SmoothMap(self.values)

    def surface(self, grid: Grid, place: Placement, cancelled: Cancel | None = None) -> Floats:
        """Return the map as a smooth surface at the points of a grid: (ny, nx) float32.

        Its samples are those of the cubic spline through them; where the grid is coarser, they are
        averaged first. Beyond the border of the map, the values there repeat.

        Examples
        --------
        >>> import numpy as np
        >>> from terrain_addon.core import Grid
        >>> ramp = Map("Ramp", np.float32([[0, 2], [0, 2]]))
        >>> ramp.surface(Grid.points(10.0, 10.0, 3, 2), Placement((10.0, 10.0))).round(5)
        array([[0., 1., 2.],
               [0., 1., 2.]], dtype=float32)
        """
        turn = math.radians(place.angle)
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        rows, columns = self.values.shape
        less = 1 if self.to_border else 0
        width, depth = (abs(one) for one in place.size)
        along = (max(columns - less, 1) / width, max(rows - less, 1) / depth)
        steps = (
            math.hypot(grid.dx * s, grid.dy * c) * along[1],
            math.hypot(grid.dx * c, grid.dy * s) * along[0],
        )
        if not place.angle:
            u, v = place.shares(grid.x, grid.y)
            rows_at, columns_at = self._at(v, rows), self._at(u, columns)
            return self._smooth.at(rows_at, columns_at, steps, cancelled)
        out = np.empty(grid.shape, np.float32)
        for band in row_bands(out.shape, cancelled):
            u, v = place.shares(grid.x[None], grid.y[band, None])
            out[band] = self._smooth.at_points(self._at(v, rows), self._at(u, columns), steps)
        return out

    def _at(self, place: Doubles, count: int) -> Doubles:
        """Return the positions in samples of places, -0.5 to 0.5."""
        return (place + 0.5) * (count - 1) if self.to_border else (place + 0.5) * count - 0.5

    def sample(
        self, grid: Grid, size_x: float, size_y: float, cancelled: Cancel | None = None
    ) -> Floats:
        """Return the map at the points of a grid, interpolated linearly: (ny, nx) float32.

        The map spans ``size_x`` by ``size_y`` meters around the origin. Beyond its border it
        repeats the values there.
        """
        rows, columns = self.values.shape
        left, right, x = self._between(grid.x / size_x, columns)
        low, high, y = self._between(grid.y / size_y, rows)
        first = int(low.min())
        lines = self.values[first : int(high.max()) + 1]
        across = _mixed(lines[:, left], lines[:, right], x)
        out = np.empty(grid.shape, np.float32)
        for part in row_bands(out.shape, cancelled):
            near, far = across[low[part] - first], across[high[part] - first]
            out[part] = _mixed(near, far, y[part, None])
        return out

    def _between(self, place: Doubles, count: int) -> tuple[Indices, Indices, Floats]:
        """Return the two samples around each place (-0.5 to 0.5), and the share of the second."""
        at = np.clip(self._at(place, count), 0, count - 1)
        below = at.astype(np.intp)
        return below, np.minimum(below + 1, count - 1), (at - below).astype(np.float32)


def _mixed(a: Floats, b: Floats, share: Floats) -> Floats:
    """Mix ``share`` of b, the rest of a."""
    return np.add(a, (b - a) * share, dtype=np.float32)
