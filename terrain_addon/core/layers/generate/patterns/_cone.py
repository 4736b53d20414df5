# SPDX-License-Identifier: GPL-3.0-or-later
"""The form of a cinder cone, for a field of them and for the flanks of a volcano."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....numerics.arrays import Floats
from ._pattern import rounded_larger

CRATER = 0.40
"""Diameter of the crater relative to that of the base."""
SLIMNESS = 0.18
"""Height of a fresh cone relative to the diameter of its base."""
BOWL = 0.55
"""Depth of a fresh crater relative to the height of the cone."""
OUTFLOW = 0.75
"""Fall of the floor of a breach over the radius of the base, relative to the height."""
CREST, FOOT = 0.14, 0.12
"""Widths over which the rim and the foot are round, in heights of the cone."""
TURN = np.float32(2 * math.pi)


def cinder_cone(
    x: Floats, y: Floats, age: NDArray[Any] | float, breach: NDArray[Any] | float, turn: Floats
) -> Floats:
    """Return the height of a cinder cone at x, y radii of its base from the center, 1 at the rim.

    ``age`` 0 is fresh, 1 is worn to half the height, its crater filled. Where ``breach`` is 1, lava
    has carried away the wall of the crater in the direction ``turn``, 0 to 1; at 0 it is closed.

    Source of the proportions: Charles A. Wood, *Morphometric evolution of cinder cones*, 1980.

    Examples
    --------
    >>> places = np.float32([0, 0.4, 0.7])
    >>> cinder_cone(places, 0 * places, 0.0, 0.0, 0 * places).round(2)
    array([0.45, 0.96, 0.5 ], dtype=float32)
    """
    r = np.sqrt(x * x + y * y)
    flank = (1 - r) / np.float32(1 - CRATER)
    cos, sin = np.cos(TURN * turn), np.sin(TURN * turn)
    out, aside = np.maximum(x * cos + y * sin, 0), y * cos - x * sin
    opened = np.abs(aside) + (r - np.abs(aside)) * (1 - np.sign(out) * breach)
    q = opened / np.float32(CRATER)
    depth = np.float32(BOWL) * (1 - np.float32(0.8) * age)
    bowl = 1 + depth * (q * q - 1) - np.float32(OUTFLOW) * breach * out
    crest = np.float32(CREST) * (1 + 3 * age)
    cone = -rounded_larger(-flank, -bowl, np.asarray(crest, np.float32))
    cone = rounded_larger(cone, np.zeros_like(cone), np.float32(FOOT))
    # The rounding of the foot ends at the foot.
    cone *= np.clip((np.float32(1.08) - r) / np.float32(0.12), 0, 1)
    return np.asarray(cone * (1 - np.float32(0.5) * age), np.float32)
