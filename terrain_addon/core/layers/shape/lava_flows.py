# SPDX-License-Identifier: GPL-3.0-or-later
"""Lava flows over the terrain below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ... import noise
from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import even_parts
from ...numerics.grid import Grid
from ...numerics.resample import SplineAxis, spline
from ...settings.params import factor_param, length_param, param, seed_param, size_param
from ...shapes.nearest import Nearest, nearest
from ...shapes.segments import Segments
from ..context import SIDE, LayerContext, SolveContext
from ..handles import Handle, center_handle
from ..kind import SHAPE, WHOLE, LayerKind, layer
from ._lava_paths import Eruption, LavaPaths, lava_paths

CELLS = 256
"""Cells along the longer side of the grid on which flows find their way."""
MARGIN = 1.8
"""Distance of the farthest lobe from the center line, in half widths."""
LEVEE, LEVEE_WIDTH = 0.78, 0.13
"""Place of the crest of a levee, and its width, in half widths."""
CHANNEL = 0.55
"""How far the channel reaches from the center line."""
BURIED = 0.5
"""Share of the full thickness from which lava hides the relief of its ground."""
RIDGES, BOW = 0.9, 0.7
"""Distance of pressure ridges, and how far their middles are ahead, in half widths."""


@layer(
    "lava_flows",
    "Lava Flows",
    "Tongues of lava that run downhill, with levees, pressure ridges and lobed fronts",
    group=SHAPE,
    icon="MOD_FLUID",
)
class LavaFlows(LayerKind):
    """Lava flows from vents down the terrain below; produces the field "lava", 0 to 1.

    A flow of this kind keeps its thickness on a slope, because lava has a yield strength. It stands
    still at its margins first, which makes levees with a channel between, and its front is a steep
    lobe (Hulme 1974). Crusts are pushed into ridges across the flow, bowed downstream (Fink and
    Fletcher 1978).
    """

    depends_on = WHOLE
    produces = ("lava",)
    heights = ("thickness",)

    thickness: float = length_param(
        12.0, "Thickness", "Thickness of the largest flow at its front", soft_max=100.0
    )
    length: float = size_param(600.0, "Length", "Length of the longest flow", soft_max=10_000.0)
    width: float = size_param(
        90.0, "Width", "Width of the largest flow near its front", soft_max=1000.0
    )
    vents: int = param(1, "Vents", "Number of places where lava comes out", min=1, max=64)
    flows: int = param(3, "Flows per Vent", "Flows from each vent", min=1, max=16, soft_max=8)
    center_x: float = param(0.0, "Center X", "Center of the vents along X", unit="m")
    center_y: float = param(0.0, "Center Y", "Center of the vents along Y", unit="m")
    spread: float = length_param(
        100.0,
        "Spread",
        "Distance from the center up to which vents lie, mostly on high ground",
        soft_max=5000.0,
    )
    levees: float = factor_param(
        0.35, "Levees", "Height of the levees above the channel, relative to the thickness"
    )
    roughness: float = factor_param(
        0.5, "Roughness", "Lobes of the margins, pressure ridges and blocks"
    )
    seed: int = seed_param("Seed of the vents and flows")

    @property
    def cannot_repeat(self) -> str:
        return "lava flows end at the border"

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        return {"lava": (0.0, 0.3)}

    def handles(self, size_x: float, size_y: float, shapes: Mapping[str, object]) -> list[Handle]:
        return [center_handle(self.center_x, self.center_y)]

    def solve(self, context: SolveContext) -> LavaPaths:
        places = self.center_x, self.center_y, self.spread
        inputs = (*places, self.vents, self.flows, self.length, self.width, self.thickness)

        def found() -> LavaPaths:
            grid = Grid.cells(context.size_x, context.size_y, CELLS)
            eruption = Eruption(
                self.vents, self.flows, places[:2], self.spread, self.length, self.width / 2,
                self.thickness, context.seed + self.seed,
            )  # fmt: skip
            return lava_paths(context.heights_below(grid), grid, eruption, context.cancelled)

        paths: LavaPaths = context.part((*inputs, self.seed), found)
        return paths

    def apply(self, context: LayerContext) -> Floats:
        paths: LavaPaths = context.solved
        thick = context.zeros()
        bends, blocks = self._noise(context, 1.3, 4, 1), self._noise(context, 0.45, 5, 2)
        for line, half, length in paths.flows():
            reach = MARGIN * float(half.max())
            for rows, columns in _squares(context.grid, line, reach):
                context.poll()
                window = context.grid.window(
                    columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start
                )
                found = nearest(line, window, reach, context.cancelled)
                if not np.isfinite(found.distance).any():
                    continue
                own = self._flow(found, half, length, bends[rows, columns], blocks[rows, columns])
                # Where a flow lies on another one, both are thinner.
                part = thick[rows, columns]
                part[...] = np.maximum(part, own) + np.float32(0.3) * np.minimum(part, own)
        return self._laid_on(context, paths, thick)

    def _noise(self, context: LayerContext, size: float, octaves: int, stream: int) -> Floats:
        """Return noise on the context's grid, with bumps up to a size in widths of the flow."""
        size *= self.width
        return noise.sample_grid(
            "perlin",
            context.grid.across / size,
            context.grid.along / size,
            seed=context.seed + self.seed + stream,
            fractal="fbm",
            octaves=octaves,
            cancelled=context.cancelled,
        )

    def _flow(
        self, found: Nearest, half: Doubles, length: float, bends: Floats, blocks: Floats
    ) -> Floats:
        """Return the thickness of a flow, relative to the largest."""
        width = np.maximum(found.value(half), 1e-9)
        q = found.distance / width
        near = np.isfinite(q)
        q = np.where(near, q, 9.0).astype(np.float32)
        q *= 1 + np.float32(0.9 * self.roughness) * bends
        share = (found.parameter() / length).astype(np.float32)
        # Margins are as steep as a parabola's; the middle is nearly flat.
        body = np.sqrt(np.maximum(1 - q * q * q, 0)) * (np.float32(0.55) + np.float32(0.45) * share)
        away = (q - np.float32(LEVEE)) / np.float32(LEVEE_WIDTH)
        open_ = np.clip((np.float32(0.85) - share) / np.float32(0.2), 0, 1)
        sunk = np.clip((np.float32(LEVEE) - q) / np.float32(LEVEE - CHANNEL), 0, 1)
        sunk *= sunk * (3 - 2 * sunk)
        levee = np.float32(0.3) * np.exp(-away * away) - np.float32(0.7) * sunk
        body *= 1 + np.float32(self.levees) * open_ * levee
        turns = (found.parameter() / width - BOW * (1 - np.minimum(q, 1) ** 2)) / RIDGES
        ridges = np.cos(2 * np.pi * turns + 2 * bends).astype(np.float32) * (1 - np.minimum(q, 1))
        rough = np.float32(0.1) * ridges + np.float32(0.22) * blocks
        return np.asarray(body * (1 + np.float32(self.roughness) * rough), np.float32)

    def _laid_on(self, context: LayerContext, paths: LavaPaths, thick: Floats) -> Floats:
        """Return the heights with lava of that thickness, and leave the field."""
        if context.needs("lava"):
            context.produced["lava"] = np.clip(thick / np.float32(0.5), 0, 1)
        if not paths.starts.size:
            return context.height.copy()
        solved, grid = Grid.cells(context.size_x, context.size_y, CELLS), context.grid
        rows = SplineAxis.at((grid.y - solved.y0) / solved.dy, solved.ny)
        columns = SplineAxis.at((grid.x - solved.x0) / solved.dx, solved.nx)
        smooth = spline(paths.ground, rows, columns, context.cancelled)
        hidden = np.clip(thick / np.float32(BURIED), 0, 1)
        hidden *= hidden * (3 - 2 * hidden)
        # Lava fills hollows first, up to its thickness.
        most = np.float32(self.thickness)
        level = np.clip(smooth - context.height, -most, most) * (hidden * np.float32(0.8))
        return np.asarray(context.height + level + most * thick, np.float32)


def _squares(grid: Grid, line: Segments, reach: float) -> Iterator[tuple[slice, slice]]:
    """Yield rows and columns of the samples that may lie within reach of a line."""
    ends = np.concatenate([line.start, line.end])
    low, high = ends.min(axis=0) - reach, ends.max(axis=0) + reach
    top, bottom = np.searchsorted(grid.y, (low[1], high[1])).tolist()
    left, right = np.searchsorted(grid.x, (low[0], high[0])).tolist()
    for rows in even_parts(bottom - top, SIDE):
        for columns in even_parts(right - left, SIDE):
            yield (
                slice(top + rows.start, top + rows.stop),
                slice(left + columns.start, left + columns.stop),
            )
