# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes and drivers follow their layers and colors."""

from typing import Any

import bpy
import pytest

from terrain_addon.core import Layer, Palette, Recipe, Region, presets
from terrain_addon.core.layers import LAYERS

OPACITIES = {"A": 0.25, "B": 0.5, "C": 0.75}
STARTS = {"Low": 0.1, "Middle": 0.4, "High": 0.8}


@pytest.fixture
def mesh(add):
    """A terrain of three layers and three colours; the second of each is the active one."""
    noise = LAYERS["fractal_noise"]()
    layers = tuple(Layer.of(noise, name=name) for name in OPACITIES)
    regions = tuple(Region(name=name, start=start) for name, start in STARTS.items())
    made = add(Recipe(layers=layers, palette=Palette(regions=regions))).data
    made.terrain.active_layer = made.terrain.palette.active_region = 1
    return made


@pytest.fixture
def keyed(mesh):
    """The same, with a key for each amount, height and start."""
    key_all(mesh)
    return mesh


def key_all(mesh):
    for n, layer in enumerate(mesh.terrain.layers):
        layer.opacity = OPACITIES[layer.name]
        layer.fractal_noise.height = 1000 * layer.opacity
        mesh.keyframe_insert(f"terrain.layers[{n}].opacity", frame=1)
        mesh.keyframe_insert(f"terrain.layers[{n}].fractal_noise.height", frame=1)
    for n in range(len(mesh.terrain.palette.regions)):
        mesh.keyframe_insert(f"terrain.palette.regions[{n}].start", frame=1)


def drive_all(mesh):
    for n, layer in enumerate(mesh.terrain.layers):
        driver = mesh.driver_add(f"terrain.layers[{n}].opacity").driver
        driver.expression = str(OPACITIES[layer.name])


def curves(mesh, action=None):
    """The F-curves that play on a mesh, of another action if named."""
    action = action or mesh.animation_data.action
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    slot = mesh.animation_data.action_slot
    return list(action.layers[0].strips[0].channelbag(slot).fcurves)


def paths(mesh, action=None):
    return sorted(curve.data_path for curve in curves(mesh, action))


def spoil(mesh):
    """Give the settings other values than animation has for them."""
    for layer in mesh.terrain.layers:
        layer.opacity = 0.125
    for region in mesh.terrain.palette.regions:
        region.start = 0.0


def played(mesh):
    """The amount of each layer by its name, as animation sets it in frame 1."""
    bpy.context.scene.frame_set(2)
    spoil(mesh)
    bpy.context.scene.frame_set(1)
    return [(layer.name, round(layer.opacity, 5)) for layer in mesh.terrain.layers]


def starts(mesh):
    played(mesh)
    return {region.name: round(region.start, 3) for region in mesh.terrain.palette.regions}


def of(*names):
    return [(name, OPACITIES.get(name, 0.125)) for name in names]


def add_layer():
    bpy.ops.terrain.layer_add(kind="terrace")


MOVES = {
    "up": (lambda: bpy.ops.terrain.layer_move(direction="UP"), ("B", "A", "C")),
    "down": (lambda: bpy.ops.terrain.layer_move(direction="DOWN"), ("A", "C", "B")),
    "add": (add_layer, ("A", "B", "Terrace", "C")),
    "remove": (bpy.ops.terrain.layer_remove, ("A", "C")),
}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("animate", [key_all, drive_all])
def test_animation_follows_its_layer(mesh, move, animate):
    animate(mesh)
    act, names = MOVES[move]
    act()
    assert played(mesh) == of(*names)


def test_groups_of_a_layer_follow_too(keyed):
    bpy.ops.terrain.layer_move(direction="UP")
    played(keyed)
    assert [layer.fractal_noise.height for layer in keyed.terrain.layers] == [500, 250, 750]


def test_a_copy_has_no_keys(keyed):
    before = len(curves(keyed))
    bpy.ops.terrain.layer_duplicate()
    keyed.terrain.layers[2].name = "Copy"
    assert played(keyed) == of("A", "B", "Copy", "C")
    assert len(curves(keyed)) == before


@pytest.mark.smoke
def test_keys_of_a_removed_layer_go(keyed):
    drive_all(keyed)
    bpy.ops.terrain.layer_remove()
    opacities = [path for path in paths(keyed) if path.endswith("opacity")]
    assert opacities == ["terrain.layers[0].opacity", "terrain.layers[1].opacity"]
    assert sorted(d.data_path for d in keyed.animation_data.drivers) == opacities


def test_other_keys_stay(keyed):
    keyed.keyframe_insert("terrain.seed", frame=1)
    for act, _ in MOVES.values():
        act()
    assert "terrain.seed" in paths(keyed)
    assert starts(keyed) == STARTS


def test_keys_follow_their_colour(keyed):
    bpy.ops.terrain.region_add()
    keyed.terrain.palette.regions[3].name = "New"
    assert starts(keyed) == {**STARTS, "New": 0.0}
    keyed.terrain.palette.active_region = 0
    bpy.ops.terrain.region_remove()
    assert starts(keyed) == {"Middle": 0.4, "High": 0.8, "New": 0.0}


def test_keys_follow_colours_by_masks(keyed):
    """When they move past each other, and when a palette is loaded."""
    for by in ("flow", "ridge"):
        bpy.ops.terrain.region_add(based_on=by)
    keyed.keyframe_insert("terrain.palette.regions[4].low", frame=1)
    bpy.ops.terrain.region_move(direction="DOWN")
    assert paths(keyed)[-1] == "terrain.palette.regions[3].low"
    bpy.ops.terrain.palette_load(name="desert")
    loaded = len(presets.load_palette("desert").regions)
    regions = keyed.terrain.palette.regions
    assert [one.based_on for one in regions] == ["height"] * loaded + ["ridge", "flow"]
    in_palette = [path for path in paths(keyed) if "regions" in path]
    assert in_palette == [f"terrain.palette.regions[{loaded}].low"]


def test_a_palette_that_is_loaded_has_no_keys(keyed):
    bpy.ops.terrain.palette_load(name="desert")
    assert not any("regions" in path for path in paths(keyed))
    assert any("layers" in path for path in paths(keyed))


@pytest.mark.smoke
def test_a_driver_goes_on_reading_its_layer(mesh):
    driver = mesh.driver_add("terrain.layers[0].opacity").driver
    variable = driver.variables.new()
    variable.targets[0].id_type = "MESH"
    variable.targets[0].id = mesh
    variable.targets[0].data_path = "terrain.layers[1].opacity"
    bpy.ops.terrain.layer_move(direction="DOWN")
    assert variable.targets[0].data_path == "terrain.layers[2].opacity"
    assert mesh.animation_data.drivers[0].data_path == "terrain.layers[0].opacity"


def push_down(mesh):
    """Put the keys into a strip of the NLA."""
    data = mesh.animation_data
    strip = data.nla_tracks.new().strips.new("Strip", 1, data.action)
    if slot := getattr(data, "action_slot", None):
        strip.action_slot = slot
    data.action = None
    return strip


@pytest.mark.smoke
def test_strips_follow(keyed):
    push_down(keyed)
    bpy.ops.terrain.layer_move(direction="UP")
    assert played(keyed) == of("B", "A", "C")


def test_an_action_in_use_twice_is_renumbered_once(keyed):
    action = keyed.animation_data.action
    slot = getattr(keyed.animation_data, "action_slot", None)
    push_down(keyed)
    keyed.animation_data.action = action
    if slot:
        keyed.animation_data.action_slot = slot
    keyed.terrain.active_layer = 0
    bpy.ops.terrain.layer_move(direction="DOWN")
    keyed.terrain.active_layer = 1
    bpy.ops.terrain.layer_move(direction="DOWN")
    assert played(keyed) == of("B", "C", "A")


@pytest.mark.parametrize("strips", [False, True])
def test_another_terrain_with_the_same_keys_keeps_them(keyed, strips):
    if strips:
        push_down(keyed)
    twin = keyed.copy()
    bpy.context.collection.objects.link(bpy.data.objects.new("Twin", twin))
    actions = len(bpy.data.actions)
    bpy.ops.terrain.layer_move(direction="UP")
    assert len(bpy.data.actions) == actions + 1
    assert played(keyed) == of("B", "A", "C")
    assert played(twin) == of("A", "B", "C")
    bpy.ops.terrain.layer_move(direction="DOWN")
    assert len(bpy.data.actions) == actions + 1, "copied again, though nobody shares it any more"


def test_keys_of_a_library_are_copied(keyed, tmp_path):
    """Changes of what another file holds would be lost when this one is saved."""
    path, name = str(tmp_path / "keys.blend"), keyed.animation_data.action.name
    bpy.data.libraries.write(path, {keyed.animation_data.action})
    library: Any = bpy.data.libraries.load(path, link=True)
    with library as (_, linked):
        linked.actions = [name]
    action, before = linked.actions[0], paths(keyed)
    keyed.animation_data.action = action
    if hasattr(action, "slots"):
        keyed.animation_data.action_slot = action.slots[0]
    bpy.ops.terrain.layer_remove()
    assert keyed.animation_data.action.library is None
    assert played(keyed) == of("A", "C")
    assert paths(keyed, action) == before


def test_shared_keys_of_other_settings_stay_shared(mesh):
    mesh.keyframe_insert("terrain.seed", frame=1)
    twin = mesh.copy()
    bpy.ops.terrain.layer_move(direction="UP")
    assert mesh.animation_data.action == twin.animation_data.action


def test_shared_keys_cannot_be_copied_in_tweak_mode(keyed):
    push_down(keyed)
    keyed.copy()
    keyed.animation_data.nla_tracks[0].select = True
    keyed.animation_data.nla_tracks[0].strips[0].select = True
    keyed.animation_data.use_tweak_mode = True
    assert keyed.animation_data.use_tweak_mode
    with pytest.raises(RuntimeError, match="Tweak Mode"):
        bpy.ops.terrain.layer_move(direction="UP")
    assert [layer.name for layer in keyed.terrain.layers] == ["A", "B", "C"]


def test_a_plain_mesh_has_no_keys_of_what_it_was(keyed):
    drive_all(keyed)
    keyed["mine"] = 1.0
    keyed.keyframe_insert('["mine"]', frame=1)
    assert bpy.ops.terrain.make_plain() == {"FINISHED"}
    assert paths(keyed) == ['["mine"]']
    assert not keyed.animation_data.drivers


@pytest.mark.parametrize(("setting", "value"), [("resolution", 17), ("size_y", 300.0)])
def test_keyframes_and_drivers_stay_if_the_number_of_points_changes(keyed, setting, value):
    """Blender crashed here: clearing the geometry freed the drivers that it evaluates."""
    keyed.driver_add("terrain.seed").driver.expression = "3 + frame"
    before, points = animation_of(keyed), len(keyed.vertices)
    bpy.context.view_layer.update()
    setattr(keyed.terrain, setting, value)
    assert len(keyed.vertices) != points
    assert animation_of(keyed) == before
    bpy.context.scene.frame_set(7)
    assert keyed.terrain.seed == 10


def animation_of(mesh):
    data = mesh.animation_data
    return data and (data.action, [curve.data_path for curve in data.drivers])
