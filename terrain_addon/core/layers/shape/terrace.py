# SPDX-License-Identifier: GPL-3.0-or-later
"""Terraces: flat steps at regular heights."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.hashing import hashed, signed_unit
from ...settings.params import factor_param, height_param, param, seed_param, size_param
from ..context import LayerContext
from ..kind import POINT, SHAPE, LayerKind, layer

STEP, COUNT = "step", "count"
LEAST_STEP = 0.01  # meters
MOST_STEPS = 2.0**24  # from Low: beyond, float32 cannot resolve a part of a step


@layer(
    "terrace",
    "Terrace",
    "Steps of flat ground and steep rises, like mesas or rice fields",
    group=SHAPE,
    icon="IPO_CONSTANT",
)
class Terrace(LayerKind):
    """Flattens the terrain around regular heights and steepens it between them."""

    depends_on = POINT

    by: str = param(
        STEP,
        "Steps By",
        "How the terraces are spaced",
        choices=[
            (STEP, "Height", "Terraces of a fixed height at all levels"),
            (COUNT, "Number", "A number of terraces between two heights; other heights stay"),
        ],
    )
    step: float = size_param(
        25.0,
        "Step",
        "Height from one terrace to the next",
        min=LEAST_STEP,
        max=1e5,
        soft_max=200.0,
        shown_if=("by", (STEP,)),
    )
    count: int = param(
        8, "Number", "Number of steps", min=1, max=1000, soft_max=50, shown_if=("by", (COUNT,))
    )
    low: float = height_param(
        0.0, "Low", "Height of one of the terraces", soft_min=-1000.0, soft_max=5000.0
    )
    high: float = height_param(
        200.0,
        "High",
        "Height of the highest terrace",
        soft_min=-1000.0,
        soft_max=5000.0,
        shown_if=("by", (COUNT,)),
    )
    sharpness: float = factor_param(
        0.8, "Sharpness", "0 leaves the terrain as it is, 1 gives flat terraces with vertical walls"
    )
    jitter: float = factor_param(0.3, "Jitter", "Random variation of the step heights")
    seed: int = seed_param("Seed of the variation")

    def apply(self, context: LayerContext) -> Floats:
        step = self.step if self.by == STEP else (self.high - self.low) / self.count
        if step < LEAST_STEP:  # no room for terraces
            return context.height
        farthest = max(context.height.max() - self.low, self.low - context.height.min())
        if self.by == STEP and farthest > MOST_STEPS * step:
            raise ValueError(
                f"The terrain is {farthest:.3g} m from Low, too far for steps of {step:g} m: use a "
                "larger Step, or lower the terrain below"
            )
        seed = context.seed + self.seed
        return context.by_rows(lambda height: self._terraced(height, step, seed))

    def _terraced(self, height: Floats, step: float, seed: int) -> Floats:
        t = (height - np.float32(self.low)) * np.float32(1 / step)
        number = np.floor(t)
        if self.by == COUNT:
            np.clip(number, np.float32(0), np.float32(self.count - 1), out=number)
        first = int(number.min()) - 1
        heights = self._terraces(first, int(number.max()) + 2, seed)
        index = number.astype(np.intp) - first
        # A jittered terrace may lie above or below its whole number, so the step is one off.
        index -= t < heights[index]
        index += t >= heights[index + 1]
        start = heights[index]
        width = heights[index + 1] - start
        within = t - start
        within /= width
        stepped = start + width * self._curve(within)
        if self.by == COUNT:
            stepped = np.where((t > 0) & (t < self.count), stepped, t)
        return stepped * np.float32(step) + np.float32(self.low)

    def _terraces(self, first: int, last: int, seed: int) -> Floats:
        """Return the heights of terraces in units of a step: their index, shifted by less than half
        a step."""
        number = np.arange(first, last + 1, dtype=np.int64)
        moved = signed_unit(hashed(seed, 0, number)) * np.float32(0.49 * self.jitter)
        if self.by == COUNT:
            moved[(number <= 0) | (number >= self.count)] = 0
        moved += number.astype(np.float32)
        return moved

    def _curve(self, t: Floats) -> Floats:
        """Return an S-curve from 0 to 1, flat at both ends and steep in the middle."""
        if self.sharpness == 1:
            return (t >= np.float32(0.5)).astype(np.float32)
        power = 1 / (1 - self.sharpness)
        least = np.float32(max(1e-30 ** (1 / power), 1e-6))  # powers beyond float32 are slow
        inside = np.clip(t, least, 1 - least)
        odds = ((1 - inside) / inside) ** np.float32(power)
        odds += 1
        return np.divide(1, odds, out=odds)
