# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at points together with its slopes, by differentiating the blends."""

from __future__ import annotations

import numpy as np

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import split
from ..hashing.corners import Corners
from ..hashing.lookup import lookup
from .lattice import Lattice
from .points import Steps, Write, slanted


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
    _sum(weights, bends, blend.first, corner, (), out, scratch)
    np.multiply(out, np.float32(lattice.scale[dimensions]), out=out)


def _flat(corners: Corners) -> Write:
    """Values at corners, without slope."""

    def write(steps: Steps, out: Field) -> None:
        corners.write(steps, out[:1])
        out[1:].fill(0)

    return write


def _sum(
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
        _sum(weights, bends, first, corner, (tap + first, *steps), blended, scratch)
        np.multiply(blended[0], bends[tap, axis], out=bent)
        np.multiply(blended, weights[tap, axis], out=blended)
        if axis < 2:
            np.add(blended[1 + axis], bent, out=blended[1 + axis])
        if tap:
            np.add(out, part, out=out)
