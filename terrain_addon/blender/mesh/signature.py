# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mesh was built from, as text beside the recipe."""

import dataclasses
import hashlib
import json
import re
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from ...core import Grid, Layer, Palette, Recipe, Water, real_terrain
from ...core.analysis import FIELDS, HABITAT
from ...core.output import MaskView
from ...core.recipe import uncolored
from ...core.settings import settings_of
from .new_grid import RESOLUTION


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a mesh was, or is to be, built from: points, size, digests of settings, fields.

    It is kept as text in ``Mesh.terrain.built``, so that undo restores it with the mesh.
    """

    nx: int = 0
    ny: int = 0
    size_x: float = 0.0
    size_y: float = 0.0
    heights: str = ""
    colors: str = ""
    water: str = ""
    maps: str = ""
    classes: str = ""
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, recipe: Recipe, grid: Grid, shown: MaskView | None = None) -> "Signature":
        """Return the signature of a recipe on a grid, ignoring names and notes.

        The digest of the colors includes the palette even while a mask is ``shown``: the palette
        may have to replace it.
        """
        heights = [
            recipe.seed,
            recipe.size_x,
            recipe.size_y,
            *recipe.read_by_layers,
            [_layer(layer) for layer in recipe.active],
            _inland(recipe.water) if recipe.water.inland else None,
        ]
        if recipe.field_radius:  # files saved before there was one have digests without it
            heights.append(recipe.field_radius)
        if not {*HABITAT}.isdisjoint(recipe.fields):
            heights += ["habitat", *recipe.surroundings.inputs]
        if recipe.seamless:
            heights.append("seamless")
        palettes = [recipe.palette, *(own for _, own in recipe.areas)]
        shown_as = _shown_settings(recipe, shown) if shown else []
        colors = [*map(_unnamed, palettes), recipe.material, *shown_as]
        classes = _classes(recipe) if shown is None else None
        water = [recipe.water.to_dict(), recipe.size_x, recipe.size_y]
        maps = [(_plain(one.name), one.digest.hex()) for one in recipe.maps]
        maps += [(shape.name, shape.digest.hex()) for shape in recipe.shapes]
        if recipe.imagery:
            maps.append((recipe.imagery.name, recipe.imagery.digest.hex()))
        size = float(recipe.size_x), float(recipe.size_y)
        digests = map(_digest, (heights, colors, water, maps, classes))
        return cls(grid.nx, grid.ny, *size, *digests, fields=recipe.fields)

    @classmethod
    def bare(cls, grid: Grid) -> "Signature":
        """Return the signature of a new mesh whose points no recipe has moved yet."""
        return cls(grid.nx, grid.ny, 0.0, 0.0, _BARE, _BARE, _BARE, _BARE)

    @classmethod
    def built(cls, terrain: Any) -> "Signature":
        """Return the signature that the mesh of a terrain was last built from."""
        return cls.parse(terrain.built)

    @classmethod
    @lru_cache(maxsize=64)  # a change of a slider asks a dozen times
    def parse(cls, text: str) -> "Signature":
        """Parse what ``str`` returned; an empty signature for text that no terrain was built
        from."""
        try:
            nx, ny, size_x, size_y, heights, colors, water, maps, *rest = text.split()
            numbers = int(nx), int(ny), float(size_x), float(size_y)
            known = tuple(name for name in dict.fromkeys(rest) if name in _FIELDS)
            # Files saved before there was a digest of classes have none.
            classes = rest[0] if rest and _DIGEST.fullmatch(rest[0]) else ""
            found = cls(*numbers, heights, colors, water, maps, classes, known)
            found._check()
        except ValueError:
            return cls()
        return found

    def _check(self) -> None:
        """Raise ValueError if nothing can have been built like that."""
        for count in (self.nx, self.ny):
            if not RESOLUTION["min"] <= count <= RESOLUTION["max"]:
                raise ValueError(f"A mesh does not have {count} points along a side")
        if self.is_bare:
            return
        for size in _SIZES:
            size.checked(getattr(self, size.name), size.name)
        digests = (self.heights, self.colors, self.water, self.maps)
        if not all(map(_DIGEST.fullmatch, digests)):
            raise ValueError("A digest has 16 digits")

    def __str__(self) -> str:
        *parts, fields = (getattr(self, field.name) for field in dataclasses.fields(self))
        return " ".join(map(str, (*parts, *fields)))

    def unfinished(self, old: "Signature") -> "Signature":
        """Return that of a mesh which had the ``old`` one, and was left while it was written.

        Its points may lie anywhere, and the fields of both are ours.
        """
        fields = tuple(dict.fromkeys((*old.fields, *self.fields)))
        return Signature(self.nx, self.ny, 0.0, 0.0, _BARE, _BARE, _BARE, _BARE, fields=fields)

    def without_colors(self) -> "Signature":
        """Return that of a mesh with the same heights, and colors and water that nothing gives."""
        none = _COARSE + "0" * 16
        return dataclasses.replace(self, colors=none, water=none, classes=none)

    def without_classes(self) -> "Signature":
        """Return that of a mesh with these colors, and weights of surface classes that nothing
        gives."""
        return dataclasses.replace(self, classes=_COARSE + self.classes)

    @property
    def lacks_classes(self) -> bool:
        """True while the weights of the surface classes have not been written yet."""
        return self.classes.startswith(_COARSE)

    @property
    def is_bare(self) -> bool:
        """Whether it is that of a new mesh."""
        return self.heights == _BARE

    @property
    def grid(self) -> Grid | None:
        """Where the points were put; None if no recipe has moved them yet, or it is unknown."""
        if not self.nx or self.is_bare:
            return None
        return Grid.points(self.size_x, self.size_y, self.nx, self.ny)

    def same_heights(self, other: "Signature") -> bool:
        """Return whether a mesh of this signature has the heights of the other."""
        names = ("nx", "ny", "heights", "maps")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def same_terrain(self, other: "Signature") -> bool:
        """Return whether a mesh of this signature has the heights and all fields of the other."""
        return self.same_heights(other) and set(other.fields) <= set(self.fields)

    def coarse(self) -> "Signature":
        """Return the signature of a preview: the same points, and a digest of no heights."""
        return dataclasses.replace(self, heights=_COARSE + self.heights)

    @property
    def is_coarse(self) -> bool:
        """Whether it is that of a preview."""
        return self.heights.startswith(_COARSE)


_BARE = "-"
_COARSE = "~"
_DIGEST = re.compile("~?[0-9a-f]{16}")
_FIELDS = FIELDS.keys() - {"slope"}
"""The optional fields: a mesh always has the slope."""
_SIZES = [setting for setting in settings_of(Recipe) if setting.name in ("size_x", "size_y")]


def _layer(layer: Layer) -> dict[str, Any]:
    """Return the settings of a layer, without its name and the folders of its files."""
    data = uncolored(layer).to_dict()
    for part in (data, *data["masks"].values()):
        settings = part.get("settings", part)
        for name, value in settings.items():
            if isinstance(value, str):
                settings[name] = _plain(value)
    count = layer.settings.holds
    return {**data, "name": ""} | ({} if count is None else {"count": count})


def _inland(water: Water) -> dict[str, Any]:
    """Return the settings that rivers and lakes depend on: a hidden sea ends no river."""
    return {**water.to_dict(), "level": water.level if water.show else None}


def _plain(name: str) -> str:
    """Return the name of a map without a folder, which changes when a blend file moves."""
    return PurePath(name).name if real_terrain.is_elevation(name) else name


def _unnamed(palette: Palette) -> dict[str, Any]:
    """Return the settings of a palette without the names of its colors."""
    regions = [{**region.to_dict(), "name": ""} for region in palette.regions]
    return {**palette.to_dict(), "regions": regions}


def _classes(recipe: Recipe) -> list[Any]:
    """Return what the weights of the surface classes depend on besides the heights."""
    palettes = [recipe.palette, *(own for _, own in recipe.areas)]
    return [*map(_uncolored, palettes), recipe.material]


def _uncolored(palette: Palette) -> dict[str, Any]:
    """Return the settings of a palette that say where its surface classes are."""
    regions = [
        {**region.to_dict(), "name": "", "color": "", "surface": region.surface_class}
        for region in palette.regions
    ]
    return {**palette.to_dict(), "rock_color": "", "regions": regions}


def _shown_settings(recipe: Recipe, shown: MaskView) -> list[Any]:
    """Return the settings besides the heights that the colors of a mask depend on.

    A layer that is off has no part in the heights, so it counts here.
    """
    if shown.mask in HABITAT:
        return [shown.mask, *recipe.surroundings.inputs]
    if not 0 <= shown.place < len(recipe.layers):
        return [shown.mask]
    layer = recipe.layers[shown.place]
    masks = {mask.key: mask.to_dict() for mask in layer.masks}
    return [shown.mask, shown.place, layer.on, masks, *recipe.habitat_read_by([layer])]


def _digest(data: Any) -> str:
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=8).hexdigest()
