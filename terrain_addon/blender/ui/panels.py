# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's Terrain tab."""

from collections.abc import Iterator
from typing import Any

import bpy

from ...core import Climate, HeightMap, Palette, Recipe, Region, Water
from ...core.analysis import FIELDS
from ...core.layers import LAYERS, MASKS
from ...core.output import LAYER_MASKS
from ...core.recipe import BY_HEIGHT
from ..app import manual
from ..app.registration import registered
from ..data import elevation_files
from ..data.terrains import PAINTING, active_layer, active_mesh, active_terrain, problem, terrain_of
from ..live import rebuild
from ..live.animation import UNLOCKED, is_animated
from ..live.surface import is_current
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import COLOR, is_painted_over
from ..objects import handles, water_kinds
from ..properties import loaded_preset
from ..properties.held_rivers import holds_rivers, read_rivers
from ..properties.layer_tree import is_group, palette_of
from ..properties.mask_view import COLORS
from ..properties.recipe import MASK, SWITCHES, read_settings
from . import draw, swatches
from .edited import seems_edited, shown_range
from .field_choice import available_fields, offered
from .help import Helped
from .widths import notice

LEAST_SHARE = 0.985
"""Of a map on the terrain, and of the terrain under a map, that counts as all of it."""
FIELD_BUTTONS = (
    ("Show It", "HIDE_OFF"),
    ("Add Attribute", "SPREADSHEET"),
    ("Add Color", "COLOR"),
    ("Bake Image", "RENDER_STILL"),
)
"""Label and icon of each button of a field, from left to right."""
PAINTED = f"The next change overwrites {COLOR}: add a color attribute of your own to paint on"


class Panel(Helped, bpy.types.Panel):
    """A panel of the tab, shown for terrains only."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrain"

    reads_only = False
    """Whether it also works on terrains that cannot be changed."""
    keeps_points = False
    """True if the settings of the panel stay editable while the user paints a map."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_mesh(context) is not None

    def begin(self, context: bpy.types.Context) -> tuple[Any, bpy.types.UILayout]:
        """Return the terrain's settings, and a layout that is disabled while they are locked.

        What is drawn before, to the panel's own layout, stays enabled.
        """
        mesh = active_mesh(context)
        assert mesh
        layout: Any = self.layout.column()
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.enabled = not problem(
            context, reading=self.reads_only, setting=True, painting=self.keeps_points
        )
        return terrain_of(mesh), layout


@registered
class TERRAIN_PT_terrain(Panel):
    bl_idname = "TERRAIN_PT_terrain"
    page = manual.ADJUST
    bl_label = "Terrain"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return True

    def draw_before_help(self, context: bpy.types.Context) -> None:
        """Show that settings have no effect, even while the panel is closed."""
        mesh = active_mesh(context)
        if mesh and (rebuild.error_of(mesh) or seems_edited(mesh)):
            self.layout.label(text="", icon="ERROR")

    def draw(self, context: bpy.types.Context) -> None:
        mesh = active_mesh(context)
        for text, icon in notices(context):
            notice(self.layout, text, icon)
        if mesh is None:
            self.layout.menu("TERRAIN_MT_add", text="Add Terrain", icon="ADD")
            return
        is_painted = context.mode in PAINTING
        if is_painted:  # in the place of the presets, so that no row moves
            draw.done_painting(self.layout)
        terrain, layout = self.begin(context)
        if not is_painted:
            row = layout.row(align=True)
            preset = loaded_preset.title(terrain) or "Presets"
            row.menu("TERRAIN_MT_preset_load", text=preset, icon="PRESET")
            row.operator("terrain.preset_save", text="", icon="ADD")
        column = layout.column(align=True)
        row = draw.named(column, terrain, "seed")
        row.operator("terrain.random_seed", text="", icon="FILE_REFRESH")
        sheet: Any = row.operator("terrain.variations", text="", icon="MESH_GRID")
        sheet.setting = "seed"
        _size(column, terrain)
        _update(layout, mesh, terrain)
        if ends := shown_range(mesh):
            draw.ends(layout, *ends)
        render = context.scene.render
        if is_animated(mesh) and not render.use_lock_interface:
            notice(layout, UNLOCKED, "INFO")
            layout.prop(render, "use_lock_interface")


def notices(context: bpy.types.Context) -> Iterator[tuple[str, str]]:
    """Yield notices that matter before a change, with their icons."""
    mesh = active_mesh(context)
    # While a map is painted, Done Painting says what to do.
    if reason := problem(context, setting=True, painting=True):
        yield reason, "LOCKED" if mesh else "INFO"
    if mesh and context.mode == "PAINT_VERTEX" and is_painted_over(mesh):
        yield PAINTED, "ERROR"


def _size(layout: bpy.types.UILayout, terrain: Any) -> None:
    """Draw the size in meters, the number of points, whose digits fit beside each other, and
    whether the terrain tiles."""
    draw.named(layout, terrain, "size_x")
    draw.named(layout, terrain, "size_y")
    row = draw.field(layout, "Resolution")
    row.prop(terrain, "resolution", text="")
    if not terrain.square_cells:
        row.prop(terrain, "resolution_y", text="")
    icon = "LINKED" if terrain.square_cells else "UNLINKED"
    row.prop(terrain, "square_cells", text="", icon=icon)
    draw.named(layout, terrain, "seamless")


def _update(layout: bpy.types.UILayout, mesh: bpy.types.Mesh, terrain: Any) -> None:
    """Draw the buttons that rebuild the mesh, the share of its points in use, and its status."""
    row = layout.row(align=True)
    row.use_property_split = False
    edited = seems_edited(mesh)
    row.prop(terrain, "live", toggle=True, icon="PLAY", text="" if edited else "Live")
    if edited:  # where a habitual click expects Rebuild, which would lose the edits
        row.operator("terrain.keep_sculpt", icon="SCULPTMODE_HLT")
        text = "Discard Edits and Rebuild"
        layout.operator("terrain.rebuild", text=text, icon="TRASH")
    else:
        row.prop(terrain, "viewport_detail", text="")
        row.operator("terrain.rebuild", text="Rebuild", icon="FILE_REFRESH")
    _status(layout, mesh, terrain)


def _status(layout: Any, mesh: bpy.types.Mesh, terrain: Any) -> None:
    """Draw one line, so that the panels below do not move under the mouse; errors take more."""
    if error := rebuild.error_of(mesh):
        notice(layout, error, "ERROR")
        return
    if progress := rebuild.progress_of(mesh):
        progress_bar(layout, *progress)
    elif seems_edited(mesh):
        layout.label(text="Edited by hand", icon="INFO")
    elif not is_current(mesh):
        layout.label(text="Out of date: press Rebuild", icon="INFO")
    else:
        built = Signature.built(terrain)
        layout.label(text=f"{built.nx} x {built.ny} points", icon="CHECKMARK")


def progress_bar(layout: Any, share: float, text: str) -> None:
    """Draw a progress bar with a button to cancel."""
    row = layout.row(align=True)
    row.progress(factor=share, text=text or "Computing")
    row.operator("terrain.cancel", text="", icon="CANCEL")


@registered
class TERRAIN_PT_layers(Panel):
    bl_idname = "TERRAIN_PT_layers"
    page = manual.LAYERED
    bl_label = "Layers"
    bl_order = 1

    def draw_before_help(self, context: bpy.types.Context) -> None:
        """Drawing, even while the panel is closed."""
        layout: Any = self.layout.row()
        layout.enabled = not problem(context)
        layout.menu("TERRAIN_MT_draw", icon="GREASEPENCIL")

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        if not terrain.layers:
            layout.menu("TERRAIN_MT_layer_add", text="Add a Layer", icon="ADD")
            return
        row = layout.row()
        row.template_list(
            "TERRAIN_UL_layers", "", terrain, "layers", terrain, "active_layer", rows=5
        )
        column = row.column(align=True)
        column.menu("TERRAIN_MT_layer_add", text="", icon="ADD")
        column.operator("terrain.layer_remove", text="", icon="REMOVE")
        column.separator()
        column.operator("terrain.layer_move", text="", icon="TRIA_UP").direction = "UP"  # type: ignore[attr-defined]
        column.operator("terrain.layer_move", text="", icon="TRIA_DOWN").direction = "DOWN"  # type: ignore[attr-defined]
        column.separator()
        column.operator("terrain.layer_duplicate", text="", icon="DUPLICATE")
        column.menu("TERRAIN_MT_layer_edit", text="", icon="DOWNARROW_HLT")


class _LayerPanel(Panel):
    """A panel about the active layer."""

    bl_parent_id = "TERRAIN_PT_layers"
    keeps_points = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return _active_layer(context) is not None


@registered
class TERRAIN_PT_layer(_LayerPanel):
    bl_idname = "TERRAIN_PT_layer"
    bl_label = ""

    def page_in(self, context: bpy.types.Context) -> str:
        kind = LAYERS.get(_active_layer(context).kind)
        return manual.of_kind(kind) if kind else manual.LAYERED

    def draw_header(self, context: bpy.types.Context) -> None:
        kind = LAYERS.get(_active_layer(context).kind)
        icon: Any = kind.icon if kind else "QUESTION"
        self.layout.label(text=kind.label if kind else "", icon=icon)

    def draw_before_help(self, context: bpy.types.Context) -> None:
        """Show the switch of the handles, for layers that have some."""
        mesh = active_mesh(context)
        if mesh and not problem(context) and handles.handles_of(mesh):
            self.layout.prop(terrain_of(mesh), "show_handles", text="", icon="GIZMO")

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        item = _active_layer(context)
        kind = LAYERS.get(item.kind)
        if kind is None:
            notice(layout, "This version does not have this kind of layer", "ERROR")
            return
        if seems_edited(terrain.id_data):
            column = layout.column(align=True)
            notice(column, rebuild.EDITED, "ERROR")
            column.operator("terrain.keep_sculpt", icon="SCULPTMODE_HLT")
        column = layout.column()
        if kind.blends:
            draw.named(column, item, "blend")
            draw.named(column, item, "opacity", slider=True)
            column.separator()
        draw.settings(column, getattr(item, item.kind), kind)
        if is_group(item):
            column.prop(item, "own_colors")
        if (kind.holding or read_rivers(item, kind)) and holds_rivers(terrain):
            layout.separator()
            column = layout.column(align=True)
            notice(column, "Rivers stay where they were", "INFO")
            column.operator("terrain.find_rivers", icon="FILE_REFRESH")
        if item.kind == HeightMap.key:
            _about_map(layout, terrain, item.height_map)
        if item.kind == "fractal_noise":
            layout.separator()
            layout.operator_menu_enum("terrain.layer_copy_code", "language", icon="COPYDOWN")


def _about_map(layout: Any, terrain: Any, group: Any) -> None:
    """Say what an elevation file holds, and where it and the terrain differ in size."""
    found = elevation_files.known_map(group.source)
    if found is None:
        return
    settings = HeightMap(**read_settings(group, HeightMap))
    text = "Values {:.6g} to {:.6g}".format(*found.range)
    if found.in_meters:
        text = "Heights {:.6g} to {:.6g} m".format(*found.range)
    if found.spacing and found.size:
        text += ", {:.4g} x {:.4g} m apart, {:.4g} x {:.4g} km".format(
            *found.spacing, *(side / 1000 for side in found.size)
        )
    notice(layout, text, "INFO")
    place = settings.placement(found, terrain.size_x, terrain.size_y)
    share = place.share_of(terrain.size_x, terrain.size_y)
    area = place.size[0] * place.size[1]
    part = share * terrain.size_x * terrain.size_y / area
    if share < LEAST_SHARE:
        notice(layout, f"It covers {share:.0%} of the terrain: its border goes on beyond", "ERROR")
    elif part < LEAST_SHARE:
        notice(layout, f"The terrain shows {part:.0%} of it", "INFO")
    if found.size and min(share, part) < LEAST_SHARE:
        layout.operator("terrain.size_to_map", icon="FULLSCREEN_ENTER")
    if found.size and found.in_meters:
        layout.operator("terrain.amplify", icon="MOD_NOISE")


@registered
class TERRAIN_PT_mask(_LayerPanel):
    bl_idname = "TERRAIN_PT_mask"
    page = manual.FIELDS
    bl_label = "Mask"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        item = _active_layer(context)
        kind = None if item is None else LAYERS.get(item.kind)
        return item is not None and (kind is None or kind.blends)

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        item = _active_layer(context)
        shows = terrain.mask_view == LAYER_MASKS
        show(layout, COLORS if shows else LAYER_MASKS, "Show on Terrain", depress=shows)
        if shows:
            legend(layout, terrain)
        for key, mask in MASKS.items():
            group = getattr(item, MASK + key)
            draw.named(layout, group, "use")
            if group.use:
                draw.settings(layout.column(align=True), group, mask)


def _active_layer(context: bpy.types.Context) -> Any:
    mesh = active_mesh(context)
    return active_layer(terrain_of(mesh)) if mesh else None


def show(layout: Any, mask: str, text: str = "", *, depress: bool = False) -> None:
    """Draw a button that shows a mask or the palette."""
    icon = "LOOP_BACK" if mask == COLORS and not depress else "HIDE_OFF"
    layout.operator("terrain.show", text=text, icon=icon, depress=depress).mask = mask


def legend(layout: Any, terrain: Any) -> None:
    """Draw the legend: a text, and the color ramp between the lowest and the highest value."""
    shown, mesh = terrain.legend, terrain.id_data
    if not terrain.live and not is_current(mesh):
        notice(layout, "Press Rebuild to see it", "INFO")
        return
    if not shown.low:
        computing = rebuild.progress_of(mesh) is not None
        notice(layout, "Computing" if computing else shown.text, "INFO" if computing else "ERROR")
        return
    column = layout.column(align=True)
    notice(column, shown.text, "INFO")
    row = column.row()
    low = row.row()
    low.alignment = "RIGHT"
    low.label(text=shown.low)
    swatches.draw(row, shown.colors.split())
    row.label(text=shown.high)


@registered
class TERRAIN_PT_colors(Panel):
    bl_idname = "TERRAIN_PT_colors"
    page = manual.COLORS
    bl_label = "Colors"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw_before_help(self, context: bpy.types.Context) -> None:
        """Show the active mask, even while the panel is closed."""
        mesh = active_mesh(context)
        shown = terrain_of(mesh).mask_view if mesh else COLORS
        if shown != COLORS:
            row: Any = self.layout.row()
            row.emboss = "NONE"
            show(row, COLORS, FIELDS[shown].label if shown in FIELDS else "Mask")

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        palette = palette_of(terrain)[0]
        own = palette != terrain.palette
        if terrain.mask_view != COLORS:
            show(layout, COLORS, "Back to Colors")
        if own:
            notice(layout, f"Colors of {_active_layer(context).name}", "FILE_FOLDER")
        layout.menu("TERRAIN_MT_palette_load", icon="COLOR")
        row = layout.row()
        row.template_list(
            "TERRAIN_UL_regions", "", palette, "regions", palette, "active_region", rows=6
        )
        column = row.column(align=True)
        column.operator("terrain.region_add", text="", icon="ADD").based_on = BY_HEIGHT
        column.operator("terrain.region_remove", text="", icon="REMOVE")
        column.separator()
        column.operator("terrain.region_move", text="", icon="TRIA_UP").direction = "UP"  # type: ignore[attr-defined]
        column.operator("terrain.region_move", text="", icon="TRIA_DOWN").direction = "DOWN"  # type: ignore[attr-defined]
        if 0 <= palette.active_region < len(palette.regions):
            region = palette.regions[palette.active_region]
            skip = ("name", "based_on") if own else ("name",)
            draw.settings(layout.column(align=True), region, Region, skip=skip)
            layout.separator()
        draw.settings(layout.column(), palette, Palette, skip=("image",) if own else ())
        layout.separator()
        draw.named(layout, terrain, "material")


@registered
class TERRAIN_PT_scene(Panel):
    bl_idname = "TERRAIN_PT_scene"
    page = manual.RENDER
    bl_label = "Scene"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column: Any = layout.column()
        draw.named(column, terrain, "sky")
        column.operator("terrain.scenery", text="Light and Camera", icon="LIGHT_SUN")
        column.operator_menu_enum("terrain.plants_add", "species", icon="OUTLINER_OB_POINTCLOUD")
        row = column.row(align=True)
        row.operator("terrain.check", text="Check", icon="CHECKMARK")
        row.operator("terrain.realism", text="Compare", icon="VIEWZOOM")


@registered
class TERRAIN_PT_water(Panel):
    bl_idname = "TERRAIN_PT_water"
    page = manual.WATER
    bl_label = "Water"
    bl_parent_id = "TERRAIN_PT_scene"

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        item = active_terrain(context)
        said = water_kinds.notes(item) if item else {}
        draw.settings(layout.column(), terrain.water, Water, said=said)


@registered
class TERRAIN_PT_climate(Panel):
    bl_idname = "TERRAIN_PT_climate"
    page = manual.CLIMATE
    bl_label = "Climate"
    bl_parent_id = "TERRAIN_PT_scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column = layout.column()
        draw.named(column, terrain.climate, "own")
        if terrain.climate.own:
            draw.settings(column, terrain.climate, Climate)


@registered
class TERRAIN_PT_output(Panel):
    """Images, files and meshes; a world of tiles needs no terrain"""

    bl_idname = "TERRAIN_PT_output"
    page = manual.EXPORT
    bl_label = "Output"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """Leave all to the panels within."""


@registered
class TERRAIN_PT_fields(Panel):
    bl_idname = "TERRAIN_PT_fields"
    page = manual.FIELDS
    bl_label = "Fields"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        available = available_fields(context)
        grid: Any = layout.grid_flow(row_major=True, columns=2, align=True)
        for text, icon in FIELD_BUTTONS:
            grid.label(text=text, icon=icon)
        column = layout.column(align=True)
        for name in offered(context):
            _field(column.row(align=True), terrain, name, made=name in available)
        if terrain.mask_view not in (COLORS, LAYER_MASKS):
            legend(layout, terrain)
        draw.declared(layout, terrain, Recipe, "field_radius")


def _field(row: Any, terrain: Any, name: str, *, made: bool) -> None:
    """Draw a row: the name of a field, and its buttons if a layer has ``made`` it."""
    row.active = made
    field, shown = FIELDS[name], terrain.mask_view == name
    colored = any(region.based_on == name for region in terrain.palette.regions)
    row.label(text=field.label)
    show(row, COLORS if shown else name, depress=shown)
    if name in SWITCHES:
        row.prop(terrain.attributes, name, text="", icon="SPREADSHEET", toggle=True)
    else:  # every terrain has it
        always = row.row(align=True)
        always.enabled = False
        always.operator("terrain.show", text="", icon="SPREADSHEET", depress=True).mask = name
    uses = row.row(align=True)
    uses.enabled = made
    uses.operator("terrain.region_add", text="", icon="COLOR", depress=colored).based_on = name
    image = uses.operator("terrain.bake", text="", icon="RENDER_STILL")
    image.image, image.field = "field", name
