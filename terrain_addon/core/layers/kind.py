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
from .context import Work

GENERATE, SHAPE = "generate", "shape"
POINT, NEARBY, WHOLE = "point", "nearby", "whole"


class Kind(Settings):
    """Base of the layer kinds.

    ``group`` is "generate" (heights from coordinates, added to the land below by default) or
    "shape" (a new version of the land below, replacing it by default).

    ``depends_on`` says what a point's result follows from: POINT, its position and the land there,
    the same bits in every grid; NEARBY, land within ``halo`` samples or around it, the same bits in
    every window of a grid; WHOLE, the whole extent, which is then not made in windows.

    ``looks_elsewhere`` says that it takes all that it sees of the land below from
    ``work.land_below``: where it takes the place of that land, nothing is needed at its own points.

    ``marks`` names the settings that are heights on the land below, such as a snow line, and where
    a new layer has them between its lowest (0) and its highest point (1).

    ``ashore`` says that marks lie above the sea, where the terrain shows it.

    ``at_sea`` holds the settings that differ in a new layer where the terrain shows its sea, and
    ``above_sea`` those that a new layer then has in proportion to the highest point above it, with
    their share.

    ``leaves`` names the masks of `fields.FIELDS` that it puts into ``work.produced``.

    ``heights`` names the settings in metres that its own heights go with: where the layer
    multiplies the land below, these are factors.
    """

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    help: ClassVar[str] = ""
    group: ClassVar[str] = GENERATE
    icon: ClassVar[str] = "NONE"
    depends_on: ClassVar[str] = NEARBY
    looks_elsewhere: ClassVar[bool] = False
    leaves: ClassVar[tuple[str, ...]] = ()
    marks: ClassVar[Mapping[str, float]] = {}
    ashore: ClassVar[bool] = False
    at_sea: ClassVar[Mapping[str, object]] = {}
    above_sea: ClassVar[Mapping[str, float]] = {}
    heights: ClassVar[tuple[str, ...]] = ("height",)

    def apply(self, work: Work) -> Floats:
        """The layer's own heights in metres, (ny, nx) float32, before blending and masks.

        They, and the masks that it leaves, become the land's own and may be written over: each is
        to be a new array that nothing else holds.
        """
        raise NotImplementedError

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        """Fields that a palette shows once this layer is added, and the values between which
        their color fades in."""
        return {}

    def halo(self, dx: float, dy: float) -> int:
        """How many samples around a point its result depends on, at that spacing in metres."""
        return 0


LAYERS: Registry[Kind] = Registry("layer")
K = TypeVar("K", bound=type[Kind])


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
