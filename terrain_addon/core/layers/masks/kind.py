# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of layer mask: where on the land a layer acts.

A kind is a settings class under :func:`mask` in a module of this package; registration gives it
its JSON, its Blender properties, its UI and its reference documentation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from ...numerics.arrays import Floats
from ...settings.params import Settings
from ...settings.registry import Registry
from ..context import LayerContext


class Mask(Settings):
    """Base of the mask kinds."""

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    help: ClassVar[str] = ""

    @property
    def whole(self) -> bool:
        """Whether the weight follows from the whole extent, which is then not made in windows."""
        return False

    def weight(self, context: LayerContext) -> Floats:
        """Where the layer acts: (ny, nx) float32 from 0 (not at all) to 1 (fully)."""
        raise NotImplementedError

    def halo(self, dx: float, dy: float, radius: float) -> int:
        """How many samples around a point the weight depends on, at that spacing in meters.

        ``radius`` is how far wide fields look, in meters.
        """
        return 0


MASKS: Registry[Mask] = Registry("mask")
M = TypeVar("M", bound=type[Mask])


def mask(key: str, *, label: str, help: str) -> Callable[[M], M]:
    """Register a kind of mask under a permanent key."""

    def register(cls: M) -> M:
        cls.key, cls.label, cls.help = key, label, help
        MASKS.add(key, cls)
        return cls

    return register
