# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling any basis and fractal, at points and on grids."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.arrays import small_ufunc_buffer
from ...numerics.axis import RegularAxis, square_grid
from ...numerics.blocks import parts, run_parts
from ...numerics.progress import Cancel, Progress, poll
from ...numerics.work_arrays import Scratch
from ...settings.params import short_repr
from ..basis import GridPlan
from ..fractals.eroded import SlopeFractal
from ..fractals.fbm import FractalArguments
from ..fractals.octave import Field
from . import arguments
from .points import PointGrid, PointSampler


@small_ufunc_buffer()
def sample(
    basis: str,
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike | None = None,
    *,
    seed: int = 0,
    fractal: str = "none",
    octaves: int = 1,
    lacunarity: float = 2.0,
    gain: float = 0.5,
    weighted_strength: float = 0.0,
    ping_pong_strength: float = 2.0,
    octave_seeds: str = "increment",
    normalize: bool = True,
    period: tuple[int, int] | None = None,
    fade_under: float | None = None,
    spacing: float = 0.0,
    only: tuple[int, int] | None = None,
    cancelled: Cancel | None = None,
    **settings: Any,
) -> Field:
    """Sample noise at points.

    Parameters
    ----------
    basis : str
        A name in :data:`BASES`.
    x, y, z : array_like
        Coordinates in noise units (position times frequency: one lattice cell is 1 wide), which
        broadcast. Computed in float64. Without z the noise is the 2D one.
    seed : int, default 0
        Any integer; taken modulo 2**32 (by "permutation_perlin", with its sign).
    fractal : str, default 'none'
        A name in :data:`FRACTALS`.
    octaves : int, default 1
        1 to 32; one is summed with "none".
    lacunarity : float, default 2.0
        Factor between the frequencies of successive octaves, above 0.
    gain : float, default 0.5
        Factor between their amplitudes.
    weighted_strength : float, default 0.0
        How far low values of an octave damp the next ones, 0 (not at all) to 1 (fully); used by
        "fbm", "ridged", "billow" and "ping_pong". Beyond 0..1 it works as in FastNoiseLite, but the
        sum may leave -1..1.
    ping_pong_strength : float, default 2.0
        Number of folds of "ping_pong", 0 (flat) or more; below 0 the sum leaves -1..1.
    octave_seeds : str, default 'increment'
        How octaves differ: "increment" adds 1 to the seed; "same" does nothing; "offset" shifts x
        and y of octave k by 2 k in noise units before scaling and leaves z as it is in every
        octave.
    normalize : bool, default True
        Divide by the largest value of the sum, so that it stays within -1..1; for plain sums that
        is the sum of the amplitudes.
    period : tuple of int, optional
        Lattice cells along x and y after which the first octave repeats; needs a whole lacunarity.
    fade_under, spacing : float
        Fade out octaves whose cells are narrower than this many samples, above 0, which lie
        ``spacing`` apart in noise units, 0 or more (0 fades nothing); None keeps all.
    only : tuple of int, optional
        (first, stop) numbers of the octaves whose share of the whole sum is returned; the sum must
        be plain ("none", or "fbm" without weighting). None for all octaves.
    cancelled : callable, optional
        Polled every few milliseconds.
    settings : number or str
        Settings of the basis and of the fractal, by name.

    Returns
    -------
    ndarray of float32
        Array of the broadcast shape.

    Raises
    ------
    Cancelled
        ``cancelled`` returned true.
    ValueError
        Unknown names, numbers that are not finite or out of range, sums that overflow, coordinates
        whose finest octave lies beyond 2**52 cells.

    Examples
    --------
    >>> from terrain_addon.core import noise
    >>> noise.sample("perlin", [0.0, 0.25, 0.5], 0.3, seed=7, fractal="fbm", octaves=4).shape
    (3,)
    >>> float(noise.sample("perlin", 3.0, 5.0))  # gradient noise is 0 at lattice points
    0.0
    """
    given = FractalArguments(
        fractal, seed, octaves, lacunarity, gain, weighted_strength, ping_pong_strength,
        octave_seeds, normalize, period, fade_under,
    )  # fmt: skip
    coords = np.broadcast_arrays(*arguments.coordinates(x, y, z))
    noise, total = arguments.checked(basis, len(coords), given, spacing, settings)
    if only is not None:
        total = arguments.part(total, only)
    total = arguments.within_range(total, coords[0].size, *coords)
    out = np.empty(coords[0].shape, np.float32)
    sampler = PointSampler(noise, total, Scratch(), lambda: poll(cancelled))
    sampler.fill(coords, out.reshape(-1))
    return out


@small_ufunc_buffer()
def sample_grid(
    basis: str,
    x: ArrayLike | RegularAxis,
    y: ArrayLike | RegularAxis,
    z: float | None = None,
    *,
    seed: int = 0,
    fractal: str = "none",
    octaves: int = 1,
    lacunarity: float = 2.0,
    gain: float = 0.5,
    weighted_strength: float = 0.0,
    ping_pong_strength: float = 2.0,
    octave_seeds: str = "increment",
    normalize: bool = True,
    period: tuple[int, int] | None = None,
    fade_under: float | None = None,
    spacing: float | None = None,
    out: Field | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
    **settings: Any,
) -> Field:
    """Sample noise on the grid of 1-D x and y, much faster than at points.

    Values agree with :func:`sample` to 2e-6, or as many times that as a fractal steepens the noise.
    Any part of a grid has the same bits as in the whole, whatever the number of threads. For
    OpenSimplex grids of square cells that holds for windows given as :class:`RegularAxis`; others
    agree to 1e-6, steepened likewise. OpenSimplex grids that reach beyond 2**26 cells may differ
    from others in the last bits.

    Parameters
    ----------
    x, y : array_like or RegularAxis
        (columns,) and (rows,) coordinates in noise units, in any order, or :class:`RegularAxis`.
    z : float, optional
        One number, the plane of the 3D noise, or None for the 2D noise.
    fade_under : float, optional
        Fade out octaves whose cells are narrower than this many samples (2 leaves nothing to
        alias); None keeps all.
    spacing : float, optional
        Distance of samples in noise units for ``fade_under``, 0 or more; by default measured along
        x and y. Pass it where windows of one grid must have the same bits.
    out : ndarray of float32, shape (rows, columns), optional
        To write into.
    threads : int, default 1
        Upper limit; only plain sums of lattice noise on large grids use more than one.
    progress : callable, optional
        Called with the fraction done, 0 to 1.
    cancelled : callable, optional
        Polled between chunks of rows.

    Other parameters, and errors, are those of :func:`sample`.

    Returns
    -------
    ndarray of float32, shape (rows, columns)
        ``out`` if given.

    Raises
    ------
    Cancelled
        ``cancelled`` returned true; ``out`` is then partly written.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import noise
    >>> x, y = np.arange(256) / 64, np.arange(128) / 64
    >>> height = noise.sample_grid("opensimplex2", x, y, fractal="ridged", octaves=5)
    >>> height.shape, height.dtype
    ((128, 256), dtype('float32'))
    >>> bool(np.abs(height).max() <= 1)
    True
    """
    given = FractalArguments(
        fractal, seed, octaves, lacunarity, gain, weighted_strength, ping_pong_strength,
        octave_seeds, normalize, period, fade_under,
    )  # fmt: skip
    x_axis, y_axis = arguments.axis(x, "x"), arguments.axis(y, "y")
    if z is not None:
        z = arguments.finite_number("z", z)
    axes = [x_axis, y_axis] if z is None else [x_axis, y_axis, np.array([z])]
    if spacing is None:
        spacing = arguments.spacing(x_axis, y_axis)
    noise, total = arguments.checked(basis, len(axes), given, spacing, settings)
    total = arguments.within_range(total, x_axis.size * y_axis.size, *axes)
    shape = (y_axis.size, x_axis.size)
    if out is None:
        out = np.empty(shape, np.float32)
    elif not isinstance(cast(Any, out), np.ndarray):
        raise ValueError(f"out must be an array, not {short_repr(out)}")
    elif out.shape != shape or out.dtype != np.float32:
        raise ValueError(f"out must be float32 of shape {shape}, not {out.dtype} {out.shape}")
    elif not out.flags.writeable:
        raise ValueError("out must be an array that can be written into, not a read-only one")
    threads = arguments.whole("threads", threads, 1)
    if out.size:
        plan = None
        if not isinstance(total.fractal, SlopeFractal):
            finest = max(octave.frequency for octave in total.octaves)
            plan = noise.plan_grid(x_axis, y_axis, z, total, square_grid(x, y, finest))
        if plan is None:
            plan = PointGrid(noise, x_axis, y_axis, z, total)
        run_plan(plan, out, threads, progress, cancelled)
    return out


POINT = 5
"""Terms that take as long as writing a point."""
TERMS_PER_THREAD = 2**26
"""About 7 ms of work: with less for each, several threads can take longer than one."""


def run_plan(
    plan: GridPlan,
    out: Field,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Fill ``out`` in chunks of rows, on up to ``threads`` where that pays; raises Cancelled."""
    scratch, rows = Scratch(), len(out)
    work = out.size * (POINT + plan.terms) if plan.terms else 0
    threads = min(threads, max(1, work // TERMS_PER_THREAD))
    # The same number of chunks for each thread
    chunks = math.ceil(rows / plan.rows / threads) * threads
    size = math.ceil(rows / chunks / plan.step) * plan.step

    def fill(part: slice, ask: Callable[[], None]) -> None:
        plan.fill(part.start, part.stop, out[part], scratch, ask)

    run_parts(
        list(parts(rows, size)), fill, threads=threads, progress=progress, cancelled=cancelled
    )
