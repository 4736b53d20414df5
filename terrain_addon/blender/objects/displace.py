# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain as a flat grid with a heightmap image and a Displace modifier."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ...core import Recipe
from ...core.output import evaluate_colored, uvs
from ..data import images
from ..data.terrains import terrain_of
from ..mesh import terrain_mesh
from ..mesh.terrain_mesh import Surface
from ..properties.recipe import grid_of, read

UV_MAP = "Displacement"
GAP = 0.1  # between the terrain and its copy, as a share of the size


def flat_copy(
    source: bpy.types.Object, collections: Iterable[bpy.types.Collection]
) -> bpy.types.Object:
    """Return a flat copy beside a terrain, which a Displace modifier turns into the same terrain.

    It is linked to ``collections``.

    The image has one pixel per point, in meters, and repeats its border pixels: Blender samples the
    last row wrongly. A UV map places each point at the center of its pixel, so nothing is
    interpolated. Each copy has an image of its own.
    """
    terrain: Any = terrain_of(source.data)  # type: ignore[arg-type]
    recipe = read(terrain)
    grid = grid_of(terrain, recipe)
    field, coloring = evaluate_colored(recipe, grid)
    flat = Surface(grid, np.zeros_like(field.height), field.fields["slope"], coloring.colors)
    pixels = _pixels(field.height)
    name = f"{source.name} Displaced"
    with _all_or_nothing() as made, terrain_mesh.new(name, grid) as mesh:
        terrain_mesh.move(mesh, flat)
        for material in source.data.materials:  # type: ignore[union-attr]
            mesh.materials.append(material)
        _add_pixel_uvs(mesh, grid.nx, grid.ny)
        image = images.new(name, pixels, color=False)
        made.append(image)
        texture = _texture(name, image)
        made.append(texture)
        copy = bpy.data.objects.new(name, mesh)
        _displace(copy, texture)
        _place_beside(copy, source, recipe)
        for collection in collections:
            collection.objects.link(copy)
    return copy


@contextmanager
def _all_or_nothing() -> Iterator[list[bpy.types.ID]]:
    """Yield a list for new data: all of it is removed if an error occurs within the context."""
    made: list[bpy.types.ID] = []
    try:
        yield made
    except Exception:
        bpy.data.batch_remove(made)
        raise


def _pixels(height: NDArray[np.float32]) -> images.Pixels:
    """Return heights as a gray image, with its border pixels repeated once."""
    pixels = np.ones((height.shape[0] + 2, height.shape[1] + 2, 4), np.float32)
    pixels[..., :3] = np.pad(height, 1, mode="edge")[..., None]
    return pixels


def _add_pixel_uvs(mesh: bpy.types.Mesh, nx: int, ny: int) -> None:
    """Add UVs at the centers of the pixels of an image of nx x ny pixels with a margin of one."""
    points = np.array([nx, ny], np.float32)
    centers = (uvs(nx, ny) * (points - 1) + np.float32(1.5)) / (points + 2)
    mesh.uv_layers.new(name=UV_MAP, do_init=False)
    attribute: Any = mesh.attributes[UV_MAP]
    attribute.data.foreach_set("vector", centers.reshape(-1))


def _place_beside(copy: Any, source: bpy.types.Object, recipe: Recipe) -> None:
    copy.matrix_world = source.matrix_world
    along_x = Vector((recipe.size_x * (1 + GAP), 0, 0))
    copy.location = copy.matrix_world @ along_x


def _texture(name: str, image: bpy.types.Image) -> bpy.types.Texture:
    texture: Any = bpy.data.textures.new(name, "IMAGE")
    texture.image = image
    texture.extension = "EXTEND"
    texture.use_clamp = False  # meters, not 0 to 1
    return texture


def _displace(item: bpy.types.Object, texture: bpy.types.Texture) -> None:
    modifier: Any = item.modifiers.new("Displace", "DISPLACE")
    modifier.texture = texture
    modifier.texture_coords = "UV"
    modifier.uv_layer = UV_MAP
    modifier.direction = "Z"
    modifier.mid_level = 0
    modifier.strength = 1
