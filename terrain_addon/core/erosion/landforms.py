# SPDX-License-Identifier: GPL-3.0-or-later
"""What the drainage grid has to offer at any points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import noise
from ..arrays import Doubles, Floats
from ..cancel import Cancel, Progress, untold
from ..resample import spline
from .drainage import Drainage


def masks(
    drainage: Drainage,
    x: Doubles,
    y: Doubles,
    size: tuple[float, float],
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> dict[str, Floats]:
    """Masks at world coordinates in metres, each (len(y), len(x)) float32.

    "flow": log of the drainage area, 0 on slopes to 1 in the largest river of the land, which is
    ``size`` metres wide and deep; "wear": metres worn away; "deposit": metres of sediment.
    """
    fields: dict[str, Callable[[], Floats]] = {
        "flow": lambda: _flow(drainage, size),
        "wear": lambda: np.maximum(drainage.before - drainage.height, 0),
        "deposit": lambda: np.maximum(drainage.deposit, 0),
    }
    tell = progress or untold
    found: dict[str, Floats] = {}
    for name, field in fields.items():
        found[name] = spline(field(), drainage.rows(y), drainage.columns(x), cancelled)
        tell(len(found) / len(fields))
    np.minimum(found["flow"], 1, out=found["flow"])
    return found


def _flow(drainage: Drainage, size: tuple[float, float]) -> Floats:
    """(h, w) float32: the mask "flow" on the drainage grid."""
    flow = drainage.area / np.float32(0.04 * drainage.unit**2)
    np.log(np.maximum(flow, 1, out=flow), out=flow)
    flow /= _largest(drainage, flow, size)
    return flow


def _largest(drainage: Drainage, field: Floats, size: tuple[float, float]) -> float:
    """The largest value to be seen on the land: not around it, and of the smoothed field, where
    rivers of one cell are lower."""
    rows, columns = field.shape
    x: Doubles = drainage.x0 + drainage.spacing * np.arange(columns, dtype=np.float64)
    y: Doubles = drainage.y0 + drainage.spacing * np.arange(rows, dtype=np.float64)
    # Its border stands for what lies around it: there is no cell on land narrower than one.
    x, y = (np.clip(axis, -side / 2, side / 2) for axis, side in zip((x, y), size, strict=True))
    return max(float(drainage.sample(field, x, y).max()), 1e-6)


def uneven(
    variation: float,
    x: Doubles,
    y: Doubles,
    wave: float,
    seed: int,
    cancelled: Cancel | None = None,
    *,
    octaves: int = 3,
    gain: float = 0.5,
) -> Floats | None:
    """A factor for the hardness of the rock, or the rain, at each place: (len(y), len(x)) float32.

    A quarter to four where ``variation`` is 1, over patches of ``wave`` metres; None where it is 0.
    Each of ``octaves`` has patches half as wide as the one before, and ``gain`` times the effect.
    """
    if variation <= 0:
        return None
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
    factor *= np.float32(-4 * variation)
    np.clip(factor, -2, 2, out=factor)
    return np.exp2(factor)
