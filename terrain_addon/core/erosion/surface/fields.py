# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of the drainage grid at any points: flow, deposition and erosion depth."""

from __future__ import annotations

import numpy as np

from ... import noise
from ...numerics.arrays import Doubles, Floats
from ...numerics.portable import exp2
from ...numerics.progress import Cancel, poll
from ...numerics.resample import blend_columns, blend_rows, spline_of, strips
from ..rivers.drainage import Drainage
from ..smoothing import smoothstep

BURYING = 0.02
"""Thickness of sediment, in units of the valley spacing, that hides the finer forms below it."""


def flow_and_deposition(
    drainage: Drainage, x: Doubles, y: Doubles, largest: float, cancelled: Cancel | None = None
) -> dict[str, Floats]:
    """Return the fields at world coordinates in meters, each (len(y), len(x)) float32.

    "flow": log of the drainage area, 0 on slopes to 1 where it is ``largest``, as
    :func:`largest_flow` returns it; "deposition": meters of sediment.
    """
    rows, columns = drainage.rows(y), drainage.columns(x)
    flow = spline_of(lambda part: _flow(drainage, part) / largest, rows, columns, cancelled)
    np.minimum(flow, 1, out=flow)
    deposition = spline_of(
        lambda part: np.maximum(drainage.deposition[part], 0), rows, columns, cancelled
    )
    return {"flow": flow, "deposition": deposition}


def erosion_depth(
    drainage: Drainage, before: Floats, x: Doubles, y: Doubles, cancelled: Cancel | None = None
) -> Floats:
    """Return meters eroded from the terrain ``before``, on the same grid, in units of the valley
    spacing."""

    def worn(part: slice) -> Floats:
        lost = before[part] * np.float32(drainage.unit)
        lost -= drainage.height[part]
        return np.maximum(lost, 0, out=lost)

    return spline_of(worn, drainage.rows(y), drainage.columns(x), cancelled)


def finer_forms(
    drainage: Drainage,
    before: Floats,
    height: Floats,
    x: Doubles,
    y: Doubles,
    cancelled: Cancel | None = None,
    *,
    buried: bool = False,
) -> Floats:
    """Return meters by which the heights before erosion, (len(y), len(x)), differ from those on the
    drainage grid, ``before`` as for :func:`erosion_depth`; ``buried``, less below sediment."""
    unit = np.float32(drainage.unit)
    rows, columns = drainage.rows(y), drainage.columns(x)
    coarse = spline_of(lambda part: before[part] * unit, rows, columns, cancelled)
    forms = np.subtract(height, coarse, out=coarse)
    if buried:
        bare = spline_of(
            lambda part: 1 - smoothstep(0.0, BURYING * drainage.unit, drainage.deposition[part]),
            rows,
            columns,
            cancelled,
        )
        forms *= np.clip(bare, 0, 1, out=bare)
    return forms


def _flow(drainage: Drainage, rows: slice) -> Floats:
    """Return (rows, w) float32: log of the drainage area on the drainage grid, 0 on slopes."""
    flow = drainage.area[rows] / np.float32(0.04 * drainage.unit**2)
    return np.log(np.maximum(flow, 1, out=flow), out=flow)


def largest_flow(
    drainage: Drainage, size: tuple[float, float], cancelled: Cancel | None = None
) -> float:
    """Return the log of the largest flow on the terrain, ``size`` meters wide and deep, without its
    padding; of the smoothed field, in which rivers one cell wide are lower."""
    rows, columns = drainage.height.shape
    x: Doubles = drainage.x0 + drainage.spacing * np.arange(columns, dtype=np.float64)
    y: Doubles = drainage.y0 + drainage.spacing * np.arange(rows, dtype=np.float64)
    # Cells in the padding count at the border: a terrain narrower than a cell has no other.
    x, y = (np.clip(axis, -side / 2, side / 2) for axis, side in zip((x, y), size, strict=True))
    across, largest = drainage.columns(x), 1e-6
    for _, down in strips(drainage.rows(y)):
        poll(cancelled)
        axis, part = down.cut(0)
        lines = blend_columns(_flow(drainage, part), across)
        largest = max(largest, float(blend_rows(lines, axis).max()))
    return largest


def variation(
    amount: float,
    x: Doubles,
    y: Doubles,
    wave: float,
    seed: int,
    cancelled: Cancel | None = None,
    *,
    octaves: int = 3,
    gain: float = 0.5,
) -> Floats:
    """Return a factor for the hardness of the rock, or the rain, at each place: (len(y), len(x))
    float32.

    1/4 to 4 with an ``amount`` of 1, in patches of ``wave`` meters. Each of ``octaves`` has patches
    half as wide as the one before, and ``gain`` times the effect.
    """
    factor = noise.sample_grid(
        "perlin",
        x / wave,
        y / wave,
        seed=seed & 0x7FFFFFFF,
        fractal="fbm",
        octaves=octaves,
        gain=gain,
        cancelled=cancelled,
    )
    factor *= np.float32(-4 * amount)
    np.clip(factor, -2, 2, out=factor)
    return exp2(factor)
