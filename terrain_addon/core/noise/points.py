# SPDX-License-Identifier: GPL-3.0-or-later
"""Octaves summed at points, block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .fractal import FractalSum
from .octave import Axis, Field
from .registry import Basis, GridPlan
from .scratch import Scratch
from .slope_fractals import SlopeFractal, Slopes

BLOCK = 24576
"""Points worked on at once: enough that calls cost little, few enough for the cache."""


def fill_points(
    noise: Basis,
    total: FractalSum,
    coords: Sequence[Axis],
    out: Field,
    scratch: Scratch,
    settings: Mapping[str, Any],
    poll: Callable[[], None] = lambda: None,
) -> None:
    """Noise at broadcast float64 coordinates of any shape into ``out`` (n,), block by block.

    ``poll`` is called before each block.
    """
    flat = [coord.reshape(-1) for coord in coords]
    octaves, once = noise.prepare(total.octaves, len(flat))
    for start in range(0, out.size, BLOCK):
        poll()
        block = slice(start, min(start + BLOCK, out.size))
        size = block.stop - start
        here = scratch("here", (len(flat), size), np.float64)
        for axis, coord in zip(here, flat, strict=True):
            np.copyto(axis, coord[block])
        if isinstance(total.fractal, SlopeFractal):
            octave_at = _slopes(noise, total, scratch, settings)
            total.fractal.evaluate(total, octave_at, here, out[block])
            total.normalise(out[block])
            continue
        if once is not None:
            once(here)
        values = scratch("octave", (size,))
        amplitude = scratch("amplitude", (size,))
        placed = scratch("placed", here.shape, np.float64)
        for number, octave in enumerate(octaves):
            octave.place_all(here, placed)
            noise.points(octave, placed, values, scratch, settings)
            total.add(number, values, out[block], amplitude, scratch)


def _slopes(
    noise: Basis, total: FractalSum, scratch: Scratch, settings: Mapping[str, Any]
) -> Slopes:
    """Octaves with slopes, as fractals of slopes want them."""

    def octave_at(number: int, coords: Axis) -> Field:
        values = scratch("slope_values", (3, coords.shape[1]))
        if number >= len(total.octaves):
            values.fill(0)
            values[0] = total.fractal.rest
            return values
        # Slopes may lead beyond the bounds of the given points.
        octave = replace(total.octaves[number], bounds=None)
        placed = scratch("placed", coords.shape, np.float64)
        octave.place_all(coords, placed)
        noise.slopes(octave, placed, values, scratch, settings)
        values *= np.float32(total.presence[number])
        return values

    return octave_at


class PointGrid(GridPlan):
    """A grid whose points are sampled one by one."""

    def __init__(
        self,
        noise: Basis,
        x: Axis,
        y: Axis,
        z: float | None,
        total: FractalSum,
        settings: Mapping[str, Any],
    ) -> None:
        self.noise, self.x, self.y, self.z = noise, x, y, z
        self.total, self.settings = total, settings
        self.rows = max(1, 8 * BLOCK // x.size)

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        axes = [self.x, self.y[start:stop, None]]
        if self.z is not None:
            axes.append(np.asarray(self.z))
        values = np.empty(out.size, np.float32)
        coords = np.broadcast_arrays(*axes)
        fill_points(self.noise, self.total, coords, values, scratch, self.settings, poll)
        out[...] = values.reshape(out.shape)
