# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground below and beside the sea, as seen through its water.

The water absorbs by the Beer-Lambert law on the way down and up again (absorption of pure water:
Pope and Fry, "Absorption spectrum (380-700 nm) of pure water", 1997, with scattering added), and
returns the color of deep water.
"""

from typing import Any

from .nodes import new_group

ABSORPTION = (0.42, 0.085, 0.045)
"""Per meter of water, red, green and blue."""
WAY = 1.9
"""Length of the way down and up again as a multiple of the depth."""
DEEP = (0.004, 0.022, 0.040, 1.0)
FOAM = (0.72, 0.74, 0.75, 1.0)
WET = (0.45, 0.43, 0.42)


def make(name: str) -> Any:
    """The node group: from dry ground to ground by the sea."""
    nodes, i, out = new_group(
        name,
        {
            "Color": (0.5, 0.5, 0.5, 1.0),
            "Height": 1.0,
            "Sea": 0.0,
            "Fine": 0.0,
            "Grain": 0.0,
            "Absorption": ABSORPTION,
            "Deep Water": DEEP,
            "Murkiness": 0.11,
            "Wet Height": 1.1,
            "Foam": FOAM,
            "Foam Width": 0.5,
        },
        {"Color": "Color", "Above": "Float", "Wet": "Float"},
    )
    height = i["Height"]
    depth = nodes.times(nodes.math("MAXIMUM", nodes.times(height, -1.0), 0.0), i["Sea"])
    shifted = nodes.math("MULTIPLY_ADD", i["Fine"], 1.5, height)
    wet = nodes.ramp(shifted, i["Wet Height"], nodes.times(i["Wet Height"], 0.3))
    wet = nodes.times(wet, i["Sea"])
    color = nodes.mix(wet, i["Color"], nodes.mix(1.0, i["Color"], (*WET, 1.0), "MULTIPLY"))
    color = nodes.mix(1.0, color, _left(nodes, i["Absorption"], depth), "MULTIPLY")
    murk = nodes.math("EXPONENT", nodes.times(depth, i["Murkiness"], -1.0))
    color = nodes.mix(murk, i["Deep Water"], color)
    nodes.connect(nodes.mix(_foam(nodes, i), color, i["Foam"]), out["Color"])
    dry = nodes.ramp(height, -0.3, 2.0)
    nodes.connect(nodes.mix_number(i["Sea"], 1.0, dry), out["Above"])
    nodes.connect(wet, out["Wet"])
    nodes.arrange()
    return nodes.tree


def _left(nodes: Any, absorption: Any, depth: Any) -> Any:
    """Share of the light of each color that comes back through the water."""
    powers = nodes.vector("SCALE", absorption, scale=nodes.times(depth, -WAY))
    parts, joined = nodes.add("SeparateXYZ"), nodes.add("CombineXYZ")
    nodes.connect(powers, parts.inputs[0])
    for part, target in zip(parts.outputs, joined.inputs, strict=True):
        nodes.connect(nodes.math("EXPONENT", part), target)
    return joined.outputs[0]


def _foam(nodes: Any, i: Any) -> Any:
    """A broken line of foam along the shore."""
    breaks = nodes.ramp(i["Grain"], -0.03, 0.1)
    away = nodes.math("ABSOLUTE", nodes.sum(i["Height"], 0.2, nodes.times(i["Fine"], 0.8)))
    line = nodes.ramp(away, i["Foam Width"], nodes.times(i["Foam Width"], 0.2))
    return nodes.times(line, breaks, i["Sea"])
