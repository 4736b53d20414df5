# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies: a filter that cuts fine channels down every slope, each point by itself.

Each octave lays stripes along the fall line: around every point of a lattice runs a wave across
the slope, with a random phase, and the waves of nine lattice points are blended (phasor noise,
Tricard et al. 2019; as an erosion filter Clay John 2018, Felix Westin 2023, Rune Skovbo Johansen
2026). The slope of the stripes is added to that of the terrain, so finer octaves branch off at an
angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Cancel, poll
from ...numerics.work_arrays import Scratch
from .. import random_fields

WEAKEST = np.float32(0.27)
"""Waves that cancel are not amplified beyond 1 / this. The limit is a fourth root of fourth powers,
which has no edge; the mean depth is that of a hard limit of 0.35."""
WORTHWHILE = 2**21
"""Cells from which several threads are faster than one: by a fifth at 2048 x 2048. At 1024 x 1024
two threads gain or lose a tenth, as waking one takes at least 50 microseconds."""
BLOCK = 64
"""Columns that are left out together where no point of a band has gullies."""
STRIPS = 4
"""Parts of a band, whose waves are summed one by one: six values per point stay in the cache."""


@dataclass(frozen=True)
class Gullies:
    """Form of the gullies.

    Attributes
    ----------
    scale : float
        Meters between gullies of the first octave.
    depth : float
        Meters from crest to crease of the first octave, on slopes of full effect.
    octaves : int
        Each half as wide and ``gain`` times as deep.
    sharpness : float
        -1 sharp creases and round crests, 0 waves, 1 sharp crests and round creases.
    raise_share : float
        0 cuts into the terrain, 1 puts crests on it (which makes no pits).
    slope_start, slope_full : float
        Tangents of the slopes where gullies begin and are at full depth.
    """

    scale: float
    depth: float
    octaves: int = 3
    gain: float = 0.5
    sharpness: float = 0.0
    raise_share: float = 0.2
    slope_start: float = 0.15
    slope_full: float = 0.7


@dataclass(frozen=True)
class _Octave:
    """Lattice of one octave over a grid: offsets to the nearest point, blend weights, phasors."""

    cell: float
    depth: float
    x: Floats
    y: Floats
    weights_x: Floats
    weights_y: Floats
    columns: Indices
    rows: Indices
    phasors: Floats  # (2, lattice rows, lattice columns), cosine and sine

    def at(self, columns: slice) -> _Octave:
        """Return the octave over some columns of the grid."""
        return replace(
            self,
            x=self.x[columns],
            weights_x=self.weights_x[:, columns],
            columns=self.columns[columns],
        )


class GullyField:
    """Gullies over the crossings of ``x`` and ``y`` (meters, ``spacing`` apart); works on any band
    of rows, in any thread.

    The lattice is fixed in the world: the same point gets the same gullies in every window. With a
    ``period``, meters along X and Y, it repeats after that, and its cells are rounded to fit.
    Octaves narrower than two samples are left out. ``cancelled`` is called before each octave of a
    band, as bands for several threads are large.
    """

    def __init__(
        self,
        form: Gullies,
        x: Doubles,
        y: Doubles,
        spacing: float,
        seed: int,
        cancelled: Cancel | None = None,
        *,
        period: tuple[float, float] | None = None,
    ) -> None:
        self.form, self._cancelled = form, cancelled
        self._scratch = Scratch()
        self._octaves: list[_Octave] = []
        for number in range(form.octaves):
            cell = form.scale / 2**number
            depth = form.depth / 2 * form.gain**number
            if cell < 2 * spacing:
                break
            across, along = _Axis.of(x, cell), _Axis.of(y, cell)
            if period is not None:
                counts = [max(1, round(side / form.scale)) << number for side in period]
                across = _Axis.repeating(x, period[0], counts[0])
                along = _Axis.repeating(y, period[1], counts[1])
            self._octaves.append(_octave(cell, depth, across, along, seed + 977 * number))

    def rows(self, band: slice, gx: Floats, gy: Floats, strength: Floats | None = None) -> Floats:
        """Change of height in meters on a band of rows.

        Parameters
        ----------
        gx, gy : ndarray of float32, shape (rows, W)
            Slope of the (smooth) terrain along X and Y; overwritten.
        strength : ndarray of float32, shape (rows, W), optional
            0 to 1, where gullies may be; overwritten.
        """
        if strength is None:
            strength = np.ones_like(gx)
        change = np.zeros_like(gx)
        for columns in self._columns(gx, gy, strength):
            if columns == slice(0, gx.shape[1]):
                self._fill(change, band, self._octaves, gx, gy, strength)
                continue
            octaves = [octave.at(columns) for octave in self._octaves]
            change[:, columns] = self._fill(
                np.zeros_like(gx[:, columns]),
                band,
                octaves,
                *(field[:, columns].copy() for field in (gx, gy, strength)),
            )
        return change

    def _columns(self, gx: Floats, gy: Floats, strength: Floats) -> Iterator[slice]:
        """Yield runs of columns outside of which no point of the band has gullies.

        There the first octave has a strength of 0, which leaves the slope, and so the others have
        it too: half of the time on an island, and the same bits.
        """
        steepness, spare = self._scratch("slope", (2, *gx.shape))
        np.multiply(gx, gx, out=steepness)
        steepness += np.multiply(gy, gy, out=spare)
        # A little below the start, as the strength is rounded otherwise.
        gentlest = 0.999 * max(self.form.slope_start - 1e-5, 0.0) ** 2
        steep = (steepness >= np.float32(gentlest)) & (strength > 0)
        blocks = np.logical_or.reduceat(steep.any(axis=0), range(0, gx.shape[1], BLOCK))
        start = 0
        for cut, run in groupby(blocks.tolist()):
            end = min(start + BLOCK * len(list(run)), gx.shape[1])
            if cut:
                yield slice(start, end)
            start = end

    def _fill(
        self,
        change: Floats,
        band: slice,
        octaves: list[_Octave],
        gx: Floats,
        gy: Floats,
        freedom: Floats,
    ) -> Floats:
        """Add the gullies of the octaves to the change of height; overwrite the slope and where
        gullies may be, ``freedom``."""
        rest = np.float32(2 * self.form.raise_share - 1)
        weight, spare = self._scratch("slope", (2, *gx.shape))
        waves = self._scratch("waves", (3, *gx.shape))
        for octave in octaves:
            poll(self._cancelled)
            slope = np.multiply(gx, gx, out=weight)
            slope += np.multiply(gy, gy, out=spare)
            np.sqrt(slope, out=slope)
            slope += np.float32(1e-6)
            kx, ky = _lay_waves(waves, gx, gy, slope, octave, band, spare)
            cosine, sine = _blended(octave, band, waves, self._scratch)
            self._to_strength(slope, spare)
            weight *= freedom
            weight *= np.float32(octave.depth)
            last = octave is octaves[-1]
            if not last:
                crease = np.multiply(cosine, np.float32(-0.5), out=spare)
                crease += np.float32(0.5)
                np.clip(crease, 0, 1, out=crease)
                crease *= np.sqrt(crease)
                # Finer gullies stay out of the creases of coarser ones.
                freedom *= np.subtract(np.float32(1), crease, out=crease)
            value = _profile(cosine, sine, self.form.sharpness)
            value += rest
            value *= weight
            change += value
            if not last:
                weight *= np.float32(1 / octave.cell)
                sine *= weight
                kx *= sine
                ky *= sine
                gx -= kx
                gy -= ky
        return change

    def _to_strength(self, slope: Floats, spare: Floats) -> None:
        """Replace a slope by the strength of gullies there, 0 to 1."""
        form = self.form
        slope -= np.float32(form.slope_start)
        slope *= np.float32(1 / max(form.slope_full - form.slope_start, 1e-6))
        np.clip(slope, 0, 1, out=slope)
        # A smoothstep in place: new arrays for each octave would take longer.
        np.multiply(slope, np.float32(-2), out=spare)
        spare += np.float32(3)
        slope *= slope
        slope *= spare


@dataclass(frozen=True)
class _Axis:
    """Points along one axis on the lattice of an octave.

    ``offset`` from the nearest lattice point in cells, quadratic B-spline ``weights`` of the three
    nearest, ``nearest`` as an index into ``points``, the numbers of the lattice points used.
    """

    offset: Floats
    weights: Floats
    nearest: Indices
    points: NDArray[np.int64]

    @classmethod
    def of(cls, axis: Doubles, cell: float) -> _Axis:
        """Return the points of an axis on a lattice."""
        return cls(*_lattice(axis, cell))

    @classmethod
    def repeating(cls, axis: Doubles, side: float, count: int) -> _Axis:
        """Return the same on a lattice that repeats after ``side`` meters, so many cells."""
        made = cls.of(axis, side / count)
        return replace(made, points=made.points % count)


def _octave(cell: float, depth: float, x: _Axis, y: _Axis, seed: int) -> _Octave:
    angle = random_fields.hashed(y.points, x.points, seed).astype(np.float32) * np.float32(
        2 * math.pi / 2**32
    )
    phasors = np.stack([np.cos(angle), np.sin(angle)])
    return _Octave(
        cell, depth, x.offset, y.offset, x.weights, y.weights, x.nearest, y.nearest, phasors
    )


def _lattice(axis: Doubles, cell: float) -> tuple[Floats, Floats, Indices, NDArray[np.int64]]:
    """Return the offsets from the nearest lattice point, quadratic B-spline weights of the three
    nearest, index of the nearest in the list of points used, and that list."""
    position = axis / cell
    nearest = np.rint(position)
    offset = position - nearest
    weights = [(0.5 - offset) ** 2 / 2, 0.75 - offset**2, (0.5 + offset) ** 2 / 2]
    number = nearest.astype(np.int64)
    first = int(number.min()) - 1
    points = np.arange(first, int(number.max()) + 2)
    return (
        offset.astype(np.float32),
        np.array(weights, np.float32),
        (number - first).astype(np.intp),
        points,
    )


def _lay_waves(
    waves: Floats,
    gx: Floats,
    gy: Floats,
    slope: Floats,
    octave: _Octave,
    band: slice,
    spare: Floats,
) -> tuple[Floats, Floats]:
    """Fill ``waves`` (3, rows, W) with the wave vector across the slope, in radians per cell, and
    the phase from the nearest lattice point to the point itself."""
    kx, ky, phase = waves
    np.divide(np.float32(2 * math.pi), slope, out=spare)
    np.multiply(gx, spare, out=ky)
    np.multiply(gy, spare, out=kx)
    np.negative(kx, out=kx)
    np.multiply(kx, octave.x, out=phase)
    phase += np.multiply(ky, octave.y[band][:, None], out=spare)
    return kx, ky


def _blended(
    octave: _Octave, band: slice, waves: Floats, scratch: Scratch
) -> tuple[Floats, Floats]:
    """Return the cosine and sine of the sum of the nine nearest waves, of length 1 where they do
    not cancel.

    A wave seen from a lattice point one cell to the side turns by ky or kx.
    """
    cosines, sines = scratch("cosines", waves.shape), scratch("sines", waves.shape)
    np.cos(waves, out=cosines)
    np.sin(waves, out=sines)
    rows = _row_waves(octave, band, cosines[0], sines[0], scratch)
    below, sum_, above = rows[:, 0], rows[:, 1], rows[:, 2]
    turned = np.subtract(above, below, out=scratch("turned", below.shape))
    turned *= sines[1]
    above += below
    above *= cosines[1]
    sum_ += above
    sum_[0] += turned[1]
    sum_[1] -= turned[0]
    # To length 1, and from the nearest lattice point to the point itself.
    np.multiply(sum_, sum_, out=turned)
    size = turned[0]
    size += turned[1]
    size *= size
    size += WEAKEST**4
    np.sqrt(size, out=size)
    np.sqrt(size, out=size)
    sum_ /= size
    np.multiply(sum_, cosines[2], out=above)
    np.multiply(sum_, sines[2], out=below)
    cosine = np.subtract(above[0], below[1], out=above[0])
    sine = np.add(below[0], above[1], out=below[0])
    return cosine, sine


def _row_waves(
    octave: _Octave, band: slice, cos_x: Floats, sin_x: Floats, scratch: Scratch
) -> Floats:
    """Return (2, 3, rows, W) float32: real and imaginary parts of the weighted sums of three waves,
    of the lattice rows below, nearest to and above each point.

    What does not depend on the slope is summed beforehand for whole lattice rows, which leaves two
    products for the three waves.
    """
    nearest = octave.rows[band]
    first = int(nearest[0]) - 1
    tables = _row_tables(octave, slice(first, int(nearest[-1]) + 2))
    out = scratch("rows", (2, 3, *cos_x.shape))
    most = -(-nearest.size // STRIPS)
    changes = np.flatnonzero(np.diff(nearest)) + 1
    for row, (start, end) in enumerate(pairwise([0, *changes.tolist(), nearest.size])):
        middle, both, difference = tables[:, :, row : row + 3, None]
        for top in range(start, end, most):
            strip = slice(top, min(top + most, end))
            part = out[:, :, strip]
            np.multiply(both, cos_x[strip], out=part)
            part += np.multiply(difference, sin_x[strip], out=scratch("strip", part.shape))
            part += middle
    out *= octave.weights_y[:, band, None]
    return out


def _row_tables(octave: _Octave, lattice_rows: slice) -> Floats:
    """Return (3, 2, rows, W) float32: real and imaginary parts per lattice row and grid column of
    the middle wave, of the sum of its two neighbors, and of their difference turned by a quarter.
    """
    phasors = octave.phasors[:, lattice_rows]
    left, middle, right = (
        phasors.take(octave.columns + shift, axis=2) * octave.weights_x[shift + 1]
        for shift in (-1, 0, 1)
    )
    real, imaginary = right - left
    return np.stack([middle, right + left, np.stack([imaginary, -real])])


def _profile(cosine: Floats, sine: Floats, sharpness: float) -> Floats:
    """Return the height of the wave, -1 to 1 and less where waves cancel; may be ``cosine``
    itself."""
    if sharpness == 0:
        return cosine
    share = np.float32(math.copysign(min(abs(sharpness), 1.0), sharpness))
    # size * (1 - 2 |sin(phase / 2)|): a sharp crest, and upside down a sharp crease.
    size = cosine * cosine
    size += sine * sine
    np.sqrt(size, out=size)
    below: Floats = size - cosine if sharpness > 0 else size + cosine
    np.maximum(below, 0, out=below)
    below *= size
    below *= np.float32(2)
    np.sqrt(below, out=below)
    size -= below
    size *= share
    cosine *= np.float32(1) - abs(share)
    cosine += size
    return cosine
