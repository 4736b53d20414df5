# SPDX-License-Identifier: GPL-3.0-or-later
"""Light and shade on colors."""

from __future__ import annotations

import numpy as np

from ...analysis.derivatives import gradient_rows
from ...numerics.arrays import Floats

SUN: Floats = np.array([-0.55, 0.25, 0.8], np.float32) / np.float32(np.sqrt(1.005))
"""Direction to the light: from the left, behind the terrain."""
AMBIENT, SKY, DIRECT = np.float32(0.2), np.float32(0.2), np.float32(0.75)
"""Light everywhere, light from above, and light of the sun."""


def lit(colors: Floats, height: Floats, dx: float, dy: float) -> Floats:
    """Return linear colors (ny, nx, 3) of a terrain in the sun; heights and spacings in one
    unit."""
    gx, gy = gradient_rows(height, dx, dy, slice(0, len(height)))
    upright = 1 / np.sqrt(gx * gx + gy * gy + np.float32(1))
    sun = np.maximum((SUN[2] - SUN[0] * gx - SUN[1] * gy) * upright, np.float32(0))
    light = AMBIENT + SKY * upright + DIRECT * sun
    return colors * light[..., None]
