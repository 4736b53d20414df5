# SPDX-License-Identifier: GPL-3.0-or-later
"""Domain warp: coordinates pushed about by noise, value for value as FastNoiseLite does it."""

from __future__ import annotations

import itertools
import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .blend import HERMITE
from .corners import CornerHash, Keys
from .fastnoise import PRIMES, hashed
from .lookup import Lookup
from .octave import LARGEST_CELL, NARROW_CELL, Axis, Field, Octave
from .scratch import Scratch
from .simplex import SkewedKernels
from .tables import GRADIENTS_2D, VECTORS_2D
from .vertices import UNSKEW, skewed_vertices

WARPS = ("opensimplex2", "opensimplex2_reduced", "basic_grid")
WARP_FRACTALS = ("none", "progressive", "independent")
BLOCK = 32768
MAX_OCTAVES = 32


def _vector_hash(shift: int, with_gradients: bool) -> CornerHash:
    """A random vector from the hash bits above ``shift``, and a gradient if asked for."""
    total = GRADIENTS_2D[0].astype(np.float64) + GRADIENTS_2D[1]
    skewed = [
        ((column - UNSKEW * total) * (2 / 3) ** 4).astype(np.float32) for column in GRADIENTS_2D
    ]

    def corner(state: Any, keys: Keys, scratch: Scratch) -> tuple[Field, ...]:
        value = hashed(keys, scratch)
        index = ((value >> np.uint32(shift)) & np.uint32(255)).astype(np.intp)
        fields = [column.take(index) for column in VECTORS_2D]
        if with_gradients:
            index = ((value >> np.uint32(1)) & np.uint32(127)).astype(np.intp)
            fields += [column.take(index) for column in skewed]
        return tuple(fields)

    return CornerHash(corner, PRIMES)


_VECTORS = {
    "opensimplex2": _vector_hash(8, True),
    "opensimplex2_reduced": _vector_hash(1, False),
    "basic_grid": _vector_hash(1, False),
}
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
    period: tuple[int, int] | None = None,
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
    period : cells along x and y after which the first octave's displacements repeat; needs a
        whole lacunarity

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
    reach = float(np.abs(result).max(initial=0)) + abs(amplitude) * octaves
    if period is not None and not (lacunarity.is_integer() and min(period) >= 1):
        raise ValueError("A seamless warp needs a whole lacunarity and a period of whole cells")
    steps: list[tuple[Octave, float]] = []
    for k in range(1 if fractal == "none" else octaves):
        octave = _octave(seed + k, frequency * lacunarity**k, reach)
        if period is not None:
            cells = (period[0] * int(lacunarity) ** k, period[1] * int(lacunarity) ** k)
            octave = replace(octave, period=cells)
        steps.append((octave, amplitude * gain**k))
    scratch = Scratch()
    for start in range(0, result.shape[1], BLOCK):
        _warp_block(kind, result[:, start : start + BLOCK], steps, fractal, scratch)
    return result[0].reshape(given[0].shape), result[1].reshape(given[0].shape)


def _octave(seed: int, frequency: float, reach: float) -> Octave:
    """One octave for coordinates up to ``reach``, or ValueError where they have no fraction."""
    cells = reach * abs(frequency)
    if not cells < LARGEST_CELL:
        raise ValueError("The finest octave of the warp lies beyond 2**52 cells")
    return Octave(seed & 0xFFFFFFFF, frequency, wide=cells >= NARROW_CELL)


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
            _simplex_push(octave, placed, kind, push, scratch)
        push *= np.float32(amplitude * _SCALE[kind])
        coords += push


def _grid_push(octave: Octave, coords: Axis, push: Field, scratch: Scratch) -> None:
    """Random vectors at lattice points, blended over each cell."""
    cells = scratch("cells", coords.shape, np.float64)
    np.floor(coords, out=cells)
    offset = scratch("offset", coords.shape)
    np.subtract(coords, cells, out=offset, casting="same_kind")
    weights = scratch("weights", (2, *coords.shape))
    HERMITE.weights(offset, weights)
    corners = Lookup(_VECTORS["basic_grid"], octave, cells, 0, 2, scratch)
    weight = scratch("rest", push[0].shape)
    push.fill(0)
    for step in itertools.product((0, 1), repeat=2):
        np.multiply(weights[step[0], 0], weights[step[1], 1], out=weight)
        _add(corners.fields(step), weight, push)


def _simplex_push(octave: Octave, coords: Axis, kind: str, push: Field, scratch: Scratch) -> None:
    """Random vectors at the corners of the skewed cell, weighted by kernels and gradients."""
    vertices = skewed_vertices(octave, coords, _VECTORS[kind], (0, 1), scratch)
    push.fill(0)
    kernels = SkewedKernels(vertices, 0.75, scratch)
    for step in itertools.product((0, 1), repeat=2):
        u, v = vertices.offset(step)
        weight = kernels.at(step)
        fields = vertices.fields(step)
        if len(fields) == 4:
            slope, along_v = fields[2:]
            slope *= u
            along_v *= v
            slope += along_v
            weight *= slope
        _add(fields, weight, push)


def _add(fields: tuple[Field, ...], weight: Field, push: Field) -> None:
    """Add the random vectors in the first two fields, times a weight."""
    for vector, out in zip(fields[:2], push, strict=True):
        vector *= weight
        out += vector
