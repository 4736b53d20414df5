# SPDX-License-Identifier: GPL-3.0-or-later
"""Octaves summed at points, block by block."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...numerics.blocks import POINTS, SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..basis import Basis, GridPlan
from ..fractals.eroded import SlopeFractal, Slopes
from ..fractals.fbm import FractalSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Halving, finest_of_halving

LINE = 16
"""Numbers in a cache line."""
Write = Callable[[Octave, float, Field], None]
"""Writes an octave, times a factor, into an array."""


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

    ``poll`` is called before each octave of a block.
    """
    flat = [coord.reshape(-1) for coord in coords]
    octaves, once = noise.prepare(total.octaves, len(flat))
    finest = finest_of_halving(octaves) if noise.has_cells(octaves, len(flat)) else None
    for block in _blocks(out.size):
        here, target = [coord[block] for coord in flat], out[block]
        if isinstance(total.fractal, SlopeFractal):
            octave_at = _slopes(noise, total, scratch, settings, poll)
            total.fractal.evaluate(total, octave_at, np.stack(here), target)
            total.normalise(target)
            continue
        if once is None and finest is None:
            write = _placed(noise, here, scratch, settings)
        else:
            stacked = np.stack(here, out=scratch("here", (len(flat), target.size), np.float64))
            if once is not None:
                once(stacked)
            write = (
                _placed(noise, stacked, scratch, settings)
                if finest is None
                else _halved(noise, Halving(stacked, finest, scratch), scratch, settings)
            )
        _sum_up(octaves, total, write, target, scratch, poll)


def _blocks(size: int) -> Iterator[slice]:
    """Parts of about the same length, so that rows of arrays (axes, n) begin at a cache line."""
    length = even_parts(size, POINTS)[0].stop if size else 1
    length = math.ceil(length / LINE) * LINE
    return (slice(start, min(start + length, size)) for start in range(0, size, length))


def _sum_up(
    octaves: Sequence[Octave],
    total: FractalSum,
    write: Write,
    out: Field,
    scratch: Scratch,
    poll: Callable[[], None],
) -> None:
    """Sum octaves that ``write`` makes."""
    values, amplitude = scratch("octave", out.shape), scratch("amplitude", out.shape)
    for number, octave in enumerate(octaves):
        poll()
        if not total.plain:
            write(octave, 1.0, values)
            total.add(number, values, out, amplitude, scratch)
        elif number:
            write(octave, total.amplitude(number), values)
            out += values
        else:
            write(octave, total.amplitude(number), out)


def _placed(
    noise: Basis, coords: Sequence[Axis] | Axis, scratch: Scratch, settings: Mapping[str, Any]
) -> Write:
    """Octaves at points that are placed anew in each."""
    placed = scratch("placed", (len(coords), coords[0].size), np.float64)

    def write(octave: Octave, factor: float, out: Field) -> None:
        for axis, coord in enumerate(coords):
            octave.place(axis, coord, out=placed[axis])
        noise.points(octave, placed, out, scratch, settings)
        if factor != 1:
            out *= np.float32(factor)

    return write


def _halved(noise: Basis, points: Halving, scratch: Scratch, settings: Mapping[str, Any]) -> Write:
    """Octaves at points whose cells are halved from octave to octave."""

    def write(octave: Octave, factor: float, out: Field) -> None:
        noise.in_cells(octave, points.cells(octave), factor, out, scratch, settings)

    return write


def _slopes(
    noise: Basis,
    total: FractalSum,
    scratch: Scratch,
    settings: Mapping[str, Any],
    poll: Callable[[], None],
) -> Slopes:
    """Octaves with slopes, as fractals of slopes want them."""

    def octave_at(number: int, coords: Axis) -> Field:
        poll()
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
        self.rows = max(1, 4 * SAMPLES // x.size)

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
