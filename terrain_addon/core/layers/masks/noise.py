# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by noise: patches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import noise
from ...numerics.arrays import Floats
from ...numerics.blocks import by_bands
from ...settings.params import factor_param, meters, param, seed_param, size_param
from ..context import LayerContext
from ..seamless import noise_cells, seamless_size
from .kind import Mask, mask

DEVIATION = 0.306
"""Standard deviation of one octave of Perlin noise."""
LOGISTIC = 1.702
"""Makes the logistic curve nearly that of the normal distribution (Johnson and Kotz 1970)."""
LEAST_SOFTNESS = 1e-4


@mask("noise", "Noise Patches", "Act in random patches")
class NoiseMask(Mask):
    """Patches of Perlin noise with soft or hard borders."""

    size: float = size_param(300.0, "Size", "Size of the largest patches", soft_max=5000.0)
    octaves: int = param(
        3, "Octaves", "Number of noise sizes: more gives finer borders", min=1, max=16
    )
    coverage: float = factor_param(0.5, "Coverage", "Share of the terrain covered by patches")
    softness: float = factor_param(0.3, "Softness", "Width of the transition at the borders")
    seed: int = seed_param("Seed of the patches")
    seamless: bool = param(
        False,
        "Seamless",
        "Make opposite borders match: the size is rounded to fit a whole number of times",
    )

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        repeated = self.seamless and name == "size"
        return seamless_size(size, self.size, length) if repeated else ""

    def weight(self, context: LayerContext) -> Floats:
        cells = noise_cells(context, self.size, self.seamless)
        values = noise.sample_grid(
            "perlin",
            context.grid.x / cells.x,
            context.grid.y / cells.y,
            period=cells.count,
            seed=context.seed + self.seed,
            fractal="fbm",
            octaves=self.octaves,
            cancelled=context.cancelled,
        )
        parts = 0.5 ** np.arange(self.octaves)
        deviation = DEVIATION * float(np.sqrt((parts**2).sum()) / parts.sum())
        soft = min(self.softness, 2 * self.coverage, 2 - 2 * self.coverage)  # keeps the coverage
        soft = max(soft, LEAST_SOFTNESS)

        def share(values: Floats) -> Floats:
            rank = np.exp(values * np.float32(-LOGISTIC / deviation))
            rank = np.float32(1) / (np.float32(1) + rank)  # 0 to 1, evenly
            share = (rank - np.float32(1 - self.coverage)) / np.float32(soft) + np.float32(0.5)
            return np.clip(share, np.float32(0), np.float32(1))

        return by_bands(share, context.cancelled, values)
