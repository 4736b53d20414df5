# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluate a grid some rows at a time: memory for these rows, and the bits of the whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import even_parts
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress, no_progress, within
from ..recipe.recipe import Recipe
from .heightfield import Heightfield
from .solution import Solution, grid_fields, has_whole_parts
from .solving import solve
from .stack import evaluate, habitats_of, margin_of

WINDOW = 1 << 19
"""Samples that are evaluated at once."""
BAND = 1 << 24
"""Samples of all rows that are kept at once, where that are fewer rows than a window has."""
LEAST_SIDE = 4
"""Least side of such a window, in multiples of the margin that is evaluated around it."""
SOLVING = 0.1
"""Share of the progress for solving the terrain."""


def evaluate_by_rows(
    recipe: Recipe,
    grid: Grid,
    *,
    margin: int = 0,
    fields: Iterable[str] | None = None,
    solution: Solution | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Iterator[tuple[slice, Heightfield]]:
    """Evaluate a recipe at the points of a grid, some rows after the others.

    Parameters
    ----------
    recipe, grid : as for :func:`~.stack.evaluate`
    margin : samples of terrain to add on all four sides of the rows
    fields : names of the fields from layers that are used; by default all
    solution : of the whole terrain; solved first if None
    progress, cancelled : as for :func:`~.stack.evaluate`

    Yields
    ------
    rows : slice of the rows of ``grid``
    terrain : Heightfield of these rows and the margin around them. Fields that depend on all
        heights need a solution of them, from :func:`~.solving_fields.solve_fields`

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`

    Examples
    --------
    >>> from terrain_addon.core import evaluate, presets
    >>> recipe = presets.load("crater_field")
    >>> grid = recipe.grid(65)
    >>> parts = [terrain.height for _, terrain in evaluate_by_rows(recipe, grid)]
    >>> bool((np.concatenate(parts) == evaluate(recipe, grid).height).all())
    True
    """
    progress = progress or no_progress
    if solution is None and has_whole_parts(recipe):
        solution = solve(recipe, progress=within(progress, 0, SOLVING), cancelled=cancelled)
        progress = within(progress, SOLVING, 1)
    produced = recipe.produced
    names = sorted(produced if fields is None else produced.intersection(fields))
    wide, radius = grid.padded(margin), recipe.wide_radius
    rows, columns = _sides(recipe, wide)
    solved, kept = grid_fields(recipe, solution), list[Floats]()
    habitat = habitats_of(recipe, solution, cancelled).sample
    for part in even_parts(grid.ny, rows):
        band = wide.window(0, part.start, wide.nx, part.stop - part.start + 2 * margin)
        known = 2 * margin if kept else 0  # rows that the last band has evaluated as well
        made = [np.empty(band.shape, np.float32) for _ in range(1 + len(names))]
        for new, old in zip(made, kept, strict=False):
            new[:known] = old[len(old) - known :]
        kept = made
        for across in even_parts(band.nx, columns):
            window = band.window(across.start, known, across.stop - across.start, band.ny - known)
            done = (part.start + (part.stop - part.start) * across.start / band.nx) / grid.ny
            then = (part.start + (part.stop - part.start) * across.stop / band.nx) / grid.ny
            terrain = evaluate(
                recipe,
                window,
                solution=solution,
                progress=within(progress, done, then),
                cancelled=cancelled,
                fields=names,
            )
            for field, values in zip(
                made, (terrain.height, *(terrain.fields[name] for name in names)), strict=True
            ):
                field[known:, across] = values
        height, *others = made
        named = dict(zip(names, others, strict=True))
        yield (
            part,
            Heightfield(
                band,
                height,
                named,
                radius=radius,
                cancelled=cancelled,
                solved=solved,
                habitat=habitat,
            ),
        )


def _sides(recipe: Recipe, grid: Grid) -> tuple[int, int]:
    """Return the rows and columns of a window: about square, since all four margins are evaluated
    twice."""
    least = LEAST_SIDE * margin_of(recipe, grid)
    rows = min(max(math.isqrt(WINDOW // 2), WINDOW // grid.nx), max(BAND // grid.nx, 1))
    rows = max(rows, least)
    return rows, max(WINDOW // rows, least)
