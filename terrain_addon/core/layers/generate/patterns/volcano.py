# SPDX-License-Identifier: GPL-3.0-or-later
"""A volcano with crater, ribs, side summits and the scar of a collapse."""

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
WANDER_STREAM, SUMMIT_STREAM, COLLAPSE_STREAM = 606, 707, 808
LOBES = 7
"""Largest number of lobes around an irregular volcano."""
SUMMIT_AWAY = 0.1, 0.42
"""Distances of side summits from the main one, relative to the radius."""
SUMMIT_ABOVE = 0.1, 0.28
"""Heights of side summits above the flank there, relative to the height: Shastina and Pico Viejo
stand 0.15 to 0.25 above theirs."""
SUMMIT_CRATER = 0.12
"""Radius of the crater of a side summit, relative to its own radius."""
SCAR, SCAR_DEPTH = 0.2, 0.38
"""Half the width and the depth of the largest scar of a collapse, relative to radius and height:
1 km and 600 m at Mount St. Helens, whose radius is 5 km and height 1.5."""
UNEVEN_RIM = 0.3
"""Largest deviation of the crater's radius from its mean on a ribbed or irregular volcano."""
_SMALLEST = 1e-6
"""Least radius of a crater relative to the whole: the sides of smaller ones are too steep."""
POWER, EXPONENTIAL = "power", "exponential"
ELEVATED = math.tan(math.radians(8))
"""Fall of the floor of a breach: less than that of the flank, so that it comes out there."""
SCAR_FALL = math.tan(math.radians(10))
"""Fall of the floor of a scar near the summit."""


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

    wander: float = factor_param(
        0.0,
        "Wander",
        "How far the seed moves the summit from the center, relative to the radius",
        soft_max=0.3,
    )
    side_summits: int = param(
        0, "Side Summits", "Most younger cones on the flanks; the seed decides", min=0, max=8
    )
    collapse: float = factor_param(
        0.0,
        "Collapse",
        "Largest scar of a flank that slid away, a horseshoe with steep walls; the seed decides",
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
        if self.wander:
            u, v = self._moved(u, v, seed)
        away = np.hypot(u, v)
        r = away / self.radius
        lean: float | Doubles = 1.0
        if self.irregularity:
            lean = 1 + 0.42 * self.irregularity * self._lobes(u, v, away, seed)
            r /= lean
        flank = self._flank(r)
        if self.side_summits:
            self._add_summits(flank, u, v, lean, seed)
        if self.ribs and self.rib_depth:
            flank *= 1 - self.rib_depth * self._gullies(u, v, r, seed)
        if self.crater > _SMALLEST:
            # The crater's rim is where the flank would be at its radius.
            crater = self._crater(u, v, r, seed)
            rim = self._flank(crater)
            bowl = rim - self.crater_depth * (1 - np.clip(r / crater, 0, 1) ** 2)
            flank = np.where(r < crater, np.minimum(flank, bowl), flank)
            if self.breach:
                flank = np.minimum(flank, self._breach(u, v, seed))
        if self.collapse:
            self._cut_scar(flank, u, v, seed)
        return flank.astype(np.float32)

    def _moved(self, u: Doubles, v: Doubles, seed: int) -> tuple[Doubles, Doubles]:
        """Return the coordinates from a summit that lies anywhere near the center."""
        turn, far = _random(seed, WANDER_STREAM, 2)
        away = self.wander * self.radius * math.sqrt(far)
        turn *= 2 * math.pi
        return u - away * math.cos(turn), v - away * math.sin(turn)

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

    def _lobes(self, u: Doubles, v: Doubles, away: Doubles, seed: int) -> Doubles:
        """Return a sum of waves around a circle that changes outward, about -1 to 1.

        One wave leans the cone to a side, two make it oblong, more give it buttresses.
        """
        out = np.minimum(away / self.radius, 1.5)
        inverse = 1 / np.maximum(away, 1e-9)
        cos, sin = u * inverse, v * inverse
        wave, across = cos, sin
        lobes = np.zeros_like(away)
        parts = 2 * _random(seed, LEAN_STREAM, 4 * LOBES).reshape(LOBES, 4) - 1
        for number, (a, b, c, d) in enumerate(parts, start=1):
            size = 0.75 * number**-0.7
            lobes += wave * (size * a + size * c * out)
            lobes += across * (size * b + size * d * out)
            wave, across = wave * cos - across * sin, across * cos + wave * sin
        return lobes

    def _add_summits(
        self, flank: Doubles, u: Doubles, v: Doubles, lean: float | Doubles, seed: int
    ) -> None:
        """Add younger cones of the same slopes to heights of the flank, in place."""
        count = int(_random(seed, SUMMIT_STREAM, 1)[0] * (self.side_summits + 1))
        for number in range(1, count + 1):
            turn, far, more = _random(seed, SUMMIT_STREAM + number, 3)
            far = SUMMIT_AWAY[0] + far * (SUMMIT_AWAY[1] - SUMMIT_AWAY[0])
            more = SUMMIT_ABOVE[0] + more * (SUMMIT_ABOVE[1] - SUMMIT_ABOVE[0])
            share = min(float(self._flank(np.array([far]))[0]) + more, 0.96)
            x, y = (far * self.radius * one(2 * math.pi * turn) for one in (math.cos, math.sin))
            r = np.hypot(u - x, v - y) / (share * self.radius) / lean
            near = np.flatnonzero(r < 1)
            # A cone that ends in a flat crater.
            cone = share * self._flank(np.maximum(r[near], SUMMIT_CRATER))
            flank[near] = np.maximum(flank[near], cone)

    def _cut_scar(self, flank: Doubles, u: Doubles, v: Doubles, seed: int) -> None:
        """Cut the scar of a collapse into heights of the flank, in place.

        Such amphitheaters open downhill, with steep walls about a floor that the debris left
        (Lee Siebert, *Large volcanic debris avalanches*, 1984).
        """
        turn, much = _random(seed, COLLAPSE_STREAM, 2)
        much *= self.collapse
        size, depth = SCAR * (0.4 + 0.6 * much), SCAR_DEPTH * much
        along, across = self._ahead(u, v, turn, size * self.radius)
        near = np.flatnonzero((along > -2.5) & (flank > 0))
        out, aside, top = along[near] + 0.25, across[near], flank[near]
        uneven = noise.sample(
            "opensimplex2s", 1.1 * out, 1.1 * aside, seed=seed + COLLAPSE_STREAM, fractal="fbm",
            octaves=4,
        )  # fmt: skip
        aside = aside / (0.7 + 0.32 * np.maximum(out, 0)) + 0.3 * uneven
        ahead = np.where(out > 0, np.abs(aside), np.hypot(out + 0.3 * uneven, aside))
        rim = float(self._flank(np.array([self.crater]))[0])
        fall = SCAR_FALL * size * self.radius / max(abs(self.height), 1e-9)
        floor = rim - depth - fall * np.maximum(out, 0)
        # It ends at the foot, where no flank is left to slide.
        floor = np.maximum(floor, top * (1 - 0.55 * much))
        flank[near] = np.minimum(top, floor + 1.2 * depth * np.minimum(ahead, 2) ** 3)

    def _ahead(self, u: Doubles, v: Doubles, turn: float, size: float) -> tuple[Doubles, Doubles]:
        """Return coordinates along and across a direction of a share of a turn, in sizes."""
        cos, sin = math.cos(2 * math.pi * turn) / size, math.sin(2 * math.pi * turn) / size
        return u * cos + v * sin, v * cos - u * sin

    def _breach(self, u: Doubles, v: Doubles, seed: int) -> Doubles:
        """Return the heights to which a breach lowers the side of the crater: a trough that leaves
        the crater and falls less than the flank."""
        size = self.crater * self.radius
        out, aside = self._ahead(u, v, _random(seed, BREACH_STREAM, 1)[0], size)
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


def _random(seed: int, stream: int, count: int) -> Doubles:
    """Return numbers from 0 to 1 that follow from the seed and a stream."""
    words = hashed(seed, stream, np.arange(count, dtype=np.int64))
    return np.asarray(words.astype(np.float64) * 2.0**-32)
