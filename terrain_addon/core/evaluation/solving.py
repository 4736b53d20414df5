# SPDX-License-Identifier: GPL-3.0-or-later
"""Solve a recipe for its whole terrain."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..erosion.rivers.saved_levels import SavedLevels
from ..numerics.arrays import small_ufunc_buffer
from ..numerics.progress import Cancel, LayerProgress, Progress, never_cancelled, no_progress, poll
from ..recipe.recipe import Recipe
from .cache import Cache
from .layer_step import LayerStack, LayerStep, Run
from .layer_times import LayerTimes
from .solution import KnownParts, Solution
from .stack import check_repeats, step_of

CHECKPOINT = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{12}")
"""Names of the folders for unfinished parts: their key, and that of the versions."""


@small_ufunc_buffer()
def solve(
    recipe: Recipe,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Solve the parts of a recipe that depend on the whole terrain, such as its drainage.

    Parameters
    ----------
    recipe : the terrain, with the painted maps that it names
    progress : called with the share done (0 to 1) and the name of the current layer
    cancelled : polled every few milliseconds
    cache : keeps the parts for the next call
    checkpoint : folder for unfinished work, made when there is some. A call that was stopped or
        killed after minutes continues from it, if the recipe is the same, with the same result.
        :func:`remove_checkpoint` removes it once the solution is saved. Drainage of 4096 cells and
        more is kept, at its last finished grid

    Returns
    -------
    Solution : for windows of any grid; empty if no layer depends on the whole terrain

    Raises
    ------
    ValueError : heights beyond the range of float32, a map that is missing, not enough memory
    OSError : the checkpoint cannot be written
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> from terrain_addon.core import Erosion, FractalNoise, Recipe, evaluate, solve
    >>> recipe = Recipe(layers=(FractalNoise(height=100.0), Erosion(resolution="128")))
    >>> solution = solve(recipe)
    >>> window = recipe.grid(1025).window(500, 500, 64, 64)
    >>> evaluate(recipe, window, solution=solution).height.shape
    (64, 64)
    """
    check_repeats(recipe)
    cancelled, progress = cancelled or never_cancelled, progress or no_progress
    cache = Cache(limit=0) if cache is None else cache
    parts, folder = KnownParts(cache.parts, None), checkpoint and Path(checkpoint)
    run = Run(recipe, cancelled, cache, LayerTimes(), parts, folder or None)
    layers = recipe.active
    for n, layer in enumerate(layers):
        poll(cancelled)

        def share(part: float, n: int = n, name: str = layer.name) -> None:
            progress((n + part) / len(layers), name)

        share(0.0)
        step = whole_step(run, n, share)
        with np.errstate(over="ignore", invalid="ignore"):  # reported when it is evaluated
            for owner in (layer.settings, *layer.masks):
                step.solved(owner)
    progress(1.0, "")
    return Solution(run.parts.used)


def remove_checkpoint(checkpoint: str | Path) -> None:
    """Remove the unfinished work that :func:`solve` left in a folder; other files stay."""
    for folder in list(Path(checkpoint).iterdir()):
        if CHECKPOINT.fullmatch(folder.name):
            SavedLevels(folder).remove()


def whole_step(run: Run, n: int, progress: Progress = no_progress) -> LayerStep:
    """Return active layer ``n`` of a recipe, to be solved: its grid does not matter."""
    recipe = run.recipe
    stack = LayerStack.of(recipe, recipe.active, recipe.grid(2), frozenset())
    return step_of(run, stack, n, progress)
