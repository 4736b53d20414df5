# SPDX-License-Identifier: GPL-3.0-or-later
"""A field of cinder cones."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, size_param
from ...context import SIDE
from ...kind import layer
from ._cone import SLIMNESS, cinder_cone
from ._pattern import Pattern, in_cells, usual_height

LARGEST = 0.92
"""Radius of the largest base in cells: those beyond the neighboring cells are not seen."""


@layer(
    "cinder_cones",
    "Cinder Cones",
    "Scattered cones of cinder with craters, some breached, fresh to worn",
    icon="MESH_CONE",
)
class CinderCones(Pattern):
    """Cinder cones: ``height`` is that of the largest. Fresh ones are 0.18 times as high as their
    base is wide, with craters 0.40 times as wide as the base (Wood 1980). Where they meet, the
    higher one counts.
    """

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(SLIMNESS * 300.0)
    size: float = size_param(
        300.0, "Cone Size", "Diameter of the base of the largest cones", min=1e-2, soft_min=10.0
    )
    density: float = factor_param(0.2, "Density", "Share of cells, half as wide, with a cone")
    variation: float = factor_param(0.5, "Variation", "Variation of the size and height of cones")
    wear: float = factor_param(
        0.5, "Wear", "How much the oldest cones are worn down and filled; younger ones less"
    )
    breached: float = factor_param(
        0.3, "Breached", "Share of cones whose crater lava has opened on one side"
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        cell = self.size / (2 * LARGEST)
        places = in_cells(u, cell), in_cells(v, cell)
        for dx, dy, chance, random in noise.scattered(*places, seed, 1.0):
            if not self.density:
                break
            part = (1 - np.float32(0.8 * self.variation) * random) * np.float32(LARGEST)
            there = (chance < self.density) & (dx * dx + dy * dy < 1.2 * part * part)
            near = np.flatnonzero(there)
            part = part[near].astype(np.float32)
            x, y = dx[near] / part, dy[near] / part
            # Digits that the size does not show make three more random numbers.
            fine = random[near] * np.float32(97)
            fine -= np.floor(fine)
            turn = chance[near] / np.float32(self.density)
            open_ = (turn * np.float32(31)) % 1 < self.breached
            cone = cinder_cone(x, y, np.float32(self.wear) * fine, open_.astype(np.float32), turn)
            total[near] = np.maximum(total[near], cone * part / np.float32(LARGEST))
        return total
