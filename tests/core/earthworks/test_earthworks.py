# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads against plain computations in float64."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Cache, FractalNoise, Grid, Layer, Recipe, Road, Shape, evaluate
from terrain_addon.core.earthworks import Batter, Courses, Roadbed, ground_at, lowest, profile
from terrain_addon.core.earthworks.ground import fixed_grid
from terrain_addon.core.numerics.resample import bilinear_exact
from terrain_addon.core.recipe import default_settings_for
from terrain_addon.core.shapes import CLOSED, FACE, OPEN
from tests.core.shapes.test_shapes import LINES, winding_line

SIZE = {"size_x": 1000.0, "size_y": 800.0}
HILLS = Layer.of(FractalNoise(octaves=4, height=150.0, size=700.0))
MAIN = winding_line(200)
ACROSS = [(-120.0, -390.0), (10.0, -30.0), (60.0, 380.0)]


def courses(*lines, half=5.5, step=5.5, kind=OPEN):
    return Courses.along(Shape.of("Road", lines, kind), half, step, 1000.0, 800.0, 65.0)


def hilly(x, y):
    return 30 * np.sin(x / 60) + 25 * np.cos(y / 45) + 8 * np.sin((x - y) / 17)


def road(*lines, kind=OPEN, layers=(HILLS,), **named):
    shape = Shape.of("Road", lines, kind)
    return Recipe(layers=(*layers, Layer.of(Road(source="Road", **named))), shapes=(shape,), **SIZE)


def envelopes(found, ground, gradient):
    """The middle of the envelopes of lines that do not meet, from all pairs of points."""
    near = np.abs(found.distance[:, None] - found.distance) * gradient
    near[found.line[:, None] != found.line] = np.inf
    return ((ground - near).max(axis=1) + (ground + near).min(axis=1)) / 2


@given(LINES, st.floats(0, 0.5), st.floats(0, 100))
def test_no_road_is_steeper_than_its_limit(lines, gradient, smooth):
    found = courses(*lines)
    ground = hilly(found.x, found.y)
    level = profile(found, ground, gradient, smooth, None)
    assert np.isfinite(level).all() and level.shape == ground.shape
    assert np.abs(found.at_level(level).gradients).max(initial=0) <= gradient + 1e-6


def test_the_profile_changes_the_ground_no_more_than_it_must():
    found = courses(MAIN)
    ground = hilly(found.x, found.y)
    for hills in (0.2, 1.0):
        best = np.abs(envelopes(found, hills * ground, 0.1) - hills * ground)
        level = np.abs(profile(found, hills * ground, 0.1, 0.0, None) - hills * ground)
        assert level.mean() < (0.95 if hills < 1 else 1) * best.mean()
    gentle = 10 * np.sin(found.distance / 300)
    np.testing.assert_allclose(profile(found, gentle, 0.1, 0.0, None), gentle, atol=1e-9)
    np.testing.assert_allclose(profile(found, gentle, 0.1, 30.0, None), gentle, atol=0.02)


def test_level_roads_apart_from_each_other_have_levels_of_their_own():
    found = courses([(-400.0, -300.0), (400.0, -300.0)], [(-400.0, 300.0), (400.0, 300.0)])
    ground = np.where(found.line == 0, 100.0, 20.0)
    np.testing.assert_allclose(profile(found, ground, 0.0, 0.0, None), ground)


def test_roads_that_meet_have_one_height_there():
    found = courses(MAIN, ACROSS)
    level = profile(found, hilly(found.x, found.y), 0.08, 30.0, None)
    one, two = (np.flatnonzero(found.line == line) for line in (0, 1))
    away = np.hypot(found.x[one, None] - found.x[two], found.y[one, None] - found.y[two])
    near = away <= 11.0
    assert near.any()
    apart = np.abs(level[one, None] - level[two])
    assert (apart[near] <= 0.08 * away[near] + 1e-6).all()


def cones(found, batter, grid):
    """The lowest cone at each sample, from many points of each segment."""
    out = np.full(grid.shape, np.inf)
    apex = found.level - batter.slope * found.half
    share = np.linspace(0, 1, 401)
    for first in found.first:
        x, y, z = (
            one[first] + share * (one[first + 1] - one[first]) for one in (found.x, found.y, apex)
        )
        away = np.hypot(grid.x[:, None] - x, (grid.y[:, None] - y)[:, None])
        out = np.minimum(out, (z + batter.slope * away).min(axis=2))
    return out


@pytest.mark.parametrize("slope", [1.0, 0.67, 0.12])
def test_batters_are_those_of_brute_force(slope):
    found = courses(MAIN, ACROSS, step=20.0)
    found = found.at_level(profile(found, hilly(found.x, found.y), 0.1, 30.0, None))
    grid = Grid.points(1000.0, 800.0, 36, 29)
    batter = Batter(slope, 1e4, 5.0)
    height = hilly(grid.x, grid.y[:, None]).astype(np.float32)
    for sign in (1, -1):
        mirrored = found.at_level(sign * found.level)
        limit = lowest(mirrored, batter, grid, sign * height)
        plain = cones(mirrored, batter, grid)
        ground = sign * height
        np.testing.assert_allclose(np.minimum(ground, limit), np.minimum(ground, plain), atol=0.02)


@given(LINES, st.integers(0, 30), st.integers(0, 20), st.floats(0.05, 3))
def test_batters_of_windows_have_the_same_bits(lines, i, j, slope):
    found = courses(*lines, step=40.0)
    found = found.at_level(hilly(found.x, found.y))
    grid = Grid.points(1000.0, 800.0, 61, 49)
    height = hilly(grid.x, grid.y[:, None]).astype(np.float32)
    batter = Batter(slope, 80.0, 5.0)
    part = slice(j, j + 20), slice(i, i + 25)
    whole = np.minimum(height, lowest(found, batter, grid, height))
    window = lowest(found, batter, grid.window(i, j, 25, 20), height[part])
    np.testing.assert_array_equal(np.minimum(height[part], window), whole[part])


def test_a_straight_road_has_its_width_level_and_crown():
    line = courses([(-300, -100, 10), (300, 100, 40)])
    grid = Grid.points(400.0, 400.0, 201, 201)
    bed = Roadbed.on(line, grid, 5.0)
    x, y = grid.x[bed.place % grid.nx], grid.y[bed.place // grid.nx]
    along = np.array([3, 1]) / np.sqrt(10)
    across = np.abs(x * along[1] - y * along[0])
    np.testing.assert_allclose(bed.half + bed.beyond, across, atol=1e-6)
    np.testing.assert_allclose(bed.nearer, 0, atol=1e-6)
    height = 25 + (x * along[0] + y * along[1]) * 30 / np.hypot(600, 200)
    np.testing.assert_allclose(bed.level, height, atol=1e-6)


def test_edges_are_rounded_where_roads_meet():
    cross = courses([(-200, 0), (200, 0)], [(0, -200), (0, 200)])
    grid = Grid.points(100.0, 100.0, 101, 101)
    bed = Roadbed.on(cross, grid, 5.0)
    road = np.zeros(grid.shape, bool)
    road.reshape(-1)[bed.place[bed.beyond <= 0]] = True
    x, y = np.abs(grid.x), np.abs(grid.y[:, None])
    plain = np.minimum(x, y + 0 * x) <= 5.5
    assert (road >= plain).all() and 8 < (road & ~plain).sum() < 80
    np.testing.assert_array_equal(road[(np.maximum(x, y) > 20)], plain[(np.maximum(x, y) > 20)])


def test_the_road_on_the_terrain_is_no_steeper_than_its_limit():
    recipe = road(MAIN, gradient=0.08, crown=0.0)
    grid = recipe.grid(1025)
    height = evaluate(recipe, grid).height
    line = Shape.of("Road", [MAIN]).lines
    at = np.linspace(20, line.length.sum() - 20, 400)
    run = np.append(0, np.cumsum(line.length))
    x, y = (np.interp(at, run, one) for one in MAIN.T)
    z = bilinear_exact(height, (y - grid.y0) / grid.dy, (x - grid.x0) / grid.dx)
    assert np.abs(np.diff(z) / np.diff(at)).max() < 0.08 + 1e-3


def test_cut_and_fill_agree_at_all_resolutions():
    recipe = road(MAIN, ACROSS)
    below = dataclasses.replace(recipe, layers=recipe.layers[:1])
    volumes = []
    for resolution in (513, 1025):
        grid = recipe.grid(resolution)
        change = evaluate(recipe, grid).height.astype(float) - evaluate(below, grid).height
        volumes.append([np.maximum(s * change, 0).sum() * grid.dx * grid.dy for s in (1, -1)])
    np.testing.assert_allclose(*volumes, rtol=0.02)
    assert min(volumes[0]) > 1000


def test_a_road_has_the_same_bits_in_windows():
    recipe = road(MAIN, ACROSS, [(-300, -300), (300, 250)])
    grid = recipe.grid(257)
    whole = evaluate(recipe, grid)
    for i, j, nx, ny in ((0, 0, 60, 50), (100, 80, 50, 90), (200, 10, 57, 40), (128, 100, 1, 1)):
        part = evaluate(recipe, grid.window(i, j, nx, ny))
        inside = slice(j, j + ny), slice(i, i + nx)
        np.testing.assert_array_equal(part.height, whole.height[inside])
        np.testing.assert_array_equal(part.fields["road"], whole.fields["road"][inside])


def test_the_field_is_1_on_the_carriageway_and_0_beyond_the_shoulders():
    recipe = road([(-400, 0), (400, 0)], width=10.0, shoulder=5.0)
    grid = Grid.points(800.0, 40.0, 3, 41)
    share = evaluate(recipe, grid).fields["road"][:, 1]
    np.testing.assert_allclose(share, np.clip((10 - np.abs(grid.y)) / 5, 0, 1), atol=1e-6)


def test_a_road_at_the_height_of_its_curve():
    recipe = road([(-400, 0, 20), (400, 0, 60)], follow="curve", crown=0.0)
    grid = Grid.points(800.0, 2.0, 81, 3)
    height = evaluate(recipe, grid).height[1]
    np.testing.assert_allclose(height[4:-4], 40 + grid.x[4:-4] / 20, atol=1e-3)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [[(0, 0)]],
        [[(5, 5, 0), (5, 5, 90)]],
        [[(3e6, 0), (4e6, 0)]],
        [[(-100, -100), (100, 100), (-100, 100), (100, -100)]],
        [[(-100, 0), (100, 0), (-100, 0)]],
        [[(-9e6, 0), (9e6, 10)]],
        [winding_line(100_000)],
        [[(0, 0, 0, 0), (100, 0, 0, 0)]],
    ],
    ids=["empty", "point", "vertical", "far", "crossing", "back", "long", "fine", "narrow"],
)
@pytest.mark.parametrize("kind", [OPEN, CLOSED, FACE])
def test_odd_shapes_make_a_defined_terrain(lines, kind):
    recipe = road(*lines, kind=kind)
    height = evaluate(recipe, recipe.grid(33)).height
    assert np.isfinite(height).all()


def test_a_scribble_is_refused_or_made():
    scribble = np.random.default_rng(1).uniform(-400, 400, (100_000, 2))
    recipe = road(scribble)
    with pytest.raises(ValueError, match="simplify its curve"):
        evaluate(recipe, recipe.grid(17))


def test_without_its_shape_there_is_no_road():
    plain = Recipe(layers=(HILLS,), **SIZE)
    for source in ("", "Gone"):
        recipe = dataclasses.replace(plain, layers=(HILLS, Layer.of(Road(source=source))))
        found, grid = evaluate(recipe, recipe.grid(33)), recipe.grid(33)
        np.testing.assert_array_equal(found.height, evaluate(plain, grid).height)
        assert (found.fields["road"] == 0).all()


def test_a_new_road_is_as_wide_on_any_terrain():
    for size in (200.0, 50_000.0):
        assert default_settings_for(Road, size, size) == Road()


def test_a_moved_road_is_another_one_for_the_cache():
    cache = Cache()
    for line in ([(0, 0), (300, 40)], [(0, 0), (300, -40)]):
        recipe = road(line)
        found = evaluate(recipe, recipe.grid(65), cache=cache).height
        np.testing.assert_array_equal(found, evaluate(recipe, recipe.grid(65)).height)


def test_ground_is_that_of_the_whole_grid():
    grid = fixed_grid(1000.0, 800.0, 2.0)
    height = hilly(grid.x, grid.y[:, None]).astype(np.float32)
    asked = []

    def below(window):
        asked.append(window)
        return height[window.j0 : window.j0 + window.ny, window.i0 : window.i0 + window.nx]

    x, y = MAIN.T
    found = ground_at(below, grid, x, y)
    plain = bilinear_exact(height, (y - grid.y0) / grid.dy, (x - grid.x0) / grid.dx)
    np.testing.assert_array_equal(found, plain)
    assert sum(one.nx * one.ny for one in asked) < height.size / 3
