# SPDX-License-Identifier: GPL-3.0-or-later
"""Sand dunes."""

from __future__ import annotations

import math

import numpy as np

from .. import noise
from ..arrays import Doubles, Floats
from ..params import param
from . import layer
from ._pattern import Pattern, usual_height

CREST_STREAM, PATCH_STREAM = 101, 202


@layer(
    "dunes",
    label="Dunes",
    help="Wandering sand dunes, with a gentle windward side and a steep slip face",
    icon="FORCE_WIND",
)
class Dunes(Pattern):
    """Transverse dunes: crests across the wind, which blows along X before turning."""

    height: float = usual_height(12.0)
    size: float = param(
        120.0,
        label="Wavelength",
        help="Distance from crest to crest",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=5.0,
        soft_max=1000.0,
    )
    asymmetry: float = param(
        0.7,
        label="Asymmetry",
        help="How much longer the windward side is than the slip face; 0 is alike",
        unit="factor",
        min=0.0,
        max=0.95,
    )
    sharpness: float = param(
        0.5, label="Sharpness", help="From round to sharp crests", unit="factor", min=0.0,
        max=1.0,
    )  # fmt: skip
    wandering: float = param(
        0.6,
        label="Wandering",
        help="How far crests swing from side to side and join",
        unit="factor",
        min=0.0,
        max=4.0,
        soft_max=1.5,
    )
    patchiness: float = param(
        0.5,
        label="Patchiness",
        help="How much dunes differ in height, down to bare ground between them",
        unit="factor",
        min=0.0,
        max=1.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        a, b = u / self.size, v / self.size
        swing = noise.sample(
            "opensimplex2s", a / 3, b / 5, seed=seed + CREST_STREAM, fractal="fbm", octaves=3
        )
        turns = a + self.wandering * swing
        phase = turns - np.floor(turns)
        crest = 0.5 + 0.5 * self.asymmetry
        # Rises over the part before the crest, falls over the rest; flat at both ends.
        t = np.where(phase < crest, phase / crest, (1 - phase) / (1 - crest))
        round_form = 0.5 - 0.5 * np.cos(math.pi * t)
        sharp_form = t * t * (2 - t)  # flat at the foot, still rising at the crest
        form = (round_form + self.sharpness * (sharp_form - round_form)).astype(np.float32)
        if self.patchiness:
            patch = noise.sample(
                "perlin", a / 4, b / 4, seed=seed + PATCH_STREAM, fractal="fbm", octaves=2
            )
            level = np.clip(0.5 + patch, 0, 1)
            form *= 1 + np.float32(self.patchiness) * (level - 1)
        return form
