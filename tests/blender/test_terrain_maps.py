# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains as maps of other terrains, which follow them."""

from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.mesh import painted_maps
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS
from tests.blender.test_shapes import settle

STEP, SIDE = 10.0, 33
"""Meters between points, and points along a side, of the terrain that is the map."""
WIDE = 2 * SIDE - 1
"""Those of the other one, which is twice as wide, with points at the same distance."""


def noise(seed=1):
    return LAYERS["fractal_noise"](height=50.0, size=80.0, seed=seed)


@pytest.fixture
def terrain(add):
    """A terrain of one layer."""

    def made(name, settings, side=WIDE):
        size = STEP * (side - 1)
        recipe = Recipe(layers=(Layer.of(settings),), size_x=size, size_y=size)
        item = add(recipe, resolution=side)
        item.name = name
        return item

    return made


def height_map(name):
    return LAYERS["height_map"](source=name)


def name_map(item, name):
    item.data.terrain.layers[0].height_map.source = name


def animate(item):
    """Let the noise of a terrain change from frame 1 to frame 2."""
    setting = item.data.terrain.layers[0].fractal_noise
    setting.animate = True
    for frame, value in ((1, 0.0), (2, 1.0)):
        setting.evolution = value
        item.data.keyframe_insert("terrain.layers[0].fractal_noise.evolution", frame=frame)


def heights(item):
    settle()
    return shown(item)


def shown(item):
    side = round(len(item.data.vertices) ** 0.5)
    points = np.empty((side * side, 3), np.float32)
    item.data.attributes["position"].data.foreach_get("vector", points.reshape(-1))
    return points[:, 2].reshape(side, side)


def middle(item):
    """The points of the wide terrain above those of the other one."""
    edge = (WIDE - SIDE) // 2
    return heights(item)[edge : edge + SIDE, edge : edge + SIDE]


def test_a_stamp_of_a_terrain_has_its_heights_in_meters(terrain):
    source = terrain("Hill", noise(), SIDE)
    empty = bpy.data.objects.new("Place", None)
    bpy.context.collection.objects.link(empty)
    stamp = LAYERS["stamp"](source="Hill", places="Place", size=STEP * (SIDE - 1), falloff=0.0)
    item = terrain("Island", stamp)
    np.testing.assert_allclose(middle(item), heights(source), atol=2e-3)
    assert np.ptp(heights(source)) > 10 and not heights(item)[0].any()
    empty.location, empty.scale = (STEP * 4, 0.0, 0.0), (1.0, 1.0, 2.0)
    np.testing.assert_allclose(middle(item)[:, 4:], 2 * heights(source)[:, :-4], atol=4e-3)


def test_it_lies_at_its_true_size(terrain):
    source = terrain("Hill", noise(), SIDE)
    item = terrain("Island", height_map("Hill"))
    item.data.terrain.layers[0].height_map.fit = "true"
    np.testing.assert_allclose(middle(item), heights(source), atol=2e-3)


def test_terrains_follow_one_another(terrain):
    first = terrain("C", noise())
    second, third = terrain("B", height_map("C")), terrain("A", height_map("B"))
    for change in (5, 6):
        first.data.terrain.layers[0].fractal_noise.seed = change
        seen = heights(third)
        np.testing.assert_allclose(seen, heights(first), atol=5e-3)
        np.testing.assert_allclose(heights(second), heights(first), atol=2e-3)
    first.data.vertices[WIDE * 30 + 30].co.z += 40  # as a brush does
    first.data.update()
    assert heights(third)[30, 30] - seen[30, 30] == pytest.approx(40, abs=1)


def test_a_terrain_cannot_be_made_from_itself(terrain):
    items = {name: terrain(name, height_map("")) for name in "ABC"}
    for name, source in ("AB", "BC"):
        name_map(items[name], source)
    settle()
    for name, source in ("CA", "CC"):
        name_map(items[name], source)
        settle()
        assert source in rebuild.error_of(items[name].data)
        assert "choose another" in rebuild.error_of(items[name].data)
    assert not rebuild.error_of(items["A"].data) and not rebuild.error_of(items["B"].data)
    name_map(items["C"], "")
    settle()
    assert not rebuild.error_of(items["C"].data)


def test_the_mesh_stays_without_a_terrain_that_can_be_read(terrain):
    source = terrain("Hill", noise())
    item = terrain("Island", height_map("Hill"))
    before = heights(item)
    bpy.ops.object.select_all(action="DESELECT")  # each selected object would enter the mode
    source.select_set(True)
    bpy.context.view_layer.objects.active = source
    bpy.ops.object.mode_set(mode="EDIT")
    item.data.terrain.seed = 2
    assert "leave its Edit Mode" in rebuild.error_of(item.data)
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.object.mode_set(mode="OBJECT")
    settle()
    assert "is no grid" in rebuild.error_of(item.data)
    bpy.data.objects.remove(source)
    settle()
    assert "no map named 'Hill'" in rebuild.error_of(item.data)
    assert np.array_equal(heights(item), before)


def test_what_is_painted_precedes_a_terrain_of_that_name(terrain):
    item = terrain("Island", noise())
    item.vertex_groups.new(name="Island").add(range(WIDE), 1.0, "REPLACE")
    mask = item.data.terrain.layers[0].mask_map
    mask.source, mask.use = "Island", True
    assert heights(item)[0].any() and not heights(item)[1:].any()


def test_other_terrains_are_suggested(terrain):
    terrain("Hill", noise(), SIDE)
    item = terrain("Island", height_map(""))
    group = item.data.terrain.layers[0].height_map
    found = [name for name, what in painted_maps.suggestions(group, None, "") if what == "Terrain"]
    assert found == ["Hill"]


def test_it_follows_in_a_file_and_in_each_frame(terrain, tmp_path):
    terrain("Hill", noise())
    terrain("A Copy", height_map("Hill"))
    settle()
    path = str(tmp_path / "terrains.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    source, copy = bpy.data.objects["Hill"], bpy.data.objects["A Copy"]
    source.data.terrain.layers[0].fractal_noise.seed = 7
    np.testing.assert_allclose(heights(copy), heights(source), atol=2e-3)
    animate(source)
    seen = []
    for frame in (1, 2):
        bpy.context.scene.frame_set(frame)
        seen.append(heights(copy))
        np.testing.assert_allclose(seen[-1], heights(source), atol=2e-3)
    assert np.abs(seen[1] - seen[0]).max() > 1


@pytest.mark.parametrize("animated", [False, True])
def test_in_each_frame_sources_come_first(terrain, animated):
    """A render calls no timer, which would put it right later."""
    items = {name: terrain(name, height_map("")) for name in "AB"}
    items["C"] = terrain("C", noise())
    for name, source in ("AB", "BC"):
        name_map(items[name], source)
    animate(items["C"])
    for frame in (1, 2):
        for name in "AB" if animated else "":
            items[name].data.keyframe_insert("terrain.layers[0].height_map.offset", frame=frame)
    settle()
    seen = []
    for frame in (1, 2):
        bpy.context.scene.frame_set(frame)
        seen.append(shown(items["A"]))
        np.testing.assert_allclose(seen[-1], shown(items["C"]), atol=5e-3)
    assert np.abs(seen[1] - seen[0]).max() > 1


def test_an_appended_terrain_follows_what_its_names_mean_in_this_file(terrain, tmp_path):
    """Blender renames the terrain that is appended with it, as this file has one of that name."""
    terrain("Hill", noise(1))
    terrain("A Copy", height_map("Hill"))
    settle()
    file = str(tmp_path / "other.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    here = terrain("Hill", noise(2))
    library: Any = bpy.data.libraries.load(file)
    with library as (_, wanted):
        wanted.objects = ["Hill", "A Copy"]
    for item in wanted.objects:
        bpy.context.collection.objects.link(item)
    copy = bpy.data.objects["A Copy"]
    assert "Hill.001" in bpy.data.objects
    np.testing.assert_allclose(heights(copy), heights(here), atol=2e-3)
    here.data.terrain.layers[0].fractal_noise.seed = 7
    np.testing.assert_allclose(heights(copy), heights(here), atol=2e-3)
