# SPDX-License-Identifier: GPL-3.0-or-later
"""Images lie on the terrain where their coordinates say, as PROJ finds them."""

import numpy as np
import pyproj
import pytest

from terrain_addon.core.elevation import Georeference, System, common_system, drape
from terrain_addon.core.formats import image_place

UTM, WEB, DEGREES = System.coded(32632), System.coded(3857), System.coded(4326)
COLUMNS, ROWS = 200, 150


def located(system, center=(7.2, 46.3), counts=(COLUMNS, ROWS), step=10.0):
    """A grid about a place, with steps of so many meters."""
    x, y = map(float, common_system(system).from_lonlat(*center))
    size = step / 100_000 if system.geographic else step
    first = x - counts[0] / 2 * size, y - counts[1] / 2 * size
    return Georeference(first, (size, 0.0), (0.0, size), system)


def pattern():
    """An image that tells its places: red is the column, green the row, blue a checkerboard."""
    j, i = np.mgrid[:ROWS, :COLUMNS].astype(np.float32)
    return np.stack([i, j, (i // 10 + j // 10) % 2], axis=-1)


@pytest.mark.parametrize("system", [UTM, WEB, DEGREES, System.coded(32631)])
def test_a_pattern_lands_within_a_tenth_of_a_pixel(system):
    place, onto = located(system), located(UTM, counts=(120, 90))
    out = drape(pattern(), place, onto, (90, 120))
    j, i = np.mgrid[:90, :120].astype(float)
    steps = pyproj.Transformer.from_crs(onto.epsg, place.epsg, always_xy=True)
    column, row = place.samples_at(*steps.transform(*onto.at(i, j)))
    inside = out[..., 3] > 0
    assert inside.mean() > 0.9
    assert np.abs(out[..., 0] - column)[inside].max() < 0.1
    assert np.abs(out[..., 1] - row)[inside].max() < 0.1


def test_no_color_is_beyond_the_border():
    onto = located(UTM, counts=(400, 300))
    out = drape(pattern(), located(UTM), onto, (300, 400))
    assert out[..., 3].sum() == COLUMNS * ROWS
    assert not out[out[..., 3] == 0].any()
    with pytest.raises(ValueError, match="none of it is on the terrain"):
        drape(pattern(), located(UTM), located(UTM, center=(8.0, 47.0)), (50, 50))


def test_fine_pixels_are_averaged_not_skipped():
    onto = located(UTM, counts=(10, 8), step=200.0)
    out = drape(pattern(), located(UTM), onto, (8, 10))
    inside = out[..., 3] > 0
    np.testing.assert_allclose(out[..., 2][inside], 0.5, atol=0.05)
    j, i = np.mgrid[:8, :10].astype(float)
    column, row = located(UTM).samples_at(*onto.at(i, j))
    deep = inside & (column > 15) & (column < COLUMNS - 15) & (row > 15) & (row < ROWS - 15)
    assert np.abs(out[..., 0] - column)[deep].max() < 0.1


def test_other_systems_are_refused_with_what_to_do():
    british = Georeference((4e5, 1e5), (10.0, 0.0), (0.0, 10.0), System.coded(27700))
    with pytest.raises(ValueError, match="not converted here: .*gdalwarp"):
        drape(pattern(), british, located(UTM), (9, 9))


def test_a_world_file_places_an_image_by_the_middle_of_its_first_pixel(tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"where it lies: put a world file beside it, .*\.jgw"):
        image_place(path, 40, 30)
    (tmp_path / "photo.JGW").write_text("2\n0\n0\n-2\n500001\n5000059\n")
    place = image_place(path, 40, 30)
    assert place.at(0, 29) == (500001, 5000059) and place.at(0, 0) == (500001, 5000001)
    assert not place.geographic
    (tmp_path / "photo.prj").write_text(pyproj.CRS(32632).to_wkt("WKT1_ESRI"))
    assert image_place(path, 40, 30).system.same_plane(UTM)
