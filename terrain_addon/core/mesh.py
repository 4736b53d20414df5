# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid as the arrays of a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .grid import Grid

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


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
    vertex = np.arange(nx * ny, dtype=np.int32).reshape(ny, nx)
    along_x = np.arange(ny * (nx - 1), dtype=np.int32).reshape(ny, nx - 1)
    along_y = along_x.size + np.arange((ny - 1) * nx, dtype=np.int32).reshape(ny - 1, nx)
    edges = np.empty((along_x.size + along_y.size, 2), np.int32)
    edges[: along_x.size, 0] = vertex[:, :-1].reshape(-1)
    edges[: along_x.size, 1] = vertex[:, 1:].reshape(-1)
    edges[along_x.size :, 0] = vertex[:-1].reshape(-1)
    edges[along_x.size :, 1] = vertex[1:].reshape(-1)
    faces = (nx - 1) * (ny - 1)
    return Topology(
        vertices=nx * ny,
        edge_verts=edges,
        corner_verts=_quads(vertex[:-1, :-1], vertex[:-1, 1:], vertex[1:, 1:], vertex[1:, :-1]),
        corner_edges=_quads(along_x[:-1], along_y[:, 1:], along_x[1:], along_y[:, :-1]),
        face_offsets=np.arange(0, 4 * faces + 1, 4, dtype=np.int32),
    )


def _quads(a: Ints, b: Ints, c: Ints, d: Ints) -> Ints:
    """One value per corner of each face, corner by corner."""
    out = np.empty((a.size, 4), np.int32)
    for corner, values in enumerate((a, b, c, d)):
        out[:, corner] = values.reshape(-1)
    return out.reshape(-1)


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
    v = np.linspace(0, 1, ny, dtype=np.float32)
    out = np.empty((ny - 1, nx - 1, 4, 2), np.float32)
    for corner, (i, j) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        out[:, :, corner, 0] = u[i : nx - 1 + i]
        out[:, :, corner, 1] = v[j : ny - 1 + j, None]
    return out.reshape(-1, 2)
