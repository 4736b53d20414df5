# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by a feature of the land below: any of its masks."""

from __future__ import annotations

from collections.abc import Callable

from ...analysis import fields
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.resample import SplineAxis, spline
from ...settings.params import meters, param
from ..context import LayerContext
from ._range import range_weight
from .kind import Mask, mask

WHOLE_CELLS = 512
"""Cells along the longer side of the terrain in which masks of the whole land are made."""


@mask(
    "field",
    label="Terrain Mask",
    help="Act only on a feature of the land below: ridges, valleys, rivers, snow and so on",
)
class FieldMask(Mask):
    """1 where a mask of the land lies between two values, fading to 0 outside of them."""

    field: str = param(
        "ridge",
        label="Feature",
        help="Where to act; some features need a layer that leaves them earlier in the list",
        choices=fields.choices(),
    )
    low: float = param(
        0.5,
        label="Low",
        help="From this value on the layer acts fully; below, it fades in",
        min=-1e7,
        max=1e7,
        soft_min=-1.0,
        soft_max=1.0,
    )
    high: float = param(
        1000.0,
        label="High",
        help="Up to this value the layer acts fully; above, it fades out",
        min=-1e7,
        max=1e7,
        soft_min=-1.0,
        soft_max=1000.0,
    )
    fade: float = param(
        0.5,
        label="Fade",
        help="Range of values over which the layer fades in below Low, and out above High",
        min=0.0,
        max=1e7,
        soft_max=1.0,
    )
    invert: bool = param(False, label="Invert", help="Act outside of the range instead")

    def unit_of(self, name: str) -> str:
        in_units_of_the_mask = name in ("low", "high", "fade")
        return fields.FIELDS[self.field].unit if in_units_of_the_mask else super().unit_of(name)

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        return fields.FIELDS[self.field].values if name == "field" else ""

    @property
    def whole(self) -> bool:
        return fields.FIELDS[self.field].whole

    def weight(self, context: LayerContext) -> Floats:
        values = context.masks.get(self.field)
        if values is None:
            values = self._derived(context)
        return range_weight(values, self.low, self.high, self.fade, self.invert, context.cancelled)

    def _derived(self, context: LayerContext) -> Floats:
        field = fields.FIELDS[self.field]
        if field.make is None:
            raise ValueError(f"No layer earlier in the list leaves the mask {field.label!r}")
        radius = fields.radius_of(context.size_x, context.size_y)
        if not field.whole:
            return fields.derive(
                self.field, context.height, context.grid, radius, context.cancelled
            )
        # Of the whole land at one resolution, so that all windows and previews agree.
        grid = Grid.cells(context.size_x, context.size_y, WHOLE_CELLS)
        values = fields.derive(
            self.field, context.heights_below(grid), grid, radius, context.cancelled
        )
        rows = SplineAxis.at((context.grid.y - grid.y[0]) / grid.dy, grid.ny)
        columns = SplineAxis.at((context.grid.x - grid.x[0]) / grid.dx, grid.nx)
        return spline(values, rows, columns, context.cancelled)

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return fields.reach(self.field, dx, dy, radius)
