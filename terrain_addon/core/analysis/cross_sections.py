# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross sections of valleys: V-shaped where rivers cut them, U-shaped where glaciers did."""

from __future__ import annotations

import math

import numpy as np

from ..hydrology import drainage_area, route, stream_order
from ..hydrology.d8 import Cells, receivers
from ..numerics.arrays import Bools, Doubles, Floats
from ..numerics.resample import bilinear_exact

NEAR, FAR = 3, 6
"""Samples from the stream between which valley sides are measured."""
SMALLEST = 100
"""Cells that drain to a stream."""
ORDER = 2
"""Order of the smallest streams that are measured: those without tributaries often are mere gullies
in a slope."""
ALONG = 4
"""Cells downstream by which the direction of a stream is found."""


def cross_section_exponent(height: Floats, spacing: float, where: Bools | None = None) -> float:
    """Return the exponent b of the rise ``a d**b`` of valley sides at a distance d from streams.

    1 is a V with even sides, 2 a parabola, which valleys of glaciers resemble (Svensson 1959). It
    follows from the mean rise at 3 to 6 samples on both sides of streams of the second order and
    more.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    spacing : float
        Meters between samples.
    where : ndarray of bool, shape (H, W), optional
        Where streams are measured; everywhere if None.

    Returns
    -------
    float
        NaN where there is no such stream, or the ground beside it does not rise.

    Examples
    --------
    >>> y, x = np.mgrid[0:80, 0:80]
    >>> apart = 0.5 * np.maximum(y - 40, 0)  # two streams meet
    >>> beside = abs(abs(x - 40) - apart)
    >>> round(cross_section_exponent(np.float32(y + beside**2), 10.0, y < 35), 1)
    2.0
    """
    tree = route(np.asarray(height, np.float32))
    streams = stream_order(tree, drainage_area(tree, 1.0) >= SMALLEST) >= ORDER
    if where is not None:
        streams &= where
    places, along = _directions(streams, receivers(tree.directions))
    if not places.size:
        return math.nan
    across = np.stack([-along[1], along[0]])
    bed = bilinear_exact(height, *places)
    cells: Doubles = np.arange(NEAR, FAR + 1, dtype=np.float64)
    rise = [
        np.mean([bilinear_exact(height, *(places + away * across)) - bed for away in (-far, far)])
        for far in cells
    ]
    if min(rise) <= 0:
        return math.nan
    return float(np.polyfit(np.log(spacing * cells), np.log(rise), 1)[0])


def _directions(streams: Bools, below: Cells) -> tuple[Doubles, Doubles]:
    """Return the rows and columns of stream cells, (2, n), whose sides lie on the terrain, and unit
    vectors in which they flow."""
    here = np.flatnonzero(streams)
    there = here
    for _ in range(ALONG):
        there = below[there]
    start, end = (
        np.stack(np.divmod(cells, streams.shape[1])).astype(np.float64) for cells in (here, there)
    )
    last = np.array(streams.shape)[:, None] - 1
    length = np.hypot(*(end - start))
    used = (length > 0) & (np.minimum(start, last - start) >= FAR).all(axis=0)
    return start[:, used], (end - start)[:, used] / length[used]
