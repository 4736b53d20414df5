# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid
from terrain_addon.core.output import positions, topology, uvs

SIZES = st.tuples(st.integers(2, 9), st.integers(2, 9))


@given(SIZES)
def test_every_edge_and_face_is_there_once(size):
    nx, ny = size
    made = topology(nx, ny)
    faces = made.corner_verts.reshape(-1, 4)
    assert made.vertices == nx * ny
    assert len(faces) == (nx - 1) * (ny - 1)
    assert list(made.face_offsets) == list(range(0, 4 * len(faces) + 1, 4))
    edges = {tuple(sorted(edge)) for edge in made.edge_verts.tolist()}
    assert len(edges) == len(made.edge_verts) == nx * (ny - 1) + ny * (nx - 1)
    used = set()
    for corners, along in zip(faces, made.corner_edges.reshape(-1, 4), strict=True):
        for k in range(4):  # corner k's edge leads to the next corner
            pair = {int(corners[k]), int(corners[(k + 1) % 4])}
            assert set(made.edge_verts[along[k]].tolist()) == pair
            used.add(tuple(sorted(pair)))
    assert used == edges


@given(SIZES)
def test_faces_look_up(size):
    grid = Grid.points(3.0, 2.0, *size)
    points = positions(grid, np.zeros(grid.shape, np.float32)).astype(float)
    a, b, c, d = points[topology(*size).corner_verts.reshape(-1, 4)].transpose(1, 0, 2)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert (np.cross(c - a, d - a)[:, 2] > 0).all()


@given(SIZES)
def test_positions_and_uvs(size):
    grid = Grid.points(10.0, 4.0, *size)
    height = np.random.default_rng(3).random(grid.shape, np.float32)
    points = positions(grid, height)
    assert points.dtype == np.float32 and points.flags.c_contiguous
    np.testing.assert_array_equal(points[:, 2], height.reshape(-1))
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    np.testing.assert_allclose([low, high], [[-5, -2], [5, 2]], atol=1e-6)
    expected = (points[topology(*size).corner_verts, :2] - low) / (high - low)
    np.testing.assert_allclose(uvs(*size), expected, atol=1e-6)


def test_a_mesh_needs_two_points_each_way():
    with pytest.raises(ValueError, match="2 x 2"):
        topology(1, 5)


def test_types():
    made = topology(4, 3)
    for array in (made.edge_verts, made.corner_verts, made.corner_edges, made.face_offsets):
        assert array.dtype == np.int32 and array.flags.c_contiguous
