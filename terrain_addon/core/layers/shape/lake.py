# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes: basins inside closed curves and around points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ... import noise
from ...earthworks import Areas, Batter, LevelAreas, closed, fixed_grid, ground_at, outlet_path
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.grid import Grid
from ...settings.params import (
    angle_param,
    factor_param,
    height_param,
    length_param,
    param,
    size_param,
)
from ...settings.plain_data import plain_data
from ...shapes import AREA, KeptClear, Shape, nearest
from ..context import LayerContext, SolveContext, TerrainContext
from ..kind import AT_END, SHAPE, WHOLE, LayerKind, layer

SHORE, CURVE, NUMBER = "shore", "curve", "number"
SPURS, ROUND = 0.6, 0.2
"""Size of spurs, and height of the rounding of crests, as shares of the reach of banks."""
CELLS = 256
"""Samples along the longer side of the grid on which levels and outlets are found."""


@plain_data
@dataclass(frozen=True)
class Basins:
    """The lakes of a shape, and the channels (n, 4) that they leave through: x, y, height of the
    bed, and 1; ``begins`` are the first points of each."""

    areas: LevelAreas
    channels: Doubles
    begins: Indices

    @property
    def arrays(self) -> Sequence[Doubles | Indices]:
        """Its arrays."""
        return (*self.areas.arrays, self.channels, self.begins)


@layer("lake", "Lake", "A lake inside a closed curve or around an empty", group=SHAPE,
       icon="MATFLUID")  # fmt: skip
class Lake(LayerKind):
    """A basin that fills to a level: the ground inside is carved, a rim holds the water where the
    ground beside the shore is lower, and an outlet at the level leads down to the border.

    Erosion above keeps the lake: it is made after the last Erosion layer of the stack, and its
    level is that of the shore then. Lines are closed; points and empties are round lakes. Areas
    that overlap are one lake. A lake that reaches beyond the border is open there.
    """

    drawn = AREA
    line_color = (0.0, 0.65, 0.75)
    depends_on = WHOLE
    belongs = AT_END
    blends = False
    waits_for_erosion = True
    water = "lakes"
    heights: ClassVar[tuple[str, ...]] = ()
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No curve yet: no lake"}

    source: str = param("", "Shape", "Curve along the shore, empty or collection", unit="shape")
    follow: str = param(
        SHORE,
        "Level",
        "Where the level of the water comes from",
        choices=[
            (SHORE, "Lowest Shore", "The lowest ground along the shore: little need for a rim"),
            (CURVE, "Curve", "The mean height of the curve's points, or the height of an empty"),
            (NUMBER, "Number", "The same height for all"),
        ],
    )
    elevation: float = height_param(
        0.0, "Elevation", "Height of the water", shown_if=("follow", (NUMBER,))
    )
    depth: float = length_param(8.0, "Depth", "Depth far from the shore", soft_max=100.0)
    radius: float = size_param(
        60.0, "Radius", "Of lakes around points, times their radius or the scale of an empty"
    )
    shore: float = angle_param(
        15.0, "Shore", "Slope of the bed at the shore; it levels out at its depth", max=60.0,
        soft_min=2.0,
    )  # fmt: skip
    bank: float = angle_param(
        25.0, "Banks", "Slope of the ground that is cut above the water", max=80.0, soft_min=5.0
    )
    roughness: float = factor_param(
        0.6, "Roughness", "Spurs of the banks, and how round their crests are"
    )
    rim: float = size_param(
        12.0,
        "Rim",
        "Width of the rim where the ground is lower, and of the outlet: at least two vertices",
    )
    fill: float = angle_param(
        30.0, "Fill Angle", "Slope of the rim down to the ground", max=60.0, soft_min=5.0,
        advanced=True,
    )  # fmt: skip
    freeboard: float = length_param(
        0.5, "Freeboard", "Height of the rim above the water", soft_max=5.0, advanced=True
    )
    reach: float = length_param(
        150.0,
        "Reach",
        "Largest distance from the shore that is cut or filled: slopes steepen before it",
        soft_max=1000.0,
        advanced=True,
    )

    @property
    def reads_shape_heights(self) -> bool:
        return self.follow == CURVE

    def kept_clear(self, shapes: Mapping[str, Shape]) -> Sequence[KeptClear]:
        shape = shapes.get(self.source)
        return () if shape is None else (KeptClear(self._shape(shape)),)

    @property
    def cannot_repeat(self) -> str:
        return "a drawn lake ends at the border" if self.source else ""

    def solve(self, context: SolveContext) -> Basins | None:
        if not self.source:
            return None
        inputs = ("lake", self.source, self.follow, self.elevation, self.depth, self.radius)
        banks = (self.shore, self.bank, self.roughness, self.rim, self.fill, self.freeboard)
        return context.part((*inputs, *banks, self.reach), lambda: self._found(context))

    def _found(self, context: SolveContext) -> Basins:
        areas = Areas.of(self._shape(context.shape_named(self.source)), 0.0, context.cancelled)
        extent = context.size_x, context.size_y
        grid = fixed_grid(*extent, max(extent) / CELLS)
        if not len(areas):
            none = LevelAreas(areas.number, np.empty(0))
            return Basins(none, np.empty((0, 4)), np.empty(0, np.intp))
        ground = context.heights_below(grid)
        level = self._levels(areas, grid, ground)
        carved = self._carve(ground.copy(), grid, areas, level, context)
        paths = [
            outlet_path(carved, grid, areas, area, float(level[area]), context.cancelled)
            for area in range(len(areas))
        ]
        begins = np.cumsum([0, *map(len, paths)], dtype=np.intp)[:-1]
        return Basins(LevelAreas(areas.number, level), np.concatenate(paths), begins)

    def _shape(self, shape: Shape) -> Shape:
        return closed(shape, self.radius)

    def _levels(self, areas: Areas, grid: Grid, ground: Floats) -> Doubles:
        if self.follow == NUMBER:
            return np.full(len(areas), self.elevation)
        if self.follow == CURVE:
            return np.array([areas.own_level(area) for area in range(len(areas))])

        def part(window: Grid) -> Floats:
            rows, columns = window.j0 - grid.j0, window.i0 - grid.i0
            return ground[rows : rows + window.ny, columns : columns + window.nx]

        found: list[float] = []
        for area in range(len(areas)):
            x, y = areas.along_border(area, min(grid.dx, grid.dy))
            found.append(float(ground_at(part, grid, x, y).min()))
        return np.array(found)

    def apply(self, context: LayerContext) -> Floats:
        out = context.height.copy()
        found: Basins | None = context.solved
        if found is None:
            return out
        shape = self._shape(context.shape_named(self.source))
        areas = Areas(shape, found.areas.number)
        self._carve(out, context.grid, areas, found.areas.level, context)
        for points in np.split(found.channels, found.begins[1:]):
            if len(points):
                self._dig(out, context, points)
        return out

    def _carve(
        self, out: Floats, grid: Grid, areas: Areas, level: Doubles, context: TerrainContext
    ) -> Floats:
        """Make basins in heights."""
        slope, bank, fill = (
            math.tan(math.radians(max(one, 1.0))) for one in (self.shore, self.bank, self.fill)
        )
        inward = 2 * self.depth / slope
        rim = self._rim(grid)
        reach = max(inward, rim + self.reach)
        for area, part, place in areas.windows(grid, reach):
            away = areas.beyond(area, part, reach, context.cancelled)
            inside, outside = np.maximum(-away, 0), np.maximum(away, 0)
            # A parabola from the slope at the shore to the depth.
            rest = np.maximum(1 - inside / max(inward, 1e-9), 0)
            rise = Batter(bank, self.reach).rise(outside) * self._spurs(part, context)
            bed = self.depth * (1 - rest * rest)
            lowest = np.minimum(bank * outside, self.freeboard) - max(fill, slope) * inside
            lowest -= Batter(fill, self.reach).rise(outside - rim)
            below = out[place]
            short = np.clip(level[area] - below, 0, self.freeboard)
            lowest = level[area] + np.minimum(lowest, short)
            cut = self._rounded(level[area] + rise - bed, below, rise)
            np.maximum(cut.astype(np.float32), lowest.astype(np.float32), out=below)
        return out

    def _rim(self, grid: Grid) -> float:
        """Return the width of the rim: water passes between samples that are farther apart."""
        return max(self.rim, 2 * max(grid.dx, grid.dy))

    def _spurs(self, grid: Grid, context: TerrainContext) -> Doubles:
        """Return the factors on the rise of banks, (ny, nx)."""
        size = SPURS * max(self.reach, 1e-3)
        spurs = noise.sample_grid(
            "perlin",
            grid.x / size,
            grid.y / size,
            seed=context.seed & 0x7FFFFFFF,
            fractal="fbm",
            octaves=3,
            cancelled=context.cancelled,
        )
        return 1 + self.roughness * spurs.astype(np.float64)

    def _rounded(self, highest: Doubles, below: Floats, rise: Doubles) -> Doubles:
        """Return the ground cut to limits, with round crests, the rounder the higher above the
        water."""
        width = self.roughness * np.minimum(rise / 2, ROUND * self.reach)
        with np.errstate(invalid="ignore", divide="ignore"):
            near = np.maximum(width - np.abs(highest - below), 0)
            return np.minimum(highest, below) - np.where(near > 0, near * near / (4 * width), 0)

    def _dig(self, out: Floats, context: LayerContext, points: Doubles) -> None:
        """Cut a channel that the water leaves through."""
        line = Shape.of("Outlet", [points])
        half = self._rim(context.grid) / 2
        found = nearest(line.lines, context.grid, half + self.reach, context.cancelled)
        bank = Batter.at(max(self.bank, 1.0), self.reach)
        bed = found.value(line.line_points[:, 2]) + bank.rise(found.distance - half)
        np.minimum(out, bed.astype(np.float32), out=out)
