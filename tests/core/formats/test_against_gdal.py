# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that GDAL writes read as GDAL reads them."""

import zipfile

import numpy as np
import pytest

from terrain_addon.core import formats
from terrain_addon.core.elevation import System
from tests.core.formats.test_geotiff import real

rasterio = pytest.importorskip("rasterio", reason="the oldest NumPy has no rasterio")
shutil = pytest.importorskip("rasterio.shutil")
pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")

ZONE = System.coded(32632)
UTM = (30.0, 0.0, 500_000.0, 0.0, -20.0, 5_200_000.0)


def geotiff(path, values, crs="EPSG:32632", place=UTM, **options):
    about = {"driver": "GTiff", "width": values.shape[1], "height": values.shape[0], "count": 1,
             "dtype": values.dtype, "crs": crs, "transform": rasterio.Affine(*place)}  # fmt: skip
    with rasterio.open(path, "w", **about | options) as file:
        file.write(values, 1)
    return path


def copied(source, target, driver, **options):
    shutil.copy(source, target, driver=driver, **options)
    return target


def check(path):
    """Values, voids and place are those of GDAL."""
    model = formats.read(path)
    with rasterio.open(path) as file:
        values = file.read(1).astype(np.float32)
        values[file.read_masks(1) == 0] = np.nan
        corner = file.transform * (0.5, file.height - 0.5)
    np.testing.assert_array_equal(model.height[::-1], values)
    np.testing.assert_allclose(model.georeference.at(0, 0), corner, atol=1e-6)
    return model


def land(code="f4"):
    values = real(53, 71)
    if np.dtype(code).kind == "u":
        values = values - values.min()
    values = (values % 250 if code == "u1" else values).astype(code)
    values[3, 4] = values[5, 6] = 7
    return values


@pytest.mark.parametrize("code", ["u1", "i2", "u2", "i4", "f4"])
@pytest.mark.parametrize(("driver", "suffix"), [("EHdr", ".bil"), ("ENVI", ".img"),
                                                ("ENVI", ".bsq"), ("ENVI", ".bip")])  # fmt: skip
def test_binary_grids_with_a_header(tmp_path, code, driver, suffix):
    source = geotiff(tmp_path / "dem.tif", land(code), nodata=7)
    path = copied(source, tmp_path / f"other{suffix}", driver)
    model = check(path)
    assert model.voids.any() and model.georeference.system.projection == ZONE.projection


def test_a_header_of_envi_names_its_zone(tmp_path):
    path = copied(geotiff(tmp_path / "dem.tif", land()), tmp_path / "other.img", "ENVI")
    header = path.with_suffix(".hdr")
    lines = [line for line in header.read_text().splitlines() if "coordinate system" not in line]
    header.write_text("\n".join(lines))
    (tmp_path / "other.img.aux.xml").unlink(missing_ok=True)
    assert check(path).georeference.epsg == 32632


@pytest.mark.parametrize("order", ["<", ">"])
def test_rows_of_a_grid_of_esri_may_have_gaps(tmp_path, order):
    values = land("i2")
    padded = np.zeros((53, 80), f"{order}i2")
    padded[:, :71] = values
    (tmp_path / "dem.bil").write_bytes(b"skip" + padded.tobytes())
    (tmp_path / "dem.hdr").write_text(
        f"BYTEORDER {'I' if order == '<' else 'M'}\nLAYOUT BIL\nNROWS 53\nNCOLS 71\nNBANDS 1\n"
        "NBITS 16\nPIXELTYPE SIGNEDINT\nSKIPBYTES 4\nBANDROWBYTES 160\nTOTALROWBYTES 160\n"
        "ULXMAP 500015\nULYMAP 5199990\nXDIM 30\nYDIM 20\nNODATA 7\n"
    )
    model = formats.read(tmp_path / "dem.bil")
    expected = np.where(values == 7, np.nan, values.astype(np.float32))
    np.testing.assert_array_equal(model.height[::-1], expected)
    assert model.georeference.at(0, 52) == (500_015, 5_199_990)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(("south", "west"), [(46, 7), (-47, -8)])
def test_a_tile_of_dted_is_that_of_gdal(tmp_path, level, south, west):
    side = (121, 1201)[level]
    values = np.resize(real(300, 300), (side, side)).astype("i2") - 500
    values[2, 3] = -32767
    step = 1 / (side - 1)
    place = (step, 0.0, west - step / 2, 0.0, -step, south + 1 + step / 2)
    source = geotiff(tmp_path / "dem.tif", values, "EPSG:4326", place, nodata=-32767)
    path = copied(source, tmp_path / f"tile.dt{level}", "DTED")
    model = check(path)
    assert model.voids.sum() == 1 and model.georeference.epsg == 4326
    assert model.georeference.at(0, 0) == pytest.approx((west, south))
    data = bytearray(path.read_bytes())
    data[5000] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"^tile\.dt{level}: .* a checksum is wrong"):
        formats.read(path)
    path.write_bytes(data[:-1])
    with pytest.raises(ValueError, match="cut off"):
        formats.read(path)


def test_points_that_gdal_writes(tmp_path):
    source = geotiff(tmp_path / "dem.tif", land(), nodata=7)
    for number, options in enumerate(
        ({}, {"ADD_HEADER_LINE": "YES", "COLUMN_SEPARATOR": ","}, {"COLUMN_SEPARATOR": ";"})
    ):
        path = copied(source, tmp_path / f"points{number}.xyz", "XYZ", **options)
        (tmp_path / f"points{number}.prj").write_text("EPSG:32632")
        model = formats.read(path)
        with rasterio.open(source) as file:
            values = file.read(1)
        heights = np.where(np.isnan(model.height[::-1]), 7, model.height[::-1])
        np.testing.assert_allclose(heights, values, rtol=1e-6)
        assert model.georeference.at(0, 52) == (500_015, 5_199_990)


@pytest.mark.parametrize("name", ["N46E007.hgt", "dem.tif", "dem.bil"])
def test_a_file_in_an_archive_is_read_by_its_name(tmp_path, name):
    if name.endswith("hgt"):
        path = tmp_path / name
        path.write_bytes(np.resize(real(), (1201, 1201)).astype(">i2").tobytes())
    else:
        path = geotiff(tmp_path / "dem.tif", land("i2"), nodata=7)
        path = path if name == "dem.tif" else copied(path, tmp_path / name, "EHdr")
    plain = formats.read(path)
    archive = tmp_path / "download.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("readme.txt", "words")
        file.writestr(f"__MACOSX/data/._{name}", "")
        file.writestr("data/preview.png", b"")
        for one in (path, *formats.files_beside(path)):
            file.write(one, f"data/{one.name}")
    model = formats.read(archive)
    np.testing.assert_array_equal(model.height, plain.height)
    assert model.georeference == plain.georeference
    assert f"Read data/{name} in the archive." in model.notes
