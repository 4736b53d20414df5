# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads, rivers, lakes and buildings of a real place: import them, and make layers of them."""

import dataclasses
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import poll_file_object_drop

from ...core import vectors
from ...core.layers import LAYERS
from ...core.output import exports
from ...core.vectors import AREAS, BUILDINGS, KINDS, LAKES, LINES, RIVERS, ROADS
from ..app.registration import registered
from ..data.terrains import active_layer, active_terrain, is_terrain_object, terrain_of
from ..live import rebuild
from ..mesh.signature import Signature
from ..objects import vectors as vector_objects
from ..properties.recipe import MASK, read, write_layer
from .base import UNSEEN, OnTerrain, Result, reporting
from .drawing.draw import follower
from .file_browser import FilesBrowser
from .layers import check_room, insert, show, usual_layer, usual_place

FINE = 0.5
"""Share of the distance of points by which lines are simplified: that hardly shows."""
IGNORED, OUTLINE = "IGNORED", "outline"
BY_CLASS: Mapping[str, Mapping[str, object]] = {
    RIVERS: {"widths": "curve"},
    BUILDINGS: {"follow": "ground", "margin": 1.0, "reach": 10.0},
}
"""Settings of the layers of classes that differ from the usual ones."""


@registered
class TERRAIN_OT_import_vectors(OnTerrain, FilesBrowser):
    """Import roads, rivers, lakes and buildings of the place from GeoJSON, GPX and OSM files"""

    bl_idname = "terrain.import_vectors"
    bl_label = "Import Vectors"

    filepath: StringProperty(name="File", description="A file of vectors", subtype="FILE_PATH")
    filter_glob: StringProperty(
        description="Files shown",
        default=";".join(f"*{suffix}" for suffix in vectors.SUFFIXES),
        options=UNSEEN,
    )
    margin: FloatProperty(
        name="Margin",
        description="How far beyond the border lines are kept",
        default=0.0,
        min=0.0,
        max=1e5,
        subtype="DISTANCE",
        unit="LENGTH",
    )
    use_simplify: BoolProperty(
        name="Simplify",
        description="Leave out points that change lines by less than half the distance of the "
        "points of the terrain",
        default=True,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set("Return to Object Mode to import vectors")
            return False
        if _terrain_in(context) is None:
            cls.poll_message_set("Select the terrain that the vectors belong to")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return self.execute(context) if self.is_dropped else super().invoke(context, event)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = _terrain_in(context)
        assert item is not None
        paths = self.chosen()
        if not paths:
            raise ValueError("Choose one or several files")
        mesh = cast(bpy.types.Mesh, item.data)
        grid = Signature.built(terrain_of(mesh)).grid
        if grid is None:
            raise ValueError("The terrain was never built: rebuild it first")
        recipe = read(terrain_of(mesh))
        base = Path(os.path.dirname(bpy.data.filepath))
        to_terrain = vectors.to_terrain(exports.georeference_of(recipe, base))
        tolerance = FINE * min(grid.dx, grid.dy) if self.use_simplify else 0.0
        found = [
            (path.stem, *vectors.placed(vectors.read(path), to_terrain, recipe.size_x,
                                        recipe.size_y, self.margin, tolerance))
            for path in paths
        ]  # fmt: skip
        if not any(classes for _, classes, _ in found):
            raise ValueError(
                "Nothing in the file lies on the terrain: choose a file of the same place"
            )
        counts: dict[str, int] = {}
        notes: list[str] = []
        for name, classes, more in found:
            vector_objects.add(context, item, name, classes)
            notes += more
            for kind, one in classes.items():
                counts[kind] = counts.get(kind, 0) + len(set(one.outer.tolist()))
        _activate(context, item)
        text = ", ".join(f"{KINDS[kind].label.lower()}: {count}" for kind, count in counts.items())
        self.report({"INFO"}, ". ".join([f"Imported {text}", *notes]))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "margin")
        layout.prop(self, "use_simplify")


@registered
class TERRAIN_FH_vectors(bpy.types.FileHandler):
    """Files of vectors that are dropped into the viewport"""

    bl_idname = "TERRAIN_FH_vectors"
    bl_label = "Vectors on Terrain"
    bl_import_operator = "terrain.import_vectors"
    bl_file_extensions = ";".join(vectors.SUFFIXES)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


@registered
class TERRAIN_OT_vector_layers(OnTerrain):
    """Make Road, River, Lake and Pad layers of the imported vectors, one layer for each class"""

    bl_idname = "terrain.vector_layers"
    bl_label = "Make Layers"

    classes: EnumProperty(
        name="Layers",
        description="Classes that become layers",
        items=[
            (kind.key, kind.label, f"{kind.label} become a {LAYERS[kind.layer].label} layer")
            for kind in KINDS.values()
            if kind.layer
        ],
        options={"ENUM_FLAG"},
        default={ROADS, RIVERS, LAKES, BUILDINGS},
    )
    lines_as: EnumProperty(
        name="Lines",
        description="What lines are that the file does not name",
        items=[
            (IGNORED, "Nothing", "Leave them as curves"),
            (ROADS, "Roads", "A Road layer along them"),
            (RIVERS, "Rivers", "A River layer along them"),
        ],
        default=IGNORED,
    )
    areas_as: EnumProperty(
        name="Areas",
        description="What areas are that the file does not name",
        items=[
            (IGNORED, "Nothing", "Leave them as curves"),
            (LAKES, "Lakes", "A Lake layer inside them"),
            (BUILDINGS, "Pads", "A Pad layer below them"),
            (OUTLINE, "Outline", "The active layer acts inside them only"),
        ],
        default=IGNORED,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        item = active_terrain(context)
        if item is None or next(vector_objects.imported(item), None) is None:
            cls.poll_message_set("Import vectors first")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return context.window_manager.invoke_props_dialog(self, confirm_text="Make Layers")

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        kinds = {kind for kind, _, _ in vector_objects.imported(self.subject_object(context))}
        column = layout.column(align=True)
        column.use_property_split = False  # or each button has its name beside it
        for kind in KINDS.values():
            if kind.layer and kind.key in kinds:
                column.prop_enum(self, "classes", kind.key)
        if LINES in kinds:
            layout.prop(self, "lines_as")
        if AREAS in kinds:
            layout.prop(self, "areas_as")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        planned = list(self._planned(self.subject_object(context), terrain))
        layers = [one for one in planned if one[0] != OUTLINE]
        if not planned:
            raise ValueError(
                "Every class that is chosen has its layer already. Lines and areas that the file "
                "does not name get one where you choose what they are"
            )
        check_room(terrain, len(layers))
        with rebuild.one_rebuild(mesh):
            for kind, name, width in planned:
                if kind == OUTLINE:
                    _limit(terrain, name)
                else:
                    _add(mesh, terrain, kind, name, width)
        labels = [LAYERS[KINDS[kind].layer].label for kind, _, _ in layers]
        self.report({"INFO"}, f"Added {', '.join(labels)}" if labels else "Set the outline")
        return {"FINISHED"}

    def _planned(self, item: bpy.types.Object, terrain: Any) -> Iterator[tuple[str, str, float]]:
        """Yield class, shape and width of the layers to make: rivers first, which roads cross."""
        order = (RIVERS, LAKES, BUILDINGS, ROADS, OUTLINE)
        chosen: list[tuple[str, str, float]] = []
        for kind, name, width in vector_objects.imported(item):
            meant = {LINES: self.lines_as, AREAS: self.areas_as}.get(kind, kind)
            if meant == IGNORED or (kind == meant and kind not in self.classes):
                continue
            if meant == OUTLINE or not follower(terrain, name):
                chosen.append((meant, name, width))
        yield from sorted(chosen, key=lambda one: order.index(one[0]))


def _terrain_in(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active terrain, or the only one of the scene."""
    if item := active_terrain(context):
        return item
    every = [item for item in context.scene.objects if is_terrain_object(item)]
    return every[0] if len(every) == 1 else None


def _activate(context: bpy.types.Context, item: bpy.types.Object) -> None:
    """Select a terrain alone."""
    for other in context.selected_objects:
        other.select_set(False)
    item.select_set(True)
    context.view_layer.objects.active = item


def _add(mesh: bpy.types.Mesh, terrain: Any, kind: str, name: str, width: float) -> None:
    """Add the layer of a class, which follows a shape."""
    cls = LAYERS[KINDS[kind].layer]
    layer = usual_layer(mesh, cls)
    own: dict[str, Any] = {"source": name, **BY_CLASS.get(kind, {})}
    if width:
        own["width"] = width
    layer = dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, **own))
    sizes = terrain.size_x, terrain.size_y
    insert(terrain, lambda item: write_layer(item, layer, *sizes), usual_place(terrain, cls))
    show(terrain, layer.settings)


def _limit(terrain: Any, name: str) -> None:
    """Let the active layer act inside a shape only."""
    layer = active_layer(terrain)
    if layer is None:
        raise ValueError("Add a layer first: the outline limits where it acts")
    group = getattr(layer, f"{MASK}inside_shape")
    group.source, group.fade, group.use = name, 0.0, True
