# SPDX-License-Identifier: GPL-3.0-or-later
"""Height maps in meters: smooth, placed, averaged where they are sampled coarsely."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, HeightMap, Layer, Map, Recipe, evaluate, solve
from terrain_addon.core.layers.maps import Placement
from terrain_addon.core.recipe import default_settings_for, rescale
from tests.core.formats.test_geotiff import real

DEM = Map("Dem", real(101, 131), spacing=(90.0, 70.0), in_meters=True)
SIZE = (130 * 90.0, 100 * 70.0)


def terrain(dem=DEM, size=None, more=(), **values):
    size_x, size_y = size or dem.size or (1000.0, 1000.0)
    layer = Layer.of(HeightMap(source=dem.name, **{"fit": "true", **values}))
    return Recipe(size_x=size_x, size_y=size_y, layers=(layer, *more), maps=(dem,))


def heights(recipe, resolution):
    return evaluate(recipe, recipe.grid(resolution), fields=()).height


def test_points_on_samples_have_their_heights_in_meters():
    made = heights(terrain(), (131, 101))
    np.testing.assert_allclose(made, DEM.values, atol=1e-3)


def test_between_samples_the_surface_has_no_creases():
    """Across a crease, as of a linear interpolation, the slope would jump; here its jumps shrink
    in proportion to the spacing."""
    jumps = []
    for cells in (1, 16, 32):
        nx, ny = 130 * cells + 1, 6
        line = DEM.surface(Grid.points(*SIZE, nx, ny), Placement(SIZE))[2]
        slope = np.diff(line.astype(np.float64)) / (SIZE[0] / (nx - 1))
        jumps.append(np.abs(np.diff(slope)).max())
    assert jumps[1] < jumps[0] / 5 and jumps[2] < 0.62 * jumps[1]


@given(
    st.integers(0, 30), st.integers(0, 30), st.sampled_from((21, 60, 131, 400)),
    st.sampled_from((0.0, 30.0, -90.0)),
)  # fmt: skip
def test_windows_have_the_bits_of_the_whole(i, j, resolution, angle):
    recipe = terrain(angle=angle, x=300.0, scale=1.2)
    grid = recipe.grid(resolution)
    whole = evaluate(recipe, grid, fields=()).height
    nx, ny = min(40, grid.nx - i), min(25, grid.ny - j)
    if min(nx, ny) < 2:
        return
    part = evaluate(recipe, grid.window(i, j, nx, ny), fields=()).height
    np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


def test_waves_of_few_samples_are_averaged_and_not_sampled_at_random():
    rng = np.random.default_rng(5)
    noise = Map("Noise", rng.normal(0, 10, (513, 513)).astype(np.float32), spacing=(1.0, 1.0))
    found = [heights(terrain(noise), n).std() for n in (513, 129, 33)]
    assert found[0] > 9.5 and found[1] < 0.3 * found[0] and found[2] < 0.1 * found[0]


def test_resolutions_agree():
    fine, coarse = heights(terrain(), (521, 401)), heights(terrain(), (53, 41))
    assert np.corrcoef(fine[::10, ::10].ravel(), coarse.ravel())[0, 1] > 0.99
    assert fine.mean() == pytest.approx(coarse.mean(), abs=2)


def test_plain_values_go_from_low_to_high_unless_they_are_meters():
    plain = Map("Dem", np.array([[0, 1], [0, 1]], np.float32))
    stretched = {"fit": "stretch", "low": 10.0, "high": 30.0, "exaggeration": 2.0}
    np.testing.assert_allclose(heights(terrain(plain, **stretched), 3)[0], [10, 20, 30], atol=1e-4)
    in_meters = heights(terrain(DEM, **stretched), (131, 101))
    np.testing.assert_allclose(in_meters, 2 * DEM.values, atol=2e-3)
    as_meters = heights(terrain(plain, values="meters", offset=5.0, **stretched), 3)[0]
    np.testing.assert_allclose(as_meters, [5, 6, 7], atol=1e-4)


@pytest.mark.parametrize(
    ("fit", "size"),
    [
        ("stretch", (4000.0, 9000.0)),
        ("contain", (4000.0, 4000 * 7000 / 11700)),
        ("cover", (9000 * 11700 / 7000, 9000.0)),
        ("true", (11700.0, 7000.0)),
    ],
)
def test_a_map_fits_the_terrain_as_chosen(fit, size):
    found = HeightMap(fit=fit, scale=0.5).placement(DEM, 4000.0, 9000.0).size
    assert found == pytest.approx([side / 2 for side in size])
    unknown = dataclasses.replace(DEM, spacing=None)
    if fit == "true":
        assert HeightMap(fit=fit).placement(unknown, 4000.0, 9000.0).size == (4000.0, 9000.0)


def test_a_map_is_moved_and_turned_counterclockwise():
    plane = Map("Plane", np.array([[0, 10], [0, 10]], np.float32), spacing=(100.0, 100.0))
    moved = heights(terrain(plane, x=25.0, values="meters"), 5)
    np.testing.assert_allclose(moved[0], [0, 0, 2.5, 5, 7.5], atol=1e-4)  # the border repeats
    turned = heights(terrain(plane, angle=90.0, values="meters"), 3)
    np.testing.assert_allclose(turned[:, 1], [0, 5, 10], atol=1e-4)


def test_the_share_of_the_terrain_that_a_map_covers_is_known():
    assert HeightMap(fit="true").placement(DEM, *SIZE).share_of(*SIZE) == 1
    half = HeightMap(fit="true", x=SIZE[0] / 2).placement(DEM, *SIZE)
    assert half.share_of(*SIZE) == pytest.approx(0.5, abs=0.02)


def test_a_rescaled_terrain_has_its_map_rescaled():
    """All that is in meters grows: extent, place and heights."""
    small = terrain(x=500.0, offset=20.0, exaggeration=1.5)
    large = rescale(small, 2.0)
    np.testing.assert_allclose(heights(large, 33), 2 * heights(small, 33), rtol=1e-5)
    assert default_settings_for(HeightMap, 20_000.0, 20_000.0).exaggeration == 1


def test_erosion_finds_the_same_drainage_for_all_windows():
    from terrain_addon.core import Erosion

    recipe = terrain(more=(Layer.of(Erosion(resolution="128")),))
    solution = solve(recipe)
    grid = recipe.grid(81)
    whole = evaluate(recipe, grid, solution=solution, fields=()).height
    part = evaluate(recipe, grid.window(20, 10, 30, 30), solution=solution, fields=()).height
    np.testing.assert_array_equal(part, whole[10:40, 20:50])
    assert np.abs(whole - heights(terrain(), 81)).max() > 1


def test_the_digest_of_a_map_knows_its_spacing_and_its_unit():
    plain = dataclasses.replace(DEM, spacing=None, in_meters=False)
    others = [dataclasses.replace(plain, **one) for one in ({"spacing": (1.0, 1.0)},
              {"in_meters": True})]  # fmt: skip
    assert len({one.digest for one in (plain, DEM, *others)}) == 4
    with pytest.raises(ValueError, match="spacing of the map 'Dem'"):
        dataclasses.replace(DEM, spacing=(0.0, 1.0))
