# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that depend on all heights of a grid, for windows of it: wetness and lakes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from ...analysis import fields as analysis
from ...analysis.wetness import Blocks
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel
from ...recipe.recipe import Recipe
from ...settings.plain_data import plain_data
from .solution import Solution, part_key


@plain_data
@dataclass(frozen=True)
class GridField:
    """A field of a whole grid, solved for the means of blocks of it; ``values`` is float32."""

    name: str
    grid: Grid
    values: Floats

    @property
    def arrays(self) -> Sequence[Floats]:
        """Its arrays."""
        return (self.values,)

    def sample(self, window: Grid, height: Floats, cancelled: Cancel | None = None) -> Floats:
        """Return the field in a window of the grid, given the heights there: (ny, nx) float32.

        Raises ValueError if the window is not one of the grid.
        """
        grid, field = self.grid, analysis.FIELDS[self.name]
        i, j = window.i0 - grid.i0, window.j0 - grid.j0
        same = dataclasses.replace(window, i0=grid.i0, j0=grid.j0, nx=grid.nx, ny=grid.ny) == grid
        inside = 0 <= i <= grid.nx - window.nx and 0 <= j <= grid.ny - window.ny
        if not (same and inside):
            raise ValueError(
                f"The solution has {field.label!r} of a grid of {grid.nx} x {grid.ny} points; "
                "these points are not a window of it: solve the field for their grid"
            )
        assert field.whole is not None
        rows, columns = slice(j, j + window.ny), slice(i, i + window.nx)
        return field.whole.sample(self.values, Blocks(grid.shape), rows, columns, height, cancelled)


def grid_fields(recipe: Recipe, solution: Solution | None) -> dict[str, GridField]:
    """Return the fields of a grid that a solution of the recipe has, by name."""
    if solution is None:
        return {}
    names = [name for name, field in analysis.FIELDS.items() if field.whole]
    found = ((name, solution.parts.get(grid_field_key(recipe, name))) for name in names)
    return {name: part for name, part in found if isinstance(part, GridField)}


def grid_field_key(recipe: Recipe, name: str) -> str:
    """Return the key of a field of a grid in a solution of a recipe."""
    return part_key(recipe, recipe.active, None, ("field of a grid", name))
