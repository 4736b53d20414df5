# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the curves that layers and masks follow, and put curves on the ground."""

import dataclasses
from typing import Any, cast

import bpy
from bpy.props import EnumProperty, FloatProperty

from ....core.layers import LayerKind, Mask
from ....core.settings import settings_of
from ....core.shapes import PLACE
from ...app.registration import registered
from ...data.terrains import active_layer, is_terrain_object, mesh_of, objects_of, why_not_editable
from ...live import rebuild
from ...mesh.drawn_shapes import FOLLOWED
from ...objects import drawn_objects
from ...properties.declare import enum_items
from ...properties.drawn_kinds import BY_HAND, READY_MADE, SELECTED, drawn_kinds, name_of
from ...properties.recipe import MASK, write_layer
from ..add import activate
from ..base import OnTerrain, Result, reporting
from ..layers import check_room, insert, show, usual_layer, usual_place


@registered
class TERRAIN_OT_draw(OnTerrain):
    """Draw a curve that the terrain follows"""

    bl_idname = "terrain.draw"
    bl_label = "Draw"

    kind: str  # an EnumProperty, see register()
    way: EnumProperty(
        name="Way",
        description="Where the curve comes from",
        items=enum_items(
            (
                (READY_MADE, "Ready-Made", "Add a curve of a few points, for editing", "NONE"),
                (BY_HAND, "By Hand", "Draw on the surface with the mouse", "NONE"),
                (SELECTED, "Selected Objects", "Follow the other selected objects", "NONE"),
            )
        ),
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        kind = drawn_kinds().get(properties.kind)
        return kind.help if kind else cls.__doc__ or ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        """Ask before a second layer follows a curve, such as a pad along a river."""
        kind = drawn_kinds()[self.kind]
        if self.way == SELECTED and issubclass(kind, LayerKind):
            for item in drawn_objects.selected_shapes(context, self.subject_object(context)):
                if other := follower(self.subject(context)[1], item.name):
                    return context.window_manager.invoke_confirm(
                        self,
                        event,
                        title=f"Add a {kind.label} along the same curve?",
                        message=f"{item.name!r} is the curve of the layer {other!r}.",
                        confirm_text=f"Add {kind.label}",
                        icon="QUESTION",
                    )
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        owner = self.subject_object(context)
        kind = drawn_kinds()[self.kind]
        group = _mask_group(terrain, kind) if issubclass(kind, Mask) else None
        check_room(terrain, int(group is None))
        setting = _shape_setting(kind)
        name = f"{owner.name} {name_of(kind)}"
        with rebuild.one_rebuild(mesh):
            if self.way == SELECTED:
                name = drawn_objects.selected(context, owner, name)
            else:
                item = _drawn_before(owner, getattr(group, setting)) if group else None
                item = item or drawn_objects.add(context, owner, name, kind)
                if self.way == READY_MADE and kind.drawn != PLACE:
                    drawn_objects.add_points(item, kind.drawn)
                activate(context, item)
                name = item.name
            if group:
                setattr(group, setting, name)
                group.use = True
            else:
                _add_layer(mesh, terrain, cast(type[LayerKind], kind), {setting: name})
        if self.way == BY_HAND and kind.drawn != PLACE:
            start_drawing(context)
        return {"FINISHED"}


def follower(terrain: Any, name: str) -> str:
    """Return the name of the layer that follows a shape already, "" if none does."""
    for item in terrain.layers:
        kind = drawn_kinds().get(item.kind)
        if name and kind and getattr(getattr(item, item.kind), _shape_setting(kind)) == name:
            return item.name
    return ""


def _shape_setting(kind: type[Any]) -> str:
    return next(setting.name for setting in settings_of(kind) if setting.unit == "shape")


def _mask_group(terrain: Any, kind: type[Mask]) -> Any:
    """Return the settings of a mask on the active layer; ValueError if there is none."""
    layer = active_layer(terrain)
    if layer is None:
        raise ValueError("Add a layer first: the curve decides where it acts")
    return getattr(layer, MASK + kind.key)


def _drawn_before(owner: bpy.types.Object, name: str) -> bpy.types.Object | None:
    """Return the curve that a mask of this terrain follows already, to add a spline to it."""
    item = bpy.data.objects.get(name)
    return item if item and item.parent == owner and drawn_objects.is_line(item) else None


def _add_layer(
    mesh: bpy.types.Mesh, terrain: Any, kind: type[LayerKind], named: dict[str, str]
) -> None:
    """Add a layer that follows a shape, where it belongs."""
    layer = usual_layer(mesh, kind)
    layer = dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, **named))
    sizes = terrain.size_x, terrain.size_y
    insert(terrain, lambda item: write_layer(item, layer, *sizes), usual_place(terrain, kind))
    show(terrain, layer.settings)


def start_drawing(context: bpy.types.Context) -> None:
    """Enter Edit Mode with Blender's Draw tool, whose strokes are projected on the surface."""
    if context.mode == "OBJECT":
        bpy.ops.object.mode_set(mode="EDIT")
    paint: Any = context.tool_settings.curve_paint_settings
    paint.curve_type, paint.depth_mode = "BEZIER", "SURFACE"
    area: Any = next((area for area in context.screen.areas if area.type == "VIEW_3D"), None)
    if area and not bpy.app.background:
        region = next(region for region in area.regions if region.type == "WINDOW")
        with context.temp_override(area=area, region=region):
            bpy.ops.wm.tool_set_by_id(name="builtin.draw")


@registered
class TERRAIN_OT_drape(bpy.types.Operator):
    """Put all points of the active curve on the surface of its terrain"""

    bl_idname = "terrain.drape"
    bl_label = "Drape on Terrain"
    bl_options = {"REGISTER", "UNDO"}

    offset: FloatProperty(
        name="Offset",
        description="Height of the points above the surface",
        default=0.0,
        subtype="DISTANCE",
        unit="LENGTH",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        item = getattr(context, "object", None)
        if not drawn_objects.is_line(item) or not item.data.is_editable:
            cls.poll_message_set("Select a curve that a terrain follows")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = cast(bpy.types.Object, context.object)
        drawn_objects.drape(item, _terrain_of(item), self.offset)
        return {"FINISHED"}


def _terrain_of(curve: bpy.types.Object) -> bpy.types.Object:
    """Return the terrain that a curve belongs to, or that follows it; ValueError without."""
    if curve.parent and is_terrain_object(curve.parent):
        return curve.parent
    for uid, sources in FOLLOWED.terrains.items():
        mesh = mesh_of(uid)
        if mesh and curve.session_uid in sources.members and not why_not_editable(mesh):
            for item in objects_of(mesh):
                return item
    raise ValueError("No terrain follows this curve: name it in a layer or a mask")


def register() -> None:
    """Declare the kinds of layers and masks that exist now."""
    TERRAIN_OT_draw.__annotations__["kind"] = EnumProperty(
        name="Kind",
        description="What the terrain makes of the curve",
        items=enum_items(
            (key, name_of(kind), kind.help, "NONE") for key, kind in drawn_kinds().items()
        ),
    )
