# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening an image file as the map of a layer, or of a mask."""

import os
import struct
import zlib
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS

N = 17


@pytest.fixture
def land(add):
    layer = Layer.of(LAYERS["height_map"](low=0.0, high=1000.0))
    item = add(Recipe(layers=(layer,)), resolution=N)
    bpy.context.view_layer.objects.active = item
    return item.data


def grey_png(path, values):
    """A 16-bit grey PNG, as elevation models come."""
    height, width = values.shape
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values[::-1])

    def chunk(kind, data):
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    return str(path)


def heights(mesh):
    rebuild.update(mesh)
    found = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", found)
    return found.reshape(N, N)


def test_an_elevation_model_of_16_bits_is_opened_as_it_is(land, tmp_path):
    values = np.linspace(0, 65535, 64).astype(np.uint16)[None].repeat(64, axis=0)
    path = grey_png(tmp_path / "dem.png", values)
    assert bpy.ops.terrain.open_map(filepath=path) == {"FINISHED"}  # of the active layer
    assert land.terrain.layers[0].height_map.source == "dem.png"
    image = bpy.data.images["dem.png"]
    assert image.use_fake_user
    middle = heights(land)[N // 2]
    # A ramp stays straight: seen as colours, its middle would be at 214 m.
    np.testing.assert_allclose(middle[1:-1], np.linspace(0, 1000, N)[1:-1], atol=12)
    image.colorspace_settings.name = "sRGB"
    assert bpy.ops.terrain.open_map(filepath=path, settings="terrain.layers[0].mask_map") == {
        "FINISHED"
    }
    assert land.terrain.layers[0].mask_map.source == "dem.png"
    assert image.colorspace_settings.name == "sRGB"  # what is open already is the user's
    bpy.data.images.remove(image)


@pytest.mark.parametrize("content", [None, b"", b"no image at all"])
def test_what_is_no_image_is_reported_and_changes_nothing(land, tmp_path, content):
    path = tmp_path / "dem.exr"
    if content is not None:
        path.write_bytes(content)
    before = set(bpy.data.images)
    with pytest.raises(RuntimeError, match=r"dem\.exr: Blender cannot read this as an image"):
        bpy.ops.terrain.open_map(filepath=str(path), settings="terrain.layers[0].height_map")
    assert land.terrain.layers[0].height_map.source == ""
    assert set(bpy.data.images) == before


def test_a_layer_that_is_gone_is_reported(land, tmp_path):
    path = grey_png(tmp_path / "dem.png", np.zeros((2, 2), np.uint16))
    with pytest.raises(RuntimeError, match="The layer no longer exists"):
        bpy.ops.terrain.open_map(filepath=path, settings="terrain.layers[7].height_map")
    assert "dem.png" not in bpy.data.images


def test_a_layer_without_a_map_of_its_own_gets_a_mask(land, tmp_path):
    bpy.ops.terrain.layer_add(kind="hills")
    path = grey_png(tmp_path / "dem.png", np.zeros((2, 2), np.uint16))
    assert bpy.ops.terrain.open_map(filepath=path) == {"FINISHED"}
    mask = land.terrain.layers[1].mask_map
    assert (mask.use, mask.source) == (True, "dem.png")
    bpy.ops.terrain.open_map(
        filepath=path, settings="terrain.layers[0].erosion", setting="hardness_map"
    )
    assert land.terrain.layers[0].erosion.hardness_map == "dem.png"


def test_without_a_layer_there_is_no_map_to_open(add, tmp_path):
    bpy.context.view_layer.objects.active = add(Recipe(layers=()))
    path = grey_png(tmp_path / "dem.png", np.zeros((2, 2), np.uint16))
    with pytest.raises(RuntimeError, match="Add a layer for the map first"):
        bpy.ops.terrain.open_map(filepath=path)


def tiff(path, values, method=1, big=False, order="<"):
    """A gray TIFF file in one strip, which states a method of compression that it does not use."""
    kind = {"i": 2, "u": 1, "f": 3}[values.dtype.kind]
    bits, (height, width) = values.itemsize * 8, values.shape
    data = values[::-1].astype(values.dtype.newbyteorder(order)).tobytes()
    head = 16 if big else 8
    tags = {256: width, 257: height, 258: bits, 259: method, 262: 1, 273: head, 277: 1}
    tags |= {278: height, 279: len(data), 339: kind}
    entry, number = ("HHQHxxxxxx", "Q") if big else ("HHIHxx", "H")
    lines = [struct.pack(order + entry, tag, 3, 1, value) for tag, value in tags.items()]
    end = struct.pack(order + number, len(tags)) + b"".join(lines) + bytes(8)
    start = head + len(data)
    mark = struct.pack(order + "H", 43 if big else 42)
    mark += struct.pack(order + "HHQ", 8, 0, start) if big else struct.pack(order + "I", start)
    path.write_bytes((b"II" if order == "<" else b"MM") + mark + data + end)
    return str(path)


RAMP = np.linspace(100, 900, 64).astype(np.int16)[None].repeat(64, axis=0)


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_tiff_file_is_a_map_in_meters(land, tmp_path, big, order):
    path = tiff(tmp_path / "dem.tif", RAMP, big=big, order=order)
    assert bpy.ops.terrain.open_map(filepath=path) == {"FINISHED"}
    assert land.terrain.layers[0].height_map.source == path and not bpy.data.images
    expected = np.linspace(100, 900, N)
    np.testing.assert_allclose(heights(land)[N // 2], expected, atol=0.6)
    assert not rebuild.error_of(land)
    image = bpy.data.images.load(path)  # opened by the user, and named
    image.pack()
    land.terrain.layers[0].height_map.source = "dem.tif"
    np.testing.assert_allclose(heights(land)[N // 2], expected, atol=0.6)


def test_a_tiff_file_with_colors_is_an_image(land, tmp_path):
    path = tmp_path / "paint.tif"
    image: Any = bpy.data.images.new("Gray", 8, 6, is_data=True)
    image.pixels.foreach_set(np.array([0.2, 0.2, 0.2, 1] * 48, np.float32))
    image.file_format, image.filepath_raw = "TIFF", str(path)
    image.save()
    bpy.data.images.remove(image)
    assert bpy.ops.terrain.open_map(filepath=str(path)) == {"FINISHED"}
    assert land.terrain.layers[0].height_map.source == "paint.tif"
    np.testing.assert_allclose(heights(land), 200, atol=1)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("method", "name"), [(50000, "ZSTD"), (34887, "LERC"), (34925, "LZMA"), (65000, "method 65000")]
)
def test_a_tiff_file_that_blender_reads_without_its_heights_is_refused(
    land, tmp_path, method, name, packed
):
    path = tiff(tmp_path / "dem.tif", RAMP, method)
    with pytest.raises(RuntimeError, match=rf"dem\.tif: it is compressed with {name}"):
        bpy.ops.terrain.open_map(filepath=path)
    assert not bpy.data.images
    image: Any = bpy.data.images.load(path)
    assert image.size[0] == 64  # no error, but zeros, or what was in memory
    if packed:
        image.pack()
    land.terrain.layers[0].height_map.source = "dem.tif"
    reason = f"The image 'dem.tif' cannot be a map: it is compressed with {name}"
    assert rebuild.error_of(land).startswith(reason)


@pytest.mark.parametrize("packed", [False, True])
def test_another_file_of_the_same_name_size_and_time_is_read(land, tmp_path, packed):
    for folder, values in (("a", RAMP), ("b", RAMP[:, ::-1])):
        (tmp_path / folder).mkdir()
        path = tiff(tmp_path / folder / "dem.tif", values, 1)
        os.utime(path, (0, 0))
        image = bpy.data.images.load(path)
        if packed:
            image.pack()
        land.terrain.layers[0].height_map.source = "dem.tif"
        expected = np.linspace(100, 900, N) if folder == "a" else np.linspace(900, 100, N)
        np.testing.assert_allclose(heights(land)[N // 2], expected, atol=0.6)
        land.terrain.layers[0].height_map.source = ""
        bpy.data.images.remove(image)


@pytest.mark.parametrize("as_image", [False, True])
def test_small_gaps_are_filled_and_large_ones_are_said(land, tmp_path, as_image):
    values = RAMP.copy()
    values[20, 30] = -32768
    path = tiff(tmp_path / "dem.tif", values)
    if as_image:
        bpy.data.images.load(path)
    group = land.terrain.layers[0].height_map
    group.source = "dem.tif" if as_image else path
    np.testing.assert_allclose(heights(land), np.linspace(100, 900, N)[None].repeat(N, 0), atol=0.6)
    values[:, :50] = -32768
    tiff(tmp_path / "dem.tif", values)
    group.low = 1.0
    assert "A void is large" in rebuild.error_of(land)
