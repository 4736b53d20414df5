# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of cellular noise, with true distances from their borders."""

from __future__ import annotations

import itertools

import numpy as np

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corners import CornerQuery
from ..hashing.lookup import lookup
from .points import feature_points, nearest_cell

STEPS = [step for step in itertools.product(range(-2, 3), repeat=2) if abs(step[0] * step[1]) < 4]
"""Cells around a point: the nearest feature point lies in the inner nine, its neighbors in all."""


def cell_borders(x: Axis, y: Axis, seed: int, jitter: float = 1.0) -> tuple[Field, Field, Field]:
    """Find the Voronoi cell of each point, and its distance from the cell's border.

    Cells are those of cellular noise with Euclidean distances. The difference of the distances to
    the nearest two feature points is no distance from the border: where the two lie close together
    it is small in all of both cells. Here each border is the line half way between two feature
    points (Inigo Quilez, "Voronoi borders", 2012).

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)
        Coordinates in cells, at most 2**29 from 0.
    seed : int
        Any integer; taken modulo 2**32.
    jitter : float, default 1.0
        0 puts feature points in the middle of their cells, 1 is the most.

    Returns
    -------
    value : ndarray of float32, shape (n,)
        Random number of the cell, -1 to 1.
    middle : ndarray of float32, shape (n,)
        Distance from the feature point of the cell.
    border : ndarray of float32, shape (n,)
        Distance from the border of the cell.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import noise
    >>> value, middle, border = noise.cell_borders(np.array([0.2, 1.9]), np.zeros(2), seed=3)
    >>> bool((border >= 0).all())
    True
    """
    coords = np.stack([x, y])
    cells = nearest_cell(coords)
    offset = (coords - cells).astype(np.float32)
    settings = {"jitter": jitter, "return_type": "cell_value"}
    query = CornerQuery(feature_points(2, settings), Octave(seed & 0xFFFFFFFF), -2, 5)
    corners = lookup(query, cells.astype(np.int32), Scratch())
    points = np.empty((len(STEPS), 2, x.size), np.float32)  # relative to each point
    nearest = np.full(x.size, np.inf, np.float32)
    own = np.empty((2, x.size), np.float32)
    value = np.empty(x.size, np.float32)
    for step, point in zip(STEPS, points, strict=True):
        right, up, bits = corners.fields(step)
        np.add(right, np.float32(step[0]) - offset[0], out=point[0])
        np.add(up, np.float32(step[1]) - offset[1], out=point[1])
        if max(map(abs, step)) > 1:
            continue
        square = point[0] * point[0] + point[1] * point[1]
        closer = square < nearest
        np.copyto(nearest, square, where=closer)
        np.copyto(own, point, where=closer)
        np.copyto(value, bits.view(np.int32), where=closer, casting="unsafe")
    value *= np.float32(2.0**-31)
    border = np.full(x.size, np.inf, np.float32)
    for point in points:
        square = point[0] * point[0] + point[1] * point[1] - nearest
        point -= own
        apart = np.hypot(point[0], point[1])
        # Its own point is no neighbor.
        np.minimum(border, square / np.maximum(apart, np.float32(1e-6)), out=border,
                   where=apart > np.float32(1e-6))  # fmt: skip
    border *= np.float32(0.5)
    return value, np.sqrt(nearest), border
