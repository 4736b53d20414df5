# SPDX-License-Identifier: GPL-3.0-or-later
"""Talus: cones of fallen rock that lean against the cliffs above them."""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.progress import Cancel, poll
from .thermal import ROWS_PER_PASS, by_tiles

FARTHEST_STEP = 32
"""Longest step, in samples: cones reach up to about four times as far."""
LONGER = 1.0135
"""Mean length of the ways that the steps find, in straight lines; at most 1.028."""
BAND = 512
"""Rows of a tile, far more than its margin."""
_HALF = ((2, 0), (0, 2), (2, 2), (2, -2), (2, 1), (1, 2), (2, -1), (1, -2))
HALF_STEPS = (*_HALF, *((-down, -across) for down, across in _HALF))
"""Rows and columns of each way to go a step, in halves of it: those of a chamfer distance
(Borgefors 1986)."""


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
    return sum(steps)


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
    return by_tiles(apex, raised, passes, band=BAND, threads=threads, cancelled=cancelled)


def _stepped(
    height: Floats,
    spacing: tuple[float, float],
    tangent: float,
    step: int,
    cancelled: Cancel | None,
) -> Floats:
    """Return the heights raised to the cones of points one step away."""
    out, (dx, dy), (rows, columns) = height.copy(), spacing, height.shape
    for half_down, half_across in HALF_STEPS:
        poll(cancelled)
        (down, odd), (across, odd_too) = divmod(half_down * step, 2), divmod(half_across * step, 2)
        if odd or odd_too or abs(down) >= rows or abs(across) >= columns:
            continue
        fall = np.float32(tangent * math.hypot(across * dx, down * dy))
        here = _overlap(down, rows), _overlap(across, columns)
        there = _overlap(-down, rows), _overlap(-across, columns)
        np.maximum(out[here], height[there] - fall, out=out[here])
    return out


def _overlap(shift: int, count: int) -> slice:
    """Return the samples of an axis that have one ``shift`` samples before them."""
    return slice(max(shift, 0), count + min(shift, 0))
