# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain that is evaluated once, some rows at a time, and kept in temporary files.

Numbers of 16 bits and colors follow from the range of all heights, which is known at the end only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...analysis.fields import FIELDS, reach
from ...evaluation.by_rows import SOLVING, evaluate_by_rows
from ...evaluation.cache import Cache
from ...evaluation.heightfield import Heightfield
from ...evaluation.solving import solve
from ...evaluation.solving_fields import solve_fields
from ...evaluation.stack import layer_weight
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, no_progress
from ...recipe.recipe import Recipe

MARGIN = 1
"""Samples around the heights that are kept: slopes are central differences at borders, too."""
POINT = 4
"""Bytes of a value."""


@dataclass(frozen=True)
class Spool:
    """Heights and fields of a grid, mapped into memory.

    Attributes
    ----------
    grid : the points
    wide : (ny + 2, nx + 2) float32 heights in meters, with one sample beyond the border
    fields : (ny, nx) float32 by name, and the weights of layers by mask
    low, high : range of the heights in meters
    ranges : lowest and highest value of each
    """

    grid: Grid
    wide: Floats
    fields: Mapping[str, Floats]
    low: float
    high: float
    ranges: Mapping[str, tuple[float, float]]

    @property
    def height(self) -> Floats:
        """(ny, nx) float32 heights in meters, row 0 at the lowest y."""
        return self.wide[MARGIN:-MARGIN, MARGIN:-MARGIN]

    def window(self, columns: slice, rows: slice) -> Heightfield:
        """Return a window of the terrain with one more sample on each side."""
        nx, ny = columns.stop - columns.start, rows.stop - rows.start
        grid = self.grid.window(columns.start, rows.start, nx, ny).padded(MARGIN)
        around = (
            slice(rows.start, rows.stop + 2 * MARGIN),
            slice(columns.start, columns.stop + 2 * MARGIN),
        )
        return Heightfield(grid, np.array(self.wide[around]))


def spool(
    recipe: Recipe,
    grid: Grid,
    names: Sequence[str],
    folder: Path,
    *,
    weights: Mapping[str, int] | None = None,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Spool:
    """Evaluate a recipe, and keep its heights and some fields in files of a folder.

    Parameters
    ----------
    names : of fields
    folder : for a file or more, which the caller removes
    weights : by mask the number of the layer, from the ground up, whose weight is kept
    cache, progress, cancelled : as for :func:`~.stack.evaluate`

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`
    OSError : the files cannot be written
    """
    report = progress or no_progress
    radius = recipe.wide_radius
    margin = max([MARGIN, *(reach(name, grid.dx, grid.dy, radius) for name in names)])
    step = part_of(report, 0, SOLVING)
    solution, begin = solve(recipe, progress=step, cancelled=cancelled, cache=cache), SOLVING
    if any(FIELDS[name].whole for name in names):
        step, begin = part_of(report, SOLVING, 0.5), 0.5
        wide = grid.padded(margin)
        solution = solve_fields(recipe, wide, names, solution, progress=step, cancelled=cancelled)
    produced = [name for name in names if not FIELDS[name].make]
    bands = evaluate_by_rows(
        recipe,
        grid,
        margin=margin,
        fields=produced,
        solution=solution,
        progress=part_of(report, begin, 1.0),
        cancelled=cancelled,
    )
    weights = weights or {}
    keys = [*names, *weights]
    limits = [(math.inf, -math.inf)] * (1 + len(keys))
    paths = [folder / f"{number}.spool" for number in range(1 + len(keys))]
    files = [path.open("wb") for path in paths]
    try:
        for rows, terrain in bands:
            height = _heights(terrain, margin, first=not rows.start, last=rows.stop == grid.ny)
            files[0].write(height.data)
            around = [terrain.height, *(terrain.fields[name] for name in names)]
            planes = [plane[margin:-margin, margin:-margin] for plane in around]
            part = grid.window(0, rows.start, grid.nx, rows.stop - rows.start)
            planes += [
                layer_weight(recipe, place, part, solution=solution, cancelled=cancelled)
                for place in weights.values()
            ]
            for number, plane in enumerate(planes):
                inside = np.ascontiguousarray(plane)
                low, high = limits[number]
                limits[number] = min(low, float(inside.min())), max(high, float(inside.max()))
                if number:
                    files[number].write(inside.data)
    finally:
        for file in files:
            file.close()
    shapes = [(grid.ny + 2 * MARGIN, grid.nx + 2 * MARGIN), *([grid.shape] * len(keys))]
    wide, *fields = (
        np.memmap(path, np.float32, "r", shape=shape)
        for path, shape in zip(paths, shapes, strict=True)
    )
    known = dict(zip(keys, fields, strict=True))
    return Spool(grid, wide, known, *limits[0], dict(zip(keys, limits[1:], strict=True)))


def _heights(terrain: Heightfield, margin: int, *, first: bool, last: bool) -> Floats:
    """Return the rows of a band; only above and below the grid they have a margin of one sample."""
    extra, (ny, nx) = margin - MARGIN, terrain.grid.shape
    begin = extra if first else margin
    end = ny - (extra if last else margin)
    return np.ascontiguousarray(terrain.height[begin:end, extra : nx - extra])


def part_of(progress: LayerProgress, start: float, end: float) -> LayerProgress:
    """Progress of a step, mapped to the range from ``start`` to ``end``."""
    return lambda share, text: progress(start + (end - start) * share, text)
