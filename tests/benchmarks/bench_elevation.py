# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a large elevation file: processor time, and memory."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import tifffile

from terrain_addon.core import FractalNoise, Layer, Recipe, evaluate, formats
from tests.benchmarks.memory import peak
from tests.benchmarks.timing import Jobs, Row, Tables, aim, compare

SAMPLES = 3600
OURS, PEER = "formats.read", "tifffile with imagecodecs (C)"
LIMIT_MS, LIMIT_MIB = 2000, 200


def tables() -> Tables:
    """All tables of this benchmark."""
    recipe = Recipe(layers=(Layer.of(FractalNoise(octaves=10)),))
    height = evaluate(recipe, recipe.grid(SAMPLES), fields=()).height
    found: Tables = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, predictor in (("without a predictor", 1), ("predictor 3", 3)):
            path = Path(folder, f"{predictor}.tif")
            tifffile.imwrite(path, height, compression="zlib", predictor=predictor, rowsperstrip=64)
            title = (
                f"Read a GeoTIFF, {SAMPLES} x {SAMPLES} float32, Deflate, {name}: processor time"
            )
            found[title] = _times(path, height)
    return found


def _times(path: Path, height: np.ndarray) -> list[Row]:
    """Times of readers, and the peak of the memory of ours with the heights."""
    assert np.array_equal(formats.read(path).height[::-1], height)
    jobs: Jobs = {PEER: lambda: tifffile.imread(path), OURS: lambda: formats.read(path)}
    rows = compare(PEER, jobs, rounds=3, clock=time.process_time)
    aim(rows, OURS, LIMIT_MS)
    used, size = peak(lambda: formats.read(path)), height.nbytes
    rows.append(Row("memory of formats.read", used / 2**20, used / size, "its heights", "MiB"))
    aim(rows, "memory of formats.read", LIMIT_MIB)
    return rows
