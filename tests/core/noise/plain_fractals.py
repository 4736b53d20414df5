# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain fractals once more, one point at a time: see :mod:`.plain`.

Slopes are taken by differences here, not by differentiating formulas.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.core.noise.plain import Noise

STEP = 1e-5


def octave(noise: Noise, seed: int, lacunarity: float, point: Sequence[float], k: int) -> float:
    return noise(seed + k, *[c * lacunarity**k for c in point])


def sided_slopes(
    noise: Noise, point: Sequence[float], axis: int, step: float
) -> tuple[float, float]:
    """Slopes per cell along an axis, ahead of a point and behind it."""
    ahead, behind = list(point), list(point)
    ahead[axis] += step
    behind[axis] -= step
    here = noise(*point)
    return (noise(*ahead) - here) / step, (here - noise(*behind)) / step


def slopes(noise: Noise, seed: int, cell: Sequence[float]) -> tuple[float, float]:
    """Slopes per cell along x and y, at a point in cells."""
    found = []
    for axis in (0, 1):
        ahead, behind = list(cell), list(cell)
        ahead[axis] += STEP
        behind[axis] -= STEP
        found.append((noise(seed, *ahead) - noise(seed, *behind)) / (2 * STEP))
    return found[0], found[1]


def musgrave(
    noise: Noise,
    point: Sequence[float],
    *,
    seed: int,
    fractal: str,
    octaves: int,
    lacunarity: float,
    gain: float,
    offset: float = 1.0,
    sharpness: float = 2.0,
) -> float:
    n = [octave(noise, seed, lacunarity, point, k) for k in range(octaves)]
    g = [gain**k for k in range(octaves)]
    if fractal == "multifractal":
        value = 1.0
        for k in range(octaves):
            value *= offset + g[k] * n[k]
    elif fractal == "hetero_terrain":
        value = offset + n[0]
        for k in range(1, octaves):
            value += (n[k] + offset) * g[k] * value
    elif fractal == "hybrid_multifractal":
        value = weight = n[0] + offset
        for k in range(1, octaves):
            signal = (n[k] + offset) * g[k]
            weight = min(weight, 1) * signal
            value += weight
    else:
        value = signal = (offset - abs(n[0])) ** 2
        for k in range(1, octaves):
            weight = min(max(signal * sharpness, 0), 1)
            signal = weight * (offset - abs(n[k])) ** 2
            value += signal * g[k]
    return value


def turbulence(
    noise: Noise,
    point: Sequence[float],
    *,
    seed: int,
    fractal: str,
    octaves: int,
    lacunarity: float,
    gain: float,
) -> float:
    """Swiss, Jordan and damped, with their default settings."""
    value, amplitude = 0.0, 1.0
    push, damp = [0.0, 0.0], [0.0, 0.0]
    for k in range(octaves):
        frequency = lacunarity**k
        cell = [c * frequency for c in point]
        if fractal == "swiss":
            cell = [c + 0.15 * p * frequency for c, p in zip(cell, push, strict=True)]
        if fractal == "jordan":
            cell = [c + p for c, p in zip(cell, push, strict=True)]
        n = noise(seed + k, *cell)
        d = slopes(noise, seed + k, cell)
        if fractal == "swiss":
            value += amplitude * (1 - abs(n))
            push = [p - amplitude * c * n for p, c in zip(push, d, strict=True)]
            amplitude *= gain * min(max(value, 0), 1)
        elif fractal == "jordan":
            steepness = damp[0] ** 2 + damp[1] ** 2
            value += n * n * (gain**k * (1 - 1 / (1 + steepness)) if k else 1)
            warp, damping = (0.35, 0.8) if k else (0.4, 1.0)
            push = [p + warp * c * n for p, c in zip(push, d, strict=True)]
            damp = [p + damping * c * n for p, c in zip(damp, d, strict=True)]
        else:
            damp = [p + c for p, c in zip(damp, d, strict=True)]
            value += gain**k * n / (1 + damp[0] ** 2 + damp[1] ** 2)
    return value
