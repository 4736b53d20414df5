# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models in another system hold the heights of their places, as PROJ finds them."""

import math

import numpy as np
import pyproj
import pytest

from terrain_addon.core import formats
from terrain_addon.core.elevation import (
    Elevation,
    Georeference,
    System,
    common_system,
    reprojected,
    reprojection,
    system_named,
)
from terrain_addon.core.formats import HeightRows
from terrain_addon.core.real_terrain import Source

DEGREES, WEB, UTM = System.coded(4326), System.coded(3857), System.coded(32632)
WAVE = 60.0
"""Samples of a wave of the terrain."""


def heights(i, j):
    """Heights at places of the old grid, in samples: waves, and a slope that tells places."""
    return 50 * np.sin(2 * np.pi * i / WAVE) * np.cos(2 * np.pi * j / WAVE) + 7 * i - 3 * j


def model(system, center=(7.2, 46.3), counts=(160, 120), step=30.0, turn=0.0, shear=0.0):
    """A terrain about a place, with steps of so many meters or arc seconds."""
    x, y = map(float, common_system(system).from_lonlat(*center))
    size = step / 3600 if system.geographic else step
    c, s = math.cos(turn), math.sin(turn)
    across, along = (size * c, size * s), (size * (shear * c - s), size * (shear * s + c))
    columns, rows = counts
    origin = (
        x - columns / 2 * across[0] - rows / 2 * along[0],
        y - columns / 2 * across[1] - rows / 2 * along[1],
    )
    j, i = np.mgrid[:rows, :columns].astype(float)
    return Elevation.at(
        heights(i, j).astype(np.float32), Georeference(origin, across, along, system)
    )


def true_places(made, old):
    """Columns and rows of the old grid, of all samples of a new one, by PROJ."""
    place, grid = old.georeference, made.georeference
    j, i = np.mgrid[: made.height.shape[0], : made.height.shape[1]].astype(float)
    x, y = grid.at(i, j)
    steps = pyproj.Transformer.from_crs(grid.epsg, place.epsg, always_xy=True)
    x, y = steps.transform(x, y)
    x += 360 * (x < place.origin[0] - 180) * place.geographic
    return place.samples_at(x, y)


@pytest.mark.parametrize(("old", "new"), [
    (DEGREES, UTM), (WEB, UTM), (System.coded(32631), UTM), (UTM, System.coded(32631)),
    (UTM, DEGREES), (UTM, WEB), (DEGREES, WEB), (System.coded(25832), System.coded(4258)),
])  # fmt: skip
def test_heights_are_those_of_their_places_within_a_tenth_of_a_sample(old, new):
    source = model(old)
    made = reprojected(source, new)
    i, j = true_places(made, source)
    ny, nx = source.height.shape
    assert i.min() > -0.01 and i.max() < nx - 0.99 and j.min() > -0.01 and j.max() < ny - 0.99
    misses = np.abs(made.height - heights(i, j))[3:-3, 3:-3]
    assert misses.max() < 0.1 * 8  # a sample's slope is 7.6 m, and the waves' 5.2
    assert misses.mean() < 0.03
    assert made.georeference.system == new
    assert source.spacing is not None
    assert made.spacing == pytest.approx((min(source.spacing),) * 2, rel=3e-3)
    assert made.height.size > 0.8 * source.height.size * min(source.spacing) / max(source.spacing)
    assert any("within" in note and "of a sample" in note for note in made.notes)


def test_voids_stay_voids_and_grow_by_no_more_than_a_sample():
    source = model(DEGREES)
    height = source.height.copy()
    height[40:60, 50:80] = np.nan
    assert source.georeference is not None
    holey = Elevation.at(height, source.georeference)
    made = reprojected(holey, UTM)
    i, j = true_places(made, holey)
    inside = (i > 50) & (i < 79) & (j > 40) & (j < 59)
    outside = (i < 49) | (i > 80) | (j < 39) | (j > 60)
    assert made.voids[inside].all() and not made.voids[outside].any()
    known = ~made.voids
    assert np.abs(made.height - heights(i, j))[known][500:-500].max() < 50


def test_a_grid_across_the_antimeridian_is_one_piece():
    source = model(DEGREES, center=(179.999, -17.0))
    made = reprojected(source, System.coded(32701))
    i, j = true_places(made, source)
    assert np.abs(made.height - heights(i, j))[3:-3, 3:-3].max() < 0.8


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2, 2.5, -1.5])
@pytest.mark.parametrize("shear", [0.0, 0.2])
def test_turned_and_sheared_grids_are_straightened_in_their_own_system(turn, shear):
    source = model(UTM, turn=turn, shear=shear)
    made = reprojected(source, UTM)
    place = made.georeference
    assert place.column_step[1] == place.row_step[0] == 0 and place.row_step[1] > 0
    i, j = true_places(made, source)
    assert np.abs(made.height - heights(i, j))[3:-3, 3:-3].max() < 0.8
    assert not made.voids.any() and made.height.size > 500
    assert "sheared" not in " ".join(made.notes)


def test_bands_give_the_same_bits(monkeypatch):
    whole = reprojected(model(DEGREES), UTM).height
    rows = len(whole)
    monkeypatch.setattr(
        reprojection, "row_bands", lambda _: (slice(j, min(j + 7, rows)) for j in range(0, rows, 7))
    )
    np.testing.assert_array_equal(reprojected(model(DEGREES), UTM).height, whole)


def test_the_zone_of_a_place_is_a_system():
    assert system_named("utm", model(DEGREES)).epsg == 32632
    assert system_named("EPSG:3857", model(DEGREES)).epsg == 3857


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (System.coded(27700), "27700\\) is not converted here: .*gdalwarp"),
        (System.coded(32618), "no place in .*32618: choose another system"),
    ],
)
def test_systems_that_do_not_fit_are_refused(system, message):
    with pytest.raises(ValueError, match=message):
        reprojected(model(DEGREES), system)


def test_a_model_without_a_place_is_refused():
    with pytest.raises(ValueError, match="says where it lies"):
        reprojected(Elevation(np.zeros((3, 3), np.float32)), UTM)


def test_a_source_names_its_system_and_straightens_what_is_sheared(tmp_path):
    for name, source in (("d", model(DEGREES)), ("s", model(UTM, shear=0.2))):
        limits = source.range
        rows = HeightRows(source.height.shape, [source.height], range=limits,
                          georeference=source.georeference)  # fmt: skip
        formats.write(tmp_path / f"{name}.tif", rows)
    text = f"{tmp_path}/d.tif#system=utm"
    named = Source.parse(text)
    assert named is not None and str(named) == text and named.read().georeference.epsg == 32632
    plain = Source((f"{tmp_path}/d.tif",)).read()
    same = Source((f"{tmp_path}/d.tif",), system="EPSG:4326").read()
    np.testing.assert_array_equal(plain.height, same.height)
    straight = Source((f"{tmp_path}/s.tif",)).read()
    assert straight.georeference.upright and "Straightened" in straight.notes[-1]
    with pytest.raises(ValueError, match="no well-known text"):
        Source((f"{tmp_path}/d.tif",), system="nonsense").read()
