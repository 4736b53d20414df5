# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening an image file as the map of a layer, or of a mask."""

import struct
import zlib

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
    path = tmp_path / "dem.tif"
    if content is not None:
        path.write_bytes(content)
    before = set(bpy.data.images)
    with pytest.raises(RuntimeError, match=r"dem\.tif: Blender cannot read this as an image"):
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
