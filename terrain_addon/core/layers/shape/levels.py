# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels: remap heights with a gamma or with a drawn curve."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.curves import Curve, curve_points
from ...settings.params import height_param, param
from ..context import LayerContext
from ..kind import POINT, SHAPE, LayerKind, layer

LEAST_SPAN = 1e-4  # meters
_height = partial(height_param, soft_min=-1000.0, soft_max=5000.0)


@layer(
    "levels",
    "Levels",
    "Remap heights: stretch, bend, clamp or invert them",
    group=SHAPE,
    icon="SEQ_HISTOGRAM",
)
class Levels(LayerKind):
    """Maps heights from an input range to an output range, with a gamma and then with a curve."""

    depends_on = POINT
    heights = ("output_min", "output_max")
    height_settings: ClassVar[Mapping[str, float]] = {
        "input_min": 0.0,
        "input_max": 1.0,
        "output_min": 0.0,
        "output_max": 1.0,
    }

    input_min: float = _height(0.0, "Input Min", "Height that becomes Output Min")
    input_max: float = _height(200.0, "Input Max", "Height that becomes Output Max")
    output_min: float = _height(0.0, "Output Min", "New height of Input Min")
    output_max: float = _height(200.0, "Output Max", "New height of Input Max")
    gamma: float = param(
        1.0,
        "Gamma",
        "Above 1 raises the heights in the middle, below 1 lowers them",
        min=0.05,
        max=20.0,
        soft_min=0.2,
        soft_max=5.0,
    )
    curve: str = param(
        "",
        "Curve",
        "Points from 0 0 to 1 1 of a curve that bends the heights in between, after the gamma",
        unit="curve",
    )
    clamp: bool = param(
        False, "Clamp", "Clamp heights outside of the range instead of extending it linearly"
    )
    invert: bool = param(False, "Invert", "Swap low and high: turn the terrain upside down")

    def __post_init__(self) -> None:
        super().__post_init__()
        curve_points(self.curve)

    def apply(self, context: LayerContext) -> Floats:
        points = curve_points(self.curve)
        curve = Curve.through(points) if points else None
        return context.by_rows(lambda height: self._mapped(height, curve))

    def _mapped(self, height: Floats, curve: Curve | None) -> Floats:
        span = self.input_max - self.input_min
        if abs(span) < LEAST_SPAN:  # no range to stretch: a step
            t = (height >= np.float32(self.input_min)).astype(np.float32)
        else:
            t = (height - np.float32(self.input_min)) * np.float32(1 / span)
        inside = np.clip(t, np.float32(0), np.float32(1))
        beyond = t - inside
        if self.gamma != 1:
            inside **= np.float32(1 / self.gamma)
        if curve:
            inside = curve(inside)
        if not self.clamp:
            inside += beyond
        if self.invert:
            np.subtract(np.float32(1), inside, out=inside)
        inside *= np.float32(self.output_max - self.output_min)
        inside += np.float32(self.output_min)
        return inside
