# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by any field of the terrain below."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...analysis import fields
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.resample import SplineAxis, spline
from ...settings.params import meters, param
from ..context import LayerContext
from ._range import RangeMask, fade_param, high_param, low_param
from .kind import mask

WHOLE_CELLS = 512
"""Cells along the longer side in which fields that depend on the whole terrain are computed."""


@mask(
    "field",
    "Terrain Mask",
    "Act only where a field of the terrain below is in a range: ridges, rivers, snow, ...",
)
class FieldMask(RangeMask):
    """1 where a field lies between two values, fading to 0 outside."""

    field: str = param(
        "ridge",
        "Field",
        "Field to act on; some need a layer earlier in the list that produces them",
        choices=fields.choices(),
    )
    low: float = low_param(0.5, "value", min=-1e7, max=1e7, soft_min=-1.0, soft_max=1.0)
    high: float = high_param(1000.0, "value", min=-1e7, max=1e7, soft_min=-1.0, soft_max=1.0)
    fade: float = fade_param(0.5, "Range of values", max=1e7, soft_max=1.0)

    def unit_of(self, name: str) -> str:
        own = name in ("low", "high", "fade")
        return fields.FIELDS[self.field].unit if own else super().unit_of(name)

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        return fields.FIELDS[self.field].values if name == "field" else ""

    @property
    def reads(self) -> tuple[str, ...]:
        return (self.field,)

    @property
    def selects(self) -> str:
        return self.field

    def within(self, low: float, high: float) -> Mapping[str, float]:
        """The upper half of the range: where the field is, not where it is absent."""
        middle = (low + high) / 2
        return {"low": middle, "high": high, "fade": middle - low}

    @property
    def whole(self) -> bool:
        return fields.FIELDS[self.field].whole

    def values(self, context: LayerContext) -> Floats:
        produced = context.fields.get(self.field)
        return self._derived(context) if produced is None else produced

    def _derived(self, context: LayerContext) -> Floats:
        field, cancelled = fields.FIELDS[self.field], context.cancelled
        if field.make is None:
            raise ValueError(f"No layer earlier in the list produces the field {field.label!r}")
        radius = fields.radius_of(context.size_x, context.size_y)
        if not field.whole:
            return fields.derive(self.field, context.height, context.grid, radius, cancelled)
        # One resolution for the whole terrain, so that all windows and previews agree.
        grid = Grid.cells(context.size_x, context.size_y, WHOLE_CELLS)
        values = fields.derive(self.field, context.heights_below(grid), grid, radius, cancelled)
        rows = SplineAxis.at((context.grid.y - grid.y[0]) / grid.dy, grid.ny)
        columns = SplineAxis.at((context.grid.x - grid.x[0]) / grid.dx, grid.nx)
        return spline(values, rows, columns, cancelled)

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return fields.reach(self.field, dx, dy, radius)
