# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves, stripes and rings."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Doubles, Floats
from ..params import param
from . import layer
from ._pattern import OnlyBent, usual_height

PROFILES = [
    ("sine", "Sine", "Round crests and round troughs"),
    ("triangle", "Triangle", "Straight flanks, sharp crests and troughs"),
    ("sawtooth", "Sawtooth", "A slow rise and a sudden drop"),
    ("ridges", "Ridges", "Sharp crests over round troughs"),
    ("furrows", "Furrows", "Round crests over sharp troughs"),
    ("steps", "Steps", "Flat tops, flat bottoms and cliffs between"),
]


def profile(kind: str, turns: Doubles) -> Floats:
    """Height 0 to 1 of a wave after so many turns; float32.

    A crest lies at 0; the sawtooth drops there from its crest to its trough.
    """
    phase = turns - np.floor(turns)
    if kind == "sine":
        value = 0.5 + 0.5 * np.cos(2 * math.pi * phase)
    elif kind == "triangle":
        value = np.abs(1 - 2 * phase)
    elif kind == "sawtooth":
        value = phase
    elif kind == "ridges":
        value = 1 - np.abs(np.sin(math.pi * phase))
    elif kind == "furrows":
        value = np.abs(np.cos(math.pi * phase))
    else:
        value = (np.abs(phase - 0.5) > 0.25).astype(np.float64)
    return value.astype(np.float32)


@layer(
    "waves",
    label="Waves",
    help="Stripes, strata edges, bumps, zigzags, grids and spirals",
    icon="MOD_OCEAN",
)
class Waves(OnlyBent):
    """A wave along one axis, or two waves combined."""

    height: float = usual_height(15.0)
    pattern: str = param(
        "stripes",
        label="Pattern",
        help="How waves along both axes are combined",
        choices=[
            ("stripes", "Stripes", "One wave along X: swell, strata, furrows"),
            ("bumps", "Bumps", "The mean of a wave along X and one along Y"),
            ("dots", "Dots", "The product of both: separate bumps"),
            ("grid", "Grid", "The higher of both: a net of walls"),
            ("blocks", "Blocks", "The lower of both: blocks between a net of ditches"),
            ("zigzag", "Zigzag", "Stripes that swing from side to side"),
            ("spiral", "Spiral", "Arms that wind around the centre"),
        ],
    )
    profile: str = param(
        "sine", label="Profile", help="The cross-section of the waves", choices=PROFILES
    )
    size: float = param(
        200.0,
        label="Wavelength",
        help="Distance from crest to crest",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=1.0,
        soft_max=2000.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = u / self.size, v / self.size
        if self.pattern == "stripes":
            return profile(self.profile, u)
        if self.pattern == "zigzag":
            return profile(self.profile, u + 0.5 * np.sin(math.pi * v))
        if self.pattern == "spiral":
            return profile(self.profile, np.hypot(u, v) + np.arctan2(v, u) / (2 * math.pi))
        a, b = profile(self.profile, u), profile(self.profile, v)
        if self.pattern == "bumps":
            return (a + b) * np.float32(0.5)
        if self.pattern == "dots":
            return a * b
        return np.maximum(a, b) if self.pattern == "grid" else np.minimum(a, b)


@layer("rings", label="Rings", help="Concentric waves around a centre", icon="MESH_TORUS")
class Rings(OnlyBent):
    """Waves around the centre that die away outwards."""

    height: float = usual_height(20.0)
    profile: str = param(
        "sine", label="Profile", help="The cross-section of the waves", choices=PROFILES
    )
    size: float = param(
        200.0,
        label="Wavelength",
        help="Distance from ring to ring",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=1.0,
        soft_max=2000.0,
    )
    reach: float = param(
        0.0,
        label="Reach",
        help="Distance from the centre at which the rings have sunk to a third; 0 for all alike",
        unit="m",
        min=0.0,
        max=1e7,
        soft_max=2000.0,
    )
    squareness: float = param(
        0.0,
        label="Squareness",
        help="From circles to squares",
        unit="factor",
        min=0.0,
        max=1.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        round_distance = np.hypot(u, v)
        square_distance = np.maximum(np.abs(u), np.abs(v))
        distance = round_distance + self.squareness * (square_distance - round_distance)
        value = profile(self.profile, distance / self.size)
        if self.reach:
            value *= np.exp(-distance / self.reach).astype(np.float32)
        return value
