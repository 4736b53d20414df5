# SPDX-License-Identifier: GPL-3.0-or-later
"""Menus: they contain every operator, so that search finds it."""

from typing import Any

import bpy

from ...core import presets
from ...core.analysis import FIELDS
from ...core.layers import GENERATE, LAYERS, SHAPE, LayerKind, Mask
from ...core.recipe import BY_HEIGHT
from ...core.shapes import AREA, LINE, PLACE
from ..app.preferences import presets_folder
from ..app.registration import registered
from ..data import pictures
from ..data.terrains import active_mesh
from ..properties import biomes, user_presets
from ..properties.drawn_kinds import BY_HAND, READY_MADE, SELECTED, drawn_kinds, name_of
from . import tiles
from .field_choice import available_fields, offered
from .tiles import Tile

PRESET_SIZE, LAYER_SIZE = 4.5, 4.0
"""Sides of pictures in the height of a button: where the menu has room beside Add > Mesh, it does
not open over the mouse."""
MOST_PICTURES = 20
"""Presets of the user that are shown with pictures; if there are more, all are names."""
LONGEST = 18
"""Characters of a name of the user's that are shown."""
MOST_NAMED = 3
"""Files that are no presets, of which the menu shows the names."""


@registered
class TERRAIN_MT_add(bpy.types.Menu):
    """Add a terrain from a preset"""

    bl_idname = "TERRAIN_MT_add"
    bl_label = "Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        layout.operator("terrain.add_elevation", text="From Elevation File...", icon="FILE_FOLDER")
        layout.separator()
        _presets(layout, "terrain.add")


@registered
class TERRAIN_MT_preset_load(bpy.types.Menu):
    """Replace the recipe of this terrain with a preset"""

    bl_idname = "TERRAIN_MT_preset_load"
    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        columns = _presets(self.layout, "terrain.preset_load")
        _own_presets(columns.column())


def _presets(layout: Any, operator: str) -> Any:
    """Draw a button for each preset, with the operator that takes it; return the row of columns."""
    groups, own = user_presets.built_in_groups(), user_presets.users_own()
    shown = {
        heading: [
            Tile(presets.label(name), user_presets.icon(name), {"preset": name}) for name in names
        ]
        for heading, names in groups.items()
    }
    if own:
        shown["Your Own"] = [_own_preset(name, pictured=len(own) <= MOST_PICTURES) for name in own]
    return tiles.draw(layout, operator, shown, columns=4, size=PRESET_SIZE)


def _own_preset(name: str, *, pictured: bool) -> Tile:
    text = _shortened(name)
    picture = (user_presets.icon(name) or tiles.icon("USER")) if pictured else 0
    return Tile(text, picture, {"preset": name})


def _shortened(name: str) -> str:
    """Return a name of the user's as it is shown."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"


@registered
class TERRAIN_MT_layer_edit(bpy.types.Menu):
    """Copy, paste, group, reset and randomize layers"""

    bl_idname = "TERRAIN_MT_layer_edit"
    bl_label = "Edit Layers"

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.operator("terrain.layer_copy", icon="COPYDOWN")
        layout.operator("terrain.layer_copy", text="Copy All Layers").all = True
        layout.operator("terrain.layer_paste", icon="PASTEDOWN")
        layout.operator("terrain.layer_paste", text="Replace Layers by Pasting").replace = True
        layout.separator()
        layout.operator("terrain.layer_group", icon="FILE_FOLDER")
        layout.operator("terrain.layer_ungroup")
        layout.operator("terrain.biome_save", text="Save as Biome...", icon="ADD")
        layout.operator("terrain.biome_remove", text="Remove Biome...", icon="REMOVE")
        layout.separator()
        layout.operator("terrain.layer_randomize", icon="SHADERFX")
        layout.operator_menu_enum("terrain.variations", "setting", icon="MESH_GRID")
        layout.operator("terrain.layer_reset", icon="LOOP_BACK")


def _own_presets(layout: Any) -> None:
    layout.operator("terrain.preset_save", icon="ADD")
    layout.operator("terrain.preset_import", icon="IMPORT")
    layout.operator("terrain.preset_export", icon="EXPORT")
    layout.operator("terrain.preset_remove", icon="REMOVE")
    folder = presets_folder()
    row = layout.row()
    row.enabled = folder.is_dir()
    row.operator("wm.path_open", text="Open Folder", icon="FILE_FOLDER").filepath = str(folder)
    for text in _unusable_presets():
        layout.label(text=text, icon="ERROR")


def _unusable_presets() -> list[str]:
    """Return lines that name the files in the presets folder that cannot be loaded."""
    names = user_presets.unusable()
    more = [f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return [*(f"{name} is no preset" for name in names[:MOST_NAMED]), *more]


USUAL_ORDER = (
    *("fractal_noise", "height_map", "diamond_square", "range", "fault", "from_nodes"),
    *("volcano", "cinder_cones", "mesa", "ramp", "hills", "craters"),
    *("dunes", "waves", "rings", "plates", "cracks"),
    *("erosion", "gullies", "thermal_erosion", "strata", "snow", "lava_flows"),
    *("coast", "falloff", "levels", "terrace", "smooth"),
    *("stamp", "river", "lake", "road", "pad", "project_mesh", "group"),
)
"""Kinds of layers in the order of the menu, the most used first; others follow."""


def layers_of(group: str) -> list[str]:
    """Return the keys of the layer kinds of a group, as the menu lists them."""
    known = [*USUAL_ORDER, *LAYERS]
    return sorted((key for key in LAYERS if LAYERS[key].group == group), key=known.index)


@registered
class TERRAIN_MT_layer_add(bpy.types.Menu):
    """Add a layer that generates heights, or one that shapes the layers before it"""

    bl_idname = "TERRAIN_MT_layer_add"
    bl_label = "Add Layer"

    def draw(self, context: bpy.types.Context) -> None:
        groups = {
            label: [_layer(key) for key in layers_of(group)]
            for group, label in ((GENERATE, "Generate"), (SHAPE, "Shape"))
        }
        own = biomes.saved()
        ready = [name for name in biomes.ready() if name not in own]
        groups["Biomes"] = [_biome(name, presets.label(name), biomes.icon(name)) for name in ready]
        if own:
            groups[""] = [_biome(name, _shortened(name), 0) for name in own]
        tiles.draw(self.layout, "terrain.layer_add", groups, columns=8, size=LAYER_SIZE)


def _biome(name: str, text: str, picture: int) -> Tile:
    return Tile(text, picture, {"biome": name}, "terrain.biome_add")


def _layer(key: str) -> Tile:
    kind = LAYERS[key]
    return Tile(kind.label, pictures.of_layer(key) or tiles.icon(kind.icon), {"kind": key})


@registered
class TERRAIN_MT_draw(bpy.types.Menu):
    """Draw rivers, ranges, areas and other curves that the terrain follows"""

    bl_idname = "TERRAIN_MT_draw"
    bl_label = "Draw"

    def draw(self, context: bpy.types.Context) -> None:
        row = self.layout.row()
        for way, label in DRAW_WAYS.items():
            column: Any = row.column()
            column.label(text=label)
            for parent, subject in ((LayerKind, "New Layer"), (Mask, "Mask of Layer")):
                kinds = [kind for kind in drawn_kinds().values() if issubclass(kind, parent)]
                if kinds:
                    column.separator()
                    column.label(text=subject)
                for kind in kinds:
                    icon = getattr(kind, "icon", _DRAWN_ICONS[kind.drawn])
                    part = column.row()
                    part.enabled = way != BY_HAND or kind.drawn != PLACE
                    button = part.operator("terrain.draw", text=name_of(kind), icon=icon)
                    button.kind, button.way = kind.key, way
            if way == BY_HAND:
                column.separator()
                column.operator("terrain.drape", icon="TRIA_DOWN_BAR")


DRAW_WAYS = {BY_HAND: "Draw by Hand", READY_MADE: "Add Ready-Made", SELECTED: "Follow Selected"}
_DRAWN_ICONS = {LINE: "IPO_EASE_IN_OUT", AREA: "MESH_CIRCLE", PLACE: "EMPTY_ARROWS"}


@registered
class TERRAIN_MT_region_add(bpy.types.Menu):
    """Add a color where a field is high, above the colors by height"""

    bl_idname = "TERRAIN_MT_region_add"
    bl_label = "Add Color by Field"

    def draw(self, context: bpy.types.Context) -> None:
        available = available_fields(context)
        for name in offered(context):
            row = self.layout.row()
            row.enabled = name in available
            _set(row.operator("terrain.region_add", text=FIELDS[name].label), based_on=name)


@registered
class TERRAIN_MT_palette_load(bpy.types.Menu):
    """Replace the colors by height of this terrain with a built-in palette"""

    bl_idname = "TERRAIN_MT_palette_load"
    bl_label = "Palettes"

    def draw(self, context: bpy.types.Context) -> None:
        palettes = [
            Tile(presets.label(name), pictures.of_palette(name), {"name": name})
            for name in presets.palette_names()
        ]
        tiles.draw(self.layout, "terrain.palette_load", {"": palettes}, columns=3, size=LAYER_SIZE)


@registered
class TERRAIN_MT_terrain(bpy.types.Menu):
    """All operators on a terrain"""

    bl_idname = "TERRAIN_MT_terrain"
    bl_label = "Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("terrain.rebuild", icon="FILE_REFRESH")
        layout.operator("terrain.keep_sculpt", icon="SCULPTMODE_HLT")
        layout.operator("terrain.cancel", icon="CANCEL")
        layout.operator("terrain.scale", icon="FULLSCREEN_ENTER")
        layout.operator("terrain.make_plain", icon="MESH_DATA")
        layout.separator()
        layout.menu("TERRAIN_MT_preset_load", icon="PRESET")
        layout.menu("TERRAIN_MT_layers", icon="RENDERLAYERS")
        layout.menu("TERRAIN_MT_colors", icon="COLOR")
        layout.menu("TERRAIN_MT_scene", icon="SCENE_DATA")
        layout.menu("TERRAIN_MT_output", icon="OUTPUT")
        layout.menu("TERRAIN_MT_fit", icon="RNDCURVE")
        layout.separator()
        layout.operator("terrain.copy_report", icon="URL")


@registered
class TERRAIN_MT_layers(bpy.types.Menu):
    """Add, draw, arrange and edit layers and their maps"""

    bl_idname = "TERRAIN_MT_layers"
    bl_label = "Layers"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.menu("TERRAIN_MT_layer_add", icon="ADD")
        layout.menu("TERRAIN_MT_draw", icon="GREASEPENCIL")
        layout.operator("terrain.layer_duplicate", icon="DUPLICATE")
        layout.operator_menu_enum("terrain.layer_move", "direction")
        layout.operator("terrain.layer_remove", icon="REMOVE")
        layout.menu("TERRAIN_MT_layer_edit")
        layout.operator("terrain.random_seed", icon="FILE_REFRESH")
        layout.operator_menu_enum("terrain.variations", "setting", icon="MESH_GRID")
        layout.separator()
        layout.operator("terrain.edit_curve", icon="FCURVE")
        layout.operator("terrain.find_rivers", icon="MOD_FLUIDSIM")
        layout.operator("terrain.import_vectors", icon="IMPORT")
        layout.operator("terrain.vector_layers", icon="CURVE_PATH")
        layout.operator("terrain.open_map", icon="FILE_FOLDER")
        layout.operator("terrain.paint_map", icon="BRUSH_DATA")
        layout.operator("terrain.new_nodes", icon="NODETREE")
        layout.operator("terrain.show_nodes")
        layout.operator("terrain.evaluate_nodes", icon="FILE_REFRESH")
        layout.operator("terrain.size_to_map", icon="FULLSCREEN_ENTER")
        layout.operator("terrain.amplify", icon="MOD_NOISE")
        layout.separator()
        layout.operator_menu_enum("terrain.layer_copy_code", "language", icon="COPYDOWN")


@registered
class TERRAIN_MT_colors(bpy.types.Menu):
    """Choose what the colors show"""

    bl_idname = "TERRAIN_MT_colors"
    bl_label = "Colors"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.menu("TERRAIN_MT_show", icon="HIDE_OFF")
        layout.menu("TERRAIN_MT_palette_load", icon="COLOR")
        layout.operator("terrain.region_add", icon="ADD").based_on = BY_HEIGHT
        layout.menu("TERRAIN_MT_region_add")
        layout.operator_menu_enum("terrain.region_move", "direction")
        layout.operator("terrain.region_remove", icon="REMOVE")
        layout.separator()
        layout.operator("terrain.drape_image", text="Drape Image...", icon="IMAGE_DATA")


@registered
class TERRAIN_MT_scene(bpy.types.Menu):
    """Light, camera, plants, checks of the finished terrain, and the scene's place"""

    bl_idname = "TERRAIN_MT_scene"
    bl_label = "Scene"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("terrain.scenery", icon="LIGHT_SUN")
        layout.operator_menu_enum("terrain.plants_add", "species", icon="OUTLINER_OB_POINTCLOUD")
        layout.operator("terrain.plants_grow", icon="FILE_REFRESH")
        layout.separator()
        layout.operator("terrain.check", icon="CHECKMARK")
        layout.operator("terrain.realism", icon="VIEWZOOM")
        layout.separator()
        layout.operator("terrain.clear_place", icon="X")


@registered
class TERRAIN_MT_output(bpy.types.Menu):
    """Images, files for engines, and meshes made from a terrain"""

    bl_idname = "TERRAIN_MT_output"
    bl_label = "Output"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("terrain.bake", icon="RENDER_STILL")
        layout.operator("terrain.bake_set", text="Bake Set...", icon="RENDERLAYERS")
        layout.operator("terrain.displace_setup", icon="MOD_DISPLACE")
        layout.separator()
        layout.operator("terrain.export", icon="EXPORT")
        layout.operator("terrain.export_copy", icon="COPYDOWN")
        layout.operator_menu_enum("terrain.copy_height", "point", icon="COPYDOWN")
        layout.separator()
        layout.operator("terrain.levels_of_detail", icon="MOD_DECIM")
        layout.operator("terrain.solid", icon="MESH_CUBE")
        layout.operator("terrain.contours", icon="CURVE_PATH")
        layout.operator("terrain.export_contours", icon="EXPORT")
        layout.operator("terrain.export_usd", text="Export USD...", icon="EXPORT")
        layout.operator("terrain.mark_asset", icon="ASSET_MANAGER")
        layout.separator()
        layout.menu("TERRAIN_MT_world", icon="WORLD")


@registered
class TERRAIN_MT_fit(bpy.types.Menu):
    """Find settings whose terrain measures like a place"""

    bl_idname = "TERRAIN_MT_fit"
    bl_label = "Fit to Elevation"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("terrain.fit", text="Fit to Elevation...", icon="FILE_FOLDER")
        layout.operator("terrain.fit_apply", icon="IMPORT")
        layout.operator("terrain.fit_finish", icon="CHECKMARK")
        layout.operator("terrain.fit_cancel", icon="CANCEL")


@registered
class TERRAIN_MT_world(bpy.types.Menu):
    """Terrains too large for one mesh, as tiles in a folder"""

    bl_idname = "TERRAIN_MT_world"
    bl_label = "World"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.operator("terrain.world_open", icon="FILE_FOLDER")
        layout.operator("terrain.world_load", icon="IMPORT")
        layout.operator("terrain.world_unload", icon="REMOVE")
        layout.separator()
        layout.operator("terrain.world_export", icon="EXPORT")
        layout.operator("terrain.world_run", icon="PLAY")
        layout.operator("terrain.world_cancel", icon="CANCEL")


def _set(button: Any, **values: str) -> None:
    """Set properties of a menu entry."""
    for name, value in values.items():
        setattr(button, name, value)


def _in_add_menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.menu("TERRAIN_MT_add", icon="RNDCURVE")


def _in_object_menu(self: Any, context: bpy.types.Context) -> None:
    if active_mesh(context):
        self.layout.separator()
        self.layout.menu("TERRAIN_MT_terrain", icon="RNDCURVE")


def _in_curve_menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.operator("terrain.drape", icon="RNDCURVE")


def _in_import_menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator("terrain.add_elevation", text="Terrain from Elevation File (.tif, .hgt)")
    self.layout.operator("terrain.drape_image", text="Image Draped over Terrain (.tif, .jpg)")
    self.layout.operator("terrain.import_vectors", text="Vectors on Terrain (.osm, .geojson, .gpx)")
    self.layout.operator("terrain.world_open", text="Terrain World (folder)")


def _in_export_menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator("terrain.world_export", text="Terrain World (folder)")
    self.layout.operator("terrain.export_contours", text="Terrain Contours (.svg, .geojson)")
    self.layout.operator("terrain.export_usd", text="Terrain with Colors (.usd*)")


_PLACES: tuple[tuple[Any, Any], ...] = (
    (bpy.types.VIEW3D_MT_mesh_add, _in_add_menu),
    (bpy.types.VIEW3D_MT_object, _in_object_menu),
    (bpy.types.VIEW3D_MT_edit_curve, _in_curve_menu),
    (bpy.types.TOPBAR_MT_file_import, _in_import_menu),
    (bpy.types.TOPBAR_MT_file_export, _in_export_menu),
)


def register() -> None:
    for menu, draw in _PLACES:
        menu.append(draw)


def unregister() -> None:
    for menu, draw in _PLACES:
        menu.remove(draw)
