# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a sea when its terrain goes. Blender sweeps by a timer, only in a window."""

from types import SimpleNamespace

import addon_utils
import bpy
import pytest

from terrain_addon.blender.objects import orphans


@pytest.fixture
def sea(add):
    """The sea of the terrain "Land"."""
    add().data.terrain.water.show = True
    update()
    return seas()[0]


def seas():
    return [item for item in bpy.data.objects if item.name.startswith("Sea")]


def update():
    """Blender looks at what changed, as it does after every operator."""
    bpy.context.view_layer.update()


def delete(*names):
    bpy.ops.object.select_all(action="DESELECT")
    for name in names:
        bpy.data.objects[name].select_set(True)
    bpy.ops.object.delete()
    update()


def test_a_sea_goes_with_its_terrain(sea):
    mesh = sea.data.name
    delete("Land")
    assert seas()
    assert orphans.sweep() is None
    assert not seas()
    assert mesh not in bpy.data.meshes


def test_nothing_is_removed_while_an_image_is_rendered(sea, monkeypatch):
    delete("Land")
    with monkeypatch.context() as patch:  # renders are jobs only in a window
        app = SimpleNamespace(is_job_running=lambda kind: kind == "RENDER")
        patch.setattr(orphans, "bpy", SimpleNamespace(app=app, data=bpy.data))
        assert orphans.sweep() == orphans.LATER
        assert seas()
    assert orphans.sweep() is None
    assert not seas()


def test_removed_water_is_in_no_view_layer(sea):
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(sea)
    other.view_layers.new("Second")
    layers = [layer for scene in bpy.data.scenes for layer in scene.view_layers]
    for layer in layers:
        layer.update()
    assert sorted(len(layer.objects) for layer in layers) == [1, 1, 2]
    delete("Land")
    orphans.sweep()
    assert [list(layer.objects) for layer in layers] == [[], [], []]


def test_rivers_and_lakes_go_too(add):
    terrain = add().data.terrain
    terrain.water.lakes = terrain.water.rivers = True
    update()
    assert len(bpy.data.objects) == 3
    delete("Land")
    orphans.sweep()
    assert not bpy.data.objects


def test_the_sea_of_another_terrain_stays(sea, add):
    other = add()
    other.data.terrain.water.show = True
    update()
    delete("Land")
    orphans.sweep()
    assert [item.parent for item in seas()] == [other]


def test_a_sea_that_was_taken_off_its_terrain_stays(sea):
    sea.parent = None
    update()
    bpy.context.collection.objects.link(bpy.data.objects.new("Empty", None))
    update()
    delete("Land")
    orphans.sweep()
    assert seas() == [sea]


def test_a_sea_with_another_parent_stays(sea):
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.collection.objects.link(empty)
    sea.parent = empty
    update()
    delete("Land", "Empty")
    orphans.sweep()
    assert seas() == [sea]


def test_a_terrain_that_was_loaded_takes_its_sea_along(sea, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "land.blend"))
    delete("Land")
    orphans.sweep()
    assert not seas()


def test_what_came_back_without_its_terrain_goes_again(sea):
    """As redo does: it brings back a sea whose terrain was deleted."""
    delete("Land")
    kept = seas()[0]
    assert orphans.find_orphans() == [kept]
    assert orphans.find_orphans() == [kept]


def test_a_sea_that_is_deleted_stays_away(sea):
    land = sea.parent.data.terrain
    delete(sea.name)
    orphans.sweep()
    assert not land.water.show
    land.seed += 1
    assert not seas()
    land.water.show = True
    update()
    orphans.sweep()
    assert land.water.show and len(seas()) == 1


def test_rivers_that_are_deleted_leave_the_lakes(add):
    land = add().data.terrain
    land.water.rivers = land.water.lakes = True
    update()
    delete("Rivers")
    orphans.sweep()
    assert (land.water.rivers, land.water.lakes) == (False, True)
    assert "Lakes" in bpy.data.objects and "Rivers" not in bpy.data.objects


def test_a_sea_that_another_object_of_the_terrain_shows_is_not_switched_off(sea):
    twin = sea.parent.copy()
    bpy.context.collection.objects.link(twin)
    sea.parent.data.terrain.seed += 1
    update()
    assert len(seas()) == 2
    delete(sea.name)
    orphans.sweep()
    assert twin.data.terrain.water.show


def test_a_sea_that_is_switched_off_may_come_again(sea):
    land = sea.parent.data.terrain
    land.water.show = False
    update()
    land.water.show = True
    update()
    orphans.sweep()
    assert land.water.show


def test_a_terrain_takes_its_sea_along_after_the_extension_was_enabled_again(sea, extension_id):
    addon_utils.disable(extension_id)
    addon_utils.enable(extension_id)
    assert bpy.app.timers.is_registered(orphans.sweep)
    orphans.sweep()
    delete("Land")
    orphans.sweep()
    assert not seas()
