# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews of a change, shown until the full result is computed.

A preview is shown only where it is nearer to the full result than the picture before, and where it
takes little time: Blender waits for it. A new mesh has no picture before, and always gets one.
"""

import dataclasses
from collections.abc import Iterable

import numpy as np

from ...core import Cache, Grid, Heightfield, Recipe
from ...core.analysis import HABITAT
from ...core.evaluation import (
    HELD,
    NONE,
    Shown,
    coarse_preview,
    compared,
    held_preview,
    preview_kind,
    same_size,
    solved_again,
)
from ...core.output import evaluate_colored, inland_water, recolored
from ..mesh.domains import resampled
from ..mesh.terrain_mesh import Surface
from .costs import WRITING, Cost, seconds_to_solve, slow_preview, slowness
from .surface import Target, make_surface, surface_of

CELLS = 256
"""Least number of cells, along the longer side, of the grid on which a change is evaluated: with
half as many, rock and beaches are about as far from the result as the old picture."""
EVALUATION = 0.01
"""Seconds that one evaluation may take to be finer than that, on a machine of `slowness` 1."""
LITTLE = 4
"""Points of the mesh per point of a coarse grid, each way, that take little time beside them."""
MOST_RESULTS = 4
"""Meshes whose last full result is kept: 4 bytes a point, and 4 for each field in use."""


def step_of(cost: Cost, target: Target) -> int:
    """Return the distance, in points of the mesh, between the points of a preview."""
    step, longer = 1, max(target.grid.nx, target.grid.ny)
    seconds = cost.per_point * target.points / slowness()
    while seconds > EVALUATION * step**2 and longer > 2 * step * CELLS:
        step *= 2
    return step


def coarse_grid(cost: Cost, target: Target) -> Grid:
    """Return the points at which a preview of a rebuild of a cost is evaluated."""
    step = step_of(cost, target)
    nx, ny = (max((n - 1) // step + 1, 2) for n in (target.grid.nx, target.grid.ny))
    return target.recipe.grid((nx, ny))


Coarse = tuple[Recipe, Grid]
"""A recipe to evaluate on a coarse grid."""


class Previews:
    """Makes previews from the last full result of each mesh, by session_uid."""

    def __init__(self) -> None:
        self._results: dict[int, Shown] = {}

    def keep(self, mesh: int, recipe: Recipe, terrain: Heightfield) -> None:
        """Record a full result; the results of the meshes longest unchanged go."""
        self._results.pop(mesh, None)
        self._results[mesh] = Shown(recipe, terrain)
        while len(self._results) > MOST_RESULTS:
            del self._results[next(iter(self._results))]

    def want(self, mesh: int) -> bool:
        """Return whether a mesh has no stored result and there is room for one."""
        return mesh not in self._results and len(self._results) < MOST_RESULTS

    @property
    def is_empty(self) -> bool:
        """Whether no result is kept."""
        return not self._results

    def keep_only(self, meshes: Iterable[int]) -> None:
        """Forget the results of all other meshes."""
        for mesh in self._results.keys() - set(meshes):
            del self._results[mesh]

    def clear(self) -> None:
        """Forget all results."""
        self._results.clear()

    def seconds(self, mesh: int, target: Target, cost: Cost) -> float:
        """Estimate the processor time of :meth:`make` for a rebuild of a cost."""
        last, recipe = self._results.get(mesh), target.recipe
        coarse = coarse_grid(cost, target)
        evaluations = 2 * cost.per_point * coarse.nx * coarse.ny
        solved = solved_again(last.recipe, recipe) if last else []
        if last and preview_kind(last.recipe, recipe) == HELD:
            solved = []
        size = max(recipe.size_x, recipe.size_y)
        writing = slowness() * WRITING * target.points
        return evaluations + writing + seconds_to_solve(solved, size)

    def to_prepare(self, mesh: int, target: Target, cost: Cost) -> Coarse | None:
        """Return what the next preview starts from, where evaluating it together with the full
        result takes little more time.

        The next step of a drag probably changes what this one does.
        """
        if step_of(cost, target) < LITTLE:
            return None
        last = self._results.get(mesh)
        recipe = target.recipe if last is None else compared(target.recipe, last.recipe)
        return recipe, coarse_grid(cost, target)

    def make(self, mesh: int, target: Target, cost: Cost, cache: Cache) -> Surface | None:
        """Make the surface of a preview for a rebuild of a cost.

        The last full result moved by the change, which keeps its detail. A terrain of another size
        is a coarse surface. None without a last result, if the change is finer than a preview
        shows, or if it takes long.
        """
        recipe, grid, last = target.recipe, target.grid, self._results.get(mesh)
        if last is None or self.seconds(mesh, target, cost) > slow_preview():
            return None
        if not {*HABITAT}.isdisjoint(recipe.fields) and not same_size(last.recipe, recipe):
            return None  # these are as slow at few points
        if not same_size(last.recipe, recipe):
            return first_surface(target, cost, cache)
        coarse = coarse_grid(cost, target)
        if not set(recipe.fields) <= set(last.terrain.fields):
            return None
        if preview_kind(last.recipe, recipe) == NONE:
            return None
        moves = last.terrain.grid == grid and target.shown is None
        last = _at_points(last, grid)
        terrain = held_preview(recipe, coarse, last, cache)
        terrain = terrain or coarse_preview(recipe, coarse, last, cache)
        return terrain and _surface(terrain, target, coarse, cache, heights_only=moves)


def _at_points(last: Shown, grid: Grid) -> Shown:
    """Resample the last result to the points of a mesh that has more or fewer now."""
    if last.terrain.grid == grid:
        return last
    shape, names = (grid.nx, grid.ny), last.recipe.fields
    fields = {name: resampled(last.terrain.fields[name], shape) for name in names}
    height = resampled(last.terrain.height, shape)
    return Shown(last.recipe, Heightfield(grid, height, fields, radius=last.recipe.wide_radius))


def _surface(
    terrain: Heightfield, target: Target, coarse: Grid, cache: Cache, *, heights_only: bool
) -> Surface:
    """Make the surface of a preview; its mask in view is that of the coarse grid."""
    recipe, water = target.recipe, None
    if recipe.water.inland:
        heights = resampled(terrain.height, (coarse.nx, coarse.ny))
        water = inland_water(recipe, heights, coarse)
    if heights_only:
        return Surface(terrain.grid, terrain.height, water=water)
    if target.shown is None:
        return surface_of(recipe, terrain, recolored(recipe, terrain, None, None), water)
    _, made = evaluate_colored(recipe, coarse, target.shown, cache=cache)
    colors = resampled(made.colors, (target.grid.nx, target.grid.ny))
    return surface_of(recipe, terrain, dataclasses.replace(made, colors=colors), water)


def first_surface(target: Target, cost: Cost, cache: Cache) -> Surface:
    """Return the surface of a new terrain, interpolated between the points of a coarse grid.

    Without it, a new mesh is a flat plane until the full result, and the undo step of the operator
    that adds it holds that plane. ``cost`` is that of the rebuild.
    """
    coarse = make_surface(target.recipe, coarse_grid(cost, target), cache, shown=target.shown)
    assert coarse.slope is not None and coarse.colors is not None
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
        None
        if coarse.surfaces is None
        else np.stack([resampled(weights, shape) for weights in coarse.surfaces]),
    )
