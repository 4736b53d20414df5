# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files come with the right scale, unit and place, or are refused with what to do."""

import numpy as np
import pytest

from terrain_addon.core import elevation, formats, real_terrain
from terrain_addon.core.formats import HeightRows, Stated
from tests.core.elevation.tiny_files import asc, keys, metadata, placed, slope, tiff

US = 1200 / 3937
UTM = {**placed(500000, 5e6, 10), **keys(k1024=1, k1025=1, k3072=32632, k3076=9001)}
NEW_YORK = placed(900000, 200000, 3)
FOOT, METER = 'UNIT["Foot_US",0.3048006096012192]', 'UNIT["Meter",1.0]'
NAD83 = (
    'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,'
    '298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
)
LAMBERT = f'PROJCS["Local",{NAD83},PROJECTION["Lambert_Conformal_Conic"],'
HEIGHTS = (
    ',VERTCS["NAVD_1988",VDATUM["N"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],'
)


def notes_of(model):
    return " ".join(model.notes)


@pytest.mark.parametrize(
    ("tags", "across", "up"),
    [
        ((NEW_YORK, keys(k1024=1, k1025=1, k3072=2263)), 3 * US, 1),
        ((NEW_YORK, keys(k1024=1, k1025=1, k3072=6529, k4096=6360)), 3 * US, US),
        ((NEW_YORK, keys(k1024=1, k1025=1, k3072=2263, k4096=8228)), 3 * US, 0.3048),
        ((UTM, keys(k1024=1, k1025=1, k3072=26912, k3076=9001, k4096=6360)), 10, US),
        ((UTM, keys(k1024=1, k1025=1, k3072=32632, k4096=5703, k4099=9002)), 10, 0.3048),
        ((UTM, keys(k1024=1, k1025=1, k3072=32632, k4096=5103)), 10, 1),
        (
            (UTM, keys(texts=[(4097, "NAVD88 height (ftUS)")], k1024=1, k1025=1, k3072=32632)),
            10,
            US,
        ),
        ((UTM, keys(texts=[(3073, "Local (ftUS)")], k1024=1, k1025=1, k3072=32767)), 10 * US, 1),
        ((UTM, keys(doubles=[(3077, 0.5)], k1024=1, k1025=1, k3072=32767, k3076=32767)), 5, 1),
        ((UTM, metadata(UNITTYPE="foot_us")), 10, US),
        ((UTM, metadata(UNITTYPE="US_survey_foot")), 10, US),
        ((UTM, metadata(UNITTYPE="international foot")), 10, 0.3048),
        ((UTM, metadata(UNITTYPE="cm", SCALE="2")), 10, 0.02),
        ((UTM, metadata(UNITTYPE="km")), 10, 1000),
    ],
)
def test_units_follow_from_codes_and_names(tmp_path, tags, across, up):
    model = formats.read(tiff(tmp_path / "a.tif", slope(), *tags))
    assert model.spacing == pytest.approx((across, across), rel=1e-6)
    assert model.range[0] == pytest.approx(100 * up)


def test_units_that_are_not_known_are_refused_until_they_are_stated(tmp_path):
    path = tiff(tmp_path / "a.tif", slope(), UTM, metadata(UNITTYPE="ell"))
    with pytest.raises(
        ValueError, match="a.tif: the unit of its heights 'ell' is not known: state"
    ):
        formats.read(path)
    assert formats.read(path, stated=Stated(heights="ft")).range[0] == pytest.approx(30.48)
    assert real_terrain.map_of(f"{path}#heights=us-ft").range[0] == pytest.approx(100 * US)
    path = tiff(tmp_path / "b.tif", slope(), UTM, keys(k1024=1, k3072=30999))
    with pytest.raises(ValueError, match="EPSG:30999 is not known: convert it"):
        formats.read(path)
    assert formats.read(path, stated=Stated(unit="us-ft")).spacing == pytest.approx(
        (10 * US, 10 * US)
    )
    assert formats.read(path, stated=Stated(spacing=7)).spacing == (7, 7)


def test_feet_across_say_that_heights_are_taken_as_meters(tmp_path):
    model = formats.read(tiff(tmp_path / "a.tif", slope(), NEW_YORK, keys(k1024=1, k3072=2263)))
    assert "in US survey feet, and nothing names the unit of heights: meters" in notes_of(model)


@pytest.mark.parametrize(
    ("prj", "place", "across", "up"),
    [
        (LAMBERT + METER + "]" + HEIGHTS + FOOT + "]", {}, 30, US),
        (LAMBERT + FOOT + "]" + HEIGHTS + FOOT + "]", {}, 30 * US, US),
        ("Projection STATEPLANE\nZunits FEET\nUnits FEET\nParameters\n", {}, 30 * US, US),
        ("Projection GEOGRAPHIC\nZunits METERS\nUnits DD\n", {"x": 8, "y": 47, "cell": 1 / 12},
         6328, 1),
        ('PROJCS["W",GEOGCS["g",DATUM["d",SPHEROID["WGS_1984",6378137.0,298.257223563]],'
         'UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],'
         'UNIT["Meter",1.0]]',
         {"x": 800000, "y": 5900000}, 20.56, 1),
    ],
)  # fmt: skip
def test_prj_files_name_units_and_projections(tmp_path, prj, place, across, up):
    model = formats.read(asc(tmp_path / "a.asc", prj, **place))
    assert model.spacing is not None
    assert model.spacing[0] == pytest.approx(across, rel=1e-3)
    assert model.range[0] == pytest.approx(10 * up)


@pytest.mark.parametrize(
    ("code", "x", "y", "spacing"),
    [
        (3395, 800000, 5900000, (20.52, 20.52)), (3857, 800000, 5900000, (20.56, 20.56)),
        (900913, 800000, 5900000, (20.56, 20.56)), (4087, 0, 6679169, (15.04, 30.01)),
        (3413, 0, -2500000, (30.2, 30.2)), (32632, 500000, 5e6, (30, 30)),
        (6933, 0, 6.3e6, (17.77, 50.66)),
    ],
)  # fmt: skip
def test_stretch_by_latitude_is_taken_out(tmp_path, code, x, y, spacing):
    tags = (placed(x, y, 30), keys(k1024=1, k1025=1, k3072=code & 0xFFFF, k3076=9001))
    if code > 65535:
        prj = asc(tmp_path / "a.asc", f"EPSG:{code}", x=x, y=y)
        assert formats.read(prj).spacing == pytest.approx(spacing, rel=2e-3)
        return
    model = formats.read(tiff(tmp_path / "a.tif", slope(), *tags))
    assert model.spacing == pytest.approx(spacing, rel=0.02)


def test_a_projection_without_a_formula_is_refused(tmp_path):
    tags = (placed(1e6, 5e6, 1000), keys(k1024=1, k1025=1, k3072=54030, k3076=9001))
    with pytest.raises(ValueError, match="projection Robinson is not known: convert it"):
        formats.read(tiff(tmp_path / "a.tif", slope(), *tags))


@pytest.mark.parametrize(("radius", "degree"), [(1737400.0, 30323.3), (3396190.0, 59274.7)])
def test_the_moon_and_mars_have_their_own_radius_which_files_keep(tmp_path, radius, degree):
    about = keys(
        doubles=[(2057, radius), (2058, radius)], k1024=2, k1025=1, k2048=32767, k2054=9102
    )
    path = tiff(tmp_path / "a.tif", slope(), placed(10, 5, 1 / 256), about)
    model = formats.read(path)
    assert model.spacing is not None
    assert model.spacing[1] == pytest.approx(degree / 256, rel=1e-5)
    for name in ("b.tif", "b.npy", "b.r16"):
        formats.write(tmp_path / name, HeightRows.of(model))
        found = formats.read(tmp_path / name)
        assert found.georeference.system.body.radius == radius
        assert found.spacing == pytest.approx(model.spacing)


def test_degrees_or_meters_are_what_the_file_says(tmp_path):
    tags = (placed(10, 20, 0.02), keys(k1025=1, k3076=9001))
    assert formats.read(tiff(tmp_path / "a.tif", slope(), *tags)).spacing == (0.02, 0.02)
    about = keys(k1024=32767, k1025=1, k2048=4326, k2054=9102, k3076=9001)
    path = tiff(tmp_path / "a.tif", slope(), placed(-11781569, 5408494, 3), about)
    assert formats.read(path).spacing == (3, 3)
    path = tiff(tmp_path / "b.tif", slope(), placed(10, 20, 0.02))
    with pytest.raises(ValueError, match="whether its cells of 0.02 are degrees or meters: state"):
        formats.read(path)
    assert formats.read(path, stated=Stated(unit="m")).spacing == (0.02, 0.02)
    in_degrees = formats.read(path, stated=Stated(unit="deg")).spacing
    assert in_degrees is not None and in_degrees[1] == pytest.approx(2214, rel=1e-3)


def test_masks_and_alpha_bands_make_voids(tmp_path):
    z, mask = slope(), np.ones((40, 50), bool)
    z[:, :20], mask[:, :20] = 0, False
    assert formats.read(tiff(tmp_path / "a.tif", z, UTM, mask=mask)).voids.sum() == 800
    path = tiff(tmp_path / "b.tif", z, UTM)
    assert formats.read(path).voids.sum() == 0
    tiff(tmp_path / "B.TIF.MSK", np.where(mask, 255, 0).astype("u1"))
    assert formats.read(path).voids[:, :20].all() and formats.read(path).voids.sum() == 800
    both = np.stack([z, np.where(mask, 255, 0).astype("<f4")], axis=2)
    path = tiff(tmp_path / "c.tif", both, UTM, {338: ("H", [2])})
    assert formats.read(path).voids.sum() == 800 and formats.read(path).range[0] == 105
    tiff(tmp_path / "c.tif.msk", np.ones((3, 4), "u1"))
    with pytest.raises(ValueError, match="mask has another size"):
        formats.read(path)


def test_aux_xml_files_say_what_numbers_mean_and_where_they_lie(tmp_path):
    z = slope()
    z[:, :20] = -500
    path = tiff(tmp_path / "a.tif", z)
    (tmp_path / "a.tif.aux.xml").write_text(
        "<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>5e5, 10, 0, 5e6, 0, -10</GeoTransform>"
        '<PAMRasterBand band="1"><NoDataValue>-500</NoDataValue><UnitType>ft</UnitType>'
        "<Offset>1</Offset><Scale>2</Scale></PAMRasterBand></PAMDataset>"
    )
    model = formats.read(path)
    assert model.voids.sum() == 800 and model.range[0] == pytest.approx(211 * 0.3048)
    assert model.georeference.epsg == 32632 and model.georeference.at(0, 39) == (500005, 4999995)
    (tmp_path / "a.tif.aux.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><PAMDataset/>')
    with pytest.raises(ValueError, match="aux.xml file beside it is damaged"):
        formats.read(path)


@pytest.mark.parametrize("name", ["a.tfw", "a.TFW", "a.tifw", "a.wld", "A.Wld"])
def test_world_files_of_any_name_place_a_file(tmp_path, name):
    path = tiff(tmp_path / "a.tif", slope().astype("<u2"))
    (tmp_path / name).write_text("2\n0\n0\n-2\n500001\n4999999\n")
    model = formats.read(path)
    assert model.spacing == (2, 2) and model.stored is None and model.range == (100, 151)
    assert model.georeference.at(0, 39) == (500001, 4999999)


def test_whole_meters_without_a_place_are_meters(tmp_path):
    model = formats.read(tiff(tmp_path / "a.tif", slope().astype("<u2")))
    assert model.stored is None and "Whole numbers up to 151 taken as meters" in notes_of(model)
    full = (slope() - 100).astype("<u2") * 1000
    assert formats.read(tiff(tmp_path / "b.tif", full)).stored == (0, 65535)


def test_sheared_turned_and_negative_grids_are_noted(tmp_path):
    def read(a, c, b, d):
        matrix = [a, c, 0, 5e5, b, d, 0, 5e6, 0, 0, 0, 0, 0, 0, 0, 1.0]
        tags = keys(k1024=1, k1025=1, k3072=32632)
        return formats.read(tiff(tmp_path / "a.tif", slope(), {34264: ("d", matrix)}, tags))

    assert "sheared" in notes_of(read(10.0, 3.0, 0.0, -10.0))
    assert "90 degrees counterclockwise from the east" in notes_of(read(0.0, 10.0, 10.0, 0.0))
    assert read(10.0, 0.0, 0.0, -10.0).notes == ()
    model = formats.read(tiff(tmp_path / "a.tif", slope(), UTM, placed(500000, 5e6, 10, -10)))
    assert model.height[-1, 0] == 139 and "GDAL and QGIS take such files as north-up" in notes_of(
        model
    )


@pytest.mark.parametrize(
    ("code", "mark", "near"),
    [("<i4", "16777217", 16777216), ("<f8", "2.2250738585072014e-308", 0),
     ("<i2", "-9999.0", -9998),
     ("<u2", "65535", 65534), ("<f4", "-3.4028234663852886e+38", 0)],
)  # fmt: skip
def test_the_mark_of_voids_is_compared_in_the_type_of_the_file(tmp_path, code, mark, near):
    z = np.full((40, 50), near, code)
    z[:, 20:] = np.dtype(code).type(float(mark)) if "." in mark else int(mark)
    z[0, 0] = 5
    model = formats.read(tiff(tmp_path / "a.tif", z, UTM, {42113: ("s", mark)}))
    assert model.voids.sum() == 1200


def test_tiles_meet_across_the_antimeridian(tmp_path):
    for name in ("S17E179", "S17W180"):
        np.full((1201, 1201), 50, ">i2").tofile(tmp_path / f"{name}.hgt")
    for order in (("S17E179", "S17W180"), ("S17W180", "S17E179")):
        models = [formats.read(tmp_path / f"{name}.hgt") for name in order]
        assert elevation.join(models).height.shape == (1201, 2401)


def test_tiles_of_srtm_near_the_poles_have_fewer_columns(tmp_path):
    np.full((3601, 1801), 50, ">i2").tofile(tmp_path / "N61E010.hgt")
    model = formats.read(tmp_path / "N61E010.hgt")
    assert model.height.shape == (3601, 1801) and model.georeference.at(1800, 3600) == (11, 62)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_read(tmp_path, encoding):
    path = asc(tmp_path / "a.asc")
    path.write_text(path.read_text(), encoding=encoding)
    assert formats.read(path).range == (10, 60)


def test_strips_without_their_sizes_are_read(tmp_path):
    path = tiff(tmp_path / "a.tif", slope(), UTM, leave_out=(279,))
    np.testing.assert_array_equal(formats.read(path).height[::-1], slope())
    path = tiff(tmp_path / "a.tif", slope(), UTM, {279: ("I", [1])})
    np.testing.assert_array_equal(formats.read(path).height[::-1], slope())


def test_other_lines_of_a_header_do_no_harm(tmp_path):
    slope().tofile(tmp_path / "a.flt")
    header = "ncols 50\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 30\nbyteorder LSBFIRST\n"
    (tmp_path / "a.hdr").write_text(header + "min_value 100\nmax_value 151\nzunits meters\n")
    assert formats.read(tmp_path / "a.flt").range == (100, 151.25)


def test_a_flat_lake_is_terrain(tmp_path):
    path = tiff(tmp_path / "a.tif", np.full((40, 50), 372, "<f4"), UTM)
    assert real_terrain.load_recipe(str(path)).maps[0].range == (372, 372)


@pytest.mark.parametrize("suffix", [".tif", ".npy", ".r16", ".raw", ".png", ".exr"])
@pytest.mark.parametrize("code", [32632, 2263, 4326, 3857])
def test_every_file_that_is_written_comes_back_upright_in_its_place(tmp_path, suffix, code):
    system = elevation.System.coded(code)
    x, step = {2263: (900000, 30), 4326: (9.0, 1 / 3600)}.get(code, (5e5, 10.0))
    y = {2263: 200000, 4326: 47.0}.get(code, 5e6)
    place = elevation.Georeference((x, y), (step, 0.0), (0.0, step), system)
    model = elevation.Elevation.at(slope()[::-1].copy(), place)
    formats.write(tmp_path / f"a{suffix}", HeightRows.of(model))
    found = formats.read(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(found.height, model.height, atol=1e-3)
    assert found.georeference.epsg == (code if code < 900000 else None)
    assert found.georeference.at(3, 5) == pytest.approx(place.at(3, 5), rel=1e-12)
    assert found.spacing == pytest.approx(model.spacing, rel=1e-9)


def test_a_new_file_is_not_placed_by_what_lay_beside_an_old_one(tmp_path):
    place = elevation.Georeference((5e5, 5e6), (10.0, 0.0), (0.0, 10.0))
    formats.write(tmp_path / "a.npy", HeightRows.of(elevation.Elevation.at(slope(), place)))
    formats.write(tmp_path / "a.npy", HeightRows((40, 50), [slope()]))
    assert formats.read(tmp_path / "a.npy").spacing is None


def test_an_array_says_which_row_is_north(tmp_path):
    np.save(tmp_path / "n.npy", slope())
    model = formats.read(tmp_path / "n.npy")
    assert "first row is taken as the southern one" in notes_of(model)
    turned = formats.read(tmp_path / "n.npy", formats.RawLayout(north_first=True))
    np.testing.assert_array_equal(turned.height, slope()[::-1])
    made = real_terrain.map_of(f"{tmp_path / 'n.npy'}#north,spacing=2")
    np.testing.assert_array_equal(made.values, slope()[::-1])


def test_semicolons_in_names_are_no_other_file(tmp_path):
    path = tiff(tmp_path / "lake;2024.tif", slope(), UTM)
    assert real_terrain.load_recipe(str(path)).size_x == 490
    source = real_terrain.Source.parse(f"{path};{path}#fill")
    assert source is not None and len(source.paths) == 2
