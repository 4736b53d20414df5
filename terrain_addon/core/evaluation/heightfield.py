# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightfield: heights on a grid, and the fields derived from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..analysis import fields
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, never_cancelled
from ..recipe.recipe import Recipe


@dataclass(frozen=True)
class Heightfield:
    """What came out: ``height[j, i]`` in metres (float32, j along +Y, i along +X) and its masks."""

    grid: Grid
    height: Floats
    masks: Mapping[str, Floats]
    """Float32 fields by name, as `fields.FIELDS` lists them. Layers leave some; those that follow
    from the heights, such as "slope" (degrees), are always there, made when first asked for."""

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        grid: Grid,
        height: Floats,
        left: Mapping[str, Floats],
        cancelled: Cancel | None = None,
    ) -> Heightfield:
        """The land of a recipe from heights that are known, and the masks that its layers left."""
        radius = fields.radius_of(recipe.size_x, recipe.size_y)
        masks = Masks(grid, height, left, radius, cancelled or never_cancelled)
        return cls(grid, height, masks)

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest height in metres."""
        return float(self.height.min()), float(self.height.max())


class Masks(Mapping[str, Floats]):
    """The masks that layers left, and those derived from the height when asked for."""

    def __init__(
        self,
        grid: Grid,
        height: Floats,
        left: Mapping[str, Floats],
        radius: float,
        cancelled: Cancel,
    ) -> None:
        self._grid, self._height, self._radius = grid, height, radius
        self._fields, self._cancelled = dict(left), cancelled

    @small_ufunc_buffer()
    def __getitem__(self, name: str) -> Floats:
        if name not in self._fields:
            if name not in fields.FIELDS:
                raise KeyError(name)
            self._fields[name] = fields.derive(
                name, self._height, self._grid, self._radius, self._cancelled
            )
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._fields, *fields.derived()]))

    def __len__(self) -> int:
        return len({*self._fields, *fields.derived()})
