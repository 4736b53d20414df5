# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at any points: all corners of a block of points at once.

Every call works on all axes, or on all corners, of a block: few and long calls, because a call
costs about as much as a few thousand elements.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import corner_shape, split, tap_keys
from .lattice import Lattice
from .octave import Axis, Field, Octave
from .scratch import Scratch


def lattice_points(
    lattice: Lattice, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points (axes, n), in its own lattice units, into ``out`` (n,)."""
    dimensions = len(coords)
    if lattice.plane_of_3d and dimensions == 2:
        coords = np.concatenate([coords, np.zeros_like(coords[:1])])
    axes, taps = len(coords), lattice.blend.taps
    keys, offsets, weights = _axes(lattice, octave, coords, scratch)
    # Corners are numbered [..., y, x, point], as arrays of the lattice are.
    shapes = [corner_shape(axis, axes, taps, out.size) for axis in range(axes)]
    fields = lattice.corner(
        lattice.prepare(octave.seed),
        [keys[:, axis].reshape(shape) for axis, shape in enumerate(shapes)],
        scratch,
    )
    total = fields[0]
    if lattice.gradient:
        for axis, (component, shape) in enumerate(zip(fields, shapes, strict=False)):
            component *= offsets[:, axis].reshape(shape)
            if axis:
                total += component
    for axis in range(axes):
        total *= weights[:, axis]
        for tap in range(1, taps):
            total[..., 0, :] += total[..., tap, :]
        total = total[..., 0, :]
    np.multiply(total, np.float32(lattice.scale[dimensions]), out=out)


def _axes(
    lattice: Lattice, octave: Octave, coords: Axis, scratch: Scratch
) -> tuple[NDArray[np.uint32], Field, Field]:
    """Keys, offsets and weights (taps, axes, n) of the lattice lines near each point."""
    blend, shape = lattice.blend, (lattice.blend.taps, *coords.shape)
    offsets = scratch("offsets", shape)
    first = offsets[0]
    cell = split(coords, scratch, first)
    weights = scratch("weights", shape)
    blend.weights(first, weights)
    if lattice.gradient:
        for tap in range(blend.taps - 1, -1, -1):
            np.subtract(first, np.float32(tap + blend.first), out=offsets[tap])
    keys = tap_keys(cell, blend.taps, blend.first, lattice.primes, octave.period, scratch)
    return keys, offsets, weights
