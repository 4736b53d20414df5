# SPDX-License-Identifier: GPL-3.0-or-later
"""HGT, FLT, ASC, RAW, PNG files, each written here by its specification."""

import io
import zlib

import numpy as np
import PIL.Image
import pytest

from terrain_addon.core import evaluate, formats, presets
from terrain_addon.core.formats import RawLayout
from tests.core.formats.test_geotiff import real


def hgt(side):
    """A tile of one degree: big-endian, north first."""
    return np.resize(real(300, 300), (side, side)).astype(">i2")


@pytest.mark.slow
@pytest.mark.parametrize("side", [1201, 3601, 7201])
def test_a_tile_of_srtm_lies_where_its_name_says(tmp_path, side):
    tile = hgt(side)
    tile[0, 1] = -32768
    path = tmp_path / "S35W070.hgt"
    path.write_bytes(tile.tobytes())
    model = formats.read(path)
    height = tile[::-1].astype(np.float32)
    height[-1, 1] = np.nan
    np.testing.assert_array_equal(model.height, height)
    assert model.georeference.at(0, 0) == (-70.0, -35.0)
    np.testing.assert_allclose(model.georeference.at(side - 1, side - 1), (-69.0, -34.0))
    np.testing.assert_allclose(np.array(model.spacing) * (side - 1), (91_834, 110_916), rtol=1e-3)
    assert "1 void, marked by -32768." in model.notes


def test_a_tile_of_another_size_or_name_is_named(tmp_path):
    path = tmp_path / "N00E000.hgt"
    path.write_bytes(bytes(2884800))
    with pytest.raises(ValueError, match=r"^N00E000\.hgt: an SRTM tile has 2884802 .* 2884800$"):
        formats.read(path)
    path = tmp_path / "N95E000.hgt"
    path.write_bytes(hgt(1201).tobytes())
    with pytest.raises(ValueError, match="latitude 95"):
        formats.read(path)
    path = path.rename(tmp_path / "n35e138.hgt")
    assert formats.read(path).georeference.at(0, 0) == (138.0, 35.0)
    model = formats.read(path.rename(tmp_path / "alps.hgt"))
    assert model.spacing is None and "not like N35E138" in model.notes[0]


FLT = "ncols 131\nnrows 103\nxllcorner 1000\nyllcorner 2000\ncellsize 30\nNODATA_value -9999\n"


@pytest.mark.parametrize(("order", "name"), [("<", "LSBFIRST"), (">", "MSBFIRST")])
def test_a_float_grid_is_read_with_its_header(tmp_path, order, name):
    height = real()
    height[0, 0] = -9999
    (tmp_path / "dem.flt").write_bytes(height.astype(f"{order}f4").tobytes())
    (tmp_path / "dem.hdr").write_text(f"{FLT}byteorder {name}\n", encoding="ascii")
    model = formats.read(tmp_path / "dem.flt")
    height[0, 0] = np.nan
    np.testing.assert_array_equal(model.height[::-1], height)
    assert model.georeference.at(0, 0) == (1015.0, 2015.0)
    (tmp_path / "dem.flt").write_bytes(height.tobytes()[:-4])
    with pytest.raises(ValueError, match=r"^dem\.flt: it has 53968 bytes, not the 53972"):
        formats.read(tmp_path / "dem.flt")
    (tmp_path / "dem.hdr").unlink()
    with pytest.raises(ValueError, match=r"^dem\.flt: its header dem\.hdr is not beside it"):
        formats.read(tmp_path / "dem.flt")


def test_a_prj_file_tells_degrees_and_feet(tmp_path):
    text = "ncols 2\nnrows 2\nxllcenter 9\nyllcenter 47\ncellsize 0.1\n1 2\n3 4\n"
    (tmp_path / "dem.asc").write_text(text, encoding="ascii")
    for system, spacing in (
        ('GEOGCS["WGS 84",UNIT["Degree",0.0174532925199433]]', (7600, 11118)),
        ('PROJCS["x",GEOGCS["y",UNIT["Degree",0.017]],UNIT["US survey foot",0.3048006096]]',
         (0.03048, 0.03048)),
        ('PROJCS["x",GEOGCS["y",UNIT["Degree",0.017]],UNIT["metre",1]]', (0.1, 0.1)),
    ):  # fmt: skip
        (tmp_path / "dem.prj").write_text(system, encoding="ascii")
        found = formats.read(tmp_path / "dem.asc").spacing
        np.testing.assert_allclose(np.array(found), spacing, rtol=2e-3)


def test_cells_of_arc_seconds_on_the_globe_are_degrees(tmp_path):
    text = "ncols 2\nnrows 2\nxllcenter 9\nyllcenter 0\ncellsize 0.00833333333\n1 2 3\n4\n"
    (tmp_path / "dem.asc").write_text(text, encoding="ascii")
    model = formats.read(tmp_path / "dem.asc")
    np.testing.assert_allclose(np.array(model.spacing), (927.66, 921.45), rtol=1e-4)
    np.testing.assert_array_equal(model.height, [[3, 4], [1, 2]])
    assert "The file names no coordinate system: degrees assumed." in model.notes


@pytest.mark.parametrize(("bits", "kind"), [(8, "u"), (16, "u"), (16, "i"), (32, "f"), (32, "i")])
@pytest.mark.parametrize("order", ["little", "big"])
def test_the_layout_of_a_square_raw_file_is_guessed(tmp_path, bits, kind, order):
    height = real(128, 128)
    height = height / 2 if bits == 8 else height - 300 if kind == "i" else height
    values = height.astype(f"{'<' if order == 'little' else '>'}{kind}{bits // 8}")
    path = tmp_path / "land.raw"
    path.write_bytes(values.tobytes())
    model = formats.read(path)
    assert model.notes[0].startswith(f"Read as 128 x 128 {bits}-bit")
    np.testing.assert_array_equal(model.height, values.astype(np.float32))
    assert order in model.notes[0] or bits == 8
    assert (model.stored is None) == (kind == "f")


def test_what_is_given_of_a_raw_file_is_not_guessed(tmp_path):
    path = tmp_path / "land.raw"
    values = real(100, 80).astype(">u2")
    path.write_bytes(values.tobytes())
    with pytest.raises(ValueError, match=r"land\.raw: its 16000 bytes are no square.*columns"):
        formats.read(path)
    model = formats.read(path, RawLayout(columns=80, north_first=True))
    np.testing.assert_array_equal(model.height[::-1], values.astype(np.float32))
    swapped = formats.read(path, RawLayout(80, 100, 16, "little", "u"))
    np.testing.assert_array_equal(swapped.height, values.view("<u2").astype(np.float32))
    with pytest.raises(ValueError, match="80 x 99 numbers of 16 bits do not take the 16000 bytes"):
        formats.read(path, RawLayout(80, 99, 16))
    np.save(tmp_path / "land.npy", values.astype(np.float32))
    with pytest.raises(ValueError, match="a layout is for raw files"):
        formats.read(tmp_path / "land.npy", RawLayout(columns=80))


@pytest.mark.slow
def test_a_written_r16_file_comes_back_within_half_a_step(tmp_path):
    recipe = presets.load("mesa")
    terrain = evaluate(recipe, recipe.grid(129))
    formats.write(tmp_path / "mesa.r16", terrain.rows(), alone=True)
    low, high = terrain.range
    model = formats.read(tmp_path / "mesa.r16").with_range(low, high)
    assert np.abs(model.height - terrain.height).max() <= (high - low) / 65535 * 0.51
    with pytest.raises(ValueError, match="in meters already|heights in meters"):
        model.with_range(0, 1)


@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_gray_png_images_are_read_as_pillow_reads_them(tmp_path, kind):
    values = (real() if kind == "u2" else real() / 2).astype(kind)
    PIL.Image.fromarray(values).save(tmp_path / "land.png")
    model = formats.read(tmp_path / "land.png")
    np.testing.assert_array_equal(model.height[::-1], values.astype(np.float32))
    assert model.stored == (0, 255 if kind == "u1" else 65535)


def png(values, filters):
    """A 16-bit PNG whose rows have these filters, by the specification, byte after byte."""
    rows, columns = values.shape
    raw = [bytes(2 * columns), *(row.astype(">u2").tobytes() for row in values)]
    data = bytearray()
    for number in range(rows):
        above, row, kind = raw[number], raw[number + 1], filters[number % len(filters)]
        data.append(kind)
        for k, byte in enumerate(row):
            a = row[k - 2] if k > 1 else 0
            b, c = above[k], above[k - 2] if k > 1 else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            data.append((byte - (0, a, b, (a + b) // 2, nearest)[kind]) % 256)
    out = io.BytesIO()
    out.write(b"\x89PNG\r\n\x1a\n")
    header = columns.to_bytes(4, "big") + rows.to_bytes(4, "big") + bytes([16, 0, 0, 0, 0])
    for name, part in ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(data))), (b"IEND", b"")):
        out.write(len(part).to_bytes(4, "big") + name + part)
        out.write(zlib.crc32(name + part).to_bytes(4, "big"))
    return out.getvalue()


@pytest.mark.parametrize("filters", [[0], [1], [2], [3], [4], [4, 3, 2, 1, 0, 1, 4]])
@pytest.mark.parametrize("band", [10, 1024])
def test_every_filter_of_png_is_undone(tmp_path, monkeypatch, filters, band):
    monkeypatch.setattr("terrain_addon.core.formats.png.BAND", band)
    values = np.random.default_rng(1).integers(0, 65536, (33, 41)).astype(np.uint16)
    (tmp_path / "land.png").write_bytes(png(values, filters))
    model = formats.read(tmp_path / "land.png")
    np.testing.assert_array_equal(model.height[::-1], values.astype(np.float32))


@pytest.mark.parametrize(
    ("mode", "message"), [("RGB", "picture with colors"), ("P", "a palette"), ("1", "1 bits")]
)
def test_other_images_are_refused(tmp_path, mode, message):
    PIL.Image.new(mode, (40, 30)).save(tmp_path / "photo.png")
    with pytest.raises(ValueError, match=rf"^photo\.png: .*{message}"):
        formats.read(tmp_path / "photo.png")


def test_a_damaged_png_is_named(tmp_path):
    path = tmp_path / "land.png"
    whole = png(real(20, 20), [0])
    path.write_bytes(whole[:60] + b"!" + whole[61:])
    with pytest.raises(ValueError, match=r"^land\.png: this PNG file is damaged"):
        formats.read(path)
    path.write_bytes(whole[:-13] + bytes([whole[-13] ^ 1]) + whole[-12:])  # of the data's checksum
    with pytest.raises(ValueError, match=r"^land\.png: this PNG file is damaged: a checksum"):
        formats.read(path)
    path.write_bytes(whole[:-40])
    with pytest.raises(ValueError, match=r"^land\.png: this is not a complete PNG file"):
        formats.read(path)
