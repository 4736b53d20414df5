# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of a window of a terrain, which fit to those of the windows beside it."""

from __future__ import annotations

import numpy as np

from ..analysis.fields import FIELDS
from ..evaluation.heightfield import Heightfield
from ..evaluation.solution import Solution
from ..evaluation.stack import evaluate
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress
from ..recipe.recipe import Recipe
from .coloring import Coloring, palette_coloring

MARGIN = 1
"""Samples around the window: slopes are central differences at its border, too."""


def window_fields(recipe: Recipe) -> list[str]:
    """Return the names of the fields of the recipe that are the same in a window and in the whole.

    Fields that look far, such as *Ridge* or *Wetness*, are not: their margin would be larger than
    a window of a large world.

    Examples
    --------
    >>> from terrain_addon.core import Recipe
    >>> window_fields(Recipe(attributes=("hillshade", "ridge", "wetness")))
    ['hillshade']
    """
    return [name for name in recipe.fields if not (FIELDS[name].wide or FIELDS[name].is_far)]


def colored_window(
    recipe: Recipe,
    grid: Grid,
    ends: tuple[float, float] | None = None,
    *,
    solution: Solution | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> tuple[Heightfield, Coloring]:
    """Evaluate a window of a terrain, and color its points by the palette.

    Slopes and colors at its border are those of the window beside it, as the heights are. Colors by
    fields that look far are left out (:func:`window_fields`).

    Parameters
    ----------
    recipe, grid, solution, progress, cancelled : as for :func:`~.stack.evaluate`
    ends : lowest and highest height of the whole terrain in meters, to which colors are relative;
        by default those of the window

    Returns
    -------
    terrain : Heightfield, with the fields of :func:`window_fields` and "slope"
    coloring : Coloring

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`

    Examples
    --------
    >>> from terrain_addon.core import presets, solve
    >>> recipe = presets.load("crater_field")
    >>> grid, solution = recipe.grid(65), solve(recipe)
    >>> one, other = (
    ...     colored_window(recipe, grid.window(i, 0, 33, 65), (0.0, 300.0), solution=solution)[1]
    ...     for i in (0, 32)
    ... )
    >>> bool((one.colors[:, -1] == other.colors[:, 0]).all())
    True
    """
    names = window_fields(recipe)
    produced = [name for name in names if not FIELDS[name].make]
    wide = evaluate(
        recipe,
        grid.padded(MARGIN),
        solution=solution,
        progress=progress,
        cancelled=cancelled,
        fields=produced,
    )
    known = {name: _inside(wide.fields[name]) for name in ("slope", *names) if name in wide.fields}
    terrain = Heightfield(grid, _inside(wide.height), known, radius=recipe.wide_radius)
    return terrain, palette_coloring(recipe, terrain, ends or terrain.range)


def _inside(values: Floats) -> Floats:
    """Return the values without the margin."""
    return np.ascontiguousarray(values[MARGIN:-MARGIN, MARGIN:-MARGIN])
