# SPDX-License-Identifier: GPL-3.0-or-later
"""Shadows of clouds on a terrain."""

import bpy
from mathutils import Matrix

from ...materials.node_trees import add, arrange, fractal_noise, new_material, out, ramp, shared
from .framing import HighestPoints

NAME = "Terrain Clouds"
_SIZE = 9.0
"""Width of the plane, relative to the terrain: low suns cast its shadows far."""
_ABOVE = 0.6
"""Height of the plane above the highest point, likewise."""
_CLOUDS = 14.0
"""Clouds along the plane, about."""
_COVER = (0.50, 0.62)
"""Noise where clouds begin, and where they are densest."""
_SHADE = 0.4
"""Share of the sun's light that passes the densest clouds."""


def shadows(ground: HighestPoints) -> bpy.types.Object:
    """Return a plane above the ground that only casts shadows, not linked to any scene yet."""
    half = _SIZE * ground.extent / 2
    mesh = bpy.data.meshes.new(NAME)
    corners = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    mesh.materials.append(shared(bpy.data.materials, NAME, _new_material))
    item = bpy.data.objects.new(NAME, mesh)
    height = float(ground.high[2]) + _ABOVE * ground.extent
    turn = Matrix.Rotation(ground.yaw, 4, "Z")
    item.matrix_world = turn @ Matrix.Translation((*ground.center[:2].tolist(), height))
    item.display_type, item.hide_select = "BOUNDS", True
    for ray in ("camera", "diffuse", "glossy", "transmission", "volume_scatter"):
        setattr(item, f"visible_{ray}", False)
    return item


def _new_material() -> bpy.types.Material:
    material, output = new_material(NAME)
    tree = material.node_tree
    place = add(tree, "ShaderNodeTexCoord").outputs["Generated"]
    noise = fractal_noise(tree, place, _CLOUDS, 4.0, 0.5, space="2D")
    light = ramp(tree, noise, *_COVER, 1.0, _SHADE)
    body = add(tree, "ShaderNodeBsdfTransparent", {"Color": light})
    tree.links.new(out(body), output.inputs["Surface"])
    arrange(tree)
    return material
