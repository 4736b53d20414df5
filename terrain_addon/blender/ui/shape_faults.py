# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages that panels show about missing or impossible shapes of layers and masks."""

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

import bpy

from ...core import Shape
from ...core.layers import MASKS, FollowsShape
from ..data.terrains import terrain_of
from ..mesh import drawn_shapes
from ..mesh.drawn_shapes import last_read
from ..properties.drawn_kinds import drawn_kinds
from ..properties.recipe import MASK, read_settings


def shapes_of_layer(item: Any) -> Iterator[tuple[str, str]]:
    """Yield the names of the shapes that a layer and its masks follow, and what is wrong with
    each, "" for nothing."""
    for key, cls in drawn_kinds().items():
        if key not in (item.kind, *MASKS):
            continue
        group = getattr(item, MASK + key if key in MASKS else key)
        if not getattr(group, "use", True):
            continue
        with suppress(ValueError):  # settings that are no valid ones: the terrain's panel says so
            part = cls(**read_settings(group, cls))
            for name in part.shape_names:
                yield name, fault(item.id_data, part, name)


def fault(mesh: bpy.types.Mesh, part: FollowsShape, name: str) -> str:
    """Return what is wrong with a shape that settings name, "" if nothing.

    One that is being drawn may have no points yet.
    """
    if not drawn_shapes.exists(name):
        return drawn_shapes.missing(name)
    terrain = terrain_of(mesh)
    for shape in last_read(mesh):
        if shape.name == name and (len(shape.points) or not _is_edited(name)):
            return _fault_in(part, shape, terrain.size_x, terrain.size_y)
    return ""


def _is_edited(name: str) -> bool:
    item = bpy.data.objects.get(name)
    return item is not None and item.mode == "EDIT"


@lru_cache(256)
def _fault_in(part: FollowsShape, shape: Shape, size_x: float, size_y: float) -> str:
    """Return what is wrong with a shape: panels are drawn with each mouse move."""
    return part.fault_in(shape, size_x, size_y)
