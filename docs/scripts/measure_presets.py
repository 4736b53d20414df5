# SPDX-License-Identifier: GPL-3.0-or-later
"""Print how many of the measures of realism presets meet, on seeds not used for tuning.

    python docs/scripts/measure_presets.py                 alps, badlands and dry_wash
    python docs/scripts/measure_presets.py fjords island   these

Ten seeds at 400 and at 512 samples: the fifteen measures of forms, and the six of grain. Needs
neither Blender nor a renderer.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from terrain_addon.core import Recipe, evaluate, presets, realism
from terrain_addon.core.analysis.realism.definitions import FORMS, GRAIN

SEEDS = range(100, 110)
TUNED = ("alps", "badlands", "dry_wash")


def main(names: list[str]) -> None:
    """Print one line for each preset and number of samples."""
    print(f"{'preset':16}{'samples':>8}{'median':>8}{'worst':>7}{'grain':>7}{'worst':>7}   missed")
    for name in names or TUNED:
        for samples in (400, 512):
            forms, grain, missed = measured(presets.load(name), samples)
            often = ", ".join(f"{key} {times}" for key, times in missed.most_common())
            figures = f"{median(forms):8g}{min(forms):7}{median(grain):7g}{min(grain):7}"
            print(f"{name:16}{samples:8}{figures}   {often}", flush=True)


def measured(recipe: Recipe, samples: int) -> tuple[list[int], list[int], Counter[str]]:
    """Return the measures of forms and of grain within the range of real terrain for each seed, and
    how often each is missed."""
    forms: list[int] = []
    grain: list[int] = []
    missed: Counter[str] = Counter()
    for seed in SEEDS:
        grid = recipe.pixel_grid(samples)
        height = evaluate(dataclasses.replace(recipe, seed=seed), grid).height
        measures = realism.measure(height, grid.dx)
        forms.append(sum(one.inside for one in measures if one.key in FORMS))
        grain.append(sum(one.inside for one in measures if one.key in GRAIN))
        missed.update(one.key for one in measures if not one.inside)
    return forms, grain, missed


if __name__ == "__main__":
    main(sys.argv[1:])
