# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise against a plain copy and against other libraries.

Peers that are not installed are left out: pyfastnoiselite and pyfastnoisesimd (C++),
mathutils.noise (Blender), noise and opensimplex.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from terrain_addon.core import noise

from . import peers
from .timing import Jobs, Row, Tables, aim, compare

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


def fastnoiselite(basis: str, size: int, finest: float) -> Callable[[], object] | None:
    binding = peers.find("pyfastnoiselite.pyfastnoiselite")
    if binding is None:
        return None
    source = binding.FastNoiseLite(1)
    octaves = octaves_of(basis)
    source.noise_type = getattr(binding.NoiseType, f"NoiseType_{FNL[basis]}")
    kind = "FBm" if octaves > 1 else "None"
    source.fractal_type = getattr(binding.FractalType, f"FractalType_{kind}")
    source.fractal_octaves, source.frequency = octaves, 1.0
    coords = mesh(size, finest, octaves).astype(np.float32)
    return lambda: source.gen_from_coords(coords)


def fastnoisesimd(basis: str, size: int, finest: float) -> Callable[[], object] | None:
    binding = peers.find("pyfastnoisesimd")
    if binding is None or basis not in SIMD:
        return None
    source = binding.Noise(seed=1, numWorkers=1)
    source.noiseType = getattr(binding.NoiseType, SIMD[basis])
    source.fractal.octaves = octaves_of(basis)
    source.frequency = float(axis(2, finest, octaves_of(basis))[1])
    return lambda: source.genAsGrid([1, size, size])


def grids(size: int, finest: float) -> Tables:
    """Every FastNoiseLite basis on a grid, one and two threads, and its peers."""
    tables: Tables = {}
    for basis in FNL:
        cells = 16.0 if basis == "cellular" else finest
        jobs: Jobs = {
            "np.copyto": copy_job(size),
            "ours, 1 thread": our_grid(basis, size, cells),
            "ours, 2 threads": our_grid(basis, size, cells, threads=2),
        }
        for name, peer in (("pyfastnoiselite", fastnoiselite), ("pyfastnoisesimd", fastnoisesimd)):
            job = peer(basis, size, cells)
            if job is not None:
                jobs[name] = job
        title = f"{basis}, {octaves_of(basis)} octaves, {size} x {size}, finest cell {cells:g} px"
        tables[title] = compare("np.copyto", jobs, 3 if size > 2000 else 5)
    return tables


def fractals(size: int) -> list[Row]:
    """Ways to sum octaves, and weighting, against plain fBm."""
    jobs: Jobs = {name: our_grid("perlin", size, 2, fractal=name) for name in noise.FRACTALS}
    jobs["fbm, weighted 0.4"] = our_grid("perlin", size, 2, weighted_strength=0.4)
    jobs["fbm, plane of 3D"] = our_grid("perlin", size, 2, z=0.3)
    return compare("fbm", jobs)


def points(size: int) -> Tables:
    """Every FastNoiseLite basis at points, and domain warps."""
    tables: Tables = {}
    for basis in FNL:
        octaves = octaves_of(basis)
        coords = mesh(size, 2, octaves)
        options: dict[str, Any] = {"fractal": "fbm" if octaves > 1 else "none", "octaves": octaves}
        jobs: Jobs = {
            "ours": lambda b=basis, c=coords, o=options: noise.sample(b, c[0], c[1], **o)
        }
        peer = fastnoiselite(basis, size, 2)
        if peer is not None:
            jobs["pyfastnoiselite"] = peer
        tables[f"{basis}, {octaves} octaves, {size * size} points"] = compare("ours", jobs, 5)
    coords = mesh(size, 2, 1)
    jobs = {
        kind: lambda k=kind: noise.warp(
            k, coords[0], coords[1], frequency=1.0, fractal="progressive", octaves=4
        )
        for kind in noise.WARPS
    }
    tables[f"warps, 4 octaves, {size * size} points"] = compare("opensimplex2", jobs, 5)
    return tables


def slow_peers(size: int) -> list[Row]:
    """Libraries that take one point at a time, on fewer points, as ms per million points."""
    x = axis(size, 2, OCTAVES)
    jobs: Jobs = {}
    blender, perlin, simplex = (peers.find(name) for name in ("mathutils", "noise", "opensimplex"))
    places = [(float(p), float(q), 0.0) for q in x for p in x]
    if blender is not None:
        one = blender.noise.fractal
        jobs["mathutils.noise.fractal"] = lambda: [one(p, 1.0, 2.0, OCTAVES) for p in places]
    if perlin is not None:
        jobs["noise.pnoise2"] = lambda: [perlin.pnoise2(p[0], p[1], OCTAVES) for p in places]
    if simplex is not None:
        jobs["opensimplex.noise2array, 1 octave"] = lambda: simplex.noise2array(x, x)
    jobs["ours"] = lambda: noise.sample_grid("perlin", x, x, fractal="fbm", octaves=OCTAVES)
    return compare("ours", jobs, 3)


def tables() -> Tables:
    """All tables of this benchmark."""
    found = grids(1024, 2) | grids(4096, 8)
    found["Fractals of Perlin noise, 8 octaves, 1024 x 1024"] = fractals(1024)
    found |= points(512)
    found["One point at a time, 8 octaves, 128 x 128"] = slow_peers(128)
    return found
