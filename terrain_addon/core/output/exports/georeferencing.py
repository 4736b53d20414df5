# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of terrains that are made from elevation files."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from ...elevation import Elevation, Georeference
from ...layers.generate.height_map import HeightMap
from ...numerics.grid import Grid
from ...real_terrain import Source
from ...recipe.recipe import Recipe

LOCAL = Georeference((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
"""Coordinates that are meters from the center of the terrain."""


def on_grid(place: Georeference | None, grid: Grid) -> Georeference:
    """Return the coordinates of the points of a grid.

    Parameters
    ----------
    place : of columns and rows that are meters from the center, as :func:`georeference_of` returns
        it; None for these meters
    grid : the points
    """
    first = float(grid.x[0]), float(grid.y[0])
    return (place or LOCAL).mapped(first, (grid.dx, 0.0), (0.0, grid.dy))


def georeference_of(
    recipe: Recipe,
    folder: Path | None = None,
    read: Callable[[Source, Path | None], Elevation] = Source.read,
) -> Georeference | None:
    """Return the coordinates of columns and rows that are meters from the center of a terrain.

    They are those of its first *Height Map* from an elevation file that knows where it lies,
    wherever the map is moved, turned or scaled to.

    Parameters
    ----------
    recipe : the terrain, with its maps
    folder : of relative paths; by default that of the process
    read : returns the elevation model of a source in such a folder; by default, the file is read
        again

    Returns
    -------
    Georeference or None : for :func:`export`; None if the coordinates are not known, or the file is
        gone
    """
    for layer in recipe.active:
        settings = layer.settings
        source = Source.parse(settings.source) if isinstance(settings, HeightMap) else None
        found = next((one for one in recipe.maps if one.name in layer.settings.map_names), None)
        if not isinstance(settings, HeightMap) or source is None or found is None:
            continue
        try:
            place = read(source, folder).georeference
        except (ValueError, OSError):
            continue
        if place is None:
            continue
        lies = settings.placement(found, recipe.size_x, recipe.size_y)
        rows, columns = found.values.shape
        # Samples of the file in a meter along the sides of the map, which may keep some of them.
        across = (columns - 1) * source.every / lies.size[0]
        along = (rows - 1) * source.every / lies.size[1]
        c, s = math.cos(math.radians(lies.angle)), math.sin(math.radians(lies.angle))
        x, y = lies.center
        middle = (
            (columns - 1) * source.every / 2 - (c * x + s * y) * across,
            (rows - 1) * source.every / 2 - (c * y - s * x) * along,
        )
        return place.mapped(middle, (c * across, -s * along), (s * across, c * along))
    return None
