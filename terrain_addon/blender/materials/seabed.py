# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground below and beside the sea, as seen through its water.

The water absorbs by the Beer-Lambert law on the way down and up again (absorption of pure water:
Pope and Fry, "Absorption spectrum (380-700 nm) of pure water", 1997, with scattering added). The
light that the water itself scatters belongs to its surface (see `water`): on the sea
floor, it would show the shadows of the land in the wrong place.
"""

from typing import Any

from . import distance
from .node_trees import (
    add,
    arrange,
    connect,
    fractal_noise,
    math,
    mix,
    mix_number,
    new_group,
    plus,
    ramp,
    times,
    vector,
)

ABSORPTION = (0.42, 0.085, 0.045)
"""Per meter of water, red, green and blue."""
WAY = 1.9
"""Length of the way down and up again as a multiple of the depth."""
FOAM = (0.72, 0.74, 0.75, 1.0)
FROTH = (0.6, 3.0, 0.7)
"""Bubbles and the holes between them: size of the largest in meters, octaves, roughness."""
SURF = (400.0, 2.0, 0.5)
"""Stretches of the shore that lie open to the waves, and sheltered ones: size in meters, octaves
more than one, roughness."""
WET = (0.45, 0.43, 0.42)


def make(name: str) -> Any:
    """Return the node group: from dry ground to ground by the sea."""
    tree, i, out = new_group(
        name,
        {
            "Color": (0.5, 0.5, 0.5, 1.0),
            "Height": 1.0,
            "Sea": 0.0,
            "Fine": 0.0,
            "Grain": 0.0,
            "Place": "Vector",
            "Distance": 0.0,
            "Absorption": ABSORPTION,
            "Murkiness": 0.11,
            "Wet Height": 1.1,
            "Foam": FOAM,
            "Foam Width": 0.5,
        },
        {"Color": "Color", "Above": "Float", "Wet": "Float"},
    )
    height = i["Height"]
    depth = times(tree, math(tree, "MAXIMUM", times(tree, height, -1.0), 0.0), i["Sea"])
    shifted = math(tree, "MULTIPLY_ADD", i["Fine"], 1.5, height)
    wet = ramp(tree, shifted, i["Wet Height"], times(tree, i["Wet Height"], 0.3))
    wet = times(tree, wet, i["Sea"])
    color = mix(tree, wet, i["Color"], mix(tree, 1.0, i["Color"], (*WET, 1.0), "MULTIPLY"))
    color = mix(tree, 1.0, color, light_left(tree, i["Absorption"], depth), "MULTIPLY")
    murk = math(tree, "EXPONENT", times(tree, depth, i["Murkiness"], -1.0))
    color = vector(tree, "SCALE", color, Scale=murk)
    connect(tree, mix(tree, _foam(tree, i), color, i["Foam"]), out["Color"])
    dry = ramp(tree, height, -0.3, 2.0)
    connect(tree, mix_number(tree, i["Sea"], 1.0, dry), out["Above"])
    # The surface of the water mirrors the sky, the ground below it does not.
    connect(tree, times(tree, wet, ramp(tree, height, -0.2, 0.1)), out["Wet"])
    arrange(tree)
    return tree


def light_left(tree: Any, absorption: Any, depth: Any) -> Any:
    """Return the share of the light of each color that comes back through the water."""
    powers = vector(tree, "SCALE", absorption, Scale=times(tree, depth, -WAY))
    parts, joined = add(tree, "ShaderNodeSeparateXYZ"), add(tree, "ShaderNodeCombineXYZ")
    connect(tree, powers, parts.inputs[0])
    for part, target in zip(parts.outputs, joined.inputs, strict=True):
        connect(tree, math(tree, "EXPONENT", part), target)
    return joined.outputs[0]


def _foam(tree: Any, i: Any) -> Any:
    """Return a broken line of foam along open shores, with holes that show near the camera."""
    breaks = ramp(tree, i["Grain"], -0.03, 0.1)
    froth = distance.noise(tree, i["Place"], *FROTH, i["Distance"], space="2D")
    away = math(
        tree, "ABSOLUTE", math(tree, "MULTIPLY_ADD", i["Fine"], 0.8, plus(tree, i["Height"], 0.2))
    )
    line = ramp(tree, away, i["Foam Width"], times(tree, i["Foam Width"], 0.2))
    size, octaves, roughness = SURF
    open_sea = fractal_noise(tree, i["Place"], 1 / size, octaves, roughness, space="2D")
    surf = ramp(tree, open_sea, 0.44, 0.58)
    return times(tree, line, breaks, ramp(tree, froth, 0.38, 0.52), surf, i["Sea"])
