# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes that carry what the points of a terrain's mesh carry."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Grid
from ...core.output.triangulation import TriangleMesh
from ..data.attributes import TYPES, values_of
from ..data.terrains import terrain_of
from .signature import Signature
from .terrain_mesh import COLOR, UV_MAP, is_grid

EXPORTED = "_"
"""How names of attributes begin that glTF files hold."""
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Points:
    """The points of a terrain's mesh: a grid, heights in meters (ny, nx), attributes by name.

    The values of an attribute are a type of Blender and an array (ny * nx, components).
    """

    grid: Grid
    height: Floats
    attributes: Mapping[str, tuple[str, NDArray[Any]]]

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> "Points":
        """Read the points of a mesh as it is, with heights that were edited by hand.

        Raises ValueError if it is no grid any more.
        """
        grid = Signature.built(terrain_of(mesh)).grid
        if grid is None or not is_grid(mesh, grid.nx, grid.ny):
            raise ValueError(
                "Points of the terrain were added or removed by hand: rebuild it first"
            )
        points = values_of(mesh.attributes["position"]).reshape(*grid.shape, 3)
        near = 1e-3 * min(grid.dx, grid.dy)
        off = np.abs(points[..., 0] - grid.x).max(), np.abs(points[..., 1] - grid.y[:, None]).max()
        if max(off) > near:
            raise ValueError("Points of the terrain were moved sideways by hand: rebuild it first")
        attributes: dict[str, tuple[str, NDArray[Any]]] = {
            attribute.name: (attribute.data_type, values_of(attribute))
            for attribute in mesh.attributes
            if attribute.domain == "POINT" and attribute.data_type in TYPES
            if attribute.name != "position" and not attribute.name.startswith(".")
        }
        return cls(grid, points[..., 2].copy(), attributes)


def new(
    name: str,
    made: TriangleMesh,
    points: Points,
    normals: Floats | None = None,
    *,
    gltf_names: bool = False,
) -> bpy.types.Mesh:
    """Make a mesh of these triangles with the attributes and the UVs of the terrain.

    Without ``normals``, (ny * nx, 3) for the points of the terrain, all faces but those on the
    terrain are flat. With ``gltf_names``, there are copies of single numbers whose names begin with
    an underscore, as Blender's glTF exporter expects.
    """
    mesh: Any = bpy.data.meshes.new(name)
    mesh.vertices.add(len(made.vertices))
    mesh.loops.add(made.triangles.size)
    mesh.polygons.add(len(made.triangles))
    mesh.attributes["position"].data.foreach_set("vector", made.vertices.reshape(-1))
    mesh.loops.foreach_set("vertex_index", made.triangles.reshape(-1))
    starts = np.arange(0, made.triangles.size, 3, dtype=np.int32)
    mesh.polygons.foreach_set("loop_start", starts)
    mesh.update(calc_edges=True)
    _add_uvs(mesh, made, points.grid)
    for key, (kind, values) in points.attributes.items():
        copies = [key, EXPORTED + key] if gltf_names and kind == "FLOAT" else [key]
        for copy in copies:
            data: Any = mesh.attributes.new(copy, kind, "POINT").data
            own = np.ascontiguousarray(values[made.samples]).reshape(-1)
            data.foreach_set(TYPES[kind].field, own)
    if mesh.attributes.get(COLOR):
        mesh.attributes.active_color_name = mesh.attributes.default_color_name = COLOR
    if normals is None:
        mesh.shade_flat()
        on_terrain = (made.triangles < made.surface).all(axis=1)
        mesh.polygons.foreach_set("use_smooth", on_terrain)
    else:
        mesh.normals_split_custom_set_from_vertices(normals[made.samples])
    return mesh


def _add_uvs(mesh: Any, made: TriangleMesh, grid: Grid) -> None:
    """Add UVs from 0 to 1 over the whole terrain, whatever part of it the mesh is."""
    j, i = np.divmod(made.samples, grid.nx)
    uvs = np.stack([i / (grid.nx - 1), j / (grid.ny - 1)], axis=1).astype(np.float32)
    mesh.uv_layers.new(name=UV_MAP, do_init=False)
    mesh.attributes[UV_MAP].data.foreach_set("vector", uvs[made.triangles].reshape(-1))
