# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: distances and areas against plain computations, and as a part of recipes."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, Recipe, Shape
from terrain_addon.core.recipe import rescale
from terrain_addon.core.shapes import (
    CLOSED,
    FACE,
    FRAME,
    OPEN,
    nearest,
    nearest_at,
    winding,
    winding_at,
)

GRID = Grid.points(1000.0, 800.0, 41, 33)
SIDE = st.one_of(st.floats(-600, 600), st.integers(-24, 24).map(lambda n: 25.0 * n))
POINTS = st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=9)
FINE = Grid.points(1000.0, 800.0, 81, 65)
LINES = st.lists(POINTS, min_size=1, max_size=4)


def winding_line(count, seed=1):
    """A winding line of that many segments across a terrain of 1 km."""
    rng, u = np.random.default_rng(seed), np.linspace(0, 1, count + 1)
    waves = (rng.normal() / k * np.sin(np.pi * k * u + rng.uniform(0, 6)) for k in range(2, 8))
    return np.stack([(u - 0.5) * 960, 90 * sum(waves)], axis=1)


def brute(lines, closed, x, y):
    """Distances in float64, segment by segment."""
    least = np.full(np.broadcast(x, y).shape, np.inf)
    for line in lines:
        line = np.asarray(line, float)
        stops = np.roll(line, -1, axis=0)
        if not closed:
            stops[-1] = line[-1]
        for a, b in zip(line, stops, strict=True):
            step = b - a
            square = step @ step or 1.0
            t = np.clip(((x - a[0]) * step[0] + (y - a[1]) * step[1]) / square, 0, 1)
            least = np.minimum(least, np.hypot(x - a[0] - t * step[0], y - a[1] - t * step[1]))
    return least


@given(LINES, st.booleans(), st.floats(1, 900))
def test_distances_are_those_of_brute_force(lines, closed, reach):
    shape = Shape.of("Any", lines, CLOSED if closed else OPEN)
    found = nearest(shape.lines, GRID, reach)
    plain = brute(lines, closed, GRID.x[None], GRID.y[:, None])
    near = np.isfinite(found.distance)
    np.testing.assert_allclose(found.distance[near], plain[near], atol=1e-9)
    assert (plain[~near] > reach - 1e-9).all() and (found.segment[~near] == -1).all()
    x, y = (one.ravel() for one in np.meshgrid(GRID.x, GRID.y))
    listed = nearest_at(shape.lines, x, y)
    np.testing.assert_allclose(listed.distance[near.ravel()], found.distance[near], atol=1e-9)


@pytest.mark.parametrize("count", [200, 2000])
def test_a_fine_line_is_exact_too(count):
    line = winding_line(count)
    grid = Grid.points(1000.0, 1000.0, 129, 129)
    found = nearest(Shape.of("Line", [line]).lines, grid, 300.0)
    plain = brute([line], False, grid.x[None], grid.y[:, None])
    near = plain < 300
    assert np.abs(found.distance - plain)[near].max() < 1e-9
    assert np.isinf(found.distance[plain > 300]).all()


@given(st.integers(0, 2**32 - 1), st.integers(20, 400), st.floats(5, 300), st.booleans())
def test_a_jagged_line_is_exact_in_any_window(seed, count, step, scattered):
    rng = np.random.default_rng(seed)
    line = rng.uniform(-600, 600, (count, 2))
    if not scattered:
        line = np.cumsum(rng.normal(size=(count, 2)), axis=0) * step / 5
        line -= line.mean(axis=0) + rng.uniform(-400, 400, 2)
    lines = Shape.of("Jagged", [line]).lines
    reach = float(rng.uniform(100, 900))
    found, window = (nearest(lines, grid, reach) for grid in (FINE, FINE.window(17, 30, 20, 9)))
    x, y = (one.ravel() for one in np.meshgrid(FINE.x, FINE.y))
    listed = nearest_at(lines, x, y, reach)
    np.testing.assert_allclose(found.distance.ravel(), listed.distance, atol=1e-9)
    np.testing.assert_array_equal(window.segment, found.segment[30:39, 17:37])


@pytest.mark.parametrize("seed", [7, 15, 19])
def test_a_segment_that_is_nearest_between_the_points_of_the_search_is_found(seed):
    rng = np.random.default_rng(seed)
    turns = np.sort(rng.uniform(0, 2 * np.pi, 400))
    away = 500 + rng.uniform(-60, 60, 400)
    lines = Shape.of(
        "Ring", [np.stack([np.cos(turns), np.sin(turns)], axis=1) * away[:, None]]
    ).lines
    found = nearest(lines, FINE, 900.0)
    x, y = (one.ravel() for one in np.meshgrid(FINE.x, FINE.y))
    listed = nearest_at(lines, x, y, 900.0)
    np.testing.assert_allclose(found.distance.ravel(), listed.distance, atol=1e-9)


@given(LINES, st.integers(0, 25), st.integers(0, 20), st.integers(1, 15), st.integers(1, 12))
def test_windows_have_the_same_bits(lines, i, j, nx, ny):
    shape = Shape.of("Any", lines, CLOSED)
    part = slice(j, j + ny), slice(i, i + nx)
    whole, window = (
        nearest(shape.lines, grid, 200.0) for grid in (GRID, GRID.window(i, j, nx, ny))
    )
    for name in ("distance", "segment", "along"):
        np.testing.assert_array_equal(getattr(window, name), getattr(whole, name)[part])
    np.testing.assert_array_equal(window.side(), whole.side()[part])
    areas = [winding(shape.areas, grid) for grid in (GRID, GRID.window(i, j, nx, ny))]
    np.testing.assert_array_equal(areas[1], areas[0][part])


@given(POINTS)
def test_windings_are_sums_of_angles(points):
    x, y = (one.ravel() for one in np.meshgrid(GRID.x + 0.37, GRID.y + 0.11))
    line = np.array(points)
    shape = Shape.of("Area", [line], CLOSED)
    toward = (line[:, None, 0] - x) + 1j * (line[:, None, 1] - y)
    turns = np.angle(np.roll(toward, -1, axis=0) / toward).sum(axis=0) / (2 * np.pi)
    apart = brute([line], True, x, y) > 1e-6
    found = winding_at(shape.areas, x, y)
    np.testing.assert_array_equal(np.abs(found)[apart], np.abs(turns.round())[apart])
    shifted = dataclasses.replace(GRID, x0=GRID.x0 + 0.37, y0=GRID.y0 + 0.11)
    np.testing.assert_array_equal(winding(shape.areas, shifted).ravel(), found)


def test_the_side_of_a_line_follows_from_where_it_leads():
    line = winding_line(60)
    shape = Shape.of("Line", [line])
    found = nearest(shape.lines, GRID, 400.0)
    above = np.interp(GRID.x, *line.T)[None] < GRID.y[:, None]
    inside = (np.abs(GRID.x) < 480)[None] & np.isfinite(found.distance)
    np.testing.assert_array_equal(found.side()[inside] > 0, above[inside])
    acute = Shape.of("Tip", [[(-400, 40), (0, 0), (-400, -40)]])
    assert nearest_at(acute.lines, np.array([100.0, -200.0]), np.zeros(2)).side().tolist() == [
        1,
        -1,
    ]


def test_the_parameter_leads_along_the_line_and_values_lie_between_points():
    shape = Shape.of("Bent", [[(0, 0, 10, 1), (100, 0, 30, 3), (100, 0, 30, 3), (100, 50, 80, 2)]])
    found = nearest_at(shape.lines, np.array([50.0, 130.0, 100.0]), np.array([7.0, 25.0, 90.0]))
    np.testing.assert_allclose(found.distance, [7, 30, 40])
    np.testing.assert_allclose(found.parameter(), [50, 125, 150])
    np.testing.assert_allclose(found.value(shape.line_points[:, 2]), [20, 55, 80])
    np.testing.assert_allclose(found.value(shape.line_points[:, 3]), [2, 2.5, 2])


def test_faces_unite_whichever_way_they_turn():
    """A box: its top, its bottom and its sides, seen from above."""
    corners = np.array([(-100, -50), (100, -50), (100, 50), (-100, 50)], float)
    rings = [np.column_stack([corners, np.full(4, z)]) for z in (0.0, 80.0)]
    sides = [
        np.stack([rings[0][k], rings[0][k - 1], rings[1][k - 1], rings[1][k]]) for k in range(4)
    ]
    box = Shape.of("Box", [rings[0][::-1], rings[1], *sides], FACE)
    expected = (np.abs(GRID.x) < 100)[None] & (np.abs(GRID.y) < 50)[:, None]
    rim = (np.abs(GRID.x) <= 100)[None] & (np.abs(GRID.y) <= 50)[:, None]
    inside = winding(box.areas, GRID) > 0
    np.testing.assert_array_equal(inside | (rim & ~expected), rim)
    plain = brute([corners], True, GRID.x[None], GRID.y[:, None])
    np.testing.assert_allclose(nearest(box.lines, GRID, 2000.0).distance, plain, atol=1e-9)
    assert len(box.lines) == 4
    split = Shape.of("Split", [corners[:3], corners[[0, 3, 2]]], FACE)
    assert len(split.lines) == 4
    np.testing.assert_array_equal(winding(split.areas, GRID) > 0, inside)


@pytest.mark.parametrize("lines", [[], [[]], [[(10, 20)]], [[(10, 20, 0), (10, 20, 99)]]], ids=str)
def test_shapes_without_an_extent_have_a_defined_result(lines):
    shape = Shape.of("Little", lines)
    found = nearest(shape.lines, GRID, 300.0)
    least = np.hypot(GRID.x[None] - 10, GRID.y[:, None] - 20)
    expected = np.where(least <= 300, least, np.inf) if shape.points.size else np.inf
    np.testing.assert_allclose(found.distance, np.broadcast_to(expected, GRID.shape))
    assert not winding(Shape.of("Little", lines, CLOSED).areas, GRID).any()
    assert found.side().shape == found.value(shape.line_points[:, 2]).shape == GRID.shape


def test_a_line_of_100_000_points_is_possible():
    line = winding_line(100_000)
    found = nearest(Shape.of("Fine", [line]).lines, GRID, 50.0)
    coarse = nearest(Shape.of("Coarse", [line[::20]]).lines, GRID, 50.0)
    near = np.isfinite(found.distance) & np.isfinite(coarse.distance)
    assert near.any()
    np.testing.assert_allclose(found.distance[near], coarse.distance[near], atol=1e-3)


@pytest.mark.slow
def test_a_jagged_line_of_100_000_points_is_possible():
    line = winding_line(100_000)
    line += np.random.default_rng(1).normal(scale=5, size=line.shape)
    lines = Shape.of("Jagged", [line]).lines
    found = nearest(lines, FINE, 200.0)
    x, y = (one.ravel() for one in np.meshgrid(FINE.x[::16], FINE.y[::16]))
    listed = nearest_at(lines, x, y, 200.0)
    np.testing.assert_allclose(found.distance[::16, ::16].ravel(), listed.distance, atol=1e-9)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([(0, float("nan"))], "not finite numbers: remove them"),
        ([(0, float("inf"))], "not finite numbers"),
        ([(2e7, 0)], "beyond 10 000 km: move it"),
        ([(0, 0, 0, -1)], "a radius below zero"),
        ([(0,)], "points of x, y, z and radius"),
    ],
)
def test_points_that_are_no_place_are_refused(points, message):
    with pytest.raises(ValueError, match=f"The shape 'Bad' .*{message}"):
        Shape.of("Bad", [points])


def test_shapes_are_equal_when_their_lines_are():
    line = [(0, 0), (3, 4)]
    assert Shape.of("Path", [line]) == Shape.of("Path", [line])
    for other in (
        Shape.of("Other", [line]), Shape.of("Path", [line], CLOSED), Shape.of("Path", [line[::-1]]),
        Shape.of("Path", [line[:1], line[1:]]), Shape.empty("Path"),
    ):  # fmt: skip
        assert Shape.of("Path", [line]) != other


def test_json_holds_shapes_on_demand():
    mixed = Shape(
        "Mixed", np.arange(24.0).reshape(6, 4) / 7, np.array([0, 1, 3]), np.array([0, 1, 2])
    )
    recipe = Recipe(shapes=(mixed, Shape.empty("None")))
    assert Recipe.from_json(recipe.to_json()).shapes == ()
    again = Recipe.from_json(recipe.to_json(shapes=True))
    assert again == recipe and np.array_equal(again.shapes[0].points, mixed.points)
    for wrong in ([1], [{"kind": "round", "points": [[0, 0, 0, 1]]}], {"kind": "open"},
                  [{"kind": "open", "points": [[0, 0]]}], [{"kind": "open", "points": []}],
                  [{"kind": "open", "points": [[0, 0, "a", 1]]}]):  # fmt: skip
        with pytest.raises(ValueError, match=r"recipe\.shapes\.Path"):
            Recipe.from_dict({"shapes": {"Path": wrong}})


def test_a_larger_terrain_has_larger_shapes():
    recipe = rescale(Recipe(shapes=(Shape.of("Path", [[(1, 2, 3, 4)]]),)), 2.0)
    assert recipe.shapes[0].points.tolist() == [[2, 4, 6, 4]]


def test_in_plan_lines_lose_their_heights_and_frames_keep_theirs():
    tilted = [(1, 2, 3), (2, 2, 4), (1, 3, 3), (1, 2, 9)]
    line = Shape.of("Both", [[(0, 0, 5), (30, 40, 9)]])
    frame = Shape.of("Both", [tilted], FRAME)
    both = Shape(
        "Both",
        np.concatenate([line.points, frame.points]),
        np.array([0, 2]),
        np.array([OPEN, FRAME]),
    ).in_plan()
    assert both.points[:2, 2].tolist() == [0, 0]
    assert np.array_equal(both.points[2:], frame.points)
