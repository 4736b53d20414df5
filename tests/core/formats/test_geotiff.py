# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF files written by tifffile, and by GDAL, are read bit for bit, and placed."""

import itertools
import json
import struct
from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import tifffile

from terrain_addon.core import formats
from terrain_addon.core.formats.geotiff import compression, lzw

DATA = Path(__file__).parent / "data"
TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")
CODECS = (None, "zlib", "lzw", "packbits")


def real(rows=103, columns=131):
    """A part of the elevation sample of Matplotlib, in meters."""
    sample = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(sample) as data:
        return data["elevation"][:rows, :columns].astype(np.float32)


def geo(tie=(0, 0, 0, 500000.0, 5200000.0, 0), scale=(30.0, 25.0, 0.0), keys=(), more=()):
    """Tags that place a file; keys are pairs of numbers."""
    entries = [number for key, value in keys for number in (key, 0, 1, value)]
    tags = [(33922, 12, len(tie), tie, True), (33550, 12, 3, scale, True)] if scale else []
    if keys:
        directory = (1, 1, 0, len(keys), *entries)
        tags.append((34735, 3, len(directory), directory, True))
    return [*tags, *more]


def written(path, values, **options):
    options.setdefault("photometric", "minisblack")
    tifffile.imwrite(path, values, metadata=None, **options)
    return path


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("codec", CODECS)
def test_every_type_and_compression_is_read_bit_for_bit(tmp_path, code, codec):
    values = (real() / 16 if code.endswith("1") else real()).astype(code)
    if code in ("i2", "i4", "i8", "f4", "f8"):
        values[::2] *= -1
    predictors = (1,) if codec in (None, "packbits") else (1, 2) if code[0] != "f" else (1, 3)
    layouts = ({"rowsperstrip": 7}, {"tile": (32, 48)}, {})
    for number, (predictor, layout, order, big) in enumerate(
        itertools.product(predictors, layouts, "<>", (False, True))
    ):
        options = dict(layout, byteorder=order, bigtiff=big, compression=codec)
        if predictor > 1:
            options["predictor"] = predictor
        path = written(tmp_path / f"{number}.tif", values, **options)
        model = formats.read(path)
        np.testing.assert_array_equal(model.height[::-1], values.astype(np.float32), str(options))
        assert model.height.dtype == np.float32 and model.spacing is None


def test_only_the_first_image_is_read(tmp_path):
    """A cloud-optimized file holds overviews after it."""
    with tifffile.TiffWriter(tmp_path / "dem.tif") as file:
        file.write(real(), tile=(64, 64), compression="zlib", subifds=1)
        file.write(real()[::2, ::2], tile=(64, 64), compression="zlib", subfiletype=1)
    np.testing.assert_array_equal(formats.read(tmp_path / "dem.tif").height[::-1], real())


def test_long_strings_and_full_tables_of_lzw_are_decompressed(tmp_path):
    rng = np.random.default_rng(1)
    for values in (
        np.zeros((700, 900), np.float32),
        rng.integers(0, 256, (300, 301)).astype(np.uint8),
        np.repeat(rng.integers(0, 9, (90, 10)), 90, 1).astype(np.int16),
    ):
        path = written(tmp_path / "dem.tif", values, compression="lzw")
        np.testing.assert_array_equal(formats.read(path).height[::-1], values.astype(np.float32))


@pytest.mark.parametrize("block", [b"", b"\x80", bytes([128, 31, 255, 255]), b"\xff" * 40])
def test_damaged_lzw_data_is_an_error_or_short(block):
    try:
        made = lzw.decode([BytesIO(block)], 1000)[0].read(1000)
    except ValueError:
        return
    assert len(made) < 1000


def test_a_file_is_placed_by_its_corner_or_by_its_sample(tmp_path):
    height = real()
    rows, columns = height.shape
    for raster, half in ((1, 0.5), (2, 0.0)):
        tags = geo(keys=((1024, 1), (1025, raster), (3072, 32632), (3076, 9001)))
        model = formats.read(written(tmp_path / "dem.tif", height, extratags=tags))
        place = model.georeference
        assert place.at(0, rows - 1) == (500000 + 30 * half, 5200000 - 25 * half)
        assert place.at(columns - 1, 0) == (
            500000 + 30 * (columns - 1 + half), 5200000 - 25 * (rows - 1 + half)
        )  # fmt: skip
        assert (place.epsg, place.geographic, model.spacing) == (32632, False, (30.0, 25.0))


def test_a_tie_point_may_be_any_sample(tmp_path):
    keys = ((1024, 1), (1025, 2), (3072, 32632), (3076, 9001))
    tags = geo(tie=(10.0, 20.0, 0, 1000.0, 2000.0, 0), keys=keys)
    place = formats.read(written(tmp_path / "dem.tif", real(), extratags=tags)).georeference
    assert place.at(10, 103 - 1 - 20) == (1000.0, 2000.0)


def test_degrees_become_meters_at_the_latitude(tmp_path):
    step = 1 / 3600
    tags = geo((0, 0, 0, 9.0, 47.0, 0), (step, step, 0.0), ((1024, 2), (1025, 1), (2048, 4326)))
    model = formats.read(written(tmp_path / "dem.tif", real(101, 101), extratags=tags))
    assert model.georeference.geographic and model.georeference.epsg == 4326
    latitude = 47 - 50.5 / 3600
    # Series of the lengths of a degree (in the manner of the National Geospatial-Intelligence
    # Agency), not the formula of the code.
    phi = np.radians(latitude)
    x = 111412.84 * np.cos(phi) - 93.5 * np.cos(3 * phi) + 0.118 * np.cos(5 * phi)
    y = 111132.92 - 559.82 * np.cos(2 * phi) + 1.175 * np.cos(4 * phi)
    np.testing.assert_allclose(np.array(model.spacing), (x * step, y * step), rtol=2e-6)
    assert any("degrees to meters at latitude 46.98" in note for note in model.notes)


def test_feet_become_meters(tmp_path):
    keys = ((1024, 1), (1025, 1), (3072, 2263), (3076, 9003), (4099, 9002))
    tie = (0, 0, 0, 980000.0, 200000.0, 0)  # New York
    model = formats.read(written(tmp_path / "dem.tif", real(), extratags=geo(tie, keys=keys)))
    np.testing.assert_allclose(np.array(model.spacing), (30 * 1200 / 3937, 25 * 1200 / 3937))
    np.testing.assert_allclose(model.height[::-1], real() * 0.3048, rtol=1e-6)
    assert "Heights converted from feet to meters." in model.notes
    tags = geo(keys=((1024, 1), (1025, 1), (3076, 9999)))
    with pytest.raises(ValueError, match=r"dem\.tif: its unit of length 9999 is not known"):
        formats.read(written(tmp_path / "dem.tif", real(), extratags=tags))


def test_a_matrix_places_a_turned_file_and_one_with_rows_from_the_south(tmp_path):
    c, s = 30 * np.cos(0.3), 30 * np.sin(0.3)
    keys = ((1024, 1), (1025, 2), (3072, 32632), (3076, 9001))
    directory = (1, 1, 0, len(keys), *(n for key, value in keys for n in (key, 0, 1, value)))
    for matrix, flipped in (
        ((c, s, 0, 5e5, s, -c, 0, 5e6, 0, 0, 0, 0, 0, 0, 0, 1), True),
        ((30.0, 0, 0, 5e5, 0, 30.0, 0, 5e6, 0, 0, 0, 0, 0, 0, 0, 1), False),
    ):
        more = [(34264, 12, 16, matrix, True), (34735, 3, len(directory), directory, True)]
        path = written(tmp_path / "dem.tif", real(), extratags=geo(scale=None, more=more))
        model = formats.read(path)
        np.testing.assert_allclose(np.array(model.spacing), (30.0, 30.0))
        np.testing.assert_array_equal(model.height, real()[::-1] if flipped else real())
        corner = model.georeference.at(0, 102 if flipped else 0)
        np.testing.assert_allclose(corner, (5e5, 5e6))


@pytest.mark.parametrize(
    ("mark", "text"),
    [(-9999, "-9999"), (-32768, None), (-999999, None), (-3.4e38, "-3.4e+38"), (np.nan, "nan"),
     (-500, "-500"), (-32767, "-9999")],
)  # fmt: skip
def test_voids_are_not_numbers(tmp_path, mark, text):
    height = real()
    height[3:5, 7] = mark
    more = [(42113, 2, len(text) + 1, text, True)] if text else []
    model = formats.read(written(tmp_path / "dem.tif", height, extratags=geo(more=more)))
    assert np.argwhere(model.voids[::-1]).tolist() == [[3, 7], [4, 7]]
    assert model.range == (real().min(), real().max())
    assert any(note.startswith("2 voids") for note in model.notes)


def test_scale_and_offset_of_gdal_are_applied(tmp_path):
    xml = (
        '<GDALMetadata><Item name="OFFSET" sample="0" role="offset">100</Item>'
        '<Item name="SCALE" sample="0" role="scale">0.25</Item></GDALMetadata>'
    )
    tags = geo(more=[(42112, 2, len(xml) + 1, xml, True)])
    values = real().astype(np.int16)
    model = formats.read(written(tmp_path / "dem.tif", values, extratags=tags))
    np.testing.assert_allclose(model.height[::-1], values * 0.25 + 100, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compression": "zstd"}, "ZSTD, which is not read before Python 3.14: .* orogen convert"),
        ({"compression": "lerc"}, "LERC, which is not read: .* gdal_translate"),
        ({"compression": "lzma"}, "LZMA"),
    ],
)
def test_other_compressions_are_refused_by_name(tmp_path, options, message):
    path = written(tmp_path / "dem.tif", real(), **options)
    with pytest.raises(ValueError, match=rf"^dem\.tif: it is compressed with {message}"):
        formats.read(path)


def test_pictures_are_refused(tmp_path):
    path = tmp_path / "photo.tif"
    written(path, np.zeros((20, 30, 3), np.uint8), photometric="rgb", compression="jpeg")
    with pytest.raises(ValueError, match="picture with .* colors|JPEG"):
        formats.read(path)
    written(path, np.zeros((2, 20, 30), np.float32), planarconfig="separate")
    with pytest.raises(ValueError, match="2 bands: choose the one with heights.*-b 1"):
        formats.read(path)


def test_a_cut_file_is_named(tmp_path):
    path = written(tmp_path / "dem.tif", real(), compression="zlib")
    whole = path.read_bytes()
    for length in (0, 3, 9, 200, len(whole) // 2, len(whole) - 3):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"^dem\.tif: this is not a (complete )?TIFF file"):
            formats.read(path)


@pytest.mark.parametrize("size", [2**20, 2**31 - 1])
def test_a_size_that_the_file_cannot_hold_takes_no_memory(tmp_path, size):
    path = written(tmp_path / "dem.tif", real(), compression="zlib", rowsperstrip=1)
    data = bytearray(path.read_bytes())
    with tifffile.TiffFile(path) as file:
        for tag in (256, 257):
            where = file.pages[0].tags[tag].valueoffset
            struct.pack_into("<I", data, where, size) if size > 65535 else None
            struct.pack_into("<HI", data, where - 6, 4, 1)
    path.write_bytes(data)
    with pytest.raises(
        ValueError, match=r"^dem\.tif: (its .* samples are more|this is not a comp)"
    ):
        formats.read(path)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.tif")), ids=lambda path: path.stem)
def test_files_of_gdal_are_read_as_gdal_reads_them(path):
    """data/make.py wrote them with GDAL, and noted what GDAL reads."""
    expected = json.loads((DATA / "expected.json").read_text("utf-8"))[path.name]
    model = formats.read(path)
    height = np.load(DATA / "heights.npy")
    values = height.astype(expected["type"]).astype(np.float32)
    for row, column in expected["voids"]:
        values[row, column] = np.nan
    np.testing.assert_array_equal(model.height[::-1], values)
    place = model.georeference
    assert place.epsg == expected["epsg"]
    rows = height.shape[0]
    for (row, column), xy in zip(expected["samples"], expected["places"], strict=True):
        np.testing.assert_allclose(place.at(column, rows - 1 - row), xy, rtol=1e-12)


def test_zstd_is_read_where_python_has_it(tmp_path, monkeypatch):
    """The backport has the interface of Python 3.14."""
    zstd = pytest.importorskip("backports.zstd")
    monkeypatch.setattr(compression, "_zstd", lambda: zstd)
    monkeypatch.setitem(compression.METHODS, compression.ZSTD, compression._of_zstd)
    for code in ("i2", "f4"):
        path = written(tmp_path / "dem.tif", real().astype(code), compression="zstd")
        np.testing.assert_array_equal(formats.read(path).height[::-1], real().astype(code))
    data = bytearray(path.read_bytes())
    at = data.index(b"\x28\xb5\x2f\xfd")
    data[at : at + 4] = b"zero"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"^dem\.tif: this is not a complete TIFF file"):
        formats.read(path)
