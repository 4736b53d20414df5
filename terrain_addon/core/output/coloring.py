# SPDX-License-Identifier: GPL-3.0-or-later
"""What the points of a terrain are coloured by: its palette, or a mask to look at."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.fields import FIELDS
from ..evaluation.cache import Cache
from ..evaluation.heightfield import Heightfield
from ..evaluation.stack import evaluate, layer_weight
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress
from ..recipe.recipe import Recipe
from .mask_view import LAYER, Legend, Shown, field_colors, weight_colors


@dataclass(frozen=True)
class Coloring:
    """Linear RGBA of each point, and what it means; None for the colours of the palette."""

    colors: Floats
    legend: Legend | None = None


@dataclass(frozen=True)
class Weight:
    """Where the layer acts whose masks are looked at, or why nobody knows; empty for no layer."""

    values: Floats | None = None
    reason: str = ""

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        grid: Grid,
        shown: Shown | None,
        cache: Cache | None,
        progress: LayerProgress | None,
        cancelled: Cancel | None,
    ) -> Weight:
        """To be made before the land, which then finds the weight and what lies below it."""
        if shown is None or shown.mask != LAYER:
            return cls()
        try:
            asked = recipe, shown.place, grid
            return cls(layer_weight(*asked, progress=progress, cancelled=cancelled, cache=cache))
        except ValueError as error:
            return cls(reason=str(error))


def colored(recipe: Recipe, field: Heightfield, shown: Shown | None, weight: Weight) -> Coloring:
    """The colours of a land; those of the palette too where there is no mask to look at."""
    if shown is None:
        return Coloring(_of_palette(recipe, field))
    try:
        if weight.values is not None:
            return Coloring(*weight_colors(recipe.layers[shown.place], weight.values))
        if weight.reason:
            raise ValueError(weight.reason)
        return Coloring(*field_colors(shown.mask, field))
    except ValueError as error:
        return Coloring(_of_palette(recipe, field), Legend(str(error)))


def recolored(
    recipe: Recipe,
    kept: Heightfield,
    shown: Shown | None,
    cache: Cache | None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Coloring:
    """The colours of a land that is there already, ``kept`` by its mesh.

    Only for a mask that the mesh does not carry the layers are asked, or the cache.
    """
    weight = Weight.of(recipe, kept.grid, shown, cache, progress, cancelled)
    field = kept
    if shown and shown.mask in FIELDS and shown.mask not in kept.fields:
        field = evaluate(recipe, kept.grid, progress=progress, cancelled=cancelled, cache=cache)
    return colored(recipe, field, shown, weight)


def _of_palette(recipe: Recipe, field: Heightfield) -> Floats:
    cover = recipe.palette.cover(field.fields)
    return recipe.palette.colors(field.height, field.fields["slope"], *field.range, cover)
