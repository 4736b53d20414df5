# SPDX-License-Identifier: GPL-3.0-or-later
"""The natural material: the palette's colors with the detail of each surface class.

The color of a point is C m(w') / m(w) t: C is the attribute `Color`, w are the weights of the
surface classes that the palette mixed there, w' the classes that show, m the mean of the palette's
colors with these weights, and t the tone of the classes that show. Where one class has all the
weight, the palette's color stays; where classes blend, borders are sharp, broken up by noise.
"""

from collections.abc import Callable
from typing import Any

from ....core.recipe import SURFACES
from ...mesh.terrain_mesh import COLOR, SURFACE_ATTRIBUTES
from . import classes, competition, parameters, seabed
from .nodes import Nodes, new_group

WANDER = ((12.0, 3.0, 0.5), (90.0, 3.0, 0.6))
"""Noise that shifts borders: how many fit along the terrain, octaves, roughness."""
CRAGS = (1 / 38, 5.0, 0.65)
GRAIN = (1 / 0.9, 3.0, 0.65)
"""Relief: features per meter, octaves, roughness."""
CROWN = 9.0
"""Meters from tree to tree."""
CROWN_HEIGHT = 5.0
GRAIN_DISTANCE = (120.0, 700.0)
"""Meters from the camera over which grain fades: beyond, it is finer than a pixel."""
SUN = (0.0, -1.0, 0.0)
"""Direction to the midday sun: snow and woods prefer the other side."""
IOR = 1.25
"""Index of refraction: such a surface mirrors about 1 % of the light from above, as dry ground."""
SMALLEST = 1e-4
"""Color by which others may be divided."""

GroupOf = Callable[[str, Callable[[str], Any]], Any]


def build(tree: Any, surface: Any, shared: GroupOf, *, displaced: bool = False) -> None:
    """Add the nodes to a material's tree, before its output; ``surface`` is its Principled BSDF.

    ``shared`` returns the file's node group of a name, made by the function given if there is none.
    The crags of ``displaced`` materials move the surface; others only turn its normals.
    """
    nodes = Nodes(tree)
    ground = _ground(nodes)
    weights = _weights(nodes)
    shows = nodes.group(
        shared("Terrain Borders", competition.make),
        {
            **weights,
            **{name: ground[name] for name in ("Coarse", "Slope", "Shade", "Moisture")},
            "Fine": ground["Rough"],
            "Hollow": ground["Hollow"],
            "Broad Hollow": ground["Broad Hollow"],
            "Deposition": ground["Deposition"],
            "Snow Depth": ground["Snow Depth"],
        },
    )
    shown = {name: shows[name] for name in ("Ground", "Sand", "Cover", "Ice")}
    looks = _looks(nodes, shared, ground, shown)
    base = nodes.add("VertexColor", layer_name=COLOR).outputs["Color"]
    color = _recolored(nodes, shared, base, weights, shown, looks["Tone"], shows["Any"])
    sea = nodes.group(
        shared("Terrain Seabed", seabed.make),
        {
            "Color": color,
            "Height": ground["Above Sea"],
            "Sea": ground["Sea"],
            "Fine": ground["Rough"],
            "Grain": ground["Grain"],
        },
    )
    dry = nodes.mix_number(shows["Any"], 0.9, looks["Roughness"])
    roughness = nodes.mix_number(sea["Wet"], dry, 0.35)
    crags = nodes.times(looks["Crag Height"], sea["Above"])
    normal = None
    if displaced:
        _displace(nodes, ground["Crag Noise"], crags)
    else:
        normal = nodes.bump(ground["Crag Noise"], crags)
    normal = _fine_relief(nodes, ground, looks, sea["Above"], normal)
    ground_shader = _rough_surface(nodes, sea["Color"], roughness, normal)
    _with_export_surface(nodes, ground_shader, base, surface)
    nodes.arrange()


def _rough_surface(nodes: Nodes, color: Any, roughness: Any, normal: Any) -> Any:
    """The shader: ground that mirrors a little where it is smooth, such as wet sand.

    Fresnel's equations hold for a mirror. On rough ground, facets hide each other at grazing
    angles, where the equations alone would make it white.
    """
    below, mirror, share = (nodes.add(k) for k in ("BsdfDiffuse", "BsdfGlossy", "Fresnel"))
    nodes.connect(color, below.inputs["Color"])
    nodes.connect(roughness, mirror.inputs["Roughness"])
    nodes.connect(IOR, share.inputs["IOR"])
    for node in (below, mirror, share):
        nodes.connect(normal, node.inputs["Normal"])
    smooth = nodes.math("SUBTRACT", 1.0, roughness)
    factor = nodes.times(share.outputs[0], smooth, smooth)
    return nodes.mix_shader(factor, below.outputs[0], mirror.outputs[0])


def _with_export_surface(nodes: Nodes, shader: Any, base: Any, surface: Any) -> None:
    """Show the shader; exporters find the Principled BSDF with the color attribute instead.

    They follow every path from the inputs of such a node, which takes hours in the nodes of this
    material. Cycles skips it, as its share is 0.
    """
    surface.label = "For Exporters"
    nodes.connect(base, surface.inputs["Base Color"])
    nodes.connect(0.9, surface.inputs["Roughness"])
    nodes.connect(0.15, surface.inputs["Specular IOR Level"])
    both = nodes.mix_shader(0.0, shader, surface.outputs[0])
    output = next(one for one in nodes.tree.nodes if one.type == "OUTPUT_MATERIAL")
    nodes.connect(both, output.inputs["Surface"])


def _ground(nodes: Nodes) -> dict[str, Any]:
    """What the ground is like at a point."""
    place = nodes.add("TexCoord")
    where, normal = place.outputs["Object"], place.outputs["Normal"]
    x_y_z = nodes.add("SeparateXYZ")
    nodes.connect(where, x_y_z.inputs[0])
    upright = nodes.add("SeparateXYZ")
    nodes.connect(normal, upright.inputs[0])
    level = nodes.add("SeparateXYZ")
    nodes.connect(
        nodes.attribute(parameters.path(parameters.PLACE), "Vector", of="OBJECT"), level.inputs[0]
    )
    size = nodes.math("MAXIMUM", level.outputs["Z"], 1.0)
    around = []
    for count, detail, roughness in WANDER:
        noise = nodes.noise(where, nodes.math("DIVIDE", count, size), detail, roughness, space="2D")
        around.append(_signed(nodes, noise, 5.0))
    crags = nodes.noise(where, *CRAGS)
    grain = nodes.noise(where, *GRAIN)
    near = nodes.ramp(nodes.add("CameraData").outputs["View Distance"], *GRAIN_DISTANCE, 1.0, 0.0)
    fine, medium, broad = (
        nodes.attribute(f"convexity_{scale}") for scale in ("fine", "medium", "broad")
    )
    flow, wetness = nodes.attribute("flow"), nodes.attribute("wetness")
    near_grain = nodes.times(_signed(nodes, grain, 2.0), near)
    rough = nodes.sum(nodes.times(around[1], 0.8), _signed(nodes, crags, 5.0), near_grain)
    return {
        "Coarse": around[0],
        "Fine": around[1],
        "Rough": rough,
        "Crag Noise": crags,
        "Grain Noise": grain,
        "Grain": nodes.sum(near_grain, _signed(nodes, crags, 1.0)),
        "Near": near,
        "Slope": nodes.math("DEGREES", nodes.math("ARCCOSINE", upright.outputs["Z"])),
        "Shade": nodes.times(nodes.vector("DOT_PRODUCT", normal, SUN), -1.5),
        "Convexity": nodes.sum(nodes.times(fine, 0.6), nodes.times(medium, 0.4)),
        "Hollow": nodes.sum(nodes.times(fine, -0.5), nodes.times(medium, -0.5)),
        "Broad Hollow": nodes.times(broad, -1.0),
        "Moisture": nodes.math("MAXIMUM", flow, wetness),
        "Deposition": nodes.math("MINIMUM", nodes.times(nodes.attribute("deposition"), 0.2), 1.0),
        "Snow Depth": nodes.attribute("snow"),
        "Above Sea": nodes.math("SUBTRACT", x_y_z.outputs["Z"], level.outputs["X"]),
        "Sea": level.outputs["Y"],
        "Place": where,
    }


def _signed(nodes: Nodes, noise: Any, factor: float) -> Any:
    """Noise around 0.5 as a number around 0."""
    return nodes.math("MULTIPLY_ADD", noise, factor, -factor / 2)


def _weights(nodes: Nodes) -> dict[str, Any]:
    """The weights of the surface classes in the palette's mixture."""
    ground, cover = (nodes.attribute(name, "Color") for name in SURFACE_ATTRIBUTES)
    return {
        "Ground": ground,
        "Sand": ground.node.outputs["Alpha"],
        "Cover": cover,
        "Ice": cover.node.outputs["Alpha"],
    }


def _looks(nodes: Nodes, shared: GroupOf, ground: dict[str, Any], shown: Any) -> dict[str, Any]:
    """Tone, roughness and heights of relief of the classes that show."""
    weights = competition.split(nodes, *(shown[n] for n in ("Ground", "Sand", "Cover", "Ice")))
    crown = nodes.add("TexVoronoi", voronoi_dimensions="2D")
    nodes.connect(ground["Place"], crown.inputs["Vector"])
    nodes.connect(1 / CROWN, crown.inputs["Scale"])
    middle = crown.outputs["Distance"]
    found: dict[str, Any] = {}
    for key, one in SURFACES.items():
        inputs = {name: ground[name] for name in classes.GROUND}
        if key == "wood":
            inputs["Crown"] = nodes.math("SUBTRACT", 0.45, middle)
        outputs = nodes.group(shared(f"Terrain {one.label}", _maker(key)), inputs)
        for name in classes.OUTPUTS:
            if name == "Tone":
                part = nodes.vector("SCALE", outputs[name], scale=weights[key])
                found[name] = nodes.vector("ADD", found[name], part) if name in found else part
            else:
                part = nodes.times(outputs[name], weights[key])
                found[name] = nodes.sum(found[name], part) if name in found else part
    return {**found, "Crown": middle, "Wood": weights["wood"]}


def _maker(key: str) -> Callable[[str], Any]:
    return lambda name: classes.make(key, name)


def _recolored(
    nodes: Nodes,
    shared: GroupOf,
    base: Any,
    weights: dict[str, Any],
    shown: dict[str, Any],
    tone: Any,
    any_class: Any,
) -> Any:
    """The color of the classes that show."""
    tree = shared("Terrain Mean Color", _make_mean)
    mixed, showing = (nodes.group(tree, one)["Color"] for one in (weights, shown))
    ratio = nodes.vector(
        "DIVIDE", showing, nodes.vector("MAXIMUM", mixed, (SMALLEST, SMALLEST, SMALLEST))
    )
    color = nodes.vector("MULTIPLY", nodes.vector("MULTIPLY", base, ratio), tone)
    return nodes.mix(any_class, base, color)


def _make_mean(name: str) -> Any:
    """The node group: the mean of the palette's colors by weights of the surface classes."""
    inputs = {
        "Ground": (0.0, 0.0, 0.0, 0.0),
        "Sand": 0.0,
        "Cover": (0.0, 0.0, 0.0, 0.0),
        "Ice": 0.0,
    }
    nodes, i, out = new_group(name, inputs, {"Color": "Color"})
    joined = nodes.add("CombineColor")
    for n, channel in enumerate(parameters.CHANNELS):
        parts: list[Any] = []
        for half, color, last in (("ground", "Ground", "Sand"), ("cover", "Cover", "Ice")):
            node = parameters.path(f"{channel}_{half}")
            three = nodes.attribute(node, "Vector", of="OBJECT")
            fourth = three.node.outputs["Alpha"]
            parts += [nodes.vector("DOT_PRODUCT", i[color], three), nodes.times(i[last], fourth)]
        nodes.connect(nodes.sum(*parts), joined.inputs[n])
    nodes.connect(joined.outputs[0], out["Color"])
    nodes.arrange()
    return nodes.tree


def _displace(nodes: Nodes, noise: Any, height: Any) -> None:
    """Displace the surface by noise around its middle."""
    node = nodes.add("Displacement")
    for name, value in (("Height", noise), ("Midlevel", 0.5), ("Scale", height)):
        nodes.connect(value, node.inputs[name])
    output = next(one for one in nodes.tree.nodes if one.type == "OUTPUT_MATERIAL")
    nodes.connect(node.outputs[0], output.inputs["Displacement"])


def _fine_relief(
    nodes: Nodes, ground: dict[str, Any], looks: dict[str, Any], above: Any, normal: Any | None
) -> Any:
    """The normal with crowns of trees, and grain near the camera."""
    crowns = nodes.times(looks["Wood"], above, -CROWN_HEIGHT)
    normal = nodes.bump(looks["Crown"], crowns, normal)
    grain = nodes.times(looks["Grain Height"], above, ground["Near"])
    return nodes.bump(ground["Grain Noise"], grain, normal)
