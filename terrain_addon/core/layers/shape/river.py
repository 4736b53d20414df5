# SPDX-License-Identifier: GPL-3.0-or-later
"""River: a bed along a curve, which erosion above keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ... import noise
from ...erosion.rivers.drawn.course import Course, Form
from ...erosion.rivers.drawn.holding import SPUR_SIZE, SPURS
from ...erosion.rivers.drawn.on_grids import on_terrain
from ...erosion.rivers.drawn.rivers import DrawnRivers
from ...erosion.rivers.settings import VALLEYS
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...settings.params import angle_param, length_param, param, seed_param, size_param
from ...shapes import CLOSED, Shape, crosses_itself
from ..context import LayerContext, SolveContext
from ..kind import BEFORE_EROSION, SHAPE, WHOLE, LayerKind, layer

CELLS = 256
"""Cells along the longer side of the grid on which the terrain below is seen."""
CURVE, FLOW = "curve", "flow"


@layer(
    "river",
    "River",
    "A river along a curve, with its valley; erosion above it drains along the curve",
    group=SHAPE,
    icon="FORCE_FLUIDFLOW",
)
class River(LayerKind):
    """A bed along the open lines of a shape that falls all the way from the first point to the
    last, with banks and a valley. It is cut through whatever is higher ahead.

    A river that ends on land goes on as its water would: to another river, a lake, the sea or the
    border. An Erosion layer above keeps the river: water drains along it, and other valleys join
    it. Where lines cross, all the water follows the first, and the rest of the other is a river of
    its own.
    """

    depends_on = WHOLE
    belongs = BEFORE_EROSION
    blends = False
    draws_courses = True
    water = "rivers"
    line_color = (0.02, 0.25, 1.0)
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No curve yet"}
    sea_defaults: ClassVar[Mapping[str, object]] = {"sea": True}

    source: str = param(
        "", "Shape", "Curve along which the river flows, source first", unit="shape"
    )
    reverse: bool = param(False, "Reverse", "Flow from the last point to the first")
    width: float = size_param(
        8.0, "Width", "Width of the river where it is widest, times the radius of the curve"
    )
    widths: str = param(
        FLOW,
        "Varies With",
        "What the width of the river depends on",
        choices=[
            (FLOW, "Discharge", "The river widens downstream, as it collects water"),
            (CURVE, "Curve Radius", "The radius of the curve alone"),
        ],
    )
    depth: float = length_param(
        1.0, "Depth", "Depth of the bed below the banks, at full width", soft_max=20.0
    )
    floor: float = length_param(
        4.0, "Valley Floor", "Level ground on either side of the river", soft_max=200.0
    )
    side: float = angle_param(
        28.0, "Valley Sides", "Steepest slope of the sides of the valley", max=80.0, soft_min=5.0
    )
    bank: float = angle_param(
        20.0, "Banks", "Slope of the banks", max=80.0, soft_min=5.0, advanced=True
    )
    inflow: float = param(
        4.0,
        "Inflow",
        "Water that enters at the source, in drainage areas of one square of the valley spacing",
        min=0.0,
        max=1e5,
        soft_max=50.0,
        advanced=True,
    )
    sea: bool = param(
        False, "Sea", "Ground below the water level is sea: rivers end there", advanced=True
    )
    seed: int = seed_param("Seed of the spurs of the valley sides")

    @property
    def cannot_repeat(self) -> str:
        return "a drawn river ends at the border" if self.source else ""

    @property
    def reads_water_level(self) -> bool:
        return self.sea

    @property
    def reads_shape_heights(self) -> bool:
        return False

    def fault_in(self, shape: Shape, size_x: float, size_y: float) -> str:
        if len(shape.kinds) and (shape.kinds == CLOSED).all():
            return "The curve is closed: a river needs a source and a mouth. Open it (Alt+C)"
        if len(shape.points) and not Course.all_of(shape, self.form):
            return "A river needs two points or more: draw its line"
        if crosses_itself(shape):
            return "The line crosses itself: the river leaves out the loop. Move its points apart"
        return super().fault_in(shape, size_x, size_y)

    @property
    def form(self) -> Form:
        """Its form, for courses."""
        bank, side = (math.tan(math.radians(max(one, 1.0))) for one in (self.bank, self.side))
        return Form(
            self.width, self.widths == FLOW, self.depth, bank, side, self.floor, self.inflow
        )

    def courses(self, shapes: Mapping[str, Shape]) -> Sequence[Course]:
        shape = shapes.get(self.source)
        if shape is None:
            return ()
        return Course.all_of(shape, self.form, reverse=self.reverse)

    def solve(self, context: SolveContext) -> DrawnRivers:
        def found() -> DrawnRivers:
            grid = Grid.cells(context.size_x, context.size_y, CELLS)
            courses = self.courses(context.shapes)
            terrain = context.heights_below(grid) if courses else np.zeros(grid.shape, np.float32)
            unit = max(context.size_x, context.size_y) / VALLEYS
            sea = context.water_level if self.sea else None
            return on_terrain(courses, terrain, grid, unit, sea, context.cancelled)

        inputs = (self.source, self.reverse, self.width, self.widths, self.depth, self.sea)
        return context.part((*inputs, self.floor, self.side, self.bank, self.inflow), found)

    def apply(self, context: LayerContext) -> Floats:
        rivers: DrawnRivers = context.solved
        grid = context.grid
        unit = max(context.size_x, context.size_y) / VALLEYS
        spurs = noise.sample_grid(
            "perlin",
            grid.x / (SPUR_SIZE * unit),
            grid.y / (SPUR_SIZE * unit),
            seed=(context.seed + self.seed) & 0x7FFFFFFF,
            cancelled=context.cancelled,
        )
        spurs *= np.float32(2 * SPURS * unit)
        return rivers.cut_into(context.height, grid, spurs, context.cancelled)
