# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking again gives an image new pixels and leaves all else of it alone."""

from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Bake, bake

NAME = "Land Heightmap"


def image() -> Any:
    return bpy.data.images[NAME]


def pixels():
    width, height = image().size
    out = np.empty(width * height * 4, np.float32)
    image().pixels.foreach_get(out)
    return out.reshape(height, width, 4)


def expected(item, width):
    recipe = read(item.data.terrain)
    return bake(recipe, recipe.pixel_grid((width, width)), Bake()).pixels


@pytest.fixture
def land(add):
    return add()


@pytest.fixture
def place(land, tmp_path):
    """What to bake to, by a short word."""
    return {
        "image": {"target": "image"},
        "file": {"target": "both", "filepath": str(tmp_path / "one.exr")},
        "other file": {"target": "both", "filepath": str(tmp_path / "two.exr")},
    }


@pytest.mark.parametrize("second", ["image", "file", "other file"])
@pytest.mark.parametrize("first", ["image", "file"])
def test_what_the_user_gave_an_image_stays(land, place, first, second, tmp_path):
    bpy.ops.terrain.bake(width=16, **place[first])
    image().asset_mark()
    image()["note"] = "mine"
    image().use_fake_user = False
    land["picture"] = image()  # of one's own: Blender cannot see whose image that is elsewhere
    known = image().session_uid
    land.data.terrain.seed += 1
    bpy.ops.terrain.bake(width=32, **place[second])
    wanted = expected(land, 32)
    for _ in range(2):  # as it is, and out of the file
        assert list(bpy.data.images.keys()) == [NAME]
        assert (image().asset_data is not None, image()["note"]) == (True, "mine")
        assert not image().use_fake_user
        assert land["picture"] == image()
        assert bool(image().packed_file) == (second == "image")
        np.testing.assert_array_equal(pixels(), wanted)
        if known:
            assert image().session_uid == known
            known = None
            path = str(tmp_path / "land.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)
            land = bpy.data.objects["Land"]


@pytest.mark.parametrize("source", ["TILED", "SEQUENCE", "MOVIE", "GENERATED"])
@pytest.mark.parametrize("second", ["image", "file"])
def test_an_image_that_was_made_something_else_becomes_the_bake_again(land, place, source, second):
    bpy.ops.terrain.bake(width=16)
    image().source = source
    bpy.ops.terrain.bake(width=32, **place[second])
    assert image().source == "FILE"
    np.testing.assert_array_equal(pixels(), expected(land, 32))


def test_undo_and_redo_of_a_bake_into_the_same_image(land):
    bpy.context.preferences.edit.use_global_undo = True
    made = []
    for width in (8, 16, 16):
        land.data.terrain.seed += 1
        bpy.ops.terrain.bake(width=width)
        made.append(pixels())
        bpy.ops.ed.undo_push(message="Bake")
    for way, shown in (("undo", 1), ("undo", 0), ("redo", 1), ("redo", 2)):
        getattr(bpy.ops.ed, way)()
        np.testing.assert_array_equal(pixels(), made[shown])


def test_a_bake_that_fails_leaves_the_image_as_it_was(land, monkeypatch):
    from terrain_addon.blender.data import images

    bpy.ops.terrain.bake(width=8)
    before = pixels()

    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(images, "_repack", fail)
    with pytest.raises(RuntimeError, match="not enough memory"):
        bpy.ops.terrain.bake(width=16)
    assert list(bpy.data.images.keys()) == [NAME]
    np.testing.assert_array_equal(pixels(), before)


def test_the_image_of_a_library_does_not_have_its_name_here(land, tmp_path):
    path = tmp_path / "user_presets.blend"
    bpy.ops.terrain.bake(width=8)
    bpy.data.libraries.write(str(path), {image()}, fake_user=True)
    bpy.data.images.remove(image())
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path), link=True) as (_, wanted):
        wanted.images = [NAME]
    for _ in range(2):
        bpy.ops.terrain.bake(width=16)
    own, linked = (
        bpy.data.images.get((NAME, place)) for place in (None, wanted.images[0].library.filepath)
    )
    assert len(bpy.data.images) == 2
    assert (own.size[0], linked.size[0]) == (16, 8)


def test_a_strip_of_land_asks_for_no_endless_image(land):
    land.data.terrain.live = False
    land.data.terrain.size_x, land.data.terrain.size_y = 1, 100000
    with pytest.raises(RuntimeError, match="16 x 1600000 pixels: set its Height"):
        bpy.ops.terrain.bake(width=16)
    assert bpy.ops.terrain.bake(width=16, height=8) == {"FINISHED"}
