# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of layer: the steps that make the land.

A kind is a settings class under :func:`layer` in a module of this package. Registration gives it
its JSON, its Blender properties, its UI, its reference documentation and its tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar

from ..numerics.arrays import Floats
from ..settings.params import Settings
from ..settings.registry import Registry
from .context import LayerContext

GENERATE, SHAPE = "generate", "shape"
POINT, NEARBY, WHOLE = "point", "nearby", "whole"


class LayerKind(Settings):
    """Base class of the layer kinds: the settings of a layer, and how to apply it.

    Attributes
    ----------
    group : GENERATE (heights from coordinates, added to the terrain below by default) or SHAPE (a
        new version of the terrain below, which it replaces by default)
    depends_on : what the result at a point depends on. POINT: its position and the height below
        it; the result is the same, bit for bit, in every grid. NEARBY: heights within ``halo``
        samples; the same in every window of a grid. WHOLE: the whole terrain, which is therefore
        never evaluated in windows.
    looks_elsewhere : the layer reads the terrain below from ``context.heights_below`` only, so
        nothing is evaluated at its own points where it replaces the terrain
    produces : names of the `fields.FIELDS` that it stores in ``context.produced``
    height_settings : settings that are heights on the terrain, such as a snow line, and where a new
        layer puts them, from the lowest (0) to the highest point (1)
    above_sea_level : whether ``height_settings`` count from the sea on a terrain that shows one
    sea_defaults : settings that differ in a new layer on a terrain that shows its sea
    sea_height_shares : settings that are, in such a layer, this share of the highest point above
        the sea
    heights : settings in meters that its own heights are multiples of; they are plain factors
        where the layer multiplies the terrain below
    """

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    help: ClassVar[str] = ""
    group: ClassVar[str] = GENERATE
    icon: ClassVar[str] = "NONE"
    depends_on: ClassVar[str] = NEARBY
    looks_elsewhere: ClassVar[bool] = False
    produces: ClassVar[tuple[str, ...]] = ()
    height_settings: ClassVar[Mapping[str, float]] = {}
    above_sea_level: ClassVar[bool] = False
    sea_defaults: ClassVar[Mapping[str, object]] = {}
    sea_height_shares: ClassVar[Mapping[str, float]] = {}
    heights: ClassVar[tuple[str, ...]] = ("height",)

    def apply(self, context: LayerContext) -> Floats:
        """The layer's own heights in meters, (ny, nx) float32, before blending and masks.

        They, and the masks that it leaves, become the land's own and may be written over: each is
        to be a new array that nothing else holds.
        """
        raise NotImplementedError

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        """Fields that a palette shows once this layer is added, and the values between which
        their color fades in."""
        return {}

    def halo(self, dx: float, dy: float) -> int:
        """How many samples around a point its result depends on, at that spacing in meters."""
        return 0


LAYERS: Registry[LayerKind] = Registry("layer")
K = TypeVar("K", bound=type[LayerKind])


def layer(
    key: str, *, label: str, help: str, group: str = GENERATE, icon: str = "NONE"
) -> Callable[[K], K]:
    """Register a kind of layer under a permanent key; ``icon`` is one of Blender's icon names."""
    if group not in (GENERATE, SHAPE):
        raise ValueError(f"Layer {key!r}: group must be {GENERATE!r} or {SHAPE!r}, not {group!r}")

    def register(cls: K) -> K:
        cls.key, cls.label, cls.help, cls.group, cls.icon = key, label, help, group, icon
        LAYERS.add(key, cls)
        return cls

    return register
