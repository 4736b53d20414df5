# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with a stated error, compared with a test of every sample in every triangle."""

import numpy as np
import pytest

from terrain_addon.core import Grid
from terrain_addon.core.output import triangulation
from terrain_addon.core.output.triangulation import (
    ErrorMap,
    LevelSettings,
    SolidSettings,
    chunk_lines,
    cut,
    levels_of_detail,
    normals,
    solid,
)

SIZES = [(2, 2), (3, 3), (33, 33), (33, 65), (34, 33), (41, 23), (24, 24)]


def rough(ny, nx, seed=0):
    """A terrain like a random walk along both axes."""
    steps = np.random.default_rng(seed).normal(size=(ny, nx))
    return np.cumsum(np.cumsum(steps, axis=0), axis=1).astype(np.float32)


def largest_error(mesh, height):
    """Largest distance of a triangle from the samples on it. Triangles cover all samples."""
    nx = mesh.shape[1]
    covered, worst = np.zeros(mesh.shape, bool), 0.0
    for triangle in mesh.triangles:
        j, i = np.divmod(triangle.astype(np.int64), nx)
        rows, columns = np.mgrid[j.min() : j.max() + 1, i.min() : i.max() + 1]
        sides = np.linalg.inv(np.array([i, j, np.ones(3)]).astype(float))
        weights = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ sides.T
        inside = (weights > -1e-9).all(axis=-1)
        plane = weights @ height[j, i].astype(float)
        worst = max(worst, np.abs(plane - height[rows, columns])[inside].max())
        covered[rows[inside], columns[inside]] = True
    assert covered.all()
    return worst


def edges_of(triangles):
    return triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def lone(edges):
    """Edges without one in the other direction; each may be there once in its own."""
    count = int(edges.max()) + 1
    forward, backward = edges.astype(np.int64) @ [count, 1], edges.astype(np.int64) @ [1, count]
    assert len(np.unique(forward)) == len(forward)
    return edges[~np.isin(forward, backward)]


def doubled_areas(x, y):
    """Twice the area of each triangle, given coordinates (n, 3); positive if counterclockwise."""
    ux, uy, vx, vy = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0], x[:, 2] - x[:, 0], y[:, 2] - y[:, 0]
    return ux * vy - uy * vx


@pytest.mark.parametrize("tolerance", [0, 3, 20, np.inf])
@pytest.mark.parametrize("size", SIZES)
def test_no_sample_is_farther_from_the_mesh_than_stated(size, tolerance):
    height = rough(*size)
    mesh = ErrorMap.of(height).mesh(tolerance)
    real = largest_error(mesh, height)
    assert real <= mesh.error + 1e-9 and mesh.error <= tolerance
    assert mesh.error <= real + 1e-3 or tolerance == np.inf  # not merely safe


@pytest.mark.parametrize("lines", [(), (5, 17)])
@pytest.mark.parametrize("size", SIZES[2:])
def test_triangles_cover_the_terrain_once_without_cracks(size, lines):
    ny, nx = size
    for tolerance in (1, 8, np.inf):
        triangles = ErrorMap.of(rough(ny, nx), lines, lines[:1]).mesh(tolerance).triangles
        j, i = np.divmod(triangles, nx)
        areas = doubled_areas(i, j)
        assert areas.min() > 0 and areas.sum() == 2 * (nx - 1) * (ny - 1)
        ends_j, ends_i = np.divmod(lone(edges_of(triangles)), nx)
        on_border = [
            (at == side).all(1)
            for at, last in ((ends_i, nx - 1), (ends_j, ny - 1))
            for side in (0, last)
        ]
        assert np.any(on_border, axis=0).all()
        for at, ends in ((i, lines), (j, lines[:1])):
            assert not any(((at.min(1) < end) & (at.max(1) > end)).any() for end in ends)


def test_bands_do_not_show(monkeypatch):
    height = rough(65, 129)
    whole = ErrorMap.of(height).errors
    monkeypatch.setattr("terrain_addon.core.output.triangulation.triangle_errors.BAND", 300)
    np.testing.assert_array_equal(ErrorMap.of(height).errors, whole)


def test_smooth_terrain_needs_few_triangles():
    y, x = np.mgrid[:257, :257] / np.float32(256)
    hill = (100 * np.sin(np.pi * x) * np.sin(np.pi * y)).astype(np.float32)
    mesh = ErrorMap.of(hill).mesh(1.0)
    assert 0.5 < mesh.error <= 1 and len(mesh.triangles) < 500
    assert len(ErrorMap.of(np.full((257, 513), 1000, np.float32)).mesh().triangles) == 4


@pytest.mark.parametrize("size", [(65, 65), (60, 91)])
@pytest.mark.parametrize("most", [2000, 4000])
def test_a_number_of_triangles_is_met_from_below(size, most):
    errors = ErrorMap.of(rough(*size))
    tolerance = errors.tolerance_for(most)
    assert 0.9 * most <= len(errors.mesh(tolerance).triangles) <= most
    assert len(errors.mesh(np.nextafter(tolerance, 0)).triangles) > most


def test_extreme_numbers_of_triangles():
    errors = ErrorMap.of(rough(17, 17))
    assert errors.tolerance_for(1) == np.inf
    assert len(errors.mesh(errors.tolerance_for(2)).triangles) == 2
    assert len(errors.mesh(errors.tolerance_for(512)).triangles) == 512


def world(chunk):
    """Vertices in double precision, in the terrain's own coordinates."""
    return chunk.vertices.astype(float) + np.array([*chunk.center, 0])


@pytest.mark.parametrize("counts", [(3, 2), (4, 4)])
def test_neighboring_chunks_share_their_border_to_the_bit(counts):
    grid, height = Grid.points(31_234.5, 17_001.7, 101, 78), rough(78, 101) * 10
    columns, rows = chunk_lines(100, counts[0]), chunk_lines(77, counts[1])
    mesh = ErrorMap.of(height, columns, rows).mesh(20)
    chunks = cut(mesh, grid, height, columns, rows)
    assert len(chunks) == counts[0] * counts[1]
    assert sum(len(chunk.triangles) for chunk in chunks) == len(mesh.triangles)
    places = {}
    for chunk in chunks:
        points = world(chunk)
        assert np.array_equal(np.array(chunk.center, np.float32), chunk.center)
        assert np.array_equal(chunk.samples, np.unique(chunk.samples))
        for sample, point in zip(chunk.samples.tolist(), points.tolist(), strict=True):
            assert places.setdefault(sample, point) == point
    j, i = np.divmod(np.array(sorted(places)), grid.nx)
    exact = np.stack([grid.x[i], grid.y[j], height[j, i]], axis=1)
    np.testing.assert_allclose([places[one] for one in sorted(places)], exact, rtol=0, atol=1e-3)
    np.testing.assert_array_equal(np.unique(mesh.triangles), sorted(places))


def test_chunks_are_of_nearly_equal_length():
    for cells in (2, 7, 100, 1000, 1024):
        for count in (1, 2, 3, 5, 64):
            if count <= cells:
                lengths = np.diff([0, *chunk_lines(cells, count), cells])
                assert len(lengths) == count and lengths.min() > 0
                assert np.ptp(lengths) <= max(1, cells / count / 4)


def test_skirts_hide_every_gap_between_levels():
    grid, height = Grid.points(100.0, 100.0, 65, 65), rough(65, 65)
    with_skirts = LevelSettings(error=0.5, growth=4.0, columns=2, rows=2)
    without = LevelSettings(error=0.5, growth=4.0, columns=2, rows=2, skirts=False)
    levels = levels_of_detail(grid, height, with_skirts)
    bare = levels_of_detail(grid, height, without)
    assert [one.error for one in bare] == [one.error for one in levels]
    assert levels[0].skirt == 2 * levels[-1].error > 0
    lines = []
    for level, plain in zip(levels, bare, strict=True):
        for chunk, top in zip(level.chunks, plain.chunks, strict=True):
            assert chunk.surface == len(top.vertices)
            np.testing.assert_array_equal(chunk.triangles[: len(top.triangles)], top.triangles)
            below = chunk.vertices[chunk.surface :]
            above = height.reshape(-1)[chunk.samples[chunk.surface :]]
            np.testing.assert_allclose(above - below[:, 2], level.skirt, atol=1e-3)
            faces = chunk.vertices[chunk.triangles[len(top.triangles) :]].astype(float)
            outwards = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
            assert ((outwards * faces.mean(axis=1))[:, :2].sum(axis=1) > 0).all()
            assert (outwards[:, 2] == 0).all()
        east = plain.chunks[0].vertices
        side = east[east[:, 0] == east[:, 0].max()]
        lines.append(np.interp(grid.y[:33], side[:, 1] + plain.chunks[0].center[1], side[:, 2]))
    gaps = [np.abs(one - other).max() for one in lines for other in lines]
    assert 0 < max(gaps) <= levels[0].skirt


def test_levels_follow_errors_or_triangles():
    grid, height = Grid.points(100.0, 100.0, 65, 65), rough(65, 65)
    levels = levels_of_detail(grid, height, LevelSettings(levels=3, error=1.0, growth=3.0))
    assert [one.error <= 3.0**n for n, one in enumerate(levels)] == [True] * 3
    counts = [one.triangles for one in levels]
    assert counts == sorted(counts, reverse=True)
    by_count = LevelSettings(
        levels=3, based_on="triangles", triangles=4000, share=0.25, skirts=False
    )
    counts = [one.triangles for one in levels_of_detail(grid, height, by_count)]
    assert all(
        0.9 * most <= one <= most for one, most in zip(counts, (4000, 1000, 250), strict=True)
    )


def test_normals_are_those_of_the_slope():
    grid = Grid.points(8.0, 8.0, 9, 9)
    height = np.tile(grid.x.astype(np.float32), (9, 1))
    np.testing.assert_allclose(normals(grid, height), [[-(0.5**0.5), 0, 0.5**0.5]] * 81, atol=1e-6)


@pytest.mark.parametrize("size", [(2, 2), (33, 33), (40, 23)])
@pytest.mark.parametrize("error", [0.0, 0.5, 100.0])
def test_a_solid_is_closed_and_faces_outwards(size, error):
    grid, height = Grid.points(100.0, 60.0, size[1], size[0]), rough(*size) - 50
    settings = SolidSettings(longest_side=100.0, thickness=10.0, exaggeration=2.0, error=error)
    mesh, stated = solid(grid, height, settings)
    assert lone(edges_of(mesh.triangles)).size == 0
    points = mesh.vertices.astype(float)
    assert len(np.unique(mesh.vertices, axis=0)) == len(points)
    corners = points[mesh.triangles]
    a, b, c = corners.transpose(1, 0, 2)
    volume = (a * np.cross(b, c)).sum() / 6
    top = corners[: len(mesh.triangles)][(mesh.triangles < mesh.surface).all(axis=1)]
    expected = (doubled_areas(top[..., 0], top[..., 1]) / 2 * top[..., 2].mean(axis=1)).sum()
    assert volume == pytest.approx(expected, rel=1e-4) and volume > 0
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 0
    low, high = points.min(axis=0), points.max(axis=0)
    np.testing.assert_allclose([low[:2], high[:2]], [[-50, -30], [50, 30]], atol=1e-4)
    assert low[2] == 0
    kept = mesh.samples[: mesh.surface]
    printed = (height.reshape(-1)[kept] - height.min()) * 2 + 10
    np.testing.assert_allclose(points[: mesh.surface, 2], printed, atol=1e-4)
    assert stated <= error + 1e-4


def test_what_cannot_be_meshed_is_refused():
    height = rough(9, 9)
    height[3, 3] = np.nan
    with pytest.raises(ValueError, match="not numbers"):
        ErrorMap.of(height)
    with pytest.raises(ValueError, match="2 x 2"):
        ErrorMap.of(np.zeros((1, 9), np.float32))
    with pytest.raises(ValueError, match="border between chunks"):
        ErrorMap.of(rough(9, 9), [8])
    with pytest.raises(ValueError, match="no 9 chunks"):
        levels_of_detail(Grid.points(1.0, 1.0, 9, 9), rough(9, 9), LevelSettings(columns=9))


def test_cancel():
    from terrain_addon.core import Cancelled

    with pytest.raises(Cancelled):
        triangulation.ErrorMap.of(rough(65, 65), cancelled=lambda: True)
