# SPDX-License-Identifier: GPL-3.0-or-later
"""Ledges of the beds of rock on the sides of valleys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...analysis.derivatives import steepness
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, poll
from ...numerics.resample import SplineAxis, blend_columns, blend_rows
from .. import random_fields
from ..rivers.beds import HeightTable, RockBeds
from ..rivers.drainage import Drainage
from ..smoothing import smoothstep

SLOPES = (0.12, 0.35)
"""Slopes at which ledges begin to show, and at which they are full: on gentle slopes they would be
ribbons."""
VALLEY_SIDE = 0.15
"""Height above a river, in valley spacings, at which ledges, gullies and rock are full."""
SHORE = 0.067
"""The same above the sea, for ledges."""
SCREE = 0.3
"""Mean share of the ledges under scree, which varies from place to place."""
CALM = (0.85, 0.45)
"""Shares of the rock and of the gullies that ledges of full contrast lack: both would break them
up."""
FIRM = 2.0
"""Growth of the steepest slope with ledges of full contrast, as a share of it."""


def firmness(beds: RockBeds | None) -> float:
    """Return the factor of the beds on the steepest slope."""
    return 1.0 if beds is None else 1 + FIRM * beds.contrast


@dataclass(frozen=True)
class Ledges:
    """Ledges at some columns of the surface.

    Attributes
    ----------
    moved : Table
        Displacement of the ground in meters, by its height.
    shown : ndarray of float32
        Strength of the ledges, 0 to 1, for the rows of the drainage grid.
    calm : tuple of float
        Shares of the rock and of the gullies that are missing there.
    """

    moved: HeightTable
    shown: Floats
    calm: tuple[float, float]

    @classmethod
    def of(
        cls,
        drainage: Drainage,
        part: tuple[slice, slice],
        columns: SplineAxis,
        seed: int,
        cancelled: Cancel | None,
    ) -> Ledges | None:
        """Return the ledges of a part of the drainage grid, sampled at some columns; None without
        beds."""
        beds = drainage.beds
        if beds is None:
            return None
        shown = blend_columns(_shown(drainage, part, seed, cancelled), columns)
        share = beds.contrast * (2 - beds.contrast)
        return cls(beds.ledges(), shown, (share * CALM[0], share * CALM[1]))

    def rows(
        self, axis: SplineAxis, rock: Floats, gullies: Floats, hardness: Floats | None
    ) -> Floats:
        """Return the strength of the ledges in some rows, where the rock has some ``hardness``;
        rock and gullies there are scaled in place."""
        shown = blend_rows(self.shown, axis)
        if hardness is not None:
            shown *= np.minimum(hardness, np.float32(1))
        for field, part in zip((rock, gullies), self.calm, strict=True):
            field *= np.float32(1) - np.float32(part) * shown
        return shown


def _shown(
    drainage: Drainage, part: tuple[slice, slice], seed: int, cancelled: Cancel | None
) -> Floats:
    """Return float32, 0 to 1: none beside rivers, on gentle terrain and under the sea."""
    unit, cell, height = drainage.unit, drainage.spacing, drainage.height[part]
    torus = drainage.torus
    if torus is None:
        shown = random_fields.smooth_part(part, unit / cell, seed + 211)
    else:
        period = torus.rows, torus.columns
        shown = random_fields.smooth_part(torus.cells(part), unit / cell, seed + 211, period)
    poll(cancelled)
    shown *= np.float32(SCREE)
    shown += np.float32(1 - SCREE)
    np.clip(shown, 0, 1, out=shown)
    shown *= smoothstep(*SLOPES, steepness(height, cell, cell, cancelled))
    poll(cancelled)
    shown *= smoothstep(0.0, VALLEY_SIDE * unit, drainage.above_rivers[part])
    if drainage.sea is not None:
        shown *= smoothstep(drainage.sea, drainage.sea + SHORE * unit, height)
    poll(cancelled)
    return shown
