# SPDX-License-Identifier: GPL-3.0-or-later
"""Shores of the terrain below by their exposure, for the layer Smooth Coast."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .... import noise
from ....erosion.coast import Coast, shore_distance, shore_reach
from ....erosion.exposure import STEPS, Waves, exposure, passes, reach, shore_meters
from ....erosion.shores import Reworked, Shores, retreat, reworked
from ....erosion.smoothing import box
from ....erosion.stacks import Stacks
from ....numerics.arrays import Bools, Floats
from ....numerics.resample import blend_columns, blend_rows
from ...context import LayerContext
from ._coarse import Coarse, coarse_heights

CELLS = 6
"""Lattice points across the widest form of the shore."""
MOST_CELLS = 24
"""Lattice points over all that waves change inland, where this is far more."""
OCTAVES = 5


@dataclass(frozen=True)
class Lattices:
    """Where the shore is and how waves attack it, on the lattices that this takes."""

    near: Coarse
    inland: Floats
    wide: Coarse
    attack: Floats
    sand: Floats


def lattices(context: LayerContext, coast: Coast, shores: Shores, waves: Waves) -> Lattices:
    """Return the distance from the shoreline, the attack of the waves and the share of sand."""
    finest = max(shores.inland / MOST_CELLS, context.grid.dx, context.grid.dy)
    step = max(coast.width / CELLS, shores.platform / CELLS, finest)
    cells = max(1, math.ceil(shores.inland / step))
    near = coarse_heights(context, step, margin=passes(cells) + shore_reach(step, coast) + 1)
    inland = shore_meters(shore_distance(near.height, step, coast), step, cells)

    step = max(waves.fetch / STEPS, finest)
    radius = max(2, math.ceil(shores.inland / step / 2))
    wide = coarse_heights(context, step, margin=reach(waves, step, radius))
    attack, sand = _shares(wide.height - np.float32(shores.sea), step, radius, shores, waves)
    return Lattices(near, inland, wide, attack, sand)


def _shares(
    above: Floats, step: float, radius: int, shores: Shores, waves: Waves
) -> tuple[Floats, Floats]:
    """Return the attack of the waves and the share of sand, from heights above the sea."""
    exposed = exposure(above <= 0, step, waves, radius)
    near = max(1, math.ceil(max(shores.beach, shores.platform) / step))
    share = box(box((above > 0).astype(np.float32), near), near)
    # No higher than what counts as high, or a peak behind a plain would make its shore a cliff.
    capped = np.clip(above, 0, np.float32(2 * shores.cliff))
    high = box(box(capped, near), near) / np.clip(share, np.float32(1e-3), None)
    return shores.shares(exposed, high, share)


def exposed_shores(
    context: LayerContext, known: Lattices, shores: Shores, density: float, seed: int
) -> Iterator[tuple[slice, Bools, Reworked]]:
    """Yield rows of the context's grid, which of their points lie near the shore, and what the
    waves leave there."""
    stacks = Stacks.around(context.grid, 0.8 * shores.platform, seed) if density > 0 else None
    if stacks is not None:
        inland = known.near.at(known.inland, stacks.x, stacks.y)
        attack = known.wide.at(known.attack, stacks.x, stacks.y)
        width = retreat(attack, np.zeros_like(attack), shores)
        stacks = stacks.standing(inland, width, attack, density)
    inland, attack, sand = (
        blend_columns(field, coarse.columns)
        for field, coarse in (
            (known.inland, known.near),
            (known.attack, known.wide),
            (known.sand, known.wide),
        )
    )
    waver = _waver(context, shores, seed)
    for rows in context.row_bands():
        near, wide = known.near.rows.part(rows), known.wide.rows.part(rows)
        distance = blend_rows(inland, near)
        below = context.height[rows]
        # Pointwise from here on, so only for points that anything happens to.
        here = (distance > -shores.seaward) & (distance < shores.inland)
        tops = np.full_like(below, -np.inf)
        if stacks is not None:
            grid = context.grid.window(0, rows.start, context.grid.nx, rows.stop - rows.start)
            tops = stacks.heights(grid, below - np.float32(shores.sea), waver[rows])
        yield (
            rows,
            here,
            reworked(
                below[here],
                distance[here],
                blend_rows(attack, wide)[here],
                blend_rows(sand, wide)[here],
                waver[rows][here],
                tops[here],
                shores,
            ),
        )


def _waver(context: LayerContext, shores: Shores, seed: int) -> Floats:
    """Return the noise by which cliffs lie farther in or out, for the whole grid at once: each call
    has a setup cost."""
    size = max(2.2 * shores.platform, 1e-3)
    return noise.sample_grid(
        "perlin",
        context.grid.across / size,
        context.grid.along / size,
        seed=context.seed + seed,
        fractal="fbm",
        octaves=OCTAVES,
        gain=0.42,
        cancelled=context.cancelled,
    )
