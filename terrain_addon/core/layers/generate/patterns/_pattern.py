# SPDX-License-Identifier: GPL-3.0-or-later
"""Common base of the pattern layers: placement, rotation and warp; shared profiles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....numerics.arrays import Doubles, Floats
from ....numerics.axis import RegularAxis
from ....numerics.progress import Cancel
from ....settings.params import NOT_ZERO, height_param, length_param, param, seed_param, size_param
from ....shapes import Shape
from ...context import NOISE_SIDE, SIDE, LayerContext
from ...handles import Handle, center_handle
from ...kind import POINT, LayerKind
from ...seamless import CellSize
from .._interpolated import Area
from ._placing import Bends, Placing

WARP_STREAM = 7919
"""Added to a layer's seed for its warp, which is then independent of its other randomness."""


usual_height = partial(
    height_param, label="Height", help="Factor on the pattern, which is about 0 to 1"
)
usual_rotation = partial(
    param,
    0.0,
    "Rotation",
    "Counter-clockwise rotation of the pattern",
    unit="deg",
    min=-3600.0,
    max=3600.0,
    soft_min=-180.0,
    soft_max=180.0,
)
usual_warp_amount = partial(
    length_param,
    0.0,
    "Warp",
    "Strength of the noise that bends the pattern",
    max=1e6,
    soft_max=1000.0,
)
usual_warp_size = partial(
    size_param,
    label="Warp Size",
    help="Size of the largest bends",
    min=1e-4,
    soft_max=5000.0,
    shown_if=("warp_amount", NOT_ZERO),
)
usual_warp_octaves = partial(
    param,
    3,
    "Warp Octaves",
    "Number of bend sizes, each finer than the last",
    min=1,
    max=12,
    soft_max=6,
    shown_if=("warp_amount", NOT_ZERO),
)
"""Declare settings that noise has too; some with a default that suits the pattern."""


class Pattern(LayerKind):
    """A height that depends on the position only: ``height * shape(u, v)``.

    u and v are meters from the center after rotation and warp.
    """

    depends_on = POINT
    repeats = False
    shown_last = True  # after the pattern's own settings
    side, warped_side = SIDE, NOISE_SIDE

    height: float = usual_height(100.0)
    seed: int = seed_param("Seed of the pattern")
    center_x: float = param(0.0, "Center X", "Position of the pattern along X", unit="m")
    center_y: float = param(0.0, "Center Y", "Position of the pattern along Y", unit="m")
    rotation: float = usual_rotation()
    warp_amount: float = usual_warp_amount()
    warp_size: float = usual_warp_size(200.0)
    warp_octaves: int = usual_warp_octaves()

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        """Return the pattern at points in meters from its center, (n,) each; new float32 (n,)."""
        raise NotImplementedError

    def apply(self, context: LayerContext) -> Floats:
        seed = context.seed + self.seed
        x, y = context.grid.across - self.center_x, context.grid.along - self.center_y
        moved = [(x + dx, y + dy) for dx, dy in self.shifts()]
        bends = None
        if self.warp_amount:
            cells = CellSize(self.warp_size, self.warp_size, None)
            bends = Bends(self.warp_amount, cells, self.warp_octaves, seed + WARP_STREAM)
        placings = [
            Placing(Area.of(*axes), self.rotation, bends, cancelled=context.cancelled)
            for axes in moved
        ]
        out = np.empty(context.grid.shape, np.float32)
        for rows, columns in context.squares(self.warped_side if bends else self.side):
            places = [
                _placed(placing, x[columns], y[rows])
                for placing, (x, y) in zip(placings, moved, strict=True)
            ]
            part = out[rows, columns]
            part[...] = self.block(places, seed, context.cancelled).reshape(part.shape)
        out *= np.float32(self.height)
        return out

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        return (center_handle(self.center_x, self.center_y),)

    def block(
        self, places: Sequence[tuple[Doubles, Doubles]], seed: int, cancelled: Cancel
    ) -> Floats:
        """Return the pattern at points; new float32 (n,).

        ``places`` holds their coordinates in meters from the center, (n,) each, shifted by each of
        :meth:`shifts`. Poll ``cancelled`` if this takes longer than about 50 ms.
        """
        return self.shape(*places[0], seed)

    def shifts(self) -> Sequence[tuple[float, float]]:
        """Return the offsets along X and Y of the points that a height depends on, the point itself
        first."""
        return ((0.0, 0.0),)


def _placed(placing: Placing, x: RegularAxis, y: RegularAxis) -> tuple[Doubles, Doubles]:
    """Return pattern coordinates in meters at the crossings of ``x`` and ``y``, (ny * nx,) each."""
    u, v = (np.broadcast_to(place, (len(y), len(x))) for place in placing.places(x, y))
    return u.ravel(), v.ravel()


class OnlyBent(Pattern):
    """A pattern in which only the warp is random."""

    seed: int = seed_param("Seed of the bends", shown_if=("warp_amount", NOT_ZERO))


def smoothstep(low: float, high: float, value: NDArray[Any]) -> Floats:
    """Return 0 up to ``low``, 1 from ``high`` on, with a smooth rise between; float32.

    With ``low`` above ``high`` it falls; with both equal it is a step. Works in the precision of
    ``value``, unlike the one for erosion, which rounds differently.
    """
    span = high - low
    if abs(span) < 1e-12:
        return (value >= high).astype(np.float32)
    t = np.clip((value - low) / span, 0, 1).astype(np.float32)
    return t * t * (3 - 2 * t)


def rounded_larger(
    a: NDArray[Any], b: NDArray[Any] | np.float32, width: NDArray[Any] | np.float32
) -> Floats:
    """Return max(a, b) with its edge rounded to an arc of a parabola; float32.

    Where the two differ by less than ``width``, above 0, it is higher by up to a quarter of it.
    """
    near = np.maximum(width - np.abs(a - b), np.float32(0))
    return np.asarray(np.maximum(a, b) + near * near / (np.float32(4) * width), np.float32)


JITTER_HELP = "From a square grid to scattered cells"
REPEAT = 2.0**29
"""Cells after which a cellular pattern repeats: coordinates farther out lose precision."""


def in_cells(meters: Doubles, size: float) -> Doubles:
    """Return the coordinates in cells of that size, wrapped at :data:`REPEAT`."""
    cells = meters / size
    cells -= REPEAT * np.rint(cells / REPEAT)
    return cells


PROFILES = [
    ("sine", "Sine", "Round crests and round troughs"),
    ("triangle", "Triangle", "Straight flanks, sharp crests and troughs"),
    ("sawtooth", "Sawtooth", "A slow rise and a sudden drop"),
    ("ridges", "Ridges", "Sharp crests over round troughs"),
    ("furrows", "Furrows", "Round crests over sharp troughs"),
    ("steps", "Steps", "Flat tops, flat bottoms and cliffs between"),
]


def profile(kind: str, turns: Doubles) -> Floats:
    """Return the height of a wave, 0 to 1, at a phase in turns; float32.

    There is a crest at 0; the sawtooth drops there from its crest to its trough.
    """
    phase = turns - np.floor(turns)
    if kind == "sine":
        value = 0.5 + 0.5 * np.cos(2 * math.pi * phase)
    elif kind == "triangle":
        value = np.abs(1 - 2 * phase)
    elif kind == "sawtooth":
        value = phase
    elif kind == "ridges":
        value = 1 - np.abs(np.sin(math.pi * phase))
    elif kind == "furrows":
        value = np.abs(np.cos(math.pi * phase))
    else:
        value = (np.abs(phase - 0.5) > 0.25).astype(np.float64)
    return value.astype(np.float32)
