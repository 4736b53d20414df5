# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at any points: all corners of a block of points at once.

Every call works on all axes, or on all corners, of a block: few and long calls, because a call
costs about as much as a few thousand elements.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    shapes = [[1] * (axes - 1 - a) + [taps] + [1] * a + [out.size] for a in range(axes)]
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
    cell = scratch("cell", coords.shape, np.float64)
    np.floor(coords, out=cell)
    offsets = scratch("offsets", shape)
    first = offsets[0]
    np.subtract(coords, cell, out=first, casting="same_kind")
    weights = scratch("weights", shape)
    blend.weights(first, weights)
    for tap in range(blend.taps - 1, -1, -1):
        if lattice.gradient and tap + blend.first:
            np.subtract(first, np.float32(tap + blend.first), out=offsets[tap])
    keys = scratch("keys", shape, np.uint32)
    primes = np.array(lattice.primes[: len(coords)], np.uint32)[:, None]
    for tap, key in enumerate(keys):
        if octave.period is not None:
            _copy_lines(_wrapped(cell + (blend.first + tap), octave.period), key, scratch)
            key *= primes
        elif tap == 0:
            _copy_lines(cell, key, scratch)
            key += np.uint32(blend.first & 0xFFFFFFFF)
            key *= primes
        else:
            np.add(keys[tap - 1], primes, out=key)
    return keys, offsets, weights


def _wrapped(lines: Axis, period: tuple[int, int]) -> Axis:
    """Whole coordinates (axes, n) modulo the period of x and y, in place."""
    lines[:2] = np.remainder(lines[:2], np.array(period)[:, None])
    return lines


def _copy_lines(lines: Axis, out: NDArray[np.uint32], scratch: Scratch) -> None:
    """Whole coordinates modulo 2**32; by way of int64, which holds all that have a fraction."""
    whole = scratch("whole", lines.shape, np.int64)
    np.copyto(whole, lines, casting="unsafe")
    np.copyto(out, whole, casting="unsafe")
