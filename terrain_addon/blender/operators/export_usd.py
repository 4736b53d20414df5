# SPDX-License-Identifier: GPL-3.0-or-later
"""Export a terrain as USD, with its colors under the name that readers of USD show."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper

from ..app.registration import registered
from ..data import nodes
from ..live import rebuild
from ..mesh.terrain_mesh import COLOR
from .base import UNSEEN, OnTerrain, Result, reporting

DISPLAY_COLOR = "displayColor"
"""Name of the colors of points in USD; Blender writes an attribute of that name as such."""
SUFFIXES = (".usdc", ".usda", ".usd", ".usdz")


@registered
class TERRAIN_OT_export_usd(OnTerrain, ExportHelper):
    """Write the terrain as a USD file, whose displayColor are the colors of its points"""

    bl_idname = "terrain.export_usd"
    bl_label = "Export USD"
    bl_options = set()  # files are no undo step

    reads_only = True
    filename_ext = SUFFIXES[0]
    check_extension = None  # any of the suffixes
    filter_glob: StringProperty(
        name="Filter",
        description="Names of the files that are listed",
        default=";".join(f"*{one}" for one in SUFFIXES),
        options=UNSEEN,
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        path = Path(bpy.path.abspath(cast(Any, self).filepath))
        if path.suffix.lower() not in SUFFIXES:
            raise ValueError(f"{path.name}: a USD file ends with {', '.join(SUFFIXES)}")
        if not bpy.app.build_options.usd:
            raise ValueError("This Blender was built without USD: use one from blender.org")
        mesh = self.subject(context)[0]
        if rebuild.is_unfinished(mesh):
            raise ValueError("The mesh shows a preview: wait until the terrain is rebuilt")
        with _copied(context, self.subject_object(context)) as scene:
            _write(context, scene, path)
        self.report({"INFO"}, f"Exported {path.name}")
        return {"FINISHED"}


def _write(context: bpy.types.Context, scene: bpy.types.Scene, path: Path) -> None:
    """Write all objects of a scene; ValueError if Blender cannot."""
    try:
        with context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            result = bpy.ops.wm.usd_export(filepath=str(path), check_existing=False)
    except RuntimeError as error:
        raise ValueError(f"{path.name} was not written: {error}") from None
    if "FINISHED" not in result or not path.is_file():
        raise ValueError(f"{path.name} was not written: choose another folder")


def _in_usd(material: bpy.types.Material) -> bool:
    """Return whether USD holds the base color of a material: one color or an image.

    Blender writes others as gray, which viewers would show instead of displayColor.
    """
    tree: Any = material.node_tree
    surfaces = [node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"] if tree else []
    links = [link for node in surfaces for link in node.inputs["Base Color"].links]
    return bool(surfaces) and all(link.from_node.type == "TEX_IMAGE" for link in links)


@contextmanager
def _copied(context: bpy.types.Context, item: bpy.types.Object) -> Iterator[bpy.types.Scene]:
    """Yield a scene of a copy of a terrain as Blender shows it, whose colors are displayColor.

    The copy has the name of the terrain, which has another one meanwhile, and those of its
    materials that USD holds. Everything is as before at the end.
    """
    graph = context.evaluated_depsgraph_get()
    name, source = item.name, item.evaluated_get(graph)
    made: list[bpy.types.ID] = []
    try:
        mesh = bpy.data.meshes.new_from_object(
            source, preserve_all_data_layers=True, depsgraph=graph
        )
        made.append(mesh)
        if color := cast(Any, mesh.attributes.get(COLOR)):
            color.name = DISPLAY_COLOR
        for slot, material in enumerate(mesh.materials):
            if material and not _in_usd(material):
                mesh.materials[slot] = cast(Any, None)
        if not item.library:
            item.name = nodes.NAME
        made.append(copy := bpy.data.objects.new(name, mesh))
        copy.matrix_world = item.matrix_world
        made.append(scene := bpy.data.scenes.new(nodes.NAME))
        scene.collection.objects.link(copy)
        scene.unit_settings.scale_length = context.scene.unit_settings.scale_length
        yield scene
    finally:
        bpy.data.batch_remove(made)
        if not item.library:
            item.name = name
