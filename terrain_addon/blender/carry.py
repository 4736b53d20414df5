# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user added to a terrain, carried from one grid to another.

``Mesh.clear_geometry`` drops all attributes and vertex groups. Those of the points and faces
have a place on the land, so they are sampled again there; those of edges and corners are lost.
"""

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .attributes import TYPES, values_of
from .context import objects_of

Shape = tuple[int, int]


@dataclass
class Carried:
    """Attributes and vertex groups of a mesh, as arrays on its grid."""

    attributes: list[tuple[str, str, str, NDArray[Any]]]
    """(name, type, domain, values (rows, columns, components))"""
    groups: list[tuple[str, NDArray[np.float32]]]
    """(name, weights (rows, columns), negative where a point is not in the group)"""

    @classmethod
    def take(cls, mesh: bpy.types.Mesh, shape: Shape, ours: tuple[str, ...]) -> "Carried":
        """Read them from a grid of ``shape`` = (nx, ny) points; ``ours`` are left alone."""
        attributes = []
        existing: Any = mesh.attributes
        for attribute in existing:
            name, kind = attribute.name, attribute.data_type
            theirs = name not in ours and name[0] != "." and name != "position"
            if theirs and kind in TYPES and attribute.domain in ("POINT", "FACE"):
                nx, ny = _domain_shape(shape, attribute.domain)
                found = values_of(attribute).reshape(ny, nx, -1)
                attributes.append((name, kind, attribute.domain, found))
        return cls(attributes, _weights(mesh, shape))

    def put(self, mesh: bpy.types.Mesh, shape: Shape) -> None:
        """Write them to a mesh of another shape."""
        for name, kind, domain, values in self.attributes:
            attribute: Any = mesh.attributes.new(name, kind, domain)  # type: ignore[arg-type]
            sampled = resampled(values, _domain_shape(shape, domain))
            attribute.data.foreach_set(TYPES[kind][0], sampled.reshape(-1))
        user = next(iter(objects_of(mesh)), None)
        if user:
            for name, weights in self.groups:
                group = user.vertex_groups.new(name=name)
                _add_weights(group, resampled(weights, shape, nearest=True).reshape(-1))


def _domain_shape(shape: Shape, domain: str) -> Shape:
    return shape if domain == "POINT" else (shape[0] - 1, shape[1] - 1)


def resampled(values: NDArray[Any], shape: Shape, *, nearest: bool = False) -> NDArray[Any]:
    """A field (rows, columns, ...) on another number of points: (nx, ny) from border to border.

    Floats are blended (bilinear), unless ``nearest``; other types take the nearest value.
    """
    nx, ny = shape
    rows = np.linspace(0, values.shape[0] - 1, ny)
    columns = np.linspace(0, values.shape[1] - 1, nx)
    if nearest or values.dtype != np.float32:
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
    for n, below in enumerate(values):  # a row at a time: what it makes stays in the cache
        part = slice(starts[n], starts[n + 1])
        above = values[min(n + 1, len(values) - 1)]
        np.multiply(above - below, share[part], out=out[part])
        out[part] += below
    return out


def _weights(mesh: bpy.types.Mesh, shape: Shape) -> list[tuple[str, NDArray[np.float32]]]:
    user = next(iter(objects_of(mesh)), None)
    if not user or not user.vertex_groups:
        return []
    weights = np.full((len(user.vertex_groups), len(mesh.vertices)), -1, np.float32)
    for vertex in mesh.vertices:  # Blender has no faster way to read weights
        for member in vertex.groups:
            weights[member.group, vertex.index] = member.weight
    names = [group.name for group in user.vertex_groups]
    return [
        (name, row.reshape(shape[1], shape[0])) for name, row in zip(names, weights, strict=True)
    ]


def _add_weights(group: bpy.types.VertexGroup, weights: NDArray[np.float32]) -> None:
    for weight in np.unique(weights[weights >= 0]):
        members = np.flatnonzero(weights == weight)
        group.add(members.tolist(), float(weight), "REPLACE")
