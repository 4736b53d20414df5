# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose rock slides until no slope is steeper than the talus angle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .bands import Cancel, Progress, for_each_band

Floats = NDArray[np.float32]
Window = tuple[slice, slice]

ROWS_PER_PASS = 3
"""Rows that one pass looks at to either side: three of its four directions cross rows."""

_ALL, _LATER, _EARLIER = slice(None), slice(1, None), slice(None, -1)
# Pairs of neighbouring cells, and the share of the excess that moves in one pass. A cell has two
# neighbours in each direction, so shares below 1/2 cannot overshoot.
PAIRS: tuple[tuple[Window, Window, tuple[int, int], float], ...] = (
    ((_EARLIER, _ALL), (_LATER, _ALL), (1, 0), 0.25),
    ((_ALL, _EARLIER), (_ALL, _LATER), (0, 1), 0.25),
    ((_EARLIER, _EARLIER), (_LATER, _LATER), (1, 1), 0.175),
    ((_EARLIER, _LATER), (_LATER, _EARLIER), (1, 1), 0.175),
)


def slide(
    height: Floats,
    spacing: tuple[float, float],
    talus: float,
    passes: int,
    *,
    band: int = 128,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Move material from slopes steeper than the talus angle to the foot of them.

    After Musgrave, Kolb and Mace (1989), direction by direction so that each pass keeps the mass
    to rounding.

    Parameters
    ----------
    height : (H, W) float32, metres
    spacing : metres between columns and between rows (dx, dy)
    talus : degrees, 0 to 90, the steepest slope that holds
    passes : material moves one cell in each pass; the result depends on cells up to
        3 * ``passes`` rows away
    band : rows worked on at once; does not change the result

    Returns
    -------
    (H, W) float32, a new array
    """
    limits = limits_of(spacing, talus)
    out = np.empty_like(height)
    margin = ROWS_PER_PASS * passes
    rows = height.shape[0]

    def work(part: slice) -> None:
        start, stop = max(part.start - margin, 0), min(part.stop + margin, rows)
        strip = height[start:stop].copy()
        for _ in range(passes):
            slide_once(strip, limits)
        out[part] = strip[part.start - start : part.stop - start]

    # A margin is worked on twice: bands much taller than it keep that small.
    band = max(band, 2 * margin)
    for_each_band(rows, band, work, threads=threads, progress=progress, cancelled=cancelled)
    return out


def limits_of(spacing: tuple[float, float], talus: float) -> list[np.float32]:
    """Height difference that holds, for each kind of pair."""
    tangent = math.tan(math.radians(min(max(talus, 0.0), 89.9)))
    dx, dy = spacing
    return [np.float32(tangent * math.hypot(j * dy, i * dx)) for _, _, (j, i), _ in PAIRS]


def slide_once(height: Floats, limits: list[np.float32]) -> None:
    """One pass over all pairs, in place; ``limits`` is the height difference that holds."""
    for (higher, lower, _, share), limit in zip(PAIRS, limits, strict=True):
        a, b = height[higher], height[lower]
        difference = a - b
        moved = difference - np.clip(difference, -limit, limit)
        moved *= np.float32(share)
        a -= moved
        b += moved


def relaxed(height: Floats, spacing: float, tangent: float, passes: int) -> Floats:
    """A few passes on a small grid of square cells, for use inside other erosion steps."""
    limits = limits_of((spacing, spacing), math.degrees(math.atan(tangent)))
    out = height.copy()
    for _ in range(passes):
        slide_once(out, limits)
    return out
