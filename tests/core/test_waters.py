# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses

import numpy as np
import pytest

from terrain_addon.core import LAYERS, Layer, Recipe, Water, evaluate, presets, waters
from terrain_addon.core.waters import DEEPEST, DEPTH, inland_water

LAND = Recipe(
    seed=5,
    size_x=4000.0,
    size_y=3000.0,
    layers=(
        Layer.of(LAYERS["fractal_noise"](size=2000.0, height=600.0)),
        Layer.of(LAYERS["erosion"]()),
    ),
    water=Water(show=False, rivers=True, lakes=True, lake_depth=0.5, lake_size=0.005),
)


@pytest.fixture(scope="module")
def field():
    return evaluate(LAND, LAND.grid(257))


def made(field, **settings):
    water = dataclasses.replace(LAND.water, **settings)
    return inland_water(dataclasses.replace(LAND, water=water), field.height, field.grid)


def surface_at(field, points):
    """Heights of the surface, blended between grid points."""
    grid = field.grid
    u = np.clip((points[:, 0] - grid.x[0]) / grid.dx, 0, grid.nx - 1.001)
    v = np.clip((points[:, 1] - grid.y[0]) / grid.dy, 0, grid.ny - 1.001)
    i, j = u.astype(int), v.astype(int)
    a, b = u - i, v - j
    h = field.height
    return (h[j, i] * (1 - a) + h[j, i + 1] * a) * (1 - b) + (
        h[j + 1, i] * (1 - a) + h[j + 1, i + 1] * a
    ) * b


def test_rivers_flow_down_and_widen(field):
    rivers = made(field).rivers
    assert len(rivers.faces) > 50
    pairs = rivers.points.reshape(-1, 2, 3)
    width, flow = rivers.values["width"], rivers.values["flow"]
    across = np.linalg.norm(pairs[:, 0] - pairs[:, 1], axis=1)
    np.testing.assert_allclose(across, width[::2], rtol=1e-3)
    np.testing.assert_allclose(width, 0.012 * np.sqrt(flow), rtol=1e-5)
    level = rivers.points[:, 2]
    assert (pairs[:, 0, 2] == pairs[:, 1, 2]).all()
    upper, lower = rivers.faces[:, 0], rivers.faces[:, 3]
    assert (level[lower] <= level[upper]).all()
    assert (flow[lower] >= flow[upper]).all()
    assert flow.min() >= (LAND.water.springs * 4000) ** 2


def test_heights_are_those_of_the_grid(field):
    with pytest.raises(ValueError, match="The heights have the shape"):
        inland_water(LAND, field.height[:-1], field.grid)


def test_rivers_lie_on_the_surface(field):
    rivers = made(field, lakes=False).rivers
    middle = rivers.points.reshape(-1, 2, 3).mean(axis=1)
    level, bed = middle[:, 2], surface_at(field, middle)
    assert (level > bed).mean() > 0.9  # seen, not buried
    assert np.abs(level - bed).max() < 0.05 * np.ptp(field.height)
    assert np.median(np.abs(level - bed)) < 0.005 * np.ptp(field.height)


def test_rivers_hang_off_no_slope():
    """In steep land neither side of a ribbon stands in the air, above the foot of a slope."""
    alps = presets.load("alps")
    alps = dataclasses.replace(alps, water=dataclasses.replace(alps.water, rivers=True, lakes=True))
    field = evaluate(alps, alps.grid(257))
    points = inland_water(alps, field.height, field.grid).rivers.points
    assert len(points) > 1000
    above = points[:, 2] - surface_at(field, points)
    assert np.quantile(above, 0.95) < 0.0025 * np.ptp(field.height)
    assert np.quantile(above, 0.99) < 0.005 * np.ptp(field.height)


def test_lakes_are_level_and_cover_what_is_wet(field):
    lakes = made(field, lake_depth=0.05, lake_size=0.002).lakes
    assert len(lakes.faces) > 0
    corners = lakes.points[lakes.faces]
    assert (np.ptp(corners[..., 2], axis=1) == 0).all()
    wet = lakes.values["depth"] > 0
    above = lakes.points[:, 2] - surface_at(field, lakes.points)
    np.testing.assert_allclose(above[wet], lakes.values["depth"][wet], atol=0.05)
    assert wet[lakes.faces].any(axis=1).all()


def test_rivers_run_from_shore_to_shore(field):
    water = {"lake_depth": 0.05, "lake_size": 0.002}
    through = made(field, lake_size=1.0).rivers
    shown, hidden = (made(field, **water, lakes=lakes).rivers for lakes in (True, False))
    assert 0 < len(hidden.faces) < len(shown.faces) < len(through.faces)


@pytest.mark.parametrize("name", ["alps", "crater_field", "dunes", "rolling_hills", "volcano"])
def test_rivers_alone_cross_no_hollow_in_the_air(name):
    recipe = presets.load(name)
    water = dataclasses.replace(recipe.water, rivers=True, lakes=False)
    recipe = dataclasses.replace(recipe, water=water)
    field = evaluate(recipe, recipe.grid(257))
    rivers = inland_water(recipe, field.height, field.grid).rivers
    middle = rivers.points.reshape(-1, 2, 3).mean(axis=1)
    assert len(middle) > 100
    width = rivers.values["width"][::2]
    deepest = np.maximum(water.lake_depth, DEEPEST * width) + (DEEPEST + DEPTH) * width
    assert (middle[:, 2] - surface_at(field, middle) <= deepest).all()


def plane_area(mesh):
    """Square metres of flat quads seen from above."""
    corners = mesh.points[mesh.faces][..., :2].astype(float)
    one, two = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]).sum() / 2


HILLS = presets.load("eroded_hills")
HILLS = dataclasses.replace(
    HILLS, water=dataclasses.replace(HILLS.water, show=False, rivers=True, lakes=True)
)


@pytest.mark.parametrize("points", [(257, 65), (65, 257), (513, 33)])
def test_oblong_cells_show_the_water_that_square_ones_do(points):
    extent = HILLS.size_x * HILLS.size_y
    square, oblong = (evaluate(HILLS, HILLS.grid(shape)) for shape in ((257, 257), points))
    expected = inland_water(HILLS, square.height, square.grid)
    found = inland_water(HILLS, oblong.height, oblong.grid)
    largest = found.rivers.values["flow"].max() / extent
    assert largest == pytest.approx(expected.rivers.values["flow"].max() / extent, abs=0.02)
    assert plane_area(found.lakes) < plane_area(expected.lakes) + 0.04 * extent
    middle = found.rivers.points.reshape(-1, 2, 3).mean(axis=1)
    above = middle[:, 2] - surface_at(oblong, middle)
    assert np.quantile(np.abs(above), 0.95) < 0.005 * np.ptp(oblong.height)
    lakes = found.lakes
    wet = lakes.values["depth"] > 0
    above = (lakes.points[:, 2] - surface_at(oblong, lakes.points))[wet]
    np.testing.assert_allclose(above, lakes.values["depth"][wet], atol=0.05)


@pytest.mark.parametrize("points", [(33, 5), (3, 90), (40, 41)])
def test_no_river_drains_more_than_the_land(points):
    grid = LAND.grid(points)
    funnel = np.add.outer(np.abs(grid.y), np.abs(grid.x) + grid.x / 10).astype(np.float32)
    flow = inland_water(LAND, funnel, grid).rivers.values["flow"]
    assert flow.max(initial=0.0) <= LAND.size_x * LAND.size_y


def test_what_is_off_is_empty(field):
    off = made(field, rivers=False, lakes=False)
    assert not len(off.rivers.faces) and not len(off.lakes.faces)
    assert len(made(field, lakes=False).rivers.faces) and not len(
        made(field, lakes=False).lakes.faces
    )
    assert not len(made(field, rivers=False).rivers.faces)


def test_the_sea_ends_rivers(field):
    level = float(np.quantile(field.height, 0.3))
    points = made(field, show=True, level=level).rivers.points
    assert points[:, 2].min() > level - 0.02 * np.ptp(field.height)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 9), (5, 3)])
def test_tiny_and_flat_lands_have_a_result(shape):
    grid = LAND.grid((shape[1], shape[0]))
    for height in (np.zeros(shape, np.float32), np.random.default_rng(1).random(shape, np.float32)):
        found = inland_water(LAND, height, grid)
        assert np.isfinite(found.rivers.points).all() and np.isfinite(found.lakes.points).all()


def test_a_very_narrow_land_is_looked_at_on_four_times_its_points():
    recipe = Recipe(size_x=0.001, size_y=6e6, water=LAND.water)
    grid = recipe.grid((33, 33))
    height = np.random.default_rng(1).random((33, 33), dtype=np.float32)
    _, cells = waters._on_squares(height, grid)
    assert cells.nx >= 3 and cells.nx * cells.ny <= 4 * 33 * 33 + 3
    inland_water(recipe, height, grid)
