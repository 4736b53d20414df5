# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked images and files hold the core's values, and go where they should."""

import dataclasses
from pathlib import Path

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake import job
from terrain_addon.blender.bake.output import Output
from terrain_addon.blender.bake.queue import bakes
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Bake, Layer, bake
from terrain_addon.core.erosion.rivers.solver import eroded
from terrain_addon.core.erosion.surface import eroded_terrain
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics import srgb
from terrain_addon.core.output import IMAGES

SHOWN = {
    **{key: kind.label for key, kind in IMAGES.items()},
    "noise": "Noise Fractal Noise",
    "field": "Ridge",
}
"""What images of each kind are named after, when the field is that."""
PNG_METRES = {"target": "file", "format": "png", "values": "meters", "filepath": "/x"}


def pixels(image):
    out = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(out)
    return out.reshape(image.size[1], image.size[0], 4)


def expected(item, width, height, **settings):
    recipe = read(item.data.terrain)
    return bake(recipe, recipe.pixel_grid((width, height)), Bake(**settings))


def job_of(item, recipe, what, output):
    return job.BakeJob([job.BakedImage.of(item, recipe, what, output)])


def files(folder):
    """Names of the images, without those of the ranges beside them."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".json")


@pytest.fixture
def land(add, recipe):
    """A terrain twice as long as wide."""
    return add(dataclasses.replace(recipe, size_y=500.0))


@pytest.mark.parametrize("kind", IMAGES)
def test_a_packed_image_holds_the_values_and_is_saved_with_the_file(land, kind, tmp_path):
    assert bpy.ops.terrain.bake(image=kind, field="ridge", width=64) == {"FINISHED"}
    name = f"Land {SHOWN[kind]}"
    wanted = expected(land, 64, 32, image=kind, field="ridge")
    np.testing.assert_array_equal(pixels(bpy.data.images[name]), wanted.pixels)
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    image = bpy.data.images[name]
    np.testing.assert_array_equal(pixels(image), wanted.pixels)
    color = image.colorspace_settings.name
    assert color == ("Linear Rec.709" if IMAGES[kind].color else "Non-Color")
    measure = IMAGES[kind].measure
    assert image[f"{measure}_low"] == pytest.approx(wanted.low)
    assert image[f"{measure}_high"] == pytest.approx(wanted.high)


def test_a_bake_uses_the_solution_of_the_terrain_shown(add, recipe, monkeypatch):
    made = []

    def noted(*given, **named):
        made.append(given)
        return eroded(*given, **named)

    monkeypatch.setattr(eroded_terrain, "eroded", noted)
    add(dataclasses.replace(recipe, layers=(*recipe.layers, LAYERS["erosion"](resolution="128"))))
    assert len(made) == 1
    bpy.ops.terrain.bake(image="heightmap", width=32)
    bpy.ops.terrain.bake_set(width=32, heightmap=True, color=True)
    assert len(made) == 1


def test_noise_of_each_layer_is_an_image_of_its_own(add, recipe):
    noise = LAYERS["fractal_noise"]
    names = ("Hills", "Hills", "x" * 300)
    add(dataclasses.replace(recipe, layers=[Layer.of(noise(), name=name) for name in names]))
    for _ in range(2):
        for layer in (1, 2, 3):
            bpy.ops.terrain.bake(image="noise", layer=layer, width=8)
    made = sorted(bpy.data.images.keys())
    assert made[:2] == ["Land Noise Hills 1", "Land Noise Hills 2"]
    assert made[2].startswith("Land Noise xxx")
    assert len(made) == 3


@pytest.mark.parametrize("kind", IMAGES)
def test_an_exr_file_is_exact(land, kind, tmp_path):
    asked = {"image": kind, "field": "plan_curvature", "values": "meters"}
    bpy.ops.terrain.bake(**asked, width=48, target="file", filepath=str(tmp_path / "land.exr"))
    assert files(tmp_path) == ["land.exr"]
    assert not bpy.data.images
    image = bpy.data.images.load(str(tmp_path / "land.exr"))
    image.colorspace_settings.name = "Non-Color"
    wanted = expected(land, 48, 24, **asked)
    np.testing.assert_array_equal(pixels(image), wanted.pixels)


@pytest.mark.parametrize("kind", IMAGES)
def test_a_png_file_has_16_bits(land, kind, tmp_path):
    asked = {"image": kind, "field": "ridge"}
    place = {"target": "both", "format": "png", "filepath": str(tmp_path / "land")}
    bpy.ops.terrain.bake(**asked, **place, width=48)
    assert files(tmp_path) == ["land.png"]
    image = bpy.data.images[f"Land {SHOWN[kind]}"]
    assert image.source == "FILE"
    assert Path(bpy.path.abspath(image.filepath)) == tmp_path / "land.png"
    assert image.colorspace_settings.name == ("sRGB" if IMAGES[kind].color else "Non-Color")
    wanted = expected(land, 48, 24, **asked).pixels
    if IMAGES[kind].color:
        wanted = srgb.encoded(wanted.clip(0, 1))
    loaded = bpy.data.images.load(str(tmp_path / "land.png"))
    loaded.colorspace_settings.name = "Non-Color"
    np.testing.assert_allclose(pixels(loaded)[..., :3], wanted[..., :3], atol=0.51 / 65535)
    assert not [scene for scene in bpy.data.scenes if scene != bpy.context.scene]


def test_size_does_not_depend_on_the_mesh(land):
    land.data.terrain.resolution = 5
    bpy.ops.terrain.bake(width=100, height=30)
    image = bpy.data.images["Land Heightmap"]
    assert pixels(image).shape == (30, 100, 4)
    np.testing.assert_array_equal(pixels(image), expected(land, 100, 30).pixels)


def test_blocks_repeat_samples(land):
    bpy.ops.terrain.bake(width=64, pixel_step=4)
    got = pixels(bpy.data.images["Land Heightmap"])
    np.testing.assert_array_equal(got, np.repeat(np.repeat(got[::4, ::4], 4, 0), 4, 1))
    np.testing.assert_array_equal(got, expected(land, 64, 32, pixel_step=4).pixels)


def test_settings_of_the_panel_are_used_where_none_are_given(land):
    settings = land.data.terrain.bake
    settings.image, settings.width, settings.name = "slope", 32, "Steep"
    bpy.ops.terrain.bake()
    np.testing.assert_array_equal(
        pixels(bpy.data.images["Steep"]), expected(land, 32, 16, image="slope").pixels
    )
    bpy.ops.terrain.bake(width=16)
    assert pixels(bpy.data.images["Steep"]).shape == (8, 16, 4)


@pytest.mark.smoke
def test_baking_again_renews_the_image_where_it_is_used(land):
    bpy.ops.terrain.bake(width=32)
    material = bpy.data.materials.new("User")
    if material.node_tree is None:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images["Land Heightmap"]
    land.data.terrain.seed += 1
    bpy.ops.terrain.bake(width=64)
    assert [image.name for image in bpy.data.images] == ["Land Heightmap"]
    assert node.image == bpy.data.images["Land Heightmap"]
    np.testing.assert_array_equal(pixels(node.image), expected(land, 64, 32).pixels)


def test_the_report_names_image_size_and_range(land):
    recipe = read(land.data.terrain)
    asked = job_of(land, recipe, Bake(), Output(width=16))
    asked.store(asked.make())
    (baked,) = asked.stored
    assert (baked.name, baked.size, baked.path) == ("Land Heightmap", (16, 8), None)
    text = str(baked)
    assert "16 x 8 pixels" in text
    assert f"{baked.low:.4g} m to {baked.high:.4g} m" in text


@pytest.mark.smoke
def test_bakes_in_the_background_are_all_stored(land):
    recipe = read(land.data.terrain)
    for kind in ("heightmap", "slope"):
        output = Output(width=16)
        bakes.start(job_of(land, recipe, Bake(image=kind), output))
    land.data.terrain.seed += 1  # what was asked for is what comes
    bakes.finish()
    assert not bakes.is_busy()
    for kind in ("heightmap", "slope"):
        wanted = bake(recipe, recipe.pixel_grid((16, 8)), Bake(image=kind))
        got = pixels(bpy.data.images[f"Land {kind.title()}"])
        np.testing.assert_array_equal(got, wanted.pixels)
    text, failed = bakes.message(land.data)
    assert text.startswith("Baked 'Land Slope'")
    assert not failed


def test_a_bake_in_the_background_that_is_cancelled_leaves_nothing(land):
    recipe = read(land.data.terrain)
    bakes.start(job_of(land, recipe, Bake(), Output(width=4096)))
    bakes.cancel()
    bakes.finish()
    assert not bpy.data.images
    assert bakes.message(land.data) == ("The bake was canceled: no image was stored", False)
    bakes.start(job_of(land, recipe, Bake(), Output(width=16)))
    bakes.finish()
    bakes.cancel()  # nothing is being baked: the message stays
    assert bakes.message(land.data)[0].startswith("Baked")


def test_a_bake_in_the_background_that_fails_says_so(land, tmp_path):
    recipe = read(land.data.terrain)
    output = Output(width=16, target="file", filepath=str(tmp_path / "full"))
    bakes.start(job_of(land, recipe, Bake(), output))
    (tmp_path / "full.exr").mkdir()  # after it was found to be possible
    bakes.finish()
    text, failed = bakes.message(land.data)
    assert failed
    assert "full.exr" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "Mine"}, "already an image named 'Mine'"),
        ({"target": "file", "filepath": "//maps/"}, "Save the blend file first"),
        ({"target": "file", "filepath": "land.exr"}, "Save the blend file first, or give a full"),
        ({"target": "file", "filepath": "/no such folder/x"}, "There is no folder /no such folder"),
        ({**PNG_METRES, "image": "heightmap"}, "choose EXR"),
        ({**PNG_METRES, "image": "field"}, "choose EXR"),
        ({"image": "noise", "layer": 9}, "There is no layer 9"),
    ],
)
def test_what_cannot_be_done_is_reported_and_changes_nothing(land, arguments, message):
    own = bpy.data.images.new("Mine", 4, 4)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.bake(width=16, **arguments)
    assert list(bpy.data.images) == [own]


def test_a_file_that_cannot_be_written_is_reported(land, tmp_path):
    """A folder has the name of the file."""
    (tmp_path / "land.exr").mkdir()
    with pytest.raises(RuntimeError, match=r"land\.exr"):
        bpy.ops.terrain.bake(width=16, target="file", filepath=str(tmp_path / "land"))
    assert not bpy.data.images
    assert [path.name for path in tmp_path.iterdir()] == ["land.exr"]


def test_a_file_of_the_user_beside_the_one_that_is_baked_stays(land, tmp_path):
    own = tmp_path / "land.exr.part"
    own.write_text("mine")
    bpy.ops.terrain.bake(width=16, target="file", filepath=str(tmp_path / "land.exr"))
    assert files(tmp_path) == ["land.exr", own.name]
    assert own.read_text() == "mine"


def test_an_image_beyond_the_memory_is_refused(land, monkeypatch):
    monkeypatch.setattr(job.memory, "available", lambda: 50_000_000)
    with pytest.raises(RuntimeError, match="would fit"):
        bpy.ops.terrain.bake(width=8192)
    assert not bpy.data.images


@pytest.fixture
def other(add, recipe, land):
    """A second terrain, which is active."""
    return add(dataclasses.replace(recipe, size_y=500.0, seed=77))


def bake_of(item, **settings):
    bpy.context.view_layer.objects.active = item
    return bpy.ops.terrain.bake(width=16, **settings)


def image_of(name):
    return pixels(bpy.data.images[name])


@pytest.mark.parametrize("target", ["image", "both"])
def test_the_image_of_another_terrain_is_not_baked_over(land, other, target, tmp_path):
    place = {"target": target, "filepath": str(tmp_path / "height.exr")}
    bake_of(land, name="Height", **place)
    before = image_of("Height")
    file = [path.read_bytes() for path in tmp_path.iterdir()]
    with pytest.raises(RuntimeError, match="'Height', baked from another terrain: choose another"):
        bake_of(other, name="Height", **place)
    np.testing.assert_array_equal(image_of("Height"), before)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == file
    assert [image.name for image in bpy.data.images] == ["Height"]


def test_a_name_that_another_terrain_took_meanwhile_is_left_to_it(land, other, tmp_path):
    recipe, path = read(other.data.terrain), tmp_path / "height.exr"
    output = Output(width=16, name="Height", target="both", filepath=str(path))
    bakes.start(job_of(other, recipe, Bake(), output))
    bake_of(land, name="Height")
    before = image_of("Height")
    bakes.finish()
    assert bakes.message(other.data)[1]
    assert "choose another name" in bakes.message(other.data)[0]
    np.testing.assert_array_equal(image_of("Height"), before)
    assert not path.exists()


def test_whose_an_image_is_outlives_files_and_new_names(land, other, tmp_path):
    bake_of(land, name="Height")
    path = str(tmp_path / "land.blend")
    land.name = land.data.name = "Alps"
    other.name = other.data.name = "Land"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    land, other = bpy.data.objects["Alps"], bpy.data.objects["Land"]
    with pytest.raises(RuntimeError, match="choose another name"):
        bake_of(other, name="Height")
    land.data.terrain.seed += 1
    bake_of(land, name="Height")
    assert [image.name for image in bpy.data.images] == ["Height"]
    np.testing.assert_array_equal(image_of("Height"), expected(land, 16, 8).pixels)


def test_a_copy_of_a_terrain_does_not_own_the_images_of_the_original(land):
    bake_of(land, name="Height")
    copy = land.copy()
    copy.data = land.data.copy()
    bpy.context.collection.objects.link(copy)
    with pytest.raises(RuntimeError, match="choose another name"):
        bake_of(copy, name="Height")
    assert bake_of(land, name="Height") == {"FINISHED"}
    for _ in range(2):
        bake_of(copy, name="Copy")
    assert {image.name for image in bpy.data.images} == {"Height", "Copy"}


def test_names_that_were_not_chosen_give_way(land, other):
    bake_of(land)
    before = image_of("Land Heightmap")
    land.name, other.name = "Alps", "Land"
    for seed in (5, 6):  # the second time in place
        other.data.terrain.seed = seed
        bake_of(other)
    names = {"Land Heightmap", "Land Heightmap.001"}
    assert {image.name for image in bpy.data.images} == names
    np.testing.assert_array_equal(image_of("Land Heightmap"), before)
    np.testing.assert_array_equal(image_of("Land Heightmap.001"), expected(other, 16, 8).pixels)


def test_an_image_keeps_no_terrain_alive(land):
    bake_of(land, name="Height")
    bpy.data.objects.remove(land)
    assert [mesh.users for mesh in bpy.data.meshes] == [0]
    bpy.data.orphans_purge()
    assert not bpy.data.meshes
    assert [image.name for image in bpy.data.images] == ["Height"]


def test_an_image_that_was_deleted_can_be_baked_again(land):
    for name in ("Height", "Other", "Height"):
        bake_of(land, name=name)
    bpy.data.images.remove(bpy.data.images["Height"])
    bake_of(land, name="Height")
    bake_of(land, name="Height")
    assert {image.name for image in bpy.data.images} == {"Height", "Other"}


@pytest.mark.parametrize(
    ("filepath", "file"),
    [
        ("//", "Land_Heightmap.exr"),
        ("", "Land_Heightmap.exr"),
        ("//land", "land.exr"),
        ("land.exr", "land.exr"),
        ("maps/land", "maps/land.exr"),
        ("//maps/", "maps/Land_Heightmap.exr"),
    ],
)
def test_files_beside_the_blend_file_are_named_from_there(land, filepath, file, tmp_path):
    (tmp_path / "maps").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    bake_of(land, target="both", filepath=filepath)
    assert (tmp_path / file).is_file()
    image = bpy.data.images["Land Heightmap"]
    assert image.filepath == f"//{file}"
    np.testing.assert_array_equal(pixels(image), expected(land, 16, 8).pixels)
    bake_of(land, target="both", filepath=str(tmp_path / file))
    assert bpy.data.images["Land Heightmap"].filepath == str(tmp_path / file)


@pytest.mark.parametrize("spelled", ["land.exr", "maps/../land.exr", "./land.exr"])
def test_the_file_of_another_terrain_stays(land, other, spelled, tmp_path, monkeypatch):
    (tmp_path / "maps").mkdir()
    bake_of(land, name="Mine", target="both", filepath=str(tmp_path / "land.exr"))
    before = (tmp_path / "land.exr").read_bytes()
    monkeypatch.setattr(job.BakeJob, "make", None)  # it is refused before
    with pytest.raises(RuntimeError, match="shows 'Mine', baked from another terrain"):
        bake_of(other, name="Other", target="both", filepath=f"{tmp_path}/{spelled}")
    assert (tmp_path / "land.exr").read_bytes() == before
    assert [image.name for image in bpy.data.images] == ["Mine"]


def test_an_image_that_shows_a_file_follows_it(land, tmp_path):
    place = {"filepath": str(tmp_path / "land.exr")}
    bake_of(land, target="both", **place)
    image = bpy.data.images["Land Heightmap"]
    before = pixels(image)
    land.data.terrain.seed += 1
    bake_of(land, target="file", **place)
    wanted = expected(land, 16, 8)
    assert not np.array_equal(pixels(image), before)
    np.testing.assert_array_equal(pixels(image), wanted.pixels)
    assert (image["height_low"], image["height_high"]) == (wanted.low, wanted.high)


def test_files_are_named_as_the_terrain_in_any_script(land, other, tmp_path):
    land.name, other.name = "Öland", "Åland / 2"
    for item in (land, other):
        bake_of(item, target="both", filepath=str(tmp_path))
    found = files(tmp_path)
    assert found == sorted(["Åland___2_Heightmap.exr", "Öland_Heightmap.exr"])


@pytest.mark.parametrize("name", ["N" * 80, "陸" * 40])
def test_a_long_name_is_cut_and_found_again(land, name):
    land.name = name
    for _ in range(2):
        bpy.ops.terrain.bake(width=16)
    bpy.ops.terrain.bake(width=16, name=name + name)
    bpy.ops.terrain.bake(width=16, name=name + name)
    assert len(bpy.data.images) <= 2


@pytest.mark.parametrize("suffix", [".exr", ".EXR", ".png", ""])
def test_files_get_the_suffix_of_their_format(land, suffix, tmp_path):
    bake_of(land, target="file", filepath=str(tmp_path / f"v1.2{suffix}"))
    assert files(tmp_path) == ["v1.2.exr"]


def test_an_image_whose_noted_terrain_was_renamed_can_be_baked_again(land):
    bake_of(land, name="Same")
    twin = land.copy()
    twin.data = land.data.copy()
    bpy.context.collection.objects.link(twin)
    land.data.name = "Renamed"
    bake_of(land, name="Same")
    with pytest.raises(RuntimeError, match="baked from another terrain"):
        bake_of(twin, name="Same")
