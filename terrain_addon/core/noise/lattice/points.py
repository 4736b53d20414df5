# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise and its slopes at any points, corner by corner of their cells.

Arrays of one value per point, used again for every corner, stay in the cache; arrays of all
corners at once took half as long again.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells, split
from ..hashing.corners import Corners
from ..hashing.lookup import lookup
from .interpolants import Blend
from .lattice import Lattice

ONE = constant(1)
Steps = tuple[int, ...]
Write = Callable[[Steps, Field], None]
"""Writes what lies at a corner, that many steps from the cell along each axis, into an array."""


def lattice_in_cells(
    lattice: Lattice, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points in its cells, times a factor, into ``out`` (n,)."""
    offset, axes, blend = cells.offset, len(cells.offset), lattice.blend
    powers = None if lattice.gradient else blend.powers
    query = lattice.corners(octave, joined=powers)
    corners = lookup(query, cells.whole, scratch, lambda: _span(octave, axes))
    corner = slanted(corners, cells, scratch) if lattice.gradient else _values(corners)
    if blend.fade is not None:
        weights = cells.spare[:axes]
        blend.fade(offset, weights)
        fade(weights, corner, (), out, scratch)
    elif powers is not None:
        taps = scratch("weights", (blend.taps, axes - 1, *out.shape))
        blend.weights(offset[1:], taps)
        _sum(taps, blend.first, _rows(corners, blend, offset[0], scratch), (), out, scratch)
    else:
        taps = scratch("weights", (blend.taps, *offset.shape))
        blend.weights(offset, taps)
        _sum(taps, blend.first, corner, (), out, scratch)
    factor *= lattice.scale[axes]
    if factor != 1:
        np.multiply(out, np.float32(factor), out=out)


def _values(corners: Corners) -> Write:
    """Return a function that writes the value at a corner."""
    return lambda steps, out: corners.write(steps, (out,))


def _span(octave: Octave, dimensions: int) -> list[tuple[float, float]] | None:
    """Return the least and greatest cell of the whole call along each axis, if known."""
    if octave.bounds is None:
        return None
    bounds = [*octave.bounds, *[(0.0, 0.0)] * (dimensions - len(octave.bounds))]
    return [(math.floor(low), math.floor(high)) for low, high in bounds]


def slanted(corners: Corners, cells: Cells, scratch: Scratch, *, slopes: bool = False) -> Write:
    """Return the gradient at a corner times the offset from it, into (n,); uses the later half of
    spare.

    With ``slopes`` into (3, n), and the gradient along x and y behind it.
    """
    axes = len(cells.offset)
    ahead = cells.spare[axes:]
    np.subtract(cells.offset, ONE, out=ahead)
    sides = [(cells.offset[axis], ahead[axis]) for axis in range(axes)]
    work = scratch.rows("slope", cells.offset.shape)

    def write(steps: Steps, out: Field) -> None:
        value, gradient = out, (out, *work[1:])
        if slopes:
            value, gradient = out[0], (*out[1:], *work[2:])
        corners.write(steps, gradient)
        np.multiply(gradient[0], sides[0][steps[0]], out=value)
        for axis in range(1, axes):
            np.multiply(gradient[axis], sides[axis][steps[axis]], out=work[axis])
            np.add(value, work[axis], out=value)

    return write


def _rows(corners: Corners, blend: Blend, offset: Field, scratch: Scratch) -> Write:
    """Return the blend of a row of corners along the first axis, as a polynomial of the offset.

    No weights along that axis, and fewer products: a tenth less time.
    """
    powers = scratch.rows("powers", (blend.taps, offset.size))

    def write(steps: Steps, out: Field) -> None:
        corners.write((blend.first, *steps), powers)
        np.multiply(powers[-1], offset, out=out)
        for power in powers[-2:0:-1]:
            np.add(out, power, out=out)
            np.multiply(out, offset, out=out)
        np.add(out, powers[0], out=out)

    return write


def fade(weights: Field, corner: Write, steps: Steps, out: Field, scratch: Scratch) -> None:
    """Blend two corners along each axis whose step is not chosen yet, the last axis first.

    ``weights`` (axes, n) are those of the second corner. ``out`` may hold several fields (k, n).
    """
    axis = len(weights) - len(steps) - 1
    if axis < 0:
        corner(steps, out)
        return
    second = scratch(f"second{axis}", out.shape)
    fade(weights, corner, (0, *steps), out, scratch)
    fade(weights, corner, (1, *steps), second, scratch)
    np.subtract(second, out, out=second)
    np.multiply(second, weights[axis], out=second)
    np.add(out, second, out=out)


def _sum(
    weights: Field, first: int, corner: Write, steps: Steps, out: Field, scratch: Scratch
) -> None:
    """Sum corners from ``first`` on with weights (taps, axes, n), as :func:`fade` does."""
    axis = weights.shape[1] - len(steps) - 1
    if axis < 0:
        corner(steps, out)
        return
    second = scratch(f"second{axis}", out.shape)
    for tap, weight in enumerate(weights[:, axis]):
        value = second if tap else out
        _sum(weights, first, corner, (tap + first, *steps), value, scratch)
        np.multiply(value, weight, out=value)
        if tap:
            np.add(out, value, out=out)


def lattice_slopes(
    lattice: Lattice, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write value, slope along x and slope along y of one octave into ``out`` (3, n).

    Slopes are per lattice cell. ``coords`` (axes, n) are overwritten.
    """
    dimensions, coords = len(coords), lattice.in_space(coords)
    blend, cells = lattice.blend, split(coords, octave, scratch)
    weights, bends = scratch("weights", (2, blend.taps, *coords.shape))
    blend.weights(cells.offset, weights)
    blend.slopes(cells.offset, bends)
    corners = lookup(lattice.corners(octave), cells.whole, scratch)
    corner = slanted(corners, cells, scratch, slopes=True) if lattice.gradient else _flat(corners)
    _sum_slopes(weights, bends, blend.first, corner, (), out, scratch)
    np.multiply(out, np.float32(lattice.scale[dimensions]), out=out)


def _flat(corners: Corners) -> Write:
    """Return the values at corners, without slope."""

    def write(steps: Steps, out: Field) -> None:
        corners.write(steps, out[:1])
        out[1:].fill(0)

    return write


def _sum_slopes(
    weights: Field,
    bends: Field,
    first: int,
    corner: Write,
    steps: Steps,
    out: Field,
    scratch: Scratch,
) -> None:
    """Blend values and slopes of corners with weights (taps, axes, n) and their slopes ``bends``.

    One axis after the other, the last first. What a blend of values bends is a slope along its
    axis.
    """
    axis = weights.shape[1] - len(steps) - 1
    if axis < 0:
        corner(steps, out)
        return
    part, bent = scratch(f"part{axis}", out.shape), scratch("bent", out[0].shape)
    for tap in range(len(weights)):
        blended = part if tap else out
        _sum_slopes(weights, bends, first, corner, (tap + first, *steps), blended, scratch)
        np.multiply(blended[0], bends[tap, axis], out=bent)
        np.multiply(blended, weights[tap, axis], out=blended)
        if axis < 2:
            np.add(blended[1 + axis], bent, out=blended[1 + axis])
        if tap:
            np.add(out, part, out=out)
