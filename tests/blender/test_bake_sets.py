# SPDX-License-Identifier: GPL-3.0-or-later
"""Several images at once: each as if baked alone, all or none begun, what is stored stays."""

import dataclasses
import stat
import sys
import time
from unittest.mock import MagicMock

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake import job
from terrain_addon.blender.bake.job import BakedImage, BakeJob, offered
from terrain_addon.blender.bake.output import Output
from terrain_addon.blender.bake.queue import bakes
from terrain_addon.blender.operators.bake import draw_set
from terrain_addon.blender.properties.recipe import SWITCHES, read
from terrain_addon.core import Bake, Layer, bake, checks, evaluate
from terrain_addon.core.analysis import AREAS, FIELDS
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics import srgb
from terrain_addon.core.output import IMAGES

LEFT = ("flow", "erosion_depth", "deposition", "snow")
MASKS = [name for name in SWITCHES if name not in (*("road", "lava", "beach", "platform"), *AREAS)]
"""Those that a terrain with Erosion and Snow alone has."""
USUAL = {"heightmap": "Heightmap", "color": "Color", "normal": "Normal"}


def pixels(image):
    out = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(out)
    return out.reshape(image.size[1], image.size[0], 4)


def loaded(path):
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    return pixels(image)


def expected(item, **settings):
    recipe = read(item.data.terrain)
    return bake(recipe, recipe.pixel_grid((32, 16)), Bake(**settings))


def only(*keys):
    """What to give to the operator so that nothing else is made."""
    return {"heightmap": False, "color": False, "normal": False} | dict.fromkeys(keys, True)


def job_of(item, keys, **output):
    recipe = read(item.data.terrain)
    return BakeJob.of_set(item, recipe, keys, Bake(), Output(width=32, **output))


def names():
    return sorted(image.name for image in bpy.data.images)


def files(folder):
    """Names of the images, without those of the ranges beside them."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".json")


@pytest.fixture
def land(add, recipe):
    """A terrain twice as long as wide, without masks that layers leave."""
    return add(dataclasses.replace(recipe, size_y=500.0))


@pytest.fixture
def eroded(add, recipe):
    """A terrain of which Erosion and Snow leave masks."""
    erosion = Layer.of(LAYERS["erosion"](resolution="128"))
    layers = (*recipe.layers, erosion, Layer.of(LAYERS["snow"](line=0.0)))
    return add(dataclasses.replace(recipe, size_y=500.0, layers=layers))


def test_heightmap_colors_and_normals_are_made_by_default(land):
    assert bpy.ops.terrain.bake_set(width=32) == {"FINISHED"}
    assert names() == sorted(f"Land {what}" for what in USUAL.values())
    for key, what in USUAL.items():
        wanted = expected(land, image=key).pixels
        np.testing.assert_array_equal(pixels(bpy.data.images[f"Land {what}"]), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("values", ["normalized", "meters"])
def test_every_image_is_the_one_that_is_baked_alone(eroded, values, tmp_path):
    keys = ["heightmap", "color", "normal", "slope", *MASKS]
    place = {"target": "file", "filepath": f"{tmp_path}/", "width": 32, "values": values}
    assert bpy.ops.terrain.bake_set(**only(*keys), **place) == {"FINISHED"}
    shown = {**USUAL, "slope": "Slope", **{key: FIELDS[key].label for key in MASKS}}
    assert files(tmp_path) == sorted(f"Land_{s.replace(' ', '_')}.exr" for s in shown.values())
    assert not bpy.data.images
    for key, what in shown.items():
        settings = {"image": "field", "field": key} if key in SWITCHES else {"image": key}
        wanted = expected(eroded, values=values, **settings).pixels
        made = loaded(tmp_path / f"Land_{what.replace(' ', '_')}.exr")
        np.testing.assert_array_equal(made, wanted, err_msg=key)


def test_png_files_and_images_that_show_them(land, tmp_path):
    bpy.ops.terrain.bake_set(
        width=32, target="both", format="png", filepath=str(tmp_path), sky_view=True
    )
    shown = [*USUAL.values(), "Sky View (AO)"]
    assert files(tmp_path) == sorted(f"Land_{one.replace(' ', '_')}.png" for one in shown)
    assert names() == sorted(f"Land {one}" for one in shown)
    for key, what in USUAL.items():
        wanted = expected(land, image=key).pixels
        wanted = srgb.encoded(wanted.clip(0, 1)) if key == "color" else wanted
        made = loaded(tmp_path / f"Land_{what}.png")
        np.testing.assert_allclose(made[..., :3], wanted[..., :3], atol=0.51 / 65535)


@pytest.mark.parametrize("file", ["alps", "alps.exr", "alps.png"])
def test_a_path_that_names_a_file_is_what_the_names_begin_with(land, file, tmp_path):
    bpy.ops.terrain.bake_set(width=32, target="file", filepath=str(tmp_path / file), ridge=True)
    wanted = ["Color", "Heightmap", "Normal", "Ridge"]
    assert files(tmp_path) == [f"alps_{what}.exr" for what in wanted]


def test_a_name_that_was_chosen_is_what_the_names_begin_with(land, tmp_path):
    bpy.ops.terrain.bake_set(
        **only("normal", "plan_curvature"),
        width=32,
        target="both",
        filepath=str(tmp_path),
        name="X",
    )
    assert names() == ["X Normal", "X Plan Curvature"]
    assert files(tmp_path) == ["X_Normal.exr", "X_Plan_Curvature.exr"]


def test_images_of_a_terrain_with_a_long_name_have_names_of_their_own(land, tmp_path):
    land.name = "N" * 63
    keys = offered(read(land.data.terrain))
    for _ in range(2):
        bpy.ops.terrain.bake_set(**only(*keys), width=32, target="both", filepath=str(tmp_path))
        assert len(bpy.data.images) == len(files(tmp_path)) == len(keys)


def test_a_set_may_hold_the_pictures_and_the_masks_that_the_terrain_has(eroded):
    """The slope is a picture; a layer alone is no image of the terrain."""
    terrain = eroded.data.terrain
    kinds = [key for key, kind in IMAGES.items() if not kind.which]
    assert {*USUAL, "slope"} <= {*kinds}
    made = offered(read(terrain))
    assert [key for key in made if key in kinds] == kinds
    assert [key for key in made if key not in kinds] == MASKS
    switch = terrain.bake_set.bl_rna.properties["ridge"]
    assert (switch.name, switch.description) == (FIELDS["ridge"].label, FIELDS["ridge"].help)


@pytest.mark.parametrize(
    ("ticked", "settings"),
    [
        ({"slope", "color"}, []),
        ({"heightmap"}, ["values"]),
        ({"color", "normal"}, ["green"]),
        ({"normal", "ridge"}, ["values", "green"]),
    ],
)
def test_the_dialog_asks_what_the_images_are_and_what_these_need(land, ticked, settings):
    terrain = land.data.terrain
    known = sorted(offered(read(terrain)), key=lambda key: key in FIELDS and key not in IMAGES)
    for key in known:
        setattr(terrain.bake_set, key, key in ticked)
    layout = MagicMock()
    for part in ("row", "column", "grid_flow"):  # all parts of it are the same
        getattr(layout, part).return_value = layout
    draw_set(layout, terrain, known)
    assert [call.args[1] for call in layout.prop.call_args_list] == [*known, *settings]


def test_what_is_ticked_is_saved_with_the_file(land, tmp_path):
    ticked = land.data.terrain.bake_set
    ticked.heightmap, ticked.ridge = False, True
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.ops.terrain.bake_set(width=32)
    assert names() == ["Land Color", "Land Normal", "Land Ridge"]


def test_masks_that_no_layer_leaves_are_not_offered_and_refused(land, eroded):
    assert not set(offered(read(land.data.terrain))) & set(LEFT)
    assert set(LEFT) < set(offered(read(eroded.data.terrain)))
    bpy.context.view_layer.objects.active = land
    with pytest.raises(RuntimeError, match="No layer of this terrain produces 'Flow'"):
        bpy.ops.terrain.bake_set(width=32, flow=True)
    assert not bpy.data.images
    land.data.terrain.bake_set.snow = True  # from before its layer was removed
    bpy.ops.terrain.bake_set(width=32)
    assert len(bpy.data.images) == 3


def read_only(path):
    path.write_bytes(b"mine")
    path.chmod(stat.S_IREAD)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (only(), "Choose at least one image"),
        ({"name": "Mine", "slope": True}, "already an image named 'Mine Slope'"),
        ({"target": "file", "filepath": "//maps/"}, "Save the blend file first"),
        ({"target": "file", "filepath": "/no such folder/x"}, "There is no folder /no such folder"),
        ({"target": "file", "format": "png", "values": "meters", "filepath": "/x"}, "choose EXR"),
        ({"target": "both", "filepath": "HERE/file"}, "file_Normal.exr is read-only"),
        ({"target": "file", "filepath": "HERE/dir"}, "dir_Normal.exr is a folder"),
        ({"target": "file", "filepath": "HERE/" + "n" * 300}, "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_reported_before_anything_is_baked(
    land, arguments, message, tmp_path
):
    own = bpy.data.images.new("Mine Slope", 4, 4)
    read_only(tmp_path / "file_Normal.exr")
    (tmp_path / "dir_Normal.exr").mkdir()
    before = files(tmp_path)
    if "filepath" in arguments:
        path = arguments["filepath"].replace("HERE", str(tmp_path))
        arguments = {**arguments, "filepath": path}
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.bake_set(width=32, **arguments)
    assert list(bpy.data.images) == [own]
    assert files(tmp_path) == before
    assert (tmp_path / "file_Normal.exr").read_bytes() == b"mine"


@pytest.mark.skipif(sys.platform != "linux", reason="where no program may write")
def test_a_folder_that_cannot_be_written_to_is_reported(land):
    with pytest.raises(RuntimeError, match=r"/proc/.* cannot be written"):
        bpy.ops.terrain.bake_set(width=32, target="file", filepath="/proc/")


def test_a_bake_of_a_layer_that_is_not_there_is_refused_before_it_begins(land):
    with pytest.raises(ValueError, match="There is no layer 9: the terrain has 2"):
        BakedImage.of(land, read(land.data.terrain), Bake(image="noise", layer=9), Output())


def test_the_message_says_what_was_made_and_where(eroded, tmp_path):
    asked = job_of(
        eroded,
        ["normal", "heightmap", "erosion_depth", "flow"],
        target="file",
        filepath=f"{tmp_path}/",
    )
    while not asked.is_done:
        asked.store(asked.make())
    heights, wear = expected(eroded), expected(eroded, image="field", field="erosion_depth")
    recipe = read(eroded.data.terrain)
    grid = recipe.pixel_grid((32, 16))
    pits = checks.check(recipe, evaluate(recipe, grid).height, grid)[0]
    assert str(asked) == (
        f"Baked 4 images of 32 x 16 pixels to {tmp_path}: "
        f"Heightmap (heights {heights.low:.4g} m to {heights.high:.4g} m), Normal, Flow, "
        f"Erosion Depth (values {wear.low:.4g} to {wear.high:.4g}). Terrain: pits {pits.value:g}"
    )


def step(count):
    """Let the timer do its work until that many images are there."""
    until = time.monotonic() + 30
    while len(bpy.data.images) < count and time.monotonic() < until:
        bakes.worker.poll()
        time.sleep(0.01)
    assert len(bpy.data.images) == count


def test_in_the_background_it_tells_which_of_how_many(eroded):
    asked = job_of(eroded, ["heightmap", "color", "flow"])
    bakes.start(asked)
    bakes.start(job_of(eroded, ["slope"]))
    reported = []
    until = time.monotonic() + 30
    while bakes.is_busy() and time.monotonic() < until:
        now = bakes.progress()
        assert now
        reported.append((*now, bakes.waiting()))
        bakes.worker.poll()
        time.sleep(0.001)
    texts = list(dict.fromkeys(text for _, text, waiting in reported if waiting and text))
    assert texts == ["1 of 3: Heightmap", "2 of 3: Color", "3 of 3: Flow"]
    shares = [share for share, text, waiting in reported if waiting and text]
    assert shares == sorted(shares) and shares[0] < 1 / 3 and shares[-1] > 2 / 3
    assert names() == ["Land Color", "Land Flow", "Land Heightmap", "Land Slope"]
    assert bakes.progress() is None


def test_what_was_stored_stays_when_the_rest_is_cancelled(land):
    bakes.start(job_of(land, ["heightmap", "color", "normal", "hillshade"]))
    bakes.start(job_of(land, ["slope"]))
    step(2)
    bakes.cancel()
    bakes.finish()  # the image that was being computed ends soon
    bakes.worker.poll()
    assert not bakes.is_busy()
    assert names() == ["Land Color", "Land Heightmap"]
    assert bakes.message(land.data) == (
        "The bake was canceled after 2 of 4 images: Heightmap, Color",
        False,
    )
    bakes.start(job_of(land, ["slope", "normal"]))
    bakes.finish()
    assert len(bpy.data.images) == 4
    assert bakes.message(land.data)[0].startswith("Baked 2 images")


def test_what_an_undo_takes_away_half_way_is_made_again(land):
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    land.location.x = 1
    bpy.ops.ed.undo_push(message="Move")
    bakes.start(job_of(land, ["heightmap", "color", "normal"]))
    step(2)
    bpy.ops.ed.undo()
    assert not bpy.data.images
    bakes.finish()
    assert names() == ["Land Color", "Land Heightmap", "Land Normal"]
    assert bakes.message(bpy.data.meshes["Land"])[0].startswith("Baked 3 images")


def test_what_fails_on_the_way_is_reported_and_the_next_bake_goes_on(land, tmp_path):
    place = {"target": "both", "filepath": f"{tmp_path}/"}
    bakes.start(job_of(land, ["heightmap", "color", "normal"], **place))
    bakes.start(job_of(land, ["slope"]))
    step(1)
    (tmp_path / "Land_Color.exr").mkdir()
    bakes.finish()
    assert names() == ["Land Heightmap", "Land Slope"]
    assert files(tmp_path) == ["Land_Color.exr", "Land_Heightmap.exr"]
    assert bakes.message(land.data)[0].startswith("Baked 'Land Slope'")


def test_a_script_is_reported_what_failed_on_the_way(land, tmp_path, monkeypatch):
    begin = job.begin_file

    def full(path, *arguments, **named):
        if "Normal" in path.name:
            raise OSError("No space left on device")
        return begin(path, *arguments, **named)

    monkeypatch.setattr(job, "begin_file", full)
    with pytest.raises(RuntimeError) as error:
        bpy.ops.terrain.bake_set(width=32, target="both", filepath=f"{tmp_path}/")
    reported = "Normal: No space left on device; stored 2 of 3 images: Heightmap, Color"
    assert reported in str(error.value)
    assert names() == ["Land Color", "Land Heightmap"]
    assert files(tmp_path) == ["Land_Color.exr", "Land_Heightmap.exr"]


def test_each_terrain_has_news_of_its_own_bakes(land, eroded):
    eroded.name = "Other"
    bakes.start(job_of(land, ["slope"]))
    bakes.start(job_of(eroded, ["normal"]))
    bakes.finish()
    assert bakes.message(land.data)[0].startswith("Baked 'Land Slope'")
    assert bakes.message(eroded.data)[0].startswith("Baked 'Other Normal'")


def test_the_land_is_made_once(eroded, monkeypatch):
    bpy.ops.terrain.bake_set(width=32)  # solves the terrain, for which snow needs what is eroded
    made = []
    apply = LAYERS["erosion"].apply
    monkeypatch.setattr(
        LAYERS["erosion"], "apply", lambda self, work: made.append(work) or apply(self, work)
    )
    bpy.ops.terrain.bake_set(width=32, flow=True, sky_view=True)
    assert len(bpy.data.images) == 5
    assert len(made) == 1
