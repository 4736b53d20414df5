# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplex and cellular noise and domain warp once more, plainly: see :mod:`.plain`.

Simplex noise is a sum of kernels around the vertices of a lattice; here all vertices for a good
way around are tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from tests.core.noise.plain import MASK, TABLES, dot, fnl_gradient, fnl_hash, hermite, signed

SKEW = (math.sqrt(3) - 1) / 2
UNSKEW = (3 - math.sqrt(3)) / 6


def triangle_kernels(
    point: Sequence[float], squared_radius: float
) -> list[tuple[float, tuple[int, int], tuple[float, float]]]:
    """Weight, vertex and offset of every vertex of the triangular lattice in reach."""
    x, y = point
    i0, j0 = (math.floor(c + (x + y) * SKEW) for c in point)
    found = []
    for i, j in itertools.product(range(i0 - 2, i0 + 4), range(j0 - 2, j0 + 4)):
        # Relative to the cell, so that nothing is lost far from the origin.
        u, v = x + (x + y) * SKEW - i, y + (x + y) * SKEW - j
        dx, dy = u - (u + v) * UNSKEW, v - (u + v) * UNSKEW
        rest = squared_radius - dx * dx - dy * dy
        if rest > 0:
            found.append((rest**4, (i, j), (dx, dy)))
    return found


def rotated(point: Sequence[float]) -> list[float]:
    return [sum(point) * 2 / 3 - c for c in point]


def cube(point: Sequence[float]) -> tuple[list[int], list[int]]:
    """Nearest vertex of the cubic lattice, and the direction of the point's cell from it."""
    nearest = [math.floor(c) + (c - math.floor(c) >= 0.5) for c in point]
    towards = [-1 if c - math.floor(c) >= 0.5 else 1 for c in point]
    return nearest, towards


def cube_vertex(
    seed: int, point: Sequence[float], vertex: Sequence[int], squared_radius: float
) -> tuple[float, float]:
    """What is left of the kernel, and the contribution of one vertex."""
    d = [c - v for c, v in zip(point, vertex, strict=True)]
    rest = squared_radius - dot(d, d)
    return rest, max(rest, 0) ** 4 * fnl_gradient(seed, vertex, d)


def cube_pairs(
    seeds: tuple[int, int], point: Sequence[float]
) -> list[tuple[int, list[float], list[int]]]:
    """Of two cubic lattices, the nearest vertex and the next along one axis, and the point there.

    As published, others are left out although their kernels reach the point.
    """
    found = []
    for shift, salt in zip((0.0, 0.5), seeds, strict=True):
        there = [c + shift for c in rotated(point)]
        vertex = [math.ceil(c - 0.5) for c in there]
        d = [c - v for c, v in zip(there, vertex, strict=True)]
        longest = max(range(3), key=lambda a: (abs(d[a]), -a))
        second = list(vertex)
        second[longest] += 1 if d[longest] > 0 else -1
        found += [(salt, there, vertex), (salt, there, second)]
    return found


def opensimplex2(seed: int, *point: float) -> float:
    if len(point) == 2:
        return 99.83685446303647 * sum(
            w * fnl_gradient(seed, v, d) for w, v, d in triangle_kernels(point, 0.5)
        )
    total = 0.0
    for salt, there, vertex in cube_pairs((seed, ~seed), point):
        total += cube_vertex(salt, there, vertex, 0.6)[1]
    return total * 32.69428253173828125


def opensimplex2s(seed: int, *point: float) -> float:
    if len(point) == 2:
        return 18.24196194486065 * sum(
            w * fnl_gradient(seed, v, d) for w, v, d in triangle_kernels(point, 2 / 3)
        )
    there = rotated(point)
    lattices = []
    for shift, salt in ((0.0, seed), (0.5, seed + 1293373)):
        moved = [c + shift for c in there]
        nearest, towards = cube(moved)

        def flipped(*axes: int, p=moved, n=nearest, t=towards, s=salt) -> tuple[float, float]:
            return cube_vertex(s, p, [n[a] + t[a] * (a in axes) for a in range(3)], 0.75)

        lattices.append(flipped)
    first, second = lattices
    total = first()[1] + second()[1]
    for axis in range(3):
        others = [a for a in range(3) if a != axis]
        if first(axis)[0] > 0:
            total += first(axis)[1] + second(*others)[1]
            continue
        total += first(*others)[1]
        rest, value = second(axis)
        total += value if rest > 0 else second(*others)[1]
    return total * 9.046026385208288


def cellular(
    seed: int,
    *point: float,
    distance_function: str = "euclidean_sq",
    return_type: str = "distance",
    jitter: float = 1.0,
) -> float:
    axes = len(point)
    reach = (0.43701595 if axes == 2 else 0.39614353) * jitter
    table = TABLES["RandVecs2D" if axes == 2 else "RandVecs3D"]
    width = 2 if axes == 2 else 4
    cell = [int(c + math.copysign(0.5, c)) for c in point]
    found = []
    for step in itertools.product((-1, 0, 1), repeat=axes):
        index = [c + s for c, s in zip(cell, step, strict=True)]
        h = fnl_hash(seed, index)
        k = (h // width & 255) * width
        d = [
            i - c + reach * table[k + a] for a, (i, c) in enumerate(zip(index, point, strict=True))
        ]
        square, manhattan = dot(d, d), sum(abs(c) for c in d)
        distance = {
            "euclidean": square,
            "euclidean_sq": square,
            "manhattan": manhattan,
            "hybrid": square + manhattan,
        }[distance_function]
        found.append((distance, h))
    found.sort(key=lambda one: one[0])  # of equal distances the first seen comes first
    if return_type == "cell_value":
        return signed(found[0][1]) / 2147483648
    a, b = found[0][0], found[1][0]
    if distance_function == "euclidean":
        a, b = math.sqrt(a), math.sqrt(b)
    return {
        "distance": a,
        "distance2": b,
        "distance2_add": (a + b) / 2,
        "distance2_sub": b - a,
        "distance2_mul": a * b / 2,
        "distance2_div": a / b,
    }[return_type] - 1


def warp_vector(kind: str, seed: int, vertex: Sequence[int], d: Sequence[float]) -> list[float]:
    """What a lattice point pushes by, at an offset from it, before its kernel."""
    axes = len(vertex)
    vectors, gradients = TABLES[f"RandVecs{axes}D"], TABLES[f"Gradients{axes}D"]
    width = 2 if axes == 2 else 4
    h = fnl_hash(seed, vertex)
    if kind != "opensimplex2":
        start = (h // width & 255) * width
        return [vectors[start + a] for a in range(axes)]
    start, of_gradient = (h >> 8 & 255) * width, (h // width & (127 if axes == 2 else 63)) * width
    slope = dot(gradients[of_gradient : of_gradient + axes], d)
    return [vectors[start + a] * slope for a in range(axes)]


def warp_push(kind: str, seed: int, *point: float) -> list[float]:
    """Displacement of one octave of amplitude 1."""
    axes = len(point)
    found: list[tuple[float, Sequence[int], Sequence[float]]] = []
    if kind == "basic_grid":
        scale = 1.0
        cell = [math.floor(c) for c in point]
        for step in itertools.product((0, 1), repeat=axes):
            fades = [hermite(c - i) for c, i in zip(point, cell, strict=True)]
            weight = math.prod(f if s else 1 - f for f, s in zip(fades, step, strict=True))
            found.append((weight, [i + s for i, s in zip(cell, step, strict=True)], point))
    elif axes == 2:
        scale = 38.283687591552734375 if kind == "opensimplex2" else 16.0
        found += triangle_kernels((point[0], point[1]), 0.5)
    else:
        scale = 32.69428253173828125 if kind == "opensimplex2" else 7.71604938271605
    push = [0.0] * axes
    for weight, vertex, d in found:
        vector = warp_vector(kind, seed, vertex, d)
        push = [p + weight * c for p, c in zip(push, vector, strict=True)]
    if kind != "basic_grid" and axes == 3:
        for salt, there, vertex in cube_pairs((seed, seed + 1293373), point):
            d = [c - v for c, v in zip(there, vertex, strict=True)]
            weight = max(0.6 - dot(d, d), 0) ** 4
            vector = warp_vector(kind, salt, vertex, d)
            push = [p + weight * c for p, c in zip(push, vector, strict=True)]
    return [scale * p for p in push]


def warp(
    kind: str,
    *point: float,
    seed: int,
    amplitude: float,
    frequency: float,
    fractal: str,
    octaves: int,
    lacunarity: float,
    gain: float,
) -> list[float]:
    amplitude /= sum(abs(gain) ** k for k in range(octaves))
    start = warped = list(point)
    for k in range(1 if fractal == "none" else octaves):
        base = start if fractal == "independent" else warped
        scale = frequency * lacunarity**k
        push = warp_push(kind, seed + k & MASK, *(c * scale for c in base))
        warped = [c + amplitude * gain**k * p for c, p in zip(warped, push, strict=True)]
    return warped
