# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain by other means: a flat grid, a displacement image and a Displace modifier."""

from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..core import Bake, Recipe, bake, uvs
from . import images, meshes
from .build import surface
from .context import terrain_of
from .meshes import Surface
from .recipes import grid_of, read

UV_MAP = "Displacement"
GAP = 0.1  # of the size, between the terrain and its copy


def flat_copy(source: bpy.types.Object) -> bpy.types.Object:
    """A flat object beside a terrain's, which its Displace modifier turns into the same land.

    The image has a pixel for each point, and its border pixels twice: Blender does not sample the
    last row right. A UV map leads each point to the centre of its pixel, so nothing is blended;
    the values are metres. Each copy has an image of its own.
    """
    terrain: Any = terrain_of(source.data)  # type: ignore[arg-type]
    recipe = read(terrain)
    grid = grid_of(terrain, recipe)
    land = surface(recipe, grid)
    name = f"{source.name} Displaced"
    made = bake(recipe, grid, Bake(image="displacement", values="metres"))
    image = images.new(name, _with_margin(made.pixels), color=False)
    with meshes.new(name, grid) as mesh:
        meshes.move(mesh, Surface(grid, np.zeros_like(land.height), land.slope, land.colors))
    for material in source.data.materials:  # type: ignore[union-attr]
        mesh.materials.append(material)
    _add_pixel_uvs(mesh, grid.nx, grid.ny)
    copy = bpy.data.objects.new(name, mesh)
    for collection in source.users_collection:
        collection.objects.link(copy)
    _place_beside(copy, source, recipe)
    _displace(copy, image)
    return copy


def _with_margin(pixels: images.Pixels) -> images.Pixels:
    """The same with its border pixels repeated once more on each side."""
    return np.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")


def _add_pixel_uvs(mesh: bpy.types.Mesh, nx: int, ny: int) -> None:
    """UVs at the centres of the pixels of an image of nx x ny pixels with a margin of one."""
    points = np.array([nx, ny], np.float32)
    centres = (uvs(nx, ny) * (points - 1) + np.float32(1.5)) / (points + 2)
    mesh.uv_layers.new(name=UV_MAP, do_init=False)
    attribute: Any = mesh.attributes[UV_MAP]
    attribute.data.foreach_set("vector", centres.reshape(-1))


def _place_beside(copy: Any, source: bpy.types.Object, recipe: Recipe) -> None:
    copy.matrix_world = source.matrix_world
    along_x = Vector((recipe.size_x * (1 + GAP), 0, 0))
    copy.location = copy.matrix_world @ along_x


def _displace(item: bpy.types.Object, image: bpy.types.Image) -> None:
    texture: Any = bpy.data.textures.new(item.name, "IMAGE")
    texture.image = image
    texture.extension = "EXTEND"
    texture.use_clamp = False  # metres, not 0 to 1
    modifier: Any = item.modifiers.new("Displace", "DISPLACE")
    modifier.texture = texture
    modifier.texture_coords = "UV"
    modifier.uv_layer = UV_MAP
    modifier.direction = "Z"
    modifier.mid_level = 0
    modifier.strength = 1
