# SPDX-License-Identifier: GPL-3.0-or-later
"""Sand dunes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .... import noise
from ....numerics.angles import cos_sin
from ....numerics.arrays import Doubles, Floats
from ....numerics.progress import Cancel
from ....settings.params import factor_param, param, size_param
from ...context import SIDE
from ...kind import layer
from ._dune_forms import FORMS, LEAST
from ._pattern import Pattern, in_cells, rounded_larger, usual_height

CREST_STREAM, PATCH_STREAM, SIDE_STREAM = 101, 202, 303
STEP = 0.05
"""Distance of the points from which slopes are computed, in wavelengths."""

LONG = ("transverse", "linear")
"""Types with crests that never end."""
APART = 3.7
"""Distance of neighboring linear dunes in the noise that bends them: each bends on its own."""
SWING = 1.3
"""Length of the bends of linear dunes, in wavelengths."""
MOST, ROUND = np.float32(0.5), np.float32(0.2)
"""Largest share of the wavelength for a slip face, and the share over which the limit sets in."""


@layer(
    "dunes",
    "Dunes",
    "Sand dunes of five kinds, by the wind and the supply of sand, with steep slip faces",
    icon="FORCE_WIND",
)
class Dunes(Pattern):
    """Dunes of sand. The wind blows along X before rotation.

    Sand slides where it is steeper than about 33 degrees (Bagnold 1941). Slip faces are as long as
    this requires; where there is no room, dunes are lower. The kind follows from how much the wind
    turns and how much sand there is (Wasson and Hyde 1983).
    """

    warped_side = SIDE  # slow: cancellation is polled between squares

    type: str = param(
        "transverse",
        "Type",
        "What the wind and the supply of sand make",
        choices=[
            ("transverse", "Transverse", "Winding crests across the wind: much sand"),
            ("barchan", "Barchan", "Crescents, their horns down the wind: little sand"),
            ("linear", "Linear", "Long crests along the wind, which changes sides"),
            ("star", "Star", "Peaks with arms: the wind blows from all sides"),
            ("parabolic", "Parabolic", "Noses that move on, while plants hold their arms"),
        ],
    )
    height: float = usual_height(12.0)
    size: float = size_param(
        120.0, "Wavelength", "Distance from crest to crest", soft_min=5.0, soft_max=1000.0
    )
    asymmetry: float = factor_param(
        0.7,
        "Asymmetry",
        "How much longer the windward side is than the slip face; 0 is symmetric",
        max=0.95,
        shown_if=("type", ("transverse",)),
    )
    slip_angle: float = param(
        31.0,
        "Slip Face",
        "Steepest slope of sand, kept by longer slip faces or lower dunes",
        unit="deg",
        min=1.0,
        max=85.0,
        soft_min=10.0,
    )
    sharpness: float = factor_param(
        0.5, "Sharpness", "From round to sharp crests", shown_if=("type", LONG)
    )
    wandering: float = factor_param(
        0.6,
        "Wandering",
        "How much crests wind from side to side",
        max=4.0,
        soft_max=1.5,
        shown_if=("type", LONG),
    )
    patchiness: float = factor_param(
        0.5, "Patchiness", "Variation of the heights of dunes, down to bare ground"
    )

    def shifts(self) -> Sequence[tuple[float, float]]:
        if self.type in FORMS:
            return super().shifts()
        along, across = (STEP * self.size * part for part in cos_sin(self.rotation))
        return ((0.0, 0.0), (along, across), (-across, along))

    def block(
        self, places: Sequence[tuple[Doubles, Doubles]], seed: int, cancelled: Cancel
    ) -> Floats:
        if self.type in FORMS:
            return self._apart(*places[0], seed)
        linear = self.type == "linear"
        if linear:
            places = [(v, u) for u, v in places]
        # Dunes per meter in any direction, warp included: the steepness of a slip face is
        # proportional to it.
        turns, later, beside = (self._turns(u, v, seed) for u, v in places)
        pace = (np.hypot(later - turns, beside - turns) / (STEP * self.size)).astype(np.float32)
        levels = self._levels(*places[0], seed)
        if linear:
            return self._on_both_sides(turns, places[0][1], pace, levels, seed)
        return self._formed(turns, pace, levels)

    def _apart(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        """Return the heights of dunes that stand apart, lower where they would be too steep."""
        a, b = in_cells(u, self.size), in_cells(v, self.size)
        steepest = math.tan(math.radians(self.slip_angle)) * self.size
        steepest /= max(abs(self.height), 1e-6 * self.size)
        level = min(steepest / LEAST[self.type], 1.0)
        form = FORMS[self.type](a, b, seed, steepest / level, self.patchiness)
        form *= np.float32(level)
        return form

    def _turns(self, u: Doubles, v: Doubles, seed: int) -> Doubles:
        """Return the number of crests before a point, which increases along the wind everywhere."""
        a, b = u / self.size, v / self.size
        if not self.wandering:
            return a
        # Wide swings change slowly along the wind, so that no crest turns back on itself.
        a_slow, b_slow = a / (2 + 6 * self.wandering), b / (4 + 2 * self.wandering)
        swing = noise.sample(
            "opensimplex2s", a_slow, b_slow, seed=seed + CREST_STREAM, fractal="fbm", octaves=3
        )
        return a + self.wandering * swing

    def _levels(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        """Return the heights of the dunes around points, 0 to 1."""
        if not self.patchiness:
            return np.ones(u.shape, np.float32)
        a, b = u / self.size, v / self.size
        patch = noise.sample(
            "perlin", a / 4, b / 4, seed=seed + PATCH_STREAM, fractal="fbm", octaves=2
        )
        return 1 + np.float32(self.patchiness) * (np.clip(0.5 + patch, 0, 1) - 1)

    def _formed(self, turns: Doubles, pace: Floats, levels: Floats) -> Floats:
        """Return the profile of a dune, 0 to 1, at those phases."""
        phase = (turns - np.floor(turns)).astype(np.float32)
        needed = self._needed(levels, pace)
        least = np.float32(0.5 - 0.5 * self.asymmetry)
        share = np.sqrt(np.hypot(least * least, needed * needed))
        room = np.float32(max(min(ROUND, MOST - least), 1e-6))
        lee = -rounded_larger(-share, -MOST, room)
        return self._profile(phase, 1 - lee, lee, _lowered(levels, needed))

    def _on_both_sides(
        self, turns: Doubles, along: Doubles, pace: Floats, levels: Floats, seed: int
    ) -> Floats:
        """Return the profile of a dune whose crest swings between two slip faces, 0 to 1."""
        number = np.floor(turns)
        phase = (turns - number).astype(np.float32)
        needed = self._needed(levels, pace)
        swing = noise.sample(
            "perlin",
            number * APART,
            along / (SWING * self.size),
            seed=seed + SIDE_STREAM,
            fractal="fbm",
            octaves=2,
        )
        side = np.tanh(np.float32(2.5) * swing)
        crest = MOST + (MOST - np.clip(needed, np.float32(0.15), MOST)) * side
        return self._profile(phase, crest, 1 - crest, _lowered(levels, needed))

    def _needed(self, levels: Floats, pace: Floats) -> Floats:
        """Return the share of the wavelength that a slip face needs in order not to be too
        steep."""
        steepest = (1 - self.sharpness) * math.pi / 2 + self.sharpness * 4 / 3
        fall = abs(self.height) * steepest / math.tan(math.radians(self.slip_angle))
        return np.float32(fall) * levels * pace

    def _profile(self, phase: Floats, before: Floats, after: Floats, levels: Floats) -> Floats:
        """Return the height at a phase: it rises over the part ``before`` the crest and falls over
        the part ``after`` it, and is flat at both ends."""
        t = np.where(phase < before, phase / before, (1 - phase) / after)
        round_form = 0.5 - 0.5 * np.cos(np.float32(math.pi) * t)
        sharp_form = t * t * (2 - t)  # flat at the foot, still rising at the crest
        form = round_form + np.float32(self.sharpness) * (sharp_form - round_form)
        return np.asarray(form * levels, np.float32)


def _lowered(levels: Floats, needed: Floats) -> Floats:
    """Return the heights of dunes, less where there is no room for their slip faces."""
    lower = MOST / np.maximum(needed, np.float32(1e-6))
    return levels * -rounded_larger(-lower, np.float32(-1), ROUND)
