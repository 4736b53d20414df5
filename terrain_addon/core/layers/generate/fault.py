# SPDX-License-Identifier: GPL-3.0-or-later
"""A fault: the ground on one side of a curve lowered."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.grid import Grid
from ...settings.params import NOT_ZERO, factor_param, height_param, param, seed_param, size_param
from ..context import LayerContext
from ..kind import BEFORE_EROSION, NEARBY, LayerKind, layer
from ._drawn_line import DrawnLine, bands, bumps, divided, left_share, lines_of

STEEPEST = 89.9
LEAST_WIDTH = 1e-6
RAGGED = 0.25
"""Largest shift of the scarp, as a share of the size of the noise."""


@layer("fault", "Fault", "A cliff along a curve: one side of it is lowered", icon="IPO_CIRC")
class Fault(LayerKind):
    """Lowers the right side of a curve by ``throw``, with a scarp of an angle along it.

    The upper half of the scarp has the angle, its foot is rounded. The throw falls toward the open
    ends of the curve, and the lowered ground rises back over ``reach``. Several faults add up.
    Faces of meshes make no fault.
    """

    belongs = BEFORE_EROSION
    line_color = (0.8, 0.02, 0.02)
    depends_on = NEARBY  # grids agree but for rounding
    heights = ("throw",)
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No shape yet: flat"}

    source: str = param(
        "",
        "Shape",
        "Curve or collection of curves; the side on the right as the curve is drawn is lowered",
        unit="shape",
    )
    throw: float = height_param(60.0, "Throw", "How far the side is lowered")
    angle: float = param(
        55.0, "Angle", "Slope of the scarp; 90 makes a wall", unit="deg", min=1.0, max=90.0
    )
    reach: float = size_param(
        400.0, "Reach", "Distance from the curve over which the lowered ground rises back"
    )
    taper: float = factor_param(
        0.4, "Ends", "Share of the curve over which the throw falls to either end", max=0.5
    )
    roughness: float = factor_param(
        0.4, "Roughness", "Strength of the noise that makes the scarp ragged"
    )
    size: float = size_param(
        120.0, "Size", "Size of the largest bays of the scarp", shown_if=("roughness", NOT_ZERO)
    )
    seed: int = seed_param("Seed of the roughness", shown_if=("roughness", NOT_ZERO))

    @property
    def reads_shape_heights(self) -> bool:
        return False

    def apply(self, context: LayerContext) -> Floats:
        faults = [
            self._fault(*one) for one in lines_of(context.shape_named(self.source), self.reach)
        ]
        out = context.zeros()
        shift = self._noise(context) if faults and self.roughness else None
        for rows, band in bands(context):
            for fault in faults:
                self._lower(out[rows], None if shift is None else shift[rows], fault, band, context)
        return out

    def _fault(self, points: Doubles, closed: bool) -> DrawnLine:
        """Return a line with the share of the throw around it."""
        every, shares = divided(points, 0.0 if closed else self.taper, 0.0)
        return DrawnLine.of(points, closed, every[:, :2], shares[:, None], self.reach)

    def _noise(self, context: LayerContext) -> Floats:
        """Return meters by which the scarp lies farther from the curve, 0 or more."""
        shift = bumps(context, self.size, self.seed)
        np.maximum(shift, 0, out=shift)
        shift *= np.float32(self.roughness * RAGGED * self.size)
        return shift

    def _lower(
        self, out: Floats, shift: Floats | None, fault: DrawnLine, grid: Grid, context: LayerContext
    ) -> None:
        """Lower heights by those of one fault."""
        around = fault.around(grid, context.cancelled)
        if around is None:
            return
        where, found, (share,) = around
        throw = self.throw * share * share  # smooth at the ends
        width = np.abs(throw) / math.tan(math.radians(min(self.angle, STEEPEST)))
        away = np.minimum(found.distance, self.reach)
        near = away if shift is None else np.maximum(away - shift[where], 0)
        fall = _scarp(near / np.maximum(width, LEAST_WIDTH))
        back = 1 - away / self.reach
        fall *= back * back * (3 - 2 * back) * (1 - left_share(found))
        out[where] -= throw * fall


def _scarp(x: Doubles) -> Doubles:
    """Return the rise from 0 at 0 to 1 at 1.5: straight up to 0.5, then rounded."""
    rest = np.clip(1.5 - x, 0, 1)
    return np.where(x < 0.5, x, 1 - rest * rest / 2)
