# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers in one EXR file, dithered PNG files, and the ranges of normalized images."""

import json

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake import job
from terrain_addon.blender.bake.job import BakedImage, BakeJob
from terrain_addon.blender.bake.output import Output
from terrain_addon.blender.bake.queue import bakes
from terrain_addon.blender.operators.bake import _lines as draw_lines
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Bake, bake, checks, evaluate
from terrain_addon.core.evaluation import memory

CHOSEN = {"heightmap": True, "color": True, "normal": False, "plan_curvature": True}


@pytest.fixture
def land(add):
    return add()


def expected(item, **asked):
    recipe = read(item.data.terrain)
    return bake(recipe, recipe.pixel_grid((32, 32)), Bake(**asked))


def pixels(image):
    width, height = image.size
    out = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(out)
    return out.reshape(height, width, -1)


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_set_may_be_the_layers_of_one_exr_file(land, tmp_path):
    place = {"target": "both", "format": "layers", "filepath": f"{tmp_path}/"}
    land.data.terrain.bake.target, land.data.terrain.bake.format = "both", "layers"
    assert "pixels, layers of one EXR file" in draw_lines(land.data.terrain)[0]
    assert bpy.ops.terrain.bake_set(**CHOSEN, width=32, **place) == {"FINISHED"}
    assert files(tmp_path) == ["Land_Layers.exr", "Land_Layers.exr.json"]
    [image] = bpy.data.images
    assert image.name == "Land Layers"
    tree = bpy.data.node_groups.new("Reading", "CompositorNodeTree")
    node = tree.nodes.new("CompositorNodeImage")
    node.image = image
    shown = {"Heightmap", "Color", "Plan Curvature"}
    assert {socket.name for socket in node.outputs} == shown
    curvature = expected(land, image="field", field="plan_curvature")
    assert image["Plan Curvature_low"] == pytest.approx(curvature.low)
    ranges = json.loads((tmp_path / "Land_Layers.exr.json").read_text())["layers"]
    assert set(ranges) == {"Heightmap", "Plan Curvature"}
    assert ranges["Plan Curvature"]["high"] == curvature.high


def test_layers_without_a_file_are_images(land):
    bpy.ops.terrain.bake_set(**CHOSEN, width=32, target="image", format="layers")
    assert sorted(bpy.data.images.keys()) == ["Land Color", "Land Heightmap", "Land Plan Curvature"]


def test_a_single_image_as_layers_is_an_exr_file(land, tmp_path):
    place = {"target": "both", "format": "layers", "filepath": f"{tmp_path}/"}
    bpy.ops.terrain.bake(width=32, image="color", **place)
    assert files(tmp_path) == ["Land_Color.exr"]
    made = pixels(bpy.data.images["Land Color"])
    np.testing.assert_array_equal(made, expected(land, image="color").pixels)


def test_png_files_of_8_bits_are_dithered_around_the_colors(land, tmp_path):
    place = {"target": "both", "format": "png8", "filepath": f"{tmp_path}/"}
    bpy.ops.terrain.bake(width=32, image="normal", **place)
    image = bpy.data.images["Land Normal"]
    assert files(tmp_path) == ["Land_Normal.png"]
    difference = pixels(image)[..., :3] - expected(land, image="normal").pixels[..., :3]
    assert 0.5 / 255 < abs(difference).max() < 1.01 / 255
    assert abs(difference.mean()) < 0.1 / 255


@pytest.mark.parametrize("target", ["image", "file", "both"])
def test_normalized_images_keep_their_range(land, target, tmp_path):
    path = tmp_path / "land.exr"
    bpy.ops.terrain.bake(width=32, target=target, filepath=str(path))
    image = expected(land)
    if target != "file":
        made = bpy.data.images["Land Heightmap"]
        assert made["height_low"] == pytest.approx(image.low)
        assert made["height_high"] == pytest.approx(image.high)
        assert made["height_unit"] == "m"
    beside = tmp_path / "land.exr.json"
    if target == "image":
        assert not beside.exists()
    else:
        known = json.loads(beside.read_text())
        assert known == {"image": "Heightmap", "low": image.low, "high": image.high, "unit": "m"}
        bpy.ops.terrain.bake(width=32, values="meters", target=target, filepath=str(path))
        assert files(tmp_path) == ["land.exr"]


def test_a_canceled_bake_leaves_no_file(land, tmp_path):
    output = Output(width=32, target="file", filepath=str(tmp_path / "land.exr"))
    bakes.start(BakeJob([BakedImage.of(land, read(land.data.terrain), Bake(), output)]))
    bakes.worker._join()  # the file is written, and waits to be kept
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    bakes.cancel()
    bakes.finish()
    assert files(tmp_path) == []


def test_files_need_memory_for_the_heights_only(land, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: memory.image_bytes(8192, 8192) // 8)

    def checked(**place):
        return BakedImage.of(land, read(land.data.terrain), Bake(), Output(width=8192, **place))

    with pytest.raises(ValueError, match="would fit"):
        checked(target="image")
    for target in ("file", "both"):
        assert checked(target=target, filepath=str(tmp_path / "a.exr")).size == (8192, 8192)


def test_an_exr_file_of_heights_takes_the_room_of_one_channel(land, tmp_path):
    path = tmp_path / "land.exr"
    bpy.ops.terrain.bake(width=512, target="file", filepath=str(path))
    assert path.stat().st_size < 1.1 * 512 * 512 * 4


def one_job(item, recipe, what, width):
    return BakeJob([BakedImage.of(item, recipe, what, Output(width=width))])


@pytest.mark.parametrize(("width", "limit"), [(48, 1025), (96, 40)])
def test_the_report_on_heights_says_what_was_found_in_them(land, width, limit, monkeypatch):
    monkeypatch.setattr(job, "CHECKED", limit)
    recipe = read(land.data.terrain)
    asked = one_job(land, recipe, Bake(), width)
    asked.store(asked.make())
    grid = recipe.pixel_grid((48, 48) if width < limit else (32, 32))
    pits = checks.check(recipe, evaluate(recipe, grid).height, grid)[0]
    assert pits.value > 0
    where = "" if width < limit else " (32 x 32 samples)"
    assert str(asked).endswith(f". {pits.text}{where}")
    slope = one_job(land, recipe, Bake(image="slope"), width)
    slope.store(slope.make())
    assert pits.label not in str(slope)
