# SPDX-License-Identifier: GPL-3.0-or-later
"""A world in the scene: a collection with its overview, and one collection for each loaded tile.

Tiles are children of the overview, so the world is moved and scaled as a whole.
Everything that is known about them is in custom properties, so undo and files keep it.
"""

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.worlds import Tile, World
from ..data.attributes import values_of
from ..materials import sync
from ..mesh import terrain_mesh
from ..mesh.terrain_mesh import HEIGHT, Surface
from . import cover, materials, stitching
from .stitching import BORDERS
from .surfaces import Ends, cells_of_overview

FOLDER, ENDS, SPACING = "terrain_world", "terrain_world_range", "terrain_world_spacing"
"""Custom properties of the collection of a world: its folder, its lowest and highest height, and
the meters between its samples."""
CELLS = "terrain_world_cells"
"""Custom property of the overview: cells along each tile, columns and rows."""
TILE = "terrain_world_tile"
"""Custom property of the object of a tile: column, row and step."""
MOST_NORMALS = 300 * 300
"""Points of a tile whose border gets normals: they take 1.5 us a point, and faces of a detailed
tile are so small that no border is seen."""

Floats = NDArray[np.float32]


def find(scene: bpy.types.Scene, folder: str) -> bpy.types.Collection | None:
    """Return the collection of the world in a folder."""
    found = (child for child in scene.collection.children_recursive if child.get(FOLDER) == folder)
    return next(found, None)


def overview_of(collection: bpy.types.Collection) -> Any:
    """Return the object of the overview, None if the user removed it."""
    return next((item for item in collection.objects if CELLS in item and _is_mesh(item)), None)


def tiles_of(collection: bpy.types.Collection) -> dict[Tile, Any]:
    """Return the objects of the loaded tiles."""
    items = (item for item in collection.all_objects if TILE in item and _is_mesh(item))
    return {(int(item[TILE][0]), int(item[TILE][1])): item for item in items}


def ends_of(collection: bpy.types.Collection) -> Ends:
    """Return the lowest and highest height, to which colors are relative."""
    low, high = collection[ENDS]
    return float(low), float(high)


def add_overview(
    scene: bpy.types.Scene, world: World, folder: str, surface: Surface
) -> bpy.types.Object:
    """Add a world to the scene, or give the one that is there another overview."""
    with terrain_mesh.new(world.folder.name, surface.grid) as mesh:
        terrain_mesh.move(mesh, surface)
    collection = find(scene, folder)
    if collection is None:
        collection = bpy.data.collections.new(mesh.name)
        scene.collection.children.link(collection)
    collection[FOLDER] = folder
    collection[ENDS] = [float(surface.height.min()), float(surface.height.max())]
    collection[SPACING] = [world.grid.dx, world.grid.dy]
    item = overview_of(collection)
    if item is None:
        item = bpy.data.objects.new(mesh.name, mesh)
        collection.objects.link(item)
    else:
        _exchange(item, mesh)
    item[CELLS] = [cells_of_overview(world), world.columns, world.rows]
    cover.add_modifier(item)
    _dress(item, world, folder, item)
    stitch_overview(collection)
    return item


def put_tile(
    collection: bpy.types.Collection, world: World, one: Tile, step: int, surface: Surface
) -> bpy.types.Object:
    """Show a tile with that surface: in its object if it is loaded, or in a new one."""
    name = f"Tile {one[0]},{one[1]}"
    with terrain_mesh.new(name, surface.grid) as mesh:
        terrain_mesh.move(mesh, surface)
        terrain_mesh.set_positions(mesh, _points(world, one, surface))
    item = tiles_of(collection).get(one)
    if item is None:
        item = bpy.data.objects.new(name, mesh)
        own = bpy.data.collections.new(name)
        own.objects.link(item)
        collection.children.link(own)
    else:
        _exchange(item, mesh)
    overview = overview_of(collection)
    item.parent, item.location = overview, (*corner_of(world, one), 0.0)
    item[TILE] = [*one, step]
    _dress(item, world, collection[FOLDER], overview)
    return item


def remove_tiles(collection: bpy.types.Collection, tiles: Iterable[Tile]) -> None:
    """Remove tiles, their meshes, and their collections if nothing else is in them."""
    loaded = tiles_of(collection)
    for tile in tiles:
        item = loaded[tile]
        mesh, homes = item.data, list(item.users_collection)
        bpy.data.objects.remove(item)
        if not mesh.users:
            bpy.data.meshes.remove(mesh)
        for home in homes:
            if home != collection and not home.all_objects and not home.children:
                bpy.data.collections.remove(home)


def corner_of(world: World, one: Tile) -> tuple[float, float]:
    """Return the corner of a tile with the lowest x and y, in float32 as Blender stores it."""
    grid, step = world.grid, world.side - 1
    return (
        float(np.float32(grid.x0 + grid.dx * one[0] * step)),
        float(np.float32(grid.y0 + grid.dy * one[1] * step)),
    )


def _points(world: World, one: Tile, surface: Surface) -> Floats:
    """Return positions relative to the corner of the tile, (points, 3).

    The far borders lie exactly at the corner of the next tile, so that neighbors meet to the bit.
    """
    near, far = corner_of(world, one), corner_of(world, (one[0] + 1, one[1] + 1))
    axes = []
    for values, start, end in zip((surface.grid.x, surface.grid.y), near, far, strict=True):
        axis = values - start
        axis[0], axis[-1] = 0, end - start
        axes.append(axis.astype(np.float32))
    out = np.empty((*surface.grid.shape, 3), np.float32)
    out[..., 0], out[..., 1], out[..., 2] = axes[0], axes[1][:, None], surface.height
    return out.reshape(-1, 3)


def beside(tiles: Iterable[Tile]) -> set[Tile]:
    """Return tiles and their neighbors, whose borders they change."""
    return {(x + i, y + j) for x, y in tiles for i, j in ((0, 0), *BORDERS)}


def stitch(collection: bpy.types.Collection, one: Tile) -> None:
    """Fit the borders of a tile, if it is loaded, to what is beside it."""
    loaded = tiles_of(collection)
    item = loaded.get(one)
    height = None if item is None else _heights(item)
    if item is None or height is None:
        return
    shapes: dict[stitching.Offset, int] = {}
    same: dict[stitching.Offset, Floats] = {}
    counts = overview_counts(collection)
    for offset in BORDERS:
        other = (one[0] + offset[0], one[1] + offset[1])
        theirs = _heights(loaded[other]) if other in loaded else None
        if theirs is not None:
            shapes[offset] = len(theirs) - 1
            if theirs.shape == height.shape:
                same[offset] = theirs
        elif counts and 0 <= other[0] < counts[1] and 0 <= other[1] < counts[2]:
            shapes[offset] = counts[0]
    mesh, step = item.data, int(item[TILE][2])
    points = values_of(mesh.attributes["position"])
    points[:, 2] = stitching.stitched(height, shapes).reshape(-1)
    terrain_mesh.set_positions(mesh, points)
    if height.size <= MOST_NORMALS:
        dx, dy = (step * spacing for spacing in collection[SPACING])
        normals = stitching.border_normals(height, same, dx, dy)
        mesh.normals_split_custom_set_from_vertices(normals.reshape(-1, 3))


def stitch_overview(collection: bpy.types.Collection) -> None:
    """Hide the overview under loaded tiles, and let it meet their borders."""
    item, counts = overview_of(collection), overview_counts(collection)
    if item is None or counts is None:
        return
    cells, columns, rows = counts
    height = _flat_heights(item).reshape(rows * cells + 1, columns * cells + 1).copy()
    covered = np.zeros((rows * cells, columns * cells), np.bool_)
    for (x, y), tile in tiles_of(collection).items():
        inner = _heights(tile)
        if inner is None:
            continue
        covered[y * cells : (y + 1) * cells, x * cells : (x + 1) * cells] = True
        part = height[y * cells : (y + 1) * cells + 1, x * cells : (x + 1) * cells + 1]
        at = np.linspace(0, len(inner) - 1, cells + 1)
        for border in BORDERS.values():
            part[border] = np.interp(at, np.arange(len(inner)), inner[border])
    points = values_of(item.data.attributes["position"])
    points[:, 2] = height.reshape(-1)
    terrain_mesh.set_positions(item.data, points)
    cover.write(item.data, covered)


def overview_counts(collection: bpy.types.Collection) -> tuple[int, int, int] | None:
    """Return cells along a tile, columns and rows of the overview; None if it was edited."""
    item = overview_of(collection)
    if item is None:
        return None
    cells, columns, rows = (int(count) for count in item[CELLS])
    points = (columns * cells + 1) * (rows * cells + 1)
    return (cells, columns, rows) if len(_flat_heights(item)) == points else None


def _heights(item: Any) -> Floats | None:
    """Return the heights (ny, nx) of a tile as in its file; None if its points were changed."""
    flat = _flat_heights(item)
    side = round(len(flat) ** 0.5)
    return flat.reshape(side, side) if side * side == len(flat) and side > 1 else None


def _flat_heights(item: Any) -> Floats:
    known = terrain_mesh.recorded(item.data, (HEIGHT,)) if not item.data.is_editmode else None
    return known[0] if known else np.empty(0, np.float32)


def _exchange(item: Any, mesh: bpy.types.Mesh) -> None:
    """Give an object another mesh, with the materials of the old one."""
    old = item.data
    for material in old.materials:
        mesh.materials.append(material)
    name, item.data = old.name, mesh
    if not old.users:
        bpy.data.meshes.remove(old)
    mesh.name = name


def _dress(item: Any, world: World, folder: str, overview: Any) -> None:
    """Add the material to a mesh without one, and what it reads."""
    if not item.data.materials:
        item.data.materials.append(materials.of_world(world.recipe.material, folder, overview))
    sync(item.data, world.recipe)


def _is_mesh(item: Any) -> bool:
    return isinstance(item.data, bpy.types.Mesh)
