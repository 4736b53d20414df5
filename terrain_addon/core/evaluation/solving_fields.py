# SPDX-License-Identifier: GPL-3.0-or-later
"""Solve fields of a grid that depend on all of its heights: wetness and lakes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from ..analysis import fields as analysis
from ..analysis.wetness import Blocks
from ..hydrology import check_height
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress
from ..recipe.recipe import Recipe
from .by_rows import evaluate_by_rows
from .habitats import habitat_key
from .solution import GridField, Solution, grid_field_key
from .stack import habitats_of


def solve_fields(
    recipe: Recipe,
    grid: Grid,
    fields: Iterable[str],
    solution: Solution,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Solution:
    """Add fields that depend on the whole terrain to a solution of the recipe.

    Windows of the grid then have the field of the whole. The grid is evaluated once, some rows at
    a time. Habitat fields, which any grid samples, are solved on their own grid.

    Parameters
    ----------
    recipe, grid : the terrain, and the grid of which windows will be evaluated
    fields : names of fields; those that do not depend on all heights need no solution
    solution : of the recipe, from :func:`~.solving.solve`
    progress, cancelled : as for :func:`~.solving.solve`

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`

    Examples
    --------
    >>> from terrain_addon.core import evaluate, presets, solve, solve_fields
    >>> recipe = presets.load("crater_field")
    >>> grid = recipe.grid(65)
    >>> solution = solve_fields(recipe, grid, ["wetness"], solve(recipe))
    >>> whole = evaluate(recipe, grid).fields["wetness"]
    >>> part = evaluate(recipe, grid.window(9, 7, 30, 20), solution=solution).fields["wetness"]
    >>> bool((part == whole[7:27, 9:39]).all())
    True
    """
    fields = set(fields)
    solution = _with_habitats(recipe, fields, solution, cancelled)
    names = [name for name, field in analysis.FIELDS.items() if field.whole and name in fields]
    if not names:
        return solution
    rows = evaluate_by_rows(
        recipe, grid, fields=(), solution=solution, progress=progress, cancelled=cancelled
    )
    blocks = Blocks(grid.shape)
    means = _means((terrain.height for _, terrain in rows), blocks, cancelled)
    spacing = blocks.size * (grid.dx * grid.dy) ** 0.5
    radius = recipe.wide_radius
    parts = dict(solution.parts)
    for name in names:
        whole = analysis.FIELDS[name].whole
        assert whole is not None
        values = whole.solve(means, spacing, radius, blocks, cancelled)
        values.setflags(write=False)
        parts[grid_field_key(recipe, name)] = GridField(name, grid, values)
    return dataclasses.replace(solution, parts=parts)


def _with_habitats(
    recipe: Recipe, fields: set[str], solution: Solution, cancelled: Cancel | None
) -> Solution:
    """Add habitat fields to a solution."""
    names = [name for name in analysis.HABITAT if name in fields]
    if not names:
        return solution
    habitats = habitats_of(recipe, solution, cancelled)
    found = {habitat_key(recipe, recipe.active, name): habitats.part(name) for name in names}
    return dataclasses.replace(solution, parts={**solution.parts, **found})


def _means(heights: Iterator[Floats], blocks: Blocks, cancelled: Cancel | None) -> Floats:
    """Return the means of all blocks of a grid, given its heights some rows at a time.

    The last complete block waits for the rows after it, which it mirrors if they are incomplete.
    """
    means: list[Floats] = []
    waiting: Floats | None = None
    for rows in heights:
        waiting = rows if waiting is None else np.concatenate([waiting, rows])
        ready = max(len(waiting) // blocks.size - 1, 0) * blocks.size
        if ready:
            means.append(blocks.means(waiting[:ready], cancelled))
            waiting = waiting[ready:].copy()
    if waiting is not None and len(waiting):
        means.append(blocks.means(waiting, cancelled))
    return check_height(np.concatenate(means))
