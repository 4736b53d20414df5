# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's presets: read once, with pictures, imported and exported, named in the panel."""

import dataclasses
import json
import os
from typing import Any

import bpy
import pytest

from terrain_addon.blender.app.preferences import presets_folder
from terrain_addon.blender.data import previews
from terrain_addon.blender.properties import choices, loaded_preset, user_presets
from terrain_addon.blender.properties.recipe import read
from terrain_addon.blender.ui import menus
from terrain_addon.core import Layer, presets
from terrain_addon.core.layers import LAYERS


@pytest.fixture
def reads(monkeypatch):
    """The names of the user's presets that were read since."""
    found = []
    load = presets.load

    def counted(name, folder=presets.FOLDER):
        if folder == presets_folder():  # those of the extension are read by the first test
            found.append(name)
        return load(name, folder)

    monkeypatch.setattr(presets, "load", counted)
    return found


def items():
    """What a menu asks for, for each of its entries."""
    choices.preset_items(None, bpy.context)
    return {item[0]: item[2] for item in choices.own_preset_items(None, bpy.context)}


def write(name, text):
    presets_folder().mkdir(parents=True, exist_ok=True)
    path = presets_folder() / f"{name}.json"
    path.write_text(text)
    return path


def test_each_file_is_read_once_however_many_entries_a_menu_has(reads):
    for n in range(20):
        write(f"P{n:02}", json.dumps({"about": f"Number {n}."}))
    for _ in range(20):
        found = items()
    assert found == {f"P{n:02}": f"Number {n}" for n in range(20)}
    assert sorted(reads) == sorted(found)


def test_a_broken_and_a_huge_file_are_read_once(reads):
    write("Broken", "{")
    write("Huge", json.dumps({"about": "x" * 10_000_000, "no": 1}))
    for _ in range(5):
        assert items() == {"Broken": "", "Huge": ""}
    assert sorted(reads) == ["Broken", "Huge"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_to_itself_does_not_empty_the_menus():
    write("Good", "{}")
    (presets_folder() / "loop.json").symlink_to("loop.json")
    assert list(items()) == ["Good"]
    assert bpy.ops.terrain.add(preset="island", resolution=9) == {"FINISHED"}


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_the_menu_names_files_that_are_no_presets():
    write("Good", "{}")
    assert menus._unusable_presets() == []
    write("Broken", "{")
    with write("Sparse", "").open("wb") as file:
        file.truncate(3 << 30)  # takes no room on the disk
    os.mkfifo(presets_folder() / "pipe.json")
    (presets_folder() / "folder.json").mkdir()
    (presets_folder() / "loop.json").symlink_to("loop.json")
    assert list(items()) == ["Broken", "Good", "Sparse"]
    assert menus._unusable_presets() == [
        "Broken.json is no preset",
        "Sparse.json is no preset",
        "folder.json is no preset",
        "and 2 more",
    ]
    with pytest.raises(RuntimeError, match="Sparse.json cannot be read: it has more than 8 MiB"):
        bpy.ops.terrain.add(preset="Sparse", resolution=9)


def test_a_changed_file_is_read_again_and_only_that(reads):
    path = write("A", '{"about": "One"}')
    write("B", '{"about": "Other"}')
    items()
    stamp = path.stat()
    path.write_text('{"about": "Two"}')  # of the same size
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    reads.clear()
    assert items()["A"] == "Two"
    assert reads == ["A"]
    path.unlink()
    assert items() == {"B": "Other"}
    write("A", '{"about": "Three"}')
    assert items()["A"] == "Three"


@pytest.mark.smoke
def test_a_saved_preset_has_a_picture_until_it_is_removed(add):
    add()
    bpy.ops.terrain.preset_save(name="Mine")
    picture = presets_folder() / "Mine.png"
    assert picture.read_bytes()[1:4] == b"PNG"
    assert user_presets.users_own() == ["Mine"]
    bpy.ops.terrain.preset_remove(preset="Mine")
    assert list(presets_folder().iterdir()) == []


def test_a_new_preset_takes_no_name_that_is_taken_in_other_letters(recipe):
    """On many disks it would replace that file."""
    user_presets.save("Mine", recipe)
    assert user_presets.save_new("mine", recipe) == "mine 2"
    assert user_presets.users_own() == ["Mine", "mine 2"]


def test_a_recipe_that_cannot_be_drawn_is_saved_without_a_picture(add, recipe):
    add()
    bpy.ops.terrain.preset_save(name="Mine")
    of_map = Layer.of(LAYERS["height_map"](source="Nowhere"))
    user_presets.save("Mine", dataclasses.replace(recipe, layers=(of_map,)))
    assert [path.name for path in presets_folder().iterdir()] == ["Mine.json"]
    assert user_presets.icon("Mine") == 0


def test_a_picture_is_loaded_again_only_when_its_preset_changes(add, recipe, monkeypatch):
    loaded = []
    collection = previews._collection()
    load = type(collection).load
    monkeypatch.setattr(
        type(collection), "load", lambda self, *args: loaded.append(args[0]) or load(self, *args)
    )
    user_presets.save("Mine", recipe)
    for _ in range(3):
        items()
    assert [name for name in loaded if name.endswith("Mine.png")] == [
        str(presets_folder() / "Mine.png")
    ]
    user_presets.save("Mine", dataclasses.replace(recipe, about="Another"))
    items()
    assert len([name for name in loaded if name.endswith("Mine.png")]) == 2
    assert sum(key.endswith("Mine.png") for key in collection) == 1


def test_every_built_in_preset_has_a_picture_that_blender_reads():
    for name in user_presets.built_in():
        image: Any = bpy.data.images.load(str(presets.picture_path(name)))
        assert image.size[:] == (192, 192)
        assert image.channels == 4


def test_a_recipe_passes_through_export_and_import(add, recipe, tmp_path):
    mesh = add().data
    path = tmp_path / "shared hills.json"
    assert bpy.ops.terrain.preset_export(filepath=str(path)) == {"FINISHED"}
    assert json.loads(path.read_text()) == recipe.to_dict()
    for name in ("shared hills", "shared hills 2"):
        assert bpy.ops.terrain.preset_import(filepath=str(path)) == {"FINISHED"}
        assert name in user_presets.users_own()
        assert (presets_folder() / f"{name}.png").is_file()
    bpy.ops.terrain.random_seed()
    bpy.ops.terrain.preset_load(preset="shared hills 2")
    assert read(mesh.terrain) == recipe


def test_an_imported_file_does_not_hide_a_built_in_preset(tmp_path):
    path = tmp_path / "alps.json"
    path.write_text("{}")
    bpy.ops.terrain.preset_import(filepath=str(path))
    assert user_presets.users_own() == ["alps 2"]


@pytest.mark.parametrize("text", ["", "[]", '{"layers": 3}', '{"sizes": 1}'])
def test_a_file_that_is_no_recipe_is_not_imported(text, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(RuntimeError, match="other"):
        bpy.ops.terrain.preset_import(filepath=str(path))
    with pytest.raises(RuntimeError, match="no preset named 'none'"):
        bpy.ops.terrain.preset_import(filepath=str(tmp_path / "none.json"))
    assert user_presets.users_own() == []


def test_an_export_to_nowhere_says_so(add, tmp_path):
    add()
    with pytest.raises(RuntimeError, match="cannot be written"):
        bpy.ops.terrain.preset_export(filepath=str(tmp_path / "none" / "a.json"))


def title():
    return loaded_preset.title(bpy.context.object.data.terrain)


@pytest.mark.slow
def test_the_panel_names_the_preset_and_whether_it_was_changed(add):
    bpy.ops.terrain.add(preset="mesa", resolution=9)
    terrain = bpy.context.object.data.terrain
    assert title() == "Mesa"
    terrain.layers[0].opacity = 0.25
    assert title() == "Mesa (changed)"
    terrain.layers[0].opacity = 1.0
    assert title() == "Mesa"
    bpy.ops.terrain.preset_save(name="Mine")
    assert title() == "Mine"
    bpy.ops.terrain.preset_load(preset="rolling_downs")
    assert title() == "Rolling Downs"
    add()
    assert title() == ""


@pytest.mark.slow
def test_sizes_and_seeds_chosen_when_adding_are_no_change():
    bpy.ops.terrain.add(preset="island", resolution=9, size=333.3, seed=3)
    assert title() == "Island"


def test_the_name_of_the_preset_survives_undo_and_files(tmp_path):
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.terrain.add(preset="mesa", resolution=9)
    bpy.ops.ed.undo_push(message="Add")
    bpy.ops.terrain.preset_load(preset="dunes")
    bpy.ops.ed.undo_push(message="Load")
    assert title() == "Dunes"
    bpy.ops.ed.undo()
    assert title() == "Mesa"
    bpy.ops.ed.redo()
    assert title() == "Dunes"
    bpy.context.object.data.terrain.seed = 9
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    assert title() == "Dunes (changed)"


@pytest.mark.smoke
def test_a_terrain_is_an_asset_with_its_picture(add, recipe, tmp_path):
    item = add(dataclasses.replace(recipe, about="Hills of a test"))
    assert bpy.ops.terrain.mark_asset() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    item: Any = bpy.data.objects[0]
    assert item.asset_data.description == "Hills of a test"
    assert [tag.name for tag in item.asset_data.tags] == ["Terrain"]
    width, height = item.preview.image_size
    assert (width, height) == (192, 192)
    alpha = [item.preview.image_pixels_float[4 * (y * width + 96) + 3] for y in (0, 96)]
    assert alpha == [0.0, 1.0]
