# SPDX-License-Identifier: GPL-3.0-or-later
"""The base class of settings that can follow a shape: those of layers and of masks."""

from __future__ import annotations

from typing import ClassVar

from ..settings.params import Settings
from ..shapes import AREA, LINE, Shape, crosses_itself


class FollowsShape(Settings):
    """Settings that can name a shape which the user draws.

    Attributes
    ----------
    drawn : str
        What the user draws for the setting of unit "shape", if there is one: LINE, AREA or PLACE.
    line_color : tuple of float
        Linear RGB of it in the viewport.
    """

    drawn: ClassVar[str] = LINE
    line_color: ClassVar[tuple[float, float, float]] = (0.8, 0.8, 0.8)

    @property
    def reads_shape_heights(self) -> bool:
        """Whether the heights of the points of its shapes matter; otherwise their plan alone."""
        return True

    def fault_in(self, shape: Shape, size_x: float, size_y: float) -> str:
        """Return why a shape has not the effect that was meant, and what to do; "" if it has.

        ``size_x`` and ``size_y`` are the extent of the terrain in meters.
        """
        if not len(shape.points):
            return "The curve has no points: draw it"
        low, high = shape.points[:, :2].min(axis=0), shape.points[:, :2].max(axis=0)
        half = (size_x / 2, size_y / 2)
        if (low > half).any() or (-high > half).any():
            return OUTSIDE
        if self.drawn == AREA and crosses_itself(shape):
            return "The outline crosses itself: move its points apart"
        return ""


OUTSIDE = "The curve lies beyond the border: move it onto the terrain"
