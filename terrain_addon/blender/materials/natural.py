# SPDX-License-Identifier: GPL-3.0-or-later
"""The natural material: the palette's colors with the detail of each surface class.

The color of a point is C m(w') / m(w) t: C is the attribute `Color`, w are the weights of the
surface classes that the palette mixed there, w' the classes that show, m the mean of the palette's
colors with these weights, and t the tone of the classes that show. Where one class has all the
weight, the palette's color stays; where classes blend, borders are sharp, broken up by noise.
"""

from collections.abc import Callable
from typing import Any

from ...core.recipe import ROCK, SURFACES
from ..mesh.terrain_mesh import COLOR, SURFACE_ATTRIBUTES
from . import classes, close_up, competition, distance, joints, parameters, seabed
from .node_trees import (
    add,
    arrange,
    attribute,
    bump,
    connect,
    fractal_noise,
    group,
    grouped,
    math,
    mix,
    mix_number,
    mix_shader,
    new_group,
    out,
    plus,
    ramp,
    shared_group,
    times,
    vector,
    weighted,
)

WANDER = ((12.0, 3.0, 0.5), (90.0, 3.0, 0.6))
"""Noise that shifts borders: how many fit along the terrain, octaves, roughness."""
CRAGS = (38.0, 8.0, 0.6)
"""Relief: size of features in meters, octaves, roughness."""
GRAIN = (6.0, 2.0, 0.65)
"""Tussocks, boulders and bare spots: size of the largest in meters, octaves, roughness."""
CRAG_DISTANCE = (3.0, 300.0)
"""Meters from the camera over which bumps of crags grow: the finest octaves, which only show close
to it, are so steep that they look like straw."""
STREAK = (48.0, 4.0, 0.65)
"""Fingers of grass and tongues of scree, which shift borders on slopes: size across the slope in
meters, octaves, roughness."""
DOWN = 0.14
"""Size across the slope as a share of that down the slope, in height."""
STREAK_SLOPE = (12.0, 34.0)
"""Degrees over which they grow."""
FACETED = 4.0
"""Degrees by which a face must be steeper than its normals: outlines of faces should not show."""
BLOCK = 7.0
"""Meters from joint to joint in rock."""
BLOCK_HEIGHT = 0.22
"""Relief of the blocks between them, as a share of that of crags."""
BLOCK_DISTANCE = (500.0, 2500.0)
"""Meters from the camera over which blocks fade."""
CROWN = 9.0
"""Meters from tree to tree."""
CROWN_HEIGHT = 4.0
BOULDER = 2.6
"""Meters from boulder to boulder on scree."""
BOULDERS = (0.06, 0.6)
"""Radii of boulders as shares of that: few are large."""
ANGULAR = 2.6
"""Meters by which noise of the grain moves their outlines."""
BETWEEN = -0.12
"""Tone of the ground between boulders."""
CLOSE_BOULDERS, FAR_BOULDERS = (50.0, 150.0), (400.0, 2000.0)
"""Meters from the camera over which they appear, as close stones fade, and over which they fade."""
BOUGHS = {"Detail": 2.0, "Roughness": 0.6, "Lacunarity": 2.6}
"""The finer cells of a crown: crowns that are smooth look like scales."""
GRAZING = (0.55, 0.95)
"""1 minus the cosine of the angle of view, over which crowns fade: flat ones would be streaks."""
SIDE = -0.3
"""Tone of woods at such angles, as that of gaps: crowns hide each other's light sides."""
CROWN_DISTANCE = (60.0, 900.0)
"""Meters from the camera over which crowns appear: nearer, the ground between real trees would
show."""
OCTANT = 0.785398
"""An eighth of a turn."""
NEAR = (40.0, 600.0)
"""Meters from the camera over which borders between classes become softer."""
SUN = (0.0, -1.0, 0.0)
"""Direction to the midday sun: snow and woods prefer the other side."""
IOR = 1.25
"""Index of refraction: such a surface mirrors about 1 % of the light from above, as dry ground."""
MATT = 0.85
"""Roughness from which on nothing is mirrored: Cycles skips that part."""
SMALLEST = 1e-4
"""Color by which others may be divided."""


def build(tree: Any, surface: Any, *, displaced: bool = False) -> None:
    """Add the nodes to a material's tree, before its output; ``surface`` is its Principled BSDF.

    The crags of ``displaced`` materials move the surface; others only turn its normals.
    """
    ground = grouped(tree, "Terrain Ground", _ground)
    weights = _weights(tree)
    shows = group(
        tree,
        shared_group("Terrain Borders", competition.make),
        {
            **weights,
            **{name: ground[name] for name in ("Coarse", "Slope", "Shade", "Moisture")},
            "Fine": ground["Rough"],
            "Hollow": ground["Hollow"],
            "Broad Hollow": ground["Broad Hollow"],
            "Deposition": ground["Deposition"],
            "Snow Depth": ground["Snow Depth"],
            "Nearness": ground["Nearness"],
        },
    )
    shown = {name: shows[name] for name in ("Ground", "Sand", "Cover", "Ice")}
    about = {name: ground[name] for name in (*classes.GROUND, "Place", "Distance")}
    looks = grouped(tree, "Terrain Looks", _looks, {**about, **shown})
    base = add(tree, "ShaderNodeVertexColor", layer_name=COLOR).outputs["Color"]
    color = _recolored(tree, base, weights, shown, looks["Tone"], shows["Any"])
    sea = group(
        tree,
        shared_group("Terrain Seabed", seabed.make),
        {
            "Color": color,
            "Height": ground["Above Sea"],
            "Sea": ground["Sea"],
            "Fine": ground["Rough"],
            **{name: ground[name] for name in ("Grain", "Place", "Distance")},
        },
    )
    dry = mix_number(tree, shows["Any"], 0.9, looks["Roughness"])
    roughness = mix_number(tree, sea["Wet"], dry, 0.35)
    crags = times(tree, looks["Crag Height"], sea["Above"])
    if displaced:
        _displace(tree, ground["Crag Noise"], crags)
        normal = add(tree, "ShaderNodeNewGeometry").outputs["Normal"]
    else:
        growing = ramp(tree, ground["Distance"], *CRAG_DISTANCE, 0.4, 1.0)
        normal = bump(tree, ground["Crag Noise"], times(tree, crags, growing))
    blocks = times(tree, looks["Rock"], crags, BLOCK_HEIGHT)
    blocks = times(tree, blocks, ramp(tree, ground["Distance"], *BLOCK_DISTANCE, 1.0, 0.0))
    normal = bump(tree, ground["Blocks"], blocks, normal)
    crowned = _standing(tree, ground, looks, sea["Above"], normal)
    far = _rough_surface(tree, sea["Color"], roughness, crowned)
    detail = {"Place": ground["Place"], "Distance": ground["Distance"], "Litter": looks["Litter"]}
    seen = grouped(tree, "Terrain Close-Up", close_up.textures, detail)
    looks = {**looks, **close_up.settled(tree, looks, ground["Slope"])}
    tone = close_up.tone(tree, seen, looks, sea["Above"])
    color = vector(tree, "MULTIPLY", sea["Color"], tone)
    relief = close_up.relief(tree, seen, looks, sea["Above"], normal)
    near = _rough_surface(tree, color, roughness, relief)
    share = close_up.nearness(tree, ground["Distance"])
    seen_directly = mix_shader(tree, share, far, near)
    _with_export_surface(tree, _plain_for_light(tree, seen_directly, base), base, surface)
    arrange(tree)


def _rough_surface(tree: Any, color: Any, roughness: Any, normal: Any) -> Any:
    """Return the shader: ground that mirrors a little where it is smooth, such as wet sand.

    Fresnel's equations hold for a mirror. On rough ground, facets hide each other at grazing
    angles, where the equations alone would make it white.
    """
    below = add(tree, "ShaderNodeBsdfDiffuse", {"Color": color, "Normal": normal})
    mirror = add(tree, "ShaderNodeBsdfGlossy", {"Roughness": roughness, "Normal": normal})
    share = add(tree, "ShaderNodeFresnel", {"IOR": IOR, "Normal": normal})
    smooth = math(tree, "SUBTRACT", MATT, roughness, clamp=True)
    factor = times(tree, out(share), smooth, smooth, 1.5)
    return mix_shader(tree, factor, out(below), out(mirror))


def _plain_for_light(tree: Any, shader: Any, base: Any) -> Any:
    """Return the shader, and one of the plain color for light that the ground scatters to other
    ground.

    Half of all evaluations are for such light, which does not show any details.
    """
    plain = add(tree, "ShaderNodeBsdfDiffuse", {"Color": base})
    scattered = add(tree, "ShaderNodeLightPath").outputs["Is Diffuse Ray"]
    return mix_shader(tree, scattered, shader, out(plain))


def _with_export_surface(tree: Any, shader: Any, base: Any, surface: Any) -> None:
    """Show the shader; exporters find the Principled BSDF with the color attribute instead.

    They follow every path from the inputs of such a node, which takes hours in the nodes of this
    material. Cycles skips it, as its share is 0.
    """
    surface.label = "For Exporters"
    connect(tree, base, surface.inputs["Base Color"])
    connect(tree, 0.9, surface.inputs["Roughness"])
    connect(tree, 0.15, surface.inputs["Specular IOR Level"])
    both = mix_shader(tree, 0.0, shader, surface.outputs[0])
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    connect(tree, both, output.inputs["Surface"])


def _ground(tree: Any, _: Any) -> dict[str, Any]:
    """Return the properties of the ground at a point."""
    place = add(tree, "ShaderNodeTexCoord")
    where, normal = place.outputs["Object"], place.outputs["Normal"]
    x_y_z = add(tree, "ShaderNodeSeparateXYZ", {0: where})
    upright = add(tree, "ShaderNodeSeparateXYZ", {0: normal})
    about = attribute(tree, parameters.path(parameters.PLACE), "Vector", of="OBJECT")
    level = add(tree, "ShaderNodeSeparateXYZ", {0: about})
    size = math(tree, "MAXIMUM", level.outputs["Z"], 1.0)
    around = []
    for count, detail, roughness in WANDER:
        noise = fractal_noise(
            tree, where, math(tree, "DIVIDE", count, size), detail, roughness, space="2D"
        )
        around.append(_signed(tree, noise, 5.0))
    away = distance.from_camera(tree)
    crags = distance.noise(tree, where, *CRAGS, away)
    fine, medium, broad = (
        attribute(tree, f"convexity_{scale}") for scale in ("fine", "medium", "broad")
    )
    flow, wetness = attribute(tree, "flow"), attribute(tree, "wetness")
    grain = distance.noise(tree, where, *GRAIN, away)
    slope = math(tree, "DEGREES", math(tree, "ARCCOSINE", upright.outputs["Z"]))
    slope = math(tree, "MAXIMUM", slope, _steepness_of_face(tree))
    given = {"Place": where, "Normal": normal, "Distance": away}
    streaks = grouped(tree, "Terrain Streaks", _streaks, given)["Noise"]
    steep = ramp(tree, slope, *STREAK_SLOPE)
    streaks = times(tree, streaks, steep)
    isotropic = math(tree, "MULTIPLY_ADD", steep, -0.6, 0.8)
    # The last term moves both noises from around 0.5 to around 0.
    rough = weighted(
        tree, (around[1], isotropic), (crags, 3.0), (grain, 4.0), (1.0, -3.5), (streaks, 1.0)
    )
    return {
        "Coarse": around[0],
        "Fine": around[1],
        "Rough": rough,
        "Crag Noise": crags,
        "Grain": _signed(tree, grain, 1.0),
        "Distance": away,
        "Blocks": joints.blocks(tree, where, crags, BLOCK)["Relief"],
        "Nearness": ramp(tree, away, *NEAR, 1.0, 0.0),
        "Slope": slope,
        "Shade": times(tree, vector(tree, "DOT_PRODUCT", normal, SUN), -1.5),
        "Convexity": weighted(tree, (fine, 0.6), (medium, 0.4)),
        "Hollow": weighted(tree, (fine, -0.5), (medium, -0.5)),
        "Broad Hollow": times(tree, broad, -1.0),
        "Moisture": math(tree, "MAXIMUM", flow, wetness),
        "Deposition": math(tree, "MINIMUM", times(tree, attribute(tree, "deposition"), 0.2), 1.0),
        "Snow Depth": attribute(tree, "snow"),
        "Above Sea": math(tree, "SUBTRACT", x_y_z.outputs["Z"], level.outputs["X"]),
        "Sea": level.outputs["Y"],
        "Place": where,
    }


def _steepness_of_face(tree: Any) -> Any:
    """Return the slope of the face in degrees, less :data:`FACETED`.

    At the foot of a wall the plain bends the normals of the wall's faces: without this, grass would
    climb them in blades.
    """
    normal = add(
        tree,
        "ShaderNodeVectorTransform",
        {"Vector": add(tree, "ShaderNodeNewGeometry").outputs["True Normal"]},
        vector_type="NORMAL",
        convert_from="WORLD",
        convert_to="OBJECT",
    )
    z = add(tree, "ShaderNodeSeparateXYZ", {0: out(normal)}).outputs["Z"]
    return math(tree, "SUBTRACT", math(tree, "DEGREES", math(tree, "ARCCOSINE", z)), FACETED)


def _streaks(tree: Any, i: Any) -> dict[str, Any]:
    """Return noise around 0 that runs down the slope.

    Only eight directions occur: if the axes turned with the slope, places far from the origin would
    move past each other.
    """
    place, normal = (add(tree, "ShaderNodeSeparateXYZ", {0: i[k]}) for k in ("Place", "Normal"))
    x, y = (normal.outputs[axis] for axis in "XY")
    aspect = math(tree, "SNAP", math(tree, "ARCTAN2", y, x), OCTANT)
    aspect = plus(tree, aspect, OCTANT / 2)
    x, y, z = (place.outputs[axis] for axis in "XYZ")
    along = times(tree, y, math(tree, "COSINE", aspect))
    along = math(tree, "SUBTRACT", along, times(tree, x, math(tree, "SINE", aspect)))
    inputs = {"X": along, "Y": times(tree, z, DOWN)}
    where = out(add(tree, "ShaderNodeCombineXYZ", inputs))
    streaks = distance.noise(tree, where, *STREAK, i["Distance"], space="2D")
    return {"Noise": _signed(tree, streaks, 9.0)}


def _signed(tree: Any, noise: Any, factor: float) -> Any:
    """Return noise around 0.5 as a number around 0."""
    return math(tree, "MULTIPLY_ADD", noise, factor, -factor / 2)


def _weights(tree: Any) -> dict[str, Any]:
    """Return the weights of the surface classes in the palette's mixture."""
    ground, cover = (attribute(tree, name, "Color") for name in SURFACE_ATTRIBUTES)
    sand, ice = (one.node.outputs["Alpha"] for one in (ground, cover))
    # The alpha of an attribute that a mesh lacks is 1; weights have a sum of 1.
    known = math(tree, "LESS_THAN", plus(tree, sand, ice), 1.5)
    return {
        "Ground": ground,
        "Sand": times(tree, sand, known),
        "Cover": cover,
        "Ice": times(tree, ice, known),
    }


def _looks(tree: Any, i: Any) -> dict[str, Any]:
    """Return the tone, roughness and heights of relief of the classes that show."""
    weights = competition.split(tree, *(i[name] for name in ("Ground", "Sand", "Cover", "Ice")))
    inputs = {"Vector": i["Place"], "Scale": 1 / CROWN, **BOUGHS}
    crown = add(tree, "ShaderNodeTexVoronoi", inputs, voronoi_dimensions="2D").outputs
    middle, kind = crown["Distance"], _signed(tree, crown["Color"], 1.0)
    along = add(tree, "ShaderNodeLayerWeight", {"Blend": 0.5}).outputs["Facing"]
    from_above = ramp(tree, along, *GRAZING, 1.0, 0.2)
    given = {name: i[name] for name in ("Place", "Grain", "Distance")}
    boulder = grouped(tree, "Terrain Boulders", _boulders, given)
    looks: dict[str, Any] = {}
    for key, one in SURFACES.items():
        inputs = {name: i[name] for name in classes.GROUND}
        if key == "wood":
            light = mix_number(tree, from_above, SIDE, math(tree, "SUBTRACT", 0.6, middle))
            inputs |= {"Crown": light, "Kind": kind}
        if key == "scree":
            inputs |= {"Boulder": boulder["Tone"]}
        looks[key] = group(tree, shared_group(f"Terrain {one.label}", _maker(key)), inputs)
    found = {name: _blended(tree, name, looks, weights) for name in classes.OUTPUTS}
    height = math(tree, "MULTIPLY_ADD", middle, middle, times(tree, kind, -1.8))
    wood = times(tree, weights["wood"], from_above)
    return {
        **found,
        "Crown": height,
        "Wood": wood,
        "Boulder": boulder["Height"],
        "Scree": weights["scree"],
        "Rock": weights[ROCK],
    }


def _boulders(tree: Any, i: Any) -> dict[str, Any]:
    """Return the height of boulders, 0 to 1, and their tone around 0."""
    moved = vector(tree, "SCALE", (1.0, 0.6, 0.0), Scale=times(tree, i["Grain"], ANGULAR))
    inputs = {"Vector": vector(tree, "ADD", i["Place"], moved), "Scale": 1 / BOULDER}
    cell = add(tree, "ShaderNodeTexVoronoi", inputs, voronoi_dimensions="2D").outputs
    random = add(tree, "ShaderNodeSeparateColor", {0: cell["Color"]}).outputs
    least, most = BOULDERS
    radius = math(tree, "MULTIPLY_ADD", times(tree, *3 * [random[0]]), most - least, least)
    off = math(tree, "DIVIDE", cell["Distance"], radius)
    dome = math(tree, "SUBTRACT", 1.0, times(tree, off, off), clamp=True)
    seen = ramp(tree, i["Distance"], *CLOSE_BOULDERS)
    seen = times(tree, seen, ramp(tree, i["Distance"], *FAR_BOULDERS, 1.0, 0.0))
    light = math(tree, "SUBTRACT", random[1], 0.35)
    tone = mix_number(tree, ramp(tree, off, 1.0, 0.8), BETWEEN, light)
    return {"Height": times(tree, dome, radius, seen), "Tone": times(tree, tone, seen)}


def _blended(tree: Any, name: str, looks: dict[str, Any], weights: dict[str, Any]) -> Any:
    """Return the sum of an output of all classes, each with its weight."""
    given = {f"{SURFACES[key].label} Weight": weight for key, weight in weights.items()}
    given |= {SURFACES[key].label: outputs[name] for key, outputs in looks.items()}
    tone = classes.OUTPUTS[name] == "Color"
    purpose, build = ("Tone", _sum_of_tones) if tone else ("Number", _sum_of_numbers)
    return grouped(tree, f"Terrain {purpose}", build, given)["Sum"]


def _sum_of_numbers(tree: Any, i: Any) -> dict[str, Any]:
    terms = [(i[surface.label], i[f"{surface.label} Weight"]) for surface in SURFACES.values()]
    return {"Sum": weighted(tree, *terms)}


def _sum_of_tones(tree: Any, i: Any) -> dict[str, Any]:
    total: Any = (0.0, 0.0, 0.0)
    for surface in SURFACES.values():
        part = vector(tree, "SCALE", i[surface.label], Scale=i[f"{surface.label} Weight"])
        total = vector(tree, "ADD", total, part)
    return {"Sum": total}


def _maker(key: str) -> Callable[[str], Any]:
    return lambda name: classes.make(key, name)


def _recolored(
    tree: Any, base: Any, weights: dict[str, Any], shown: dict[str, Any], tone: Any, any_class: Any
) -> Any:
    """Return the color of the classes that show."""
    mean = shared_group("Terrain Mean Color", _make_mean)
    # Modifiers that build a new mesh drop its property, and both means are 0: the colors stay.
    mixed, showing = (
        vector(tree, "MAXIMUM", group(tree, mean, one)["Color"], (SMALLEST, SMALLEST, SMALLEST))
        for one in (weights, shown)
    )
    ratio = vector(tree, "DIVIDE", showing, mixed)
    color = vector(tree, "MULTIPLY", vector(tree, "MULTIPLY", base, ratio), tone)
    return mix(tree, any_class, base, color)


def _make_mean(name: str) -> Any:
    """Return the node group: the mean of the palette's colors by weights of the surface classes."""
    inputs = {
        "Ground": (0.0, 0.0, 0.0, 0.0),
        "Sand": 0.0,
        "Cover": (0.0, 0.0, 0.0, 0.0),
        "Ice": 0.0,
    }
    tree, i, result = new_group(name, inputs, {"Color": "Color"})
    joined = add(tree, "ShaderNodeCombineColor")
    for n, channel in enumerate(parameters.CHANNELS):
        terms: list[tuple[Any, Any]] = []
        for half, color, last in (("ground", "Ground", "Sand"), ("cover", "Cover", "Ice")):
            node = parameters.path(f"{channel}_{half}")
            three = attribute(tree, node, "Vector", of="OBJECT")
            fourth = three.node.outputs["Alpha"]
            terms += [(vector(tree, "DOT_PRODUCT", i[color], three), 1.0), (i[last], fourth)]
        connect(tree, weighted(tree, *terms), joined.inputs[n])
    connect(tree, joined.outputs[0], result["Color"])
    arrange(tree)
    return tree


def _displace(tree: Any, noise: Any, height: Any) -> None:
    """Displace the surface by noise around its middle."""
    node = add(tree, "ShaderNodeDisplacement", {"Height": noise, "Midlevel": 0.5, "Scale": height})
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    connect(tree, node.outputs[0], output.inputs["Displacement"])


def _standing(
    tree: Any, ground: dict[str, Any], looks: dict[str, Any], above: Any, normal: Any
) -> Any:
    """Return the normal with what stands on the ground: crowns of trees and boulders."""
    far = ramp(tree, ground["Distance"], *CROWN_DISTANCE, 0.3, 1.0)
    crowns = times(tree, looks["Wood"], above, far, -CROWN_HEIGHT)
    normal = bump(tree, looks["Crown"], crowns, normal)
    return bump(tree, looks["Boulder"], times(tree, looks["Scree"], above, BOULDER), normal)
