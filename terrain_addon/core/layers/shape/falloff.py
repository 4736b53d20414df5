# SPDX-License-Identifier: GPL-3.0-or-later
"""Falloff: lower the terrain toward its border, so that it becomes an island."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import noise
from ...numerics.arrays import Doubles, Floats
from ...numerics.grid import Grid
from ...settings.params import NOT_ZERO, factor_param, height_param, param, seed_param, size_param
from ...shapes import Shape
from ..context import LayerContext
from ..handles import Handle, center_handle, length_handle, superellipse
from ..kind import POINT, SHAPE, LayerKind, layer

SQUARE, CIRCLE, ROUNDED, ALONG_X, ALONG_Y = "square", "circle", "rounded_square", "x", "y"
SUBTRACT, MULTIPLY = "subtract", "multiply"
POWERS = {SQUARE: 64.0, CIRCLE: 2.0, ROUNDED: 4.0}
"""Of the superellipse on which a distance is the same; that of a square would be infinite."""
LEAST_SHARE = 0.01
"""Of the way from the center, at which a handle stops before either end."""


@layer(
    "falloff",
    "Falloff",
    "Lower the terrain toward its border, so that it becomes an island",
    group=SHAPE,
    icon="SMOOTHCURVE",
)
class Falloff(LayerKind):
    """Lowers the terrain by f(v) = v^a / (v^a + (b - b v)^a) of the distance v from the center.

    v is 0 at the center and, where that is the middle of the terrain, 1 at the border (Sebastian
    Lague's island curve, 2016). Without wobble f is symmetric about the center to the bit.
    """

    depends_on = POINT
    repeats = False

    shape: str = param(
        ROUNDED,
        "Shape",
        "How the distance from the center is measured",
        choices=[
            (
                SQUARE,
                "Square",
                "The larger of the distances along X and Y, with creases along the diagonals",
            ),
            (CIRCLE, "Circle", "The straight distance; an ellipse on a long terrain"),
            (ROUNDED, "Rounded Square", "Between the circle and the square"),
            (ALONG_X, "X Axis", "Along X only: lowers the east and west sides"),
            (ALONG_Y, "Y Axis", "Along Y only: lowers the north and south sides"),
        ],
    )
    mode: str = param(
        SUBTRACT,
        "Mode",
        "How the terrain is lowered",
        choices=[
            (SUBTRACT, "Subtract", "By a depth in meters"),
            (MULTIPLY, "Multiply", "By blending with a flat height"),
        ],
    )
    depth: float = height_param(
        300.0, "Depth", "How much the border is lowered", shown_if=("mode", (SUBTRACT,))
    )
    floor: float = height_param(
        0.0,
        "Floor",
        "Height of the border",
        soft_min=-1000.0,
        soft_max=1000.0,
        shown_if=("mode", (MULTIPLY,)),
    )
    curve: float = param(
        3.0,
        "Curve",
        "Steepness of the falloff: 1 is gentle, higher gives a plateau with steep sides",
        min=0.05,
        max=50.0,
        soft_min=0.5,
        soft_max=10.0,
    )
    shift: float = param(
        2.2,
        "Shift",
        "Position of the falloff: higher is nearer to the border",
        min=0.01,
        max=100.0,
        soft_min=0.2,
        soft_max=10.0,
    )
    margin: float = factor_param(
        0.0, "Margin", "Share of the distance from border to center that is fully lowered", max=0.9
    )
    center_x: float = param(0.0, "Center X", "Position of the center along X", unit="m")
    center_y: float = param(0.0, "Center Y", "Position of the center along Y", unit="m")
    invert: bool = param(False, "Invert", "Lower the center instead of the border")
    wobble: float = factor_param(
        0.0, "Wobble", "Strength of the noise that bends the coast in and out"
    )
    wobble_size: float = size_param(
        300.0,
        "Wobble Size",
        "Size of the bays",
        max=1e6,
        soft_min=10.0,
        shown_if=("wobble", NOT_ZERO),
    )
    wobble_octaves: int = param(
        4,
        "Wobble Octaves",
        "Number of noise sizes: more gives a finer coast",
        min=1,
        max=16,
        shown_if=("wobble", NOT_ZERO),
    )
    seed: int = seed_param("Seed of the bays", shown_if=("wobble", NOT_ZERO))

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        middle = x, y = self.center_x, self.center_y
        dx, dy = (0.0, 1.0) if self.shape == ALONG_Y else (1.0, 0.0)
        side = size_y / 2 if self.shape == ALONG_Y else size_x / 2
        full = side * (1 - self.margin)
        part = self.shift / (1 + self.shift)  # of the way to where the terrain is fully lowered
        half = full * part

        def shifted(to_x: float, to_y: float) -> Mapping[str, float]:
            way = ((to_x - x) * dx + (to_y - y) * dy) / full
            share = min(max(way, LEAST_SHARE), 1 - LEAST_SHARE)
            return {"shift": share / (1 - share)}

        inside = (1 - self.margin) * part / 2
        guide = self._guide(middle, inside * size_x, inside * size_y)
        back = -dx, -dy
        return (
            center_handle(x, y),
            Handle("Shift", (x + half * dx, y + half * dy), shifted, guide),
            length_handle("Margin", "margin", self.margin, middle, back, scale=-side, start=side),
        )

    def _guide(self, middle: tuple[float, float], half_x: float, half_y: float) -> Doubles:
        """Return the line on which the terrain is lowered by a half; one of two along an axis."""
        x, y = middle
        if self.shape == ALONG_X:
            return np.array([(x + half_x, y - half_y), (x + half_x, y + half_y)])
        if self.shape == ALONG_Y:
            return np.array([(x - half_x, y + half_y), (x + half_x, y + half_y)])
        return superellipse(middle, half_x, half_y, POWERS[self.shape])

    def apply(self, context: LayerContext) -> Floats:
        middle = self.center_x, self.center_y
        u, v = distances(context.grid, context.size_x, context.size_y, middle)
        u, v = (np.minimum(axis / (1 - self.margin), 1.0) for axis in (u, v))
        out = self._bays(context) if self.wobble > 0 else np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            fall = self._fall(u, v[rows], out[rows])
            if self.invert:
                fall = np.float32(1) - fall
            height, part = context.height[rows], out[rows]
            if self.mode == SUBTRACT:
                np.multiply(fall, np.float32(-self.depth), out=part)
            else:
                np.subtract(np.float32(self.floor), height, out=part)
                part *= fall
            part += height
        return out

    def _fall(self, u: Doubles, v: Doubles, bays: Floats) -> Floats:
        """Return the lowering of a band of rows, 0 to 1; ``bays`` is used with wobble only."""
        if self.wobble == 0 and self.shape in (SQUARE, ALONG_X, ALONG_Y):
            # The curve rises with v, so the curve of the larger is the larger of the curves.
            return self._distance(self._curve(u), self._curve(v)).astype(np.float32)
        distance = self._distance(u.astype(np.float32), v.astype(np.float32))
        distance = np.minimum(distance, np.float32(1))
        if self.wobble > 0:
            # 0 at the center and at the border: bends keep both in place and never fold.
            distance += np.float32(self.wobble) * bays * (distance * (1 - distance))
            np.clip(distance, np.float32(0), np.float32(1), out=distance)
        return self._curve(distance)

    def _distance(self, u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
        across, along = u[None, :], v[:, None]
        shape = v.size, u.size
        if self.shape == ALONG_X:
            return np.broadcast_to(across, shape)
        if self.shape == ALONG_Y:
            return np.broadcast_to(along, shape)
        if self.shape == SQUARE:
            return np.maximum(across, along)
        if self.shape == CIRCLE:
            return np.sqrt(across**2 + along**2)
        return np.sqrt(np.sqrt(across**4 + along**4))

    def _curve(self, v: NDArray[Any]) -> NDArray[Any]:
        """Return v^a / (v^a + (b - b v)^a), with a single power."""
        tiny = v.dtype.type(1e-30)
        with np.errstate(over="ignore"):  # infinity is right: the curve is 0 there
            odds = (self.shift * (1 - v) / np.maximum(v, tiny)) ** v.dtype.type(self.curve)
        return 1 / (1 + odds)

    def _bays(self, context: LayerContext) -> Floats:
        """Return noise that bends the coast, for the whole grid at once: each call has a setup
        cost."""
        return noise.sample_grid(
            "perlin",
            context.grid.x / self.wobble_size,
            context.grid.y / self.wobble_size,
            seed=context.seed + self.seed,
            fractal="fbm",
            octaves=self.wobble_octaves,
            cancelled=context.cancelled,
        )


def distances(
    grid: Grid, size_x: float, size_y: float, center: tuple[float, float] = (0.0, 0.0)
) -> tuple[Doubles, Doubles]:
    """Return the distances from the center along X (nx,) and Y (ny,), in halves of the terrain's
    sides; symmetric to the bit.

    Coordinates of a symmetric grid are symmetric only up to rounding. Distances counted in
    samples, whole or half numbers there, are exact.
    """
    return (
        _distance_1d(grid.nx, grid.i0, grid.x0 - center[0], grid.dx, size_x / 2),
        _distance_1d(grid.ny, grid.j0, grid.y0 - center[1], grid.dy, size_y / 2),
    )


def _distance_1d(count: int, first: int, start: float, step: float, half: float) -> Doubles:
    center = -start / step
    halves = round(2 * center)
    if abs(2 * center - halves) < 1e-6:
        center = halves / 2
    return np.abs(np.arange(first, first + count) - center) * (step / half)
