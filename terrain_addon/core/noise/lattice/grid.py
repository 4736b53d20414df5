# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise on a regular grid, where it is separable.

With blend weights w, offsets d and gradients (gx, gy), one octave is::

    sum over b of  wy_b P_b + (wy_b dy_b) Q_b
    P_b = sum over a of  wx_a dx_a gx_ab,    Q_b = sum over a of  wx_a gy_ab

P and Q depend on the column and the lattice row only. So the sums over a are made for the few
lattice rows, and every row of the grid is then a short weighted sum of such rows. A band of grid
rows is one product of a small matrix of weights with the lattice rows of all its octaves. Value
noise has P alone. A plane z = const of 3D noise is a 2D lattice of blended coefficients, with
one more coefficient C that joins P as ``wx_a C_ab``.

Every pixel adds the same terms in the same order, whatever the band, the tile or the thread:
the weights of foreign lattice rows are exact zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.fbm import FractalSum, RunningSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.lattice_lines import Lines
from .bands import BAND, POLLED, Bands
from .lattice import Lattice

CHUNK = 2048
"""About how many rows share their lattice rows at most. Long chunks make few short calls, for which
threads wait for each other: with half as many rows two threads gained a tenth less."""
TILE = 4096
LEAST_TILE = 256
"""Columns worked on at once, at most and at least."""
STACK = 2 << 20
"""Bytes that the lattice rows of a band may take, so that they stay in the cache."""
STRIP = 64
"""Lattice rows blended at once, so that their arrays stay in the cache."""
HASHED = 4 * SAMPLES
"""Lattice points hashed at once, or those of a strip if it has more."""
BUDGET = 17 << 20
"""Bytes that the lattice rows of a chunk may take."""
COARSE = 8
"""Octaves are coarse whose cells are so many times as wide as those of the finest: bands that keep
within such cells are high enough."""


@dataclass(frozen=True)
class _Blended:
    """One axis of one octave.

    Sample i blends its lattice lines with ``values[:, i]`` and, for gradient noise,
    ``slopes[:, i]`` (weight times offset); for other noise both are the same.
    """

    lines: Lines
    values: Field
    slopes: Field


def _blended(lattice: Lattice, coord: Axis, amplitude: float) -> _Blended:
    blend, cell = lattice.blend, np.floor(coord)
    offset = coord - cell
    weights = np.empty((blend.taps, coord.size))
    blend.weights(offset, weights)
    weights *= amplitude
    lines = Lines.around(cell.astype(np.int64) + blend.first, blend.taps)
    values = slopes = weights.astype(np.float32)
    if lattice.gradient:
        taps = np.arange(blend.taps)[:, None] + blend.first
        slopes = (weights * (offset - taps)).astype(np.float32)
    return _Blended(lines, values, slopes)


class _OctaveRows:
    """Rows that one octave is made of, on one grid."""

    def __init__(self, lattice: Lattice, octave: Octave, x: Axis, z: float | None) -> None:
        self.lattice, self.octave = lattice, octave
        self.x = _blended(lattice, octave.place(0, x), 1.0)
        self.fields = 2 if lattice.gradient else 1
        self.z: _Blended | None = None
        if z is not None:
            self.z = _blended(lattice, octave.place(2, np.array([z])), 1.0)

    def write(self, lines: NDArray[np.int64], columns: slice, out: Field, scratch: Scratch) -> None:
        """Write P rows and, for gradient noise, Q rows of those lattice rows (rows, columns)."""
        needed, start = self.x.lines.part(columns)
        indices = [start + tap for tap in range(self.lattice.blend.taps)]
        values, slopes = self.x.values[:, columns], self.x.slopes[:, columns]
        blended = out.reshape(self.fields, lines.size, start.size)
        gathered = scratch("gathered", (min(lines.size, STRIP), start.size))
        for part in even_parts(lines.size, max(STRIP, HASHED // needed.size)):
            fields = self._coefficients(needed, lines[part], scratch)
            of_p = [(fields[0], slopes), *((field, values) for field in fields[2:])]
            of_q = [(field, values) for field in fields[1:2]]
            for strip in even_parts(part.stop - part.start, STRIP):
                work = gathered[: strip.stop - strip.start]
                for target, terms in zip(blended[:, part], (of_p, of_q), strict=False):
                    _blend(terms, indices, strip, target[strip], work)

    def _coefficients(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64], scratch: Scratch
    ) -> tuple[Field, ...]:
        """Return the lattice fields (rows, columns); of a plane of 3D noise, blended along z."""
        hashing = self.lattice.hashing
        if self.z is None:
            return hashing.mesh([columns, rows], self.octave, scratch)
        fields = hashing.mesh([columns, rows, self.z.lines.needed], self.octave, scratch)
        values, slopes = self.z.values[:, :, None], self.z.slopes[:, :, None]
        blended = [(field * values).sum(axis=0) for field in fields[:2]]
        if self.lattice.gradient:
            blended.append((fields[2] * slopes).sum(axis=0))
        return tuple(blended[: 3 if self.lattice.gradient else 1])


def _blend(
    terms: list[tuple[Field, Field]],
    indices: list[NDArray[np.intp]],
    strip: slice,
    out: Field,
    work: Field,
) -> None:
    """Write the sum over terms and taps of table[strip, indices[tap]] * weights[tap] to ``out``
    (rows, n)."""
    empty = True
    for table, weights in terms:
        for index, weight in zip(indices, weights, strict=True):
            # Indices are in range by construction; mode="wrap" spares a buffered copy of out.
            table[strip].take(index, axis=1, out=out if empty else work, mode="wrap")
            if empty:
                out *= weight
                empty = False
            else:
                work *= weight
                out += work


class LatticeGrid(GridPlan):
    """All octaves of lattice noise on one grid."""

    step = BAND

    def __init__(
        self, lattice: Lattice, x: Axis, y: Axis, z: float | None, total: FractalSum
    ) -> None:
        self.total, self.columns = total, x.size
        if x.size < 8:  # einsum sums in another order along a single column
            x = np.concatenate([x, np.repeat(x[-1:], 8 - x.size)])
        self.width = x.size
        if z is None and lattice.plane_of_3d:
            z = 0.0
        scale = lattice.scale[2 if z is None else 3]
        octaves = list(enumerate(total.octaves))
        if total.plain:
            octaves.sort(key=lambda numbered: abs(numbered[1].frequency))
        scales = [scale * (total.amplitude(k) if total.plain else 1.0) for k, _ in octaves]
        self.octaves = [_OctaveRows(lattice, octave, x, z) for _, octave in octaves]
        along_y = [
            _blended(lattice, octave.place(1, y), factor)
            for (_, octave), factor in zip(octaves, scales, strict=True)
        ]
        self.lines = [octave.lines for octave in along_y]
        weights = [[octave.values for octave in along_y], [octave.slopes for octave in along_y]]
        self.weights = np.array(weights[: 2 if lattice.gradient else 1])
        # Adding up octaves one by one takes many short calls: two threads take longer, by up to a
        # third.
        self.terms = self.weights[..., 0].size if total.plain else 0
        coarse = 0
        # Gradient noise would gain half as much, its rows being twice as many, and on two threads
        # nothing: the calls for what bands share are short.
        if total.plain and not lattice.gradient:
            finest = abs(octaves[-1][1].frequency)
            coarse = sum(abs(octave.frequency) * COARSE <= finest for _, octave in octaves[:-1])
        self.scales = np.array(scales[: coarse if coarse > 1 else 0], np.float32)
        self.rows, self.tiles = self._sizes(y.size)

    def _sizes(self, rows: int) -> tuple[int, list[slice]]:
        """Return the rows of a chunk and columns of tiles: fewer where narrow cells need many
        lines."""
        fields, _, taps, _ = self.weights.shape
        lines = sum(line.needed.size for line in self.lines) / rows * fields
        stacked = BAND * lines + len(self.octaves) * taps * fields
        tile = min(TILE, max(LEAST_TILE, int(STACK / (4 * stacked))))
        most = BUDGET / (4 * lines * min(tile, self.width))
        chunks = max(1, round(rows / CHUNK), math.ceil(rows / most))
        return math.ceil(rows / chunks / BAND) * BAND, even_parts(self.width, tile)

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        bands = Bands(self.lines, self.weights, self.scales, slice(start, stop))
        for columns in self.tiles:
            rows = scratch("rows", (bands.pieces[-1].stop, columns.stop - columns.start))
            for octave, needed, piece in zip(self.octaves, bands.lines, bands.pieces, strict=True):
                poll()
                octave.write(needed, columns, rows[piece], scratch)
            target = out[:, columns]
            if self.columns < self.width:
                target = np.empty((stop - start, self.width), np.float32)
            if self.total.plain:
                bands.write(rows, target, scratch, poll)
            else:
                for number, part in bands:
                    if not number % POLLED:
                        poll()
                    self._octaves(bands, number, rows, target[part], scratch)
            if self.columns < self.width:
                np.copyto(out, target[:, : self.columns])

    def _octaves(
        self, bands: Bands, number: int, rows: Field, out: Field, scratch: Scratch
    ) -> None:
        """Write one band octave by octave, added up as the fractal says."""
        running = RunningSum(self.total, scratch("summed", out.shape), scratch)
        for octave in range(len(self.octaves)):
            bands.write_octave(number, octave, rows, running.noise, scratch)
            running.add(octave)
        np.copyto(out, running.out)
