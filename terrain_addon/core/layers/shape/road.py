# SPDX-License-Identifier: GPL-3.0-or-later
"""Road: a road along a curve, with cut and fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...earthworks import (
    Batter,
    Bridges,
    Channel,
    Courses,
    Roadbed,
    bridged,
    cut_param,
    fill_param,
    fixed_grid,
    ground_at,
    lowest,
    profile,
)
from ...numerics.arrays import Doubles, Floats
from ...settings.params import factor_param, length_param, param, size_param
from ...shapes import KeptClear, Shape
from ..context import LayerContext, SolveContext
from ..kind import SHAPE, WHOLE, LayerKind, layer

TERRAIN, CURVE = "terrain", "curve"
COARSEST, FINEST = 2**8, 2**13
"""Least and most samples along the terrain between which the ground under a road is interpolated"""


@layer("road", "Road", "a road along a curve, with cut and fill", group=SHAPE, icon="CURVE_PATH")
class Road(LayerKind):
    """a road along each line of a shape: its gradient is limited, and batters join it to the
    terrain.

    Where it crosses a river that a layer below draws, it is a bridge or a culvert, and the river
    stays as it is. Roads that meet or cross share their height there, and their edges are rounded.
    The ground along the road is sampled on a grid of its own, so all resolutions have the same
    road. Produces the field "road".

    Source: the profile lies between the envelopes of the largest gradient (McShane, *Extension of
    range of functions*, 1934).
    """

    depends_on = WHOLE
    crosses_courses = True
    line_color = (1.0, 0.92, 0.75)
    produces = ("road",)
    new_defaults: ClassVar[Mapping[str, object]] = {  # roads are as wide on any terrain
        "width": 8.0,
        "shoulder": 1.5,
        "join": 5.0,
        "smooth": 30.0,
        "reach": 60.0,
    }
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No curve yet: no road"}

    source: str = param(
        "",
        "Shape",
        "Curve along which the road runs; the radius of its points is a factor on its width",
        unit="shape",
    )
    follow: str = param(
        TERRAIN,
        "Height",
        "What the height of the road follows within its gradient",
        choices=[
            (TERRAIN, "Terrain", "The terrain below, with little cut and fill"),
            (CURVE, "Curve", "The height of the curve's points"),
        ],
    )
    gradient: float = factor_param(
        0.1, "Gradient", "Largest rise of the road per meter: 0.1 is 10 m in 100 m"
    )
    smooth: float = length_param(
        30.0, "Smooth", "Distance along the road over which bumps are averaged", soft_max=200.0
    )
    width: float = size_param(8.0, "Width", "Width of the carriageway", max=1e4, soft_max=30.0)
    shoulder: float = length_param(
        1.5, "Shoulder", "Width of the strip on either side of the carriageway", soft_max=10.0
    )
    crown: float = factor_param(
        0.025,
        "Crown",
        "Mean slope from the middle of the carriageway to its sides; shoulders fall twice as much",
        max=0.5,
    )
    join: float = length_param(
        5.0,
        "Join",
        "Distance beyond the edges over which roads that meet are rounded",
        soft_max=20.0,
    )
    cut: float = cut_param()
    fill: float = fill_param()
    reach: float = length_param(
        60.0,
        "Reach",
        "Largest distance from the edge that is cut or filled: slopes steepen before it",
        soft_max=300.0,
    )

    bridges: bool = param(
        True, "Bridges", "Models of the bridges and culverts over rivers that layers below draw"
    )

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        return {"road": (0.2, 0.8)}

    @property
    def reads_shape_heights(self) -> bool:
        return self.follow == CURVE

    @property
    def shows_bridges(self) -> bool:
        return self.bridges

    def kept_clear(self, shapes: Mapping[str, Shape]) -> Sequence[KeptClear]:
        shape = shapes.get(self.source)
        return () if shape is None else (KeptClear(shape, half=self.half),)

    @property
    def half(self) -> float:
        """Meters from the center to the edge, beyond the shoulder."""
        return self.width / 2 + self.shoulder

    @property
    def margin(self) -> float:
        """Meters beyond the edge within which edges are rounded."""
        return max(self.join, self.half / 16)

    @property
    def cannot_repeat(self) -> str:
        return "a road ends at the border" if self.source else ""

    def solve(self, context: SolveContext) -> Bridges | None:
        if not self.source:
            return None
        inputs = (
            "road",
            self.follow,
            self.gradient,
            self.smooth,
            self.half,
            self.margin,
            self.reach,
        )
        return context.part(inputs, lambda: self.laid(context))

    def laid(self, context: SolveContext) -> Bridges:
        """Return the roads, at their levels, and their bridges."""
        extent = context.size_x, context.size_y
        beyond = self.reach + self.margin
        shape = context.shape_named(self.source)
        found = Courses.along(shape, self.half, self.half, *extent, beyond)
        longest = max(extent)
        spacing = min(max(self.half / 2, longest / FINEST), longest / COARSEST)
        grid = fixed_grid(*extent, spacing)

        def terrain_at(x: Doubles, y: Doubles) -> Doubles:
            return ground_at(context.heights_below, grid, x, y)

        def near(ground: Doubles) -> Doubles:
            return profile(found, ground, self.gradient, self.smooth, context.cancelled)

        ground = terrain_at(found.x, found.y) if self.follow == TERRAIN else found.level
        channels = [
            Channel(course.line, course.half_width, course.form.depth) for course in context.courses
        ]
        return bridged(found, ground, channels, terrain_at, self.gradient, near)

    def apply(self, context: LayerContext) -> Floats:
        bridges: Bridges | None = context.solved
        out = context.height.copy()
        if context.needs("road"):
            context.produced["road"] = context.zeros()
        if bridges is None or not len(bridges.ground):
            return out
        courses = bridges.on_ground
        bed = Roadbed.on(courses, context.grid, self.margin, context.cancelled)
        context.progress(0.3)
        edge = courses.level - self.drop(courses.half, courses.half)
        for sign, angle in ((1, self.cut), (-1, self.fill)):
            batter = Batter.at(angle, self.reach, self.margin)
            out *= np.float32(sign)  # a fill is a cut of the terrain upside down
            limit = lowest(
                courses.at_level(sign * edge), batter, context.grid, out, context.cancelled
            )
            limit.reshape(-1)[bed.place] -= batter.slope * bed.nearer
            np.minimum(out, limit, out=out)
            out *= np.float32(sign)
            context.progress(0.6 if sign > 0 else 0.9)
        away = bed.half + bed.beyond
        inside = bed.beyond <= 0
        road = bed.level - self.drop(away, bed.half)
        out.reshape(-1)[bed.place[inside]] = road[inside]
        out = bridges.kept_free(out, context.height, context.grid, context.cancelled)
        if context.needs("road"):
            shoulder = self.parts(bed.half)[1]
            share = (bed.half - away) / np.maximum(shoulder, 1e-3)
            context.produced["road"].reshape(-1)[bed.place] = np.clip(share, 0, 1)
        return out

    def parts(self, half: Doubles) -> tuple[Doubles, Doubles]:
        """Return half widths of the carriageway and widths of the shoulder, of roads of a half
        width."""
        carriage = half * (self.width / 2 / self.half)
        return carriage, half - carriage

    def drop(self, away: Doubles, half: Doubles) -> Doubles:
        """Return meters by which the crown falls at a distance from the center of a road of that
        half width: a parabola on the carriageway, straight on the shoulders."""
        carriage = self.parts(half)[0]
        inner = np.minimum(away, carriage)
        return self.crown * (inner * inner / np.maximum(carriage, 1e-9) + 2 * (away - inner))
