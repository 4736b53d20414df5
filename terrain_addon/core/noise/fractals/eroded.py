# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractals controlled by the slopes of their octaves, for an eroded look."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from ...settings.params import Setting
from .fbm import MEAN_ABSOLUTE, Fractal, FractalSum, register_fractal
from .octave import STEEPEST, Axis, Field

WIDEST = 1e-30
"""Frequency below which float32 cannot hold a push across cells; nothing changes across those."""

Slopes = Callable[[int, Axis], Field]
"""From an octave's number and coordinates (axes, n) in noise units: value, x and y slope (3, n)."""


class SlopeFractal(Fractal, ABC):
    """A fractal whose slopes control where, or how strongly, finer octaves are sampled.

    It samples its octaves itself, so :meth:`Fractal.add` is not used.
    """

    @abstractmethod
    def evaluate(self, total: FractalSum, octave: Slopes, coords: Axis, out: Field) -> None:
        """Write the sum at coordinates (axes, n) in noise units into ``out`` (n,), unscaled.

        For octaves too fine for the grid ``octave`` returns a constant without slope.
        """


def _setting(name: str, default: float, label: str, help: str, least: float = -10.0) -> Setting:
    return Setting(name, "float", default, label, help, min=least, max=10.0, soft_min=0.0,
                   soft_max=1.0)  # fmt: skip


class Swiss(SlopeFractal):
    """Ridges whose finer octaves are pulled up the slopes of coarser ones.

    G. de Carpentier, "Scape: Procedural extensions", 2011.
    """

    name = "swiss"
    label = "Swiss"
    help = "Ridges with gullies that run down their sides, as if eroded"
    settings = (
        _setting("swiss_warp", 0.15, "Swiss Warp", "How far slopes pull finer ridges along"),
    )
    rest = MEAN_ABSOLUTE
    one_sided = True

    def farthest(self, total: FractalSum) -> float:
        return abs(total.settings["swiss_warp"]) * STEEPEST * sum(abs(g) for g in total.gains)

    def evaluate(self, total: FractalSum, octave: Slopes, coords: Axis, out: Field) -> None:
        warp = total.settings["swiss_warp"]
        moved, pull = coords.copy(), np.zeros((2, out.size), np.float32)
        amplitude = np.ones_like(out)
        out.fill(0)
        for number in range(len(total.gains)):
            moved[:2] = coords[:2] + warp * pull
            value, *slopes = octave(number, moved)
            out += amplitude * (1 - np.abs(value))
            for axis, slope in enumerate(slopes):
                pull[axis] -= amplitude * slope * value
            amplitude *= np.float32(total.given.gain) * np.clip(out, 0, 1)


class Jordan(SlopeFractal):
    """Squared noise, warped and damped by the slopes of coarser octaves.

    G. de Carpentier, "Scape: Procedural extensions", 2011.
    """

    name = "jordan"
    label = "Jordan"
    help = "Rounded bare hills with smooth flanks and fine folds"
    settings = (
        _setting("jordan_warp", 0.35, "Jordan Warp", "How far slopes push finer folds along"),
        _setting("jordan_damping", 0.8, "Jordan Damping", "How far slopes smooth finer folds"),
    )
    rest = MEAN_ABSOLUTE
    one_sided = True

    def evaluate(self, total: FractalSum, octave: Slopes, coords: Axis, out: Field) -> None:
        settings = total.settings
        # The first octave pushes and damps in the author's proportions, 0.4 : 0.35 and 1 : 0.8.
        warps = (settings["jordan_warp"] * 0.4 / 0.35, settings["jordan_warp"])
        dampings = (settings["jordan_damping"] / 0.8, settings["jordan_damping"])
        moved = coords.copy()
        push, damp = np.zeros((2, 2, out.size), np.float32)
        for number, gain in enumerate(total.gains):
            # The push is in cells of the octave that is sampled: by STEEPEST, less than 2**19.
            frequency = max(total.all_octaves[number].frequency, WIDEST)
            moved[:2] = coords[:2] + push / frequency
            value, *slopes = octave(number, moved)
            square = value * value
            if number:
                steepness = damp[0] * damp[0] + damp[1] * damp[1]
                square *= np.float32(gain) * (1 - 1 / (1 + steepness))
                out += square
            else:
                np.copyto(out, square)
            for axis, slope in enumerate(slopes):
                folded = slope * value
                push[axis] += np.float32(warps[min(number, 1)]) * folded
                damp[axis] += np.float32(dampings[min(number, 1)]) * folded


class DampedFbm(SlopeFractal):
    """fBm whose octaves fade where the sum of their slopes is steep. I. Quilez, 2008."""

    name = "damped_fbm"
    label = "Damped fBm"
    help = "Fine detail on flat ground and crests, smooth steep slopes"
    settings = (
        # Not below 0: some slope would make the divisor of the octaves 0.
        _setting("damping", 1.0, "Damping", "How far steep slopes smooth finer octaves", least=0.0),
    )

    def evaluate(self, total: FractalSum, octave: Slopes, coords: Axis, out: Field) -> None:
        damping = np.float32(total.settings["damping"])
        steep = np.zeros((2, out.size), np.float32)
        out.fill(0)
        for number, gain in enumerate(total.gains):
            value, *slopes = octave(number, coords)
            for axis, slope in enumerate(slopes):
                steep[axis] += slope
            squared = steep[0] * steep[0] + steep[1] * steep[1]
            out += np.float32(gain) * value / (1 + damping * squared)


for _fractal in (Swiss(), Jordan(), DampedFbm()):
    register_fractal(_fractal)
