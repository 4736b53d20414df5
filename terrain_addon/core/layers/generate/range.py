# SPDX-License-Identifier: GPL-3.0-or-later
"""A mountain range along a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel
from ...settings.params import NOT_ZERO, factor_param, height_param, param, seed_param, size_param
from ...shapes import Shape
from ..context import LayerContext
from ..handles import Handle, length_handle
from ..kind import BEFORE_EROSION, NEARBY, LayerKind, layer
from ._drawn_line import DrawnLine, bands, bumps, divided, left_share, lines_of

NUMBER, CURVE = "number", "curve"
BALANCE = 2.2
"""Power of the mean width over that of a side, by which its foot is steeper and its crest flatter.
Rivers of a narrow side, which are steeper, would otherwise move the crest to the wide side."""
MOST = 8.0
LEAST_TOP = 1e-6
LEAST_RADIUS = 1e-3
"""Smaller radii of points count as this."""
CREST_STREAM = 401
"""Added to the seed for the noise along the crest."""


@layer("range", "Range", "A mountain range along a curve, for Erosion to carve", icon="IPO_EXPO")
class Range(LayerKind):
    """``height * (top - distance / width) ^ steepening`` on either side of a curve.

    ``top`` is 1 along the line and falls at its open ends. A lower crest is narrower too. Of
    several lines the highest counts, so that ranges join. Faces of meshes have no crest.

    Erosion takes it for uplift: its rivers carve valleys from the crest down, and the height of the
    crest follows from the strength of the erosion. The crest stays near the curve, also where one
    side is wider.
    """

    belongs = BEFORE_EROSION
    line_color = (0.45, 0.14, 0.04)
    depends_on = NEARBY  # grids agree but for rounding
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No shape yet: flat"}

    source: str = param(
        "",
        "Shape",
        "Curve, empty or collection that the crest follows; the radius of a curve's points is a "
        "factor on the widths",
        unit="shape",
    )
    crest: str = param(
        NUMBER,
        "Crest",
        "Where the height of the crest comes from",
        choices=[
            (NUMBER, "Height", "The same height all along"),
            (CURVE, "Curve", "The height of the curve's points, where they are above 0"),
        ],
    )
    height: float = height_param(
        250.0, "Height", "Height of the crest", shown_if=("crest", (NUMBER,))
    )
    left: float = size_param(
        220.0, "Width Left", "Width of the side that is on the left as the curve is drawn"
    )
    right: float = size_param(
        220.0, "Width Right", "Width of the side that is on the right as the curve is drawn"
    )
    steepening: float = param(
        1.5,
        "Steepening",
        "1 gives straight slopes; more flattens the foot and steepens the crest",
        min=0.2,
        max=8.0,
        soft_min=0.5,
        soft_max=4.0,
    )
    taper: float = factor_param(
        0.3, "Ends", "Share of the curve over which either end of it falls", max=0.5
    )
    roughness: float = factor_param(
        0.35, "Roughness", "Strength of the noise on the crest and on the slopes"
    )
    size: float = size_param(
        200.0, "Size", "Size of the largest bumps", shown_if=("roughness", NOT_ZERO)
    )
    seed: int = seed_param("Seed of the roughness", shown_if=("roughness", NOT_ZERO))

    @property
    def reads_shape_heights(self) -> bool:
        return self.crest == CURVE

    def apply(self, context: LayerContext) -> Floats:
        width = min(self.left, self.right)
        lines = list(lines_of(context.shape_named(self.source), width))
        highest = self.highest(lines)
        if not highest:
            context.poll()
            return context.zeros()
        crests = [self.crest_of(*line, highest) for line in lines]
        rise = np.empty(context.grid.shape, np.float32)
        for rows, band in bands(context):
            rise[rows] = -self.roughness
            for crest in crests:
                self._raise(rise[rows], crest, band, context.cancelled)
        return self._mountains(rise, highest, context)

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        lines = [*shapes[self.source].curves()] if self.source in shapes else []
        lengths = [_plan_length(points) for points, _ in lines]
        if not max(lengths, default=0.0):
            return ()
        points = lines[int(np.argmax(lengths))][0]
        (x, y, radius), (dx, dy) = _half_way(points)
        return tuple(
            length_handle(
                label, name, value, (x, y), (-side * dy, side * dx), scale=max(radius, LEAST_RADIUS)
            )
            for label, name, value, side in (
                ("Width Left", "left", self.left, 1),
                ("Width Right", "right", self.right, -1),
            )
        )

    def _mountains(self, rise: Floats, highest: float, context: LayerContext) -> Floats:
        """Return the heights of shares of the way up, which become uneven except on the crest."""
        uneven, peaks = (
            bumps(context, self.size, self.seed + stream) if self.roughness else None
            for stream in (0, CREST_STREAM)
        )
        for rows in context.row_bands():
            part = rise[rows].astype(np.float64)
            if uneven is not None:
                part += self.roughness * uneven[rows] * (1 - np.clip(part, 0, 1))
            part = highest * np.maximum(part, 0) ** self.steepening
            if peaks is not None:
                part *= 1 + self.roughness * peaks[rows]
            rise[rows] = part
        return rise

    def highest(self, lines: Sequence[tuple[Doubles, bool]]) -> float:
        """Return the height of the highest crest in meters; 0 without one."""
        if self.crest == NUMBER:
            return self.height if lines else 0.0
        return max((max(float(points[:, 2].max()), 0.0) for points, _ in lines), default=0.0)

    def crest_of(self, points: Doubles, closed: bool, highest: float) -> DrawnLine:
        """Return a line with its share of the height of the highest crest, and the factor on
        widths."""
        every, tops = divided(points, 0.0 if closed else self.taper, (self.left + self.right) / 2)
        if self.crest == CURVE:
            tops *= (np.maximum(every[:, 2], 0) / highest) ** (1 / self.steepening)
        values = np.column_stack([tops, np.maximum(every[:, 3], LEAST_RADIUS)])
        reach = max(self.left, self.right) * float(values[:, 1].max()) * (1 + self.roughness)
        return DrawnLine.of(points, closed, every[:, :2], values, reach)

    def _raise(self, rise: Floats, crest: DrawnLine, grid: Grid, cancelled: Cancel) -> None:
        """Raise shares of the way up, (ny, nx), to those of a crest where they are lower."""
        around = crest.around(grid, cancelled)
        if around is None:
            return
        where, found, (top, radius) = around
        left, right = self.left, self.right
        width = right if left == right else right + (left - right) * left_share(found)
        own: Doubles = top - found.distance / (width * radius)
        if left != right:
            balance = np.clip(((left + right) / (2 * width)) ** BALANCE, 1 / MOST, MOST)
            way = np.maximum(own, 0) / np.maximum(top, LEAST_TOP)
            own = np.where(own > 0, top * balance * way / (1 + (balance - 1) * way), own)
        np.maximum(rise[where], own, out=rise[where], casting="same_kind")


def _plan_length(points: Doubles) -> float:
    """Return the length of a line in plan, in meters."""
    steps: Doubles = np.diff(points[:, :2], axis=0)
    lengths: Doubles = np.hypot(steps[:, 0], steps[:, 1])
    return float(lengths.sum())


def _half_way(points: Doubles) -> tuple[tuple[float, float, float], tuple[float, float]]:
    """Return x, y and radius half-way along a line that has a length, and its direction there."""
    steps: Doubles = np.diff(points[:, :2], axis=0)
    lengths: Doubles = np.hypot(steps[:, 0], steps[:, 1])
    ends: Doubles = np.cumsum(lengths)
    half = float(ends[-1]) / 2
    part = int(np.searchsorted(ends, half))
    share = 1 - (float(ends[part]) - half) / float(lengths[part])
    between: Doubles = points[part] + share * (points[part + 1] - points[part])
    x, y, _, radius = between.tolist()
    dx, dy = (steps[part] / lengths[part]).tolist()
    return (x, y, radius), (dx, dy)
