# SPDX-License-Identifier: GPL-3.0-or-later
"""Things scattered over the land: craters and hills."""

from __future__ import annotations

import numpy as np

from .. import noise
from ..arrays import Doubles, Floats
from ..params import param
from . import layer
from ._pattern import Pattern, smoothstep, usual_height

LARGEST_RADIUS = 0.45
"""Of a crater, in cells: with its apron of twice the radius it stays within the cells around."""


@layer(
    "craters",
    label="Craters",
    help="Impact craters of many sizes, with rims, floors and central peaks",
    icon="MESH_UVSPHERE",
)
class Craters(Pattern):
    """Craters: ``height`` is the depth of the largest below the rim.

    Each octave has craters half as large and half as deep as the one before, four times as many,
    as on old planetary surfaces (sizes follow a power law of exponent -2).
    """

    height: float = usual_height(60.0)
    size: float = param(
        300.0,
        label="Largest Crater",
        help="Diameter of the largest craters, from rim to rim",
        unit="m",
        min=1e-2,
        max=1e7,
        soft_min=10.0,
        soft_max=2000.0,
    )
    octaves: int = param(
        4, label="Sizes", help="How many times craters get half as large", min=1, max=10,
        soft_max=8,
    )  # fmt: skip
    density: float = param(
        0.6,
        label="Density",
        help="How much of the land is hit, in each size",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    rim_height: float = param(
        0.25,
        label="Rim Height",
        help="Height of the rim, as a part of the depth",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    rim_width: float = param(
        0.7,
        label="Rim Width",
        help="How far the rim reaches outwards, in radii",
        unit="factor",
        min=0.05,
        max=1.0,
    )
    floor: float = param(
        0.3,
        label="Flat Floor",
        help="How much of the bowl is filled to a flat floor",
        unit="factor",
        min=0.0,
        max=0.95,
    )
    peak: float = param(
        0.3,
        label="Central Peak",
        help="Height of the peak in the middle of large craters, as a part of the depth",
        unit="factor",
        min=0.0,
        max=1.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        for octave in range(self.octaves):
            scale = 0.5**octave
            own = np.zeros(u.shape, np.float32)
            cell = self.size * scale / (2 * LARGEST_RADIUS)
            for dx, dy, chance, random in noise.scattered(u / cell, v / cell, seed + octave):
                part = np.float32(0.6) + np.float32(0.4) * random
                distance = np.sqrt(dx * dx + dy * dy)
                distance /= part * np.float32(LARGEST_RADIUS)
                # Aprons of the largest craters must not reach beyond the cells around.
                hit = (chance < self.density) & (distance < 2)
                relative = self._profile(distance[hit], octave) * part[hit] * np.float32(scale)
                # A crater wipes out older ones of its size; into larger ones it digs deeper. Cells
                # come in one order for all points, so the younger of two is the same everywhere.
                own[hit] = own[hit] * smoothstep(0.6, 1, distance[hit]) + relative
            total += own
        return total

    def _profile(self, r: Floats, octave: int) -> Floats:
        """Height at r radii from the middle of one crater, -1 at the bottom of a full bowl."""
        rim = np.float32(self.rim_height)
        bowl = (1 + rim) * r * r - 1
        floor = np.float32(self.floor - 1)
        # A parabola from the floor up to the rim, with a soft edge at the floor.
        inside = floor + _soft_positive(bowl - floor, 0.1)
        if self.peak and octave < 2:
            inside += np.float32(self.peak) * np.exp(-((r / np.float32(0.22)) ** 2))
        outside = rim * smoothstep(1 + self.rim_width, 1, r) ** 2
        return np.where(r < 1, np.minimum(inside, rim), outside)


@layer(
    "hills",
    label="Hills",
    help="Rounded hills scattered over the land",
    icon="SPHERECURVE",
)
class Hills(Pattern):
    """Bell-shaped hills (Gaussians), which add up where they meet."""

    height: float = usual_height(40.0)
    size: float = param(
        200.0,
        label="Hill Size",
        help="Diameter of the largest hills",
        unit="m",
        min=1e-2,
        max=1e7,
        soft_min=10.0,
        soft_max=2000.0,
    )
    density: float = param(
        0.6, label="Density", help="How many places have a hill", unit="factor", min=0.0, max=1.0
    )
    variation: float = param(
        0.5,
        label="Variation",
        help="How much hills differ in size and height",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    jitter: float = param(
        1.0,
        label="Jitter",
        help="From a square net to scattered hills",
        unit="factor",
        min=0.0,
        max=1.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        # The bell has sunk to nothing one radius, that is one cell, from its middle.
        cell = self.size / 2
        for dx, dy, chance, random in noise.scattered(u / cell, v / cell, seed, self.jitter):
            part = 1 - np.float32(0.8 * self.variation) * random
            square = (dx * dx + dy * dy) / (part * part)
            bell = np.exp(np.float32(-4.5) * square) * smoothstep(1, 0.5, square)
            total += bell * part * (chance < self.density)
        return total


def _soft_positive(value: Floats, width: float) -> Floats:
    """max(value, 0) with the corner rounded over that width."""
    w = np.float32(width)
    return np.float32(0.5) * (value + np.sqrt(value * value + w * w) - w)
