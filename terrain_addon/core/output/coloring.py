# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of the points of a terrain: those of its palette, or a view of a mask or field."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.fields import FIELDS
from ..evaluation.cache import Cache
from ..evaluation.heightfield import Heightfield
from ..evaluation.layer_times import LayerTimes
from ..evaluation.stack import evaluate, layer_weight
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress
from ..recipe.recipe import SIMPLE, Recipe
from .mask_view import LAYER_MASKS, Legend, MaskView, field_colors, weight_colors


@dataclass(frozen=True)
class Coloring:
    """Linear RGBA (ny, nx, 4) float32, and what the colors mean; no legend for the palette.

    ``surfaces`` holds weights of the surface classes in two sets of four, (2, ny, nx, 4) float32,
    where the natural material shows the palette.
    """

    colors: Floats
    legend: Legend | None = None
    surfaces: Floats | None = None


def evaluate_colored(
    recipe: Recipe,
    grid: Grid,
    view: MaskView | None = None,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
    times: LayerTimes | None = None,
) -> tuple[Heightfield, Coloring]:
    """Evaluate a recipe, and color its points.

    Parameters
    ----------
    view : what the colors show; by default the palette, as well as where the view has no values,
        with the reason as its legend
    recipe, grid, progress, cancelled, cache, times : as for :func:`~.stack.evaluate`

    Returns
    -------
    terrain : Heightfield, with those fields from layers that attributes, palette and view use
    coloring : Coloring

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> recipe = presets.load("crater_field")
    >>> terrain, coloring = evaluate_colored(recipe, recipe.grid(33), MaskView("slope"))
    >>> coloring.colors.shape, coloring.legend.text
    ((33, 33, 4), 'Slope, 0 to 90 degrees')
    """
    # The weight first: the evaluation then finds it, and the terrain below, in the cache.
    weight = _weight(recipe, grid, view, cache, progress, cancelled, times)
    terrain = evaluate(
        recipe,
        grid,
        progress=progress,
        cancelled=cancelled,
        cache=cache,
        fields=_used(recipe, view),
        times=times,
    )
    return terrain, _colored(recipe, terrain, view, weight)


def recolored(
    recipe: Recipe,
    terrain: Heightfield,
    view: MaskView | None,
    cache: Cache | None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    *,
    classes: bool = True,
) -> Coloring:
    """Color a terrain that was evaluated before, with the weights of surface ``classes`` if the
    material has them, or without.

    Parameters are those of :func:`evaluate_colored`. The recipe is evaluated again, from the cache
    as far as possible, only where ``terrain`` lacks the field in view.

    Examples
    --------
    >>> from terrain_addon.core import evaluate, presets
    >>> recipe = presets.load("crater_field")
    >>> terrain = evaluate(recipe, recipe.grid(33))
    >>> recolored(recipe, terrain, MaskView("ridge"), None).legend.text
    'Ridge, 0 to 1'
    """
    weight = _weight(recipe, terrain.grid, view, cache, progress, cancelled)
    if view and view.mask in FIELDS and view.mask not in terrain.fields:
        terrain = evaluate(
            recipe,
            terrain.grid,
            progress=progress,
            cancelled=cancelled,
            cache=cache,
            fields=_used(recipe, view),
        )
    return _colored(recipe, terrain, view, weight, classes)


def _used(recipe: Recipe, view: MaskView | None) -> set[str]:
    """Return the names of the fields that attributes, palette and view use.

    The view of a layer that is off included: the evaluation shares its terrain below.
    """
    used = set(recipe.fields)
    if view is not None and view.mask == LAYER_MASKS:
        layers = recipe.layers[max(view.place, 0) : view.place + 1]
        used.update(name for layer in layers for mask in layer.masks for name in mask.reads)
    elif view is not None:
        used.add(view.mask)
    return used


def _weight(
    recipe: Recipe,
    grid: Grid,
    view: MaskView | None,
    cache: Cache | None,
    progress: LayerProgress | None,
    cancelled: Cancel | None,
    times: LayerTimes | None = None,
) -> Floats | ValueError | None:
    """Return the weight of the layer in view, or why it has none; None when no layer is in view."""
    if view is None or view.mask != LAYER_MASKS:
        return None
    try:
        return layer_weight(
            recipe,
            view.place,
            grid,
            progress=progress,
            cancelled=cancelled,
            cache=cache,
            fields=_used(recipe, view),
            times=times,
        )
    except ValueError as error:
        return error


def _colored(
    recipe: Recipe,
    terrain: Heightfield,
    view: MaskView | None,
    weight: Floats | ValueError | None,
    classes: bool = True,
) -> Coloring:
    def by_palette(classes: bool) -> Coloring:
        return palette_coloring(recipe, terrain, terrain.range, classes=classes)

    if view is None:
        return by_palette(classes)
    try:
        if isinstance(weight, ValueError):
            raise weight
        if weight is not None:
            return Coloring(*weight_colors(recipe.layers[view.place], weight))
        return Coloring(*field_colors(view.mask, terrain))
    except ValueError as error:
        return Coloring(by_palette(classes=False).colors, Legend(str(error)))


def palette_coloring(
    recipe: Recipe, terrain: Heightfield, ends: tuple[float, float], *, classes: bool = True
) -> Coloring:
    """Return the colors of a recipe's palette, with the weights of surface ``classes`` if its
    material has them, or without.

    Parameters
    ----------
    terrain : with "slope" and the fields that the palette uses
    ends : lowest and highest point of the whole terrain in meters
    """
    palette, height, fields = recipe.colors, terrain.height, terrain.fields
    slope = fields["slope"] if palette.needs_slope else None
    cover = recipe.cover(fields, terrain.grid)
    if recipe.material == SIMPLE or not classes:
        return Coloring(palette.colors(height, slope, *ends, cover, fields))
    colors, surfaces = palette.colors_and_classes(height, slope, *ends, fields, cover)
    return Coloring(colors, surfaces=surfaces)
