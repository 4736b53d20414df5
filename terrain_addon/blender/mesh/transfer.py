# SPDX-License-Identifier: GPL-3.0-or-later
"""Transfer of the user's attributes and vertex groups from one grid to another.

Clearing the geometry removes them. The elements of a terrain form grids, so attributes are
resampled. On a mesh that is no longer a grid, each new element takes the value of the nearest.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Grid
from ..data.attributes import TYPES, values_of
from ..data.terrains import objects_of
from .domains import Shape, element_count, element_order, grids, resampled
from .nearest import nearest

_MARKED = (".sculpt_mask", ".sculpt_face_set", ".uv_seam")
"""Hidden attributes that are the user's work."""


@dataclass
class UserData:
    """Attributes and vertex groups of a mesh, as arrays on its grid."""

    shape: Shape
    """(nx, ny) points"""
    attributes: list[tuple[str, str, str, NDArray[Any]]]
    """(name, type, domain, values (elements, components) in the order of the domain's grids)"""
    groups: "list[VertexGroup]"
    active: "Active"

    @classmethod
    def read(cls, mesh: bpy.types.Mesh, shape: Shape, ours: Iterable[str]) -> "UserData":
        """Read all but ``ours`` from a grid of ``shape`` = (nx, ny) points."""
        attributes = [
            (name, kind, domain, values[element_order(mesh, shape, domain)])
            for name, kind, domain, values in _theirs(mesh, ours)
            if len(values) == element_count(domain, shape)
        ]
        return cls(shape, attributes, _groups(mesh), Active.of(mesh))

    @classmethod
    def read_nearest(
        cls, mesh: bpy.types.Mesh, old: Grid, new: Grid, ours: Iterable[str]
    ) -> "UserData":
        """Read all but ``ours`` from a mesh that was the ``old`` grid, on the ``new`` grid."""
        theirs = [attribute for attribute in _theirs(mesh, ours) if len(attribute[-1])]
        groups = _groups(mesh)
        domains = {domain for _, _, domain, _ in theirs} | ({"POINT"} if groups else set())
        at = nearest(mesh, old, new, sorted(domains))
        return cls(
            (new.nx, new.ny),
            [(name, kind, domain, values[at[domain]]) for name, kind, domain, values in theirs],
            [group._replace(weights=group.weights[at["POINT"]]) for group in groups],
            Active.of(mesh),
        )

    def write(self, mesh: bpy.types.Mesh, shape: Shape) -> None:
        """Write everything to a mesh of another shape."""
        for name, kind, domain, values in self.attributes:
            attribute: Any = mesh.attributes.get(name)
            if not attribute:
                attribute = mesh.attributes.new(name, kind, domain)  # type: ignore[arg-type]
            parts = grids(domain, values, self.shape, shape, nearest=not TYPES[kind].blends)
            sampled = np.empty((element_count(domain, shape), *values.shape[1:]), values.dtype)
            sampled[element_order(mesh, shape, domain)] = np.concatenate(list(parts))
            attribute.data.foreach_set(TYPES[kind].field, sampled.reshape(-1))
        self.active.write(mesh)
        users = objects_of(mesh)
        if not users or not self.groups:
            return
        groups: Any = users[0].vertex_groups
        groups.clear()
        for one in self.groups:
            group = groups.new(name=one.name)
            field = one.weights.reshape(self.shape[1], self.shape[0])
            _add_weights(group, resampled(field, shape, nearest=True).reshape(-1))
            group.lock_weight = one.is_locked
        groups.active_index = next((n for n, one in enumerate(self.groups) if one.is_active), 0)


class VertexGroup(NamedTuple):
    """A vertex group."""

    name: str
    is_locked: bool
    is_active: bool
    weights: NDArray[np.float32]
    """Of the points, negative outside the group."""


@dataclass
class Active:
    """Names of the active and rendered color attributes and UV maps."""

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

    def write(self, mesh: bpy.types.Mesh) -> None:
        """Make them active again if they exist."""
        colors: Any = mesh.attributes
        if self.color in mesh.color_attributes:
            colors.active_color_name = self.color
        if self.render_color in mesh.color_attributes:
            colors.default_color_name = self.render_color
        if uv := mesh.uv_layers.get(self.uv):
            uv.active = True
        if uv := mesh.uv_layers.get(self.render_uv):
            uv.active_render = True


def _theirs(
    mesh: bpy.types.Mesh, ours: Iterable[str]
) -> Iterator[tuple[str, str, str, NDArray[Any]]]:
    """Yield the user's attributes, in the order of the mesh."""
    existing: Any = mesh.attributes
    for attribute in existing:
        name = attribute.name
        hidden = name == "position" or (name.startswith(".") and name not in _MARKED)
        if name not in ours and not hidden and attribute.data_type in TYPES:
            yield name, attribute.data_type, attribute.domain, values_of(attribute)


def _groups(mesh: bpy.types.Mesh) -> list[VertexGroup]:
    user = next(iter(objects_of(mesh)), None)
    if not user or not user.vertex_groups:
        return []
    weights = np.full((len(user.vertex_groups), len(mesh.vertices)), -1, np.float32)
    # Nodes are faster, but cannot distinguish weight 0 from a point outside the group.
    for vertex in mesh.vertices:
        for member in vertex.groups:
            weights[member.group, vertex.index] = member.weight
    active = user.vertex_groups.active_index
    return [
        VertexGroup(group.name, group.lock_weight, group.index == active, weights[group.index])
        for group in user.vertex_groups
    ]


def _add_weights(group: bpy.types.VertexGroup, weights: NDArray[np.float32]) -> None:
    order = np.argsort(weights, kind="stable")
    distinct, starts = np.unique(weights[order], return_index=True)
    for weight, members in zip(distinct, np.split(order, starts[1:]), strict=True):
        if weight >= 0:
            group.add(members.tolist(), float(weight), "REPLACE")
