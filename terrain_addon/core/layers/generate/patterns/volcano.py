# SPDX-License-Identifier: GPL-3.0-or-later
"""A volcano with crater and ribs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import NOT_ZERO, factor_param, param, size_param
from ....shapes import Shape
from ...handles import Handle, length_handle, superellipse
from ...kind import layer
from ._pattern import Pattern, smoothstep, usual_height

RIM_STREAM = 303
UNEVEN_RIM = 0.3
"""Largest deviation of the crater's radius from its mean on a ribbed volcano."""


@layer("volcano", "Volcano", "A cone with an optional crater and ribs", icon="CONE")
class Volcano(Pattern):
    """A cone with flanks that steepen toward the top."""

    height: float = usual_height(250.0)
    radius: float = size_param(
        500.0,
        "Radius",
        "Distance from the center to the foot",
        min=1e-2,
        soft_min=10.0,
        soft_max=5000.0,
    )
    steepening: float = param(
        1.6,
        "Steepening",
        "1 is a straight cone; more flattens the foot and steepens the top",
        min=0.2,
        max=8.0,
        soft_min=0.5,
        soft_max=4.0,
    )
    crater: float = factor_param(
        0.15,
        "Crater",
        "Radius of the crater relative to the whole; 0 gives a peak",
        max=0.9,
        soft_max=0.5,
    )
    crater_depth: float = factor_param(
        0.3, "Crater Depth", "Depth of the crater relative to the height"
    )
    ribs: int = param(0, "Ribs", "Number of ridges down the flanks", min=0, max=200, soft_max=40)
    rib_depth: float = factor_param(
        0.12,
        "Rib Depth",
        "Depth of the gullies between ribs, relative to the height there",
        shown_if=("ribs", NOT_ZERO),
    )

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        middle = self.center_x, self.center_y
        foot = superellipse(middle, self.radius, self.radius)
        radius = length_handle("Radius", "radius", self.radius, middle, (1.0, 0.0), guide=foot)
        every = *super().handles(size_x, size_y, shapes), radius
        if not self.crater:  # its handle would cover that of the center
            return every
        rim = length_handle("Crater", "crater", self.crater, middle, (-1.0, 0.0), scale=self.radius)
        return (*every, rim)

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        r = np.hypot(u, v) / self.radius
        flank = np.clip(1 - r, 0, 1) ** self.steepening
        if self.ribs and self.rib_depth:
            flank *= 1 - self.rib_depth * self._gullies(u, v, r, seed)
        if self.crater:
            # The crater's rim is where the flank would be at its radius.
            crater = self._crater(u, v, r, seed)
            rim = np.maximum(1 - crater, 0) ** self.steepening
            bowl = rim - self.crater_depth * (1 - np.clip(r / crater, 0, 1) ** 2)
            flank = np.where(r < crater, np.minimum(flank, bowl), flank)
        return flank.astype(np.float32)

    def _crater(self, u: Doubles, v: Doubles, r: Doubles, seed: int) -> Doubles:
        """Return the radius of the crater relative to the whole.

        With ribs it is uneven, and the rim is low where the crater is wide: a round crater would
        look punched out.
        """
        crater = np.full(r.shape, self.crater)
        if self.ribs and self.rib_depth:
            near = np.flatnonzero(r < 2 * self.crater)
            a, b = (meters[near] / (self.crater * self.radius) for meters in (u, v))
            uneven = noise.sample(
                "opensimplex2s", a, b, seed=seed + RIM_STREAM, fractal="fbm", octaves=2
            )
            crater[near] *= 1 + UNEVEN_RIM * uneven
        return crater

    def _gullies(self, u: Doubles, v: Doubles, r: Doubles, seed: int) -> Floats:
        """Return 0 on a rib, 1 in a gully; none at the very top."""
        angle = np.arctan2(v, u)
        # Around a circle, so that there is no seam where the angle jumps.
        wander = noise.sample(
            "opensimplex2s", 2 * np.cos(angle), 2 * np.sin(angle), 3 * r, seed=seed
        )
        turns = self.ribs * angle + 2 * wander
        return (0.5 - 0.5 * np.cos(turns)).astype(np.float32) * smoothstep(
            self.crater * 0.8, self.crater + 0.25, r
        )
