# SPDX-License-Identifier: GPL-3.0-or-later
"""Print how near fits come to elevation data that their search has not seen.

    python docs/scripts/measure_fits.py dem.tif alps eroded_hills

Each search has the first half of the elevation model, along its longer side. Distances are those
from the second half, with seeds that no search uses. Needs neither Blender nor a renderer.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from terrain_addon.command_line.elevation_files import measured
from terrain_addon.core import Recipe, presets
from terrain_addon.core.fitting import FitTarget, fit
from terrain_addon.core.fitting.evaluating import measure_terrain

EVALUATIONS = 888
SEEDS = range(100, 106)


def main(path: str, names: list[str]) -> None:
    """Print one line for each preset."""
    height, spacing = measured(path, None)
    longer = int(height.shape[1] > height.shape[0])
    seen, unseen = map(np.ascontiguousarray, np.array_split(height, 2, axis=longer))
    target, searched = (FitTarget.of(half, spacing) for half in (unseen, seen))
    halves = target.distance([np.append(searched.measures, searched.relief)])
    print(f"{Path(path).name}: {height.shape}, {spacing:.0f} m; halves {halves:.2f} apart")
    for name in names:
        begun = time.process_time()
        found = fit(presets.load(name), seen, spacing, seconds=None, evaluations=EVALUATIONS)
        spent = time.process_time() - begun
        before, after = (_unseen(target, one.recipe) for one in (found.start, found.best[0]))
        print(
            f"{name:16}{before:6.2f}{after:6.2f}   "
            f"{found.evaluations} terrains, {spent:.0f} s of processor time",
            flush=True,
        )


def _unseen(target: FitTarget, recipe: Recipe) -> float:
    return target.distance([measure_terrain((recipe, seed), target.grid) for seed in SEEDS])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
