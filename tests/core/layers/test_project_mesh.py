# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, ProjectMesh, Recipe, Shape, evaluate
from terrain_addon.core.shapes import CLOSED, FACE

BOX = [(-100, -60), (100, -60), (100, 60), (-100, 60)]


def box(top=80.0):
    """The six faces of a box."""
    low, high = ([(x, y, z) for x, y in BOX] for z in (10.0, top))
    sides = [[low[n - 1], low[n], high[n], high[n - 1]] for n in range(4)]
    return Shape.of("Base", [low[::-1], high, *sides], FACE)


def projected(shape, count=101, **settings):
    layers = (Layer.of(ProjectMesh(source=shape.name, **settings)),)
    recipe = Recipe(size_x=500.0, size_y=500.0, layers=layers, shapes=(shape,))
    terrain = evaluate(recipe, recipe.grid(count))
    return terrain.grid, terrain.height


def test_the_highest_faces_count_and_the_ground_meets_them_over_the_falloff():
    grid, height = projected(box(), falloff=100.0)
    row = height[50]
    away = np.maximum(np.abs(grid.x) - 100, 0)
    share = np.clip(1 - away / 100, 0, 1)
    np.testing.assert_allclose(row, 80 * share**2 * (3 - 2 * share), atol=1e-4)


@pytest.mark.parametrize(("mode", "inside"), [("max", 80.0), ("min", 0.0), ("replace", 80.0)])
def test_modes(mode, inside):
    _, height = projected(box(), mode=mode, falloff=0.0)
    assert height[50, 50] == inside and not height[0].any()


def test_a_concave_face_leaves_its_notch():
    corners = [(-100, -100), (100, -100), (100, 100), (0, 100), (0, 0), (-100, 0)]
    face = Shape.of("L", [[(x, y, 50.0) for x, y in corners]], FACE)
    grid, height = projected(face, falloff=0.0)
    x, y = np.meshgrid(grid.x, grid.y)
    inside = (np.abs(x) <= 100) & (np.abs(y) <= 100) & ~((x < 0) & (y > 0))
    np.testing.assert_array_equal(height == 50, inside)


def test_a_closed_curve_is_the_surface_through_its_points():
    plane = Shape.of("Plane", [[(x, y, x / 4 + y / 3 + 90) for x, y in BOX]], CLOSED)
    grid, height = projected(plane, falloff=0.0)
    np.testing.assert_allclose(height[50, 40], grid.x[40] / 4 + 90, rtol=1e-6)


def test_a_sphere_of_triangles_is_a_dome_without_gaps():
    """Samples on the edges of triangles belong to one of them, in all windows of the grid."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 49), np.linspace(0, np.pi, 25))
    ball = 200 * np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1)
    a, b, c, d = ball[:-1, :-1], ball[1:, :-1], ball[1:, 1:], ball[:-1, 1:]
    faces = [np.stack(t, axis=2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))]
    surface = Shape.of("Ball", list(np.concatenate(faces)), FACE).surface
    grid = Grid.points(500.0, 500.0, 101, 101)
    height = surface.heights(grid)
    r = np.hypot(grid.x[None], grid.y[:, None])
    assert np.isfinite(height[r < 199]).all() and np.isinf(height[r > 201]).all()
    expected = np.sqrt(np.maximum(200**2 - r**2, 0))
    np.testing.assert_allclose(height[r < 180], expected[r < 180], atol=2.0)
    part = surface.heights(grid.window(37, 21, 40, 50))
    np.testing.assert_array_equal(part, height[21:71, 37:77])


def test_what_has_no_faces_is_reported():
    line = Shape.of("Line", [[(0, 0, 0), (50, 50, 0)]])
    assert "choose a mesh" in ProjectMesh(source="Line").fault_in(line, 500.0, 500.0)
    assert ProjectMesh(source="Base").fault_in(box(), 500.0, 500.0) == ""
