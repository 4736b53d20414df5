# SPDX-License-Identifier: GPL-3.0-or-later
"""River beds carved into a surface."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...hydrology import RiverLine
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Cancel, poll

BANK = 0.35
"""Tangent of the bank beside the bed. It steepens without limit outward, so that it meets the
terrain at any height: straight banks with a wall on top look like a canal."""
DEPTH = 0.12
"""Depth of a bed relative to its width."""
WIDENING = 0.15
"""Largest growth of a river's width per meter of its course: a confluence makes no step in its
bed."""
STEP = 0.7
"""Distance of stamps along a river, in samples of the surface."""
OBLONG = 4
"""Largest ratio of a cell's sides that is followed: with longer cells, stamps would be too many."""
STAMPS = 4096
"""Number of stamps at a time, of similar width: the widest sets the radius of all."""


def carve(
    height: Floats,
    x: Doubles,
    y: Doubles,
    spacing: tuple[float, float],
    rivers: Sequence[RiverLine],
    cancelled: Cancel | None = None,
    *,
    tapered: bool = False,
) -> Floats:
    """Lower a surface to flat river beds, with banks that meet the terrain in a rounded edge.

    Parameters
    ----------
    height : ndarray of float32, shape (len(y), len(x))
        Meters.
    x, y : ndarray of float64
        Coordinates in meters.
    spacing : tuple of float
        Meters between columns and between rows.
    rivers : sequence of RiverLine
        In the same coordinates; the water stands at their z.
    tapered : bool, default False
        Whether beds begin with no width and depth at their sources.

    Returns
    -------
    ndarray of float32, shape (len(y), len(x))
        A new array, nowhere higher than before. A sample depends on the rivers and its own place
        alone, so windows fit together.
    """
    out = height.copy()
    narrow = max(min(spacing), max(spacing) / OBLONG)
    beds = [np.zeros((5, 0))]
    for river in rivers:
        poll(cancelled)
        for stretch in _stretches(river, x, y, spacing):
            bed = _densified(river, STEP * narrow, stretch, tapered)
            beds.append(bed[:, _near(bed, x, y, spacing)])
    near = np.concatenate(beds, axis=1)
    near = near[:, np.argsort(near[3], kind="stable")]
    for start in range(0, near.shape[1], STAMPS):
        _stamp(out, height, x, y, spacing, narrow, near[:, start : start + STAMPS], cancelled)
    return out


def bed_reach(width: Doubles | float, spacing: tuple[float, float]) -> Doubles | float:
    """Return meters around a river of some width over which its bed and banks reach, or more."""
    return width + 4 * max(spacing)


def _stretches(
    river: RiverLine, x: Doubles, y: Doubles, spacing: tuple[float, float]
) -> Iterator[tuple[int, int]]:
    """Yield first and last point of each stretch of a river whose bed may reach the window."""
    reach = bed_reach(float(river.width.max()), spacing)
    near = np.zeros(river.x.size + 1, bool)
    inside = near[1:-1]  # segments, between a point and the next
    inside[:] = True
    for line, axis in ((river.x, x), (river.y, y)):
        inside &= np.minimum(line[:-1], line[1:]) < axis[-1] + reach
        inside &= np.maximum(line[:-1], line[1:]) > axis[0] - reach
    edges = np.flatnonzero(near[1:] != near[:-1])
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _densified(
    river: RiverLine, step: float, stretch: tuple[int, int], tapered: bool = False
) -> Doubles:
    """Return (5, n) x, y, level of the bed, half width, and share of it at the source, of points at
    most ``step`` apart, on a stretch.

    They are those of the whole river: windows agree to the bit.
    """
    length = np.hypot(np.diff(river.x), np.diff(river.y))
    place = np.concatenate([[0.0], np.cumsum(length)])
    total = float(place[-1])
    count = math.ceil(total / step)
    step = total / max(count, 1)
    own = np.append(river.width[:-1], river.width[-2])  # the last may be that of the river it joins
    # Wider parts downstream widen the river for so far upstream.
    widening = float(own.max()) / WIDENING
    first, last, beyond = (
        min(max(round(edge / max(step, 1e-9)) + more, 0), count)
        for edge, more in (
            (place[stretch[0]], -1),
            (place[stretch[1]], 1),
            (place[stretch[1]] + widening, 2),
        )
    )
    fine = step * np.arange(first, beyond + 1, dtype=np.float64)
    if beyond == count:
        fine[-1] = total
    head = river.head if tapered else np.ones_like(own)
    columns = (river.x, river.y, river.z, own, head)
    x, y, level, width, share = (np.interp(fine, place, column) for column in columns)
    width -= WIDENING * fine
    width = np.maximum.accumulate(width[::-1])[::-1] + WIDENING * fine
    width *= share
    return np.stack([x, y, level - DEPTH * width, width / 2, share])[:, : last + 1 - first]


def _near(bed: Doubles, x: Doubles, y: Doubles, spacing: tuple[float, float]) -> Indices:
    """Return points whose bed may reach the window."""
    reach = 2 * bed[3] + 4 * max(spacing)
    inside = (bed[0] > x[0] - reach) & (bed[0] < x[-1] + reach)
    return np.flatnonzero(inside & (bed[1] > y[0] - reach) & (bed[1] < y[-1] + reach))


def _stamp(
    out: Floats,
    before: Floats,
    x: Doubles,
    y: Doubles,
    spacing: tuple[float, float],
    narrow: float,
    bed: Doubles,
    cancelled: Cancel | None,
) -> None:
    px, py, level, half, share = bed
    dx, dy = spacing
    # Narrow rivers do not fall between samples, but begin as no more than a trickle.
    half = np.maximum(half, 0.6 * narrow * share)
    wide_bank = np.maximum(half, 2 * max(dx, dy))
    reach = half + wide_bank
    column = np.rint((px - x[0]) / dx).astype(np.intp)
    row = np.rint((py - y[0]) / dy).astype(np.intp)
    # One sample more than the reach: which sample is nearest may round either way.
    wide, high = (int(np.ceil(float(reach.max()) / step)) + 1 for step in (dx, dy))
    flat, terrain = out.ravel(), before.ravel()
    for dj in range(-high, high + 1):
        for di in range(-wide, wide + 1):
            poll(cancelled)
            j, i = row + dj, column + di
            known = np.flatnonzero((j >= 0) & (j < y.size) & (i >= 0) & (i < x.size))
            j, i = j[known], i[known]
            distance = np.hypot(x[i] - px[known], y[j] - py[known])
            touched = distance < reach[known]
            known, place = known[touched], j[touched] * x.size + i[touched]
            beyond = np.maximum(distance[touched] - half[known], 0)
            left = np.maximum(1 - beyond / wide_bank[known], 1e-9)
            bank = level[known] + BANK * beyond / left
            # The lower of bank and terrain, with a rounded edge.
            ground, round_ = terrain[place], 2 * BANK * beyond + 1e-6
            near = np.maximum(round_ - np.abs(bank - ground), 0)
            lower = np.minimum(bank, ground) - near * near / (4 * round_)
            np.minimum.at(flat, place, lower.astype(np.float32))
