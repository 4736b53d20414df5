# SPDX-License-Identifier: GPL-3.0-or-later
"""An example of what geometry nodes return, for pictures of the layer *Geometry Nodes*."""

from __future__ import annotations

import numpy as np

from terrain_addon.core.layers import packed


def columns() -> str:
    """Return what nodes may have made: columns of rock, the highest in the middle."""
    rng = np.random.default_rng(3)
    side = np.arange(-5, 6) * 100.0
    centers = np.array([(x + 50 * (n % 2), y) for n, y in enumerate(side) for x in side])
    centers += rng.uniform(-22, 22, centers.shape)
    tops = 250 * np.exp(-((np.hypot(*centers.T) / 330) ** 2)) * rng.uniform(0.7, 1.0, len(centers))
    at = np.stack(np.meshgrid(*[np.linspace(-500, 500, 257)] * 2), axis=-1)
    away = np.hypot(*(at[..., None, :] - centers).transpose(3, 0, 1, 2))
    return packed(tops[away.argmin(axis=-1)].astype(np.float32), "")
