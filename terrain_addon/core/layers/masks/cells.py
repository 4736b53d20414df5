# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by cells: a patchwork."""

from __future__ import annotations

import dataclasses

import numpy as np

from ... import noise
from ...numerics.arrays import Doubles, Floats
from ...numerics.grid import Grid
from ...settings.params import factor_param, param, seed_param, size_param
from ..context import LayerContext
from ..generate.patterns._pattern import (
    JITTER_HELP,
    Pattern,
    in_cells,
    smoothstep,
    usual_rotation,
    usual_warp_amount,
    usual_warp_octaves,
    usual_warp_size,
)
from ..periods import crossfaded
from .kind import Mask, mask


class _Patchwork(Pattern):
    """The weight of :class:`CellsMask`."""

    size: float
    low: float
    high: float
    softness: float
    jitter: float

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = in_cells(u, self.size), in_cells(v, self.size)
        number, _, border = noise.cell_borders(u, v, seed, self.jitter)
        rank = (number + np.float32(1)) / np.float32(2)
        chosen = (rank >= np.float32(self.low)) & (rank <= np.float32(self.high))
        return chosen * smoothstep(0, self.softness / 2, border)


@mask("cells", "Cells", "Act in random cells, such as fields")
class CellsMask(Mask):
    """1 in Voronoi cells whose random number lies between two others, 0 elsewhere.

    The cells are those of *Plates* and *Cracks* of the same size, seed, jitter, rotation and warp.
    """

    size: float = size_param(150.0, "Size", "Mean distance between the centers of cells")
    low: float = factor_param(0.0, "From", "Cells have random numbers: act in those from this on")
    high: float = factor_param(0.5, "To", "Act in cells whose random numbers are at most this")
    softness: float = factor_param(
        0.1, "Softness", "Width of the transition inside the border of a cell, relative to its size"
    )
    jitter: float = factor_param(1.0, "Jitter", JITTER_HELP)
    rotation: float = usual_rotation()
    warp_amount: float = usual_warp_amount()
    warp_size: float = usual_warp_size(200.0)
    warp_octaves: int = usual_warp_octaves()
    seed: int = seed_param("Seed of the cells")
    invert: bool = param(False, "Invert", "Act in the other cells instead")

    def weight(self, context: LayerContext) -> Floats:
        names = [one.name for one in dataclasses.fields(self) if one.name != "invert"]
        cells = _Patchwork(height=1.0, **{name: getattr(self, name) for name in names})

        def made(grid: Grid, rows: slice, columns: slice) -> Floats:
            return cells.apply(dataclasses.replace(context, grid=grid))

        if context.seamless:
            found = crossfaded(made, context.grid, context.size_x, context.size_y)
        else:
            found = cells.apply(context)
        return np.float32(1) - found if self.invert else found
