# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise against a plain copy and against other libraries.

Peers that are not installed are left out: pyfastnoiselite and pyfastnoisesimd (C++),
mathutils.noise (Blender), noise and opensimplex.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from terrain_addon.core import Grid, Layer, Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS
from tests.benchmarks import peers
from tests.benchmarks.timing import Beside, Jobs, Row, Tables, aim, compare

OCTAVES = 8
FNL = {
    "perlin": "Perlin",
    "value": "Value",
    "value_cubic": "ValueCubic",
    "opensimplex2": "OpenSimplex2",
    "opensimplex2s": "OpenSimplex2S",
    "cellular": "Cellular",
}
SIMD = {"perlin": "PerlinFractal", "value": "ValueFractal", "value_cubic": "CubicFractal",
        "opensimplex2": "SimplexFractal", "cellular": "Cellular"}  # fmt: skip
COPY, ONE, TWO, LITE, FAST = (
    "np.copyto", "ours, 1 thread", "ours, 2 threads", "pyfastnoiselite", "pyfastnoisesimd",
)  # fmt: skip

LOOP = "mathutils.noise.fractal, in a loop"

# Times as fast as pyfastnoiselite, on a grid of few and of many points and at points.
ON_GRID = {"perlin": 5, "opensimplex2": 1.6, "opensimplex2s": 1.6, "cellular": 2.5}
ON_LARGE_GRID = {**ON_GRID, "perlin": 15, "value": 24, "value_cubic": 30}
NS_OF_WARP = 12  # a point and octave
EACH, TURN = "point by point", 30.0
AT_POINTS = {"perlin": 1 / 1.2, "cellular": 1 / 1.2}


def octaves_of(basis: str) -> int:
    return 1 if basis == "cellular" else OCTAVES


def axis(size: int, finest: float, octaves: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Coordinates whose finest octave has cells of ``finest`` samples."""
    return np.arange(size) / (finest * 2 ** (octaves - 1))


def copy_job(size: int) -> Callable[[], object]:
    a, b = np.zeros((size, size), np.float32), np.ones((size, size), np.float32)
    return lambda: np.copyto(a, b)


def our_grid(basis: str, size: int, finest: float, threads: int = 1, **options: Any) -> Any:
    octaves = octaves_of(basis)
    x, out = axis(size, finest, octaves), np.empty((size, size), np.float32)
    options = {"fractal": "fbm" if octaves > 1 else "none", "octaves": octaves, **options}
    return lambda: noise.sample_grid(basis, x, x, out=out, threads=threads, **options)


def mesh(size: int, finest: float, octaves: int) -> Any:
    x = axis(size, finest, octaves)
    return np.stack([c.ravel() for c in np.meshgrid(x, x)])


def scattered(size: int) -> Any:
    """Points so far apart that nearly every one has cells of its own."""
    return np.random.default_rng(1).uniform(0, 1000, (2, size * size))


def fastnoiselite(basis: str, places: Any) -> Callable[[], object] | None:
    binding = peers.find("pyfastnoiselite.pyfastnoiselite")
    if binding is None:
        return None
    source = binding.FastNoiseLite(1)
    octaves = octaves_of(basis)
    source.noise_type = getattr(binding.NoiseType, f"NoiseType_{FNL[basis]}")
    kind = "FBm" if octaves > 1 else "None"
    source.fractal_type = getattr(binding.FractalType, f"FractalType_{kind}")
    source.fractal_octaves, source.frequency = octaves, 1.0
    coords = places.astype(np.float32)
    return lambda: source.gen_from_coords(coords)


def beside_peer() -> Beside:
    """Return times beside pyfastnoiselite, or beside a copy of as many points without it."""
    peer = fastnoiselite("perlin", mesh(1024, 2.0, 8))
    return Beside(LITE, peer) if peer is not None else Beside(COPY, copy_job(1024))


def fastnoisesimd(basis: str, size: int, finest: float) -> Callable[[], object] | None:
    binding = peers.find("pyfastnoisesimd")
    if binding is None or basis not in SIMD:
        return None
    vars(np).setdefault("product", np.prod)  # it calls what NumPy 2 no longer has
    source = binding.Noise(seed=1, numWorkers=1)
    source.noiseType = getattr(binding.NoiseType, SIMD[basis])
    source.fractal.octaves = octaves_of(basis)
    source.frequency = float(axis(2, finest, octaves_of(basis))[1])
    return lambda: source.genAsGrid([1, size, size])


def grids(size: int, finest: float) -> Tables:
    """Every FastNoiseLite basis on a grid, one and two threads, and its peers."""
    found: Tables = {}
    wanted = ON_LARGE_GRID if size > 2000 else ON_GRID
    for basis in FNL:
        cells = 16.0 if basis == "cellular" else finest
        jobs: Jobs = {
            COPY: copy_job(size),
            ONE: our_grid(basis, size, cells),
            TWO: our_grid(basis, size, cells, threads=2),
        }
        places = mesh(size, cells, octaves_of(basis))
        for name, job in (
            (LITE, fastnoiselite(basis, places)),
            (FAST, fastnoisesimd(basis, size, cells)),
        ):
            if job is not None:
                jobs[name] = job
        rows = compare(COPY, jobs, 5)
        if basis in wanted:
            aim(rows, ONE, 1 / wanted[basis], LITE)
        octaves = f"{octaves_of(basis)} octave{'s' * (octaves_of(basis) > 1)}"
        found[f"{basis}, {octaves}, {size} x {size}, finest cell {cells:g} px"] = rows
        if basis == "perlin":
            aim_perlin(rows, size)
    return found


def aim_perlin(rows: list[Row], size: int) -> None:
    """What the commonest noise should do."""
    if size < 2000:
        aim(rows, ONE, 30)
        return
    aim(rows, ONE, 18, COPY)
    aim(rows, ONE, 1 / 1.8, FAST)
    aim(rows, TWO, 1 / 1.6, ONE)


def fractals(size: int) -> list[Row]:
    """Ways to sum octaves, and weighting, against plain fBm."""
    jobs: Jobs = {name: our_grid("perlin", size, 2, fractal=name) for name in noise.FRACTALS}
    jobs["fbm, weighted 0.4"] = our_grid("perlin", size, 2, weighted_strength=0.4)
    jobs["fbm, plane of 3D"] = our_grid("perlin", size, 2, z=0.3)
    rows = compare("fbm", jobs)
    for name in ("ridged", "billow", "ping_pong"):
        aim(rows, name, 2.5, "fbm")
    return rows


def points(size: int) -> Tables:
    """Every FastNoiseLite basis at points, dense and scattered, and domain warps."""
    found: Tables = {}
    for basis, place in itertools.product(FNL, ("of a mesh", "scattered")):
        octaves = octaves_of(basis)
        coords = mesh(size, 2, octaves) if place == "of a mesh" else scattered(size)
        options: dict[str, Any] = {"fractal": "fbm" if octaves > 1 else "none", "octaves": octaves}
        jobs: Jobs = {"ours": lambda b=basis, c=coords, o=options: noise.sample(b, c[0], c[1], **o)}
        peer = fastnoiselite(basis, coords)
        if peer is not None:
            jobs[LITE] = peer
        rows = compare("ours", jobs, 5)
        aim(rows, "ours", 1 / AT_POINTS.get(basis, 1), LITE)
        title = f"{basis}, {octaves} octave{'s' * (octaves > 1)}, {size * size} points {place}"
        found[title] = rows
    return found | warps(size)


def warps(size: int) -> Tables:
    """Domain warps at points, each octave where the last one ended, and on a larger grid."""
    coords, x = mesh(size, 2, 1), axis(2 * size, 8, 4)
    at_points: Jobs = {
        kind: lambda k=kind: noise.warp(
            k, coords[0], coords[1], frequency=1.0, fractal="progressive", octaves=4
        )
        for kind in noise.WARPS
    }
    on_grid: Jobs = {
        kind: lambda k=kind: noise.warp_grid(
            k, x, x, frequency=1.0, fractal="independent", octaves=4
        )
        for kind in noise.WARPS
    }
    found: Tables = {}
    for title, jobs, points in (
        (f"{size * size} points", at_points, size * size),
        (f"{2 * size} x {2 * size}, finest cell 8 px", on_grid, 4 * size * size),
    ):
        rows = compare("opensimplex2", jobs, 5)
        for name in jobs:
            aim(rows, name, round(NS_OF_WARP * 1e-6 * points * 4, 1))
        found[f"warps, 4 octaves, {title}"] = rows
    return found | warped_layers(2 * size)


def warped_layers(size: int) -> Tables:
    """Layers of noise that a domain warp of three octaves bends, against the same point by point:
    layers interpolate what is wide."""
    jobs: Jobs = {}
    for title, settings in (
        ("perlin", {}), ("value", {"basis": "value"}), ("opensimplex2", {"basis": "opensimplex2"}),
        ("perlin, turned", {"rotation": TURN}),
    ):  # fmt: skip
        kind = LAYERS["fractal_noise"](octaves=OCTAVES, warp_amount=80.0, **settings)
        recipe = Recipe(layers=(Layer.of(kind),))
        jobs[title] = lambda r=recipe: evaluate(r, r.grid(size))
    layers = [*jobs]
    for title, turn in (("perlin", 0.0), ("perlin, turned", TURN)):
        jobs[f"{title}, {EACH}"] = lambda t=turn: point_by_point(Recipe().grid(size), t)
    rows = compare("perlin", jobs, 5)
    for name in layers:
        aim(rows, name, round(NS_OF_WARP * 1e-6 * size * size * (OCTAVES + 3), 1))
    aim(rows, "perlin", 1 / 1.3, f"perlin, {EACH}")
    aim(rows, "perlin, turned", 1 / 1.5, f"perlin, turned, {EACH}")
    return {f"warped layers, 8 octaves and 3 of the warp, {size} x {size}": rows}


def point_by_point(grid: Grid, turn: float) -> None:
    """What the layer "perlin" makes, with nothing interpolated, in squares of its size."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    warp: dict[str, Any] = {
        "amplitude": 80.0, "frequency": 1 / 400, "fractal": "independent", "octaves": 3,
    }  # fmt: skip
    half = grid.nx // 2
    for rows in (slice(0, half), slice(half, None)):
        for columns in (slice(0, half), slice(half, None)):
            x, y = grid.x[columns], grid.y[rows]
            if turn:
                across, along = x, y[:, None]
                u, v = cos * across + sin * along, cos * along - sin * across
                u, v = noise.warp("opensimplex2", u, v, **warp)
            else:
                u, v = noise.warp_grid("opensimplex2", x, y, **warp)
            u /= 400
            v /= 400
            noise.sample("perlin", u, v, fractal="fbm", octaves=OCTAVES)


def slow_peers(size: int, part: int) -> list[Row]:
    """Libraries that take one point at a time: measured on part x part points, and scaled up."""
    few = axis(part, 2, OCTAVES)
    jobs: Jobs = {ONE: our_grid("perlin", size, 2)}
    blender, perlin, simplex = (peers.find(name) for name in ("mathutils", "noise", "opensimplex"))
    places = [(float(p), float(q), 0.0) for q in few for p in few]
    if blender is not None:
        one = blender.noise.fractal
        jobs[LOOP] = lambda: [one(p, 1.0, 2.0, OCTAVES) for p in places]
    if perlin is not None:
        jobs["noise.pnoise2"] = lambda: [perlin.pnoise2(p[0], p[1], OCTAVES) for p in places]
    if simplex is not None:
        jobs["opensimplex.noise2array, 1 octave"] = lambda: simplex.noise2array(few, few)
    scale = {name: (size / part) ** 2 for name in jobs if name != ONE}
    rows = compare(ONE, jobs, 5, scale=scale)
    aim(rows, ONE, 1 / 20, LOOP)
    return rows


def tables() -> Tables:
    """All tables of this benchmark."""
    found = grids(1024, 2) | grids(4096, 8)
    found["Fractals of Perlin noise, 8 octaves, 1024 x 1024"] = fractals(1024)
    found |= points(512)
    found["Libraries that take one point at a time, 8 octaves, 1024 x 1024"] = slow_peers(1024, 128)
    return found
