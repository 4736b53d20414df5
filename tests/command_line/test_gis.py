# SPDX-License-Identifier: GPL-3.0-or-later
"""``pip install orogen[gis]``: what GDAL reads becomes a GeoTIFF that Blender takes."""

import zipfile

import numpy as np
import pytest
import rasterio
import rasterio.shutil

from terrain_addon.command_line import main
from terrain_addon.command_line.extras import gdal
from terrain_addon.core import formats
from tests.core.formats.test_against_gdal import geotiff, land

pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")


def source(folder, **options):
    path = geotiff(folder / "source.tif", land("f4"), nodata=7, **options)
    with rasterio.open(path, "r+") as file:
        file.units = ["ft"]
    return path


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("land.img", {"driver": "HFA"}),
        ("land.rst", {"driver": "RST"}),
        ("lerc.tif", {"driver": "GTiff", "compress": "LERC"}),
        ("zstd.tif", {"driver": "GTiff", "compress": "ZSTD"}),
        ("land.vrt", {"driver": "VRT"}),
    ],
)
def test_convert_makes_a_file_that_the_extension_reads(tmp_path, name, options):
    path = tmp_path / name
    rasterio.shutil.copy(source(tmp_path), path, **options)
    if name.endswith("tif") or name in ("land.img", "land.vrt"):
        with pytest.raises(ValueError, match=rf"^{name}: .*orogen convert IN OUT\.tif"):
            formats.read(path)
    assert main(["convert", str(path), str(tmp_path / "out.tif"), "--keep-voids"]) == 0
    model = formats.read(tmp_path / "out.tif")
    with rasterio.open(path) as file:
        expected = file.read(1).astype(np.float32)
        void = file.read_masks(1) == 0
        feet = file.units[0] == "ft"
    expected[void] = np.nan
    np.testing.assert_allclose(
        model.height[::-1], expected * np.float32(0.3048 if feet else 1), rtol=1e-6
    )
    assert model.spacing == pytest.approx((30, 20), rel=1e-3)
    with rasterio.open(tmp_path / "out.tif") as file:
        np.testing.assert_array_equal(file.read_masks(1) == 0, void)


def test_voids_place_and_unit_are_kept(tmp_path):
    path = tmp_path / "land.img"
    rasterio.shutil.copy(source(tmp_path), path, driver="HFA")
    with zipfile.ZipFile(tmp_path / "land.zip", "w") as archive:
        archive.write(path, path.name)
    for name in ("land.img", "land.zip"):
        model = gdal.read(tmp_path / name, formats.Stated(), "why")
        assert model.voids[::-1][3, 4] and model.voids.sum() == 2
        assert model.georeference.at(0, 52) == (500_015, 5_199_990)
    path = tmp_path / "land.tif"
    rasterio.shutil.copy(source(tmp_path), path, driver="GTiff", compress="LERC")
    model = gdal.read(path, formats.Stated(), "why")
    assert "Heights converted from feet to meters." in model.notes


def refusal(path, capsys):
    """What ``info`` says about a file that it refuses."""
    assert main(["info", str(path)]) != 0
    return capsys.readouterr().err


def test_what_gdal_does_not_read_either_is_refused(tmp_path, capsys):
    path = tmp_path / "notes.abc"
    path.write_text("words")
    text = refusal(path, capsys)
    assert "notes.abc: files that end in .abc are not read" in text
    assert "GDAL does not read it either" in text


def test_point_clouds_name_the_tool(tmp_path, capsys):
    path = tmp_path / "cloud.laz"
    path.write_bytes(b"LASF")
    assert "pdal translate cloud.laz out.tif" in refusal(path, capsys)


def test_without_the_extra_the_message_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    path = tmp_path / "land.grd"
    path.write_bytes(b"")
    monkeypatch.setattr(gdal, "is_installed", lambda: False)
    assert 'pip install "orogen[gis]"' in refusal(path, capsys)


def test_whole_numbers_hold_no_voids(tmp_path, capsys):
    path = source(tmp_path)
    assert main(["convert", str(path), str(tmp_path / "out.png"), "--keep-voids"]) != 0
    assert "whole numbers hold no voids" in capsys.readouterr().err
