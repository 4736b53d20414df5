# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by a painted map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import by_bands
from ...settings.params import param
from ..context import LayerContext
from .kind import Mask, mask

LEAST_RANGE = 1e-6
_value_param = partial(param, min=-1e7, max=1e7, soft_min=0.0, soft_max=1.0)


@mask("map", "Painted Map", "Act where you painted")
class MapMask(Mask):
    """0 to 1 as a map goes from one value to another."""

    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No map yet: acts everywhere"}

    source: str = param(
        "",
        "Map",
        "Attribute, vertex group or image; without one, the layer acts everywhere",
        unit="map",
    )
    low: float = _value_param(0.0, "Low", "Values up to this have no effect")
    high: float = _value_param(1.0, "High", "Values from this on have full effect")
    invert: bool = param(False, "Invert", "Act where the map is low instead")

    def weight(self, context: LayerContext) -> Floats:
        values = (
            context.map(self.source) if self.source else context.zeros() + np.float32(self.high)
        )
        return by_bands(self._share, context.cancelled, values)

    def _share(self, values: Floats) -> Floats:
        span = self.high - self.low
        if abs(span) < LEAST_RANGE:
            share = (values >= np.float32(self.low)).astype(np.float32)
        else:
            share = (values - np.float32(self.low)) / np.float32(span)
            share = np.clip(share, np.float32(0), np.float32(1))
        return np.float32(1) - share if self.invert else share
