# SPDX-License-Identifier: GPL-3.0-or-later
"""Scattered hills, from bells to towers."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import NOT_ZERO, factor_param, size_param
from ...context import SIDE
from ...kind import layer
from ._pattern import Pattern, smoothstep, usual_height

CLUSTER_STREAM = 505
DOME, WALL = 2.2, 0.6
"""Exponents of a tower: the larger the first, the flatter its top; the smaller the second, the
steeper its foot."""
SPARSE, DENSE = -0.1, 0.25
"""Noise at which hills vanish between clusters, and at which they have their full size."""


@layer(
    "hills", "Hills", "Rounded hills or steep towers scattered over the terrain", icon="SPHERECURVE"
)
class Hills(Pattern):
    """Bell-shaped hills (Gaussians), which add up where they meet, or towers as in tropical karst,
    of which the highest counts.
    """

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(40.0)
    size: float = size_param(
        200.0, "Hill Size", "Diameter of the largest hills", min=1e-2, soft_min=10.0
    )
    density: float = factor_param(0.6, "Density", "Share of cells with a hill")
    variation: float = factor_param(0.5, "Variation", "Variation of the size and height of hills")
    jitter: float = factor_param(1.0, "Jitter", "From a square grid to scattered hills")
    steepness: float = factor_param(
        0.0, "Steepness", "From bells to towers with steep walls and round tops"
    )
    clustering: float = factor_param(
        0.0, "Clustering", "How much hills gather in groups, with open ground between"
    )
    cluster_size: float = size_param(
        1000.0,
        "Cluster Size",
        "Distance between groups of hills",
        soft_min=10.0,
        shown_if=("clustering", NOT_ZERO),
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        highest = np.zeros(u.shape, np.float32)
        # The bell reaches 0 at one radius, which is one cell, from its center.
        cell = self.size / 2
        near = self._near(u, v, seed)
        for dx, dy, chance, random in noise.scattered(u / cell, v / cell, seed, self.jitter):
            part = 1 - np.float32(0.8 * self.variation) * random
            if self.clustering:
                part *= near
            square = (dx * dx + dy * dy) / (part * part)
            there = chance < self.density
            if self.steepness < 1:
                bell = np.exp(np.float32(-4.5) * square) * smoothstep(1, 0.5, square)
                total += bell * part * there
            if self.steepness:
                wall = np.maximum(1 - square ** np.float32(DOME / 2), 0)
                np.maximum(highest, wall ** np.float32(WALL) * part * there, out=highest)
        if self.steepness:
            total += np.float32(self.steepness) * (highest - total)
        return total

    def _near(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        """Return factors on the size of hills: 1 in a cluster, little between."""
        if not self.clustering:
            return np.ones(1, np.float32)
        where = noise.sample(
            "opensimplex2s",
            u / self.cluster_size,
            v / self.cluster_size,
            seed=seed + CLUSTER_STREAM,
            fractal="fbm",
            octaves=2,
        )
        share = smoothstep(SPARSE, DENSE, where)
        return np.maximum(1 - np.float32(self.clustering) * (1 - share), np.float32(1e-3))
