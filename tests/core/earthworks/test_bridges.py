# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads over drawn rivers: no road dams one, and what carries it."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import (
    Cache,
    FractalNoise,
    Layer,
    Recipe,
    River,
    Road,
    Shape,
    checks,
    evaluate,
    solve,
)
from terrain_addon.core.earthworks.bridges import CLEARANCE, TALL
from terrain_addon.core.output.bridge_meshes import LIFT, bridge_mesh, roads_of

SIZE = {"size_x": 1000.0, "size_y": 1000.0}
STREAM = Shape.of("Stream", [[(0, -400), (30, 0), (0, 400)]])
PATH = Shape.of("Path", [[(-450, -100), (0, 30), (450, 60)]])
TWICE = Shape.of("Path", [[(-450, -200), (300, -200), (300, 200), (-450, 200)]])
ASLANT = Shape.of("Path", [[(-100, -450), (100, 450)]])


def crossing(relief=120.0, path=PATH, width=12.0, **road):
    layers = (
        Layer.of(FractalNoise(octaves=4, height=relief, size=500.0)),
        Layer.of(River(source="Stream", width=width)),
        Layer.of(Road(source="Path", **road)),
    )
    return Recipe(layers=layers, shapes=(STREAM, path), **SIZE)


def laid_of(recipe, cache=None):
    (laid,) = roads_of(recipe, cache).values()
    return laid


@pytest.mark.parametrize("resolution", [65, 257])
@pytest.mark.parametrize("relief", [0.0, 120.0])
@pytest.mark.parametrize("path", [PATH, TWICE, ASLANT], ids=["once", "twice", "aslant"])
def test_no_road_dams_a_drawn_river(relief, path, resolution):
    recipe, cache = crossing(relief, path), Cache()
    grid = recipe.grid(resolution)
    height = evaluate(recipe, grid, cache=cache).height
    found = {(one.subject, one.key): one.value for one in checks.check(recipe, height, grid)}
    assert found["River", "uphill_steps"] == 0
    crossed = found["Road", "bridges"] + found["Road", "culverts"]
    assert crossed == (2 if path is TWICE else 1)


def test_the_bed_keeps_its_bits_below_a_bridge():
    recipe, cache = crossing(), Cache()
    grid = recipe.grid(513)
    dry = dataclasses.replace(recipe, layers=recipe.layers[:2])
    height, below = (evaluate(one, grid, cache=cache).height for one in (recipe, dry))
    laid = laid_of(recipe, cache)
    x, y = laid.water[:, 0], laid.water[:, 1]
    row, column = (np.rint((at + 500) / grid.dx).astype(int) for at in (y, x))
    assert np.array_equal(height[row, column], below[row, column])
    assert (height != below).any()


def test_roads_that_cross_no_river_have_the_bits_that_they_had():
    """Whether a river lies below or not; and a layer of rivers above the road changes nothing."""
    beside = Shape.of("Path", [[(100, -300), (300, 300)]])
    with_river = crossing(path=beside)
    laid = laid_of(with_river)
    assert not len(laid.spans) and laid.on_ground is laid.roads
    first, river, road = crossing().layers
    above = dataclasses.replace(crossing(), layers=(first, road, river))
    assert not above.may_have_bridges and not len(laid_of(above).spans)


def test_the_road_clears_the_water_and_keeps_its_gradient():
    for relief in (0.0, 20.0, 120.0):
        laid = laid_of(crossing(relief, gradient=0.08, smooth=0.0))
        assert (laid.clear >= CLEARANCE).all()
        assert np.abs(laid.roads.gradients).max() <= 0.08 + 1e-6
        for first, last in laid.spans:
            inner = slice(first + 1, last)
            beyond = [end for end in (first, last) if 0 < end < len(laid.ground) - 1]
            fill = laid.roads.level - laid.ground
            assert (fill[beyond] < TALL + 3).all(), "a bridge ends where the fill is low"
            assert len(laid.ground[inner])


def test_windows_of_a_bridge_have_the_bits_of_the_whole():
    recipe = crossing()
    grid, solution = recipe.grid(257), solve(recipe)
    whole = evaluate(recipe, grid, solution=solution)
    window = grid.window(100, 90, 60, 70)
    part = evaluate(recipe, window, solution=solution)
    assert np.array_equal(part.height, whole.height[90:160, 100:160])


def test_a_solution_with_bridges_can_be_saved(tmp_path):
    recipe = crossing()
    solution = solve(recipe)
    solution.save(tmp_path / "solution")
    again = type(solution).load(tmp_path / "solution")
    grid = recipe.grid(65)
    before, after = (evaluate(recipe, grid, solution=one).height for one in (solution, again))
    assert np.array_equal(before, after)


@pytest.mark.parametrize(
    ("width", "relief", "culvert"), [(2.0, 0.0, 1), (12.0, 0.0, 0), (2.0, 120.0, 0)]
)
def test_the_model_is_closed_and_lies_on_the_road(width, relief, culvert):
    recipe, cache = crossing(relief, width=width), Cache()
    mesh, laid = bridge_mesh(recipe, cache), laid_of(recipe, cache)
    assert set(mesh.values["culvert"].tolist()) == {culvert}
    first, last = laid.spans[0]
    long = laid.roads.distance[last] - laid.roads.distance[first]
    assert (mesh.values["span"] >= np.float32(long)).all()
    sides = np.concatenate([np.stack([mesh.faces, np.roll(mesh.faces, -1, 1)], -1).reshape(-1, 2)])
    there, back = ({tuple(side) for side in way.tolist()} for way in (sides, sides[:, ::-1]))
    assert there == back and len(there) == len(sides), "each edge joins two faces, turned alike"
    corners = mesh.points[mesh.faces].astype(float)
    volume = sum(
        np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, k], corners[:, k + 1])).sum()
        for k in (1, 2)
    )
    assert volume > 0, "faces look outward"
    deck = laid.deck(0)
    x, y = laid.roads.x[deck], laid.roads.y[deck]
    for at_x, at_y, level in zip(x, y, laid.roads.level[deck], strict=True):
        away = np.hypot(mesh.points[:, 0] - at_x, mesh.points[:, 1] - at_y)
        near = mesh.points[away < laid.roads.half[0] + 0.5, 2]
        assert np.abs(near - level - LIFT).min() < 1e-3


def test_piers_stand_beside_the_water():
    recipe, cache = crossing(200.0, gradient=0.04), Cache()
    mesh, laid = bridge_mesh(recipe, cache), laid_of(recipe, cache)
    first, last = laid.spans[0]
    assert laid.roads.distance[last] - laid.roads.distance[first] > 60
    low = mesh.points[mesh.points[:, 2] < laid.ground[first + 1 : last].max() - 5]
    assert len(low) and not any(laid.is_wet(x, y, 0.0) for x, y, _ in low.astype(float))


def test_recipes_without_crossings_have_an_empty_model():
    for recipe in (Recipe(), crossing(path=Shape.of("Path", [[(100, 0), (300, 0)]]))):
        mesh = bridge_mesh(recipe)
        assert mesh.points.shape == (0, 3) and mesh.faces.shape == (0, 4)
