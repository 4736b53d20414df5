# SPDX-License-Identifier: GPL-3.0-or-later
"""Daylight: a sky and a sun for a time of day.

Each scene has a sky of its own. Its world and haze share one node group, which gives the sky's
radiance in a direction. It contains Blender's sky texture; the disc of the sun is left out, since
EEVEE does not render it, and a sun lamp takes its place.
"""

import math
from typing import Any, NamedTuple

import bpy
from mathutils import Vector

from .node_trees import add, arrange, is_for, made_for, math as math_node, mix, new_group, out

RADIANCE = "Terrain Sky"
_TEXTURE, _STRENGTH, _CLOUDS = _NODES = ("Sky Texture", "Strength", "Clouds")
"""Nodes of the group that the time of day sets, by name."""
_MODELS = {"MULTIPLE_SCATTERING": 1.0, "NISHITA": 1.6}
"""Sky models of Blender, best first: 5.0 and newer, 4.2 to 4.5; with a factor for their strength,
since single scattering alone is darker."""
_HAZE = ("aerosol_density", "dust_density")
"""The setting of the amount of haze in these models."""
_LOWEST = 0.045
"""Sine of the elevation below which the sky has the color of this elevation: the single scattering
of older releases makes the last degrees brown, and below the horizon there is no sky."""


class Daylight(NamedTuple):
    """A sun and a sky."""

    label: str
    description: str
    elevation: float
    """Of the sun above the horizon, in degrees."""
    aside: float
    """From the direction of view to the sun, in degrees; 90 lights from the left."""
    energy: float
    """Of the sun lamp, in W/m²."""
    color: tuple[float, float, float]
    """Of the sun lamp."""
    sky: float
    """Strength of the sky texture: its radiance is that of real skies, far brighter than scenes
    usually are."""
    clouds: float = 0.0
    """Share of the sky that clouds cover."""
    angle: float = 0.53
    """Angular diameter of the sun, or of the bright part of the clouds, in degrees."""
    exposure: float = 0.7
    """In stops, for albedos of nature, which are mostly below 0.2."""


DAYLIGHT = {
    "morning": Daylight(
        "Morning", "Clear light from the side", 27.0, 78.0, 8.0, (1.0, 0.83, 0.64), 0.06
    ),
    "noon": Daylight(
        "Noon", "High sun, short shadows", 58.0, 120.0, 7.4, (1.0, 0.89, 0.75), 0.042, exposure=0.3
    ),
    "evening": Daylight(
        "Evening", "Low warm sun, long shadows", 9.0, 98.0, 9.5, (1.0, 0.60, 0.27), 0.12
    ),
    "overcast": Daylight(
        "Overcast", "Soft light from clouds", 48.0, 110.0, 0.5, (1.0, 0.97, 0.93), 0.05,
        clouds=0.93, angle=60.0, exposure=1.1,
    ),
}  # fmt: skip
"""By identifier; the first is the default. Energy and color follow the sun's disc in Blender's
model; both are scaled by the same factor as the sky, and the eye decides on the rest."""


def sun(light: Daylight, view: float) -> bpy.types.Object:
    """Return a sun lamp for a view along ``view`` (degrees from +X), not linked to any scene
    yet."""
    data: Any = bpy.data.lights.new("Terrain Sun", "SUN")
    data.energy, data.color = light.energy, light.color
    data.angle = math.radians(light.angle)
    item = bpy.data.objects.new("Terrain Sun", data)
    item.rotation_euler = _to_sun(light, view).to_track_quat("Z", "Y").to_euler()
    return item


def sky(
    scene: bpy.types.Scene, light: Daylight, view: float, *, indoors: bool = False
) -> bpy.types.World:
    """Return a scene's own world, with the sky for a time of day.

    It is the scene's world or an unused one if it has such a sky that no other scene shows, or a
    new one. ``indoors``, for models, its light is less blue.
    """
    world = _own(scene) or made_for(RADIANCE, _make_world())
    nodes = radiance(world).nodes
    texture = nodes[_TEXTURE]
    texture.sun_elevation = math.radians(light.elevation)
    to_sun = _to_sun(light, view)
    texture.sun_rotation = math.atan2(to_sun.x, to_sun.y)  # clockwise from +Y
    nodes[_STRENGTH].inputs["Scale"].default_value = light.sky * _strength(texture)
    nodes[_CLOUDS].inputs["Factor"].default_value = max(light.clouds, 0.7 * indoors)
    return world


def _own(scene: bpy.types.Scene) -> Any:
    elsewhere = {radiance(one.world) for one in bpy.data.scenes if one != scene}
    unused = [world for world in bpy.data.worlds if not world.users]
    worlds = [one for one in (scene.world, *unused) if radiance(one)]
    return next((world for world in worlds if radiance(world) not in elsewhere), None)


def _strength(texture: Any) -> float:
    """Return the factor of a sky model. Blender 5 opens the sky of Blender 4 as single scattering,
    and users may choose models that have none."""
    return _MODELS.get(texture.sky_type, 1.6 if texture.sky_type == "SINGLE_SCATTERING" else 1.0)


def radiance(world: Any) -> Any:
    """Return the node group that gives the sky's radiance in the direction of its input.

    None if this is not a world of ours, or if it was changed so that its sky cannot be set.
    """
    if not world or world.library or not is_for(world, RADIANCE):
        return None
    groups = (node.node_tree for node in world.node_tree.nodes if node.type == "GROUP")
    own = (group for group in groups if group and not group.library and is_for(group, RADIANCE))
    return next((one for one in own if all(name in one.nodes for name in _NODES)), None)


def _to_sun(light: Daylight, view: float) -> Vector:
    azimuth, elevation = math.radians(view + light.aside), math.radians(light.elevation)
    flat = math.cos(elevation)
    return Vector((math.cos(azimuth) * flat, math.sin(azimuth) * flat, math.sin(elevation)))


def _make_world() -> bpy.types.World:
    world: Any = bpy.data.worlds.new(RADIANCE)
    if world.node_tree is None:
        world.use_nodes = True
    tree = world.node_tree
    tree.nodes.clear()
    direction = add(tree, "ShaderNodeTexCoord").outputs["Generated"]
    above = add(tree, "ShaderNodeGroup", node_tree=made_for(RADIANCE, _make_radiance()))
    tree.links.new(direction, above.inputs["Direction"])
    background = add(tree, "ShaderNodeBackground", {"Color": above.outputs["Color"]})
    add(tree, "ShaderNodeOutputWorld", {"Surface": out(background)})
    arrange(tree)
    return world


def _make_radiance() -> Any:
    inputs = {"Direction": "Vector"}
    tree, given, result = new_group(RADIANCE, inputs, {"Color": "Color"})
    parts = add(tree, "ShaderNodeSeparateXYZ", {0: given[0]}).outputs
    height = math_node(tree, "MAXIMUM", parts["Z"], _LOWEST)
    above = add(tree, "ShaderNodeCombineXYZ", {0: parts["X"], 1: parts["Y"], 2: height})
    texture = add(tree, "ShaderNodeTexSky", name=_TEXTURE)
    known = {item.identifier for item in texture.bl_rna.properties["sky_type"].enum_items}
    texture.sky_type = next(model for model in _MODELS if model in known)
    texture.sun_disc = False
    setattr(texture, next(name for name in _HAZE if hasattr(texture, name)), 1.5)
    tree.links.new(out(above), texture.inputs["Vector"])
    strength = add(
        tree, "ShaderNodeVectorMath", {0: out(texture)}, operation="SCALE", name=_STRENGTH
    )
    # The overcast sky of the CIE (Moon and Spencer, 1942): at the zenith three times as bright.
    gray = math_node(tree, "MULTIPLY_ADD", height, 0.42, 0.21)
    clouds = mix(tree, 0.0, out(strength), gray).node
    clouds.name = _CLOUDS
    tree.links.new(out(clouds), result["Color"])
    arrange(tree)
    return tree
