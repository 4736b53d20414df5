# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground within some tens of meters of the camera: stones, tufts, ripples.

A shader of its own, mixed with that of the whole terrain by the distance from the camera. Cycles
skips the nodes of a shader whose share is 0, so that the rest of a picture does not pay for them.
All classes share three textures, each class with heights and tones of its own.
"""

from typing import Any

from . import distance, joints
from .node_trees import add, bump, math, mix, mix_number, ramp, times, vector

FADE = (40.0, 160.0)
"""Meters from the camera over which it fades."""
TUFT = 0.9
STONES = (1.1, 0.24)
LEAF = 0.09
RIPPLE = 0.16
"""Meters from one to the next; stones have two sizes."""
SMALLEST, LARGEST = 0.1, 0.6
"""Radii of stones, as shares of the meters between them. Few are large: ground lies between."""
JOINT = 0.8
"""Meters from joint to joint in rock."""
FACET, GROOVE = 0.7, 0.2
"""Relief of blocks in meters, and of the cracks between them as a share of it."""
GAP = 0.55
"""Tone of cracks."""
LOOSE = (30.0, 46.0)
"""Degrees over which stones roll away: steeper rock is bare."""
JAGGED = 0.2
"""Meters by which outlines of stones depart from circles."""


def nearness(tree: Any, away: Any) -> Any:
    """Return the share of this shader: 1 close to the camera."""
    return ramp(tree, away, *FADE, 1.0, 0.0)


def textures(tree: Any, i: Any) -> dict[str, Any]:
    """Return textures that the classes share: relief by name, tones of tufts and stones, 0 to 1.

    Leaves and blades take the place of stones by the share "Litter".
    """
    where = i["Place"]
    tufts = distance.noise(tree, where, TUFT, 8.0, 0.68, i["Distance"])
    stone, stone_tone = _stones(tree, where, tufts)
    rock = joints.blocks(tree, where, tufts, JOINT)
    tone = math(tree, "MULTIPLY_ADD", rock["Random"], 0.3, 0.85)
    leaf, leaf_tone = _leaves(tree, where)
    inputs = {
        "Vector": where,
        "Scale": 0.05 * 6.2832 / RIPPLE,
        "Distortion": 24.0,
        "Detail": 2.0,
        "Detail Scale": 0.08,
        "Detail Roughness": 0.65,
    }
    ripples = add(tree, "ShaderNodeTexWave", inputs).outputs[1]
    return {
        "Tuft": tufts,
        "Stone": stone,
        "Leaf": leaf,
        "Joint": math(tree, "MULTIPLY_ADD", rock["Crack"], -GROOVE, rock["Relief"]),
        "Ripple": ripples,
        "Tuft Tone": ramp(tree, tufts, 0.3, 0.7),
        "Stone Tone": mix_number(tree, i["Litter"], stone_tone, leaf_tone),
        "Joint Tone": times(tree, tone, mix_number(tree, rock["Crack"], 1.0, GAP)),
    }


def settled(tree: Any, looks: Any, slope: Any) -> dict[str, Any]:
    """Return the looks that depend on stones, which do not lie on steep ground."""
    lie = ramp(tree, slope, *LOOSE, 1.0, 0.0)
    return {name: times(tree, looks[name], lie) for name in ("Stone Height", "Stoniness")}


def _stones(tree: Any, where: Any, rough: Any) -> tuple[Any, Any]:
    """Return the height and tone of stones of two sizes, and of the ground between."""
    jagged = vector(tree, "SCALE", (1.0, 1.0, 1.0), Scale=times(tree, rough, JAGGED))
    there = vector(tree, "ADD", where, jagged)
    height: Any = 0.0
    shade: Any = times(tree, rough, 0.7)
    for size in reversed(STONES):
        cell = add(tree, "ShaderNodeTexVoronoi", {"Vector": there, "Scale": 1 / size}).outputs
        random = add(tree, "ShaderNodeSeparateColor", {0: cell["Color"]}).outputs
        share = times(tree, random[0], random[0])
        radius = math(tree, "MULTIPLY_ADD", share, LARGEST - SMALLEST, SMALLEST)
        out = math(tree, "DIVIDE", cell["Distance"], radius)
        dome = math(tree, "SUBTRACT", 1.0, times(tree, out, out), clamp=True)
        top = times(tree, dome, radius, size / STONES[0] / LARGEST)
        height = math(tree, "MAXIMUM", height, top)
        shade = mix_number(tree, ramp(tree, out, 1.0, 0.8), shade, random[1])
    return height, shade


def _leaves(tree: Any, where: Any) -> tuple[Any, Any]:
    """Return the height and tone of leaves."""
    inputs = {"Vector": where, "Scale": 1 / LEAF, "Detail": 2.0, "Roughness": 0.6}
    cell = add(tree, "ShaderNodeTexVoronoi", inputs, voronoi_dimensions="2D")
    from_middle = cell.outputs["Distance"]
    dome = math(tree, "SUBTRACT", 1.0, times(tree, from_middle, from_middle))
    shade = add(tree, "ShaderNodeSeparateColor", {0: cell.outputs["Color"]}).outputs[0]
    return dome, times(tree, shade, ramp(tree, from_middle, 0.75, 0.3))


def tone(tree: Any, seen: Any, looks: Any, above: Any) -> Any:
    """Return the factor on the color."""
    share = mix_number(tree, looks["Stoniness"], seen["Tuft Tone"], seen["Stone Tone"])
    between = mix(tree, share, looks["Low Tone"], looks["High Tone"])
    joints = mix_number(tree, looks["Rock"], 1.0, seen["Joint Tone"])
    between = vector(tree, "SCALE", between, Scale=joints)
    return mix(tree, above, (1.0, 1.0, 1.0, 1.0), between)


def relief(tree: Any, seen: Any, looks: Any, above: Any, normal: Any) -> Any:
    """Return the normal."""
    leaf = times(tree, looks["Stone Height"], looks["Litter"])
    stone = math(tree, "SUBTRACT", looks["Stone Height"], leaf)
    heights = {
        "Tuft": looks["Tuft Height"],
        "Stone": stone,
        "Leaf": leaf,
        "Joint": times(tree, looks["Rock"], FACET),
        "Ripple": looks["Ripple Height"],
    }
    for name, height in heights.items():
        normal = bump(tree, seen[name], times(tree, height, above), normal)
    return normal
