# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain-RGB, Terrarium and other pictures whose colors are heights."""

import zlib

import numpy as np
import PIL.Image
import pytest

from terrain_addon.core import formats, real_terrain
from terrain_addon.core.formats import Stated
from tests.core.formats import hostile_files as hostile
from tests.core.formats.test_geotiff import real


def land():
    return np.resize(real(300, 300), (256, 256)).astype(np.float64)


def encoded(height, name):
    """Bytes of red, green and blue, as the providers' pages say."""
    number = {
        "mapbox": lambda: (height + 10_000) / 0.1,
        "terrarium": lambda: (height + 32_768) * 256,
        "gsi": lambda: np.where(height < 0, height * 100 + 2**24, height * 100),
    }[name]()
    number = np.round(number).astype(np.int64)
    return np.stack([number >> 16, (number >> 8) & 255, number & 255], -1).astype(np.uint8)


def picture(path, pixels):
    PIL.Image.fromarray(pixels).save(path)
    return path


@pytest.mark.parametrize(("name", "step"), [("mapbox", 0.1), ("terrarium", 1 / 256), ("gsi", 0.01)])
def test_colors_are_heights_as_stated(tmp_path, name, step):
    height = land() - 100
    path = picture(tmp_path / "tile.png", encoded(height, name))
    model = formats.read(path, stated=Stated(encoding=name))
    np.testing.assert_allclose(model.height[::-1], height, atol=step / 2 + 1e-3)
    assert model.stored is None and "as stated" in model.notes[0]
    source = real_terrain.Source.parse(f"{path}#encoding={name}")
    assert str(source) == f"{path}#encoding={name}"
    np.testing.assert_array_equal(source.read().height, model.height)


@pytest.mark.parametrize("name", ["mapbox", "terrarium"])
def test_an_encoding_that_red_tells_is_noted(tmp_path, name):
    height = land()
    path = picture(tmp_path / "tile.png", encoded(height, name))
    model = formats.read(path)
    np.testing.assert_allclose(model.height[::-1], height, atol=0.06)
    assert "Colors read as heights by Terra" in model.notes[0]
    assert "state the encoding" in model.notes[0]


def test_other_pictures_are_refused(tmp_path):
    rng = np.random.default_rng(1)
    for pixels in (
        rng.integers(0, 256, (64, 64, 3)),
        rng.integers(126, 163, (64, 64, 3)),
        np.full((64, 64, 3), 1),
        encoded(land(), "gsi"),
    ):
        path = picture(tmp_path / "photo.png", pixels.astype(np.uint8))
        with pytest.raises(ValueError, match=r"^photo\.png: it is a picture .* mapbox, terrarium"):
            formats.read(path)
    gray = picture(tmp_path / "gray.png", pixels[..., 0].astype(np.uint8))
    with pytest.raises(ValueError, match="it is gray"):
        formats.read(gray, stated=Stated(encoding="mapbox"))
    with pytest.raises(ValueError, match="encoding 'rgb' is not known: state one of mapbox"):
        Stated(encoding="rgb")


@pytest.mark.parametrize(("name", "void"), [("mapbox", (0, 0, 0)), ("gsi", (128, 0, 0))])
def test_alpha_and_the_color_of_voids_are_voids(tmp_path, name, void):
    pixels = np.dstack([encoded(land(), name), np.full((256, 256), 255, np.uint8)])
    pixels[3, 4, 3] = 0
    pixels[5, 6, :3] = void
    path = picture(tmp_path / "tile.png", pixels)
    voids = formats.read(path, stated=Stated(encoding=name)).voids[::-1]
    assert voids.sum() == 2 and voids[3, 4] and voids[5, 6]


def test_a_transparent_gray_is_void(tmp_path):
    rows = np.zeros((2, 4), np.uint8)
    rows[:, 1:] = [[7, 8, 9], [9, 8, 7]]
    transparent = hostile.chunk(b"tRNS", b"\0\7")
    path = tmp_path / "gray.png"
    data = hostile.png(3, 2, zlib.compress(rows.tobytes()), depth=8, between=transparent)
    path.write_bytes(data)
    height = formats.read(path).height[::-1]
    np.testing.assert_array_equal(height, [[np.nan, 8, 9], [9, 8, np.nan]])


def test_gray_of_16_bits_is_void_where_alpha_is(tmp_path):
    rows = np.zeros((2, 1 + 3 * 4), np.uint8)
    rows[:, 1:].view(">u2")[:] = [[1000, 1, 2000, 0, 3000, 65535], [1, 256, 2, 255, 3, 0]]
    path = tmp_path / "gray.png"
    path.write_bytes(hostile.png(3, 2, zlib.compress(rows.tobytes()), kind=4))
    height = formats.read(path).height[::-1]
    np.testing.assert_array_equal(height, [[1000, np.nan, 3000], [1, 2, np.nan]])
