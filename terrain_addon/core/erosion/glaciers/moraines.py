# SPDX-License-Identifier: GPL-3.0-or-later
"""Moraines: debris that glaciers leave in arcs around their ends, and some way up their edges."""

from __future__ import annotations

import numpy as np

from ...hydrology.d8 import receivers
from ...numerics.arrays import Bools, Floats, Indices
from ...numerics.progress import Cancel
from ..rivers.drainage import Drainage
from ..smoothing import box, smoothstep
from .envelope import lower_envelope

HEIGHT = 0.05
"""Height of a ridge in valley spacings, with all of the debris."""
WIDTH = 0.05
"""Half its width, likewise."""
AROUND = 0.8
"""Distance from the end of a glacier, likewise, up to which there is debris."""
MELTING = 0.1
"""Height below the snow line, likewise, from which the ice leaves all its debris: above the line
it gains snow, and buries it."""
GAP = 0.02
"""Height above a river, likewise, up to which it has washed the debris away."""


def moraines(
    ice: Bools,
    glaciers: Indices,
    drainage: Drainage,
    snow_line: float,
    amount: float,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the height of the debris around the ends of glaciers.

    Rivers keep their way through it.

    Parameters
    ----------
    ice : ndarray of bool, shape (H, W)
        Where the ice lay.
    glaciers : ndarray of intp, shape (n,)
        Row-major numbers of the cells along which it flowed.
    drainage : Drainage
        The terrain before the ice.
    snow_line : float
        Meters.
    amount : float
        0 to 1.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters.
    """
    unit, cell, shape = drainage.unit, drainage.spacing, drainage.height.shape
    radius = max(round(WIDTH * unit / cell), 1)
    share = ice.astype(np.float32)
    for _ in range(2):
        share = box(share, radius, cancelled, out=share)
    ridge = share * (1 - share)  # a quarter on the edge
    ridge *= ridge
    ridge *= np.float32(16 * amount * HEIGHT * unit)
    ends = _ends(glaciers, drainage, cancelled)
    reach = np.full(ends.size, AROUND * unit / cell)
    away = lower_envelope(
        shape, ends, np.zeros(ends.size), reach**-2.0, reach, 1.0, cancelled=cancelled
    )
    ridge *= 1 - np.minimum(away, 1)
    ridge *= smoothstep(0.0, MELTING * unit, np.float32(snow_line) - drainage.height)
    ridge *= smoothstep(0.0, GAP * unit, drainage.above_rivers)
    return ridge


def _ends(glaciers: Indices, drainage: Drainage, cancelled: Cancel | None) -> Indices:
    """Return the cells of glaciers from which no ice flows on."""
    flows = np.zeros(drainage.height.size, bool)
    flows[glaciers] = True
    return glaciers[~flows[receivers(drainage.directions, cancelled)[glaciers]]]
