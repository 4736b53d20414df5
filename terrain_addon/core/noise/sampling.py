# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling any basis and fractal, at points and on grids."""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import Cancelled
from .fractal import FRACTALS, FractalSum, fractal_sum
from .octave import LARGEST_CELL, NARROW_CELL, Axis, Field, Octave
from .registry import BASES, Basis, GridPlan
from .scratch import Scratch
from .slope_fractals import SlopeFractal, Slopes

BLOCK = 32768
"""Points worked on at once, so that all arrays of a block stay in the cache."""
POINTS_PER_THREAD = 2**21
"""Threads that have less to do take longer than one alone."""
MAX_OCTAVES = 32
OCTAVE_SEEDS = ("increment", "offset", "same")
OCTAVE_OFFSET = 2.0
"""Shift between octaves with ``octave_seeds="offset"``, in noise units, as in the tutorial."""


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
    normalise: bool = True,
    period: tuple[int, int] | None = None,
    fade_under: float | None = None,
    spacing: float = 0.0,
    **settings: Any,
) -> Field:
    """Noise at points.

    Parameters
    ----------
    basis : a name in :data:`BASES`
    x, y, z : coordinates in noise units (position times frequency: one lattice cell is 1 wide),
        which broadcast. Worked on in float64. Without z the noise is the 2D one.
    seed : any integer; taken modulo 2**32
    fractal : a name in :data:`FRACTALS`
    octaves : 1 to 32; ignored by "none"
    lacunarity : factor between the frequencies of successive octaves, above 0
    gain : factor between their amplitudes
    weighted_strength : 0 to 1, how far low values of an octave damp the next ones
    ping_pong_strength : number of folds of "ping_pong"
    octave_seeds : how octaves differ: "increment" adds 1 to the seed; "same" does nothing;
        "offset" shifts x and y of octave k by 2 k in noise units before scaling and leaves z as
        it is in every octave
    normalise : divide by the largest value that the sum can take, so that it stays within -1..1;
        for plain sums that is the sum of the amplitudes
    period : lattice cells along x and y after which the first octave repeats; needs a whole
        lacunarity
    fade_under, spacing : fade out octaves whose cells are narrower than this many samples, which
        lie ``spacing`` apart in noise units; None keeps all
    settings : settings that the basis or the fractal declares

    Returns
    -------
    float32 array of the broadcast shape

    Raises
    ------
    ValueError : unknown names, settings out of range, coordinates that are not finite or whose
        finest octave lies beyond 2**52 cells
    """
    noise = _basis(basis)
    settings, extra = _settings(noise, fractal, settings)
    coords = np.broadcast_arrays(*_coordinates(x, y, z))
    total = _fractal_sum(
        noise, len(coords), seed, fractal, octaves, lacunarity, gain, weighted_strength,
        ping_pong_strength, octave_seeds, normalise, period, extra, fade_under, spacing,
    )  # fmt: skip
    total = _within_range(total, *coords)
    out = np.empty(coords[0].shape, np.float32)
    _fill_points(noise, total, coords, out.reshape(-1), Scratch(), settings)
    return out


def sample_grid(
    basis: str,
    x: ArrayLike,
    y: ArrayLike,
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
    normalise: bool = True,
    period: tuple[int, int] | None = None,
    fade_under: float | None = None,
    spacing: float | None = None,
    out: Field | None = None,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    **settings: Any,
) -> Field:
    """Noise on the grid of 1-D x and y, as :func:`sample` of their mesh to 2e-6, but faster.

    Any part of a grid has the same bits as in the whole, whatever the number of threads.

    Parameters
    ----------
    x, y : (columns,) and (rows,) coordinates in noise units, in any order
    z : one number, the plane of the 3D noise, or None for the 2D noise
    fade_under : fade out octaves whose cells are narrower than this many samples (2 leaves
        nothing to alias); None keeps all
    spacing : distance of samples in noise units that ``fade_under`` goes by; measured along x and
        y if not given. Give it where windows of one grid must have the same bits.
    out : (rows, columns) float32 array to write into
    threads : at most so many; small grids take one
    progress : called with the done fraction, 0 to 1
    cancelled : polled between chunks of rows

    Other parameters, and errors, are those of :func:`sample`.

    Returns
    -------
    (rows, columns) float32: ``out`` if given

    Raises
    ------
    Cancelled : ``cancelled`` returned true; ``out`` is then partly written
    """
    noise = _basis(basis)
    settings, extra = _settings(noise, fractal, settings)
    x_axis, y_axis = _axis(x, "x"), _axis(y, "y")
    if z is not None:
        z = float(_finite(np.asarray(float(z)), "z"))
    total = _fractal_sum(
        noise, 2 if z is None else 3, seed, fractal, octaves, lacunarity, gain, weighted_strength,
        ping_pong_strength, octave_seeds, normalise, period, extra, fade_under,
        _spacing(x_axis, y_axis) if spacing is None else spacing,
    )  # fmt: skip
    total = _within_range(total, x_axis, y_axis, np.asarray(z or 0.0))
    shape = (y_axis.size, x_axis.size)
    if out is None:
        out = np.empty(shape, np.float32)
    elif out.shape != shape or out.dtype != np.float32:
        raise ValueError(f"out must be float32 of shape {shape}, not {out.dtype} {out.shape}")
    if out.size:
        plan = None
        if not isinstance(total.fractal, SlopeFractal):
            plan = noise.plan_grid(x_axis, y_axis, z, total, settings)
        if plan is None:
            plan = PointGrid(noise, x_axis, y_axis, z, total, settings)
        run_plan(plan, out, threads, progress, cancelled)
    return out


class PointGrid(GridPlan):
    """A grid whose points are sampled one by one."""

    def __init__(
        self,
        noise: Basis,
        x: Axis,
        y: Axis,
        z: float | None,
        total: FractalSum,
        settings: Mapping[str, Any],
    ) -> None:
        self.noise, self.x, self.y, self.z = noise, x, y, z
        self.total, self.settings = total, settings
        self.rows = max(1, 8 * BLOCK // x.size)

    def fill(self, start: int, stop: int, out: Field, scratch: Scratch) -> None:
        axes = [self.x, self.y[start:stop, None]]
        if self.z is not None:
            axes.append(np.asarray(self.z))
        values = np.empty(out.size, np.float32)
        coords = np.broadcast_arrays(*axes)
        _fill_points(self.noise, self.total, coords, values, scratch, self.settings)
        out[...] = values.reshape(out.shape)


def run_plan(
    plan: GridPlan,
    out: Field,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Fill ``out`` in chunks of rows, on several threads if asked; raises Cancelled."""
    scratch, stopped = Scratch(), threading.Event()
    rows = len(out)
    chunks = [(start, min(start + plan.rows, rows)) for start in range(0, rows, plan.rows)]

    def fill(chunk: tuple[int, int]) -> int:
        if not stopped.is_set():
            plan.fill(*chunk, out[chunk[0] : chunk[1]], scratch)
        return chunk[1]

    def follow(done: int) -> None:
        if progress is not None:
            progress(done / rows)

    def poll() -> None:
        if cancelled is not None and cancelled():
            stopped.set()
            raise Cancelled

    threads = min(threads, max(1, out.size // POINTS_PER_THREAD), len(chunks))
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            for done in pool.map(fill, chunks):
                follow(done)
                poll()
    else:
        for chunk in chunks:
            poll()
            follow(fill(chunk))


def _fill_points(
    noise: Basis,
    total: FractalSum,
    coords: tuple[Axis, ...] | list[Axis],
    out: Field,
    scratch: Scratch,
    settings: Mapping[str, Any],
) -> None:
    """Noise at broadcast float64 coordinates of any shape into ``out`` (n,), block by block."""
    flat = [coord.reshape(-1) for coord in coords]
    for start in range(0, out.size, BLOCK):
        block = slice(start, min(start + BLOCK, out.size))
        size = block.stop - start
        values = scratch("octave", (size,))
        amplitude = scratch("amplitude", (size,))
        placed = scratch("placed", (len(flat), size), np.float64)
        if isinstance(total.fractal, SlopeFractal):
            here = np.stack([coord[block] for coord in flat])
            octave_at = _slopes(noise, total, scratch, settings)
            total.fractal.evaluate(total, octave_at, here, out[block])
            total.normalise(out[block])
            continue
        for number, octave in enumerate(total.octaves):
            for axis, coord in enumerate(flat):
                octave.place(axis, coord[block], out=placed[axis])
            noise.points(octave, placed, values, scratch, settings)
            total.add(number, values, out[block], amplitude, scratch)


def _slopes(
    noise: Basis, total: FractalSum, scratch: Scratch, settings: Mapping[str, Any]
) -> Slopes:
    """Octaves with slopes, as fractals of slopes want them."""

    def octave_at(number: int, coords: Axis) -> Field:
        values = scratch("slope_values", (3, coords.shape[1]))
        if number >= len(total.octaves):
            values.fill(0)
            values[0] = total.fractal.rest
            return values
        octave = total.octaves[number]
        placed = scratch("placed", coords.shape, np.float64)
        for axis, coord in enumerate(coords):
            octave.place(axis, coord, out=placed[axis])
        noise.slopes(octave, placed, values, scratch, settings)
        values *= np.float32(total.presence[number])
        return values

    return octave_at


def _basis(name: str) -> Basis:
    if name not in BASES:
        raise ValueError(f"There is no noise basis {name!r}; known: {', '.join(BASES)}")
    return BASES[name]


def _settings(
    noise: Basis, fractal: str, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings of the basis and of the fractal, checked and completed."""
    if fractal not in FRACTALS:
        raise ValueError(f"There is no fractal {fractal!r}; known: {', '.join(FRACTALS)}")
    kind = FRACTALS[fractal]
    known = [setting.name for setting in (*noise.settings, *kind.settings)]
    for name in given:
        if name not in known:
            raise ValueError(
                f"{noise.label} noise with fractal {fractal!r} has no setting {name!r}; "
                f"known: {', '.join(known) or 'none'}"
            )
    basis_settings, fractal_settings = (
        {s.name: s.checked(given.get(s.name, s.default), s.name) for s in owner.settings}
        for owner in (noise, kind)
    )
    return basis_settings, fractal_settings


def _fractal_sum(
    noise: Basis,
    dimensions: int,
    seed: int,
    fractal: str,
    octaves: int,
    lacunarity: float,
    gain: float,
    weighted_strength: float,
    ping_pong_strength: float,
    octave_seeds: str,
    normalise: bool,
    period: tuple[int, int] | None,
    settings: Mapping[str, Any],
    fade_under: float | None,
    spacing: float,
) -> FractalSum:
    if dimensions not in noise.dimensions:
        raise ValueError(f"{noise.label} noise has no third dimension: leave z out")
    numbers = {
        "lacunarity": lacunarity,
        "gain": gain,
        "weighted_strength": weighted_strength,
        "ping_pong_strength": ping_pong_strength,
    }
    for name, value in numbers.items():
        numbers[name] = _number(name, value, noise.single_precision)
    if numbers["lacunarity"] <= 0:
        raise ValueError(f"lacunarity must be above 0, not {lacunarity:g}")
    if fade_under is not None and not 0 < fade_under < math.inf:
        raise ValueError(f"fade_under must be a number of samples above 0, not {fade_under}")
    kind = FRACTALS[fractal]
    single = fractal == "none"
    count = 1 if single else _whole("octaves", octaves, 1, MAX_OCTAVES)
    return fractal_sum(
        kind,
        _octaves(count, seed, numbers["lacunarity"], octave_seeds, period),
        gain=numbers["gain"],
        weighted_strength=0.0 if single else numbers["weighted_strength"],
        ping_pong_strength=numbers["ping_pong_strength"],
        normalise=normalise,
        dimensions=dimensions,
        settings=settings,
        spacing=spacing,
        fade_under=fade_under,
    )


def _octaves(
    count: int,
    seed: int,
    lacunarity: float,
    octave_seeds: str,
    period: tuple[int, int] | None,
) -> tuple[Octave, ...]:
    if octave_seeds not in OCTAVE_SEEDS:
        raise ValueError(f"octave_seeds must be one of {', '.join(OCTAVE_SEEDS)}")
    if isinstance(seed, float):
        raise ValueError(f"seed must be a whole number, not {seed!r}")
    seed = operator.index(seed)
    if period is not None:
        if count > 1 and not float(lacunarity).is_integer():
            raise ValueError(f"A seamless noise needs a whole lacunarity, not {lacunarity:g}")
        period = (_whole("period", period[0], 1), _whole("period", period[1], 1))
    step = 1 if octave_seeds == "increment" else 0
    shift = OCTAVE_OFFSET if octave_seeds == "offset" else 0.0
    return tuple(
        Octave(
            seed=(seed + step * k) & 0xFFFFFFFF,
            frequency=lacunarity**k,
            z_frequency=1.0 if octave_seeds == "offset" else lacunarity**k,
            shift=shift * k,
            period=period and (period[0] * int(lacunarity) ** k, period[1] * int(lacunarity) ** k),
        )
        for k in range(count)
    )


def _number(name: str, value: float, single_precision: bool) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    return float(np.float32(value)) if single_precision else float(value)


def _whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    limits = f"from {least} to {most}" if most else f"of at least {least}"
    try:
        whole = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number {limits}, not {value!r}") from None
    if whole < least or (most is not None and whole > most):
        raise ValueError(f"{name} must be a whole number {limits}, not {whole}")
    return whole


def _coordinates(x: ArrayLike, y: ArrayLike, z: ArrayLike | None) -> list[Axis]:
    given = {"x": x, "y": y} if z is None else {"x": x, "y": y, "z": z}
    return [_finite(np.asarray(v, np.float64), name) for name, v in given.items()]


def _axis(values: ArrayLike, name: str) -> Axis:
    axis = np.ascontiguousarray(values, np.float64)
    if axis.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; sample() takes any shape")
    return _finite(axis, name)


def _finite(values: Axis, name: str) -> Axis:
    if not np.isfinite(values).all():
        raise ValueError(f"{name} holds NaN or infinite coordinates")
    return values


def _within_range(total: FractalSum, *coords: NDArray[Any]) -> FractalSum:
    """The sum for those coordinates, or ValueError where they leave no fraction."""
    largest = max((float(np.abs(c).max()) for c in coords if c.size), default=0.0)
    cells = [(largest + octave.shift) * max(octave.frequency, 1.0) + 4 for octave in total.octaves]
    if not max(cells) < LARGEST_CELL:
        raise ValueError(
            "The finest octave lies beyond 2**52 cells, where coordinates have no fraction left: "
            "use fewer octaves or a smaller lacunarity"
        )
    octaves = tuple(
        replace(octave, wide=cell >= NARROW_CELL)
        for octave, cell in zip(total.octaves, cells, strict=True)
    )
    return replace(total, all_octaves=octaves + total.all_octaves[len(octaves) :])


def _spacing(x: Axis, y: Axis) -> float:
    """Mean distance of samples, the larger of both axes, to five digits."""
    steps = [abs(axis[-1] - axis[0]) / (axis.size - 1) for axis in (x, y) if axis.size > 1]
    return float(f"{max(steps, default=0.0):.5g}")
