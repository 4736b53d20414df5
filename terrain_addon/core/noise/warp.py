# SPDX-License-Identifier: GPL-3.0-or-later
"""Domain warp: coordinates pushed about by noise, value for value as FastNoiseLite does it."""

from __future__ import annotations

import math
import operator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blend import HERMITE
from .cells import corner_shape, split, tap_keys
from .fastnoise import PRIMES, hashed
from .octave import Axis, Field, Octave
from .scratch import Scratch
from .simplex import SKEW_MATRIX, UNSKEW, Vertices, skewed_kernel
from .tables import GRADIENTS_2D, VECTORS_2D

WARPS = ("opensimplex2", "opensimplex2_reduced", "basic_grid")
WARP_FRACTALS = ("none", "progressive", "independent")
BLOCK = 8192
MAX_OCTAVES = 32

_gradient_sum = GRADIENTS_2D[0].astype(np.float64) + GRADIENTS_2D[1]
_GRADIENTS = tuple(
    ((column - UNSKEW * _gradient_sum) * (2 / 3) ** 4).astype(np.float32) for column in GRADIENTS_2D
)
_SCALE = {
    "opensimplex2": 38.283687591552734375,
    "opensimplex2_reduced": 16.0 * (2 / 3) ** 4,
    "basic_grid": 1.0,
}


def warp(
    kind: str,
    x: ArrayLike,
    y: ArrayLike,
    *,
    seed: int = 0,
    amplitude: float = 1.0,
    frequency: float = 0.01,
    fractal: str = "none",
    octaves: int = 3,
    lacunarity: float = 2.0,
    gain: float = 0.5,
) -> tuple[Axis, Axis]:
    """Warped coordinates.

    Parameters
    ----------
    kind : "opensimplex2", "opensimplex2_reduced" (coarser and quicker) or "basic_grid"
    x, y : coordinates, which broadcast
    seed : any integer; taken modulo 2**32
    amplitude : largest displacement, about, in the units of x and y
    frequency : of the warp's own noise, cells per unit
    fractal : "none", "progressive" (each octave starts where the last one ended) or
        "independent" (all octaves start from the given coordinates)
    octaves : 1 to 32. With "none" one octave is done, but as in FastNoiseLite the amplitude is
        that of the first of so many.
    lacunarity, gain : factors between the frequencies and amplitudes of octaves

    Returns
    -------
    x, y : float64 arrays of the broadcast shape

    Raises
    ------
    ValueError : unknown names, numbers out of range or not finite
    """
    if kind not in WARPS:
        raise ValueError(f"There is no warp {kind!r}; known: {', '.join(WARPS)}")
    if fractal not in WARP_FRACTALS:
        raise ValueError(f"There is no warp fractal {fractal!r}; known: {', '.join(WARP_FRACTALS)}")
    if not 1 <= operator.index(octaves) <= MAX_OCTAVES:
        raise ValueError(f"octaves must be a whole number from 1 to {MAX_OCTAVES}, not {octaves}")
    numbers = (amplitude, frequency, lacunarity, gain)
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError("amplitude, frequency, lacunarity and gain must be finite numbers")
    amplitude, frequency, lacunarity, gain = (float(np.float32(number)) for number in numbers)
    given = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    if not all(np.isfinite(coord).all() for coord in given):
        raise ValueError("x or y holds NaN or infinite coordinates")
    result = np.stack([coord.reshape(-1) for coord in given])
    amplitude /= sum(abs(gain) ** k for k in range(octaves))
    steps = [
        (Octave((seed + k) & 0xFFFFFFFF, frequency * lacunarity**k), amplitude * gain**k)
        for k in range(1 if fractal == "none" else octaves)
    ]
    scratch = Scratch()
    for start in range(0, result.shape[1], BLOCK):
        _warp_block(kind, result[:, start : start + BLOCK], steps, fractal, scratch)
    return result[0].reshape(given[0].shape), result[1].reshape(given[0].shape)


def _warp_block(
    kind: str,
    coords: Axis,
    steps: list[tuple[Octave, float]],
    fractal: str,
    scratch: Scratch,
) -> None:
    """Warp coordinates (2, n) in place."""
    start = coords.copy() if fractal == "independent" else coords
    push = scratch("push", coords.shape)
    for octave, amplitude in steps:
        placed = start * octave.frequency
        if kind == "basic_grid":
            _grid_push(octave, placed, push, scratch)
        else:
            _simplex_push(octave, placed, kind == "opensimplex2", push, scratch)
        push *= np.float32(amplitude * _SCALE[kind])
        coords += push


def _grid_push(octave: Octave, coords: Axis, push: Field, scratch: Scratch) -> None:
    """Random vectors at lattice points, blended over each cell."""
    points = coords.shape[1]
    offset = scratch("offset", coords.shape)
    cell = split(coords, scratch, offset)
    weights = scratch("weights", (2, *coords.shape))
    HERMITE.weights(offset, weights)
    keys = tap_keys(cell, 2, 0, PRIMES, None, scratch)
    corners = [keys[:, axis].reshape(corner_shape(axis, 2, 2, points)) for axis in range(2)]
    value = hashed(np.uint32(octave.seed), corners, scratch)
    index = _index(value, 1, 255, scratch)
    for column, out in zip(VECTORS_2D, push, strict=True):
        vectors = scratch("field0", value.shape)
        column.take(index, out=vectors, mode="wrap")
        vectors *= weights[:, 0]
        along_y = vectors[:, 0]
        along_y += vectors[:, 1]
        along_y *= weights[:, 1]
        np.add(along_y[0], along_y[1], out=out)


def _simplex_push(octave: Octave, coords: Axis, full: bool, push: Field, scratch: Scratch) -> None:
    """Random vectors at the corners of the skewed cell, weighted by kernels and gradients."""
    keys, offsets = Vertices(SKEW_MATRIX, octave, coords, scratch).corners()
    weight = skewed_kernel(offsets[0], offsets[1], 0.75, scratch)
    value = hashed(np.uint32(octave.seed), keys, scratch)
    if full:
        index = _index(value, 1, 127, scratch)
        slope = scratch("field0", value.shape)
        other = scratch("field1", value.shape)
        _GRADIENTS[0].take(index, out=slope, mode="wrap")
        _GRADIENTS[1].take(index, out=other, mode="wrap")
        slope *= offsets[0]
        other *= offsets[1]
        slope += other
        weight *= slope
    index = _index(value, 8 if full else 1, 255, scratch)
    for column, out in zip(VECTORS_2D, push, strict=True):
        vectors = scratch("field0", value.shape)
        column.take(index, out=vectors, mode="wrap")
        vectors *= weight
        along_x = vectors[:, 0]
        along_x += vectors[:, 1]
        np.add(along_x[0], along_x[1], out=out)


def _index(value: NDArray[np.uint32], shift: int, mask: int, scratch: Scratch) -> NDArray[np.intp]:
    index = scratch("index", value.shape, np.intp)
    np.copyto(index, (value >> np.uint32(shift)) & np.uint32(mask))
    return index
