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
    """What a mesh was, or is to be, built from: its points, land, look, sea, maps and attributes.

    Kept as text beside the recipe on the mesh, so that undo takes both back together.
    """

    nx: int = 0
    ny: int = 0
    size_x: float = 0.0
    size_y: float = 0.0
    land: str = ""
    look: str = ""
    sea: str = ""
    maps: str = ""
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, recipe: Recipe, grid: Grid, shown: MaskView | None = None) -> "Signature":
        """That of a recipe on a grid; names and notes leave it as it is.

        The mask that is ``shown`` is part of the look, as is the palette, which may have to stand
        in for it.
        """
        active = recipe.active
        land = [
            recipe.seed,
            recipe.size_x,
            recipe.size_y,
            recipe.water.level,
            [{**layer.to_dict(), "name": ""} for layer in active],
            recipe.water.to_dict() if recipe.water.inland else None,
        ]
        palette = recipe.palette.to_dict()
        palette["regions"] = [{**region, "name": ""} for region in palette["regions"]]
        look = [palette, *_look_of(recipe, shown)] if shown else palette
        sea = [recipe.water.to_dict(), recipe.size_x, recipe.size_y]
        maps = [(painted.name, painted.digest.hex()) for painted in recipe.maps]
        parts = (land, look, sea, maps)
        size = float(recipe.size_x), float(recipe.size_y)
        return cls(grid.nx, grid.ny, *size, *map(_digest, parts), fields=recipe.fields)

    @classmethod
    def bare(cls, grid: Grid) -> "Signature":
        """That of points and faces which no recipe has moved yet."""
        return cls(grid.nx, grid.ny, land=_BARE, look=_BARE, sea=_BARE, maps=_BARE)

    @classmethod
    def parse(cls, text: str) -> "Signature":
        """Inverse of ``str``; an empty one for text that is none."""
        try:
            nx, ny, size_x, size_y, land, look, sea, maps, *fields = text.split()
            size = float(size_x), float(size_y)
            return cls(int(nx), int(ny), *size, land, look, sea, maps, tuple(fields))
        except ValueError:
            return cls()

    def __str__(self) -> str:
        numbers = (self.nx, self.ny, self.size_x, self.size_y)
        return " ".join(
            map(str, (*numbers, self.land, self.look, self.sea, self.maps, *self.fields))
        )

    @property
    def grid(self) -> Grid | None:
        """Where the points were put; None where no recipe has put them anywhere."""
        if self.nx < 2 or self.ny < 2 or self.land == _BARE:
            return None
        return Grid.points(self.size_x, self.size_y, self.nx, self.ny)

    def same_terrain(self, other: "Signature") -> bool:
        """Whether the other can be had from this one: only colours differ, no mask is missing."""
        same = self.made_from() == other.made_from()
        return same and set(other.fields) <= set(self.fields)

    def made_from(self) -> tuple[int, int, str, str]:
        """What the heights follow from."""
        return self.nx, self.ny, self.land, self.maps

    def coarse(self) -> "Signature":
        """That of a preview: same points, a land that no recipe has."""
        return dataclasses.replace(self, land="~" + self.land)


_BARE = "-"


def _look_of(recipe: Recipe, shown: MaskView) -> list[Any]:
    """What the colours of a mask follow from, beside the land, which has no layers that are off."""
    if not 0 <= shown.place < len(recipe.layers):
        return [shown.mask]
    layer = recipe.layers[shown.place]
    masks = {mask.key: mask.to_dict() for mask in layer.masks}
    return [shown.mask, shown.place, layer.on, masks]


def _digest(data: Any) -> str:
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=8).hexdigest()
