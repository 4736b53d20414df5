# SPDX-License-Identifier: GPL-3.0-or-later
"""Daylight: a sky and a sun for a time of day, on the Earth, on Mars or on the Moon.

Each scene has a sky of its own. Its world and haze share one node group, which gives the sky's
radiance in a direction. It contains Blender's sky texture; the disc of the sun is left out, since
EEVEE does not render it, and a sun lamp takes its place. Rays from the camera see a second group,
which shows more of the sky's gradient in the few degrees above the horizon that a picture has, and
clouds.
"""

import math
from typing import Any, NamedTuple, cast

import bpy
from mathutils import Vector

from ...core.recipe import MARS, MOON
from ..data.terrains import terrain_of
from .node_trees import (
    add,
    arrange,
    is_for,
    made_for,
    math as math_node,
    mix,
    mix_shader,
    new_group,
    out,
    ramp,
    vector,
)

RGB = tuple[float, float, float]
RADIANCE, SEEN = "Terrain Sky", "Terrain Sky, Seen"
_TEXTURE, _STRENGTH, _CLOUDS, _GRADIENT, _AIR = _NODES = (
    *("Sky Texture", "Strength", "Clouds", "Gradient", "Air"),
)
"""Nodes of the group of radiance that `sky` sets, by name."""
_COVER, _CLOUD = "Cover", "Cloud"
"""Nodes of the group for the camera that `sky` sets, by name."""
_MODELS = {"MULTIPLE_SCATTERING": 1.0, "NISHITA": 1.6}
"""Sky models of Blender, best first: 5.0 and newer, 4.2 to 4.5; with a factor for their strength,
since single scattering alone is darker."""
_HAZE = ("aerosol_density", "dust_density")
"""The setting of the amount of haze in these models."""
_CLEAR = 0.8
"""Haze of the sky texture, relative to that of Blender's default: a clear day."""
_RAISED, _DIMMED = 2.6, 0.52
"""A camera sees the color of the sky this many times higher than it looks, and this much darker: a
picture with a level horizon has ten degrees of sky, in which real ones hardly change."""
_FADE = 0.09
"""Sine of the elevation below which the sky that a camera sees turns into that of the haze."""
_LOWEST = 0.15
"""Sine of the elevation below which the sky has the color of this elevation: lower, the sky of a
clear day is white in a picture and ends in a blue strip, the single scattering of older releases is
brown, and below the horizon there is none. Haze has this color."""


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
    color: RGB
    """Of the sun lamp."""
    sky: float
    """Strength of the sky texture: its radiance is that of real skies, far brighter than scenes
    usually are."""
    clouds: float = 0.0
    """Share of the sky that clouds cover."""
    angle: float = 0.53
    """Angular diameter of the sun, or of the bright part of the clouds, in degrees."""
    exposure: float = 0.95
    """In stops with *High Contrast*, for albedos of nature, which are mostly below 0.2."""


class Air(NamedTuple):
    """The atmosphere of a body other than the Earth, or the lack of one."""

    horizon: RGB
    zenith: RGB
    sun: RGB
    """Color of the sun lamp, whatever the time of day."""
    scattering: RGB | None
    """Of haze, see `haze.set_scattering`; None where there is no air."""


AIRS = {
    MARS: Air((0.60, 0.40, 0.23), (0.20, 0.125, 0.075), (1.0, 0.88, 0.74), (1.0, 1.0, 0.95)),
    MOON: Air((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.97, 0.93), None),
}
"""By the skies of recipes; the Earth has Blender's sky texture. The sky of Mars has the color of
dust, and is brighter at the horizon (Bell, Savransky and Wolff, 2006)."""


def air_above(terrain: bpy.types.Object) -> Air | None:
    """Return the atmosphere of a terrain that is not on the Earth; None for one that is."""
    return AIRS.get(terrain_of(cast(bpy.types.Mesh, terrain.data)).sky)


def is_airless(air: Air | None) -> bool:
    """Return whether a body has no atmosphere, and so neither haze nor rivers."""
    return air is not None and air.scattering is None


DAYLIGHT = {
    "morning": Daylight(
        "Morning", "Clear light from the side", 23.0, 68.0, 8.6, (1.0, 0.80, 0.58), 0.07
    ),
    "noon": Daylight(
        "Noon", "High sun, short shadows", 58.0, 120.0, 7.4, (1.0, 0.89, 0.75), 0.06, exposure=0.55
    ),
    "evening": Daylight(
        "Evening", "Low warm sun, long shadows", 9.0, 98.0, 9.5, (1.0, 0.60, 0.27), 0.12
    ),
    "overcast": Daylight(
        "Overcast", "Soft light from clouds", 48.0, 110.0, 0.5, (1.0, 0.97, 0.93), 0.05,
        clouds=0.93, angle=60.0, exposure=1.35,
    ),
}  # fmt: skip
"""By identifier; the first is the default. Energy and color follow the sun's disc in Blender's
model. The sky is brighter than in that model: on level ground it gives a fifth of the light in the
morning and an eighth at noon, as clear skies do (Iqbal, An Introduction to Solar Radiation, 1983),
so that shadows are not black."""


def sun(light: Daylight, view: float, air: Air | None = None) -> bpy.types.Object:
    """Return a sun lamp for a view along ``view`` (degrees from +X), not linked to any scene
    yet."""
    data: Any = bpy.data.lights.new("Terrain Sun", "SUN")
    data.energy, data.color = light.energy, air.sun if air else light.color
    data.angle = math.radians(light.angle)
    item = bpy.data.objects.new("Terrain Sun", data)
    item.rotation_euler = _to_sun(light, view).to_track_quat("Z", "Y").to_euler()
    return item


def sky(
    scene: bpy.types.Scene,
    light: Daylight,
    view: float,
    air: Air | None = None,
    *,
    clouds: bool = False,
    indoors: bool = False,
) -> bpy.types.World:
    """Return a scene's own world, with the sky for a time of day.

    It is the scene's world or an unused one if it has such a sky that no other scene shows, or a
    new one. ``clouds`` are those that a camera sees in a clear sky. ``indoors``, for models, its
    light is less blue.
    """
    world = _own(scene) or made_for(RADIANCE, _make_world())
    nodes = radiance(world).nodes
    texture = nodes[_TEXTURE]
    texture.sun_elevation = math.radians(light.elevation)
    to_sun = _to_sun(light, view)
    texture.sun_rotation = math.atan2(to_sun.x, to_sun.y)  # clockwise from +Y
    nodes[_STRENGTH].inputs["Scale"].default_value = light.sky * _strength(texture)
    setattr(texture, _haze_of(texture), _CLEAR)
    nodes[_CLOUDS].inputs["Factor"].default_value = max(light.clouds, 0.7 * indoors)
    _color(nodes[_AIR], float(air is not None))
    if air:
        _color(nodes[_GRADIENT], None, air.horizon, air.zenith)
    if seen := _seen(world):
        shown = clouds and not air and not light.clouds
        seen.nodes[_COVER].inputs[1].default_value = float(shown)
        red, green, blue = (0.55 + 0.4 * channel for channel in light.color)
        _color(seen.nodes[_CLOUD], None, None, (red, green, blue))
    return world


def _color(node: Any, factor: float | None, *colors: RGB | None) -> None:
    """Set the factor and the colors of a mix, those that are given."""
    inputs = [socket for socket in node.inputs if socket.enabled]
    if factor is not None:
        inputs[0].default_value = factor
    for socket, color in zip(inputs[1:], colors, strict=False):
        if color is not None:
            socket.default_value = (*color, 1.0)


def _haze_of(texture: Any) -> str:
    return next(name for name in _HAZE if hasattr(texture, name))


def _seen(world: Any) -> Any:
    """Return the node group that a world shows to the camera; None if the user took it out."""
    groups = (getattr(node, "node_tree", None) for node in world.node_tree.nodes)
    own = (group for group in groups if group and not group.library and is_for(group, SEEN))
    return next((group for group in own if {_COVER, _CLOUD} <= set(group.nodes.keys())), None)


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
    above = made_for(RADIANCE, _make_radiance())
    light, seen = (
        out(add(tree, "ShaderNodeBackground", {"Color": _looked_up(tree, group, direction)}))
        for group in (above, made_for(SEEN, _make_seen(above)))
    )
    # Cycles skips the shader that such a mix does not use.
    camera = add(tree, "ShaderNodeLightPath").outputs["Is Camera Ray"]
    add(tree, "ShaderNodeOutputWorld", {"Surface": mix_shader(tree, camera, light, seen)})
    arrange(tree)
    return world


def _looked_up(tree: Any, group: Any, direction: Any) -> Any:
    """Return the color of a sky in a direction."""
    node = add(tree, "ShaderNodeGroup", node_tree=group)
    tree.links.new(direction, node.inputs["Direction"])
    return node.outputs["Color"]


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
    tree.links.new(out(above), texture.inputs["Vector"])
    strength = add(
        tree, "ShaderNodeVectorMath", {0: out(texture)}, operation="SCALE", name=_STRENGTH
    )
    # The overcast sky of the CIE (Moon and Spencer, 1942): at the zenith three times as bright.
    gray = math_node(tree, "MULTIPLY_ADD", height, 0.42, 0.21)
    clouds = _named(mix(tree, 0.0, out(strength), gray), _CLOUDS)
    black = (0.0, 0.0, 0.0, 1.0)
    gradient = _named(mix(tree, math_node(tree, "SQRT", height), black, black), _GRADIENT)
    tree.links.new(_named(mix(tree, 0.0, clouds, gradient), _AIR), result["Color"])
    arrange(tree)
    return tree


def _make_seen(above: Any) -> Any:
    tree, given, result = new_group(SEEN, {"Direction": "Vector"}, {"Color": "Color"})
    height = add(tree, "ShaderNodeSeparateXYZ", {0: given[0]}).outputs["Z"]
    raised = vector(tree, "MULTIPLY", given[0], (1.0, 1.0, _RAISED))
    high = _looked_up(tree, above, vector(tree, "NORMALIZE", raised))
    dimmed = vector(tree, "SCALE", high, Scale=_DIMMED)
    fade = ramp(tree, height, 0.0, _FADE)
    clear = mix(tree, fade, _looked_up(tree, above, given[0]), dimmed)
    cover = add(tree, "ShaderNodeMath", {0: _clouds(tree, given[0], height)}, operation="MULTIPLY")
    cover.inputs[1].default_value = 0.0
    cover.name = _COVER
    cloudy = _named(mix(tree, out(cover), clear, (1.0, 1.0, 1.0, 1.0)), _CLOUD)
    tree.links.new(cloudy, result["Color"])
    arrange(tree)
    return tree


def _clouds(tree: Any, direction: Any, height: Any) -> Any:
    """Return the cover of clouds in a direction: fractal noise on a plane above, which the haze
    hides near the horizon."""
    away = math_node(tree, "DIVIDE", 1.0, math_node(tree, "ADD", height, 0.035))
    place = vector(tree, "SCALE", direction, Scale=away)
    inputs = {"Vector": place, "Scale": 0.28, "Detail": 9.0, "Roughness": 0.58, "Distortion": 0.35}
    noise = add(tree, "ShaderNodeTexNoise", inputs).outputs[0]
    cover = ramp(tree, noise, 0.47, 0.72)
    return math_node(tree, "MULTIPLY", cover, ramp(tree, height, 0.01, 0.10, 0.0, 0.85))


def _named(socket: Any, name: str) -> Any:
    """Return the output of a node after naming the node."""
    socket.node.name = name
    return socket
