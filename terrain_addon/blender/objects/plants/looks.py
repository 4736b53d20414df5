# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the models of plants.

They read attributes of the point that a plant stands on: ``tint``, the color of the species;
``fall``, that in autumn; ``autumn`` and ``snow``, 0 to 1; ``rank``, by which plants differ from
each other. ``shade`` belongs to the model: 0 inside a crown, 1 where the sky shines on it.
"""

from collections.abc import Callable
from typing import Any

import bpy

from ...materials.node_trees import (
    add,
    arrange,
    attribute,
    fractal_noise,
    math,
    mix,
    mix_number,
    mix_shader,
    new_material,
    out,
    ramp,
    shared,
    times,
)
from .models import BARK, LEAF, PALE, PETAL, STONE

TINT, FALL, AUTUMN, SNOW, RANK, SHADE = "tint", "fall", "autumn", "snow", "rank", "shade"
USUAL = (0.05, 0.09, 0.025, 1.0)
"""Color of leaves of a model that no plant shows."""
WHITE = (0.82, 0.85, 0.9, 1.0)
AUTUMN_COLORS = ((0.0, (0.42, 0.2, 0.012)), (0.5, (0.36, 0.1, 0.01)), (1.0, (0.2, 0.035, 0.01)))
"""Linear colors of leaves in autumn, by rank."""
TURNS = 0.35
"""How far the plants of one place turn earlier or later, in autumn."""


def material(kind: int) -> bpy.types.Material:
    """Find or create this file's material of a kind of faces."""
    name, color, _ = _KINDS[kind]
    return shared(bpy.data.materials, f"plants {name}", lambda: _material(kind, color))


def _material(kind: int, color: tuple[float, ...]) -> bpy.types.Material:
    name, _, shader = _KINDS[kind]
    made, output = new_material(name)
    tree = made.node_tree
    tree.links.new(shader(tree, color), output.inputs["Surface"])
    arrange(tree)
    made.diffuse_color = color
    return made


def _of_plant(tree: Any, name: str, output: str = "Fac") -> Any:
    return attribute(tree, name, output, of="INSTANCER")


def _snowy(tree: Any, color: Any, low: float, high: float) -> Any:
    """Return a color with snow where the surface faces up."""
    normal = add(tree, "ShaderNodeNewGeometry").outputs["Normal"]
    up = add(tree, "ShaderNodeSeparateXYZ", {0: normal}).outputs["Z"]
    snow = _of_plant(tree, SNOW)
    rest = math(tree, "SUBTRACT", up, mix_number(tree, snow, high, low))
    lies = times(tree, ramp(tree, rest, -0.1, 0.25), ramp(tree, snow, 0.0, 0.35))
    return mix(tree, lies, color, WHITE)


def _surface(tree: Any, color: Any, roughness: float = 0.85, normal: Any = None) -> Any:
    inputs = {"Base Color": color, "Roughness": roughness}
    shader = add(tree, "ShaderNodeBsdfPrincipled", inputs | ({"Normal": normal} if normal else {}))
    shader.inputs["Specular IOR Level"].default_value = 0.25
    return shader.outputs[0]


def _leaves(tree: Any, color: tuple[float, ...]) -> Any:
    tint = add(
        tree, "ShaderNodeAttribute", attribute_name=TINT, attribute_type="INSTANCER", label=TINT
    ).outputs
    shown = math(tree, "GREATER_THAN", tint["Alpha"], 0.5)
    own = mix(tree, shown, color, tint["Color"])
    rank = _of_plant(tree, RANK)
    lot = _lot(tree, rank, 61.7)
    inputs = {
        "Hue": ramp(tree, lot, 0.0, 1.0, 0.478, 0.522),
        "Saturation": ramp(tree, _lot(tree, rank, 17.3), 0.0, 1.0, 0.82, 1.1),
        "Value": ramp(tree, _lot(tree, rank, 37.1), 0.0, 1.0, 0.72, 1.28),
        "Color": own,
    }
    varied = out(add(tree, "ShaderNodeHueSaturation", inputs))
    turned = mix(tree, _turned(tree, lot), varied, _autumn(tree, lot, rank))
    shade = ramp(tree, attribute(tree, SHADE), 0.0, 1.0, 0.35, 1.9)
    dark = mix(tree, 1.0, turned, shade, "MULTIPLY")
    final = _snowy(tree, dark, 0.25, 0.9)
    through = out(add(tree, "ShaderNodeBsdfTranslucent", {"Color": final}))
    return mix_shader(tree, 0.28, _surface(tree, final), through)


def _lot(tree: Any, rank: Any, times: float) -> Any:
    """Return a random number of a plant: ranks select plants too, but their fractions are as even
    among those that are left."""
    return math(tree, "FRACT", math(tree, "MULTIPLY", rank, times))


def _turned(tree: Any, lot: Any) -> Any:
    """Return how far the leaves of a plant have turned."""
    late = math(tree, "MULTIPLY", lot, TURNS)
    autumn = math(tree, "MULTIPLY", _of_plant(tree, AUTUMN), 1 + TURNS)
    return ramp(tree, math(tree, "SUBTRACT", autumn, late), 0.0, 1.0)


def _autumn(tree: Any, lot: Any, rank: Any) -> Any:
    """Return the color in autumn: that of the species, or one of its lot if it has none."""
    node = add(tree, "ShaderNodeValToRGB", {0: lot})
    elements = node.color_ramp.elements
    while len(elements) < len(AUTUMN_COLORS):
        elements.new(0.5)
    for element, (place, color) in zip(elements, AUTUMN_COLORS, strict=True):
        element.position, element.color = place, (*color, 1.0)
    fall = add(
        tree, "ShaderNodeAttribute", attribute_name=FALL, attribute_type="INSTANCER", label=FALL
    ).outputs
    inputs = {
        "Hue": ramp(tree, lot, 0.0, 1.0, 0.47, 0.525),
        "Saturation": 1.12,
        "Value": ramp(tree, _lot(tree, rank, 37.1), 0.0, 1.0, 0.8, 1.3),
        "Color": fall["Color"],
    }
    own = out(add(tree, "ShaderNodeHueSaturation", inputs))
    return mix(tree, math(tree, "GREATER_THAN", fall["Alpha"], 0.5), node.outputs["Color"], own)


def _bark(tree: Any, color: tuple[float, ...]) -> Any:
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    long = out(add(tree, "ShaderNodeMapping", {"Vector": place, "Scale": (9.0, 9.0, 14.0)}))
    relief = fractal_noise(tree, long, 3.0, 3.0, 0.6)
    factor = ramp(tree, relief, 0.3, 0.7, 0.55, 1.5)
    return _surface(tree, _snowy(tree, mix(tree, 1.0, color, factor, "MULTIPLY"), 0.3, 0.95), 0.9)


def _white_bark(tree: Any, color: tuple[float, ...]) -> Any:
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    flat = out(add(tree, "ShaderNodeMapping", {"Vector": place, "Scale": (2.0, 2.0, 45.0)}))
    scars = ramp(tree, fractal_noise(tree, flat, 2.0, 2.0, 0.6), 0.56, 0.66)
    return _surface(tree, mix(tree, scars, color, (0.03, 0.027, 0.025, 1.0)), 0.7)


def _stone(tree: Any, color: tuple[float, ...]) -> Any:
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    relief = fractal_noise(tree, place, 3.0, 6.0, 0.65)
    grain = fractal_noise(tree, place, 18.0, 3.0, 0.6)
    factor = times(
        tree, ramp(tree, relief, 0.3, 0.7, 0.6, 1.35), ramp(tree, grain, 0.3, 0.7, 0.8, 1.2)
    )
    shaded = times(tree, factor, ramp(tree, attribute(tree, SHADE), 0.0, 1.0, 0.6, 1.2))
    lot = _lot(tree, _of_plant(tree, RANK), 37.1)
    shaded = times(tree, shaded, ramp(tree, lot, 0.0, 1.0, 0.75, 1.2))
    final = _snowy(tree, mix(tree, 1.0, color, shaded, "MULTIPLY"), 0.3, 0.95)
    rough = mix_number(tree, 0.35, relief, grain)
    bump = add(tree, "ShaderNodeBump", {"Height": rough, "Strength": 0.7, "Distance": 0.1})
    return _surface(tree, final, 0.9, out(bump))


def _petals(tree: Any, color: tuple[float, ...]) -> Any:
    lot = _lot(tree, _of_plant(tree, RANK), 91.3)
    yellow = ramp(tree, lot, 0.45, 0.55)
    return _surface(tree, mix(tree, yellow, color, (0.7, 0.62, 0.5, 1.0)), 0.6)


_Shader = Callable[[Any, tuple[float, ...]], Any]
_KINDS: dict[int, tuple[str, tuple[float, ...], _Shader]] = {
    BARK: ("Bark", (0.062, 0.045, 0.033, 1.0), _bark),
    LEAF: ("Leaves", USUAL, _leaves),
    STONE: ("Stone", (0.19, 0.18, 0.165, 1.0), _stone),
    PETAL: ("Petals", (0.65, 0.42, 0.03, 1.0), _petals),
    PALE: ("White Bark", (0.55, 0.52, 0.47, 1.0), _white_bark),
}
"""Name, linear color and shader of the materials by kind of faces."""
