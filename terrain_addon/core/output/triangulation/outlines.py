# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that end at an outline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Bools, Doubles, Floats
from ...shapes import Segments
from .error_map import ErrorMap, Triangulation
from .meshes import TriangleMesh

Ints = NDArray[np.int32]
NEAREST = 1e-3
"""Share of an edge between a sample and the outline at least, so that no triangle is a needle."""
ROUNDING = 1e-6
"""Share of an edge or a line beyond its ends where both still meet: vertices are float32."""
PAIRS = 2**21
"""Edges and segments compared at once."""


def finest_along(height: Floats, inside: Bools, tolerance: float) -> Triangulation:
    """Return a mesh for a tolerance, with all samples beside the border of what is ``inside``.

    Waves of one sample, far above the tolerance, keep these samples in the mesh.
    """
    near = np.zeros(inside.shape, bool)
    for axis in (0, 1):
        changes = np.diff(inside, axis=axis)
        ends = [(0, 1), (1, 0)]
        for end in ends:
            width = [(0, 0), (0, 0)]
            width[axis] = end
            near |= np.pad(changes, width)
    near = _grown(_grown(near))
    j, i = np.indices(height.shape)
    wave = np.float32(8 * (np.ptp(height) + tolerance + 1))
    waved = np.where(near & ((i + j) % 2 == 1), height + wave, height)
    return ErrorMap.of(waved).mesh(tolerance)


def cut_along(mesh: TriangleMesh, inside: Bools, outline: Segments) -> TriangleMesh:
    """Return the part of a mesh of a whole terrain within an outline.

    Each edge of a triangle from a sample inside to one outside ends where it first meets the
    outline, and a line from there to the next such place is the new border.
    """
    within = inside.reshape(-1)[mesh.samples]
    count = within[mesh.triangles].sum(axis=1)
    whole = mesh.triangles[count == 3]
    one = _turned(mesh.triangles[count == 1], within, first=True)
    two = _turned(mesh.triangles[count == 2], within, first=False)
    # Edges from inside to outside: of one corner inside, both sides; of one outside, likewise.
    edges = np.concatenate([one[:, [0, 1]], one[:, [0, 2]], two[:, [1, 0]], two[:, [2, 0]]])
    known, number = np.unique(edges, axis=0, return_inverse=True)
    ends = (number.reshape(-1) + len(mesh.vertices)).astype(np.int32)
    n, m = len(one), len(two)
    first, second = ends[:n], ends[n : 2 * n]
    third, fourth = ends[2 * n : 2 * n + m], ends[2 * n + m :]
    triangles = np.concatenate(
        [
            whole,
            np.stack([one[:, 0], first, second], axis=1),
            np.stack([two[:, 1], two[:, 2], fourth], axis=1),
            np.stack([two[:, 1], fourth, third], axis=1),
        ]
    )
    start, end = (mesh.vertices[known[:, side]].astype(np.float64) for side in (0, 1))
    share = np.clip(_first_meeting(start[:, :2], end[:, :2], outline), NEAREST, 1 - NEAREST)
    places = start + share[:, None] * (end - start)
    vertices = np.concatenate([mesh.vertices, places.astype(np.float32)])
    samples = np.append(mesh.samples, mesh.samples[known[:, 0]])
    used, triangles = np.unique(triangles, return_inverse=True)
    return TriangleMesh(
        vertices[used],
        triangles.reshape(-1, 3).astype(np.int32),
        samples[used],
        mesh.center,
        len(used),
    )


def open_edges(triangles: Ints) -> Ints:
    """Return the edges (n, 2) that one triangle has alone, with the triangle on their left.

    Examples
    --------
    >>> open_edges(np.int32([[0, 1, 2], [2, 1, 3]])).tolist()
    [[0, 1], [1, 3], [2, 0], [3, 2]]
    """
    edges = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    size = int(triangles.max()) + 1
    forth, back = (edges @ np.array(way, np.int64) for way in ([size, 1], [1, size]))
    single = edges[~np.isin(forth, back)]
    return single[np.lexsort(single.T[::-1])]


def _turned(triangles: Ints, within: Bools, *, first: bool) -> Ints:
    """Return triangles that begin with the one corner that is inside, or else the one outside."""
    place = (within[triangles] == first).argmax(axis=1)
    return np.take_along_axis(triangles, (place[:, None] + np.arange(3)) % 3, axis=1)


def _first_meeting(start: Doubles, end: Doubles, outline: Segments) -> Doubles:
    """Return the share of each edge (n, 2) before it first meets a line; a half where rounding lets
    it miss all."""
    share = np.full(len(start), np.inf)
    along = outline.end - outline.start
    for begin in range(0, len(start), size := max(1, PAIRS // max(len(along), 1))):
        part = slice(begin, begin + size)
        step = (end - start)[part, None]
        gap = outline.start - start[part, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            turn = _cross(step, along)
            t, u = _cross(gap, along) / turn, _cross(gap, step) / turn
        meets = (t >= -ROUNDING) & (t <= 1) & (u >= -ROUNDING) & (u <= 1 + ROUNDING)
        share[part] = np.where(meets, t, np.inf).min(axis=1, initial=np.inf)
    return np.where(np.isfinite(share), share, 0.5)


def _cross(one: Doubles, two: Doubles) -> Doubles:
    return one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]


def _grown(near: Bools) -> Bools:
    """Return samples with their neighbors."""
    wide = np.pad(near, 1)
    rows = wide[:-2] | wide[1:-1] | wide[2:]
    return rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]
