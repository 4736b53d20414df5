# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of meshes as arrays."""

from typing import Any, NamedTuple

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray


class Type(NamedTuple):
    """How to read and write a type of attribute, and whether its values may be interpolated."""

    field: str
    """Name in foreach_get"""
    size: int
    """Numbers per element"""
    dtype: type
    blends: bool = False


TYPES = {
    "FLOAT": Type("value", 1, np.float32, blends=True),
    "FLOAT2": Type("vector", 2, np.float32, blends=True),
    "FLOAT_VECTOR": Type("vector", 3, np.float32, blends=True),
    "FLOAT_COLOR": Type("color", 4, np.float32, blends=True),
    "BYTE_COLOR": Type("color", 4, np.float32, blends=True),
    "QUATERNION": Type("value", 4, np.float32),
    "FLOAT4X4": Type("value", 16, np.float32),
    "INT": Type("value", 1, np.int32),
    "INT8": Type("value", 1, np.int32),
    "INT16_2D": Type("value", 2, np.int32),
    "INT32_2D": Type("value", 2, np.int32),
    "BOOLEAN": Type("value", 1, np.bool_),
}
"""All types except strings."""


def values_of(attribute: Any) -> NDArray[Any]:
    """Return the values of an attribute of one of these types: (elements, components)."""
    kind = TYPES[attribute.data_type]
    values = np.empty(len(attribute.data) * kind.size, kind.dtype)
    attribute.data.foreach_get(kind.field, values)
    return values.reshape(-1, kind.size)


def clear_geometry(mesh: bpy.types.Mesh) -> None:
    """Remove the elements and attributes of a mesh.

    Blender's ``Mesh.clear_geometry`` also frees keyframes and drivers, and Blender crashes when it
    evaluates the drivers next.
    """
    empty = bmesh.new()
    empty.to_mesh(mesh)
    empty.free()
