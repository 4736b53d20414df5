# SPDX-License-Identifier: GPL-3.0-or-later
"""Record recipes and their terrain: every kind of layer and mask, and every preset.

A file in `recorded/` holds recipes as JSON and their heights at 17 x 17 points. Later versions must
read each recipe and make the same terrain. Files are written once, at the latest before a release:

    python -m tests.schema.golden            write the files that are missing
    python -m tests.schema.golden --check    fail if files are missing
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from terrain_addon.core import Layer, Map, Recipe, Shape, evaluate, presets
from terrain_addon.core.layers import LAYERS, MASKS, packed
from terrain_addon.core.recipe import grouped
from terrain_addon.core.settings import Setting, Settings, settings_of
from terrain_addon.core.shapes import CLOSED

RECORDED = Path(__file__).parent / "recorded"
POINTS = 17
SIZE = {"size_x": 1000.0, "size_y": 800.0}
PAINTED = "Painted"
DRAWN = "Drawn"


def cases() -> Iterator[tuple[str, list[Recipe]]]:
    """Yield the path of each file below `RECORDED`, and the recipes in it."""
    ground = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))
    for key, kind in LAYERS.items():
        layers = [Layer.of(kind()), Layer.of(changed(kind))]
        recipes = [Recipe(seed=2, layers=(ground, layer), **SIZE) for layer in layers]
        yield f"layers/{key}.json", recipes
    for key, kind in MASKS.items():
        raised = LAYERS["ramp"](height=100.0)
        layers = [Layer.of(raised, masks=(mask,)) for mask in (kind(), changed(kind))]
        recipes = [Recipe(seed=2, layers=(ground, layer), **SIZE) for layer in layers]
        yield f"masks/{key}.json", recipes
    for name in presets.names():
        yield f"presets/{name}.json", [presets.load(name)]
    yield "added/valleys.json", [_valleys(kind) for kind in ("uplift", "plateau")]
    yield "added/glaciers.json", [_glaciers(start) for start in (0.0, 40.0)]
    yield "added/groups.json", [_groups(ground)]
    yield "added/field_radius.json", [_within(name, ground) for name in ("ridge", "sky_view")]
    yield "added/seamless.json", [_seamless(kind) for kind in ("uplift", "plateau", "keep")]


def _valleys(kind: str) -> Recipe:
    """Return a recipe with small valleys, whose number sets the River Detail."""
    hills = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))
    rivers = LAYERS["erosion"](type=kind, valley_spacing=45.0, resolution="auto", fans=1.0)
    return Recipe(seed=2, size_x=2000.0, size_y=1500.0, layers=(hills, Layer.of(rivers)))


def _groups(ground: Layer) -> Recipe:
    """Return a recipe with a group within a group, both with masks."""
    terraces = grouped([LAYERS["terrace"]()], masks=(MASKS["slope"](),), name="Steps")
    hills = LAYERS["hills"](height=30.0)
    outer = grouped([hills, *terraces], masks=(MASKS["height"](high=80.0),), opacity=0.8)
    return Recipe(seed=2, layers=(ground, *outer, LAYERS["smooth"]()), **SIZE)


def _glaciers(snow_line: float) -> Recipe:
    """Return a recipe with glaciers above a snow line; 0 for an automatic one."""
    mountains = Layer.of(LAYERS["fractal_noise"](octaves=4, height=300.0, size=900.0))
    ice = LAYERS["erosion"](valley_spacing=150.0, glaciers=True, snow_line=snow_line)
    return Recipe(seed=2, layers=(mountains, Layer.of(ice)), **SIZE)


def _seamless(kind: str) -> Recipe:
    """Return a recipe whose rivers cross its borders."""
    hills = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))
    layers = (hills, Layer.of(LAYERS["erosion"](type=kind)), Layer.of(LAYERS["strata"]()))
    return Recipe(seed=2, layers=layers, seamless=True, **SIZE)


def _within(field: str, ground: Layer) -> Recipe:
    """Return a recipe with a mask by a field of some radius."""
    mask = MASKS["field"](field=field, low=0.2, high=1.0, fade=0.4)
    raised = Layer.of(LAYERS["ramp"](height=100.0), masks=(mask,))
    return Recipe(seed=2, field_radius=80.0, layers=(ground, raised), **SIZE)


def recorded(preset: str) -> Recipe:
    """Return the recipe of a preset as it was recorded first, also of one that is gone."""
    [case] = json.loads((RECORDED / f"presets/{preset}.json").read_text(encoding="utf-8"))
    return Recipe.from_dict(case["recipe"])


def changed(kind: type[Settings]) -> Any:
    """Return settings of a kind, all of which differ from their defaults."""
    return kind(**{setting.name: _other(setting) for setting in settings_of(kind)})


def _other(setting: Setting) -> Any:
    """Return a value near the default, but another."""
    if setting.kind == "bool":
        return not setting.default
    if setting.kind == "choice":
        keys = [choice.key for choice in setting.choices]
        return keys[(keys.index(setting.default) + 1) % len(keys)]
    if setting.kind == "color":
        return "#123456"
    if setting.kind == "text":
        texts = {"map": PAINTED, "shape": DRAWN, "curve": "0 0, 0.3 0.6, 1 1"}
        texts["grid"] = packed(np.array([[0.2, 0.9, 0.4], [0.6, 0.1, 1.0]], np.float32), "golden")
        return texts.get(setting.unit, "Another")
    if setting.unit == "m" and not setting.default:
        return 50.0
    value = setting.default + 1 if setting.kind == "int" else setting.default * 1.25 + 0.1
    if setting.max is not None and value > setting.max:
        value = setting.default - 1 if setting.kind == "int" else setting.default * 0.75 - 0.1
    return value


def heights(recipe: Recipe) -> Any:
    """Return the heights of a recipe, (17, 17) float32 in meters, with a map where it names one."""
    maps = tuple(Map(name, _painted()) for name in recipe.map_names)
    shapes = tuple(_drawn(name) for name in recipe.shape_names)
    recipe = dataclasses.replace(recipe, maps=maps, shapes=shapes)
    return evaluate(recipe, recipe.grid((POINTS, POINTS))).height


def _drawn(name: str) -> Shape:
    """Return a closed line with corners, heights and radii."""
    corners = [(-200, -90, 20, 1), (150, -120, 60, 2), (180, 110, 40, 1), (-40, 60, 0, 0.5)]
    return Shape.of(name, [corners], CLOSED)


def _painted() -> Any:
    """Return a map of 9 x 9 values from 0 to 1."""
    x = np.linspace(0, 1, 9, dtype=np.float32)
    return np.ascontiguousarray((x[:, None] + 2 * x) / 3)


def record(recipes: list[Recipe]) -> str:
    """Return recipes and their heights as JSON, one line for each recipe and row of heights."""
    entries = []
    for recipe in recipes:
        rows = [[float(f"{z:.8g}") for z in row] for row in heights(recipe)]
        lines = ",\n".join(json.dumps(row) for row in rows)
        entries.append(f'{{"recipe": {json.dumps(recipe.to_dict())},\n"heights": [\n{lines}]}}')
    return "[\n" + ",\n".join(entries) + "\n]\n"


def main() -> int:
    """Write the missing files, or with --check only list them; return the exit code."""
    missing = [(name, recipes) for name, recipes in cases() if not (RECORDED / name).exists()]
    for name, recipes in missing:
        print(name)
        if "--check" not in sys.argv:
            (RECORDED / name).parent.mkdir(parents=True, exist_ok=True)
            (RECORDED / name).write_text(record(recipes), encoding="utf-8")
    return 1 if missing and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
