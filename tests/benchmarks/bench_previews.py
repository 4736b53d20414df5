# SPDX-License-Identifier: GPL-3.0-or-later
"""How near previews come to the results they announce, on all presets with erosion.

The measure is the RMS difference between preview and result, over that between the terrain before
the change and the result: a preview at 1 shows no more than the old picture does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from terrain_addon.core import Cache, Erosion, Layer, Recipe, evaluate, presets
from terrain_addon.core.evaluation import (
    HELD,
    NONE,
    Shown,
    coarse_preview,
    held_preview,
    preview_kind,
)
from terrain_addon.core.settings import settings_of
from tests.benchmarks.timing import Row, Tables, aim

FINE, COARSE = 513, 257
SEEDS = 10
LIMIT = 0.8
STEPS = (1.1, 1.2)
"""Factors of a change. The second is for the settings whose drainage is guessed then."""
BELOW = ("height", "opacity")
"""Settings of the layers below."""
PRESETS = Path(presets.__file__).parents[2] / "presets"


def tables() -> Tables:
    """All tables of this benchmark."""
    worst: dict[str, tuple[float, str]] = {}
    for name, recipe in eroded():
        for seed in range(SEEDS):
            of_seed = dataclasses.replace(recipe, seed=recipe.seed + seed)
            for change, ratio in ratios(of_seed):
                worst[change] = max(worst.get(change, (0.0, "")), (ratio, name))
        of_preset = [(ratio, change) for change, (ratio, of) in worst.items() if of == name]
        print(f"{name}: {sorted(of_preset)[-3:]}", flush=True)
    unit = f"the allowed {LIMIT:g}"
    rows: list[Row] = []
    for change, (ratio, name) in worst.items():
        title = f"{change} ({name})"
        rows.append(Row(title, ratio, ratio / LIMIT, unit, "largest ratio"))
        aim(rows, title, LIMIT)
    title = f"Previews of erosion, {FINE} x {FINE} points, all eroded presets, {SEEDS} seeds"
    return {title: rows}


def eroded() -> Iterator[tuple[str, Recipe]]:
    """Names and recipes of the presets with erosion."""
    for path in sorted(PRESETS.glob("*.json")):
        recipe = presets.load(path.stem)
        if any(isinstance(layer.settings, Erosion) for layer in recipe.active):
            yield path.stem, recipe


def ratios(recipe: Recipe) -> Iterator[tuple[str, float]]:
    """The measure of each change of a terrain that has a preview."""
    known, coarse = Cache(), recipe.grid(COARSE)
    last = Shown(recipe, evaluate(recipe, recipe.grid(FINE), cache=known, fields=()))
    evaluate(recipe, coarse, cache=known, fields=())
    for name, changed in changes(recipe):
        cache = Cache(below=known)
        if preview_kind(recipe, changed) == NONE:
            continue
        preview = held_preview(changed, coarse, last, cache)
        preview = preview or coarse_preview(changed, coarse, last, cache)
        result = evaluate(changed, recipe.grid(FINE), cache=cache, fields=())
        assert preview is not None
        before = _rms(last.terrain.height - result.height)
        if before > 0:
            yield name, _rms(preview.height - result.height) / before


def changes(recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
    """Recipes in which one setting differs, by the name of the setting."""
    for n, layer in enumerate(recipe.layers):
        if not layer.on:
            continue
        erosion = isinstance(layer.settings, Erosion)
        for name in (*_numbers(layer.settings), "opacity"):
            if not erosion and name not in BELOW:
                continue
            for factor in STEPS:
                changed = dataclasses.replace(
                    recipe,
                    layers=(
                        *recipe.layers[:n],
                        _stepped(layer, name, factor),
                        *recipe.layers[n + 1 :],
                    ),
                )
                held = preview_kind(recipe, changed) == HELD
                if held or factor == STEPS[0]:
                    how = ", guessed" if held else ""
                    yield f"{name if erosion else f'{name} of a layer below'}{how}", changed


def _numbers(settings: Any) -> Iterator[str]:
    """Names of the settings of a layer that a drag changes and that have an effect."""
    known = {one.name: one for one in settings_of(type(settings))}
    for name, one in known.items():
        if one.kind in ("float", "int") and name != "seed" and one.has_effect(settings, known):
            yield name


def _stepped(layer: Layer, name: str, factor: float) -> Layer:
    """A layer with one setting multiplied, or divided where it cannot be more."""
    if name == "opacity":
        return dataclasses.replace(layer, opacity=layer.opacity / factor)
    (one,) = (one for one in settings_of(type(layer.settings)) if one.name == name)
    value = getattr(layer.settings, name)
    if one.kind == "int":
        new = value + 1 if one.max is None or value < one.max else value - 1
    elif not value:
        new = (factor - 1) * (one.soft_max or one.max or 1.0)
    else:
        new = value * factor if one.max is None or value * factor <= one.max else value / factor
    return dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, **{name: new}))


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))
