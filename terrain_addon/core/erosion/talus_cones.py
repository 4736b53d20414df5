# SPDX-License-Identifier: GPL-3.0-or-later
"""Talus: cones of fallen rock that lean against the cliffs above them."""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.progress import Cancel
from .thermal import ROWS_PER_PASS, by_tiles

FARTHEST_STEP = 32
"""Longest step, in samples: cones reach up to about four times as far."""
LONGER = 1.0135
"""Mean length of the ways that the steps find, in straight lines; at most 1.028."""
_HALF = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
DIRECTIONS = (*_HALF, *((-down, -across) for down, across in _HALF))
"""Rows and columns of a step: those of a chamfer distance (Borgefors 1986)."""


def steps_for(reach: float, spacing: float) -> list[int]:
    """Return the steps in samples, longest first, by which cones reach some meters."""
    step = 1
    while step < FARTHEST_STEP and 4 * step * spacing < reach:
        step *= 2
    steps: list[int] = []
    while step:
        steps += [step, step]  # twice: the ways are straighter
        step //= 2
    return steps


def reach_of(steps: list[int]) -> int:
    """Return the samples around a point that its height depends on."""
    return 2 * sum(steps)


def cones(
    apex: Floats,
    spacing: tuple[float, float],
    angle: float,
    steps: list[int],
    *,
    threads: int = 1,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the upper surface of the cones below all points.

    Loose rock that falls from a cliff comes to rest at one angle, 32 to 36 degrees for most rock
    (Statham 1976), so each place of the cliff feeds a cone. Their envelope is the dilation of the
    heights by a cone (Serra 1982), made here by steps of halving length.

    Parameters
    ----------
    apex : ndarray of float32, shape (H, W)
        Meters: heights from which the cones fall.
    spacing : tuple of float
        Meters between columns and between rows (dx, dy).
    angle : float
        Degrees from horizontal.
    steps : list of int
        Result of :func:`steps_for`.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters, nowhere below ``apex``.

    Examples
    --------
    >>> apex = np.zeros((1, 9), np.float32)
    >>> apex[0, 4] = 3
    >>> cones(apex, (1.0, 1.0), 45.0, [2, 1]).round(1).tolist()
    [[0.0, 0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0, 0.0]]
    """
    tangent = math.tan(math.radians(angle)) / LONGER

    def raised(tile: Floats) -> Floats:
        for step in steps:
            tile = _stepped(tile, spacing, tangent, step, cancelled)
        return tile

    passes = -(-reach_of(steps) // ROWS_PER_PASS)
    return by_tiles(apex, raised, passes, threads=threads, cancelled=cancelled)


def _stepped(
    height: Floats,
    spacing: tuple[float, float],
    tangent: float,
    step: int,
    cancelled: Cancel | None,
) -> Floats:
    """Return the heights raised to the cones of points one step away."""
    out, (dx, dy) = height.copy(), spacing
    for down, across in DIRECTIONS:
        if cancelled is not None and cancelled():
            break
        down, across = down * step, across * step
        if abs(down) >= height.shape[0] or abs(across) >= height.shape[1]:
            continue
        fall = np.float32(tangent * math.hypot(across * dx, down * dy))
        here = tuple(
            slice(max(n, 0), count + min(n, 0)) for n, count in _sides(height, down, across)
        )
        there = tuple(
            slice(max(-n, 0), count + min(-n, 0)) for n, count in _sides(height, down, across)
        )
        np.maximum(out[here], height[there] - fall, out=out[here])
    return out


def _sides(height: Floats, down: int, across: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (down, height.shape[0]), (across, height.shape[1])
