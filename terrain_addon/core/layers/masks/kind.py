# SPDX-License-Identifier: GPL-3.0-or-later
"""The base class of mask kinds and their registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from ...numerics.arrays import Floats
from ...settings.registry import Registry
from ..context import LayerContext, SolveContext
from ..following import FollowsShape

FADE = 0.05
"""Width of the border of a selected range, as a share of the range."""


class Mask(FollowsShape):
    """Base class of the mask kinds: settings, and the weight that they give to a layer."""

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    help: ClassVar[str] = ""
    line_color = (0.3, 0.8, 0.1)

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the fields that the weight depends on: layers below must produce them."""
        return ()

    @property
    def whole(self) -> bool:
        """Whether the weight depends on the whole terrain: :meth:`solve` is then called."""
        return False

    @property
    def reads_habitat(self) -> bool:
        """Whether the weight depends on the climate, the sea level or the snow line."""
        return False

    @property
    def selects(self) -> str:
        """Name of the field, or "height", of which ``low`` and ``high`` select a range; or ""."""
        return ""

    def within(self, low: float, high: float) -> Mapping[str, float]:
        """Return settings that select the range from ``low`` to ``high``, with a soft border."""
        return {"low": low, "high": high, "fade": FADE * (high - low)}

    def solve(self, context: SolveContext) -> Any:
        """Solve what the mask needs to know about the whole terrain, as a layer does."""
        return None

    def weight(self, context: LayerContext) -> Floats:
        """Return the weight of the layer, (ny, nx) float32 from 0 (no effect) to 1 (full
        effect)."""
        raise NotImplementedError

    def halo(self, dx: float, dy: float, radius: float) -> int:
        """Return the number of samples around a point that the weight depends on, at a spacing in
        meters.

        ``radius`` is the reach of wide fields in meters.
        """
        return 0


MASKS: Registry[Mask] = Registry("mask")
M = TypeVar("M", bound=type[Mask])


def mask(key: str, label: str, help: str) -> Callable[[M], M]:
    """Register a class as a :class:`Mask` under a permanent key; as :func:`layer`."""

    def register(cls: M) -> M:
        cls.key, cls.label, cls.help = key, label, help
        MASKS.add(key, cls)
        return cls

    return register
