# SPDX-License-Identifier: GPL-3.0-or-later
"""Verify an export: read its height files back, in meters by the numbers of its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...formats import RawLayout, read
from ...numerics.arrays import Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from ..engines import Engine, Extent

ROUNDING = 1e-3
"""Share of half a step that the rounding of the numbers of the manifest may add."""
FLOAT = 2.0**-23
"""Share of a height by which floats may be off, where the manifest scales them."""


@dataclass(frozen=True)
class Verification:
    """How far files are from the terrain.

    Attributes
    ----------
    error : meters, the largest difference to the heights of the recipe
    half_step : meters, half a step of the numbers in the files; 0 for floats
    files : number of files that were read
    """

    error: float
    half_step: float
    files: int

    @property
    def text(self) -> str:
        """The result in a line."""
        files = "1 height file" if self.files == 1 else f"{self.files} height files"
        if not self.half_step:
            return f"Read back: {files}, off by {self.error:.3g} m at most (floats)"
        return (
            f"Read back: {files}, off by {self.error:.3g} m at most, half a step is "
            f"{self.half_step:.3g} m"
        )


def check_tile(
    path: Path,
    engine: Engine,
    extent: Extent,
    settings: Mapping[str, Any],
    height: Floats,
    cancelled: Cancel | None = None,
) -> float:
    """Measure the largest difference in meters between a height file and the heights of its tile.

    Readers share no code with the writers. OSError if a difference is larger than half a step: the
    disk is damaged.
    """
    nx, ny = extent.sides
    raw = RawLayout(nx, ny, 16, "little", "u", engine.north_first)
    found = read(path, raw if path.suffix in (".r16", ".raw") else None, alone=True).height
    if found.shape != height.shape:
        raise OSError(f"{path.name} has {found.shape[::-1]} samples, not {(nx, ny)}")
    most = 0.0
    for rows in row_bands(height.shape, cancelled):
        stored = found[rows].astype(np.float64)
        meters = stored if extent.is_float else engine.meters(stored, settings)
        most = max(most, float(np.abs(meters - height[rows]).max()))
    allowed = half_step(extent) * (1 + ROUNDING) + 1e-12 * max(abs(extent.low), abs(extent.high))
    if not most <= allowed:
        raise OSError(
            f"{path.name}: what was read back is off by {most:.3g} m, more than {allowed:.3g} m: "
            "the disk may be damaged"
        )
    return most


def half_step(extent: Extent) -> float:
    """Return half the meters between two numbers of a height file; 0 for floats."""
    return 0.0 if extent.is_float else (extent.high - extent.low) / 65535 / 2
