# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR and GeoTIFF files of the core, read by the libraries of others and by the core."""

from pathlib import Path

import numpy as np
import pytest
import tifffile
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from terrain_addon.core import Grid, Heightfield, formats
from terrain_addon.core.elevation import Georeference, System
from terrain_addon.core.formats import HeightRows
from terrain_addon.core.formats.exr import write_exr
from tests.core.output.engine_readers import channel


def heights(ny: int, nx: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(1000, 300, (ny, nx)).astype(np.float32)


@given(ny=st.integers(1, 70), nx=st.integers(1, 40), parts=st.integers(1, 5))
def test_any_shape_in_any_parts_is_kept(tmp_path_factory, ny: int, nx: int, parts: int):
    height, folder = heights(ny, nx), tmp_path_factory.mktemp("files")
    for suffix in (".exr", ".tif"):
        rows = [part for part in np.array_split(height, parts) if len(part)]
        formats.write(folder / f"a{suffix}", HeightRows((ny, nx), rows))
        assert_array_equal(formats.read(folder / f"a{suffix}").height, height)
    assert_array_equal(channel(folder / "a.exr"), height)
    assert_array_equal(
        np.atleast_2d(tifffile.imread(folder / "a.tif")).reshape(ny, nx), height[::-1]
    )


def test_the_bits_of_floats_are_kept_in_exr(tmp_path: Path):
    """Some are no numbers: engines store integers in them."""
    bits = np.random.default_rng(2).integers(0, 2**32, (50, 33), np.uint32)
    bits[0, :4] = 0x7FC00001, 0xFF800001, 0x7F800000, 1
    with (tmp_path / "a.exr").open("wb") as file:
        write_exr(file, [bits[:20], bits[20:]], (50, 33))
    assert_array_equal(channel(tmp_path / "a.exr")[::-1].view(np.uint32), bits)


@pytest.mark.parametrize("compression", ["NO", "ZIPS", "ZIP"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.uint32])
def test_exr_files_of_others_are_read(tmp_path: Path, compression: str, dtype: type):
    exr = pytest.importorskip("OpenEXR")
    values = heights(37, 21).clip(0).astype(dtype)
    header = {"compression": getattr(exr, f"{compression}_COMPRESSION"), "type": exr.scanlineimage}
    exr.File(header, {"Y": values, "A": np.ones_like(values)}).write(str(tmp_path / "a.exr"))
    assert_array_equal(formats.read(tmp_path / "a.exr").height, values[::-1].astype(np.float32))


def test_exr_files_that_are_not_read_are_refused_by_name(tmp_path: Path):
    exr = pytest.importorskip("OpenEXR")
    header = {"compression": exr.PIZ_COMPRESSION, "type": exr.scanlineimage}
    exr.File(header, {"Y": heights(20, 20)}).write(str(tmp_path / "a.exr"))
    with pytest.raises(
        ValueError, match="a.exr: its compression PIZ is not read: save it with ZIP"
    ):
        formats.read(tmp_path / "a.exr")


def test_a_terrain_is_placed_in_meters_from_its_center(tmp_path: Path):
    grid = Grid.points(300.0, 200.0, 31, 21)
    formats.write(tmp_path / "a.tif", Heightfield(grid, heights(21, 31)).rows())
    model = formats.read(tmp_path / "a.tif")
    assert model.spacing == pytest.approx((10, 10))
    assert model.georeference is not None and model.georeference.at(0, 0) == (-150, -100)
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        page = file.pages.first
        assert page.tags["ModelTiepointTag"].value == (0, 0, 0, -150, 100, 0)
        assert page.geotiff_tags is not None and page.geotiff_tags["GTRasterTypeGeoKey"] == 2


@pytest.mark.parametrize(
    "place",
    [
        Georeference((500_000.0, 5_200_000.0), (30.0, 0.0), (0.0, 30.0), System.coded(32632)),
        Georeference((9.0, 47.0), (1 / 3600, 0.0), (0.0, 1 / 3600), System.coded(4326)),
        Georeference((1e6, 2e6), (10.0, 2.0), (-2.0, 10.0), System.coded(2264)),
        Georeference((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), System(unit=0.9)),
    ],
)
def test_coordinates_are_kept(tmp_path: Path, place: Georeference):
    rows = HeightRows((8, 9), [heights(8, 9)], georeference=place)
    formats.write(tmp_path / "a.tif", rows)
    found = formats.read(tmp_path / "a.tif").georeference
    assert found is not None
    assert (found.geographic, found.epsg) == (place.geographic, place.epsg)
    assert found.system.unit == pytest.approx(place.system.unit)
    for corner in ((0, 0), (8, 7), (8, 0)):
        assert found.at(*corner) == pytest.approx(place.at(*corner), rel=1e-12)


def test_large_files_are_big_tiffs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("terrain_addon.core.formats.geotiff.writer.BIG", 1000)
    formats.write(tmp_path / "a.tif", HeightRows((70, 30), [heights(70, 30)]))
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        assert file.is_bigtiff
        assert_array_equal(file.asarray()[::-1], heights(70, 30))
    assert_array_equal(formats.read(tmp_path / "a.tif").height, heights(70, 30))


def test_raw_is_r16(tmp_path: Path):
    for suffix in (".raw", ".r16"):
        formats.write(tmp_path / f"a{suffix}", HeightRows((20, 20), [heights(20, 20)]))
    found = (tmp_path / "a.raw").read_bytes()
    assert found == (tmp_path / "a.r16").read_bytes() and len(found) == 800
