# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the figures of docs/guide/from-ant.md: python docs/scripts/make_ant_figures.py

Needs only NumPy. Writes two sheets of hillshades to docs/pictures/ as PNG. The layers below are
those that the page names: tests/documentation/test_from_ant.py compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

from make_noise_figures import PICTURES, SIDE, Gray, sheet  # noqa: E402

from terrain_addon.core import Layer, Recipe, evaluate  # noqa: E402
from terrain_addon.core.layers import LAYERS  # noqa: E402
from terrain_addon.core.output import write_png  # noqa: E402

EXTENT, SIZE = 1000.0, 250.0
"""Meters: of the terrain and of its features."""


def step(kind: str, blend: str = "", **settings: Any) -> Layer:
    """Return a layer with features of the usual size."""
    settings = {"size": SIZE, **settings} if kind == "fractal_noise" else settings
    return Layer.of(LAYERS[kind](**settings), **({"blend": blend} if blend else {}))


def noise(fractal: str, blend: str = "", **settings: Any) -> Layer:
    return step("fractal_noise", blend, fractal=fractal, **settings)


def clamped(low: float, high: float, **settings: Any) -> Layer:
    """Return a layer that clamps the heights below and above."""
    limits = {"input_min": low, "input_max": high, "output_min": 0.0, "output_max": high - low}
    return step("levels", **limits, clamp=True, **settings)


BENT = {"warp_amount": 80.0, "warp_size": SIZE, "warp_octaves": 1}
SWIRLED = {"warp_amount": 200.0, "warp_size": SIZE, "warp_octaves": 4}

NOISE_TYPES: Mapping[str, Sequence[Layer]] = {
    "Multi Fractal": [noise("multifractal")],
    "Ridged MFractal": [noise("ridged_multifractal")],
    "Hybrid MFractal": [noise("hybrid_multifractal")],
    "Hetero Terrain": [noise("hetero_terrain")],
    "fBm Fractal": [noise("fbm")],
    "Turbulence": [noise("billow")],
    "Distorted Noise": [noise("none", **BENT)],
    "Marble": [step("waves", size=120.0, rotation=45.0, **{**BENT, "warp_octaves": 4})],
    "Shattered hTerrain": [
        noise("hetero_terrain", size=SIZE / 2),
        step("plates", "multiply", size=SIZE / 2, height=1.0, variation=0.5, bevel=0.3),
    ],
    "Strata hTerrain": [noise("hetero_terrain"), step("terrace", step=4.0, sharpness=0.7)],
    "Another Noise": [noise("fbm", basis="cellular", octaves=2, size=SIZE / 2, **SWIRLED)],
    "vlNoise turbulence": [noise("fbm", octaves=5, warp_amount=150.0, warp_size=SIZE)],
    "vlNoise hTerrain": [noise("hetero_terrain"), noise("none", "multiply", height=1.0, **SWIRLED)],
    "Distorted hTerrain": [noise("hetero_terrain", **{**BENT, "warp_amount": 250.0})],
    "Double MultiFractal": [
        noise("multifractal", octaves=1, size=SIZE / 1.5, height=60.0),
        noise("multifractal", seed=1),
    ],
    "Noise Rocks": [
        step("plates", size=SIZE, variation=0.3, bevel=1.0, height=120.0, **BENT),
        noise("fbm", height=40.0),
    ],
    "Slick Rock": [
        noise("multifractal", octaves=2),
        noise("ridged_multifractal", "multiply", height=1.0, **BENT),
    ],
    "Planet Noise": [noise("swiss")],
}
EFFECTS: Mapping[str, Sequence[Layer]] = {
    "Gradient": [step("waves", size=600.0, rotation=45.0)],
    "Waves": [step("waves", pattern="bumps", size=SIZE)],
    "Zigzag": [step("waves", pattern="zigzag", size=SIZE)],
    "Wavy": [
        step("waves", size=SIZE * 0.7, rotation=-45.0),
        step("waves", size=SIZE * 0.35, rotation=45.0, height=6.0),
        step("waves", size=SIZE * 1.5),
    ],
    "Bump": [step("waves", pattern="bumps", size=SIZE, height=-15.0)],
    "Dots": [step("waves", pattern="dots", size=SIZE / 2), clamped(5.0, 15.0)],
    "Rings": [step("rings", size=SIZE / 2)],
    "Spiral": [step("waves", pattern="spiral", size=SIZE / 2)],
    "Square": [step("rings", squareness=1.0, size=SIZE / 2)],
    "Blocks": [step("waves", pattern="blocks", profile="steps", size=SIZE)],
    "Grid": [step("cracks", jitter=0.0, width=0.2, raised=True, size=SIZE)],
    "Tech": [
        step("waves", pattern="grid", profile="steps", size=SIZE),
        step("waves", "min", pattern="grid", profile="steps", size=SIZE / 2, center_x=80.0,
             center_y=80.0),
    ],
    "Crackle": [step("cracks", size=SIZE / 2, width=0.6, **{**BENT, "warp_amount": 25.0})],
    "Cracks": [noise("billow", octaves=1, size=SIZE / 2), clamped(-100.0, -60.0)],
    "Rock": [step("plates", size=SIZE / 2, variation=0.0, bevel=0.5)],
    "Lunar": [step("craters", size=SIZE / 2, octaves=2, density=1.0)],
    "Cosine": [noise("ping_pong", octaves=1, size=SIZE / 2)],
    "Spikey": [noise("fbm"), step("levels", input_min=-100.0, input_max=100.0, gamma=0.1)],
    "Stone": [noise("none", size=SIZE / 2)],
    "Flat Turb": [noise("fbm"), clamped(0.0, 12.0)],
    "Flat Voronoi": [
        noise("none", basis="cellular", size=SIZE / 2, distance_function="euclidean"),
        clamped(-70.0, -20.0, invert=True),
    ],
}  # fmt: skip


def main() -> None:
    """Draw both sheets."""
    for name, terrains in (("ant_noise_types", NOISE_TYPES), ("ant_effects", EFFECTS)):
        write_png(PICTURES / f"{name}.png", sheet([picture(one) for one in terrains.values()], 7))


def picture(layers: Sequence[Layer]) -> Gray:
    """Return a hillshade of those layers, lit from the upper left, Y upwards."""
    recipe = Recipe(seed=5, size_x=EXTENT, size_y=EXTENT, layers=tuple(layers))
    slope_y, slope_x = np.gradient(evaluate(recipe, recipe.grid(SIDE)).height)
    # Flat ground is gray. All terrains are scaled to about the same ruggedness, to compare forms.
    rugged = np.percentile(np.hypot(slope_x, slope_y), 95) / 0.8
    slope_x, slope_y = slope_x / rugged, slope_y / rugged
    light = (0.7 + (slope_x - slope_y) / 2) / np.sqrt(1 + slope_x**2 + slope_y**2)
    return (np.clip(0.1 + 0.8 * light, 0, 1)[::-1] * 255).astype(np.uint8)


if __name__ == "__main__":
    main()
