# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the masks that follow a shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...settings.params import param
from ..context import LayerContext
from .kind import Mask

LEAST_FADE = 1e-6


class _Invertible(Mask):
    """The last setting of masks that follow a shape."""

    shown_last = True

    invert: bool = param(False, "Invert", "Act everywhere else instead")


class ShapeMask(_Invertible):
    """1 at a shape, falling smoothly to 0 around it.

    Without a shape the layer acts everywhere, with an empty or a missing one nowhere.
    """

    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No shape yet: acts everywhere"}

    source: str = param(
        "",
        "Shape",
        "Curve, mesh, empty or collection; without one, the layer acts everywhere",
        unit="shape",
    )

    @property
    def reads_shape_heights(self) -> bool:
        return False

    def distances(self, context: LayerContext) -> tuple[Doubles, float, float]:
        """Return the distances from the shape, (ny, nx); the one up to which the layer acts fully;
        and the one over which it fades out beyond. All in meters."""
        raise NotImplementedError

    def weight(self, context: LayerContext) -> Floats:
        if not self.source:
            return context.zeros() + np.float32(not self.invert)
        away, full, fade = self.distances(context)
        t = np.clip(1 - (away - full) / max(fade, LEAST_FADE), 0, 1)
        share = (t * t * (3 - 2 * t)).astype(np.float32)
        return np.float32(1) - share if self.invert else share
