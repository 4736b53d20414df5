# SPDX-License-Identifier: GPL-3.0-or-later
"""Open a file for a map setting, fit the terrain to a map, and make elevation data finer."""

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ...core import GulliesLayer, HeightMap, Layer, Map, elevation
from ..app.registration import registered
from ..data import elevation_files, images
from ..data.terrains import active_layer
from ..live import rebuild
from ..properties.recipe import read_settings, write_layer
from .base import UNSEEN, OnSetting, OnTerrain, Result, reporting
from .file_browser import ImageBrowser
from .layers import insert

SHOWING = 4
"""Points per sample of elevation data that show forms finer than it."""
MOST = 2049
"""Points along a side that a button asks for at most."""


class OnMap(OnSetting):
    """Base of operators on a map setting of a layer or mask."""

    def of_active(self, layer: Any) -> Any:
        """Return the active layer's settings if they have a map, otherwise its mask."""
        if layer is None:
            raise ValueError("Add a layer for the map first")
        own = getattr(layer, layer.kind)
        return own if hasattr(own, self.setting) else layer.mask_map


@registered
class TERRAIN_OT_open_map(OnMap, ImageBrowser):
    """Open an elevation file or an image as a map of the active layer, with its values as data"""

    bl_idname = "terrain.open_map"
    bl_label = "Open Map"

    filepath: StringProperty(
        name="File", description="An elevation file or an image", subtype="FILE_PATH"
    )
    filter_glob: StringProperty(
        description="Files shown", default=elevation_files.GLOB, options=UNSEEN
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        group = self.group(mesh, terrain)
        setattr(group, self.setting, _opened(self.chosen_file()))
        if hasattr(group, "use"):  # a mask
            group.use = True
        return {"FINISHED"}


def _opened(path: Path) -> str:
    """Return the name of the map of a file; ValueError if it cannot be read.

    Elevation files are named by their path. What Blender reads exactly becomes an image.
    """
    if path.suffix.lower() in elevation_files.SUFFIXES:
        (name,) = elevation_files.named([path])
        try:
            elevation_files.map_of(name)
        except elevation.Picture:
            pass
        else:
            return name
    return images.opened(str(path)).name


@registered
class TERRAIN_OT_size_to_map(OnTerrain):
    """Make the terrain as large as the map of the active layer, and put the map in its middle"""

    bl_idname = "terrain.size_to_map"
    bl_label = "Set Size to Map"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        group, settings, found = _sized(mesh, terrain)
        assert found.size is not None
        with rebuild.one_rebuild(mesh):
            group.fit, group.x, group.y, group.angle = "true", 0.0, 0.0, 0.0
            terrain.size_x, terrain.size_y = (side * settings.scale for side in found.size)
        return {"FINISHED"}


@registered
class TERRAIN_OT_amplify(OnTerrain):
    """Add forms finer than the elevation data of the active layer; its rivers and means stay"""

    bl_idname = "terrain.amplify"
    bl_label = "Amplify"

    raise_resolution: BoolProperty(
        name="Raise Resolution",
        description=f"Give the mesh {SHOWING} points per sample of the data, so that the new forms "
        f"show, up to {MOST} along each side",
        default=True,
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        _, settings, found = _sized(mesh, terrain)
        sizes = terrain.size_x, terrain.size_y
        assert found.size is not None and found.spacing is not None
        x, y = (
            gap * shown / side
            for gap, shown, side in zip(
                found.spacing, settings.placement(found, *sizes).size, found.size, strict=True
            )
        )
        detail = Layer.of(GulliesLayer.on_data(dataclasses.replace(found, spacing=(x, y))))
        detail = dataclasses.replace(detail, name="Fine Detail")
        wanted = [
            math.ceil(side / gap * SHOWING) + 1 for side, gap in zip(sizes, (x, y), strict=True)
        ]
        with rebuild.one_rebuild(mesh):
            insert(terrain, lambda item: write_layer(item, detail, *sizes))
            text = self._refine(terrain, wanted) if self.raise_resolution else ""
        self.report({"INFO"}, f"Added the layer {detail.name!r}{text}")
        return {"FINISHED"}

    def _refine(self, terrain: Any, wanted: Sequence[int]) -> str:
        """Give the mesh up to as many points along X and Y; return what to add to the report."""
        before = terrain.resolution, terrain.resolution_y
        if terrain.square_cells:
            terrain.resolution = max(min(max(wanted), MOST), before[0])
        else:
            counts = [max(min(count, MOST), old) for count, old in zip(wanted, before, strict=True)]
            terrain.resolution, terrain.resolution_y = counts
        if (terrain.resolution, terrain.resolution_y) == before:
            return ""
        return f" and raised the resolution from {before[0]} to {terrain.resolution} points"


def _sized(mesh: bpy.types.Mesh, terrain: Any) -> tuple[Any, HeightMap, Map]:
    """Return the height map of the active layer, its settings, and its map of a known size."""
    layer = active_layer(terrain)
    is_map = layer is not None and layer.kind == HeightMap.key
    found = elevation_files.map_of(layer.height_map.source, mesh) if is_map else None
    if not (found and found.size):
        raise ValueError("Choose a Height Map layer with a file that states its size")
    return layer.height_map, HeightMap(**read_settings(layer.height_map, HeightMap)), found
