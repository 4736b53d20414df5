# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of layers in the list: made, dissolved, moved through, copied, saved as biomes."""

import dataclasses
import types
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.preferences import biomes_folder
from terrain_addon.blender.data import keyframes
from terrain_addon.blender.mesh import terrain_mesh
from terrain_addon.blender.properties.layer_tree import tree_of
from terrain_addon.blender.properties.recipe import read
from terrain_addon.blender.ui import field_choice
from terrain_addon.blender.ui.lists import TERRAIN_UL_layers
from terrain_addon.core import Erosion, Hills, Layer, Palette, Recipe, Region, Smooth, evaluate
from terrain_addon.core.output.coloring import evaluate_colored
from terrain_addon.core.recipe import biomes, grouped, layers_to_json

FLAT = [Layer.of(Hills(height=9.0), name=name) for name in "ABCD"]


def of(*layers):
    return Recipe(layers=layers, material="simple")


NESTED = of(FLAT[0], *grouped([FLAT[1], *grouped([FLAT[2]], name="In")], name="Out"), FLAT[3])
"""A, Out(B, In(C)), D"""


def shown(terrain):
    """The list from top to bottom, members in parentheses."""

    def text(nodes):
        for node in nodes:
            name = terrain.layers[node.place].name
            yield name if node.members is None else f"{name}({' '.join(text(node.members))})"

    return " ".join(text(tree_of(terrain)))


@pytest.fixture
def terrain(add):
    """The settings of a terrain of `NESTED`."""
    return add(NESTED, resolution=9).data.terrain


def activate(terrain, name):
    terrain.active_layer = terrain.layers.find(name)


def active(terrain):
    return terrain.layers[terrain.active_layer].name


@pytest.mark.smoke
def test_groups_survive_the_way_through_blender(terrain):
    assert read(terrain).layers == NESTED.layers
    assert shown(terrain) == "A Out(B In(C)) D"


def test_the_mesh_has_the_heights_of_the_groups(add):
    recipe = of(*FLAT[:1], *grouped(FLAT[1:3], opacity=0.4))
    mesh = add(recipe, resolution=9).data
    height = np.empty(81, np.float32)
    mesh.attributes["height"].data.foreach_get("value", height)
    np.testing.assert_array_equal(height, evaluate(recipe, recipe.grid(9)).height.reshape(-1))


def test_layers_are_grouped(add):
    terrain = add(of(*FLAT), resolution=9).data.terrain
    terrain.active_layer = 2
    assert bpy.ops.terrain.layer_group(count=2) == {"FINISHED"}
    assert (shown(terrain), active(terrain)) == ("A Group(B C) D", "Group")
    activate(terrain, "B")
    bpy.ops.terrain.layer_group()
    assert shown(terrain) == "A Group(Group(B) C) D"
    assert read(terrain).layers[2].name == "Group"


def test_a_group_is_grouped_with_what_is_above_it(terrain):
    activate(terrain, "Out")
    bpy.ops.terrain.layer_group(count=9)
    assert shown(terrain) == "Group(A Out(B In(C))) D"


def test_a_group_is_dissolved(terrain):
    activate(terrain, "Out")
    bpy.ops.terrain.layer_ungroup()
    assert shown(terrain) == "A B In(C) D"
    activate(terrain, "A")
    assert not bpy.ops.terrain.layer_ungroup.poll()


@pytest.mark.parametrize(
    ("name", "direction", "expected"),
    [
        ("D", "UP", "A Out(B In(C) D)"),
        ("A", "DOWN", "Out(A B In(C)) D"),
        ("B", "UP", "A B Out(In(C)) D"),
        ("In", "DOWN", "A Out(B) In(C) D"),
        ("C", "DOWN", "A Out(B In() C) D"),
        ("B", "DOWN", "A Out(In(B C)) D"),
        ("Out", "UP", "Out(B In(C)) A D"),
        ("Out", "DOWN", "A D Out(B In(C))"),
    ],
)
def test_layers_move_into_groups_and_out(terrain, name, direction, expected):
    activate(terrain, name)
    assert bpy.ops.terrain.layer_move(direction=direction) == {"FINISHED"}
    assert (shown(terrain), active(terrain)) == (expected, name)


def test_layers_move_past_folded_groups(terrain):
    terrain.layers["Out"].folded = True
    activate(terrain, "D")
    bpy.ops.terrain.layer_move(direction="UP")
    assert shown(terrain) == "A D Out(B In(C))"
    assert bpy.ops.terrain.layer_move(direction="UP") == {"FINISHED"}
    assert bpy.ops.terrain.layer_move(direction="UP") == {"CANCELLED"}


def test_a_group_is_removed_with_its_layers(terrain):
    activate(terrain, "Out")
    bpy.ops.terrain.layer_remove()
    assert (shown(terrain), active(terrain)) == ("A D", "D")


def test_the_last_layer_of_a_group_leaves_it_empty(terrain):
    activate(terrain, "C")
    bpy.ops.terrain.layer_remove()
    assert (shown(terrain), active(terrain)) == ("A Out(B In()) D", "In")


def test_a_group_is_duplicated_with_its_layers(terrain):
    terrain.layers["C"].opacity = 0.25
    terrain.layers["Out"].mask_slope.use = True
    activate(terrain, "Out")
    bpy.ops.terrain.layer_duplicate()
    assert shown(terrain) == "A Out(B In(C)) Out(B In(C)) D"
    layers = read(terrain).layers
    assert layers[1:5] == layers[5:9] and layers[4].masks
    assert terrain.active_layer == 8


def test_new_layers_come_after_the_active_one_in_its_group(terrain):
    activate(terrain, "B")
    bpy.ops.terrain.layer_add(kind="smooth")
    assert shown(terrain) == "A Out(B Smooth In(C)) D"


@pytest.mark.parametrize(
    ("folded", "expected"), [(False, "A Out(B In(C) Smooth) D"), (True, "A Out(B In(C)) Smooth D")]
)
def test_new_layers_go_into_an_open_group(terrain, folded, expected):
    terrain.layers["Out"].folded = folded
    activate(terrain, "Out")
    bpy.ops.terrain.layer_add(kind="smooth")
    assert shown(terrain) == expected


def test_erosion_belongs_last_or_at_the_end_of_the_active_group(terrain):
    terrain.live = False
    activate(terrain, "B")
    bpy.ops.terrain.layer_add(kind="erosion")
    bpy.ops.terrain.layer_add(kind="group")
    bpy.ops.terrain.layer_add(kind="erosion")
    assert shown(terrain) == "A Out(B In(C)) D Erosion Group(Erosion)"


def test_pasted_groups_come_after_the_active_group(terrain):
    activate(terrain, "Out")
    text = layers_to_json(grouped([Smooth()], name="New"))
    assert bpy.ops.terrain.layer_paste(text=text) == {"FINISHED"}
    assert (shown(terrain), active(terrain)) == ("A Out(B In(C)) New(Smooth) D", "New")


def test_keyframes_follow_into_a_group(terrain):
    terrain.layers["D"].keyframe_insert("opacity", frame=1)
    activate(terrain, "A")
    bpy.ops.terrain.layer_group()
    activate(terrain, "D")
    bpy.ops.terrain.layer_move(direction="UP")
    place = terrain.layers.find("D")
    data = terrain.id_data.animation_data
    curves = getattr(data.action, "fcurves", None)
    if curves is None:
        curves = data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    assert [curve.data_path for curve in curves] == [f"terrain.layers[{place}].opacity"]


def test_a_folded_group_hides_its_layers(terrain):
    activate(terrain, "C")
    terrain.layers["In"].folded = True
    assert active(terrain) == "In", "the active layer is never hidden"
    assert visible(terrain) == ["A", "Out", "B", "In", "D"]
    terrain.layers["Out"].folded = True
    assert (visible(terrain), active(terrain)) == (["A", "Out", "D"], "Out")


def visible(terrain):
    """The names that the list draws."""

    class List:
        filter_name, bitflag_filter_item = "", 1

    draws: Any = TERRAIN_UL_layers.filter_items
    flags, places = draws(List(), bpy.context, terrain, "layers")
    rows = sorted(zip(places, flags, terrain.layers, strict=True), key=lambda row: row[0])
    return [item.name for _, flag, item in rows if flag]


def test_a_muted_group_leaves_the_ground(add):
    recipe = of(FLAT[0], *grouped(FLAT[1:3]))
    mesh = add(recipe, resolution=9).data
    mesh.terrain.layers[3].enabled = False
    ground = evaluate(of(FLAT[0]), recipe.grid(9)).height
    height = np.empty(81, np.float32)
    mesh.attributes["height"].data.foreach_get("value", height)
    np.testing.assert_array_equal(height, ground.reshape(-1))


def test_a_biome_is_saved_and_added_to_another_terrain(terrain, add):
    activate(terrain, "Out")
    assert bpy.ops.terrain.biome_save(name="Meadow") == {"FINISHED"}
    assert [path.name for path in biomes_folder().iterdir()] == ["Meadow.json"]
    other = add(of(FLAT[3]), resolution=9).data.terrain
    assert bpy.ops.terrain.biome_add(biome="Meadow") == {"FINISHED"}
    assert shown(other) == "D Out(B In(C))"
    assert read(other).layers[1:] == NESTED.layers[1:5]
    assert bpy.ops.terrain.biome_remove(biome="Meadow") == {"FINISHED"}
    assert not list(biomes_folder().iterdir())
    assert not bpy.ops.terrain.biome_remove.poll()


def test_the_map_of_a_biome_stays_on_its_terrain(terrain, add):
    """The other terrain would be no valid recipe; it has the mask, to paint a map for."""
    activate(terrain, "Out")
    place = terrain.active_layer
    bpy.ops.terrain.paint_map(settings=f"terrain.layers[{place}].mask_map", setting="source")
    bpy.ops.object.mode_set(mode="OBJECT")
    source = terrain.layers[place].mask_map.source
    assert source
    bpy.ops.terrain.biome_save(name="Painted")
    bpy.ops.terrain.biome_add(biome="Painted")
    assert terrain.layers[terrain.active_layer].mask_map.source == source
    other = add(of(FLAT[3]), resolution=9).data.terrain
    assert bpy.ops.terrain.biome_add(biome="Painted") == {"FINISHED"}
    mask = other.layers[other.active_layer].mask_map
    assert mask.use and mask.source == ""


def test_a_ready_biome_is_fitted_to_the_terrain(add):
    recipe = dataclasses.replace(of(FLAT[0]), size_x=8000.0, size_y=8000.0)
    terrain = add(recipe, resolution=9).data.terrain
    heights = terrain_mesh.range_of(terrain.id_data, terrain_mesh.HEIGHT)
    expected = biomes.biome("dunes", 8000.0, 8000.0, heights)
    assert bpy.ops.terrain.biome_add(biome="dunes") == {"FINISHED"}
    layers = read(terrain).layers[1:]
    assert layers[0].settings.radius == pytest.approx(expected[0].settings.radius)
    assert layers[-1].masks[0].high == pytest.approx(expected[-1].masks[0].high, rel=1e-4)
    assert layers[-1].palette.regions == expected[-1].palette.regions


@pytest.mark.slow
def test_all_ready_biomes_show_on_one_terrain(add):
    """Ten groups with colors of their own; the wetland first, which solves what is below it."""
    mesh = add(of(FLAT[0]), resolution=9).data
    for name in reversed(biomes.biome_names()):
        assert bpy.ops.terrain.biome_add(biome=name) == {"FINISHED"}
    recipe = read(mesh.terrain)
    assert len(recipe.areas) == 10
    expected = evaluate_colored(recipe, recipe.grid(9))[1].colors
    np.testing.assert_allclose(colors(mesh), expected, atol=1e-6)
    last, _ = recipe.areas[-1]
    mesh.terrain.mask_view = last
    area = evaluate(recipe, recipe.grid(9), fields=(last,)).fields[last]
    assert len(np.unique(colors(mesh)[..., 0])) == len(np.unique(area)) > 1


def test_a_biome_of_the_user_replaces_a_ready_one_of_its_name(terrain):
    activate(terrain, "In")
    bpy.ops.terrain.biome_save(name="dunes")
    activate(terrain, "D")
    bpy.ops.terrain.biome_add(biome="dunes")
    assert shown(terrain) == "A Out(B In(C)) D In(C)"


def test_counts_that_do_not_fit_are_named(terrain):
    """A script removed a layer from the collection."""
    terrain.layers.remove(0)
    terrain.layers.remove(0)
    with pytest.raises(ValueError, match=r"layers\[2\]: a group cannot have 3 layers here"):
        read(terrain)
    activate(terrain, "Out")
    bpy.ops.terrain.layer_remove()
    assert shown(terrain) == "C In() D"


def test_erosion_in_a_group_is_solved(add):
    eroded = [Hills(height=60.0), Erosion(resolution="128")]
    recipe = dataclasses.replace(of(*grouped(eroded, opacity=0.6)), size_x=800.0, size_y=800.0)
    mesh = add(recipe, resolution=17).data
    height = np.empty(17 * 17, np.float32)
    mesh.attributes["height"].data.foreach_get("value", height)
    read_back = read(mesh.terrain)  # with the values that rivers are found with
    expected = evaluate(read_back, recipe.grid(17)).height
    np.testing.assert_array_equal(height, expected.reshape(-1))


class Choices:
    """A layout that notes which items are offered."""

    def __init__(self):
        self.offered = []

    def prop_enum(self, group, name, item):
        self.offered.append(item)

    def operator(self, name, text):
        self.offered.append(text)
        return Choices()


@pytest.mark.parametrize("colored", [0, 2])
def test_fields_of_groups_are_offered_where_they_exist(add, colored):
    groups = grouped(FLAT[1:2], palette=DESERT) * colored
    terrain = add(of(FLAT[0], *groups), resolution=9).data.terrain
    mask = terrain.layers[0].mask_field
    assert field_choice.chooses_field(mask.bl_rna.properties["field"])
    context: Any = types.SimpleNamespace(
        object=bpy.context.object, active_object=bpy.context.object, terrain_field_owner=mask
    )
    for menu in (field_choice.TERRAIN_MT_field, field_choice.TERRAIN_MT_show):
        layout = Choices()
        shown: Any = types.SimpleNamespace(layout=layout)
        menu.draw(shown, context)
        found = [name for name in layout.offered if name.lower().startswith("group")]
        assert len(found) == colored
        assert {"wetness", "snow"} <= {name.lower() for name in layout.offered}


DESERT = Palette(regions=[Region(name="Sand", color="#D9C79B")], rock_on_slopes=True)


def colors(mesh):
    found = np.empty((len(mesh.vertices), 4), np.float32)
    mesh.attributes["Color"].data.foreach_get("color", found.reshape(-1))
    return found.reshape(9, 9, 4)


@pytest.fixture
def desert(add):
    """The mesh of a terrain with a group that has colors of its own."""
    group = grouped(FLAT[1:2], opacity=0.5, palette=DESERT)
    return add(of(FLAT[0], *group), resolution=9).data


def test_colors_of_a_group_show_on_the_mesh(desert):
    recipe = read(desert.terrain)
    assert recipe.layers[2].palette == DESERT
    expected = evaluate_colored(recipe, recipe.grid(9))[1].colors
    np.testing.assert_array_equal(colors(desert), expected)
    desert.terrain.layers[2].palette.regions[0].color = (1.0, 0.0, 0.0)
    recipe = read(desert.terrain)
    assert recipe.layers[2].palette.regions[0].color == "#FF0000"
    expected = evaluate_colored(recipe, recipe.grid(9))[1].colors
    np.testing.assert_allclose(colors(desert), expected, atol=1e-6)


def test_a_group_starts_with_the_colors_of_the_terrain(add, recipe):
    mesh = add(recipe, resolution=9).data
    mesh.terrain.active_layer = 1
    bpy.ops.terrain.layer_group()
    before, item = colors(mesh), mesh.terrain.layers[2]
    item.own_colors = True
    np.testing.assert_allclose(colors(mesh), before, atol=1e-6)
    assert [region.name for region in item.palette.regions] == ["Low", "High"]
    bpy.ops.terrain.palette_load(name="desert")
    assert len(item.palette.regions) > 2
    assert [region.name for region in mesh.terrain.palette.regions] == ["Low", "High"]
    assert not np.allclose(colors(mesh), before)
    item.own_colors = False
    np.testing.assert_allclose(colors(mesh), before, atol=1e-6)


def test_colors_are_edited_in_the_group_that_is_active(desert):
    terrain = desert.terrain
    terrain.active_layer = 2
    item = terrain.layers[2]
    item.palette.regions[0].keyframe_insert("start", frame=1)
    bpy.ops.terrain.region_add(based_on="height")
    assert (len(item.palette.regions), len(terrain.palette.regions)) == (2, 1)
    item.palette.active_region = 0
    bpy.ops.terrain.region_remove()
    assert len(item.palette.regions) == 1 and not keyframes.is_animated(desert)
    bpy.ops.terrain.region_add(based_on="slope")
    assert (len(item.palette.regions), len(terrain.palette.regions)) == (1, 2)


def test_a_copy_of_a_group_has_its_colors(desert):
    desert.terrain.active_layer = 2
    bpy.ops.terrain.layer_duplicate()
    layers = read(desert.terrain).layers
    assert layers[4].palette == layers[2].palette == DESERT
