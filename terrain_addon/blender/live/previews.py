# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews of a change, shown until the full result is computed."""

from ...core import Cache, Heightfield, Recipe
from ...core.evaluation import Shown, coarse_preview, held_preview
from ...core.output import inland_water, recolored
from ..mesh.domains import resampled
from ..mesh.terrain_mesh import Surface
from .costs import Cost
from .surface import Target, make_surface, surface_of

STEPS = (2, 4, 8, 16)
EVALUATION = 0.03
"""Seconds of the time per point that a preview may take. The fixed time, slope, colors and writing
take the same at any step."""
MOST_RESULTS = 4
"""Meshes whose last full result is kept: 4 bytes a point, and 4 for each field in use."""


def step_of(cost: Cost, target: Target) -> int:
    """Distance, in points of the mesh, of the points at which a preview is evaluated."""
    seconds = cost.per_point * target.points
    return next((step for step in STEPS if seconds / step**2 <= EVALUATION), STEPS[-1])


class Previews:
    """Makes previews from the last full result of each mesh, by session_uid."""

    def __init__(self) -> None:
        self._results: dict[int, Shown] = {}

    def keep(self, mesh: int, recipe: Recipe, made: Surface) -> None:
        """Record a full result; the results of the meshes longest unchanged go."""
        self._results.pop(mesh, None)
        size = max(recipe.size_x, recipe.size_y)
        self._results[mesh] = Shown(
            recipe, Heightfield(made.grid, made.height, made.fields, size=size)
        )
        while len(self._results) > MOST_RESULTS:
            del self._results[next(iter(self._results))]

    def clear(self) -> None:
        """Forget all results."""
        self._results.clear()

    def make(self, mesh: int, target: Target, step: int, cache: Cache) -> Surface:
        """The surface of a preview, computed at every ``step``-th point each way.

        The last full result moved by the change, which keeps its detail; the coarse surface itself
        if there is no such result, or if the colors show a mask or field.
        """
        recipe, grid, last = target.recipe, target.grid, self._results.get(mesh)
        nx, ny = (max((n - 1) // step + 1, 2) for n in (grid.nx, grid.ny))
        coarse = recipe.grid((nx, ny))
        if last and target.shown is None and last.terrain.grid == grid:
            known = set(recipe.fields) <= set(last.terrain.fields)
            terrain = known and (
                held_preview(recipe, coarse, last, cache)
                or coarse_preview(recipe, coarse, last, cache)
            )
            if terrain:
                water = None
                if recipe.water.inland:
                    water = inland_water(recipe, resampled(terrain.height, (nx, ny)), coarse)
                return surface_of(recipe, terrain, recolored(recipe, terrain, None, None), water)
        return _interpolated(make_surface(recipe, coarse, cache, shown=target.shown), target)


def _interpolated(coarse: Surface, target: Target) -> Surface:
    grid = target.grid
    shape = (grid.nx, grid.ny)
    return Surface(
        grid,
        resampled(coarse.height, shape),
        resampled(coarse.slope, shape),
        resampled(coarse.colors, shape),
        {name: resampled(values, shape) for name, values in coarse.fields.items()},
        coarse.water,
        coarse.legend,
        None if coarse.surfaces is None else resampled(coarse.surfaces, shape),
    )
