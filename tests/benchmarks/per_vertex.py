# SPDX-License-Identifier: GPL-3.0-or-later
"""The method of A.N.T. Landscape, which no longer ships with Blender: a Python call per vertex.

This follows its steps for a hetero terrain, not its code. For each vertex, a function reads the
operator's 49 settings by index, scales the coordinates, calls ``mathutils.noise.hetero_terrain``,
lowers the value toward the edges and clamps it; ``from_pydata`` takes lists of points and faces.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
from bpy_extras.object_utils import object_data_add
from mathutils import noise

FULL = 1024  # points along each side of the terrain that times are scaled to
Point = tuple[float, float, float]

# Origin, size, kind, dimension, lacunarity, depth, offset; height, maximum, minimum; falloff along
# x and y, level of the edges; and settings that a hetero terrain does not use.
SETTINGS: list[Any] = [
    *(0.0, 0.0, 0.0, 1.0, "hetero_terrain", 0.9, 2.0, 8, 0.5),
    *(0.5, 1.0, -1.0, 4.0, 4.0, 0.0),
    *[0.0] * 34,
]


def add(points: int) -> None:
    """Add a hetero terrain of points x points."""
    places = [2.0 * (i / (points - 1) - 0.5) for i in range(points)]
    corners = [(x, y, height((x, y, 0.0), SETTINGS)) for x in places for y in places]
    faces = [
        (k + 1, k, k + points, k + points + 1)
        for k in range(points * (points - 1))
        if k % points != points - 1
    ]
    mesh = bpy.data.meshes.new("Landscape")
    mesh.from_pydata(corners, [], faces)
    mesh.update()
    object_data_add(bpy.context, mesh)


def height(at: Point, settings: list[Any]) -> float:
    """Height at one point."""
    by_index = [settings[k] for k in range(len(settings))]
    origin_x, origin_y, origin_z, size, kind, dimension, lacunarity, depth, offset = by_index[:9]
    scale, highest, lowest, falloff_x, falloff_y, edge = by_index[9:15]
    x, y, z = at
    scaled = x / size + origin_x, y / size + origin_y, z / size + origin_z
    if kind == "hetero_terrain":
        value = noise.hetero_terrain(scaled, dimension, lacunarity, depth, offset) * scale
    else:
        raise ValueError(f"No kind of noise is called {kind!r}")
    far = math.sqrt(abs(x) ** falloff_x + abs(y) ** falloff_y)
    if far >= 1:
        return edge
    value = edge + (value - edge) * (1 - far * far * (3 - 2 * far))
    return min(max(value, lowest), highest)
