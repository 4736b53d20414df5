# SPDX-License-Identifier: GPL-3.0-or-later
"""Borders of polygons in plan: their direction, and the outline of many faces."""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Doubles, Indices


def signed_areas(points: Doubles, starts: Indices) -> Doubles:
    """Return the areas in plan of closed lines, positive where they turn counterclockwise.

    Source: the shoelace formula (Meister 1769).
    """
    if not len(starts):
        return np.empty(0)
    following = _following(points, starts)
    counts = np.diff(np.append(starts, len(points)))
    # Relative to each line's own first point, so that a far line keeps its precision.
    x, y = (points[:, :2] - np.repeat(points[starts, :2], counts, axis=0)).T
    return np.add.reduceat(x * y[following] - x[following] * y, starts) / 2


def turned_left(points: Doubles, starts: Indices) -> Doubles:
    """Return the points of closed lines, with those of clockwise lines reversed.

    Examples
    --------
    >>> turned_left(np.float64([[0, 0], [0, 1], [1, 0]]), np.array([0])).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    if not len(starts):
        return points
    stops = np.append(starts[1:], len(points))
    counts = stops - starts
    places = np.arange(len(points))
    mirrored = np.repeat(starts + stops - 1, counts) - places
    turn = np.repeat(signed_areas(points, starts) < 0, counts)
    return points[np.where(turn, mirrored, places)]


def outline(points: Doubles, starts: Indices) -> Doubles:
    """Return the edges of faces that border their union in plan: (edges, 2, columns) from point to
    point.

    Each face is turned counterclockwise. Edges that two faces share in opposite directions lie
    inside. Of overlapping faces, edges of one under another may remain. Faces seen edge-on have no
    area: all their edges remain.
    """
    if not len(starts):
        return np.empty((0, 2, points.shape[1]))
    flat = signed_areas(points, starts) == 0
    counts = np.diff(np.append(starts, len(points)))
    points = turned_left(points, starts)
    following = _following(points, starts)
    # Complex numbers sort by X, then Y: much faster than rows.
    _, number = np.unique((points[:, 0] + 0.0) + 1j * (points[:, 1] + 0.0), return_inverse=True)
    number = number.reshape(-1)
    ends = np.stack([number, number[following]], axis=1)
    long = ends[:, 0] != ends[:, 1]
    standing = np.repeat(flat, counts) & long
    solid = np.flatnonzero(long & ~np.repeat(flat, counts))
    count = int(number.max()) + 1
    forth = ends[solid, 0] * count + ends[solid, 1]
    back = ends[solid, 1] * count + ends[solid, 0]
    places = np.concatenate([solid[~np.isin(forth, back)], np.flatnonzero(standing)])
    _, once = np.unique(ends[places].min(1) * count + ends[places].max(1), return_index=True)
    places = places[np.sort(once)]
    return np.stack([points[places], points[following[places]]], axis=1)


def _following(points: Doubles, starts: Indices) -> Indices:
    """Return the next point in each closed line."""
    following = np.arange(1, len(points) + 1)
    following[np.append(starts[1:], len(points)) - 1] = starts
    return following
