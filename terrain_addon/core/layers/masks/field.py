# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by any field of the terrain below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...analysis import fields, habitat
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel
from ...numerics.resample import SplineAxis, spline
from ...settings.params import meters, param
from ...settings.plain_data import plain_data
from ..context import LayerContext, SolveContext
from ._range import RangeMask, fade_param, high_param, low_param
from .kind import mask

WHOLE_CELLS = 512
"""Cells along the longer side in which fields that depend on the whole terrain are computed."""


@plain_data
@dataclass(frozen=True)
class FieldGrid:
    """A field of the whole terrain on a grid of fixed resolution: ``values`` (ny, nx) float32."""

    grid: Grid
    values: Floats

    @property
    def arrays(self) -> list[Floats]:
        """Its arrays."""
        return [self.values]

    def sample(self, grid: Grid, cancelled: Cancel | None = None) -> Floats:
        """Return the field at the points of another grid, (ny, nx) float32."""
        rows = SplineAxis.at((grid.y - self.grid.y[0]) / self.grid.dy, self.grid.ny)
        columns = SplineAxis.at((grid.x - self.grid.x[0]) / self.grid.dx, self.grid.nx)
        return spline(self.values, rows, columns, cancelled)


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
        """Return the upper half of the range: where the field is, not where it is absent."""
        middle = (low + high) / 2
        return {"low": middle, "high": high, "fade": middle - low}

    @property
    def whole(self) -> bool:
        return fields.FIELDS[self.field].is_far

    @property
    def reads_habitat(self) -> bool:
        return fields.FIELDS[self.field].habitat is not None

    def solve(self, context: SolveContext) -> FieldGrid:
        if make := fields.FIELDS[self.field].habitat:
            return self._solve_habitat(context, make)

        def made() -> FieldGrid:
            # One resolution for the whole terrain, so that all windows and previews agree.
            grid = Grid.cells(context.size_x, context.size_y, WHOLE_CELLS)
            height = context.heights_below(grid)
            return FieldGrid(
                grid, fields.derive(self.field, height, grid, context.radius, context.cancelled)
            )

        return context.part(("field", self.field), made)

    def _solve_habitat(
        self, context: SolveContext, make: Callable[[habitat.Ground], Floats]
    ) -> FieldGrid:
        around = context.surroundings

        def made() -> FieldGrid:
            grid = habitat.habitat_grid(context.size_x, context.size_y)
            below = context.terrain_below(grid, habitat.FROM_LAYERS)
            ground = habitat.Ground.of(below, around, context.cancelled)
            return FieldGrid(grid, make(ground))

        return context.part(("habitat", self.field, *around.inputs), made)

    def values(self, context: LayerContext) -> Floats:
        produced = context.fields.get(self.field)
        if produced is not None:
            return produced
        field, cancelled = fields.FIELDS[self.field], context.cancelled
        if field.is_far:
            return context.solved.sample(context.grid, cancelled)
        if field.make is None:
            raise ValueError(f"No layer earlier in the list produces the field {field.label!r}")
        return fields.derive(self.field, context.height, context.grid, context.radius, cancelled)

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return fields.reach(self.field, dx, dy, radius)
