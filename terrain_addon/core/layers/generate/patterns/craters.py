# SPDX-License-Identifier: GPL-3.0-or-later
"""Impact craters: the younger cover the older."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....numerics import portable
from ....numerics.arrays import Doubles, Floats
from ....numerics.progress import Cancel
from ....settings.params import factor_param, length_param, param, size_param
from ...kind import layer
from ._crater_field import laid_out
from ._pattern import Pattern, rounded_larger, smoothstep, usual_height

CREST = 0.12, 0.35
"""Half the width of a rounded crest in radii, of a fresh and of a fully worn crater."""
WITH_PEAK = 2
"""Number of sizes with central peaks, the largest: small craters are simple bowls."""
PEAK = np.float32(0.22 * math.log(2) ** 0.5)
"""Radius at which a central peak is half as high, in radii of the crater."""
SHALLOWER = -0.7
"""Power of the diameter by which large craters are shallower than simple ones of their size."""
TERRACES, TERRACED = 3, (0.5, 1.0)
"""Number of terraces on the wall of a complex crater, and the radii between which they lie."""
LEVEL = 0.045
"""How far terraces stand out from the wall, in depths: at this they are nearly level."""
MIDDLE = 0.75
"""Diameter of the craters of one size in the middle, relative to the largest of them."""


@layer(
    "craters",
    "Craters",
    "Impact craters of many sizes and ages, with rims, floors and central peaks",
    icon="MESH_UVSPHERE",
)
class Craters(Pattern):
    """Craters: ``height`` is the depth of the largest below the rim.

    Each octave has craters half as large and half as deep as the one before, four times as many,
    as on old planetary surfaces (sizes follow a power law of exponent -2). A younger crater covers
    what was under its bowl and rim. The thickness of its ejecta around falls with the third power
    of the distance (McGetchin, Settle and Head 1973).
    """

    side = warped_side = 176  # each size adds points: many sizes take longer in larger squares

    height: float = usual_height(60.0)
    size: float = size_param(
        300.0,
        "Largest Crater",
        "Diameter of the largest craters, from rim to rim",
        min=1e-2,
        soft_min=10.0,
    )
    octaves: int = param(
        4,
        "Sizes",
        "Number of crater sizes, each half as large as the last",
        min=1,
        max=10,
        soft_max=8,
    )
    density: float = factor_param(0.6, "Density", "Share of cells with a crater, for each size")
    wear: float = factor_param(
        0.6, "Wear", "How much the oldest craters are worn down and filled; younger ones less"
    )
    rim_height: float = factor_param(0.25, "Rim Height", "Height of the rim relative to the depth")
    rim_width: float = factor_param(0.7, "Rim Width", "Width of the rim in radii", min=0.05)
    floor: float = factor_param(
        0.3, "Flat Floor", "Share of the bowl that is filled to a flat floor", max=0.95
    )
    peak: float = factor_param(
        0.3,
        "Central Peak",
        "Height of the peak in the center of large craters, relative to the depth",
    )
    complex_size: float = length_param(
        0.0,
        "Complex From",
        "Diameter from which craters are shallow, with terraces and a central peak: about 15 km on "
        "the Moon, 6 km on Mars; 0 puts peaks in the two largest sizes",
        soft_max=5000.0,
        advanced=True,
    )

    def block(
        self, places: Sequence[tuple[Doubles, Doubles]], seed: int, cancelled: Cancel
    ) -> Floats:
        return laid_out(
            *places[0],
            seed,
            size=self.size,
            octaves=self.octaves,
            density=self.density,
            reach=self._reach,
            profile=self._profile,
            cancelled=cancelled,
        )

    def _profile(self, r: Floats, age: Floats, octave: int) -> tuple[Floats, Floats]:
        """Return the heights at r radii from the center of a crater, -1 at the bottom of a full
        bowl, and the share of the older relief that remains."""
        worn = np.float32(self.wear) * age
        rim = np.float32(self.rim_height) * (1 - np.float32(0.85) * worn)
        floor = np.float32(self.floor - 1) * (1 - np.float32(0.7) * worn)
        # A parabola from the floor up to the rim and the ejecta outside meet in a round crest. Its
        # width times the angle between the two is the rounding.
        crest = np.float32(CREST[0]) + np.float32(CREST[1] - CREST[0]) * worn
        rounding = crest * (2 + 5 * rim)
        rim += np.minimum(rounding / 4, rim)  # what rounding takes off
        wall = (1 + rim) * r * r - 1
        if self._complex(octave):
            first, last = (np.float32(one) for one in TERRACED)
            turns = np.clip((r - first) / (last - first), 0, 1)
            wall -= (
                np.float32(LEVEL) * (1 - worn) * np.sin(np.float32(2 * math.pi * TERRACES) * turns)
            )
        inside = rounded_larger(wall, floor, np.float32(0.15))
        out = np.clip((r - 1) / np.float32(self.rim_width), 0, 1)
        thinning = np.float32(1) - out * out
        away = np.maximum(r, np.float32(0.5))
        outside = rim * thinning * thinning / (away * away * away)
        profile = -rounded_larger(-inside, -outside, rounding)
        peaked = self._complex(octave) if self.complex_size else octave < WITH_PEAK
        if self.peak and peaked:
            peak = np.float32(self.peak) * (1 - worn)
            profile += peak * portable.exp2(-np.square(r / PEAK))
        if self._complex(octave):
            profile *= np.float32((self._middle(octave) / self.complex_size) ** SHALLOWER)
        return profile, smoothstep(1, self._reach, r)

    def _middle(self, octave: int) -> float:
        """Return a diameter in the middle of those of one size, in meters."""
        return MIDDLE * self.size * 0.5**octave

    def _complex(self, octave: int) -> bool:
        """Return whether craters of that size have collapsed: from a diameter on, depths grow with
        its power 0.3 only (Richard Pike, *Size-dependence in the shape of fresh impact craters on
        the Moon*, 1977)."""
        return 0 < self.complex_size < self._middle(octave)

    @property
    def _reach(self) -> float:
        """Radius of a crater's effect, in radii."""
        return 1 + max(self.rim_width, CREST[1])
