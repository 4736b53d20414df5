# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels show, where they are, and what fits into them."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake.job import BakedImage, BakeJob
from terrain_addon.blender.bake.output import Output
from terrain_addon.blender.bake.queue import bakes
from terrain_addon.blender.mesh.terrain_mesh import HEIGHT, range_of
from terrain_addon.blender.objects import water_kinds
from terrain_addon.blender.operators.add import ADDED
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.choices import preset_items
from terrain_addon.blender.properties.recipe import MASK, read
from terrain_addon.blender.ui import data_tab, edited, widths
from terrain_addon.blender.ui.lists import BESIDE_NAME, MASKED, SHAPE, has_masks, marks_of
from terrain_addon.core import Bake, Layer, Palette, Recipe, Region, Water
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.settings import settings_of

NARROW = 250
"""Pixels of a sidebar that shows everything."""
PADDING = 8
"""Pixels beside the text of a label."""


def ends(mesh: Any) -> Any:
    """Lowest and highest point."""
    return range_of(mesh, HEIGHT)


def shown_ends(mesh: Any) -> Any:
    return edited.height_range(mesh)


def test_a_message_is_wrapped_to_the_width_and_nothing_is_lost():
    text = "Baked 'Island Heightmap', 2048 x 2048 pixels, heights -104.2 m to 187.6 m"

    def width(line):
        return widths.text(bpy.context, line)

    for room in (80, 110, 160, 400, 2000):
        lines = widths.wrapped(text, room, width)
        assert " ".join(lines) == text
        assert max(map(width, lines)) <= room
        for line, after in pairwise(lines):  # as few lines as possible
            assert width(f"{line} {after.split()[0]}") > room
    assert len(widths.wrapped(text, 2000, width)) == 1


def test_a_word_wider_than_the_panel_is_divided():
    path = "/a/folder/with/a/very/long/path/to/an/image.exr"
    lines = widths.wrapped(f"There is no folder {path}", 20, len)
    assert max(map(len, lines)) <= 20
    assert "".join(lines[1:]).endswith(path)


@pytest.mark.smoke
def test_the_labels_of_all_settings_fit_a_narrow_sidebar():
    content = NARROW - widths.BESIDE["VIEW_3D"]
    room = min(widths.LONGEST_NAME, widths.MOST_NAMES * content) - PADDING
    classes = (Recipe, Layer, Water, Palette, Region, Bake, *LAYERS.values(), *MASKS.values())
    names = {one.label for cls in classes for one in settings_of(cls) if one.kind != "bool"}
    for name in (*names, "Viewport Detail", "Resolution X", "Highest Point"):
        assert widths.text(bpy.context, name) <= room, name


def test_checkboxes_have_the_room_that_their_texts_need(monkeypatch):
    context = bpy.context
    names = {one.label for one in settings_of(Palette) if one.kind == "bool"}
    for width in (NARROW, 2 * NARROW):
        room = width - widths.BESIDE["VIEW_3D"]
        monkeypatch.setattr(widths, "content", lambda _, room=room: room)
        for name in (*names, "Square Cells", "A Checkbox Longer Than All"):
            share = widths.before_checkbox(context, name)
            assert (1 - share) * room - widths.CHECKBOX >= widths.text(context, name) - 0.01
            assert share <= widths.names(context)
    assert widths.before_checkbox(context, "Sea") == widths.names(context)  # below the others


def test_choices_and_their_labels_fit_a_narrow_sidebar(monkeypatch):
    room = NARROW - widths.BESIDE["VIEW_3D"]
    monkeypatch.setattr(widths, "content", lambda _: room)
    cut = []
    for kind in (Layer, Palette, Recipe, *LAYERS.values(), *MASKS.values()):
        for setting in settings_of(kind):
            for choice in setting.choices or ():
                shown = SimpleNamespace(name=choice.label, icon="NONE")
                share = widths.before_choice(bpy.context, setting.label, shown)
                label = widths.text(bpy.context, setting.label) + PADDING
                value = widths.text(bpy.context, choice.label) + widths.CHOICE
                if label > share * room + 0.01 or value > (1 - share) * room + 0.01:
                    cut.append((setting.label, choice.label))
    assert not cut


def test_notes_below_settings_fit_a_narrow_sidebar():
    room = NARROW - widths.BESIDE["VIEW_3D"] - widths.PADDING
    limits = [kind.limit[1] for kind in water_kinds.KINDS.values()]
    fields = [field.values for field in FIELDS.values()]
    for note in (*limits, *fields, MASKS["map"]().note_on("source", 1.0)):
        assert widths.text(bpy.context, note) <= room, note


@pytest.mark.smoke
def test_the_sidebar_and_the_tab_of_the_mesh_have_the_same_panels():
    panels = list(data_tab.sidebar_panels())
    assert len(panels) >= 8
    for panel in panels:
        twin = getattr(bpy.types, panel.bl_idname.replace("_PT_", "_PT_data_"))
        assert twin.is_registered and panel.is_registered
        assert twin.draw is panel.draw and twin.bl_label == panel.bl_label
        assert (twin.bl_space_type, twin.bl_context) == ("PROPERTIES", "data")
        assert hasattr(twin, "bl_parent_id") == (panel.bl_idname != data_tab.ROOT)


def test_the_tab_shows_the_panels_for_the_mesh_of_a_terrain_only(add):
    mesh, other = add().data, bpy.data.meshes.new("Other")
    root = bpy.types.TERRAIN_PT_data_terrain
    for shown, expected in ((mesh, True), (other, False), (None, False)):
        with bpy.context.temp_override(mesh=shown):
            assert root.poll(bpy.context) == expected


def test_adding_a_terrain_says_where_its_settings_are(capfd):
    bpy.ops.terrain.add(preset="island", resolution=17)
    assert ADDED in capfd.readouterr().out


def test_empty_is_the_first_preset_and_has_no_layers_and_no_sea():
    assert preset_items(None, bpy.context)[0][:2] == ("empty", "Empty")
    assert bpy.ops.terrain.add(preset="empty", resolution=33) == {"FINISHED"}
    mesh: Any = bpy.context.object.data
    assert bpy.context.object.name == "Terrain"
    assert not mesh.terrain.layers and not bpy.context.object.children
    assert ends(mesh) == (0, 0)
    assert user_presets.about("empty") and user_presets.is_built_in("Empty")


def test_colors_of_the_empty_terrain_span_whatever_its_layers_make():
    bpy.ops.terrain.add(preset="empty", resolution=33, size=20000)
    mesh: Any = bpy.context.object.data
    for kind in ("volcano", "fractal_noise"):
        bpy.ops.terrain.layer_add(kind=kind)
    low, high = ends(mesh)
    palette = read(mesh.terrain).palette
    starts = palette.measured(np.array([low, high], np.float32), low, high)
    assert starts.tolist() == [0, 1] and len(palette.by_height) > 4


def sea():
    return bpy.data.objects["Sea"].data


def test_there_is_no_sea_where_no_ground_is_below_it(add):
    """The faces of flat ground at the water level and of the sea would share a plane."""
    item = add(Recipe(water=Water(show=True)))
    terrain = item.data.terrain
    assert not sea().polygons
    terrain.water.level = 0.5
    assert len(sea().polygons) == 1 and sea().vertices[0].co.z == 0.5
    terrain.water.level = 0
    assert not sea().polygons
    bpy.ops.terrain.layer_add(kind="fractal_noise")
    assert len(sea().polygons) == 1 and len(sea().uv_layers) == 1
    assert not sea().validate(verbose=True)
    terrain.layers[0].enabled = False
    assert not sea().polygons and sea().materials[0]


def test_a_note_says_why_there_is_no_sea(add):
    item = add(Recipe(water=Water(show=True)))
    assert water_kinds.notes(item) == {"level": "No ground below: raise this"}
    item.data.terrain.water.level = 1
    assert water_kinds.notes(item) == {}


def test_a_sea_with_points_of_its_user_stays_where_no_ground_is_below_it(add):
    terrain = add().data.terrain
    terrain.water.show = True
    sea().vertices.add(1)
    terrain.water.level = -900
    assert len(sea().vertices) == 5


def test_the_heights_in_the_panel_follow_the_terrain(add):
    mesh = add().data
    low, high = shown_ends(mesh)
    assert (low, high) == ends(mesh)
    assert low < high
    mesh.terrain.layers[0].fractal_noise.height *= 2
    assert shown_ends(mesh) == ends(mesh) != (low, high)
    assert shown_ends(add(Recipe()).data) == (0, 0)


@pytest.mark.parametrize("point", ["low", "high"])
def test_heights_are_copied_with_all_digits(add, point, capfd):
    mesh = add().data
    assert bpy.ops.terrain.copy_height(point=point) == {"FINISHED"}
    number = capfd.readouterr().out.split("Copied ")[1].split(" ")[0]
    assert np.float32(number) == np.float32(ends(mesh)[point == "high"])


def test_heights_of_the_baked_image_are_copied_too(add, capfd):
    item = add()
    mesh = item.data
    with pytest.raises(RuntimeError, match="bake an image first"):
        bpy.ops.terrain.copy_height(source="image")
    what, output = Bake(), Output(width=16)
    bakes.start(BakeJob([BakedImage.of(item, read(mesh.terrain), what, output)]))
    bakes.finish()
    image = bpy.data.images[0]
    low, high = bakes.height_range(mesh) or (0.0, 0.0)
    assert (low, high) == (image["height_low"], image["height_high"])
    capfd.readouterr()
    bpy.ops.terrain.copy_height(source="image", point="high")
    assert f"Copied {high:.9g} " in capfd.readouterr().out


def test_names_of_layers_and_the_marks_after_them_fit_a_narrow_list(add, monkeypatch):
    masks = (MASKS["slope"](),)
    layers = tuple(Layer.of(kind(), masks=masks, enabled=False) for kind in LAYERS.values())
    for item in add(Recipe(layers=layers), 9).data.terrain.layers:
        kind = LAYERS[item.kind]
        own = any(setting.unit == "shape" for setting in settings_of(kind))
        for content in (NARROW - widths.BESIDE["VIEW_3D"], 220, 400):
            monkeypatch.setattr(widths, "content", lambda _, content=content: content)
            for shapes in ([], [("Line", "")]):
                marks = marks_of(bpy.context, item, shapes)
                needed = widths.text(bpy.context, kind.label) + widths.ICON * len(marks)
                assert needed <= content - BESIDE_NAME, kind.label
                assert SHAPE in marks or not (shapes and own)
                if content == 400:
                    assert MASKED in marks and (SHAPE in marks) == bool(shapes)
        monkeypatch.setattr(widths, "content", lambda _: widths.NARROWEST)
        assert SHAPE in marks_of(bpy.context, item, [("Line", "Redraw it")])


def test_a_row_shows_that_masks_are_on(add):
    item = add().data.terrain.layers[0]
    assert not has_masks(item)
    for key in MASKS:
        getattr(item, MASK + key).use = True
        assert has_masks(item)
        getattr(item, MASK + key).use = False
