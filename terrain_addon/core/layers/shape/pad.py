# SPDX-License-Identifier: GPL-3.0-or-later
"""Pads: level ground under objects and inside closed curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...earthworks import Areas, Batter, LevelAreas, cut_param, fill_param, fixed_grid, ground_at
from ...numerics.arrays import Bools, Doubles, Floats
from ...settings.params import height_param, length_param, param
from ...shapes import AREA, KeptClear, Shape
from ..context import LayerContext, SolveContext
from ..handles import Handle, length_handle, object_handle
from ..kind import SHAPE, WHOLE, LayerKind, layer

OBJECT, GROUND, NUMBER = "object", "ground", "number"
CELLS = 512
"""Samples along the terrain between which the ground under a pad is interpolated."""
SIDE = 17
"""Samples to a side of the rectangle around a pad, for the mean of the ground."""


@layer("pad", "Pad", "Level ground under objects", group=SHAPE, icon="HOME")
class Pad(LayerKind):
    """Level ground under meshes seen from above and inside closed lines, with slopes around.

    Areas that overlap, each with its margin, share one pad. Open lines and empties have none.
    """

    drawn = AREA
    line_color = (0.9, 0.6, 0.02)
    depends_on = WHOLE
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No objects yet: no pads"}

    source: str = param(
        "", "Shape", "Object, closed curve or collection on level ground", unit="shape"
    )
    follow: str = param(
        OBJECT,
        "Level",
        "Where the height of the level ground comes from",
        choices=[
            (OBJECT, "Object", "The lowest point of meshes; the mean height of a curve's points"),
            (GROUND, "Ground", "The mean height of the terrain below"),
            (NUMBER, "Number", "The same height for all"),
        ],
    )
    elevation: float = height_param(
        0.0, "Elevation", "Height of the level ground", shown_if=("follow", (NUMBER,))
    )
    margin: float = length_param(
        3.0,
        "Margin",
        "Level ground around the objects: more than the distance of vertices keeps them level",
        soft_max=30.0,
    )
    cut: float = cut_param()
    fill: float = fill_param()
    reach: float = length_param(
        60.0,
        "Reach",
        "Largest distance that is cut or filled: slopes steepen before it",
        soft_max=300.0,
    )

    @property
    def reads_shape_heights(self) -> bool:
        return self.follow == OBJECT

    def kept_clear(self, shapes: Mapping[str, Shape]) -> Sequence[KeptClear]:
        shape = shapes.get(self.source)
        return () if shape is None else (KeptClear(shape, margin=self.margin),)

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        shape = shapes.get(self.source)
        if shape is None or not len(shape.points):
            return ()
        x, y = (float(end) for end in shape.points[shape.points[:, 0].argmax(), :2])
        return (
            object_handle(shape),
            length_handle("Margin", "margin", self.margin, (x, y), (1.0, 0.0)),
            length_handle("Reach", "reach", self.reach, (x, y), (1.0, 0.0), start=self.margin),
        )

    def solve(self, context: SolveContext) -> LevelAreas | None:
        if not self.source:
            return None

        def found() -> LevelAreas:
            areas = Areas.of(context.shape_named(self.source), self.margin, context.cancelled)
            return LevelAreas(areas.number, self._levels(areas, context))

        inputs = ("pad", self.source, self.follow, self.elevation, self.margin)
        return context.part(inputs, found)

    def _levels(self, areas: Areas, context: SolveContext) -> Doubles:
        if self.follow == NUMBER:
            return np.full(len(areas), self.elevation)
        if self.follow == OBJECT:
            return np.array([areas.own_level(area) for area in range(len(areas))], np.float64)
        extent = context.size_x, context.size_y
        grid = fixed_grid(*extent, max(extent) / CELLS)
        levels = np.empty(len(areas))
        for area in range(len(areas)):
            x, y = areas.samples(area, SIDE)
            levels[area] = ground_at(context.heights_below, grid, x, y).mean()
        return levels

    def apply(self, context: LayerContext) -> Floats:
        found: LevelAreas | None = context.solved
        if found is None:
            return context.height.copy()
        areas = Areas(context.shape_named(self.source), found.number)
        cut, fill = (Batter.at(angle, self.reach) for angle in (self.cut, self.fill))
        reach = self.margin + self.reach
        highest, lowest = (
            np.full(context.grid.shape, one, np.float32) for one in (np.inf, -np.inf)
        )
        floors: list[tuple[tuple[slice, slice], Bools, float]] = []
        for area, part, place in areas.windows(context.grid, reach):
            away = areas.beyond(area, part, reach, context.cancelled) - self.margin
            level = float(found.level[area])
            up, down = level + cut.rise(away), level - fill.rise(away)
            np.minimum(highest[place], up.astype(np.float32), out=highest[place])
            np.maximum(lowest[place], down.astype(np.float32), out=lowest[place])
            floors.append((place, away <= 0, level))
        out = np.maximum(np.minimum(context.height, highest), lowest)
        for place, under, level in floors:
            out[place][under] = level
        return out
