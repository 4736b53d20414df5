# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the faces of a shape, seen from above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from .nearest import nearest
from .outlines import outline, signed_areas, turned_left
from .regions import HalfPlanes, samples_in
from .segments import Segments

OVERLAP = 1e-9
"""Of neighboring triangles, relative to the coordinates: samples on a common edge are in one."""
SLIVER = 1e-10
"""Share of the square of their longest side that triangles cover at least: others have no plane."""


@dataclass(frozen=True)
class Surface:
    """The highest faces of a shape.

    Attributes
    ----------
    triangles : ndarray of float64, shape (n, 3, 3)
        x, y and z of the corners in meters, counterclockwise in plan.
    border : Segments
        Where the faces end in plan.
    border_heights : ndarray of float64, shape (points,)
        Height of the highest corner of a face over each point that ``border`` refers to.
    """

    triangles: Doubles
    border: Segments
    border_heights: Doubles

    @classmethod
    def of(cls, points: Doubles, starts: Indices) -> Surface:
        """Return the surface of faces: points (n, 3 or more), and the first of each face.

        Faces of more than three corners are divided into triangles. Those seen edge-on have no
        part in it.
        """
        edges = outline(points, starts)
        first = 2 * np.arange(len(edges))
        ends = edges.reshape(-1, points.shape[1])
        border = Segments.of(ends, first, np.zeros(len(first), bool)).linked()
        return cls(_triangles(points[:, :3], starts), border, _highest(points, ends))

    def heights(self, grid: Grid, cancelled: Cancel | None = None) -> Floats:
        """Return the height of the highest face at each point of a grid: (ny, nx) float32.

        -inf where there is no face. Windows of a grid have the same bits.

        Examples
        --------
        >>> ramp = Surface.of(np.array([[0.0, 0, 0], [2, 0, 4], [2, 2, 4], [0, 2, 0]]),
        ...                   np.array([0]))
        >>> ramp.heights(Grid(4, 1, 0.0, 1.0, 1.0, 1.0))
        array([[  0.,   2.,   4., -inf]], dtype=float32)
        """
        found = np.full(grid.nx * grid.ny, -np.inf)
        corners = self.triangles
        origin, one, two = corners[:, 0], corners[:, 1], corners[:, 2]
        rise = _slopes(one - origin, two - origin)
        low, high = corners[:, :, 2].min(axis=1), corners[:, :, 2].max(axis=1)
        for rows, columns, which in samples_in(_halves(corners), grid):
            poll(cancelled)
            x, y = grid.x[columns] - origin[which, 0], grid.y[rows] - origin[which, 1]
            z = origin[which, 2] + rise[which, 0] * x + rise[which, 1] * y
            # A face that is nearly upright must not rise beyond its corners.
            z = np.clip(z, low[which], high[which])
            np.maximum.at(found, rows * grid.nx + columns, z)
        return found.reshape(grid.shape).astype(np.float32)

    def around(
        self, grid: Grid, reach: float, cancelled: Cancel | None = None
    ) -> tuple[Floats, Floats]:
        """Return the heights of the nearest points of the border, and meters to them.

        Infinite distances beyond the reach: (ny, nx) float32 each.
        """
        found = nearest(self.border, grid, reach, cancelled)
        heights = found.value(self.border_heights)
        return heights.astype(np.float32), found.distance.astype(np.float32)


def _slopes(one: Doubles, two: Doubles) -> Doubles:
    """Return how planes through two vectors from a corner rise along x and y: (n, 2)."""
    area = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    along = one[:, 2] * two[:, 1] - two[:, 2] * one[:, 1]
    across = one[:, 0] * two[:, 2] - two[:, 0] * one[:, 2]
    return np.stack([along, across], axis=1) / area[:, None]


def _halves(corners: Doubles) -> HalfPlanes:
    """Return triangles (n, 3, 3) in plan as regions."""
    plan = corners[:, :, :2]
    step = np.roll(plan, -1, axis=1) - plan
    length = np.maximum(np.hypot(step[..., 0], step[..., 1]), np.finfo(np.float64).tiny)
    normal = np.stack([step[..., 1], -step[..., 0]], axis=-1) / length[..., None]
    slack = OVERLAP * np.abs(plan).max(initial=0.0, axis=(1, 2))
    limit = (normal * plan).sum(axis=-1) + slack[:, None]
    low, high = plan[..., 1].min(axis=1) - slack, plan[..., 1].max(axis=1) + slack
    return HalfPlanes(np.arange(len(plan)), low, high, normal, limit)


def _highest(points: Doubles, places: Doubles) -> Doubles:
    """Return the height of the highest of the points that lie over each place in plan."""
    plan = (points[:, 0] + 0.0) + 1j * (points[:, 1] + 0.0)
    known, number = np.unique(plan, return_inverse=True)
    top = np.full(len(known), -np.inf)
    np.maximum.at(top, number.reshape(-1), points[:, 2])
    wanted = (places[:, 0] + 0.0) + 1j * (places[:, 1] + 0.0)
    return top[np.searchsorted(known, wanted)] if len(places) else np.empty(0)


def _triangles(points: Doubles, starts: Indices) -> Doubles:
    """Return the triangles of faces, counterclockwise in plan: (n, 3, 3)."""
    points = turned_left(points, starts)
    counts = np.diff(np.append(starts, len(points)))
    parts = [np.empty((0, 3, 3))]
    for count in sorted({int(one) for one in counts if one > 2}):
        faces = points[starts[counts == count, None] + np.arange(count)]
        convex = _turns(faces[..., :2]).min(axis=1) >= 0
        second = np.arange(1, count - 1)
        fan = np.stack([np.zeros_like(second), second, second + 1], axis=1)
        parts.append(faces[convex][:, fan].reshape(-1, 3, 3))
        parts += [face[list(_ears(face[:, :2]))] for face in faces[~convex]]
    every = np.concatenate(parts)
    area = signed_areas(every.reshape(-1, 3), 3 * np.arange(len(every)))
    sides = every[..., :2] - np.roll(every[..., :2], 1, axis=1)
    return every[area > SLIVER * np.square(sides).sum(axis=2).max(axis=1)]


def _turns(plan: Doubles) -> Doubles:
    """Return twice the area of the triangle at each corner of closed lines (..., corners, 2)."""
    into, out = plan - np.roll(plan, 1, axis=-2), np.roll(plan, -1, axis=-2) - plan
    return into[..., 0] * out[..., 1] - into[..., 1] * out[..., 0]


def _ears(plan: Doubles) -> Iterator[list[int]]:
    """Yield the corners of triangles that fill a counterclockwise line.

    Source: ear clipping (Meisters, *Polygons have ears*, 1975). What crosses itself has corners
    without an ear: these are cut off one after the other.
    """
    left = list(range(len(plan)))
    while len(left) > 3:
        rest = plan[left]
        turn = _turns(rest)
        ear = next((n for n in np.argsort(-turn).tolist() if _is_ear(rest, n)), int(turn.argmax()))
        yield [left[ear - 1], left[ear], left[(ear + 1) % len(left)]]
        del left[ear]
    yield left


def _is_ear(plan: Doubles, corner: int) -> bool:
    """Return whether the triangle at a convex corner of a line holds no other point of it."""
    count = len(plan)
    own = [corner - 1, corner, (corner + 1) % count]
    others = np.delete(plan, [n % count for n in own], axis=0)
    inside = np.ones(len(others), bool)
    for n in range(3):
        start, end = plan[own[n]], plan[own[(n + 1) % 3]]
        step, away = end - start, others - start
        inside &= step[0] * away[:, 1] - step[1] * away[:, 0] >= 0
    # Points that coincide with a corner are no hindrance: lines may touch themselves.
    touching = (others[:, None] == plan[own]).all(axis=2).any(axis=1)
    return bool(_turns(plan)[corner] > 0) and not (inside & ~touching).any()
