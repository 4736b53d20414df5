# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe: all that is needed to make a terrain again."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Sequence
from typing import Any

from ..analysis.fields import FIELDS
from ..layers import GENERATE, LAYERS, LayerKind
from ..layers.blend import BLENDS
from ..layers.maps import Map
from ..layers.masks import MASKS, Mask
from ..numerics.grid import Grid
from ..settings.params import (
    Settings,
    checked_list,
    checked_mapping,
    checked_part,
    checked_parts,
    checked_values,
    param,
    seed_param,
    settings_of,
    short_repr,
)
from ..settings.strict_json import parsed
from .palette import Palette

SCHEMA = 1
MAX_LAYERS = 64
MOST_POINTS = 2**31 - 1
_PARTS = ("schema", "layers", "water", "palette", "attributes")


class Water(Settings):
    """The sea, rivers and lakes: where they are, and whether Blender shows them."""

    show: bool = param(False, label="Sea", help="Show a sea plane at the water level")
    level: float = param(
        0.0,
        label="Water Level",
        help="Height of the sea; coasts and colors follow it",
        unit="m",
        min=-1e5,
        max=1e5,
        soft_min=-500.0,
        soft_max=500.0,
    )
    rivers: bool = param(
        False,
        label="Rivers",
        help="Show rivers where water gathers; without lakes they break off in hollows",
    )
    min_catchment_area: float = param(
        0.1,
        label="Min Catchment Area",
        help="A river begins where it drains a square of this side, as a share of the terrain's "
        "longer side",
        min=0.005,
        max=1.0,
        soft_min=0.02,
        soft_max=0.3,
        shown_if=("rivers", (True,)),
    )
    river_width: float = param(
        1.0,
        label="Width",
        help="Factor on the natural width, which grows with the land that a river drains",
        min=0.01,
        max=100.0,
        soft_max=4.0,
        shown_if=("rivers", (True,)),
    )
    lakes: bool = param(False, label="Lakes", help="Fill hollows with lakes up to where they spill")
    min_lake_depth: float = param(
        1.0,
        label="Min Depth",
        help="Hollows that are nowhere deeper stay dry",
        unit="m",
        min=0.0,
        max=1e5,
        soft_max=20.0,
        shown_if=("lakes", (True,)),
    )
    min_lake_size: float = param(
        0.02,
        label="Min Size",
        help="Hollows smaller than a square of this share of the longer side stay dry, but for "
        "those on the way of a river",
        min=0.0,
        max=1.0,
        soft_max=0.1,
        shown_if=("lakes", (True,)),
    )

    @property
    def inland(self) -> bool:
        """Whether there is water beside the sea."""
        return self.rivers or self.lakes


class Layer(Settings):
    """One step of the stack: a kind with its settings, and how it joins the land below."""

    settings: LayerKind = dataclasses.field()
    masks: tuple[Mask, ...] = ()
    name: str = param("", label="Name", help="Name of the layer, for your own orientation")
    enabled: bool = param(True, label="Enabled", help="Use this layer")
    blend: str = param(
        "replace",
        label="Blend",
        help="How the layer joins the land below",
        choices=[(key, label, help) for key, (label, help, _) in BLENDS.items()],
    )
    opacity: float = param(
        1.0, label="Opacity", help="How much of the layer is mixed in", unit="factor"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_part(self.settings, LayerKind, "settings")
        object.__setattr__(self, "masks", checked_parts(self.masks, Mask, "masks"))
        keys = [mask.key for mask in self.masks]
        if len(set(keys)) < len(keys):
            raise ValueError(f"masks: each kind can be used once, not {', '.join(keys)}")

    @classmethod
    def of(cls, settings: LayerKind, **common: Any) -> Layer:
        """A layer of that kind with the kind's usual name and blend mode."""
        checked_part(settings, LayerKind, "settings")
        usual = {"name": settings.label, "blend": usual_blend(type(settings))}
        return cls(settings=settings, **(usual | common))

    @property
    def on(self) -> bool:
        """Whether the layer does anything."""
        return self.enabled and self.opacity > 0

    @property
    def map_names(self) -> tuple[str, ...]:
        """Names of the painted maps that the layer and its masks ask for."""
        parts = (self.settings, *self.masks)
        named = [
            (part, s.name) for part in parts for s in settings_of(type(part)) if s.unit == "map"
        ]
        return tuple(name for part, setting in named if (name := getattr(part, setting)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.settings.key,
            **super().to_dict(),
            "settings": self.settings.to_dict(),
            "masks": {mask.key: mask.to_dict() for mask in self.masks},
        }

    @classmethod
    def from_dict(cls, data: Any, path: str) -> Layer:
        values = checked_values(cls, data, path, also=("kind", "settings", "masks"))
        kind = LAYERS.find(data.get("kind"), f"{path}.kind")
        settings = kind.from_dict(data.get("settings", {}), f"{path}.settings")
        masks = checked_mapping(data.get("masks", {}), f"{path}.masks")
        made = tuple(
            MASKS.find(key, f"{path}.masks").from_dict(masks[key], f"{path}.masks.{key}")
            for key in masks
        )
        return cls.of(settings, masks=made, **values)


def usual_blend(kind: type[LayerKind]) -> str:
    """Generators pile up; shapers give a new version of the land."""
    return "add" if kind.group == GENERATE else "replace"


class Recipe(Settings):
    """Seed, extent, layers from the ground up, water and colors of a terrain."""

    about: str = param("", label="About", help="What kind of land this is, in a sentence")
    seed: int = seed_param("Another number gives another land of the same kind")
    size_x: float = param(
        1000.0,
        label="Size X",
        help="Extent of the terrain along X",
        unit="m",
        min=1e-3,
        soft_min=10.0,
        soft_max=20000.0,
    )
    size_y: float = param(
        1000.0,
        label="Size Y",
        help="Extent of the terrain along Y",
        unit="m",
        min=1e-3,
        soft_min=10.0,
        soft_max=20000.0,
    )
    layers: tuple[Layer, ...] = ()
    water: Water = dataclasses.field(default_factory=Water)
    palette: Palette = dataclasses.field(default_factory=Palette)
    attributes: tuple[str, ...] = ()
    """Names of the masks that a mesh carries beside "height" and "slope", in FIELDS' order."""
    maps: tuple[Map, ...] = ()
    """The painted maps that the layers name. JSON does not hold them."""

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
        attributes = tuple(name for name in FIELDS if name in wanted and name != "slope")
        object.__setattr__(self, "layers", checked_parts(layers, Layer, "layers"))
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "maps", checked_parts(self.maps, Map, "maps"))
        if len(self.layers) > MAX_LAYERS:
            raise ValueError(f"layers: {len(self.layers)} layers are more than {MAX_LAYERS}")

    @property
    def active(self) -> tuple[Layer, ...]:
        """The layers that do anything."""
        return tuple(layer for layer in self.layers if layer.on)

    @property
    def map_names(self) -> tuple[str, ...]:
        """Names of the painted maps that the active layers ask for, each once."""
        return tuple(dict.fromkeys(name for layer in self.active for name in layer.map_names))

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of all masks beside "slope" that showing the terrain takes."""
        wanted = {*self.attributes, *self.palette.masks} - {"slope"}
        return tuple(name for name in FIELDS if name in wanted)

    def grid(self, resolution: int | Sequence[int]) -> Grid:
        """Points from border to border: ``resolution`` along the longer side, or (nx, ny).

        With one number the shorter side gets as many points as keep the cells square, at least 2.
        """
        return Grid.points(self.size_x, self.size_y, *self.shape(resolution, points=True))

    def pixel_grid(self, resolution: int | Sequence[int]) -> Grid:
        """Pixel centers of an image of the whole terrain; ``resolution`` as in :meth:`grid`."""
        return Grid.pixels(self.size_x, self.size_y, *self.shape(resolution, points=False))

    def shape(self, resolution: int | Sequence[int], *, points: bool) -> tuple[int, int]:
        """(nx, ny) for a resolution along the longer side, or (nx, ny) themselves, checked.

        ValueError for what is no whole number, below 2 points, or above 2**31 - 1.
        """
        if isinstance(resolution, Sequence) and not isinstance(resolution, (bytes, bytearray)):
            if len(resolution) != 2:
                raise ValueError(f"Give one resolution or two, (nx, ny), not {len(resolution)}")
            nx, ny = (_count(number) for number in resolution)
        else:
            between = 1 if points else 0  # points have one cell less than their number
            cells = (_count(resolution) - between) / max(self.size_x, self.size_y)
            nx = max(round(cells * self.size_x) + between, 2)
            ny = max(round(cells * self.size_y) + between, 2)
        return nx, ny

    def to_dict(self) -> dict[str, Any]:
        """The recipe as JSON-ready values; every setting is written."""
        return {
            "schema": SCHEMA,
            **super().to_dict(),
            "layers": [layer.to_dict() for layer in self.layers],
            "water": self.water.to_dict(),
            "palette": self.palette.to_dict(),
            "attributes": list(self.attributes),
        }

    @classmethod
    def from_dict(cls, data: Any, path: str = "recipe") -> Recipe:
        """Inverse of :meth:`to_dict`; settings that are missing take their defaults.

        Raises ValueError naming the path of the field (``recipe.layers[1].settings.octaves``) for
        an unknown key, a wrong type, a value out of range, or a schema newer than this version.
        """
        data = migrated(checked_mapping(data, path), path)
        values = checked_values(cls, data, path, also=_PARTS)
        layers = checked_list(data.get("layers", []), f"{path}.layers")
        attributes = checked_list(data.get("attributes", []), f"{path}.attributes")
        return cls(
            layers=tuple(
                Layer.from_dict(item, f"{path}.layers[{i}]") for i, item in enumerate(layers)
            ),
            water=Water.from_dict(data.get("water", {}), f"{path}.water"),
            palette=Palette.from_dict(data.get("palette", {}), f"{path}.palette"),
            attributes=tuple(
                _check_field(name, f"{path}.attributes[{i}]") for i, name in enumerate(attributes)
            ),
            **values,
        )

    def to_json(self) -> str:
        """The recipe as indented JSON text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """Inverse of :meth:`to_json`, also in UTF-8 and with a byte order mark.

        Raises ValueError for what is no JSON or has a key twice, and as :meth:`from_dict`.
        """
        try:
            data = parsed(text)
        except ValueError as error:
            raise ValueError(f"This is not a recipe: {error}") from None
        return cls.from_dict(data)


def _count(number: Any) -> int:
    """Points along a side; ValueError for what cannot be their number."""
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
    """``name`` if there is such a field, otherwise a ValueError that names ``path``."""
    if not isinstance(name, str) or name not in FIELDS:
        known = ", ".join(FIELDS)
        raise ValueError(f"{path}: there is no field named {short_repr(name)}; known: {known}")
    return name


def migrated(data: Any, path: str) -> dict[str, Any]:
    """``data`` brought to the current schema; there has been one schema so far."""
    schema = data.get("schema", SCHEMA)
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ValueError(
            f"{path}.schema: expected a whole number from 1 on, not {short_repr(schema)}"
        )
    if schema > SCHEMA:
        raise ValueError(
            f"{path}.schema: a newer version made this recipe (schema {short_repr(schema)}); "
            "update Procedural Terrain to open it"
        )
    return dict(data)
