# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps by name: attributes and vertex groups of a terrain's mesh, images, other terrains, and
elevation files."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Map
from ..data import elevation_files, images, nodes
from ..data.attributes import values_of
from ..data.terrains import is_terrain_object, objects_of, terrain_named, terrain_of
from .imagery import PASSING
from .signature import Signature
from .terrain_mesh import OURS, is_grid

Shape = tuple[int, int]
Values = NDArray[np.float32]

WEIGHT = ".weight"
_NUMBERS = ("FLOAT", "INT", "BOOLEAN")
_COLORS = ("FLOAT_COLOR", "BYTE_COLOR")


def maps_of(mesh: bpy.types.Mesh, shape: Shape, names: Iterable[str]) -> tuple[Map, ...]:
    """Return the named maps; skip names without a map.

    ``shape`` = (nx, ny) is that of the mesh's grid. Attributes precede vertex groups, these images,
    these other terrains, and these elevation files. Raises ValueError for attributes that the
    terrain itself writes, for those that are not one number or color per point, for images without
    pixels, for terrains whose points were added or removed by hand, and for files that are missing
    or damaged.
    """
    return tuple(found for name in names if (found := _find(mesh, shape, name)))


def _find(mesh: bpy.types.Mesh, shape: Shape, name: str) -> Map | None:
    is_grid = shape[0] * shape[1] == len(mesh.vertices)
    ours = _ours(mesh)
    if is_grid and name not in ours and name in mesh.attributes:
        return Map(name, _painted(mesh, mesh.attributes[name]).reshape(shape[1], shape[0]))
    if is_grid and name in _groups(mesh):
        return Map(name, _weights(mesh, name).reshape(shape[1], shape[0]))
    if image := bpy.data.images.get(name):
        return of_image(image)
    if names_terrain(mesh, name):
        return _of_terrain(bpy.data.objects[name])
    if found := elevation_files.map_of(name, mesh):
        return found
    if name in ours and name in mesh.attributes:
        raise ValueError(f"{name!r} is written by the terrain and cannot be a map: choose another")
    return None


def names_terrain(mesh: bpy.types.Mesh, name: str) -> bool:
    """Return whether a map of that name is a terrain."""
    if terrain_named(name) is None:
        return False
    return not (name in mesh.attributes or name in _groups(mesh) or name in bpy.data.images)


def keep_images(names: Iterable[str]) -> None:
    """Make Blender save the images that settings name even if nothing else uses them."""
    for name in names:
        image = bpy.data.images.get(name)
        if image and not image.users and not image.library:
            image.use_fake_user = True


def _ours(mesh: bpy.types.Mesh) -> set[str]:
    """Return the names of the attributes that the terrain itself writes."""
    return {"position", *OURS, *Signature.built(terrain_of(mesh)).fields}


def suggestions(group: Any, context: Any, typed: str) -> Iterator[tuple[str, str]]:
    """Yield the possible names of a map, and what each is, for the search of a text field."""
    mesh = group.id_data
    ours = _ours(mesh)
    for attribute in mesh.attributes:
        if attribute.name not in ours and _is_painted(attribute):
            yield attribute.name, "Attribute"
    for name in _groups(mesh):
        yield name, "Vertex group"
    for image in bpy.data.images:
        if image.type not in PASSING:
            yield image.name, "Image"
    for item in bpy.data.objects:
        if is_terrain_object(item) and item.data != mesh:
            yield item.name, "Terrain"


def is_color(attribute: Any) -> bool:
    """Return whether an attribute is one that Blender's Vertex Paint mode paints."""
    return attribute.data_type in _COLORS and attribute.domain in ("POINT", "CORNER")


def _is_painted(attribute: Any) -> bool:
    if attribute.name.startswith("."):
        return False
    if is_color(attribute):
        return True
    return attribute.data_type in _NUMBERS and attribute.domain == "POINT"


def _painted(mesh: bpy.types.Mesh, attribute: Any) -> Values:
    """Return one value per point; for colors the mean of red, green and blue."""
    if not _is_painted(attribute):
        raise ValueError(
            f"The attribute {attribute.name!r} is no map: it must have a number, a Boolean or a "
            "color for each point"
        )
    values = values_of(attribute)[:, :3].mean(axis=1)
    if attribute.domain == "CORNER":
        values = _mean_of_corners(mesh, values)
    return values.astype(np.float32)


def _mean_of_corners(mesh: bpy.types.Mesh, values: NDArray[Any]) -> NDArray[Any]:
    points = np.empty(len(mesh.loops), np.int32)
    corners: Any = mesh.attributes[".corner_vert"]
    corners.data.foreach_get("value", points)
    count = len(mesh.vertices)
    return np.bincount(points, values, count) / np.bincount(points, minlength=count)


def _groups(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of the vertex groups, which belong to objects in Blender."""
    users = objects_of(mesh)
    return [group.name for group in users[0].vertex_groups] if users else []


def _weights(mesh: bpy.types.Mesh, name: str) -> Values:
    """Return the weights of a vertex group, 0 outside it.

    Python reads one point at a time, 1 s for a million; geometry nodes read all at once.
    """
    tree = nodes.new_tree()
    weights = tree.nodes.new("GeometryNodeInputNamedAttribute")
    weights.inputs["Name"].default_value = name
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.inputs["Name"].default_value = WEIGHT
    ends = [tree.nodes.new(f"NodeGroup{end}") for end in ("Input", "Output")]
    tree.links.new(ends[0].outputs[0], store.inputs["Geometry"])
    tree.links.new(weights.outputs["Attribute"], store.inputs["Value"])
    tree.links.new(store.outputs["Geometry"], ends[1].inputs[0])
    values = np.zeros(len(mesh.vertices), np.float32)
    with nodes.evaluated(tree, mesh) as (item, _):
        made: Any = item.data.attributes[WEIGHT]  # type: ignore[union-attr]
        made.data.foreach_get("value", values)
    return values


def _of_terrain(item: bpy.types.Object) -> Map:
    """Return the heights of a terrain in meters, with its sculpted changes.

    Raises ValueError for a mesh that is no grid.
    """
    mesh = cast(bpy.types.Mesh, item.data)
    if mesh.is_editmode:
        raise ValueError(f"The terrain {item.name!r} is edited: leave its Edit Mode first")
    grid = Signature.built(terrain_of(mesh)).grid
    if grid is None or not is_grid(mesh, grid.nx, grid.ny):
        raise ValueError(f"The terrain {item.name!r} is no grid and cannot be a map: rebuild it")
    height = values_of(mesh.attributes["position"]).reshape(-1, 3)[:, 2].reshape(grid.shape)
    return Map(item.name, height, spacing=(grid.dx, grid.dy), in_meters=True)


def of_image(image: bpy.types.Image) -> Map:
    """Return the map of an image.

    It is the mean of the stored red, green and blue, or the values in the image's TIFF file.

    Raises ValueError for images without pixels, for renders, and for files that are not read.
    """
    if image.type in PASSING:
        raise ValueError(f"{image.name!r} cannot be a map: save it and open the file as an image")
    found = elevation_files.map_of_image(image)
    return found or Map(image.name, _pixels(image), to_border=False)


def _pixels(image: bpy.types.Image) -> Values:
    """Return the mean of the stored red, green and blue, rows from the bottom."""
    pixels = images.pixels_of(image)
    if pixels.shape[2] < 3:
        return np.ascontiguousarray(pixels[..., 0])
    mean = pixels[..., 0] + pixels[..., 1]  # six times as fast as mean(axis=2)
    mean += pixels[..., 2]
    mean *= np.float32(1 / 3)
    return mean
