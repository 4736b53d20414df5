# SPDX-License-Identifier: GPL-3.0-or-later
"""Values along rivers: means, least values, and numbers that vary by place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...hydrology import RiverLine
from ...numerics.arrays import Doubles
from ...numerics.resample import bilinear_exact
from .. import random_fields
from ..rivers.drainage import Drainage
from ..rivers.drawn.course import run_of

LOOKS = 12
"""Distances across a river at which the end of its floor is looked for."""
MOUTH = 3.0
"""Length over which a tributary is led to the river that it flows into, times the shift of that."""


def varying(drainage: Drainage, axis: Sequence[Doubles], wave: float, seed: int) -> Doubles:
    """Return numbers of mean 0 and deviation 1 that vary over ``wave`` meters, by place."""
    rows, columns = ((line - start) / drainage.spacing for line, start in on_grid(axis, drainage))
    cells = wave / drainage.spacing
    found = random_fields.smooth_at(drainage.height.shape, cells, seed, rows, columns)
    return found.astype(np.float64)


def on_grid(axis: Sequence[Doubles], drainage: Drainage) -> list[tuple[Doubles, float]]:
    """Return the y and x of a line, with those of the first cell."""
    return [(axis[1], drainage.y0), (axis[0], drainage.x0)]


def left_of(axis: Sequence[Doubles]) -> Doubles:
    """Return the direction to the left of a line: (2, n)."""
    normal = np.stack([-np.gradient(axis[1]), np.gradient(axis[0])])
    return normal / np.maximum(np.hypot(*normal), 1e-12)


def steady(values: Doubles, count: int) -> Doubles:
    """Return means over ``count`` points or so, of fewer toward the ends, which stay."""
    half = np.minimum(np.arange(values.size), np.arange(values.size)[::-1])
    half = np.minimum(half, max(count // 2, 1))
    sums = np.append(0.0, np.cumsum(values))
    places = np.arange(values.size)
    return (sums[places + half + 1] - sums[places - half]) / (2 * half + 1)


def least(values: Doubles, count: int) -> Doubles:
    """Return the least of ``count`` points on either side."""
    padded = np.pad(values, max(count, 1), mode="edge")
    made: Doubles = sliding_window_view(padded, 2 * max(count, 1) + 1).min(axis=1)
    return made


def rooms(
    drainage: Drainage,
    axis: Sequence[Doubles],
    normal: Doubles,
    highest: Doubles,
    farthest: Doubles,
) -> list[Doubles]:
    """Return meters from a river to the end of its floor, on the left and on the right, up to the
    ``farthest``: ground at or above the ``highest`` level ends it."""
    found: list[Doubles] = []
    for side in (1, -1):
        flat, room = np.ones(farthest.size, bool), np.zeros(farthest.size)
        for look in range(1, LOOKS + 1):
            away = farthest * look / LOOKS
            rows, columns = (
                (line + side * away * across - start) / drainage.spacing
                for (line, start), across in zip(on_grid(axis, drainage), normal[::-1], strict=True)
            )
            flat &= bilinear_exact(drainage.height, rows, columns) < highest
            room[flat] = away[flat]
        found.append(room)
    return found


def joined(river: RiverLine, mouth: tuple[float, float] | None) -> RiverLine:
    """Return a river that is led to its mouth, which lies elsewhere after the river that it flows
    into has moved."""
    if mouth is None:
        return river
    shift = mouth[0] - river.x[-1], mouth[1] - river.y[-1]
    run = run_of(np.stack([river.x, river.y], axis=1))
    share = np.clip(1 - (run[-1] - run) / max(MOUTH * math.hypot(*shift), 1e-9), 0, 1)
    share *= share * (3 - 2 * share)
    x, y = river.x + shift[0] * share, river.y + shift[1] * share
    return replace(river, x=x, y=y)
