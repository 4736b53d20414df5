# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe: the complete description of a terrain."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..analysis.fields import AREAS, FIELDS, derived, radius_of
from ..analysis.habitat import Climate, Surroundings
from ..layers import GENERATE, LAYERS, LayerKind
from ..layers.blend import BLENDS
from ..layers.groups import Node, filled, flattened, kept, ordered, path_to, tree
from ..layers.maps import Map
from ..layers.masks import MASKS, Mask
from ..layers.shape.group import Group
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..settings.params import (
    Settings,
    checked_list,
    checked_mapping,
    checked_part,
    checked_parts,
    checked_values,
    factor_param,
    height_param,
    length_param,
    meters,
    param,
    seed_param,
    short_repr,
    size_param,
)
from ..settings.strict_json import parsed
from ..shapes import Shape
from .imagery import Imagery
from .palette import Palette
from .rivers_at import checked_rivers_at, values_for_rivers, values_now

SCHEMA = 1
"""Number of the format."""
MAX_LAYERS = 64
MOST_POINTS = 2**31 - 1
NATURAL, DISPLACED, SIMPLE = "natural", "displaced", "simple"
EARTH, MARS, MOON = "earth", "mars", "moon"
MATERIAL_FIELDS = (
    *("convexity_fine", "convexity_medium", "convexity_broad"),
    *("flow", "deposition", "snow"),
)
"""Fields that the natural material reads from the mesh, those of layers where there are any."""
_LAYER_PARTS = ("settings", "masks", "rivers_at")
_PARTS = ("schema", "layers", "water", "palette", "climate", "attributes", "shapes")


class Water(Settings):
    """Sea, rivers and lakes: where they are and whether they are shown."""

    show: bool = param(False, "Sea", "Show a sea plane at the water level")
    level: float = height_param(
        0.0,
        "Water Level",
        "Height of the sea, which coasts and colors depend on",
        soft_min=-500.0,
        soft_max=500.0,
    )
    rivers: bool = param(
        False, "Rivers", "Show rivers where water collects; without lakes, they end in hollows"
    )
    min_catchment_area: float = param(
        0.1,
        "Min Catchment",
        "A river begins where it drains a square of this side, as a share of the terrain's "
        "longer side",
        min=0.005,
        max=1.0,
        soft_min=0.02,
        soft_max=0.3,
        shown_if=("rivers", (True,)),
    )
    river_width: float = param(
        1.0,
        "Width",
        "Factor on the natural width, which grows with the catchment area",
        min=0.01,
        max=100.0,
        soft_max=4.0,
        shown_if=("rivers", (True,)),
    )
    lakes: bool = param(False, "Lakes", "Fill hollows with lakes up to their outlet")
    min_lake_depth: float = length_param(
        1.0,
        "Min Depth",
        "Hollows shallower than this stay dry",
        soft_max=20.0,
        shown_if=("lakes", (True,)),
    )
    min_lake_size: float = param(
        0.02,
        "Min Size",
        "Hollows smaller than a square of this side stay dry, unless a river runs through "
        "them; as a share of the terrain's longer side",
        min=0.0,
        max=1.0,
        soft_max=0.1,
        shown_if=("lakes", (True,)),
    )

    @property
    def inland(self) -> bool:
        """Whether there are rivers or lakes."""
        return self.rivers or self.lakes


class Layer(Settings):
    """One step of the stack: the settings of a layer kind, its masks, and how it blends.

    Usually made by :meth:`of`. ``masks`` holds at most one mask of each kind; a list is accepted.
    ``rivers_at`` are values of settings, by their names, with which erosion finds its rivers: they
    stay where they are while these settings change, up to about twice or half of the value. Pairs
    or a mapping. Only `LayerKind.held_settings` can be named; :meth:`Recipe.holding_rivers` names
    all. A group may have a ``palette``, whose colors by height and rock show where it acts.

    Raises
    ------
    ValueError
        A value out of range, or ``settings`` or ``masks`` of another type.
    """

    settings: LayerKind = dataclasses.field()
    masks: tuple[Mask, ...] = ()
    palette: Palette | None = None
    rivers_at: tuple[tuple[str, float], ...] = ()
    name: str = param("", "Name", "Name of the layer")
    enabled: bool = param(True, "Enabled", "Use this layer")
    blend: str = param(
        "replace",
        "Blend",
        "How the layer is combined with the terrain below",
        choices=[(key, label, help) for key, (label, help, _) in BLENDS.items()],
    )
    opacity: float = factor_param(1.0, "Opacity", "Strength of the layer")

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_part(self.settings, LayerKind, "settings")
        object.__setattr__(self, "masks", checked_parts(self.masks, Mask, "masks"))
        rivers_at = checked_rivers_at(type(self.settings), self.rivers_at, "rivers_at")
        object.__setattr__(self, "rivers_at", rivers_at)
        keys = [mask.key for mask in self.masks]
        if len(set(keys)) < len(keys):
            raise ValueError(f"masks: each kind can be used once, not {', '.join(keys)}")
        if self.palette is not None:
            checked_part(self.palette, Palette, "palette")
            if self.settings.holds is None:
                raise ValueError("palette: only a group has colors of its own")
            if self.palette.image or self.palette.by_field:
                raise ValueError("palette: a group has colors by height and rock alone")

    @classmethod
    def of(cls, settings: LayerKind, **common: Any) -> Layer:
        """Return a layer with the default name and blend mode of its kind, unless ``common`` has
        others.

        Examples
        --------
        >>> from terrain_addon.core.layers import LAYERS
        >>> layer = Layer.of(LAYERS["smooth"](radius=5.0), opacity=0.5)
        >>> layer.name, layer.blend, layer.opacity
        ('Smooth', 'replace', 0.5)
        """
        checked_part(settings, LayerKind, "settings")
        usual = {"name": settings.label, "blend": usual_blend(type(settings))}
        return cls(settings=settings, **(usual | common))

    @property
    def on(self) -> bool:
        """Whether the layer is enabled and not fully transparent."""
        return self.enabled and self.opacity > 0

    @property
    def for_rivers(self) -> Layer:
        """The layer with the settings that rivers are found with."""
        if not self.rivers_at:
            return self
        values = values_for_rivers(self.settings, self.rivers_at)
        settings = dataclasses.replace(self.settings, **values)
        return dataclasses.replace(self, settings=settings, rivers_at=())

    @property
    def map_names(self) -> tuple[str, ...]:
        """Names of the painted maps that the layer and its masks refer to."""
        return tuple(name for part in (self.settings, *self.masks) for name in part.map_names)

    @property
    def shape_names(self) -> tuple[str, ...]:
        """Names of the shapes that the layer and its masks refer to."""
        return tuple(name for part in (self.settings, *self.masks) for name in part.shape_names)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.settings.key,
            **super().to_dict(),
            "settings": self.settings.to_dict(),
            "masks": {mask.key: mask.to_dict() for mask in self.masks},
            **({"rivers_at": dict(self.rivers_at)} if self.rivers_at else {}),
            **({"palette": self.palette.to_dict()} if self.palette else {}),
        }

    @classmethod
    def from_dict(cls, data: Any, path: str) -> Layer:
        """Make a layer from what :meth:`to_dict` returns, of a group without its members."""
        found = checked_mapping(data, path).get("kind")
        own = ("palette", "layers") if found == Group.key else ()
        values = checked_values(cls, data, path, also=(*_LAYER_PARTS, "kind", *own))
        kind = LAYERS.find(found, f"{path}.kind")
        settings = kind.from_dict(data.get("settings", {}), f"{path}.settings")
        masks = checked_mapping(data.get("masks", {}), f"{path}.masks")
        made = tuple(
            MASKS.find(key, f"{path}.masks").from_dict(masks[key], f"{path}.masks.{key}")
            for key in masks
        )
        at = checked_rivers_at(kind, data.get("rivers_at", {}), f"{path}.rivers_at")
        if "palette" in data:
            values["palette"] = Palette.from_dict(data["palette"], f"{path}.palette")
        return cls.of(settings, masks=made, rivers_at=at, **values)


def with_count(layer: Layer, count: int | None) -> Layer:
    """Return a layer, which as a group closes ``count`` entries below it."""
    if count == layer.settings.holds:
        return layer
    return dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, count=count))


def uncolored(layer: Layer) -> Layer:
    """Return a layer without colors of its own, which its heights do not depend on."""
    return layer if layer.palette is None else dataclasses.replace(layer, palette=None)


def grouped(layers: Iterable[Layer | LayerKind], **common: Any) -> tuple[Layer, ...]:
    """Return layers and a group that holds them, for a list of layers.

    ``common`` holds name, masks, blend and opacity of the group, as for :meth:`Layer.of`.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, HeightMask, Smooth
    >>> low = grouped([FractalNoise(height=5.0), Smooth()], masks=[HeightMask(high=50.0)])
    >>> [layer.name for layer in Recipe(layers=(FractalNoise(), *low)).layers]
    ['Fractal Noise', 'Fractal Noise', 'Smooth', 'Group']
    """
    members = tuple(Layer.of(one) if isinstance(one, LayerKind) else one for one in layers)
    return (*members, Layer.of(Group(count=len(members)), **common))


def tree_of(layers: Sequence[Layer]) -> tuple[Node, ...]:
    """Return a list of layers as a tree; ValueError for groups that do not fit."""
    return tree([layer.settings.holds for layer in layers])


def placed(layers: Sequence[Layer], shown: int | None = None) -> tuple[tuple[int, Layer], ...]:
    """Return the active layers of a list in the order of evaluation, each with its place in the
    list.

    A group that is off or fully transparent takes its layers with it; groups without layers are
    left out. The layer ``shown`` counts as on, with the groups that hold it.
    """
    # Each tick of a slider asks.
    if not any(one.settings.waits_for_erosion or isinstance(one.settings, Group) for one in layers):
        return tuple((n, layer) for n, layer in enumerate(layers) if layer.on or n == shown)
    nodes = tree_of(layers)
    lit = set[int]() if shown is None else {node.place for node in path_to(nodes, shown)}
    nodes = filled(kept(nodes, lambda place: layers[place].on or place in lit), shown)
    kinds = [layer.settings for layer in layers]
    nodes = ordered(nodes, kinds, lambda place: layers[place].blend == "replace")
    entries = [(n, with_count(layers[n], count)) for n, count in flattened(nodes)]
    known: set[int] = set()
    for m, (n, layer) in enumerate(entries):
        if n in known:  # the second part of a group that is split
            entries[m] = n, uncolored(layer)
        known.add(n)
    return tuple(entries)


def without(layers: Sequence[Layer], drop: Callable[[Layer], bool]) -> tuple[Layer, ...]:
    """Return a list without some layers that are no groups, and without groups of nothing else.

    >>> from terrain_addon.core import FractalNoise, Smooth
    >>> layers = (Layer.of(FractalNoise()), *grouped([Smooth()]))
    >>> [layer.name for layer in without(layers, lambda layer: layer.name == "Smooth")]
    ['Fractal Noise']
    """
    if not any(isinstance(layer.settings, Group) for layer in layers):
        return tuple(layer for layer in layers if not drop(layer))
    nodes = filled(kept(tree_of(layers), lambda place: not drop(layers[place])))
    return tuple(with_count(layers[place], count) for place, count in flattened(nodes))


def _nested(layers: Sequence[Layer], nodes: Sequence[Node]) -> list[dict[str, Any]]:
    """Return layers as JSON-ready values, in which groups contain their layers."""
    return [
        layers[node.place].to_dict()
        | ({} if node.members is None else {"layers": _nested(layers, node.members)})
        for node in nodes
    ]


def _unnested(data: Any, path: str, depth: int = 0) -> list[Layer]:
    """Return the layers of a JSON array, each group after those that it contains."""
    if depth > MAX_LAYERS:
        raise ValueError(f"{path}: groups are nested too deeply")
    layers: list[Layer] = []
    for i, item in enumerate(checked_list(data, path)):
        layer, within = Layer.from_dict(item, f"{path}[{i}]"), list[Layer]()
        if isinstance(layer.settings, Group):
            within = _unnested(item.get("layers", []), f"{path}[{i}].layers", depth + 1)
            layer = with_count(layer, len(within))
        layers += [*within, layer]
    return layers


def usual_blend(kind: type[LayerKind]) -> str:
    """Return the default blend mode: generators add to the terrain below, shapers replace it."""
    return "add" if kind.group == GENERATE else "replace"


class Recipe(Settings):
    """Seed, extent, layers from the bottom up, water and colors of a terrain.

    Parameters
    ----------
    about : str
        A description in one sentence.
    seed : int
        Added to the seeds of all layers.
    size_x, size_y : float
        Extent in meters.
    field_radius : float
        Meters that wide fields such as "ridge" look around, 0 for a 64th of the extent.
    layers : tuple of Layer
        List of :class:`Layer`, or of layer kinds, which get their default name and blend mode.
        Groups follow their layers: see :func:`grouped`.
    material : str
        "natural", "displaced" or "simple"; see the choices.
    sky : str
        "earth", "mars" or "moon": what is above the terrain in pictures.
    water, palette : :class:`Water` and :class:`Palette`
    climate : Climate or None
        Temperature and latitude, which plants and fields such as "moisture" depend on. By default
        they follow from the snow of the colors: see :attr:`surroundings`.
    attributes : tuple of str
        Names of fields that a mesh carries in addition to "height" and "slope".
    maps : tuple of Map
        The painted maps that layers refer to; JSON does not contain them.
    shapes : tuple of Shape
        The shapes that layers refer to; JSON contains them on demand.
    imagery : Imagery or None
        The image that the palette refers to; JSON does not contain it.

    Raises
    ------
    ValueError
        A value out of range or of another type.

    Examples
    --------
    >>> from terrain_addon.core.layers import LAYERS
    >>> recipe = Recipe(seed=7, layers=[LAYERS["fractal_noise"](height=80.0)])
    >>> recipe.layers[0].blend
    'add'
    >>> Recipe.from_json(recipe.to_json()) == recipe
    True
    """

    about: str = param("", "About", "Description of the terrain in one sentence")
    group: str = param("", "Group", "Heading of the preset in menus; none among the first presets")
    seed: int = seed_param("Seed of all layers: each number gives another terrain of the same kind")
    size_x: float = size_param(
        1000.0, "Size X", "Extent of the terrain along X", soft_min=10.0, soft_max=20000.0
    )
    size_y: float = size_param(
        1000.0, "Size Y", "Extent of the terrain along Y", soft_min=10.0, soft_max=20000.0
    )
    material: str = param(
        NATURAL,
        "Material",
        "How the colors are shaded",
        choices=[
            (NATURAL, "Natural", "Detail by surface class, borders broken up, depth of the sea"),
            (
                DISPLACED,
                "Natural, Displaced",
                "As Natural, with crags that displace the mesh: subdivide it to render them",
            ),
            (SIMPLE, "Simple", "Colors as they are, with a fine grain"),
        ],
    )
    sky: str = param(
        EARTH,
        "Sky",
        "Sky and haze of the pictures",
        choices=[
            (EARTH, "Earth", "Blue sky, bluish haze"),
            (MARS, "Mars", "Butterscotch sky, haze of dust"),
            (MOON, "Moon", "Black sky, hard light, no haze"),
        ],
    )
    seamless: bool = param(
        False,
        "Seamless",
        "Opposite borders match, so that copies of the terrain tile. Sizes of noise are rounded to "
        "fit, and rivers leave on one side and enter on the other",
    )
    field_radius: float = length_param(
        0.0,
        "Field Radius",
        "How far Sky View, Ridge, Valley and Convexity look; 0: automatic (terrain size / 64)",
        soft_max=200.0,
    )
    layers: tuple[Layer, ...] = ()
    water: Water = dataclasses.field(default_factory=Water)
    palette: Palette = dataclasses.field(default_factory=Palette)
    climate: Climate | None = None
    attributes: tuple[str, ...] = ()
    maps: tuple[Map, ...] = ()
    shapes: tuple[Shape, ...] = ()
    imagery: Imagery | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        layers = [
            Layer.of(one) if isinstance(one, LayerKind) else one
            for one in checked_list(self.layers, "layers")
        ]
        wanted = {
            _check_field(name, f"attributes[{i}]")
            for i, name in enumerate(checked_list(self.attributes, "attributes"))
        }
        checked_part(self.water, Water, "water")
        checked_part(self.palette, Palette, "palette")
        if self.climate is not None:
            checked_part(self.climate, Climate, "climate")
        attributes = tuple(name for name in FIELDS if name in wanted and name != "slope")
        object.__setattr__(self, "layers", checked_parts(layers, Layer, "layers"))
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "maps", checked_parts(self.maps, Map, "maps"))
        object.__setattr__(self, "shapes", checked_parts(self.shapes, Shape, "shapes"))
        if len(self.layers) > MAX_LAYERS:
            raise ValueError(f"layers: {len(self.layers)} layers are more than {MAX_LAYERS}")
        groups = [layer for layer in self.layers if isinstance(layer.settings, Group)]
        if groups:
            tree_of(self.layers)
        if sum(group.palette is not None for group in groups) > len(AREAS):
            raise ValueError(f"layers: at most {len(AREAS)} groups have colors of their own")

    @cached_property  # a slider's tick asks for it fifteen times
    def active(self) -> tuple[Layer, ...]:
        """The layers that are on and not fully transparent, in the order of evaluation."""
        return tuple(layer for _, layer in placed(self.layers))

    @property
    def active_places(self) -> frozenset[int]:
        """The places of the active layers among all."""
        return frozenset(place for place, _ in placed(self.layers))

    @cached_property
    def areas(self) -> tuple[tuple[str, Palette], ...]:
        """The palettes of active groups from the ground up, by the fields that say where they
        show."""
        own = [layer.palette for layer in self.active if layer.palette]
        return tuple(zip(AREAS, own, strict=False))

    @cached_property
    def colors(self) -> Palette:
        """The palette with those of groups."""
        return dataclasses.replace(self.palette, areas=self.areas) if self.areas else self.palette

    @property
    def produced(self) -> frozenset[str]:
        """Names of the fields that the active layers produce."""
        names = {name for layer in self.active for name in layer.settings.produces}
        return frozenset(names.union(name for name, _ in self.areas))

    def holding_rivers(self, of: Recipe | None = None) -> Recipe:
        """Return the recipe with the rivers that it has now, or those ``of`` another recipe, which
        stay when heights or the strength of erosion change.

        The layers of the other one must be of the same kinds; raises ValueError otherwise.

        >>> from terrain_addon.core import Erosion, FractalNoise
        >>> recipe = Recipe(layers=[FractalNoise(height=100.0), Erosion()]).holding_rivers()
        >>> recipe.layers[0].rivers_at
        (('height', 100.0),)
        """
        others = (self if of is None else of).layers
        kinds = [[type(layer.settings) for layer in layers] for layers in (self.layers, others)]
        if kinds[0] != kinds[1]:
            raise ValueError("Rivers of another recipe can be held where its layers are alike")
        layers = [
            dataclasses.replace(layer, rivers_at=values_now(other.settings))
            for layer, other in zip(self.layers, others, strict=True)
        ]
        return dataclasses.replace(self, layers=tuple(layers))

    def read_by(self, kinds: Iterable[LayerKind]) -> tuple[float | None, ...]:
        """Return what some kinds of layers read of water and colors: the water level or None, and
        where snow begins and whether that is relative, if any reads it and there is snow."""
        kinds = list(kinds)
        level = self.water.level if any(kind.reads_water_level for kind in kinds) else None
        reads_snow = any(kind.reads_snow_line for kind in kinds)
        snow = self.palette.snow_line if reads_snow else None
        return (level,) if snow is None else (level, snow.start, snow.relative)

    @property
    def read_by_layers(self) -> tuple[float | str | None, ...]:
        """What the heights depend on besides layers, seed and size: see :meth:`read_by` and
        :meth:`habitat_read_by`."""
        read = self.read_by(layer.settings for layer in self.active)
        return (*read, *self.habitat_read_by(self.active))

    @property
    def surroundings(self) -> Surroundings:
        """What habitat fields depend on besides the terrain."""
        sea = self.water.level if self.water.show else None
        return Surroundings(self.climate, sea, self.palette.snow_line)

    def habitat_read_by(self, layers: Iterable[Layer]) -> tuple[float | str | None, ...]:
        """Return what masks of some layers read of the climate, the sea and the colors; nothing
        without a mask by a habitat field."""
        if not any(mask.reads_habitat for layer in layers for mask in layer.masks):
            return ()
        return ("habitat", *self.surroundings.inputs)

    @property
    def wide_radius(self) -> float:
        """Radius of wide fields in meters."""
        return self.field_radius or radius_of(self.size_x, self.size_y)

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        automatic = name == "field_radius" and not self.field_radius
        return f"Automatic: {length(radius_of(size, size))}" if automatic else ""

    @property
    def map_names(self) -> tuple[str, ...]:
        """Names of the painted maps that the active layers refer to, each once."""
        return tuple(dict.fromkeys(name for layer in self.active for name in layer.map_names))

    @property
    def shape_names(self) -> tuple[str, ...]:
        """Names of the shapes that the active layers refer to, each once."""
        return tuple(dict.fromkeys(name for layer in self.active for name in layer.shape_names))

    @cached_property
    def cannot_repeat(self) -> str:
        """Why the terrain cannot be seamless: a message that names the layer; "" if it can or need
        not be."""
        for layer in self.active if self.seamless else ():
            reason = layer.settings.cannot_repeat
            if any(mask.whole for mask in layer.masks):
                reason = "its mask reads a field that depends on the borders"
            if reason:
                return (
                    f"The layer {layer.name!r} cannot be seamless: {reason}. Switch off the layer "
                    "or Seamless"
                )
        return ""

    @cached_property
    def placed_shapes(self) -> tuple[Shape, ...]:
        """The shapes, with their copies on all sides if the terrain is seamless."""
        if not self.seamless:
            return self.shapes
        return tuple(shape.repeated(self.size_x, self.size_y) for shape in self.shapes)

    @property
    def shapes_in_plan(self) -> frozenset[str]:
        """Names of the shapes of all layers, also of those that are off, the heights of whose
        points no layer reads."""
        parts = [part for layer in self.layers for part in (layer.settings, *layer.masks)]
        every = {name for part in parts for name in part.shape_names}
        read = {name for part in parts if part.reads_shape_heights for name in part.shape_names}
        return frozenset(every - read)

    def cover(self, values: Mapping[str, Floats], grid: Grid) -> Floats | None:
        """Return the layer of colors on top of those by height at the points of a grid: the
        :meth:`.Palette.cover` of fields, and the image of the palette over it.

        Raises ValueError if the palette names another image than :attr:`imagery`.
        """
        below, name = self.colors.cover(values), self.palette.image
        if not name:
            return below
        if self.imagery is None or self.imagery.name != name:
            raise ValueError(
                f"The palette shows the image {name!r}, which is not there: choose another one "
                "under Colors, or clear Image"
            )
        over = self.imagery.cover(grid, self.size_x, self.size_y)
        if below is None:
            return over
        return np.add(over, below * (np.float32(1) - over[..., 3:]), dtype=np.float32)

    @property
    def may_have_bridges(self) -> bool:
        """Whether a layer may show models where it crosses rivers that one below it draws."""
        kinds = [layer.settings for layer in self.active]
        rivers = [kind.draws_courses for kind in kinds]
        return any(kind.shows_bridges and any(rivers[:n]) for n, kind in enumerate(kinds))

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of all fields except "slope" that attributes, palette and material need."""
        wanted = {*self.attributes, *self.colors.fields, *self._material_fields} - {"slope"}
        return tuple(name for name in FIELDS if name in wanted)

    @property
    def _material_fields(self) -> set[str]:
        """The fields that the material reads, of those that there are."""
        if self.material == SIMPLE:
            return set()
        return set(MATERIAL_FIELDS).intersection((*derived(), *self.produced))

    def grid(self, resolution: int | Sequence[int]) -> Grid:
        """Return the grid of points from border to border.

        ``resolution`` is the number of points along the longer side, or (nx, ny). With one number,
        the shorter side gets at least 2 and as many as keep the cells square.

        >>> Recipe(size_x=2000.0, size_y=1000.0).grid(9).shape
        (5, 9)
        """
        return Grid.points(self.size_x, self.size_y, *self.shape(resolution, points=True))

    def pixel_grid(self, resolution: int | Sequence[int]) -> Grid:
        """Return the grid of pixel centers of an image; ``resolution`` as in :meth:`grid`."""
        return Grid.pixels(self.size_x, self.size_y, *self.shape(resolution, points=False))

    def shape(self, resolution: int | Sequence[int], *, points: bool) -> tuple[int, int]:
        """Return (nx, ny) for a resolution along the longer side or (nx, ny).

        Raises ValueError for anything but whole numbers from 2 to 2**31 - 1.
        """
        if isinstance(resolution, Sequence) and not isinstance(resolution, (bytes, bytearray)):
            if len(resolution) != 2:
                raise ValueError(f"Give one resolution or two, (nx, ny), not {len(resolution)}")
            nx, ny = (_count(number) for number in resolution)
        else:
            between = 1 if points else 0  # n points span n - 1 cells
            cells = (_count(resolution) - between) / max(self.size_x, self.size_y)
            nx = max(round(cells * self.size_x) + between, 2)
            ny = max(round(cells * self.size_y) + between, 2)
        return nx, ny

    def to_dict(self, *, shapes: bool = False) -> dict[str, Any]:
        """Return the recipe as JSON-ready values; every setting is written, and the ``shapes`` on
        demand.

        >>> path = Shape.of("Path", [[(0, 0), (30, 40)]])
        >>> Recipe(shapes=(path,)).to_dict(shapes=True)["shapes"]["Path"][0]["kind"]
        'open'
        """
        drawn = {shape.name: shape.to_dict() for shape in self.shapes} if shapes else {}
        return {
            "schema": SCHEMA,
            **super().to_dict(),
            "layers": _nested(self.layers, tree_of(self.layers)),
            "water": self.water.to_dict(),
            "palette": self.palette.to_dict(),
            **({"climate": self.climate.to_dict()} if self.climate else {}),
            "attributes": list(self.attributes),
            **({"shapes": drawn} if drawn else {}),
        }

    @classmethod
    def from_dict(cls, data: Any, path: str = "recipe") -> Recipe:
        """Make a recipe from what :meth:`to_dict` returns; missing settings take their defaults.

        Raises
        ------
        ValueError
            An unknown key, a wrong type, a value out of range, or a schema newer than this version,
            with the path of the setting (``recipe.layers[1].settings.octaves``).
        """
        data = checked_mapping(data, path)
        _check_schema(data, path)
        values = checked_values(cls, data, path, also=_PARTS)
        attributes = checked_list(data.get("attributes", []), f"{path}.attributes")
        return cls(
            shapes=Shape.all_from_dict(data.get("shapes", {}), f"{path}.shapes"),
            layers=tuple(_unnested(data.get("layers", []), f"{path}.layers")),
            water=Water.from_dict(data.get("water", {}), f"{path}.water"),
            palette=Palette.from_dict(data.get("palette", {}), f"{path}.palette"),
            climate=Climate.from_dict(data["climate"], f"{path}.climate")
            if "climate" in data
            else None,
            attributes=tuple(
                _check_field(name, f"{path}.attributes[{i}]") for i, name in enumerate(attributes)
            ),
            **values,
        )

    def to_json(self, *, shapes: bool = False) -> str:
        """Return the recipe as indented JSON text, with the points of its ``shapes`` on demand."""
        return json.dumps(self.to_dict(shapes=shapes), indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """Parse what :meth:`to_json` returns; also takes UTF-8 bytes, with or without byte order
        mark.

        Raises ValueError for invalid JSON or duplicate keys, and as :meth:`from_dict`.
        """
        try:
            data = parsed(text)
        except ValueError as error:
            raise ValueError(f"This is not a recipe: {error}") from None
        return cls.from_dict(data)


def _count(number: Any) -> int:
    """Return a number of points along a side, or a ValueError."""
    try:
        count = operator.index(number)
    except TypeError:
        raise ValueError(
            f"The resolution must be a whole number, not {short_repr(number)}"
        ) from None
    if count < 2:
        raise ValueError("The resolution must be at least 2 points each way")
    if count > MOST_POINTS:
        raise ValueError(f"The resolution must be at most {MOST_POINTS} points each way")
    return count


def _check_field(name: Any, path: str) -> str:
    """Return ``name`` if there is such a field, else raise a ValueError that names ``path``."""
    if not isinstance(name, str) or name not in FIELDS:
        known = ", ".join(FIELDS)
        raise ValueError(f"{path}: there is no field named {short_repr(name)}; known: {known}")
    return name


def _check_schema(data: dict[str, Any], path: str) -> None:
    """Raise ValueError for a recipe of a newer schema, and for a schema that is no number."""
    schema = data.get("schema", SCHEMA)
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ValueError(f"{path}.schema: expected a whole number from 1, not {short_repr(schema)}")
    if schema > SCHEMA:
        raise ValueError(
            f"{path}.schema: a newer version made this recipe (schema {short_repr(schema)}); "
            "update Orogen to open it"
        )


def layers_to_json(layers: Sequence[Layer]) -> str:
    """Return the text of layers: a recipe that has nothing else.

    Examples
    --------
    >>> from terrain_addon.core import Layer, Smooth
    >>> text = layers_to_json([Layer.of(Smooth(radius=5.0))])
    >>> layers_from_json(text)[0].settings.radius
    5.0
    """
    data = {"schema": SCHEMA, "layers": _nested(layers, tree_of(layers))}
    return json.dumps(data, indent=2) + "\n"


def layers_from_json(text: str) -> tuple[Layer, ...]:
    """Return the layers in a text, which may also be a whole recipe.

    Raises
    ------
    ValueError
        The text is not a recipe, a setting is not valid, or there is no layer.
    """
    layers = Recipe.from_json(text).layers
    if not layers:
        raise ValueError("This recipe has no layers")
    return layers
