# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of the kinds of layers that the menu shows.

    python docs/scripts/make_layer_pictures.py                 all of them
    python docs/scripts/make_layer_pictures.py dunes erosion   only these

Needs Pillow, but neither Blender nor a renderer. Writes a small PNG file (CC0) for each kind.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

from example_nodes import columns  # noqa: E402

from terrain_addon.core import Group, Palette, Recipe, Region, Shape, presets  # noqa: E402
from terrain_addon.core.layers import LAYERS, SHAPE, LayerKind  # noqa: E402
from terrain_addon.core.output import terrain_picture  # noqa: E402
from terrain_addon.core.settings import settings_of  # noqa: E402
from terrain_addon.core.shapes import AREA  # noqa: E402
from terrain_addon.core.shapes.shape import CLOSED, FACE  # noqa: E402

FOLDER = ROOT / "terrain_addon" / "blender" / "data" / "layer_pictures"
SIDE = 96
COLORS = 128
"""In a file, which is then a third as large."""
CURVE = "Curve"
LINE = [(-520, -200, 0), (-230, -70, 0), (40, -150, 0), (250, 70, 0), (520, 130, 0)]
SHORE = [(-230, 10, 0), (-90, -110, 0), (90, -120, 0), (170, -10, 0), (60, 90, 0), (-120, 120, 0)]
HALF = [(30, -600, 0), (600, -600, 0), (600, 600, 0), (-30, 600, 0)]
"""The part of the terrain where some layers act, so that one sees the ground without them too."""
HILLS = {"seed": 4, "size": 620.0, "height": 230.0, "octaves": 7}
RELIEF = {"seed": 4, "size": 420.0, "height": 260.0, "octaves": 9, "gain": 0.55}
PLAIN = [
    {"name": "Low", "start": 0.0, "color": "#7A7F62"},
    {"name": "High", "start": 0.8, "color": "#DDD6C6"},
]
EROSION = {"kind": "erosion", "settings": {"valley_spacing": 150.0, "resolution": "512"}}
SETTINGS: Mapping[str, dict[str, Any]] = {
    "erosion": EROSION["settings"],
    "falloff": {"shape": "circle", "depth": 320.0, "wobble": 0.4},
    "from_nodes": {"nodes": "Columns", "stored": columns()},
    "gullies": {"scale": 150.0, "depth": 60.0, "slope_start": 2.0},
    "hills": {"height": 60.0},
    "lake": {"depth": 40.0, "reach": 300.0},
    "levels": {
        "input_min": -40.0,
        "input_max": 50.0,
        "output_min": 0.0,
        "output_max": 110.0,
        "clamp": True,
    },
    "pad": {"follow": "number", "elevation": 90.0, "margin": 40.0, "reach": 140.0},
    "lava_flows": {"length": 900.0, "width": 130.0, "thickness": 16.0, "flows": 4, "spread": 60.0},
    "range": {"height": 320.0},
    "river": {"width": 40.0, "depth": 8.0, "floor": 20.0, "inflow": 60.0},
    "road": {"width": 40.0, "shoulder": 8.0, "gradient": 0.12, "smooth": 120.0, "reach": 120.0},
    "smooth": {"radius": 90.0},
    "snow": {"line": 10.0, "depth": 4.0},
    "thermal_erosion": {"talus": 26.0, "distance": 160.0},
}
"""Settings that show a kind of layer better than its defaults."""
IN_PART = ("group", "gullies", "levels", "smooth", "terrace", "thermal_erosion")
GROUND = {
    "group": HILLS | {"octaves": 3},
    "lava_flows": HILLS | {"octaves": 3},
    "gullies": HILLS | {"octaves": 3},
    "thermal_erosion": RELIEF,
    "smooth": RELIEF,
}
SHOWN = {
    "lake": Region(based_on="lake_depth", color="#1F5E8C", low=9.0, high=10.0),
    "lava_flows": Region(based_on="lava", color="#2A2827", low=0.1, high=0.3),
    "river": Region(based_on="flow", color="#2F7FB5", low=0.25, high=0.3),
    "road": Region(based_on="road", color="#D8B98A", low=0.2, high=0.5),
}
"""Fields that layers produce, in colors that can be seen at this size."""
HILL = {"height": 150.0, "radius": 170.0}
STAMPS = [
    {"kind": "volcano", "settings": {"center_x": x, "center_y": y, **HILL}}
    for x, y in ((-230, -150), (220, -60), (-60, 260))
]


def main(wanted: list[str]) -> None:
    """Draw the named pictures, or all."""
    for key in LAYERS:
        if not wanted or key in wanted:
            picture = Image.fromarray(terrain_picture(recipe_of(key), SIDE))
            few = picture.quantize(
                COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
            )
            few.save(FOLDER / f"{key}.png", optimize=True)
            print(key, flush=True)


def recipe_of(key: str) -> Recipe:
    """Return a recipe that shows one kind of layer."""
    if key == "height_map":
        return dataclasses.replace(presets.load("alps"), palette=_palette(()))
    below = [{"kind": "fractal_noise", "settings": GROUND.get(key, HILLS)}]
    kind = LAYERS[key]
    if kind.group != SHAPE or key == "stamp":
        below = []
    layers = STAMPS if key == "stamp" else [_layer(kind)]
    above = [EROSION] if key == "river" else []  # which makes its valley
    recipe = Recipe.from_dict({"layers": [*below, *layers, *above], "material": "simple"})
    shapes = (_shape(kind), Shape.of("Half", [HALF], CLOSED))
    colored = _palette([SHOWN[key]] if key in SHOWN else [])
    own = recipe.layers[len(below)].settings.colored_fields() if key == "snow" else {}
    water = dataclasses.replace(recipe.water, show=key == "coast")
    return dataclasses.replace(recipe, palette=colored.with_fields(own), shapes=shapes, water=water)


def _layer(kind: type[LayerKind]) -> dict[str, Any]:
    follows = {one.name: CURVE for one in settings_of(kind) if one.unit == "shape"}
    made: dict[str, Any] = {"kind": kind.key, "settings": SETTINGS.get(kind.key, {}) | follows}
    if kind.key in IN_PART:
        made["masks"] = {"inside_shape": {"source": "Half"}}
    if kind is Group:
        made["layers"] = [
            {"kind": "terrace", "settings": {"step": 60.0}},
            {"kind": "hills", "settings": {"height": 60.0}},
        ]
    return made


def _shape(kind: type[LayerKind]) -> Shape:
    """Return the line, the area or the faces that a layer follows."""
    if kind.key == "project_mesh":
        return _rock()
    if kind.drawn == AREA or kind.key == "pad":
        return Shape.of(CURVE, [SHORE], CLOSED)
    return Shape.of(CURVE, [LINE])


def _rock() -> Shape:
    """Return the faces of a rock: four rings of corners around a top."""
    rings = [
        [
            (
                reach * (1 + 0.25 * math.sin(3 * turn) + 0.12 * math.cos(5 * turn + height)) * x,
                reach * (1 + 0.25 * math.sin(3 * turn) + 0.12 * math.cos(5 * turn + height)) * y,
                height,
            )
            for turn, x, y in ((t, math.cos(t), math.sin(t)) for t in np.arange(9) * math.tau / 9)
        ]
        for reach, height in ((330, -60), (290, 190), (170, 330), (60, 390))
    ]
    faces = [rings[-1]]
    for low, high in itertools.pairwise(rings):
        faces += [[low[n - 1], low[n], high[n], high[n - 1]] for n in range(9)]
    return Shape.of(CURVE, faces, FACE)


def _palette(regions: Any) -> Any:
    plain = [Region.from_dict(one, "regions") for one in PLAIN]
    return Palette(blend=1.0, regions=(*plain, *regions))


if __name__ == "__main__":
    main(sys.argv[1:])
