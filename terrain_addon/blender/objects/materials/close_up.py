# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground within some tens of meters of the camera: stones, tufts, ripples.

A shader of its own, mixed with that of the whole terrain by the distance from the camera. Cycles
skips the nodes of a shader whose share is 0, so that the rest of a picture does not pay for them.
All classes share three textures, each class with heights and tones of its own.
"""

from typing import Any

from ..node_trees import add, bump, math, mix, mix_number, ramp, times
from . import distance

FADE = (40.0, 160.0)
"""Meters from the camera over which it fades."""
TUFT = 0.9
STONE = 0.4
LEAF = 0.09
RIPPLE = 0.16
"""Meters from one to the next."""


def nearness(tree: Any, away: Any) -> Any:
    """The share of this shader: 1 close to the camera."""
    return ramp(tree, away, *FADE, 1.0, 0.0)


def textures(tree: Any, i: Any) -> dict[str, Any]:
    """What the classes share: relief by name, and tones of tufts and stones, all 0 to 1.

    Leaves and blades take the place of stones by the share "Litter".
    """
    where = i["Place"]
    tufts = distance.noise(tree, where, TUFT, 8.0, 0.68, i["Distance"])
    stone, stone_tone = _cells(tree, where, STONE)
    leaf, leaf_tone = _cells(tree, where, LEAF)
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
        "Ripple": ripples,
        "Tuft Tone": ramp(tree, tufts, 0.3, 0.7),
        "Stone Tone": mix_number(tree, i["Litter"], stone_tone, leaf_tone),
    }


def _cells(tree: Any, where: Any, size: float) -> tuple[Any, Any]:
    """Height and tone of stones or leaves of a size."""
    inputs = {"Vector": where, "Scale": 1 / size, "Detail": 2.0, "Roughness": 0.6}
    cell = add(tree, "ShaderNodeTexVoronoi", inputs)
    from_middle = cell.outputs["Distance"]
    dome = math(tree, "SUBTRACT", 1.0, times(tree, from_middle, from_middle))
    shade = add(tree, "ShaderNodeSeparateColor", {0: cell.outputs["Color"]}).outputs[0]
    return dome, times(tree, shade, ramp(tree, from_middle, 0.75, 0.3))


def tone(tree: Any, seen: Any, looks: Any, above: Any) -> Any:
    """The factor on the color."""
    share = mix_number(tree, looks["Stoniness"], seen["Tuft Tone"], seen["Stone Tone"])
    between = mix(tree, share, looks["Low Tone"], looks["High Tone"])
    return mix(tree, above, (1.0, 1.0, 1.0, 1.0), between)


def relief(tree: Any, seen: Any, looks: Any, above: Any, normal: Any) -> Any:
    """The normal."""
    leaf = times(tree, looks["Stone Height"], looks["Litter"])
    stone = math(tree, "SUBTRACT", looks["Stone Height"], leaf)
    heights = {
        "Tuft": looks["Tuft Height"],
        "Stone": stone,
        "Leaf": leaf,
        "Ripple": looks["Ripple Height"],
    }
    for name, height in heights.items():
        normal = bump(tree, seen[name], times(tree, height, above), normal)
    return normal
