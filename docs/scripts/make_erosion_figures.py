# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the figures of docs/guide/erosion.md as hillshades.

python docs/scripts/make_erosion_figures.py

Needs NumPy alone; figures go to docs/pictures/ as PNG.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT))

from terrain_addon.core import Recipe, evaluate  # noqa: E402
from terrain_addon.core.output import write_png  # noqa: E402

Gray = NDArray[np.uint8]

SIDE = 400
GAP = 8
MASSIF = [
    {"kind": "fractal_noise", "settings": {"size": 3800.0, "height": 500.0, "octaves": 4}},
    {
        "kind": "fractal_noise",
        "settings": {"seed": 11, "fractal": "ridged", "size": 2900.0, "height": 800.0},
    },
]
PLATEAU = [{"kind": "fractal_noise", "settings": {"size": 2600.0, "height": 90.0, "octaves": 3}}]
CANYON = {
    "type": "plateau",
    "incision": 420.0,
    "valley_spacing": 200.0,
    "talus": 48.0,
    "rounding": 0.1,
    "rock_roughness": 0.15,
    "resolution": "512",
}
ISLAND = [
    {"kind": "fractal_noise", "settings": {"size": 900.0, "height": 420.0, "octaves": 8}},
    {"kind": "falloff", "settings": {"shape": "circle", "depth": 420.0, "wobble": 0.3}},
    {"kind": "levels", "settings": {"input_min": -300.0, "input_max": 300.0,
                                    "output_min": -200.0, "output_max": 400.0}},
]  # fmt: skip
Stack = list[dict[str, Any]]


def erosion(**settings: Any) -> dict[str, Any]:
    return {"kind": "erosion", "settings": settings}


FIGURES: dict[str, tuple[float, bool, list[Stack]]] = {
    "erosion_before_after": (6000.0, False, [MASSIF, [*MASSIF, erosion(rivers=1.0)]]),
    "erosion_steps": (
        3000.0,
        False,
        [
            [*MASSIF, erosion(gully_depth=0.0, rock_roughness=0.0, valley_floor=0.0, fans=0.0)],
            [*MASSIF, erosion(rock_roughness=0.0, valley_floor=0.0, fans=0.0)],
            [*MASSIF, erosion()],
        ],
    ),
    "erosion_age": (
        4000.0,
        False,
        [[*PLATEAU, erosion(**CANYON, age=age)] for age in (0.4, 0.72, 0.95)],
    ),
    "erosion_rock_layers": (
        5000.0,
        False,
        [
            [*MASSIF, erosion()],
            [*MASSIF, erosion(strata_contrast=0.5)],
            [*PLATEAU, erosion(**CANYON, age=0.6, strata_contrast=0.8, strata_thickness=45.0)],
        ],
    ),
    "erosion_glaciers": (
        8000.0,
        False,
        [
            [*MASSIF, erosion(resolution="512", rivers=1.0)],
            [*MASSIF, erosion(resolution="512", rivers=1.0, glaciers=True, snow_line=150.0)],
        ],
    ),
    "erosion_coast": (
        2000.0,
        True,
        [ISLAND, [*ISLAND, erosion(sea=True)], [*ISLAND, erosion(sea=True, sea_rise=12.0)]],
    ),
}
"""Name: extent in meters, whether there is a sea, and the lands side by side."""


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, (size, sea, stacks) in FIGURES.items():
        panels = [panel(stack, size, sea) for stack in stacks]
        gap = np.full((SIDE, GAP), 255, np.uint8)
        row = [part for one in panels for part in (one, gap)][:-1]
        write_png(PICTURES / f"{name}.png", np.concatenate(row, axis=1))
        print(f"{name}.png", flush=True)


def panel(layers: Stack, size: float, sea: bool) -> Gray:
    """Return a hillshade, north up."""
    recipe = Recipe.from_dict({"schema": 1, "size_x": size, "size_y": size, "layers": layers})
    terrain = evaluate(recipe, recipe.pixel_grid(SIDE))
    light = hillshade(terrain.height, terrain.grid.dx)
    if sea:
        light = np.where(terrain.height <= 0, 0.25 + 0.2 * light, light)
    return np.round(255 * light[::-1]).astype(np.uint8)


def hillshade(height: NDArray[np.float32], spacing: float) -> NDArray[np.float64]:
    """Return light from the north-west and a little from the north-east, 0 to 1."""
    gx, gy = (np.gradient(height.astype(np.float64), spacing, axis=axis) for axis in (1, 0))
    light = np.zeros(height.shape)
    for azimuth, altitude, share in ((135.0, 38.0, 0.65), (55.0, 60.0, 0.35)):
        a, e = np.radians(azimuth), np.radians(altitude)
        toward = -gx * np.cos(a) * np.cos(e) - gy * np.sin(a) * np.cos(e) + np.sin(e)
        light += share * np.clip(toward / np.sqrt(1 + gx * gx + gy * gy), 0, 1)
    return light


if __name__ == "__main__":
    main()
