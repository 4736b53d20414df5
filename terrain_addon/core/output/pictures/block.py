# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of a terrain: a block, seen from above its southern side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...evaluation.cache import Cache
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Cancel, LayerProgress
from ...numerics.srgb import encoded, linear
from ...recipe.recipe import Recipe, Water
from ..coloring import evaluate_colored
from .light import lit

SIDE = 192
"""Pixels of a picture each way."""
FINE = 3
"""Rays per pixel each way, and points of the terrain per pixel along its longer side."""
ELEVATION = np.radians(47.0)
"""Of the camera above the horizon."""
PERSPECTIVE = 0.3
"""How much farther away the back of a square block is than its front, relative to the front."""
MARGIN = 0.02
"""Free border, as a share of the picture."""
EXAGGERATION = 1.4
LEAST_RELIEF, MOST_RELIEF = 0.12, 0.4
"""Limits of the height drawn, as shares of the longer side: plains and towers stay readable."""
BASE = 0.06
"""Height of the block below the lowest point, as a share of the longer side."""
SEA, SHALLOW, EARTH = linear("#1F4E79"), linear("#4FA3B5"), linear("#6E5B4B")
CLEAR_DEPTH = 0.05
"""Depth at which the ground below the water is hidden, as a share of the relief."""

Bytes = NDArray[np.uint8]


def terrain_picture(
    recipe: Recipe,
    side: int = SIDE,
    cache: Cache | None = None,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Bytes:
    """Return a small picture of the terrain of a recipe: sRGB and alpha, the first row on top.

    Parameters
    ----------
    recipe : with the maps that its layers refer to
    side : pixels of the picture each way; the block is drawn in its middle, on nothing
    cache, progress, cancelled : as for :func:`~.stack.evaluate`

    Returns
    -------
    (side, side, 4) uint8

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> image = terrain_picture(presets.load("crater_field"), side=32)
    >>> image.shape, int(image[0, 0, 3]), int(image[20, 16, 3])
    ((32, 32, 4), 0, 255)
    """
    grid = recipe.grid(side * FINE)
    terrain, coloring = evaluate_colored(
        recipe, grid, progress=progress, cancelled=cancelled, cache=cache
    )
    block = _Block.of(terrain.height, coloring.colors, grid.dx, grid.dy, recipe.water)
    return _reduced(block.seen(side * FINE))


@dataclass(frozen=True)
class _Block:
    """Heights above the block's base, lit linear colors, and the extent; the longer side is 1."""

    height: Floats
    color: Floats
    width: float
    depth: float

    @classmethod
    def of(cls, height: Floats, colors: Floats, dx: float, dy: float, water: Water) -> _Block:
        ny, nx = height.shape
        longer = max(dx * (nx - 1), dy * (ny - 1))
        relief = float(np.ptp(height)) or 1.0
        drawn = np.clip(EXAGGERATION * relief / longer, LEAST_RELIEF, MOST_RELIEF) * longer / relief
        color = lit(colors[..., :3], height * np.float32(drawn), dx, dy)
        if water.show:
            deep = np.clip((water.level - height) / (CLEAR_DEPTH * relief), 0, 1)[..., None]
            sea = SHALLOW[:3] + (SEA - SHALLOW)[:3] * deep
            clear = np.where(deep > 0, 0.25 + 0.75 * deep, 0)
            color += (sea - color) * clear
            height = np.maximum(height, np.float32(water.level))
        raised = (height - height.min()) * np.float32(drawn / longer) + np.float32(BASE)
        return cls(raised, color, dx * (nx - 1) / longer, dy * (ny - 1) / longer)

    def seen(self, side: int) -> Floats:
        """Return linear RGBA (side, side, 4) of what a camera sees, not premultiplied."""
        ny, nx = self.height.shape
        behind = np.linspace(0, self.depth, ny)
        scale = 1 / (1 + PERSPECTIVE * behind)
        # Where the ground of each row of points appears above the front edge: in units of the
        # width, rows farther away are smaller and closer together.
        ground = np.sin(ELEVATION) * np.log1p(PERSPECTIVE * behind) / PERSPECTIVE
        columns = (np.arange(side) + 0.5) / side - 0.5
        across = columns[None] * (1 + 2 * MARGIN) / scale[:, None] / self.width + 0.5
        index = np.clip((across * nx).astype(np.intp), 0, nx - 1)
        height = np.take_along_axis(self.height, index, 1)
        top = ground[:, None] + height * (np.cos(ELEVATION) * scale)[:, None]
        top[(across < 0) | (across > 1)] = -1.0
        return self._drawn(top, index, side)

    def _drawn(self, top: Doubles, index: Indices, side: int) -> Floats:
        """Return the picture, given where on the screen each point appears; rows from front to
        back."""
        visible = np.maximum.accumulate(top, axis=0)
        low, high = 0.0, float(visible.max())
        middle = (low + high) / 2
        lines = middle + (0.5 - (np.arange(side) + 0.5) / side) * (1 + 2 * MARGIN)
        row = _first_at_least(visible, lines)
        hit = (row < len(top)) & (lines >= low)[:, None]
        row = np.minimum(row, len(top) - 1)
        out = np.zeros((side, side, 4), np.float32)
        out[..., :3] = self.color[row, np.take_along_axis(index, row, 0)]
        front = hit & (row == 0)
        shade = np.clip(lines / max(float(top[0].max()), 1e-6), 0, 1)[:, None, None]
        cut = EARTH[:3] * (0.35 + 0.4 * shade)
        out[..., :3] = np.where(front[..., None], cut, out[..., :3])
        out[..., 3] = hit
        return out


def _first_at_least(rising: Doubles, lines: Doubles) -> Indices:
    """Return, for each line and column, the first row of a rising column that reaches the line."""
    rows, columns = rising.shape
    # Columns one above the other form one rising sequence, which is searched at once.
    apart = float(np.ptp(lines)) + float(rising.max() - rising.min()) + 2.0
    steps: Doubles = np.arange(columns, dtype=np.float64) * apart
    sequence = (rising + steps).T.reshape(-1)
    wanted = lines[:, None] + steps
    found = np.searchsorted(sequence, wanted.reshape(-1)).reshape(len(lines), columns)
    starts = np.arange(columns, dtype=np.intp) * rows
    return np.clip(found.astype(np.intp) - starts, 0, rows)


def _reduced(fine: Floats) -> Bytes:
    """Return the means of blocks of pixels, in sRGB; colors count by their alpha."""
    side = len(fine) // FINE
    fine[..., :3] *= fine[..., 3:]
    mean = fine.reshape(side, FINE, side, FINE, 4).mean((1, 3))
    alpha = mean[..., 3:]
    color = encoded(np.clip(mean[..., :3] / np.maximum(alpha, 1e-6), 0, 1))
    return np.round(np.concatenate((color, alpha), -1) * 255).astype(np.uint8)
