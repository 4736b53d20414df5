# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Layer, Recipe, Water, evaluate, hydrology, presets
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.output import water_meshes as waters
from terrain_addon.core.output.water_meshes import DEEPEST, DEPTH, inland_water

LAND = Recipe(
    seed=5,
    size_x=4000.0,
    size_y=3000.0,
    layers=(
        Layer.of(LAYERS["fractal_noise"](size=2000.0, height=600.0)),
        Layer.of(LAYERS["erosion"]()),
    ),
    water=Water(show=False, rivers=True, lakes=True, min_lake_depth=0.5, min_lake_size=0.005),
)


@pytest.fixture(scope="module")
def field():
    return evaluate(LAND, LAND.grid(257))


def made(field, **settings):
    water = dataclasses.replace(LAND.water, **settings)
    return inland_water(dataclasses.replace(LAND, water=water), field.height, field.grid)


def surface_at(field, points):
    """Heights of the surface, on the triangles that Blender draws of the mesh's quads."""
    grid, points = field.grid, points.astype(float)
    u = np.clip((points[:, 0] - grid.x[0]) / grid.dx, 0, grid.nx - 1 - 1e-9)
    v = np.clip((points[:, 1] - grid.y[0]) / grid.dy, 0, grid.ny - 1 - 1e-9)
    i, j = u.astype(int), v.astype(int)
    a, b = u - i, v - j
    h = field.height
    first, last = h[j, i], h[j + 1, i + 1]
    right = first + a * (h[j, i + 1] - first) + b * (last - h[j, i + 1])
    left = first + b * (h[j + 1, i] - first) + a * (last - h[j + 1, i])
    return np.where(a > b, right, left)


def test_rivers_flow_down_and_widen(field):
    found = made(field)
    rivers = found.rivers
    assert len(rivers.faces) > 50
    left, middle, right = np.moveaxis(rivers.points.reshape(-1, 3, 3).astype(float), 1, 0)
    width, flow = rivers.values["width"], rivers.values["flow"]
    across = np.linalg.norm((left - right)[:, :2], axis=1)
    inside = (np.abs(middle[:, :2]) < np.array([1900, 1400])).all(axis=1)
    np.testing.assert_allclose(across[inside], width[::3][inside], rtol=1e-3)
    assert (across <= width[::3] * 1.001).all()
    natural = 0.012 * np.sqrt(flow)
    assert (width <= natural * 1.00001).all()
    assert (width > natural * 0.99999).mean() > 0.8, "all but the first steps from the springs"
    assert (width[::3] < 0.11 * natural[::3]).sum() > 3, "which begin as trickles"
    ends = ends_of(rivers)
    for edge in (left, right):
        assert (edge[~ends, 2] <= middle[~ends, 2] + 1e-3).all(), "no bank is climbed"
    upper, lower = rivers.faces[::2, 1], rivers.faces[::2, 2]
    assert (flow[lower] >= flow[upper]).all()
    assert flow.min() >= (LAND.water.min_catchment_area * 4000) ** 2
    assert (rivers.points[lower, 2] <= rivers.points[upper, 2]).all()


def test_heights_are_those_of_the_grid(field):
    with pytest.raises(ValueError, match="The heights have the shape"):
        inland_water(LAND, field.height[:-1], field.grid)


def test_rivers_lie_on_the_surface(field):
    rivers = made(field, lakes=False).rivers
    middle = rivers.points.reshape(-1, 3, 3)[:, 1]
    level, bed = middle[:, 2], surface_at(field, middle)
    assert (level > bed).mean() > 0.9  # seen, not buried
    assert np.abs(level - bed).max() < 0.05 * np.ptp(field.height)
    assert np.median(np.abs(level - bed)) < 0.005 * np.ptp(field.height)


def ends_of(ribbon):
    """Which sections are the first or the last of their river."""
    count, first = len(ribbon.points) // 3, ribbon.faces[::2, 0] // 3
    inner = np.intersect1d(first, first + 1)
    return ~np.isin(np.arange(count), inner)


RIVERY = ("alps", "badlands", "canyon", "crater_field", "dunes", "rolling_downs", "volcano")


@pytest.fixture(scope="module", params=RIVERY)
def rivers(request):
    """The land of a preset, its rivers and its lakes."""
    recipe = presets.load(request.param)
    water = dataclasses.replace(recipe.water, rivers=True, lakes=True)
    recipe = dataclasses.replace(recipe, water=water)
    terrain = evaluate(recipe, recipe.grid(257))
    made = inland_water(recipe, terrain.height, terrain.grid)
    return terrain, made.rivers, made.lakes


def in_lake(terrain, lakes, places):
    """Whether the points of the grid that are nearest to the places are in a lake."""
    grid = terrain.grid

    def nearest(points):
        cells = (points[:, :2] - [grid.x[0], grid.y[0]]) / [grid.dx, grid.dy]
        return tuple(np.rint(cells).astype(int).T[::-1])

    wet = np.zeros(grid.shape, bool)
    wet[nearest(lakes.points[lakes.values["depth"] > 0])] = True
    return wet[nearest(places)]


@pytest.mark.slow
@given(seed=st.integers(1, 10**6), factor=st.floats(0.2, 5.0), size=st.floats(100.0, 50e3))
def test_rivers_are_deep_in_the_middle_by_their_width(seed, factor, size):
    noise = LAYERS["fractal_noise"](size=size / 2, height=size / 8)
    water = Water(rivers=True, lakes=True, river_width=factor)
    layers = (Layer.of(noise), Layer.of(LAYERS["erosion"]()))
    recipe = Recipe(seed=seed, size_x=size, size_y=size, layers=layers, water=water)
    terrain = evaluate(recipe, recipe.grid(65))
    ribbon = inland_water(recipe, terrain.height, terrain.grid).rivers
    assert set(ribbon.values) == {"width", "flow", "depth"}
    assert {len(values) for values in ribbon.values.values()} == {len(ribbon.points)}
    sections = ribbon.values["depth"].reshape(-1, 3)
    width = ribbon.values["width"][::3]
    assert (sections[:, [0, 2]] == 0).all()
    np.testing.assert_allclose(sections[:, 1], 0.12 * width**0.8, rtol=1e-4)
    assert (sections[:, 1] < width)[width > 0.1].all()


def test_no_air_is_seen_below_a_river(rivers):
    """Its edges are on the ground or in it, and water lies between them."""
    terrain, ribbon, lakes = rivers
    left, middle, right = np.moveaxis(ribbon.points.reshape(-1, 3, 3), 1, 0)
    assert len(middle) > 300
    rounding = 1e-6 * np.abs(terrain.height).max() + 1e-4
    for edge in (left, right):
        assert (edge[:, 2] - surface_at(terrain, edge)).max() < rounding
    depth = middle[:, 2] - surface_at(terrain, middle)
    width = ribbon.values["width"][::3]
    seen = depth > 0.9 * DEPTH * width.min()
    # It passes below what would dam it higher than DEEPEST.
    assert seen[~ends_of(ribbon)].mean() > 0.96, "it is seen, too"
    natural = 0.012 * np.sqrt(ribbon.values["flow"][::3])
    dry = ~in_lake(terrain, lakes, middle)
    assert np.quantile((depth / natural)[dry], 0.95) < DEEPEST, "nor does it stand like a wall"
    # Between two points they follow the ground as well as a straight line can.
    bridges = ribbon.points[ribbon.faces[:, [1, 2]]].mean(axis=1)[1::2]
    air = bridges[:, 2] - surface_at(terrain, bridges)
    assert np.quantile(air, 0.99) < (DEEPEST + DEPTH) * width.max()
    upper, lower = ribbon.faces[::2, 0], ribbon.faces[::2, 3]
    side = (ribbon.points[upper] + ribbon.points[lower]) / 2
    air = side[:, 2] - surface_at(terrain, side)
    assert np.quantile(air, 0.95) < 0.002 * np.ptp(terrain.height)


@pytest.mark.parametrize("name", ["alps", "crater_field", "rolling_downs"])
def test_no_river_breaks_off(name):
    """Where one ends inland, it is in a lake or runs into another river."""
    recipe = presets.load(name)
    water = dataclasses.replace(recipe.water, rivers=True, lakes=True)
    recipe = dataclasses.replace(recipe, water=water)
    terrain = evaluate(recipe, recipe.grid(513))
    made, grid = inland_water(recipe, terrain.height, terrain.grid), terrain.grid
    middle = made.rivers.points.reshape(-1, 3, 3)[:, 1]
    last = np.setdiff1d(np.arange(len(middle)), made.rivers.faces[::2, 0] // 3)
    river, inner = np.searchsorted(last, np.arange(len(middle))), ~ends_of(made.rivers)
    inland = (np.abs(middle[last, :2]) < np.array([grid.x[-1], grid.y[-1]]) - 1e-3).all(axis=1)
    for number in np.flatnonzero(inland):
        water = np.concatenate([middle[inner & (river != number)], made.lakes.points])
        away = np.hypot(*(water - middle[last[number]])[:, :2].T).min()
        assert away < 2 * grid.dx


def test_rivers_end_where_the_land_does(rivers):
    terrain, ribbon, _ = rivers
    grid = terrain.grid
    assert (np.abs(ribbon.points[:, 0]) <= grid.x[-1] + 1e-3).all()
    assert (np.abs(ribbon.points[:, 1]) <= grid.y[-1] + 1e-3).all()
    sections = ribbon.points.reshape(-1, 3, 3)
    last = np.setdiff1d(np.arange(len(sections)), ribbon.faces[::2, 0] // 3)
    borders = np.abs(sections[last][..., :2]) >= np.array([grid.x[-1], grid.y[-1]]) - 1e-3
    leaves = borders[:, 1].any(axis=1)
    assert leaves.any()
    assert (borders[leaves].all(axis=1)).any(axis=1).all(), "all three points lie on one border"


def test_a_river_along_the_border_is_cut_by_it():
    grid = LAND.grid(65)
    x = np.linspace(-1500, 1500, 80)
    near = np.full(80, grid.y[0] + 5.0)
    river = hydrology.RiverLine(x, near, -x / 100, near * 0 + 40, near * 0 + 1e6, near * 0 + 1)
    flat = np.full(grid.shape, -50, np.float32)
    left, middle, right = np.moveaxis(
        waters._ribbons([river], flat, grid, None).points.reshape(-1, 3, 3), 1, 0
    )
    np.testing.assert_allclose(left[:, 1], near[0] + 20, rtol=1e-6)
    np.testing.assert_allclose(middle[:, 1], near[0], rtol=1e-6)
    np.testing.assert_allclose(right[:, 1], grid.y[0], rtol=1e-6)


@pytest.mark.parametrize("name", ["alps", "dry_wash"])
def test_no_fold_of_the_ground_hides_a_narrow_river(name):
    recipe = presets.load(name)
    recipe = dataclasses.replace(
        recipe, water=Water(rivers=True, lakes=True, min_catchment_area=0.03)
    )
    terrain = evaluate(recipe, recipe.grid(513))
    rivers = inland_water(recipe, terrain.height, terrain.grid).rivers
    upper, lower = rivers.faces[::2, 1], rivers.faces[::2, 2]
    narrow = rivers.values["width"][lower] < terrain.grid.dx
    hidden = []
    for share in np.linspace(0.05, 0.95, 10):
        line = rivers.points[upper] * (1 - share) + rivers.points[lower] * share
        hidden.append((line[:, 2] < surface_at(terrain, line))[narrow].mean())
    assert narrow.sum() > 500
    assert np.mean(hidden) < 0.1  # of the least streams, in valleys as narrow as a sample


@pytest.mark.slow
def test_rivers_end_in_lakes_where_these_are_wider():
    """Not in their tips, from which blunt ends would stick out onto the land."""
    inside = []
    for name in ("alps", "rolling_downs"):
        recipe = presets.load(name)
        recipe = dataclasses.replace(recipe, water=Water(rivers=True, lakes=True))
        terrain = evaluate(recipe, recipe.grid(513))
        made = inland_water(recipe, terrain.height, terrain.grid)
        left, middle, right = np.moveaxis(made.rivers.points.reshape(-1, 3, 3), 1, 0)
        ends = ends_of(made.rivers) & in_lake(terrain, made.lakes, middle)
        left, right = (in_lake(terrain, made.lakes, side[ends]) for side in (left, right))
        inside += list(left & right)
    assert len(inside) > 20
    assert np.mean(inside) > 0.9


def test_lakes_are_level_and_cover_what_is_wet(field):
    lakes = made(field, min_lake_depth=0.05, min_lake_size=0.002).lakes
    assert len(lakes.faces) > 0
    corners = lakes.points[lakes.faces]
    assert (np.ptp(corners[..., 2], axis=1) == 0).all()
    wet = lakes.values["depth"] > 0
    above = lakes.points[:, 2] - surface_at(field, lakes.points)
    np.testing.assert_allclose(above[wet], lakes.values["depth"][wet], atol=0.05)
    assert wet[lakes.faces].any(axis=1).all()


def test_rivers_run_from_shore_to_shore(field):
    water = {"min_lake_depth": 0.05, "min_lake_size": 0.002}
    through = made(field, min_lake_size=1.0).rivers
    shown, hidden = (made(field, **water, lakes=lakes).rivers for lakes in (True, False))
    assert 0 < len(hidden.faces) < len(shown.faces) < len(through.faces)


@pytest.mark.parametrize("name", ["alps", "crater_field", "dunes", "rolling_downs", "volcano"])
def test_rivers_alone_cross_no_hollow_in_the_air(name):
    recipe = presets.load(name)
    water = dataclasses.replace(recipe.water, rivers=True, lakes=False)
    recipe = dataclasses.replace(recipe, water=water)
    field = evaluate(recipe, recipe.grid(257))
    rivers = inland_water(recipe, field.height, field.grid).rivers
    middle = rivers.points.reshape(-1, 3, 3)[:, 1]
    assert len(middle) > 100
    width = 0.012 * water.river_width * np.sqrt(rivers.values["flow"][::3])
    deepest = np.maximum(water.min_lake_depth, DEEPEST * width) + (DEEPEST + DEPTH) * width
    assert (middle[:, 2] - surface_at(field, middle) <= deepest).all()


def plane_area(mesh):
    """Square metres of flat quads seen from above."""
    corners = mesh.points[mesh.faces][..., :2].astype(float)
    one, two = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]).sum() / 2


HILLS = presets.load("eroded_hills")
HILLS = dataclasses.replace(
    HILLS,
    # With one or two of eight seeds, on grids of long cells a tributary with 3 to 9 % of the land
    # takes another way.
    seed=2,
    water=dataclasses.replace(HILLS.water, show=False, rivers=True, lakes=True),
)


@pytest.mark.slow
@pytest.mark.parametrize("points", [(257, 65), (65, 257), (513, 33)])
def test_oblong_cells_show_the_water_that_square_ones_do(points):
    extent = HILLS.size_x * HILLS.size_y
    square, oblong = (evaluate(HILLS, HILLS.grid(shape)) for shape in ((257, 257), points))
    expected = inland_water(HILLS, square.height, square.grid)
    found = inland_water(HILLS, oblong.height, oblong.grid)
    largest = found.rivers.values["flow"].max() / extent
    assert largest == pytest.approx(expected.rivers.values["flow"].max() / extent, abs=0.02)
    assert plane_area(found.lakes) < plane_area(expected.lakes) + 0.04 * extent
    middle = found.rivers.points.reshape(-1, 3, 3)[:, 1]
    above = middle[:, 2] - surface_at(oblong, middle)
    assert np.quantile(np.abs(above), 0.95) < 0.8  # meters, of 130
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
