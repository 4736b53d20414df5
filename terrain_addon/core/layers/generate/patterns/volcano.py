# SPDX-License-Identifier: GPL-3.0-or-later
"""A volcano with crater, ribs and a breach."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....numerics.hashing import hashed
from ....settings.params import NOT_ZERO, factor_param, param, size_param
from ....shapes import Shape
from ...handles import Handle, length_handle, superellipse
from ...kind import layer
from ._pattern import Pattern, smoothstep, usual_height

RIM_STREAM, LEAN_STREAM, BREACH_STREAM = 303, 404, 505
UNEVEN_RIM = 0.3
"""Largest deviation of the crater's radius from its mean on a ribbed or irregular volcano."""
POWER, EXPONENTIAL = "power", "exponential"
ELEVATED = math.tan(math.radians(8))
"""Fall of the floor of a breach: less than that of the flank, so that it comes out there."""


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
    profile: str = param(
        POWER,
        "Profile",
        "How the flanks steepen toward the top",
        choices=[
            (POWER, "Power", "Flat at the foot, steep only near the top"),
            (EXPONENTIAL, "Exponential", "Like a stratovolcano, which still slopes at its foot"),
        ],
    )
    steepening: float = param(
        1.6,
        "Steepening",
        "More flattens the foot and steepens the top; the top of an exponential profile is e to "
        "this power times as steep as its foot",
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
    irregularity: float = factor_param(
        0.0, "Irregularity", "How much the outline and the crater differ from circles, by the seed"
    )
    breach: float = factor_param(
        0.0,
        "Breach",
        "How far the crater is open on one side, as after a collapse",
        shown_if=("crater", NOT_ZERO),
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
        away = np.hypot(u, v)
        r = away / self.radius
        if self.irregularity:
            r /= 1 + np.float32(0.42 * self.irregularity) * self._lobes(u, v, away, seed)
        flank = self._flank(r)
        if self.ribs and self.rib_depth:
            flank *= 1 - self.rib_depth * self._gullies(u, v, r, seed)
        if self.crater:
            # The crater's rim is where the flank would be at its radius.
            crater = self._crater(u, v, r, seed)
            rim = self._flank(crater)
            bowl = rim - self.crater_depth * (1 - np.clip(r / crater, 0, 1) ** 2)
            flank = np.where(r < crater, np.minimum(flank, bowl), flank)
            if self.breach:
                flank = np.minimum(flank, self._breach(u, v, seed))
        return flank.astype(np.float32)

    def _flank(self, r: Doubles) -> Doubles:
        """Return the height of the cone without its crater, relative to the whole.

        Stratovolcanoes are nearly exponential: 30 to 35 degrees at the top, 5 to 10 at the foot
        (Peter Francis and Clive Oppenheimer, *Volcanoes*, 2004).
        """
        if self.profile == POWER:
            return np.asarray(np.clip(1 - r, 0, 1) ** self.steepening)
        rest = math.exp(-self.steepening)
        straight = np.maximum((np.exp(-self.steepening * r) - rest) / (1 - rest), 0)
        # The foot runs out over the last tenth.
        end = np.clip((1 - r) / 0.25, 0, 1)
        return np.asarray(straight * (end * (2 - end)))

    def _lobes(self, u: Doubles, v: Doubles, away: Doubles, seed: int) -> Floats:
        """Return noise around a circle that changes slowly outward, about -1 to 1."""
        inverse = 0.7 / np.maximum(away, 1e-9)
        lobes = noise.sample(
            "opensimplex2s",
            u * inverse,
            v * inverse,
            0.5 * away / self.radius,
            seed=seed + LEAN_STREAM,
            fractal="fbm",
            octaves=2,
        )
        return np.asarray(lobes, np.float32)

    def _breach(self, u: Doubles, v: Doubles, seed: int) -> Doubles:
        """Return the heights to which a breach lowers the side of the crater: a trough that leaves
        the crater and falls less than the flank."""
        word = hashed(seed, BREACH_STREAM, np.zeros(1, np.int64))[0]
        turn = 2 * math.pi * float(word) * 2.0**-32
        size = self.crater * self.radius
        out = (u * math.cos(turn) + v * math.sin(turn)) / size
        aside = (v * math.cos(turn) - u * math.sin(turn)) / size
        # It widens outward.
        aside = aside / (0.55 + 0.3 * np.maximum(out, 0))
        ahead = np.where(out > 0, np.abs(aside), np.hypot(out, aside))
        rim = float(self._flank(np.array([self.crater], np.float64))[0])
        floor = rim - self.breach * self.crater_depth
        fall = ELEVATED * size / max(abs(self.height), 1e-9)
        return np.asarray(floor - fall * np.maximum(out, 0) + self.crater_depth * ahead**2)

    def _crater(self, u: Doubles, v: Doubles, r: Doubles, seed: int) -> Doubles:
        """Return the radius of the crater relative to the whole.

        With ribs or irregularity it is uneven, and the rim is low where the crater is wide: a
        round crater would look punched out.
        """
        crater = np.full(r.shape, self.crater)
        if (self.ribs and self.rib_depth) or self.irregularity:
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
