# SPDX-License-Identifier: GPL-3.0-or-later
"""Domain warp: displace coordinates by noise, value for value as in FastNoiseLite."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.arrays import small_ufunc_buffer
from ...numerics.axis import RegularAxis, SquareGrid, square_grid
from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.progress import Cancel, poll
from ...numerics.work_arrays import Scratch
from ..fractals.fbm import powers
from ..fractals.octave import LARGEST_CELL, NARROW_CELL, Axis, Field, Octave
from ..hashing.fastnoise_hash import GRADIENTS_2D, VECTORS_2D
from ..sampling.arguments import (
    MAX_OCTAVES,
    coordinates,
    ends,
    finite_number,
    known,
    largest,
    pair,
    whole,
)
from ..simplex.diagonals import COLUMNS, ROWS, Upright
from ..simplex.kernel_rows import Kernel, KernelGrid, TileSums, diagonal_columns
from .points import DISPLACEMENTS, SCALES, random_vectors

WARPS = ("opensimplex2", "opensimplex2_reduced", "basic_grid")
WARP_FRACTALS = ("none", "progressive", "independent")


@small_ufunc_buffer()
def warp(
    kind: str,
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike | None = None,
    *,
    seed: int = 0,
    amplitude: float = 1.0,
    frequency: float = 0.01,
    fractal: str = "none",
    octaves: int = 3,
    lacunarity: float = 2.0,
    gain: float = 0.5,
    period: tuple[int, int] | None = None,
    cancelled: Cancel | None = None,
) -> tuple[Axis, ...]:
    """Displace points by noise, as FastNoiseLite does (Jordan Peck, 2020).

    Parameters
    ----------
    kind : str
        "opensimplex2", "opensimplex2_reduced" (coarser and quicker) or "basic_grid".
    x, y, z : array_like
        Coordinates, which broadcast. Without z the warp is the 2D one.
    seed : int, default 0
        Any integer; taken modulo 2**32.
    amplitude : float, default 1.0
        Largest displacement, about, in the units of the coordinates.
    frequency : float, default 0.01
        Frequency of the warp's own noise, cells per unit.
    fractal : str, default 'none'
        "none", "progressive" (each octave starts where the last one ended) or "independent" (all
        octaves start from the given coordinates).
    octaves : int, default 3
        1 to 32. "none" applies one octave, but with the amplitude of the first of so many, as in
        FastNoiseLite.
    lacunarity, gain : float
        Factors between the frequencies and amplitudes of octaves.
    period : tuple of int, optional
        Cells along x and y after which the first octave's displacements repeat; needs a whole
        lacunarity.
    cancelled : callable, optional
        Polled every few milliseconds.

    Returns
    -------
    x, y and, if given, z : float64 arrays of the broadcast shape

    Raises
    ------
    Cancelled
        ``cancelled`` returned true.
    ValueError
        Unknown names, numbers out of range or not finite.

    Examples
    --------
    >>> from terrain_addon.core import noise
    >>> u, v = noise.warp("opensimplex2", [0.5, 3.2], [1.5, -0.7], amplitude=0.3, frequency=2.0)
    >>> bent = noise.sample("perlin", u, v)
    >>> bent.shape
    (2,)
    """
    given = coordinates(x, y, z)
    steps = _steps(
        kind, given, seed, amplitude, frequency, fractal, octaves, lacunarity, gain, period
    )
    coords = np.broadcast_arrays(*given)
    result = np.empty((len(coords), coords[0].size))
    for axis, coord in zip(result, coords, strict=True):
        np.copyto(axis.reshape(coord.shape), coord)
    _warp_points(kind, result, steps, fractal == "progressive", lambda: poll(cancelled))
    return tuple(axis.reshape(coords[0].shape) for axis in result)


@small_ufunc_buffer()
def warp_grid(
    kind: str,
    x: ArrayLike | RegularAxis,
    y: ArrayLike | RegularAxis,
    *,
    seed: int = 0,
    amplitude: float = 1.0,
    frequency: float = 0.01,
    fractal: str = "none",
    octaves: int = 3,
    lacunarity: float = 2.0,
    gain: float = 0.5,
    period: tuple[int, int] | None = None,
    cancelled: Cancel | None = None,
) -> tuple[Axis, Axis]:
    """Displace the points of the grid of 1-D x and y, faster than :func:`warp`.

    Faster are OpenSimplex2 warps of square cells within 2**26 cells of the origin; others go point
    by point, and so do all octaves of a progressive warp but the first. Displacements differ from
    those of points by less than 1e-5 of the amplitude; of a progressive warp rounding grows from
    octave to octave. Windows of a grid have its bits if all are given as :class:`RegularAxis`;
    others agree to 1e-5 of the amplitude.

    Parameters
    ----------
    x, y : array_like or RegularAxis
        (columns,) and (rows,) coordinates, in any order, or :class:`RegularAxis`.

    Other parameters, and errors, are those of :func:`warp`.

    Returns
    -------
    x, y : float64 arrays (rows, columns)

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import noise
    >>> x = np.arange(400) / 100
    >>> u, v = noise.warp_grid("opensimplex2", x, x[:300], amplitude=0.3, frequency=2.0)
    >>> u.shape
    (300, 400)
    """

    def ask() -> None:
        poll(cancelled)

    axes = coordinates(x, y, None)
    if any(axis.ndim != 1 for axis in axes):
        raise ValueError("x and y must be one-dimensional; warp() takes any shape")
    steps = _steps(
        kind, axes, seed, amplitude, frequency, fractal, octaves, lacunarity, gain, period
    )
    result = np.empty((2, axes[1].size, axes[0].size))
    result[0], result[1] = axes[0], axes[1][:, None]
    on_grid = 1 if fractal == "progressive" else len(steps)
    octaves_there = [octave for octave, _ in steps[:on_grid]]
    finest = max(abs(octave.frequency) for octave in octaves_there)
    square = square_grid(x, y, finest)
    if (
        square is not None
        and kind in KERNELS
        and KernelGrid.suits(octaves_there, square, largest(ends(axes)) * finest)
    ):
        tiles = displacement_tiles(kind, steps[:on_grid], square, result.shape[1:], ask)
        for rows, columns, push in tiles:
            result[0, rows, columns] += push[0]
            result[1, rows, columns] += push[1]
    else:
        on_grid = 0
    _warp_points(kind, result.reshape(2, -1), steps[on_grid:], fractal == "progressive", ask)
    return result[0], result[1]


def _steps(
    kind: str,
    coords: Sequence[Axis],
    seed: int,
    amplitude: float,
    frequency: float,
    fractal: str,
    octaves: int,
    lacunarity: float,
    gain: float,
    period: tuple[int, int] | None,
) -> list[tuple[Octave, float]]:
    """Return octaves and their amplitudes, for those coordinates; ValueError if that cannot be."""
    known("warp", kind, WARPS)
    known("warp fractal", fractal, WARP_FRACTALS)
    seed, octaves = whole("seed", seed), whole("octaves", octaves, 1, MAX_OCTAVES)
    given = {
        "amplitude": amplitude, "frequency": frequency, "lacunarity": lacunarity, "gain": gain,
    }  # fmt: skip
    amplitude, frequency, lacunarity, gain = (
        finite_number(name, value, single_precision=True) for name, value in given.items()
    )
    if lacunarity <= 0:
        raise ValueError(f"lacunarity must be above 0, not {lacunarity:g}")
    if period is not None:
        if octaves > 1 and not lacunarity.is_integer():
            raise ValueError(f"A seamless warp needs a whole lacunarity, not {lacunarity:g}")
        period = pair("period", period)
    gains, frequencies = powers(gain, octaves), powers(lacunarity, octaves)
    whole_gain = sum(map(abs, gains))
    if not math.isfinite(whole_gain):
        raise ValueError("The octaves of the warp grow too large: use fewer octaves or less gain")
    amplitude /= whole_gain
    reach = largest(ends(coords)) + abs(amplitude) * octaves
    steps: list[tuple[Octave, float]] = []
    for k in range(1 if fractal == "none" else octaves):
        own = frequency * frequencies[k]
        farthest = reach * abs(own)
        if not farthest < LARGEST_CELL:  # coordinates there have no fraction
            raise ValueError("The finest octave of the warp lies beyond 2**52 cells")
        octave = Octave((seed + k) & 0xFFFFFFFF, own, wide=farthest >= NARROW_CELL)
        if period is not None:
            cells = (period[0] * int(lacunarity) ** k, period[1] * int(lacunarity) ** k)
            wide = octave.wide or max(cells) >= NARROW_CELL
            octave = replace(octave, period=cells, wide=wide)
        steps.append((octave, amplitude * gains[k]))
    return steps


def _warp_points(
    kind: str,
    coords: Axis,
    steps: list[tuple[Octave, float]],
    progressive: bool,
    ask: Callable[[], None],
) -> None:
    """Warp coordinates (axes, n) in place, block by block."""
    scratch = Scratch()
    for block in even_parts(coords.shape[1] if steps else 0, SAMPLES):
        ask()
        _warp_block(kind, coords[:, block], steps, progressive, scratch)


def _warp_block(
    kind: str, coords: Axis, steps: list[tuple[Octave, float]], progressive: bool, scratch: Scratch
) -> None:
    """Warp coordinates (axes, n) in place."""
    displace, scale = DISPLACEMENTS[kind, len(coords)]
    placed = scratch("placed", coords.shape, np.float64)
    push, total = scratch("push", coords.shape), scratch("total", coords.shape)
    for number, (octave, amplitude) in enumerate(steps):
        np.multiply(coords, octave.frequency, out=placed)
        displace(octave, placed, push, scratch)
        np.multiply(push, np.float32(amplitude * scale), out=push)
        if progressive:
            # As float64 first: adding float32 would go through small buffers.
            np.copyto(placed, push)
            coords += placed
        elif number:
            total += push
        else:
            np.copyto(total, push)
    if not progressive:
        np.copyto(placed, total)
        coords += placed


KERNELS = {
    "opensimplex2": Kernel(
        radius=1 / 2,
        turned=False,
        hashing=random_vectors((8, VECTORS_2D), (1, diagonal_columns(GRADIENTS_2D, 1.0))),
        vectors=2,
    ),
    "opensimplex2_reduced": Kernel(
        radius=1 / 2,
        turned=False,
        hashing=random_vectors((1, VECTORS_2D)),
        vectors=2,
        gradients=False,
    ),
}


def displacement_tiles(
    kind: str,
    steps: Sequence[tuple[Octave, float]],
    square: SquareGrid,
    shape: tuple[int, int],
    poll: Callable[[], None],
) -> Iterator[tuple[slice, slice, Sequence[Field]]]:
    """Yield the sum of octaves with amplitudes, which all start from the grid, tile by tile.

    Yields rows, columns and their displacement along x and y, which is valid until the next tile.
    ``poll`` is called every few milliseconds of work; it may raise to stop.
    """
    kernel, octaves = KERNELS[kind], [octave for octave, _ in steps]
    factors = [amplitude * SCALES[kind] for _, amplitude in steps]
    grid, scratch = KernelGrid(kernel, octaves, factors, square, shape), Scratch()
    for rows in even_parts(shape[0], ROWS):
        for columns in even_parts(shape[1], COLUMNS):
            block, summed = grid.block(rows, columns)
            parts = [Upright(block, scratch, name) for name in ("push_x", "push_y")]
            for tile in block.tiles():
                poll()
                sums = TileSums(kernel, tile, scratch)
                for number, octave in enumerate(summed):
                    octave.add(tile, sums, begun=number > 0)
                for part, room in zip(parts, sums.room, strict=True):
                    part.put(tile, room)
            yield rows, columns, [grid.seen(part.image) for part in parts]
