# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the mesh of a terrain, with what was sculpted or edited by hand."""

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Grid
from ...core.numerics import bilinear_exact
from ...core.output import positions
from ..data import nodes
from ..data.attributes import values_of
from ..data.terrains import terrain_of
from . import new_grid
from .signature import Signature
from .terrain_mesh import is_grid

Values = NDArray[np.float32]

_UV_MAP, _HEIGHT, _HIT = "UVMap", "hit_height", "hit"
_ABOVE = 10.0
"""Meters above the highest point where rays start."""
_ASIDE = 1e-4
"""Distance of rays from the points of the grid, in spacings: on edges they may miss both faces."""


def heights_of(mesh: bpy.types.Mesh, grid: Grid) -> Values:
    """Sample the surface of an edited mesh on a grid: meters, shape (ny, nx), float32.

    Where points were moved sideways, and everywhere if points were added or removed, it is the
    highest surface seen from above. It is NaN where there is none.
    """
    points = values_of(mesh.attributes["position"])
    if not is_grid(mesh, grid.nx, grid.ny):
        return _seen_from_above(mesh, grid, points)
    flat = positions(grid, np.zeros(grid.shape, np.float32)).reshape(-1, 3)
    near = 1e-6 * (abs(flat[0, 0]) + abs(flat[0, 1]))
    moved = (np.abs(points[:, :2] - flat[:, :2]) > near).any(axis=1).reshape(grid.shape)
    height = np.ascontiguousarray(points[:, 2]).reshape(grid.shape)
    if moved.any():
        seen = _seen_from_above(mesh, grid, points)
        height = np.where(moved & np.isfinite(seen), seen, height)
    return height


def _seen_from_above(mesh: bpy.types.Mesh, grid: Grid, points: Values) -> Values:
    if not len(mesh.polygons):
        return np.full(grid.shape, np.nan, np.float32)
    source = bpy.data.objects.new(nodes.NAME, mesh)
    target = new_grid.new(nodes.NAME, grid.nx, grid.ny, _UV_MAP)
    try:
        top = float(points[:, 2].max()) + _ABOVE
        starts = positions(grid, np.full(grid.shape, top, np.float32)).reshape(-1, 3)
        # Towards the middle, so that rays at the border do not miss.
        starts[:, :2] -= np.sign(starts[:, :2]) * np.float32(_ASIDE * min(grid.dx, grid.dy))
        flat: Any = target.attributes["position"]
        flat.data.foreach_set("vector", starts.ravel())
        length = top - float(points[:, 2].min()) + _ABOVE
        with nodes.evaluated(_rays(source, length), target) as (item, _):
            found: Any = item.data
            height = values_of(found.attributes[_HEIGHT])[:, 0]
            hit = values_of(found.attributes[_HIT])[:, 0]
        return np.where(hit > 0.5, height, np.float32(np.nan)).reshape(grid.shape)
    finally:
        bpy.data.batch_remove([source, target])


def _rays(source: bpy.types.Object, length: float) -> bpy.types.NodeTree:
    """Return the nodes that store where rays down from the points hit an object, and whether they
    do."""
    tree = nodes.new_tree()
    info = tree.nodes.new("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value = source
    cast = tree.nodes.new("GeometryNodeRaycast")
    cast.inputs["Ray Direction"].default_value = (0, 0, -1)
    cast.inputs["Ray Length"].default_value = length
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    link = tree.links.new
    link(info.outputs["Geometry"], cast.inputs["Target Geometry"])
    link(cast.outputs["Hit Position"], parts.inputs[0])
    made = tree.nodes.new("NodeGroupInput").outputs[0]
    for name, value in ((_HEIGHT, parts.outputs["Z"]), (_HIT, cast.outputs["Is Hit"])):
        store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
        store.domain, store.data_type = "POINT", "FLOAT"
        store.inputs["Name"].default_value = name
        link(made, store.inputs["Geometry"])
        link(value, store.inputs["Value"])
        made = store.outputs["Geometry"]
    link(made, tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree


def heights_at(
    mesh: bpy.types.Mesh, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the heights in meters at positions in the coordinates of a terrain, (n,) float64.

    They include edits by hand. Positions beyond the border have the height of the border. Raises
    ValueError for a mesh that is no grid any more.
    """
    grid = Signature.built(terrain_of(mesh)).grid
    if grid is None or not is_grid(mesh, grid.nx, grid.ny):
        raise ValueError("Points of this terrain were added or removed by hand: rebuild it first")
    points = values_of(mesh.attributes["position"]).reshape(grid.ny, grid.nx, 3)
    rows = (y - grid.y[0]) / grid.dy
    columns = (x - grid.x[0]) / grid.dx
    height = np.ascontiguousarray(points[..., 2])
    return bilinear_exact(height, rows.clip(0, grid.ny - 1), columns.clip(0, grid.nx - 1))
