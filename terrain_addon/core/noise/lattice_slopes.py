# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at points together with its slopes, by differentiating the blends."""

from __future__ import annotations

import itertools

import numpy as np

from .cells import whole_cells
from .lattice import Lattice
from .lookup import Lookup
from .octave import Axis, Field, Octave
from .scratch import Scratch


def lattice_slopes(
    lattice: Lattice, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write value, slope along x and slope along y of one octave into ``out`` (3, n).

    Slopes are per lattice cell.
    """
    dimensions = len(coords)
    if lattice.plane_of_3d and dimensions == 2:
        coords = np.concatenate([coords, np.zeros_like(coords[:1])])
    blend, shape = lattice.blend, (lattice.blend.taps, *coords.shape)
    cells = scratch("cells", coords.shape, np.float64)
    np.floor(coords, out=cells)
    offset = scratch("slope_offset", coords.shape)
    np.subtract(coords, cells, out=offset, casting="same_kind")
    weights, slopes = scratch("weights", shape), scratch("slopes", shape)
    blend.weights(offset, weights)
    blend.slopes(offset, slopes)
    whole = whole_cells(cells, octave.wide, scratch)
    corners = Lookup(lattice.hashing, octave, whole, blend.first, blend.taps, scratch)
    out.fill(0)
    for taps in itertools.product(range(blend.taps), repeat=len(coords)):
        fields = corners.fields([tap + blend.first for tap in taps])
        value = fields[0]
        if lattice.gradient:
            value = np.zeros_like(out[0])
            for axis, (field, tap) in enumerate(zip(fields, taps, strict=False)):
                value += field * (offset[axis] - np.float32(tap + blend.first))
        chosen = [weights[tap, axis] for axis, tap in enumerate(taps)]
        weight = np.prod(chosen, axis=0)
        out[0] += weight * value
        for axis in range(2):
            slope = slopes[taps[axis], axis] * value
            for other in range(len(taps)):
                if other != axis:
                    slope *= chosen[other]
            if lattice.gradient:
                slope += weight * fields[axis]
            out[1 + axis] += slope
    out *= np.float32(lattice.scale[dimensions])
