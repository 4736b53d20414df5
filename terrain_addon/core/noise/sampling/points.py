# SPDX-License-Identifier: GPL-3.0-or-later
"""Octaves summed at points, block by block."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...numerics.blocks import POINTS, SAMPLES, even_parts, parts
from ...numerics.work_arrays import Scratch
from ..basis import Basis, GridPlan
from ..fractals.eroded import SlopeFractal
from ..fractals.fbm import FractalSum, RunningSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Halving, finest_of_halving

LINE = 16
"""Numbers in a cache line."""
Write = Callable[[Octave, float, Field], None]
"""Writes an octave, times a factor, into an array."""


@dataclass(frozen=True)
class PointSampler:
    """Noise at points, block by block.

    Attributes
    ----------
    noise : Basis
        The basis.
    total : FractalSum
        The fractal that sums its octaves.
    scratch : Scratch
        Work arrays of all blocks.
    poll : callable
        Called before each octave of a block; may raise to stop.
    """

    noise: Basis
    total: FractalSum
    scratch: Scratch
    poll: Callable[[], None]

    def fill(self, coords: Sequence[Axis], out: Field) -> None:
        """Write noise at float64 coordinates of one shape into ``out`` (n,)."""
        flat = [coord.reshape(-1) for coord in coords]
        octaves, once = self.noise.prepare(self.total.octaves, len(flat))
        halves = self.noise.has_cells(octaves, len(flat))
        finest = finest_of_halving(octaves) if halves else None
        for block in _blocks(out.size):
            here, target = [coord[block] for coord in flat], out[block]
            if isinstance(self.total.fractal, SlopeFractal):
                stacked = np.stack(here)
                self.total.fractal.evaluate(self.total, self._octave_with_slopes, stacked, target)
                self.total.normalize(target)
                continue
            if once is None and finest is None:
                write = self._placed(here)
            else:
                shape = len(flat), target.size
                stacked = np.stack(here, out=self.scratch("here", shape, np.float64))
                if once is not None:
                    once(stacked)
                write = self._placed(stacked) if finest is None else self._halved(stacked, finest)
            self._sum_up(octaves, write, target)

    def _sum_up(self, octaves: Sequence[Octave], write: Write, out: Field) -> None:
        """Sum the octaves that ``write`` writes."""
        total, running = self.total, RunningSum(self.total, out, self.scratch)
        for number, octave in enumerate(octaves):
            self.poll()
            if not total.plain:
                write(octave, 1.0, running.noise)
                running.add(number)
            elif number:
                write(octave, total.amplitude(number), running.noise)
                out += running.noise
            else:
                write(octave, total.amplitude(number), out)

    def _placed(self, coords: Sequence[Axis] | Axis) -> Write:
        """Return the octaves at points whose cells are found for each octave."""
        placed = self.scratch("placed", (len(coords), coords[0].size), np.float64)

        def write(octave: Octave, factor: float, out: Field) -> None:
            octave.place_all(coords, placed)
            self.noise.points(octave, placed, out, self.scratch)
            if factor != 1:
                out *= np.float32(factor)

        return write

    def _halved(self, coords: Axis, finest: float) -> Write:
        """Return the octaves at points whose cells are halved from octave to octave."""
        points = Halving(coords, finest, self.scratch)

        def write(octave: Octave, factor: float, out: Field) -> None:
            self.noise.in_cells(octave, points.cells(octave), factor, out, self.scratch)

        return write

    def _octave_with_slopes(self, number: int, coords: Axis) -> Field:
        """Return the value, x slope and y slope of an octave, as :data:`Slopes`."""
        self.poll()
        total = self.total
        values = self.scratch("slope_values", (3, coords.shape[1]))
        if number >= len(total.octaves):
            values.fill(0)
            values[0] = total.fractal.rest
            return values
        # Slopes may lead beyond the bounds of the given points.
        octave = replace(total.octaves[number], bounds=None)
        placed = self.scratch("placed", coords.shape, np.float64)
        octave.place_all(coords, placed)
        self.noise.slopes(octave, placed, values, self.scratch)
        values *= np.float32(total.presence[number])
        return values


def _blocks(size: int) -> Iterator[slice]:
    """Yield the parts of about the same length, so that rows of arrays (axes, n) begin at a cache
    line."""
    length = even_parts(size, POINTS)[0].stop if size else 1
    return parts(size, math.ceil(length / LINE) * LINE)


class PointGrid(GridPlan):
    """A grid whose points are sampled one by one."""

    def __init__(self, noise: Basis, x: Axis, y: Axis, z: float | None, total: FractalSum) -> None:
        self.noise, self.x, self.y, self.z, self.total = noise, x, y, z, total
        self.rows = max(1, 4 * SAMPLES // x.size)

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        axes = [self.x, self.y[start:stop, None]]
        if self.z is not None:
            axes.append(np.asarray(self.z))
        values = np.empty(out.size, np.float32)
        sampler = PointSampler(self.noise, self.total, scratch, poll)
        sampler.fill(np.broadcast_arrays(*axes), values)
        out[...] = values.reshape(out.shape)
