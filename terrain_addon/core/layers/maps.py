# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted maps: fields from outside of the recipe, referenced by name.

A setting with the unit "map" holds the name of one. JSON holds the name only; the values are
passed to the evaluation as ``Recipe.maps``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.blocks import row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel

NO_DATA = (-9999.0, -32767.0, -32768.0)
"""Lowest values that mark gaps in elevation models. Others are beyond :data:`LARGEST`."""
LARGEST = 1e30


def gap_mark(values: Floats) -> float | None:
    """The value that marks gaps, where nothing was measured, or None."""
    low, high = float(values.min()), float(values.max())
    if low in NO_DATA or -low > LARGEST:
        return low
    return high if high > LARGEST else None


@dataclass(frozen=True)
class Map:
    """A field over the whole terrain.

    Parameters
    ----------
    name : the name that settings refer to
    values : (rows, columns) float32, row 0 at the lowest y
    to_border : True if the outer values lie on the terrain's border, as the points of a mesh do;
        False if they lie half a cell inside, as the pixels of an image do

    Raises
    ------
    ValueError : values that are not two-dimensional, not finite, or contain marks of missing data

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
        digest = hashlib.blake2b(repr(values.shape).encode(), digest_size=8)
        digest.update(values.data)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "digest", digest.digest())

    def sample(
        self, grid: Grid, size_x: float, size_y: float, cancelled: Cancel | None = None
    ) -> Floats:
        """The map at the points of a grid, interpolated linearly: (ny, nx) float32.

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
        """The two samples around each place (-0.5 to 0.5), and the share of the second."""
        at = (place + 0.5) * (count - 1) if self.to_border else (place + 0.5) * count - 0.5
        at = np.clip(at, 0, count - 1)
        below = at.astype(np.intp)
        return below, np.minimum(below + 1, count - 1), (at - below).astype(np.float32)


def _mixed(a: Floats, b: Floats, share: Floats) -> Floats:
    """``share`` of b, the rest of a."""
    return np.add(a, (b - a) * share, dtype=np.float32)
