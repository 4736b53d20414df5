# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain fractals whose roughness varies with height.

F. K. Musgrave, in Ebert et al., "Texturing and Modeling: A Procedural Approach", 3rd edition,
2003, chapter 16. His exponent H follows from the gain: ``gain = lacunarity ** -H``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...settings.params import Setting
from .fbm import MEAN_ABSOLUTE, Fractal, FractalSum, RunningSum, absolute, register_fractal

OFFSET = Setting(
    "offset",
    "float",
    1.0,
    "Offset",
    "Raises the noise before it is multiplied: low values smooth the valleys",
    min=0.0,
    max=10.0,
    soft_max=2.0,
)
SHARPNESS = Setting(
    "sharpness",
    "float",
    2.0,
    "Sharpness",
    "How quickly finer octaves gain on the crests of coarser ones",
    min=0.0,
    max=100.0,
    soft_max=4.0,
)


class Multifractal(Fractal):
    """Product of the octaves: value *= offset + gain**k * noise."""

    name = "multifractal"
    label = "Multifractal"
    help = "Octaves multiplied: plains beside rough hills"
    settings = (OFFSET,)

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        return math.prod(settings["offset"] + abs(gain) for gain in gains)

    def add(self, running: RunningSum, number: int) -> None:
        noise, out = running.noise, running.out
        noise *= np.float32(running.total.gains[number])
        noise += np.float32(running.total.settings["offset"])
        if number:
            out *= noise
        else:
            np.copyto(out, noise)


class HeteroTerrain(Fractal):
    """Octaves in proportion to the height so far: value += (noise + offset) gain**k value."""

    name = "hetero_terrain"
    label = "Hetero Terrain"
    help = "Rougher the higher it gets: smooth lowlands, rugged peaks"
    settings = (OFFSET,)

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        reach = 1 + settings["offset"]
        return reach * math.prod(1 + reach * abs(gain) for gain in gains[1:])

    def add(self, running: RunningSum, number: int) -> None:
        noise, out = running.noise, running.out
        noise += np.float32(running.total.settings["offset"])
        if number == 0:
            np.copyto(out, noise)
            return
        noise *= np.float32(running.total.gains[number])
        noise *= out
        out += noise


class HybridMultifractal(Fractal):
    """Between a sum and a product: octaves weighted by the product of all before, at most 1."""

    name = "hybrid_multifractal"
    label = "Hybrid Multifractal"
    help = "Smooth valleys at every height, rough ridges between them"
    settings = (OFFSET,)

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        return (1 + settings["offset"]) * sum(abs(gain) for gain in gains)

    def largest(self, total: FractalSum) -> float:
        # Weights below zero are not limited: each octave multiplies them by all it has.
        offset = total.settings["offset"]
        below, above = max(1 - offset, 0.0), 1 + offset
        whole, low, high = above, below, 1.0
        for gain in total.gains[1:]:
            low, high = max(high * below, low * above), max(high * above, low * below)
            if gain < 0:
                low, high = high, low
            low, high = abs(gain) * low, abs(gain) * high
            whole += max(low, high)
            high = min(high, 1.0)
        return whole

    def add(self, running: RunningSum, number: int) -> None:
        noise, out, state = running.noise, running.out, running.state
        noise += np.float32(running.total.settings["offset"])
        if number == 0:
            np.copyto(out, noise)
            np.copyto(state, noise)
            return
        running.limit(state)
        noise *= np.float32(running.total.gains[number])
        state *= noise
        out += state


class RidgedMultifractal(Fractal):
    """Squared ridges, each octave weighted by the one before."""

    name = "ridged_multifractal"
    label = "Ridged Multifractal"
    help = "Sharp ridges with finer ridges on their crests, valleys left smooth"
    settings = (OFFSET, SHARPNESS)
    rest = MEAN_ABSOLUTE
    one_sided = True

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        offset = settings["offset"]
        return max(offset**2, (1 - offset) ** 2) * sum(abs(gain) for gain in gains)

    def fold(self, running: RunningSum) -> None:
        absolute(running)

    def add(self, running: RunningSum, number: int) -> None:
        total, noise, out, state = running.total, running.noise, running.out, running.state
        np.subtract(np.float32(total.settings["offset"]), noise, out=noise)
        noise *= noise
        if number == 0:
            np.copyto(out, noise)
            np.copyto(state, noise)
            return
        state *= np.float32(total.settings["sharpness"])
        running.limit(state)
        state *= noise
        np.multiply(state, np.float32(total.gains[number]), out=noise)
        out += noise


for _fractal in (Multifractal(), HeteroTerrain(), HybridMultifractal(), RidgedMultifractal()):
    register_fractal(_fractal)
