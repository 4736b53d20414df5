# SPDX-License-Identifier: GPL-3.0-or-later
"""The input of layers and masks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.habitat import Surroundings, Terrain
from ..erosion.glaciers.snow_line import SnowLine
from ..erosion.rivers.drawn.course import Course
from ..numerics import blocks
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, poll
from ..shapes import Shape
from .maps import Map
from .periods import crossfaded

Inputs = Sequence[str | float | bool | None]
"""Plain values that a part of a solution depends on."""
SIDE = 264
"""Rows and columns worked on at once: temporaries stay in the cache. Grids have 2^n + 1 points."""
NOISE_SIDE = 520
"""The same for noise, above all a domain warp, which takes longer in smaller squares."""


@dataclass(frozen=True)
class TerrainContext:
    """What layers and masks compute from, wherever the terrain is sampled.

    Attributes
    ----------
    size_x, size_y : float
        Extent of the whole terrain in meters.
    radius : float
        Radius of wide fields in meters.
    water_level : float
        Height of the sea in meters.
    snow_line : SnowLine or None
        Where the colors begin to show snow, None where they show none.
    seed : int
        Seed of the recipe; add the layer's own.
    progress, cancelled : callable
        Callbacks.
    heights_below : callable
        The terrain below on any grid, (ny, nx) float32 meters.
    maps : mapping of str to Map
        Painted maps and those of files, by name.
    shapes : mapping of str to Shape
        Lines and areas by name.
    kept : callable
        Returns an array that depends on plain values alone, such as noise on a grid, for the next
        evaluation too. ``kept(inputs, make)`` calls ``make`` unless the array is known already.
        ``inputs``, the first of which names it, are all that it depends on. It may be read-only.
    seamless : bool
        Whether the terrain repeats after its extent, so that opposite borders match.
    surroundings : Surroundings
        What habitat fields depend on besides the terrain.
    """

    size_x: float
    size_y: float
    radius: float
    water_level: float
    snow_line: SnowLine | None
    seed: int
    progress: Progress
    cancelled: Cancel
    heights_below: Callable[[Grid], Floats]
    maps: Mapping[str, Map]
    shapes: Mapping[str, Shape]
    kept: Callable[[tuple[object, ...], Callable[[], Floats]], Floats]
    seamless: bool = field(default=False, kw_only=True)
    surroundings: Surroundings = field(default=Surroundings(), kw_only=True)

    @property
    def period(self) -> tuple[float, float] | None:
        """Meters along X and Y after which the terrain repeats; None if it does not."""
        return (self.size_x, self.size_y) if self.seamless else None

    def poll(self) -> None:
        """Raise Cancelled if the user has cancelled."""
        poll(self.cancelled)

    def map_named(self, name: str) -> Map:
        """Return the map of that name; ValueError if there is none."""
        if name not in self.maps:
            raise ValueError(
                f"There is no map named {name!r}: name an attribute, a vertex group, an image or "
                "a terrain"
            )
        return self.maps[name]

    def shape_named(self, name: str) -> Shape:
        """Return the shape of that name; an empty one if there is none."""
        return self.shapes.get(name) or Shape.empty(name)

    def map_on(self, name: str, grid: Grid) -> Floats:
        """Sample a map, which spans the terrain, at the points of ``grid``: float32.

        Raises ValueError if there is no map of that name.
        """
        found = self.map_named(name)

        def sampled(grid: Grid, rows: slice, columns: slice) -> Floats:
            return found.sample(grid, self.size_x, self.size_y, self.cancelled)

        if self.seamless:
            return crossfaded(sampled, grid, self.size_x, self.size_y)
        return found.sample(grid, self.size_x, self.size_y, self.cancelled)


@dataclass(frozen=True)
class SolveContext(TerrainContext):
    """The input of ``solve``: the whole terrain, but not the grid that is asked for.

    Attributes
    ----------
    part : callable
        Returns a part of the solution. ``part(inputs, make)`` calls ``make`` unless that part is
        known already. ``inputs`` are the plain values, such as settings, that it depends on,
        besides the terrain below, the maps of the layer, its seed and the extent. What ``make``
        returns has a property ``arrays``, which become read-only.
    unfinished : callable
        Returns a folder for unfinished work on the part of those ``inputs``, which may not exist
        yet; None if none is kept.
    courses : sequence of Course
        Rivers that layers below draw.
    held : tuple of (LayerKind, SolveContext) or None
        Settings of the layer and its context in the terrain whose rivers it has; None where those
        of this terrain are to be found.
    held_below : bool
        Whether that terrain is the same below the layer.
    terrain_below : callable
        The terrain below on any grid, with its derived fields and those of layers that are named.
    """

    part: Callable[[Inputs, Callable[[], Any]], Any]
    unfinished: Callable[[Inputs], Path | None]
    courses: Sequence[Course]
    held: tuple[Any, SolveContext] | None
    held_below: bool
    terrain_below: Callable[[Grid, Sequence[str]], Terrain]


@dataclass(frozen=True)
class LayerContext(TerrainContext):
    """The input of ``apply``: everything that a layer or mask computes from.

    Attributes
    ----------
    grid : Grid
        The points to evaluate.
    height : ndarray of float32, shape (ny, nx)
        Meters: the terrain below. Shared: never write into it.
    fields : mapping of str to ndarray of float32
        Fields that layers below produced, by name, (ny, nx) float32. Shared as well.
    needed : frozenset of str
        Names of the fields that are used afterwards; others are dropped.
    produced : dict of str to ndarray of float32
        Where a layer puts the fields that it produces, by name.
    solved : object
        What ``solve`` of this layer or mask returned.
    """

    grid: Grid
    height: Floats
    fields: Mapping[str, Floats]
    needed: frozenset[str]
    produced: dict[str, Floats]
    solved: Any

    def needs(self, *names: str) -> bool:
        """Return whether any of these fields is used afterwards: others need not be computed."""
        return not self.needed.isdisjoint(names)

    def map(self, name: str) -> Floats:
        """Return the values of a painted map, as :meth:`map_on` the context's own grid."""
        return self.map_on(name, self.grid)

    def row_bands(self) -> Iterator[slice]:
        """Yield the slices of rows that cover the grid; reports progress and raises Cancelled."""
        for rows in blocks.row_bands(self.grid.shape, self.cancelled):
            self.progress(rows.start / self.grid.ny)
            yield rows

    def squares(self, side: int) -> Iterator[tuple[slice, slice]]:
        """Yield the slices of at most ``side`` rows and columns that cover the grid; as
        :meth:`row_bands`."""
        nx, ny = self.grid.nx, self.grid.ny
        for rows in blocks.even_parts(ny, side):
            for columns in blocks.even_parts(nx, side):
                self.poll()
                self.progress((rows.start + (rows.stop - rows.start) * columns.start / nx) / ny)
                yield rows, columns

    def by_rows(self, function: Callable[[Floats], Floats]) -> Floats:
        """Compute new heights by a pointwise function of the heights below."""
        out = np.empty(self.grid.shape, np.float32)
        for rows in self.row_bands():
            out[rows] = function(self.height[rows])
        return out

    def zeros(self) -> Floats:
        """Return a new field of the grid's shape, all zero."""
        return np.zeros(self.grid.shape, np.float32)
