# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies on any terrain, computed point by point."""

from __future__ import annotations

import math

import numpy as np

from ....erosion.smoothing import smoothstep
from ....erosion.surface.gullies import WORTHWHILE, Gullies, GullyField
from ....numerics.arrays import Floats
from ....numerics.blocks import default_threads, for_each_band
from ....numerics.resample import blend_columns, blend_rows
from ....numerics.work_arrays import Scratch
from ....settings.params import (
    angle_param,
    factor_param,
    length_param,
    param,
    seed_param,
    size_param,
)
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ...maps import Map
from ._cell_means import detail_depth, without_means
from ._coarse import coarse_heights

TURNS = (1.0, 3.0)
"""Radians by which the fall line turns over the width of a gully, where gullies begin to fade and
where they end."""


@layer(
    "gullies",
    "Gullies",
    "Fine branching channels on the slopes of the terrain below",
    group=SHAPE,
    icon="MOD_NOISE",
)
class GulliesLayer(LayerKind):
    """Phasor stripes along the fall line of the terrain below; see `erosion.gullies`.

    They fade where it turns over the width of one, on edges and tops.
    """

    scale: float = size_param(
        35.0, "Scale", "Distance between the largest gullies", max=1e5, soft_min=2.0, soft_max=500.0
    )
    depth: float = length_param(
        4.0, "Depth", "Depth of the largest gullies on steep slopes", soft_max=100.0
    )
    octaves: int = param(
        3, "Octaves", "Number of gully sizes, each half as wide as the last", min=1, max=8
    )
    gain: float = factor_param(0.5, "Gain", "Depth of each size relative to the last")
    sharpness: float = param(
        0.0, "Sharpness", "Below 0 sharpens the creases, above 0 the crests", min=-1.0, max=1.0
    )
    raise_crests: float = factor_param(
        0.2, "Raise Crests", "0 only cuts into the terrain, 1 only adds crests"
    )
    slope_start: float = angle_param(
        8.0, "Slope From", "Slopes gentler than this have no gullies", max=89.0
    )
    slope_full: float = angle_param(
        35.0, "Slope Full", "Slopes steeper than this have gullies of full depth", max=89.0
    )
    guide: float = param(
        0.5,
        "Smoothing",
        "Smoothing of the terrain that the gullies follow, relative to their scale",
        min=0.1,
        max=4.0,
        soft_max=2.0,
        advanced=True,
    )
    keep_mean: float = length_param(
        0.0,
        "Keep Mean Over",
        "Spacing of the elevation data just below: the mean over each of its cells stays that of "
        "the data; 0: off",
        soft_max=200.0,
        advanced=True,
    )
    seed: int = seed_param("Seed of the gullies")

    @classmethod
    def on_data(cls, data: Map) -> GulliesLayer:
        """Return the layer that makes elevation data finer: its forms continue below its spacing.

        Raises ValueError for a map without meters.

        Examples
        --------
        >>> slope = np.add.outer(np.arange(64.0), 9 * np.sin(np.arange(64.0))).astype(np.float32)
        >>> data = Map("Data", slope, spacing=(30.0, 30.0), in_meters=True)
        >>> detail = GulliesLayer.on_data(data)
        >>> detail.scale, detail.depth, detail.keep_mean
        (45.0, 4.8, 30.0)
        """
        if not (data.in_meters and data.spacing):
            raise ValueError(f"The map {data.name!r} is no elevation data with a known spacing")
        cell = round(max(data.spacing), 2)
        return cls(
            scale=round(1.5 * cell, 2),
            depth=round(detail_depth(data.values, cell), 2),
            slope_start=3.0,
            slope_full=25.0,
            keep_mean=cell,
        )

    def apply(self, context: LayerContext) -> Floats:
        made = self._cut(context)
        if not self.keep_mean:
            return made
        return without_means(made, context, self.keep_mean, self._cut)

    def _cut(self, context: LayerContext) -> Floats:
        terrain = coarse_heights(context, self.guide * self.scale, margin=1)
        calm_lines = blend_columns(
            _calm(terrain.height, terrain.spacing, self.scale), terrain.columns
        )
        lines = blend_columns(terrain.height, terrain.columns)
        slope_lines = blend_columns(terrain.height, terrain.columns, slope=True)
        form = Gullies(
            self.scale,
            self.depth,
            self.octaves,
            self.gain,
            self.sharpness,
            self.raise_crests,
            math.tan(math.radians(self.slope_start)),
            math.tan(math.radians(self.slope_full)),
        )
        spacing = max(context.grid.dx, context.grid.dy)
        seed, stop = context.seed + self.seed, context.cancelled
        x, y, period = context.grid.x, context.grid.y, context.period
        gullies = GullyField(form, x, y, spacing, seed, stop, period=period)
        scratch = Scratch()
        out = np.empty(context.grid.shape, np.float32)
        per_meter = np.float32(1 / terrain.spacing)

        def cut(rows: slice) -> None:
            axis, height = terrain.rows.part(rows), context.height[rows]
            gx, gy, strength, spare = scratch("fields", (4, *height.shape))
            blend_rows(slope_lines, axis, out=gx, spare=spare)
            blend_rows(lines, axis, slope=True, out=gy, spare=spare)
            blend_rows(calm_lines, axis, out=strength, spare=spare)
            gx *= per_meter
            gy *= per_meter
            np.add(height, gullies.rows(rows, gx, gy, strength), out=out[rows])

        for_each_band(
            context.grid.shape,
            cut,
            threads=default_threads(),
            worthwhile=WORTHWHILE,
            progress=context.progress,
            cancelled=context.cancelled,
        )
        return out


def _calm(height: Floats, spacing: float, scale: float) -> Floats:
    """Return (h, w) float32: 1 where gullies may be, 0 where the fall line turns over their width.

    Where two slopes meet in an edge, the gullies of both would fold into slits.
    """
    gy, gx = np.gradient(height, spacing)
    slope = np.hypot(gx, gy) + np.float32(1e-6)
    turn = np.zeros_like(slope)
    for part in (gx / slope, gy / slope):
        for change in np.gradient(part, spacing):
            turn += change * change
    return 1 - smoothstep(*TURNS, np.sqrt(turn) * np.float32(scale))
