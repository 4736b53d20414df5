# SPDX-License-Identifier: GPL-3.0-or-later
"""The base class of layer kinds and their registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar

from ..erosion.rivers.drawn.course import Course
from ..numerics.arrays import Floats
from ..settings.params import Setting, settings_of
from ..settings.registry import Registry
from ..shapes import KeptClear, Shape
from .context import LayerContext, SolveContext
from .following import FollowsShape
from .handles import Handle

GENERATE, SHAPE = "generate", "shape"
POINT, NEARBY, WHOLE = "point", "nearby", "whole"
BEFORE_EROSION, AT_END = "before erosion", "at end"


class LayerKind(FollowsShape):
    """Base class of the layer kinds: the settings of a layer, and how to apply it.

    Attributes
    ----------
    group : str
        GENERATE (heights from coordinates, added to the terrain below by default) or SHAPE (a new
        version of the terrain below, which it replaces by default).
    depends_on : str
        What the result at a point depends on. POINT: its position and the height below it; the
        result is the same, bit for bit, in every grid. NEARBY: heights within ``halo`` samples; the
        same in every window of a grid. WHOLE: the whole terrain, of which ``solve`` finds out what
        ``apply`` needs; beyond that, heights within ``halo`` samples.
    looks_elsewhere : bool
        The layer reads the terrain below from ``context.heights_below`` only, so nothing is
        evaluated at its own points where it replaces the terrain.
    produces : tuple of str
        Names of the `fields.FIELDS` that it stores in ``context.produced``.
    height_settings : mapping of str to float
        Settings that are heights on the terrain, such as a snow line, and where a new layer puts
        them, from the lowest (0) to the highest point (1).
    new_defaults : mapping of str to object
        Settings of a new layer that differ from what files without them mean.
    real_defaults : mapping of str to object
        Settings that differ in a new layer above real terrain, whose forms should stay.
    above_sea_level : bool
        Whether ``height_settings`` count from the sea on a terrain that shows one.
    sea_defaults : mapping of str to object
        Settings that differ in a new layer on a terrain that shows its sea.
    sea_height_shares : mapping of str to float
        Settings that are, in such a layer, this share of the highest point above the sea.
    blends : bool
        Whether masks, opacity and blend modes make sense; a river that is weighed would rise.
    follows_courses : bool
        Whether its ``solve`` follows the rivers that layers below draw; for it, these do not cut
        the terrain.
    draws_courses : bool
        Whether it draws rivers: its ``courses`` may return some.
    crosses_courses : bool
        Whether its ``solve`` is given the rivers that layers below draw, to cross them; for it,
        they do cut the terrain.
    waits_for_erosion : bool
        Whether erosion above is to keep it: it is applied after the last of those that follow
        courses.
    belongs : str
        Where a new layer belongs. BEFORE_EROSION: right before the first layer that depends on the
        whole terrain, which then reworks it; after the active layer if there is none. AT_END: after
        all others. "": after all others if it depends on the whole terrain, otherwise after the
        active layer.
    water : str
        The setting of the recipe's water that shows what it holds; "" if it holds none.
    heights : tuple of str
        Settings in meters that its own heights are multiples of; they are plain factors where the
        layer multiplies the terrain below.
    holding : tuple of str
        Further settings that move heights but not the rivers of erosion.
    repeats : bool
        Whether the result repeats where the terrain below does, in a context that is seamless.
        Other layers are blended with their own continuation along the border.
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
    new_defaults: ClassVar[Mapping[str, object]] = {}
    real_defaults: ClassVar[Mapping[str, object]] = {}
    above_sea_level: ClassVar[bool] = False
    blends: ClassVar[bool] = True
    follows_courses: ClassVar[bool] = False
    draws_courses: ClassVar[bool] = False
    crosses_courses: ClassVar[bool] = False
    waits_for_erosion: ClassVar[bool] = False
    sea_defaults: ClassVar[Mapping[str, object]] = {}
    sea_height_shares: ClassVar[Mapping[str, float]] = {}
    belongs: ClassVar[str] = ""
    water: ClassVar[str] = ""
    heights: ClassVar[tuple[str, ...]] = ("height",)
    holding: ClassVar[tuple[str, ...]] = ()
    repeats: ClassVar[bool] = True

    @classmethod
    def held_settings(cls) -> tuple[Setting, ...]:
        """Return the settings whose change leaves the rivers of erosion where they are."""
        names = {*cls.heights, *cls.holding}
        return tuple(setting for setting in settings_of(cls) if setting.name in names)

    @property
    def holds(self) -> int | None:
        """Number of entries below it that belong to it, if it is a group."""
        return None

    @property
    def holds_rivers(self) -> bool:
        """Whether ``solve`` takes rivers from ``context.held``."""
        return False

    @property
    def braided_width(self) -> tuple[float, float]:
        """Widths of the beds that it carves and of the belts in which it braids rivers, in natural
        widths of these; 0 without braids."""
        return 0.0, 0.0

    @property
    def shows_bridges(self) -> bool:
        """Whether models of bridges are to be shown where it crosses drawn rivers."""
        return False

    @property
    def reads_water_level(self) -> bool:
        """Whether the result depends on the height of the sea."""
        return False

    @property
    def cannot_repeat(self) -> str:
        """Why the layer cannot be part of a seamless terrain; "" if it can."""
        return ""

    @property
    def reads_snow_line(self) -> bool:
        """True if the heights depend on where the colors begin to show snow."""
        return False

    def solve(self, context: SolveContext) -> Any:
        """Solve what the layer needs to know about the whole terrain, for ``context.solved``.

        Called for WHOLE layers, once for all windows. Whatever takes time is a part of the solution
        and made by ``context.part``, so that it is made once, stored, and sent to other machines.
        """
        return None

    def apply(self, context: LayerContext) -> Floats:
        """Return the heights of the layer in meters, (ny, nx) float32, before blending and masks.

        They and the fields in ``context.produced`` must be new arrays: the evaluation may
        overwrite them.
        """
        raise NotImplementedError

    def courses(self, shapes: Mapping[str, Shape]) -> Sequence[Course]:
        """Return the rivers along which the drainage of erosion above this layer runs, from the
        shapes by their names."""
        return ()

    def kept_clear(self, shapes: Mapping[str, Shape]) -> Sequence[KeptClear]:
        """Return where plants and rocks may not stand, from the shapes by their names."""
        return ()

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        """Return the points that the user drags to change settings, on a terrain of that size in
        meters and with the shapes by their names; a name may be missing."""
        return ()

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        """Return the fields that a palette colors once this layer is added, and the values over
        which each color fades in."""
        return {}

    def for_extent(self: Self, size: float) -> Self:
        """Return the same settings for terrain of any extent: what follows from that of ``size``
        meters, the longer side, becomes a number."""
        return self

    def solving_bytes(self, size_x: float, size_y: float) -> int:
        """Return the memory that ``solve`` takes on a terrain of that size in meters; 0 where it is
        little."""
        return 0

    def halo(self, dx: float, dy: float) -> int:
        """Return the number of samples around a point that its result depends on, at a spacing in
        meters."""
        return 0


LAYERS: Registry[LayerKind] = Registry("layer")
K = TypeVar("K", bound=type[LayerKind])


def layer(
    key: str, label: str, help: str, *, group: str = GENERATE, icon: str = "NONE"
) -> Callable[[K], K]:
    """Register a class as a :class:`LayerKind`.

    Parameters
    ----------
    key : str
        Permanent identifier, at most 40 characters: saved files contain it.
    label, help : str
        Name and tooltip.
    group : str, default GENERATE
        GENERATE or SHAPE.
    icon : str, default 'NONE'
        One of Blender's icon names.

    Raises
    ------
    ValueError
        Another group, or a key that is taken or not an identifier.

    Examples
    --------
    >>> @layer("flat", label="Flat", help="A plain at sea level")
    ... class Flat(LayerKind):
    ...     def apply(self, context):
    ...         return context.zeros()
    >>> Flat.key, Flat.group
    ('flat', 'generate')
    >>> LAYERS.remove("flat")
    """
    if group not in (GENERATE, SHAPE):
        raise ValueError(f"Layer {key!r}: group must be {GENERATE!r} or {SHAPE!r}, not {group!r}")

    def register(cls: K) -> K:
        cls.key, cls.label, cls.help, cls.group, cls.icon = key, label, help, group, icon
        LAYERS.add(key, cls)
        return cls

    return register
