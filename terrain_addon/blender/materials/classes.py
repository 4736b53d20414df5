# SPDX-License-Identifier: GPL-3.0-or-later
"""A node group for each surface class: its tones, roughness and heights of relief.

All groups have the same sockets for what the ground is like at a point, and settings of their own
by name. Tones are factors on the palette's color with a mean of about 1.
"""

from collections.abc import Callable
from typing import Any

from ...core.recipe import ROCK, SURFACES
from . import distance, parameters
from .node_trees import (
    add,
    arrange,
    attribute,
    connect,
    fractal_noise,
    grouped,
    math,
    mix,
    mix_number,
    new_group,
    ramp,
    times,
    vector,
    weighted,
)

GROUND = {"Coarse": 0.0, "Fine": 0.0, "Grain": 0.0, "Convexity": 0.0, "Moisture": 0.0}
"""Noise of a 12th and a 90th of the terrain and of a few meters, around 0; crests; wet ground."""
RELIEF = ("Crag Height", "Tuft Height", "Stone Height", "Ripple Height")
"""Heights in meters of crags of tens of meters, and of what is seen close to the camera."""
CLOSE_UP = ("Stoniness", "Litter", "Low Tone", "High Tone")
"""How much stones or tufts color the ground close to the camera, whether those stones are leaves,
and what lies between and on them."""
OUTPUTS = {
    "Tone": "Color",
    "Roughness": "Float",
    **dict.fromkeys(RELIEF, "Float"),
    "Stoniness": "Float",
    "Litter": "Float",
    "Low Tone": "Color",
    "High Tone": "Color",
}

PACKAGE, UNEVENNESS = 0.17, 0.75
"""Packages of thick and of thin beds in a bed of mean thickness, and how far they move the beds, in
packages."""
BED_PIXELS = (1.0, 5.0)
"""Over which the beds fade in: their mean thickness in the finest waves that show."""
BARE = (-0.7, 0.0)
"""Noise between which beds are hidden and bare."""

Class = tuple[dict[str, Any], Callable[[Any, Any], Any]]
"""Settings with their defaults, and what makes the tone."""


def make(key: str, name: str) -> Any:
    """Return the node group of a class."""
    settings, tone = _CLASSES[key]
    tree, i, out = new_group(name, {**GROUND, **settings}, OUTPUTS)
    connect(tree, tone(tree, i), out["Tone"])
    wet = ramp(tree, i["Moisture"], 0.6, 1.0, 1.0, 0.6)
    connect(tree, times(tree, i["Roughness"], wet), out["Roughness"])
    for same in (*RELIEF, *CLOSE_UP):
        connect(tree, i[same], out[same])
    if key == ROCK:  # smooth slabs beside broken walls
        broken = ramp(tree, i["Fine"], -0.5, 0.6, 0.6, 1.3)
        connect(tree, times(tree, i["Crag Height"], broken), out["Crag Height"])
    arrange(tree)
    return tree


def _spread(tree: Any, value: Any, amount: Any) -> Any:
    """Return 1 plus a share of a value around 0."""
    return math(tree, "MULTIPLY_ADD", value, amount, 1.0)


def _rock(tree: Any, i: Any) -> Any:
    given = {name: i[name] for name in ("Bed Thickness", "Coarse", "Fine", "Grain")}
    beds = grouped(tree, "Terrain Beds", _beds, given)
    shown = beds["Shown"]
    random = add(tree, "ShaderNodeSeparateColor", {0: beds["Color"]}).outputs
    # Beds have colors of their own; massive rock has them in patches.
    patch = ramp(tree, i["Coarse"], -0.25, 0.25, 0.25, 0.75)
    warmth = mix_number(tree, shown, patch, random[1])
    second = mix(tree, warmth, i["Warm Tone"], i["Cold Tone"])
    light = math(tree, "SUBTRACT", random[0], 0.5)
    light = _spread(tree, light, times(tree, i["Strata"], shown, 2.0))
    edges = _spread(tree, i["Convexity"], i["Edges"])
    mottle = times(tree, _spread(tree, i["Grain"], 0.8), _spread(tree, i["Fine"], 0.25))
    return _scaled(tree, second, times(tree, light, edges, mottle))


def _beds(tree: Any, i: Any) -> dict[str, Any]:
    """Return a random color for each bed, and how much the beds show.

    Beds are thick and thin, in packages; in places, they are hidden. Where they would be as fine as
    pixels they fade: a mountain would look like a contour map.
    """
    about = attribute(tree, parameters.path(parameters.BEDS), "Vector", of="OBJECT")
    thickness = math(tree, "MAXIMUM", i["Bed Thickness"], 0.01)
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    across = vector(tree, "DOT_PRODUCT", place, about)
    level = math(tree, "DIVIDE", across, thickness)
    packages = fractal_noise(tree, level, PACKAGE, 1.0, 0.5, space="1D")
    level = weighted(
        tree,
        (packages, UNEVENNESS / PACKAGE),
        (i["Coarse"], 1.0),
        (i["Fine"], 0.12),
        (i["Grain"], 0.25),
        (level, 1.0),
    )
    cells = add(tree, "ShaderNodeTexVoronoi", {"W": level, "Scale": 1.0}, voronoi_dimensions="1D")
    pixels = math(tree, "DIVIDE", thickness, distance.finest(tree))
    broken = weighted(tree, (i["Fine"], 0.6), (i["Coarse"], 0.4), (i["Grain"], 0.5))
    bare = times(tree, ramp(tree, pixels, *BED_PIXELS), ramp(tree, broken, *BARE))
    shown = times(tree, bare, about.node.outputs["Alpha"])
    return {"Color": cells.outputs["Color"], "Shown": shown}


def _scaled(tree: Any, color: Any, factor: Any) -> Any:
    return vector(tree, "SCALE", color, Scale=factor)


def _gray(tree: Any, factor: Any) -> Any:
    joined = add(tree, "ShaderNodeCombineXYZ")
    for target in joined.inputs:
        connect(tree, factor, target)
    return joined.outputs[0]


def _scree(tree: Any, i: Any) -> Any:
    streaks = _spread(tree, i["Fine"], i["Mottle"])
    boulders = _spread(tree, i["Boulder"], 1.0)
    return _gray(tree, times(tree, streaks, boulders, _spread(tree, i["Grain"], 0.9)))


def _soil(tree: Any, i: Any) -> Any:
    patches = times(
        tree, _spread(tree, i["Fine"], i["Mottle"]), _spread(tree, i["Coarse"], i["Mottle"])
    )
    light = times(tree, patches, _spread(tree, i["Grain"], 0.8))
    dark = ramp(tree, i["Moisture"], 0.3, 1.0, 1.0, i["Wet"])
    return _gray(tree, times(tree, light, dark, _spread(tree, i["Convexity"], 0.12)))


def _sand(tree: Any, i: Any) -> Any:
    light = times(tree, _spread(tree, i["Coarse"], i["Mottle"]), _spread(tree, i["Grain"], 0.12))
    dark = ramp(tree, i["Moisture"], 0.75, 1.0, 1.0, i["Wet"])
    return _gray(tree, times(tree, light, dark, _spread(tree, i["Convexity"], 0.08)))


def _grass(tree: Any, i: Any) -> Any:
    dryness = weighted(
        tree, (i["Coarse"], 1.2), (i["Fine"], 1.0), (i["Convexity"], 0.3), (i["Moisture"], -0.6)
    )
    tone = mix(tree, ramp(tree, dryness, -0.9, 1.0), i["Lush Tone"], i["Dry Tone"])
    return _scaled(tree, tone, _spread(tree, i["Grain"], 1.8))


def _wood(tree: Any, i: Any) -> Any:
    kind = math(tree, "MULTIPLY_ADD", i["Kind"], i["Variety"], i["Fine"])
    tone = mix(tree, ramp(tree, kind, -0.5, 0.5), i["Dark Tone"], i["Light Tone"])
    return _scaled(tree, tone, _spread(tree, i["Crown"], i["Gaps"]))


def _snow(tree: Any, i: Any) -> Any:
    hollow = ramp(tree, i["Convexity"], 0.3, -0.6)
    tone = mix(tree, hollow, (1.0, 1.0, 1.0, 1.0), i["Hollow Tone"])
    return _scaled(tree, tone, _spread(tree, i["Grain"], 0.05))


def _ice(tree: Any, i: Any) -> Any:
    tone = mix(tree, ramp(tree, i["Fine"], -0.2, 0.2), i["Clear Tone"], (1.08, 1.05, 1.03, 1.0))
    return _scaled(tree, tone, _spread(tree, i["Grain"], 0.15))


def _relief(crags: float, tufts: float, stones: float, ripples: float) -> dict[str, float]:
    return dict(zip(RELIEF, (crags, tufts, stones, ripples), strict=True))


def _close_up(
    stoniness: float,
    low: tuple[float, float, float],
    high: tuple[float, float, float],
    litter: float = 0.0,
) -> dict[str, Any]:
    return dict(zip(CLOSE_UP, (stoniness, litter, (*low, 1.0), (*high, 1.0)), strict=True))


_CLASSES: dict[str, Class] = {
    "rock": (
        {
            "Bed Thickness": 8.0,
            "Strata": 0.5,
            "Edges": 0.3,
            "Warm Tone": (1.12, 1.0, 0.89, 1.0),
            "Cold Tone": (0.88, 0.93, 0.96, 1.0),
            "Roughness": 0.9,
            **_relief(24.0, 0.08, 0.25, 0.0),
            **_close_up(0.45, (0.82, 0.82, 0.82), (1.32, 1.32, 1.32)),
        },
        _rock,
    ),
    "scree": (
        {
            "Boulder": 0.0,
            "Mottle": 0.4,
            "Roughness": 0.95,
            **_relief(4.0, 0.1, 0.45, 0.0),
            **_close_up(0.8, (0.45, 0.45, 0.45), (2.0, 2.0, 2.0)),
        },
        _scree,
    ),
    "soil": (
        {
            "Mottle": 0.22,
            "Wet": 0.5,
            "Roughness": 0.95,
            **_relief(6.0, 0.06, 0.08, 0.0),
            **_close_up(0.4, (0.82, 0.82, 0.82), (1.18, 1.18, 1.18)),
        },
        _soil,
    ),
    "sand": (
        {
            "Mottle": 0.15,
            "Wet": 0.5,
            "Roughness": 0.9,
            **_relief(0.5, 0.03, 0.0, 0.011),
            **_close_up(0.1, (0.9, 0.9, 0.9), (1.1, 1.1, 1.1)),
        },
        _sand,
    ),
    "grass": (
        {
            "Lush Tone": (0.75, 0.92, 0.8, 1.0),
            "Dry Tone": (1.35, 1.15, 1.15, 1.0),
            "Roughness": 0.95,
            **_relief(4.0, 0.03, 0.012, 0.0),
            **_close_up(0.65, (0.68, 0.76, 0.71), (2.9, 2.5, 2.7), litter=1.0),
        },
        _grass,
    ),
    "wood": (
        {
            "Crown": 0.0,
            "Kind": 0.0,
            "Gaps": 1.0,
            "Variety": 1.2,
            "Dark Tone": (0.75, 0.8, 0.8, 1.0),
            "Light Tone": (1.6, 1.48, 1.42, 1.0),
            "Roughness": 0.95,
            **_relief(2.0, 0.07, 0.016, 0.0),
            **_close_up(0.7, (0.65, 0.65, 0.6), (3.3, 2.3, 2.0), litter=1.0),
        },
        _wood,
    ),
    "snow": (
        {
            "Hollow Tone": (0.93, 0.96, 1.0, 1.0),
            "Roughness": 0.75,
            **_relief(4.0, 0.06, 0.0, 0.003),
            **_close_up(0.0, (0.98, 0.98, 0.99), (1.02, 1.02, 1.01)),
        },
        _snow,
    ),
    "ice": (
        {
            "Clear Tone": (0.85, 0.95, 1.0, 1.0),
            "Roughness": 0.35,
            **_relief(3.0, 0.08, 0.0, 0.0),
            **_close_up(0.0, (0.9, 0.92, 0.95), (1.1, 1.08, 1.05)),
        },
        _ice,
    ),
}
assert list(_CLASSES) == list(SURFACES)
