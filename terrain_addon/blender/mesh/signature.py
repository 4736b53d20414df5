# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mesh was built from, as text beside the recipe."""

import dataclasses
import hashlib
import json
from typing import Any

from ...core import Grid, Recipe
from ...core.output import MaskView


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
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, recipe: Recipe, grid: Grid, shown: MaskView | None = None) -> "Signature":
        """That of a recipe on a grid; names and notes do not change it.

        The digest of the colors includes the palette even while a mask is ``shown``: the palette
        may have to replace it.
        """
        heights = [
            recipe.seed,
            recipe.size_x,
            recipe.size_y,
            recipe.water.level,
            [{**layer.to_dict(), "name": ""} for layer in recipe.active],
            recipe.water.to_dict() if recipe.water.inland else None,
        ]
        palette = recipe.palette.to_dict()
        palette["regions"] = [{**region, "name": ""} for region in palette["regions"]]
        colors = [palette, *_shown_settings(recipe, shown)] if shown else palette
        water = [recipe.water.to_dict(), recipe.size_x, recipe.size_y]
        maps = [(painted.name, painted.digest.hex()) for painted in recipe.maps]
        size = float(recipe.size_x), float(recipe.size_y)
        digests = map(_digest, (heights, colors, water, maps))
        return cls(grid.nx, grid.ny, *size, *digests, fields=recipe.fields)

    @classmethod
    def bare(cls, grid: Grid) -> "Signature":
        """That of a new mesh whose points no recipe has moved yet."""
        return cls(grid.nx, grid.ny, 0.0, 0.0, _BARE, _BARE, _BARE, _BARE)

    @classmethod
    def built(cls, terrain: Any) -> "Signature":
        """What the mesh of a terrain was last built from."""
        return cls.parse(terrain.built)

    @classmethod
    def parse(cls, text: str) -> "Signature":
        """Inverse of ``str``; an empty signature for text of another form."""
        try:
            nx, ny, size_x, size_y, heights, colors, water, maps, *fields = text.split()
            size = float(size_x), float(size_y)
            return cls(int(nx), int(ny), *size, heights, colors, water, maps, tuple(fields))
        except ValueError:
            return cls()

    def __str__(self) -> str:
        *parts, fields = (getattr(self, one.name) for one in dataclasses.fields(self))
        return " ".join(map(str, (*parts, *fields)))

    @property
    def grid(self) -> Grid | None:
        """Where the points were put; None if no recipe has moved them yet."""
        if self.nx < 2 or self.ny < 2 or self.heights == _BARE:
            return None
        return Grid.points(self.size_x, self.size_y, self.nx, self.ny)

    def same_terrain(self, other: "Signature") -> bool:
        """Whether a mesh of this signature has the heights and all fields of the other."""
        names = ("nx", "ny", "heights", "maps")
        same = all(getattr(self, name) == getattr(other, name) for name in names)
        return same and set(other.fields) <= set(self.fields)

    def coarse(self) -> "Signature":
        """That of a preview: the same points, and a digest that no heights have."""
        return dataclasses.replace(self, heights="~" + self.heights)


_BARE = "-"


def _shown_settings(recipe: Recipe, shown: MaskView) -> list[Any]:
    """What the colors of a mask depend on beside the heights.

    A layer that is off has no part in the heights, so it counts here.
    """
    if not 0 <= shown.place < len(recipe.layers):
        return [shown.mask]
    layer = recipe.layers[shown.place]
    masks = {mask.key: mask.to_dict() for mask in layer.masks}
    return [shown.mask, shown.place, layer.on, masks]


def _digest(data: Any) -> str:
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=8).hexdigest()
