# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices for a triangulated grid: cut into chunks, with skirts and walls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...analysis.derivatives import gradient_rows
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.blocks import row_bands
from ...numerics.grid import Grid
from .error_map import Triangulation

Ints = NDArray[np.int32]
FLOAT_DIGITS = 24
"""Binary digits of a float32 number."""
STEPS = 16
"""Borders of chunks lie between large triangles where a chunk has at least so many of these."""


@dataclass(frozen=True)
class TriangleMesh:
    """Triangles with their vertices, in meters.

    Attributes
    ----------
    vertices : (n, 3) float32, X and Y relative to ``center``
    triangles : (m, 3) int32, counterclockwise from outside
    samples : (n,) int32, for each vertex the flat index ``j * nx + i`` of the sample of the grid
        whose color and fields it has
    center : X and Y; exact as float32
    surface : how many of the vertices are on the terrain; those of skirts, walls and floor follow
    """

    vertices: Floats
    triangles: Ints
    samples: Ints
    center: tuple[float, float]
    surface: int


def chunk_lines(cells: int, chunks: int) -> tuple[int, ...]:
    """Return the samples at which an axis of so many cells is cut into chunks of nearly equal
    length.

    They are multiples of a power of two, so that triangles beside them can be large.

    Examples
    --------
    >>> chunk_lines(1024, 4), chunk_lines(1000, 3)
    ((256, 512, 768), (336, 672))
    """
    if chunks > cells:
        raise ValueError(f"A terrain of {cells + 1} points a side has no {chunks} chunks")
    step = 2 ** (max(cells // (STEPS * chunks), 1).bit_length() - 1)
    return tuple(round(place * cells / chunks / step) * step for place in range(1, chunks))


def cut(
    mesh: Triangulation,
    grid: Grid,
    height: Floats,
    columns: Sequence[int] = (),
    rows: Sequence[int] = (),
    skirt: float = 0.0,
) -> list[TriangleMesh]:
    """Return the chunks of a mesh, row by row, with vertices relative to the center of each.

    A vertex on the border between two chunks has the same coordinates, to the bit, from either.

    Parameters
    ----------
    mesh : from an error map with these lines
    grid, height : where the samples are, and (ny, nx) float32 heights in meters
    columns, rows : lines between chunks
    skirt : meters that a strip along the border of each chunk reaches down; 0 for none

    Examples
    --------
    >>> from terrain_addon.core.output.triangulation.error_map import ErrorMap
    >>> grid, height = Grid.points(100.0, 50.0, 9, 5), np.zeros((5, 9), np.float32)
    >>> west, east = cut(ErrorMap.of(height, [4]).mesh(), grid, height, [4])
    >>> west.center, west.vertices[:, 0].tolist()
    ((-25.0, 0.0), [-25.0, 25.0, -25.0, 25.0])
    """
    sides = [0, *columns, grid.nx - 1], [0, *rows, grid.ny - 1]
    across, along = (_Axis.of(at, ends) for at, ends in zip((grid.x, grid.y), sides, strict=True))
    j, i = (part.min(axis=1) for part in np.divmod(mesh.triangles, grid.nx))
    place = across.count * _interval(j, rows) + _interval(i, columns)
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(1, across.count * along.count))
    chunks: list[TriangleMesh] = []
    for number, part in enumerate(np.split(order, ends)):
        row, column = divmod(number, across.count)
        window = across.ends[column], along.ends[row]
        triangles, samples = _numbered(mesh.triangles[part], grid.nx, *window)
        j, i = np.divmod(samples, grid.nx)
        vertices = np.empty((len(samples), 3), np.float32)
        vertices[:, 0] = across.at[i] - across.centers[column]
        vertices[:, 1] = along.at[j] - along.centers[row]
        vertices[:, 2] = height.reshape(-1)[samples]
        center = float(across.centers[column]), float(along.centers[row])
        chunk = TriangleMesh(vertices, triangles, samples, center, len(samples))
        if skirt:
            chunk = walled(chunk, border(chunk), vertices[:, 2] - np.float32(skirt))
        chunks.append(chunk)
    return chunks


def border(mesh: TriangleMesh) -> Ints:
    """Return the edges along the four sides of a rectangular chunk, (n, 2), with the terrain on
    their left."""
    x, y = mesh.vertices[:, 0], mesh.vertices[:, 1]
    edges = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    start, end = edges.T
    on_side = np.zeros(len(edges), np.bool_)
    for at in (x, y):
        for side in (at.min(), at.max()):
            on_side |= (at[start] == side) & (at[end] == side)
    return edges[on_side]


def walled(mesh: TriangleMesh, edges: Ints, bottom: Floats) -> TriangleMesh:
    """Return the mesh with a wall from these edges of it down to ``bottom``, (n,) for its vertices.

    The edges form one closed line, and the wall shares their vertices.
    """
    top = edges[:, 0]
    count = len(mesh.vertices)
    below = np.zeros(count, np.int32)
    below[top] = np.arange(count, count + len(top), dtype=np.int32)
    lower = mesh.vertices[top]
    lower[:, 2] = bottom[top]
    start, end = edges.T
    wall = np.concatenate(
        [np.stack([below[start], below[end], end], 1), np.stack([below[start], end, start], 1)]
    )
    return TriangleMesh(
        np.concatenate([mesh.vertices, lower]),
        np.concatenate([mesh.triangles, wall]),
        np.concatenate([mesh.samples, mesh.samples[top]]),
        mesh.center,
        mesh.surface,
    )


def normals(grid: Grid, height: Floats) -> Floats:
    """Return unit normals of the terrain at all samples, (ny * nx, 3) float32.

    They follow from the heights of all neighbors, so chunks and levels of detail are shaded alike.

    Examples
    --------
    >>> normals(Grid.points(2.0, 2.0, 2, 2), np.zeros((2, 2), np.float32))[0].tolist()
    [0.0, 0.0, 1.0]
    """
    out = np.ones((*height.shape, 3), np.float32)
    for rows in row_bands(height.shape):
        gx, gy = gradient_rows(height, grid.dx, grid.dy, rows)
        part = out[rows]
        part[..., 0], part[..., 1] = 0 - gx, 0 - gy  # no negative zeros
        part /= np.sqrt(gx * gx + gy * gy + np.float32(1))[..., None]
    return out.reshape(-1, 3)


@dataclass(frozen=True)
class _Axis:
    """Coordinates along one axis for chunks: those relative to a center are exact as float32.

    Coordinates and centers are multiples of one power of two, so small that the precision is that
    of float32 within the largest chunk.
    """

    at: Doubles
    centers: Doubles
    ends: list[tuple[int, int]]

    @classmethod
    def of(cls, at: Doubles, lines: Sequence[int]) -> _Axis:
        low, high = at[list(lines[:-1])], at[list(lines[1:])]
        half = float((high - low).max()) / 2
        unit = 2.0 ** (math.ceil(math.log2(half)) + 1 - FLOAT_DIGITS)
        centers = (np.rint((low + high) / 2 / unit) * unit).astype(np.float32)
        ends = list(pairwise(lines))
        return cls(np.rint(at / unit) * unit, centers.astype(np.float64), ends)

    @property
    def count(self) -> int:
        return len(self.centers)


def _interval(places: Ints, lines: Sequence[int]) -> Indices:
    """Return, for each place, the number of lines at or before it."""
    return np.searchsorted(np.asarray(lines, np.int32), places, "right")


def _numbered(
    triangles: Ints, nx: int, columns: tuple[int, int], rows: tuple[int, int]
) -> tuple[Ints, Ints]:
    """Return triangles that count their own vertices instead of samples, and the samples of
    those."""
    width = columns[1] - columns[0] + 1
    j, i = np.divmod(triangles, nx)
    local = (j - rows[0]) * width + (i - columns[0])
    used = np.zeros((rows[1] - rows[0] + 1) * width, np.bool_)
    used[local] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    j, i = np.divmod(np.flatnonzero(used), width)
    return number[local], ((j + rows[0]) * nx + i + columns[0]).astype(np.int32)
