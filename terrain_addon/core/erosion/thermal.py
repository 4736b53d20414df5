# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose rock slides until no slope is steeper than the talus angle."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..hydrology import check_height
from ..numerics.arrays import Floats
from ..numerics.blocks import for_each_band, parts, with_margin
from ..numerics.progress import Cancel, Progress, poll

Window = tuple[slice, slice]

ROWS_PER_PASS = 3
"""Rows to either side that one pass depends on: three of its four directions cross rows."""

ROWS, COLUMNS = 128, 512
"""Least size of a tile, which stays in the processor's cache."""

_ALL, _LATER, _EARLIER = slice(None), slice(1, None), slice(None, -1)
# Pairs of neighboring cells, the rows and columns between them, and the share of the excess that
# moves in one pass. A cell has two neighbors in each direction, so shares below 1/2
# cannot overshoot.
PAIRS: tuple[tuple[Window, Window, tuple[int, int], float], ...] = (
    ((_EARLIER, _ALL), (_LATER, _ALL), (1, 0), 0.25),
    ((_ALL, _EARLIER), (_ALL, _LATER), (0, 1), 0.25),
    ((_EARLIER, _EARLIER), (_LATER, _LATER), (1, 1), 0.175),
    ((_EARLIER, _LATER), (_LATER, _EARLIER), (1, -1), 0.175),
)


def slide(
    height: Floats,
    spacing: tuple[float, float],
    talus: float,
    passes: int,
    *,
    band: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Move material down from slopes steeper than the talus angle.

    After Musgrave, Kolb and Mace (1989), one direction at a time, so that each pass conserves mass
    up to rounding.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    spacing : tuple of float
        Meters between columns and between rows (dx, dy).
    talus : float
        Degrees, 0 to 90, the steepest slope that holds.
    passes : int
        Material moves one cell in each pass; the result depends on cells up to 3 * ``passes`` rows
        away.
    band, threads : int
        Rows worked on at once, and by how many threads; the result is the same.

    Returns
    -------
    ndarray of float32, shape (H, W)
        A new array.

    Raises
    ------
    ValueError
        Heights, spacing or talus that are not finite.
    Cancelled

    Examples
    --------
    >>> cliff = np.zeros((8, 8), np.float32)
    >>> cliff[:, :4] = 10
    >>> eased = slide(cliff, (1.0, 1.0), 45.0, 20)
    >>> float(np.diff(eased, axis=1).min()) > -2, round(float(eased.mean()), 3)
    (True, 5.0)
    """
    limits = limits_of(spacing, talus)

    def slid(tile: Floats) -> Floats:
        tile = tile.copy()
        scratch = np.empty((2, tile.size), np.float32)
        for _ in range(passes):
            slide_once(tile, limits, scratch, cancelled)
        return tile

    return by_tiles(
        height, slid, passes, band=band, threads=threads, progress=progress, cancelled=cancelled
    )


def by_tiles(
    height: Floats,
    made: Callable[[Floats], Floats],
    passes: int,
    *,
    band: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Apply ``made`` tile by tile, with the margin that its passes need; see :func:`slide`."""
    height = check_height(height)
    out = np.empty_like(height)
    # Margins are computed twice: tiles are much larger.
    margin = ROWS_PER_PASS * passes
    width = max(COLUMNS, 2 * margin)

    def work(part: slice) -> None:
        rows, inner = with_margin(part, margin, height.shape[0])
        for across in parts(height.shape[1], width):
            columns, inside = with_margin(across, margin, height.shape[1])
            out[part, across] = made(height[rows, columns])[inner, inside]

    for_each_band(
        height.shape,
        work,
        band=band,
        least=max(ROWS, 2 * margin),
        threads=threads,
        progress=progress,
        cancelled=cancelled,
    )
    return out


def limits_of(spacing: tuple[float, float], talus: float) -> list[np.float32]:
    """Return the height difference that holds for each kind of pair; ValueError if it is not
    finite."""
    if not np.isfinite([*spacing, talus]).all():
        raise ValueError(f"Spacing and talus must be finite, not {spacing} meters, {talus} degrees")
    tangent = math.tan(math.radians(min(max(talus, 0.0), 89.9)))
    dx, dy = spacing
    return [np.float32(tangent * math.hypot(j * dy, i * dx)) for _, _, (j, i), _ in PAIRS]


def slide_once(
    height: Floats, limits: list[np.float32], scratch: Floats, cancelled: Cancel | None
) -> None:
    """Make one pass over all pairs, in place.

    Parameters
    ----------
    height : ndarray of float32, shape (rows, columns)
        Contiguous.
    limits : list of np.float32
        The height difference that holds, for each kind of pair.
    scratch : ndarray of float32, shape (2, height.size)
        Overwritten.
    """
    # One long row: windows of short rows take 1.5 times as long. Pairs across the ends of rows are
    # no neighbors and move nothing.
    flat, columns = height.ravel(), height.shape[1]
    for (_, _, (down, across), share), limit in zip(PAIRS, limits, strict=True):
        if across and columns == 1:
            continue
        poll(cancelled)
        apart = down * columns + across
        a, b = flat[:-apart], flat[apart:]
        difference, holds = scratch[:, : a.size]
        np.subtract(a, b, out=difference)
        np.clip(difference, -limit, limit, out=holds)
        difference -= holds
        difference *= np.float32(share)
        if across:
            difference[columns - 1 if across > 0 else 0 :: columns] = 0
        a -= difference
        b += difference


def relaxed(
    height: Floats, spacing: float, tangent: float, passes: int, cancelled: Cancel | None = None
) -> Floats:
    """Return a few passes on a grid of square cells, for use inside other erosion steps."""
    talus = math.degrees(math.atan(tangent))
    return slide(height, (spacing, spacing), talus, passes, cancelled=cancelled)
