# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws settings from their declarations."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import bpy

from ...core.layers import FollowsShape
from ...core.settings import Setting, Settings, settings_of
from ..data import units
from ..data.terrains import terrain_of
from ..live import curves, node_results
from ..mesh import drawn_shapes
from ..properties import drag_speeds
from ..properties.recipe import read_settings
from . import field_choice, shape_faults, widths

Layout = bpy.types.UILayout
WIDEST_SLIDER = 1e5


def settings(
    layout: Layout,
    group: Any,
    cls: type[Settings],
    skip: Iterable[str] = (),
    said: Mapping[str, str] | None = None,
) -> None:
    """Draw the settings of a class that have an effect now, advanced ones in a subpanel.

    ``group`` is the property group that holds them; ``said`` are further notes, by name.
    """
    note = notes(group, cls, said)
    known = {s.name: s for s in settings_of(cls)}
    hidden = {*skip, *(s.name for s in known.values() if s.unit == "grid")}
    shown = [s for s in known.values() if s.name not in hidden and s.has_effect(group, known)]
    for one in shown:
        if not one.advanced:
            setting(layout, group, one, note(one.name))
    advanced = [s for s in shown if s.advanced]
    if advanced:
        header, body = layout.panel(f"terrain_advanced_{cls.__name__}", default_closed=True)
        header.label(text="Advanced")
        if body:
            column = body.column()  # spaced like those above
            for one in advanced:
                setting(column, group, one, note(one.name))


def setting(layout: Layout, group: Any, one: Setting, note: str = "") -> None:
    """Draw one setting with a gray note below.

    Lengths and long ranges are number fields without a bar, whose drag speed is their step.
    """
    if one.unit == "curve":
        _curve(layout, group, one)
        return
    low = one.min if one.soft_min is None else one.soft_min
    high = one.max if one.soft_max is None else one.soft_max
    bounded = low is not None and high is not None and high - low <= WIDEST_SLIDER
    slider = bounded and one.unit != "m"
    row = named(layout, group, one.name, slider=slider)
    if one.unit == "map":
        _map_buttons(layout, row, group, one.name)
    if one.unit == "nodes":
        _node_buttons(layout, row, group, one.name)
    if one.unit == "shape":
        _shape_buttons(layout, row, group, one.name, note)
    elif note:
        _note(layout, note)


def _curve(layout: Layout, group: Any, one: Setting) -> None:
    """Draw Blender's curve widget, below the buttons that open it and remove the curve."""
    row = field(layout, one.label)
    node = curves.node_of(group, one.name)
    text = "Edit Curve" if node or getattr(group, one.name) else "Add Curve"
    edit: Any = row.operator("terrain.edit_curve", text=text, icon="FCURVE", depress=bool(node))
    buttons = [edit]
    if getattr(group, one.name):
        buttons.append(row.operator("terrain.edit_curve", text="", icon="X"))
        buttons[1].remove = True
    for button in buttons:
        button.setting = group.path_from_id(one.name)
    if node:
        layout.template_curve_mapping(node, "mapping")
        curves.watch()


def _map_buttons(layout: Layout, row: Layout, group: Any, name: str) -> None:
    """Draw the buttons that open and paint a map; while there is none, *Paint* has a row."""
    opener: Any = row.operator("terrain.open_map", text="", icon="FILE_FOLDER")
    if is_painted(bpy.context, getattr(group, name)):
        done_painting(field(layout, ""))
        opener.settings, opener.setting = group.path_from_id(), name
        return
    if getattr(group, name):
        painter: Any = row.operator("terrain.paint_map", text="", icon="BRUSH_DATA")
    else:
        painter = field(layout, "").operator("terrain.paint_map", icon="BRUSH_DATA")
    for button in (opener, painter):
        button.settings, button.setting = group.path_from_id(), name


def _node_buttons(layout: Layout, row: Layout, group: Any, name: str) -> None:
    """Draw the button that evaluates nodes, or one that makes some; and what is wrong with them."""
    if not getattr(group, name):
        made: Any = field(layout, "").operator("terrain.new_nodes", icon="ADD")
        made.settings, made.setting = group.path_from_id(), name
        return
    again: Any = row.operator("terrain.evaluate_nodes", text="", icon="FILE_REFRESH")
    again.settings, again.setting = group.path_from_id(), name
    edit: Any = row.operator("terrain.show_nodes", text="", icon="NODETREE")
    edit.settings, edit.setting = group.path_from_id(), name
    if fault := node_results.fault_of(group):
        column = layout.column()
        column.alert = True
        widths.notice(column, fault, "ERROR")


def is_painted(context: bpy.types.Context, name: str) -> bool:
    """Return whether strokes go to the map of that name now."""
    item: Any = context.object
    if context.mode == "PAINT_WEIGHT":
        return item.vertex_groups.active is not None and item.vertex_groups.active.name == name
    return context.mode == "PAINT_VERTEX" and item.data.attributes.active_color_name == name


def done_painting(layout: Any) -> None:
    """Draw the button that ends painting."""
    layout.operator("object.mode_set", text="Done Painting", icon="CHECKMARK").mode = "OBJECT"


def _shape_buttons(layout: Layout, row: Layout, group: Any, name: str, note: str) -> None:
    """Draw the button that selects a shape; where it is missing or wrong, say so, and draw the
    one that draws it anew."""
    shape = getattr(group, name)
    if shape and drawn_shapes.exists(shape):
        selects: Any = row.operator("terrain.select_shape", text="", icon="RESTRICT_SELECT_OFF")
        selects.shape = shape
    elif shape:
        row.alert = True
        draws: Any = field(layout, "").operator("terrain.redraw", icon="GREASEPENCIL")
        draws.settings, draws.setting = group.path_from_id(), name
    if note and not shape:
        _note(layout, note)
    elif note:
        column = layout.column()
        column.alert = True
        widths.notice(column, note, "ERROR")


def declared(layout: Layout, group: Any, cls: type[Settings], name: str) -> None:
    """Draw one setting of a class with its note."""
    one = next(one for one in settings_of(cls) if one.name == name)
    setting(layout, group, one, notes(group, cls)(name))


def _note(layout: Layout, text: str) -> None:
    """Draw a gray note below a field, or across the panel if it needs more room."""
    if widths.text(bpy.context, text) <= widths.field(bpy.context):
        row: Any = field(layout, "")
    else:
        row = layout.row()
        row.alignment = "RIGHT"
    row.active = False
    row.label(text=text)


def named(layout: Layout, group: Any, name: str, text: str = "", **options: Any) -> Layout:
    """Draw a property as Blender's property split does, with room for its label.

    Returns the row of the field, for buttons beside it. ``options`` are those of `UILayout.prop`.
    """
    prop = group.bl_rna.properties[name]
    if prop.type == "BOOLEAN":
        row = field(layout, "", widths.before_checkbox(bpy.context, prop.name))
        row.prop(group, name, **options)
    else:
        row = field(layout, text or prop.name, _share(group, prop, text or prop.name))
        if field_choice.chooses_field(prop):
            field_choice.draw(row, group, prop)
            return row
        row.prop(group, drag_speeds.shown(group, name), text="", **options)
    return row


def _share(group: Any, prop: Any, label: str) -> float | None:
    """Return the share of the width for a label, None for the usual one."""
    if prop.type != "ENUM":
        return None
    choice = prop.enum_items.get(getattr(group, prop.identifier))
    return widths.before_choice(bpy.context, label, choice) if choice else None


def field(layout: Layout, text: str, share: float | None = None) -> Layout:
    """Return a row beside a label that is aligned to the right and has that share of the width."""
    factor = widths.names(bpy.context) if share is None else share
    split: Any = layout.split(factor=factor, align=True)
    split.use_property_split = False
    label = split.row()
    label.alignment = "RIGHT"
    label.label(text=text)
    return split.row(align=True)


def notes(
    group: Any, cls: type[Settings], said: Mapping[str, str] | None = None
) -> Callable[[str], str]:
    """Return a function that returns the note on a setting; no notes while the settings are
    invalid."""
    try:
        made = cls(**read_settings(group, cls))
    except ValueError:
        return lambda name: ""
    terrain, known = terrain_of(group.id_data), said or {}
    size = max(terrain.size_x, terrain.size_y)
    faults = {
        one.name: wrong
        for one in settings_of(cls)
        if one.unit == "shape" and isinstance(made, FollowsShape)
        if (shape := getattr(made, one.name))
        if (wrong := shape_faults.fault(group.id_data, made, shape))
    }
    known = {**faults, **known}
    return lambda name: known.get(name) or made.note_on(name, size, units.length)


def ends(layout: Layout, low: float, high: float, source: str = "terrain") -> None:
    """Draw the lowest and the highest point, each a button that copies the number of meters."""
    column: Any = layout.column(align=True)
    for point, label, height in (("low", "Lowest Point", low), ("high", "Highest Point", high)):
        row: Any = field(column, label)
        text = units.length(height, digits=5)
        button = row.operator("terrain.copy_height", text=text, icon="COPYDOWN", emboss=False)
        button.point, button.source = point, source
