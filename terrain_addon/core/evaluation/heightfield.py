# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightfield: heights on a grid, and the fields derived from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ..analysis import fields as analysis
from ..elevation import Georeference
from ..formats import HeightRows
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, never_cancelled
from .solution import GridField


class Heightfield:
    """Heights on a grid, and the fields of the terrain.

    Parameters
    ----------
    grid : where the heights are sampled
    height : (ny, nx) array_like in meters, row 0 at the lowest y; kept as float32
    fields : fields produced by layers, (ny, nx) float32 by their names in ``analysis.FIELDS``
    radius : meters that wide fields look around; by default a 64th of the longer side of the grid
    cancelled : polled while a field is derived; Cancelled is raised once it returns true
    solved : fields that depend on all heights of a grid of which this one is a window
    period : samples along X and Y after which a seamless terrain repeats; fields that follow from
        the heights then continue across the border, where the grid spans the period
    habitat : returns a field of ``analysis.HABITAT`` at the points of a grid; there are none of
        these fields without it, as they depend on more than the heights here

    Attributes
    ----------
    grid, height : as above
    fields : mapping from names to (ny, nx) float32: the fields given, and those that follow from
        the heights, such as "slope" in degrees, which are computed on first access

    Raises
    ------
    ValueError : the heights do not have the shape of the grid

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import Grid, Heightfield
    >>> grid = Grid.points(100.0, 50.0, 5, 3)
    >>> ramp = Heightfield(grid, np.broadcast_to(grid.x, grid.shape))
    >>> ramp.range
    (-50.0, 50.0)
    >>> ramp.fields["slope"][1]
    array([45., 45., 45., 45., 45.], dtype=float32)
    """

    def __init__(
        self,
        grid: Grid,
        height: ArrayLike,
        fields: Mapping[str, Floats] | None = None,
        *,
        radius: float | None = None,
        cancelled: Cancel | None = None,
        solved: Mapping[str, GridField] | None = None,
        period: tuple[int, int] | None = None,
        habitat: Callable[[str, Grid], Floats] | None = None,
    ) -> None:
        self.grid = grid
        self.height: Floats = np.asarray(height, np.float32)
        if self.height.shape != grid.shape:
            raise ValueError(f"The heights have the shape {self.height.shape}, not {grid.shape}")
        radius = radius or analysis.radius_of(*grid.size)
        self.fields: DerivedFields = DerivedFields(
            grid,
            self.height,
            fields or {},
            radius,
            cancelled or never_cancelled,
            solved or {},
            period,
            habitat,
        )

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest height in meters."""
        return float(self.height.min()), float(self.height.max())

    def rows(self) -> HeightRows:
        """Return the heights for :func:`~terrain_addon.core.formats.write`, placed in meters from
        the center of the terrain."""
        origin = float(self.grid.x[0]), float(self.grid.y[0])
        placed = Georeference(origin, (self.grid.dx, 0.0), (0.0, self.grid.dy))
        return HeightRows(self.grid.shape, [self.height], georeference=placed)


def _spans(grid: Grid, period: tuple[int, int]) -> bool:
    """Return whether a grid covers a whole period each way."""
    return grid.nx >= period[0] and grid.ny >= period[1]


class DerivedFields(Mapping[str, Floats]):
    """Fields that layers produced, and those derived from the heights on first access."""

    def __init__(
        self,
        grid: Grid,
        height: Floats,
        produced: Mapping[str, Floats],
        radius: float,
        cancelled: Cancel,
        solved: Mapping[str, GridField],
        period: tuple[int, int] | None,
        habitat: Callable[[str, Grid], Floats] | None,
    ) -> None:
        self._period, self._habitat = period, habitat
        self._possible = [*analysis.derived(), *(analysis.HABITAT if habitat else ())]
        self._grid, self._height, self._radius, self._solved = grid, height, radius, solved
        self._fields, self._cancelled = dict(produced), cancelled

    @small_ufunc_buffer()
    def __getitem__(self, name: str) -> Floats:
        if name not in self._fields:
            self._fields[name] = self._made(name)
        return self._fields[name]

    def _made(self, name: str) -> Floats:
        known = self._solved.get(name)
        if known:
            return known.sample(self._grid, self._height, self._cancelled)
        if self._habitat and name in analysis.HABITAT:
            return self._habitat(name, self._grid)
        return self._derived(name)

    def is_made(self, name: str) -> bool:
        """Return whether a field is there already, without computing it."""
        return name in self._fields

    def _derived(self, name: str) -> Floats:
        grid, radius, cancelled = self._grid, self._radius, self._cancelled
        period = self._period
        if period is None or analysis.FIELDS[name].whole or not _spans(grid, period):
            return analysis.derive(name, self._height, grid, radius, cancelled)
        around = analysis.reach(name, grid.dx, grid.dy, radius)
        rows, columns = (
            np.arange(-around, count + around) % repeat
            for count, repeat in zip(grid.shape, period[::-1], strict=True)
        )
        wide = self._height.take(rows, axis=0).take(columns, axis=1)
        made = analysis.derive(name, wide, grid.padded(around), radius, cancelled)
        return made[around : around + grid.ny, around : around + grid.nx].copy()

    def __contains__(self, name: object) -> bool:
        return name in self._fields or name in self._possible  # without computing it

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._fields, *self._possible]))

    def __len__(self) -> int:
        return len({*self._fields, *self._possible})
