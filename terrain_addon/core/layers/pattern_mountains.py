# SPDX-License-Identifier: GPL-3.0-or-later
"""Single large forms: volcano, mesa, ramp."""

from __future__ import annotations

import numpy as np

from .. import noise
from ..arrays import Doubles, Floats
from ..params import NOT_ZERO, param
from . import layer
from ._pattern import OnlyBent, Pattern, smoothstep, usual_height

RIM_STREAM = 303
UNEVEN_RIM = 0.3
"""How much wider or narrower the crater of a ribbed volcano may be than its mean."""


@layer(
    "volcano",
    label="Volcano",
    help="A cone, with a crater and ribs if wanted",
    icon="CONE",
)
class Volcano(Pattern):
    """A cone whose flanks grow steeper towards the top."""

    height: float = usual_height(250.0)
    radius: float = param(
        500.0,
        label="Radius",
        help="Distance from the middle to the foot",
        unit="m",
        min=1e-2,
        max=1e7,
        soft_min=10.0,
        soft_max=5000.0,
    )
    steepening: float = param(
        1.6,
        label="Steepening",
        help="1 is a straight cone; more makes the foot flatter and the top steeper",
        min=0.2,
        max=8.0,
        soft_min=0.5,
        soft_max=4.0,
    )
    crater: float = param(
        0.15,
        label="Crater",
        help="Radius of the crater, as a part of the whole; 0 leaves a peak",
        unit="factor",
        min=0.0,
        max=0.9,
        soft_max=0.5,
    )
    crater_depth: float = param(
        0.3,
        label="Crater Depth",
        help="Depth of the crater, as a part of the height",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    ribs: int = param(
        0, label="Ribs", help="Ridges that run down the flanks", min=0, max=200, soft_max=40
    )
    rib_depth: float = param(
        0.12,
        label="Rib Depth",
        help="Depth of the gullies between ribs, as a part of the height there",
        unit="factor",
        min=0.0,
        max=1.0,
        shown_if=("ribs", NOT_ZERO),
    )

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
        """Radius of the crater, as a part of the whole. Beside ribs it is uneven, and so is its
        rim, which is low where the crater is wide: a round one looks punched out."""
        crater = np.full(r.shape, self.crater)
        if self.ribs and self.rib_depth:
            near = np.flatnonzero(r < 2 * self.crater)
            a, b = (metres[near] / (self.crater * self.radius) for metres in (u, v))
            uneven = noise.sample(
                "opensimplex2s", a, b, seed=seed + RIM_STREAM, fractal="fbm", octaves=2
            )
            crater[near] *= 1 + UNEVEN_RIM * uneven
        return crater

    def _gullies(self, u: Doubles, v: Doubles, r: Doubles, seed: int) -> Floats:
        """0 on a rib, 1 in a gully; none at the very top."""
        angle = np.arctan2(v, u)
        # Around a circle, so that there is no seam where the angle jumps.
        wander = noise.sample(
            "opensimplex2s", 2 * np.cos(angle), 2 * np.sin(angle), 3 * r, seed=seed
        )
        turns = self.ribs * angle + 2 * wander
        return (0.5 - 0.5 * np.cos(turns)).astype(np.float32) * smoothstep(
            self.crater * 0.8, self.crater + 0.25, r
        )


@layer("mesa", label="Mesa", help="A table mountain with cliffs and a skirt", icon="MESH_CYLINDER")
class Mesa(OnlyBent):
    """A flat top, a cliff, and a skirt of rubble at its foot."""

    height: float = usual_height(120.0)
    radius: float = param(
        300.0,
        label="Radius",
        help="Distance from the middle to the edge of the top",
        unit="m",
        min=1e-2,
        max=1e7,
        soft_min=10.0,
        soft_max=5000.0,
    )
    stretch: float = param(
        1.0,
        label="Stretch",
        help="How much longer it is along X than along Y",
        min=0.05,
        max=20.0,
        soft_min=0.25,
        soft_max=4.0,
    )
    squareness: float = param(
        0.3, label="Squareness", help="From a round to a square outline", unit="factor", min=0.0,
        max=1.0,
    )  # fmt: skip
    cliff: float = param(
        0.08,
        label="Cliff Width",
        help="Width of the cliff, as a part of the radius",
        unit="factor",
        min=0.0,
        max=2.0,
        soft_max=0.5,
    )
    skirt: float = param(
        0.35,
        label="Skirt",
        help="Height of the skirt at the foot of the cliff, as a part of the whole",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    skirt_width: float = param(
        0.6,
        label="Skirt Width",
        help="How far the skirt reaches out, as a part of the radius",
        unit="factor",
        min=0.0,
        max=5.0,
        soft_max=2.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        a, b = np.abs(u) / self.stretch, np.abs(v)
        power = 2 + 10 * self.squareness**2  # a superellipse
        r = (a**power + b**power) ** (1 / power) / self.radius
        top = smoothstep(1 + self.cliff, 1, r) * np.float32(1 - self.skirt)
        slope = np.clip((1 + self.cliff + self.skirt_width - r) / max(self.skirt_width, 1e-9), 0, 1)
        return top + (np.float32(self.skirt) * slope * slope).astype(np.float32)


@layer("ramp", label="Ramp", help="A slope from one level to another", icon="IPO_LINEAR")
class Ramp(OnlyBent):
    """0 on one side of the centre, ``height`` on the other, a slope between.

    Its ends are arcs of parabolas that meet the flat land and the straight slope without a crease.
    """

    height: float = usual_height(150.0)
    size: float = param(
        500.0,
        label="Length",
        help="Length of the slope along X, before turning",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=1.0,
        soft_max=5000.0,
    )
    smoothness: float = param(
        0.5,
        label="Smoothness",
        help="From a straight slope to one with rounded ends",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    endless: bool = param(
        False, label="Endless", help="Go on rising beyond the ends: the whole land is tilted"
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        t = u / self.size + 0.5
        if self.endless:
            return t.astype(np.float32)
        t = np.clip(t, 0, 1)
        bend = self.smoothness / 2  # how much of the length each arc takes
        if not bend:
            return t.astype(np.float32)
        from_end = np.minimum(t, 1 - t)
        bent = np.minimum(from_end, bend)
        rise = (from_end - bent + bent * bent / (2 * bend)) / (1 - bend)
        return np.where(t < 0.5, rise, 1 - rise).astype(np.float32)
