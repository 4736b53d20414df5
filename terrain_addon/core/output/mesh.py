# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid as the arrays of a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.grid import Grid

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Topology:
    """Vertices, edges and quads of an nx x ny grid, int32, in the order that Blender stores.

    Vertex ``j * nx + i``; first the edges along X, then those along Y; faces counter-clockwise seen
    from +Z, so that normals point up.
    """

    vertices: int
    edge_verts: Ints
    """(edges, 2)"""
    corner_verts: Ints
    """(4 * faces,)"""
    corner_edges: Ints
    """(4 * faces,)"""
    face_offsets: Ints
    """(faces + 1,)"""


def topology(nx: int, ny: int) -> Topology:
    """Connections of an nx x ny grid, both at least 2 (ValueError below that)."""
    if nx < 2 or ny < 2:
        raise ValueError("A mesh needs at least 2 x 2 points")
    i = np.arange(nx, dtype=np.int32)
    west, east = i[:-1], i[1:]
    first_y = ny * (nx - 1)  # number of the first edge along Y
    edges = np.empty((first_y + (ny - 1) * nx, 2), np.int32)
    edges[:first_y] = _rows(ny, [(west, nx), (east, nx)])
    edges[first_y:] = _rows(ny - 1, [(i, nx), (i + nx, nx)])
    around = [west, east, east + nx, west + nx]
    sides = [
        (west, nx - 1),
        (first_y + east, nx),
        (west + nx - 1, nx - 1),
        (first_y + west, nx),
    ]
    faces = (nx - 1) * (ny - 1)
    return Topology(
        vertices=nx * ny,
        edge_verts=edges,
        corner_verts=_rows(ny - 1, [(corner, nx) for corner in around]).reshape(-1),
        corner_edges=_rows(ny - 1, sides).reshape(-1),
        face_offsets=np.arange(0, 4 * faces + 1, 4, dtype=np.int32),
    )


def _rows(ny: int, columns: list[tuple[Ints, int]]) -> Ints:
    """Numbers in columns: those of the first row, and what each row adds to them; row by row.

    One row is laid out as the result is, and all others follow from it in one pass each: four
    times as fast as writing the columns one by one.
    """
    first = np.stack([numbers for numbers, _ in columns], axis=1)
    steps = np.array([step for _, step in columns], np.int32)
    out = np.multiply.outer(np.arange(ny, dtype=np.int32), np.tile(steps, len(first)))
    out += first.reshape(-1)
    return out.reshape(-1, len(columns))


def positions(grid: Grid, height: Floats) -> Floats:
    """Vertex positions (ny * nx, 3) float32 in metres."""
    out = np.empty((grid.ny, grid.nx, 3), np.float32)
    out[..., 0] = grid.x.astype(np.float32)
    out[..., 1] = grid.y.astype(np.float32)[:, None]
    out[..., 2] = height
    return out.reshape(-1, 3)


def uvs(nx: int, ny: int) -> Floats:
    """UV of each face corner (4 * faces, 2) float32: 0 to 1 from border to border."""
    u = np.linspace(0, 1, nx, dtype=np.float32)
    v = np.linspace(0, 1, ny, dtype=np.float32) * np.complex64(1j)
    along_x = np.stack([u[:-1], u[1:], u[1:], u[:-1]], axis=1)
    along_y = np.stack([v[:-1], v[:-1], v[1:], v[1:]], axis=1)
    # As complex numbers u + iv they are made in a single pass over so much memory.
    return (along_x + along_y[:, None]).view(np.float32).reshape(-1, 2)
