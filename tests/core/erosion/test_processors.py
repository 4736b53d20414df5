# SPDX-License-Identifier: GPL-3.0-or-later
"""The drainage is the same whatever instructions the processor has."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

try:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
except ImportError:  # NumPy 1
    from numpy.core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[3]
USED = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
CHILD = """
import sys
import numpy as np
from terrain_addon.core import evaluate, presets
for name in sys.argv[2:]:
    recipe = presets.load(name)
    np.save(f"{sys.argv[1]}/{name}.npy", evaluate(recipe, recipe.grid(33), fields=()).height)
"""
# The rivers of both took other courses when powers were computed in float32.
PRESETS = ("fjords", "canyon")


@pytest.mark.slow
@pytest.mark.skipif(not USED, reason="this processor has no instructions that NumPy can do without")
def test_a_processor_with_fewer_instructions_makes_the_same_terrain(tmp_path):
    results = []
    for number, disabled in enumerate(("", " ".join(USED))):
        folder = tmp_path / str(number)
        folder.mkdir()
        env = {**os.environ, "NPY_DISABLE_CPU_FEATURES": disabled, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", CHILD, str(folder), *PRESETS]
        subprocess.run(command, env=env, check=True, timeout=120)
        results.append([np.load(folder / f"{name}.npy") for name in PRESETS])
    for name, here, there in zip(PRESETS, *results, strict=True):
        assert np.abs(here - there).max() <= 1e-5 * np.ptp(here), name
