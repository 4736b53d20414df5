# SPDX-License-Identifier: GPL-3.0-or-later
"""Every noise once more, as it is published: one point at a time, in double precision.

Slow and plain on purpose. The fast code is compared with this, so nothing is shared with it.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

TABLES = json.loads(
    (Path(__file__).parents[2] / "reference" / "fastnoiselite_tables.json").read_text()
)
MASK = 0xFFFFFFFF
PRIMES = (TABLES["PrimeX"], TABLES["PrimeY"], TABLES["PrimeZ"])

Noise = Callable[..., float]


def signed(value: int) -> int:
    """A number modulo 2**32 as a signed 32-bit integer."""
    value &= MASK
    return value - (1 << 32) if value >> 31 else value


# --- blends --------------------------------------------------------------------------------------


def quintic(t: float) -> float:
    return t**3 * (t * (t * 6 - 15) + 10)


def hermite(t: float) -> float:
    return t * t * (3 - 2 * t)


def cosine(t: float) -> float:
    return (1 - math.cos(math.pi * t)) / 2


def linear(t: float) -> float:
    return t


def blended(at: Noise, point: Sequence[float], fade: Callable[[float], float]) -> float:
    """Weighted mean of ``at(corner, offset)`` over the corners of the cell of a point."""
    cells = [math.floor(c) for c in point]
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(point)):
        weight, offset = 1.0, []
        for c, cell, side in zip(point, cells, corner, strict=True):
            s = fade(c - cell)
            weight *= s if side else 1 - s
            offset.append(c - cell - side)
        index = [cell + side for cell, side in zip(cells, corner, strict=True)]
        total += weight * at(index, offset)
    return total


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=False))


# --- FastNoiseLite -------------------------------------------------------------------------------


def fnl_hash(seed: int, index: Sequence[int]) -> int:
    h = seed & MASK
    for i, prime in zip(index, PRIMES, strict=False):
        h ^= i * prime & MASK
    return h * 0x27D4EB2D & MASK


def fnl_value(seed: int, index: Sequence[int]) -> float:
    h = fnl_hash(seed, index)
    h = h * h & MASK
    h ^= h << 19
    return signed(h) / 2147483648.0


def fnl_gradient(seed: int, index: Sequence[int], offset: Sequence[float]) -> float:
    h = fnl_hash(seed, index)
    h ^= signed(h) >> 15
    if len(index) == 2:
        h &= 127 << 1
        return dot(TABLES["Gradients2D"][h : h + 2], offset)
    h &= 63 << 2
    return dot(TABLES["Gradients3D"][h : h + 3], offset)


def perlin(seed: int, *point: float) -> float:
    scale = 1.4247691104677813 if len(point) == 2 else 0.964921414852142333984375
    return scale * blended(lambda i, d: fnl_gradient(seed, i, d), point, quintic)


def value(seed: int, *point: float) -> float:
    return blended(lambda i, d: fnl_value(seed, i), point, hermite)


def cubic(taps: Sequence[float], t: float) -> float:
    a, b, c, d = taps
    p = (d - c) - (a - b)
    return t**3 * p + t**2 * ((a - b) - p) + t * (c - a) + b


def value_cubic(seed: int, *point: float) -> float:
    def along(axis: int, index: list[int]) -> float:
        if axis < 0:
            return fnl_value(seed, index)
        cell = math.floor(point[axis])
        taps = []
        for tap in (-1, 0, 1, 2):
            moved = list(index)
            moved[axis] = cell + tap
            taps.append(along(axis - 1, moved))
        return cubic(taps, point[axis] - cell)

    return along(len(point) - 1, [0] * len(point)) / 1.5 ** len(point)


# --- classics ------------------------------------------------------------------------------------


def integer_noise(n: int) -> float:
    return 1 - ((n * (n * n * 60493 + 19990303) + 1376312589) & 0x7FFFFFFF) / 2**30


def white(seed: int, *point: float) -> float:
    x, y, z = [math.floor(c) for c in [*point, 0][:3]]
    n = (1619 * x + 31337 * y + 6971 * z + 1013 * seed) & 0x7FFFFFFF
    return integer_noise((n >> 13) ^ n)


C, H, S = 0.9238, 0.7071, 0.3826
DIRECTIONS = [
    (1, 0), (C, S), (H, H), (S, C), (0, 1), (-S, C), (-H, H), (-C, S),
    (-1, 0), (-C, -S), (-H, -H), (-S, -C), (0, -1), (S, -C), (H, -H), (C, -S),
]  # fmt: skip


def noiselib(seed: int, *point: float) -> float:
    def at(index: Sequence[int], offset: Sequence[float]) -> float:
        return dot(DIRECTIONS[math.floor((white(seed, *index) + 1) * 8) % 16], offset)

    return blended(at, point, quintic)


def cosine_value(seed: int, *point: float) -> float:
    def at(index: Sequence[int], offset: Sequence[float]) -> float:
        n = signed(73 * index[0] + 179 * index[1] + seed)
        return integer_noise(signed(n << 13) ^ n)

    return blended(at, point, cosine)


def hash_vector(x: int, y: int, seed: int = 0) -> tuple[float, float]:
    def rotated(v: int) -> int:
        return (v << 16 | v >> 16) & MASK

    a, b = x * 3284157443 & MASK, (y ^ seed) & MASK
    b = (b ^ rotated(a)) * 1911520717 & MASK
    a = (a ^ rotated(b)) * 2048419325 & MASK
    angle = a * math.pi / 2**31
    return math.cos(angle), math.sin(angle)


def hash_perlin(seed: int, *point: float) -> float:
    return blended(lambda i, d: dot(hash_vector(i[0], i[1], seed), d), point, linear)


def shuffled(seed: int) -> list[int]:
    table, state = list(range(256)), int(math.fmod(seed, 2147483647))
    if state <= 0:
        state += 2147483646
    state = state or 1  # the one seed that the tutorial cannot use
    for last in reversed(range(256)):
        state = state * 16807 % 2147483647
        chosen = int((state - 1) / 2147483646 * (last + 1))
        table[last], table[chosen] = table[chosen], table[last]
    return table


def permutation_perlin(seed: int, x: float, y: float, z: float = 0.0) -> float:
    return gradients_of_table(shuffled(int(math.fmod(seed, 2**32))), x, y, z)


def gradients_of_table(table: Sequence[int], x: float, y: float, z: float = 0.0) -> float:
    def at(index: Sequence[int], d: Sequence[float]) -> float:
        h = 0
        for i in index:
            h = table[(h + i) % 256]
        h &= 15
        u = d[0] if h < 8 else d[1]
        v = d[1] if h < 4 else d[0] if h in (12, 14) else d[2]
        return (-u if h & 1 else u) + (-v if h & 2 else v)

    return blended(at, (x, y, z), quintic)


# --- fractals ------------------------------------------------------------------------------------


def ping_pong(t: float) -> float:
    t -= int(t * 0.5) * 2
    return t if t < 1 else 2 - t


def fractal_sum(
    noise: Noise,
    point: Sequence[float],
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
) -> float:
    if fractal == "none":
        return noise(seed, *point)
    total, amplitude = 0.0, 1.0
    if normalize:
        amplitude /= sum(abs(gain) ** k for k in range(octaves))
    for k in range(octaves):
        there = [c * lacunarity**k for c in point]
        if octave_seeds == "offset":  # as in the tutorial, which leaves z alone
            there = [(c + 2 * k) * lacunarity**k for c in point[:2]] + list(point[2:])
        n = noise(seed + k if octave_seeds == "increment" else seed, *there)
        if fractal == "fbm":
            signal, weight = n, (min(n + 1, 2) if len(point) == 2 else n + 1) / 2
        elif fractal == "ridged":
            signal, weight = 1 - 2 * abs(n), 1 - abs(n)
        elif fractal == "billow":
            signal, weight = 2 * abs(n) - 1, abs(n)
        else:
            weight = ping_pong((n + 1) * ping_pong_strength)
            signal = 2 * weight - 1
        total += amplitude * signal
        amplitude *= gain * (1 + weighted_strength * (weight - 1))
    return total
