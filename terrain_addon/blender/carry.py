# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user added to a terrain, carried from one grid to another.

``Mesh.clear_geometry`` drops all attributes and vertex groups. All that a mesh is made of lies in
grids, so each attribute has a place on the land and is sampled again there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .attributes import TYPES, values_of
from .context import objects_of

Shape = tuple[int, int]

_POINTS, _CELLS, _ENDS = "points", "cells", "ends of cells"
_GRIDS = {
    "POINT": ((_POINTS, _POINTS),),
    "EDGE": ((_POINTS, _CELLS), (_CELLS, _POINTS)),  # along X, along Y
    "FACE": ((_CELLS, _CELLS),),
    "CORNER": ((_ENDS, _ENDS),),
}
"""The grids that the elements of a domain make: what their rows and columns are."""


@dataclass
class Carried:
    """Attributes and vertex groups of a mesh, as arrays on its grid."""

    shape: Shape
    """(nx, ny) points"""
    attributes: list[tuple[str, str, str, NDArray[Any]]]
    """(name, type, domain, values (elements, components) in the order of the domain's grids)"""
    groups: list[tuple[str, NDArray[np.float32]]]
    """(name, weights (rows, columns), negative where a point is not in the group)"""
    active: "Active"

    @classmethod
    def take(cls, mesh: bpy.types.Mesh, shape: Shape, ours: tuple[str, ...]) -> "Carried":
        """Read them from a grid of ``shape`` = (nx, ny) points; ``ours`` are left alone."""
        attributes = []
        existing: Any = mesh.attributes
        for attribute in existing:
            name, kind, domain = attribute.name, attribute.data_type, attribute.domain
            theirs = name not in ours and name[0] != "." and name != "position"
            if theirs and kind in TYPES and len(attribute.data) == _count(domain, shape):
                values = values_of(attribute)[_order(mesh, shape, domain)]
                attributes.append((name, kind, domain, values))
        return cls(shape, attributes, _weights(mesh, shape), Active.of(mesh))

    def put(self, mesh: bpy.types.Mesh, shape: Shape) -> None:
        """Write them to a mesh of another shape."""
        for name, kind, domain, values in self.attributes:
            attribute: Any = mesh.attributes.new(name, kind, domain)  # type: ignore[arg-type]
            parts = _grids(domain, values, self.shape, shape, nearest=not TYPES[kind].blends)
            sampled = np.empty((_count(domain, shape), *values.shape[1:]), values.dtype)
            sampled[_order(mesh, shape, domain)] = np.concatenate(list(parts))
            attribute.data.foreach_set(TYPES[kind].field, sampled.reshape(-1))
        self.active.put(mesh)
        user = next(iter(objects_of(mesh)), None)
        if user:
            for name, weights in self.groups:
                group = user.vertex_groups.new(name=name)
                _add_weights(group, resampled(weights, shape, nearest=True).reshape(-1))


@dataclass
class Active:
    """Names of the UV maps and colours that are shown, painted and rendered."""

    color: str
    render_color: str
    uv: str
    render_uv: str

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> "Active":
        """Read them; "" for none."""
        colors: Any = mesh.attributes
        uv = mesh.uv_layers.active
        return cls(
            color=colors.active_color_name or "",
            render_color=colors.default_color_name or "",
            uv=uv.name if uv else "",
            render_uv=next((layer.name for layer in mesh.uv_layers if layer.active_render), ""),
        )

    def put(self, mesh: bpy.types.Mesh) -> None:
        """Make them active again, where they are there."""
        colors: Any = mesh.attributes
        if self.color in mesh.color_attributes:
            colors.active_color_name = self.color
        if self.render_color in mesh.color_attributes:
            colors.default_color_name = self.render_color
        if uv := mesh.uv_layers.get(self.uv):
            uv.active = True
        if uv := mesh.uv_layers.get(self.render_uv):
            uv.active_render = True


def _length(kind: str, points: int) -> int:
    """Elements along an axis of that many points."""
    return {_POINTS: points, _CELLS: points - 1, _ENDS: 2 * (points - 1)}[kind]


def _count(domain: str, shape: Shape) -> int:
    nx, ny = shape
    return sum(_length(rows, ny) * _length(columns, nx) for rows, columns in _GRIDS[domain])


def _order(mesh: bpy.types.Mesh, shape: Shape, domain: str) -> Any:
    """An index that puts the elements of a domain into the order of its grids."""
    nx, ny = shape
    if domain == "CORNER":
        of_face = np.arange(4 * (nx - 1) * (ny - 1), dtype=np.int32).reshape(ny - 1, nx - 1, 4)
        ends = of_face[..., [0, 1, 3, 2]].reshape(ny - 1, nx - 1, 2, 2)  # faces go around
        return ends.swapaxes(1, 2).reshape(-1)
    if domain == "EDGE":  # the grid node numbers those along Y in another way than we do
        ends = values_of(mesh.attributes[".edge_verts"])
        start = ends.min(axis=1)
        return np.lexsort((start, ends.max(axis=1) - start > 1))
    return slice(None)


def _grids(
    domain: str, values: NDArray[Any], old: Shape, new: Shape, *, nearest: bool
) -> Iterator[NDArray[Any]]:
    """The values of each grid of a domain, on another number of points, flat."""
    first = 0
    for along_y, along_x in _GRIDS[domain]:
        rows, columns = _length(along_y, old[1]), _length(along_x, old[0])
        part = values[first : first + rows * columns].reshape(rows, columns, -1)
        at = _places(along_y, old[1], new[1]), _places(along_x, old[0], new[0])
        yield _sampled(part, *at, nearest=nearest).reshape(-1, values.shape[1])
        first += rows * columns


def _places(kind: str, old: int, new: int) -> NDArray[np.float64]:
    """Where the elements along an axis of ``new`` points lie among those of ``old`` points.

    As fractional numbers of the old ones. The end of a cell lies in the old cell on its
    own side, so that corners differ where those of neighbours did before, and nowhere else.
    """
    if kind == _POINTS:
        return np.linspace(0, old - 1, new)
    if kind == _CELLS:
        centres = (np.arange(new - 1) + 0.5) * (old - 1) / (new - 1) - 0.5
        return centres.clip(0, old - 2)
    points = np.arange(new) * (old - 1)  # over new - 1: whole numbers tell sides exactly
    starts, ends = points[:-1], points[1:]
    cells = np.stack([starts // (new - 1), (ends - 1) // (new - 1)], axis=1)
    return (np.stack([starts, ends], axis=1) / (new - 1) + cells).reshape(-1)


def resampled(values: NDArray[Any], shape: Shape, *, nearest: bool = False) -> NDArray[Any]:
    """A field (rows, columns, ...) on another number of points: (nx, ny) from border to border.

    Floats are blended (bilinear), unless ``nearest``; other types take the nearest value.
    """
    rows = _places(_POINTS, values.shape[0], shape[1])
    columns = _places(_POINTS, values.shape[1], shape[0])
    return _sampled(values, rows, columns, nearest=nearest or values.dtype != np.float32)


def _sampled(
    values: NDArray[Any],
    rows: NDArray[np.float64],
    columns: NDArray[np.float64],
    *,
    nearest: bool,
) -> NDArray[Any]:
    """A field at fractional row and column numbers that ascend."""
    if nearest:
        near = values.take(np.rint(columns).astype(int), axis=1)
        return near.take(np.rint(rows).astype(int), axis=0)
    across = _blended(values.swapaxes(0, 1), columns)  # the few rows first
    return _blended(np.ascontiguousarray(across.swapaxes(0, 1)), rows)


def _blended(values: NDArray[Any], at: NDArray[np.float64]) -> NDArray[Any]:
    """Linear interpolation between rows, at fractional row numbers that ascend."""
    out = np.empty((len(at), *values.shape[1:]), np.float32)
    low = np.minimum(at.astype(int), max(len(values) - 2, 0))
    share = (at - low).astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
    starts = np.searchsorted(low, np.arange(len(values) + 1))
    for n in np.unique(low):  # a row at a time: what it makes stays in the cache
        part = slice(starts[n], starts[n + 1])
        below, above = values[n], values[min(n + 1, len(values) - 1)]
        np.multiply(above - below, share[part], out=out[part])
        out[part] += below
    return out


def _weights(mesh: bpy.types.Mesh, shape: Shape) -> list[tuple[str, NDArray[np.float32]]]:
    user = next(iter(objects_of(mesh)), None)
    if not user or not user.vertex_groups:
        return []
    weights = np.full((len(user.vertex_groups), len(mesh.vertices)), -1, np.float32)
    # Nodes read weights faster, but cannot tell a weight of 0 from a point outside of the group.
    for vertex in mesh.vertices:
        for member in vertex.groups:
            weights[member.group, vertex.index] = member.weight
    names = [group.name for group in user.vertex_groups]
    return [
        (name, row.reshape(shape[1], shape[0])) for name, row in zip(names, weights, strict=True)
    ]


def _add_weights(group: bpy.types.VertexGroup, weights: NDArray[np.float32]) -> None:
    order = np.argsort(weights, kind="stable")
    distinct, starts = np.unique(weights[order], return_index=True)
    for weight, members in zip(distinct, np.split(order, starts[1:]), strict=True):
        if weight >= 0:
            group.add(members.tolist(), float(weight), "REPLACE")
