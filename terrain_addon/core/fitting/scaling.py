# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a recipe to the size and the relief of a place."""

from __future__ import annotations

import dataclasses

from ..recipe.recipe import Layer, Recipe
from ..recipe.rescaling import rescale
from ..settings.params import Setting, Settings, settings_of

HIGHEST = 20.0
"""Factor by which heights are multiplied or divided, at most."""


def at_size(recipe: Recipe, side: float) -> Recipe:
    """Return the same terrain, scaled to a square of ``side`` meters; cut or continued where it is
    none.

    Examples
    --------
    >>> at_size(Recipe(size_x=500.0, size_y=250.0), 1000.0).size_y
    1000.0
    """
    recipe = rescale(recipe, side / max(recipe.size_x, recipe.size_y))
    return dataclasses.replace(recipe, size_x=side, size_y=side)


def with_numbers(recipe: Recipe, relief: float) -> Recipe:
    """Return the recipe with numbers for what is automatic, such as the valley spacing.

    Examples
    --------
    >>> from terrain_addon.core import Erosion
    >>> made = with_numbers(Recipe(size_x=2200.0, layers=(Erosion(),)), 300.0)
    >>> made.layers[0].settings.valley_spacing
    100.0
    """
    size = max(recipe.size_x, recipe.size_y)

    def filled(layer: Layer) -> Layer:
        settings = layer.settings
        found = {
            name: value
            for name, value in settings.automatic(size, relief).items()
            if not getattr(settings, name)
        }
        return dataclasses.replace(layer, settings=dataclasses.replace(settings, **found))

    return dataclasses.replace(recipe, layers=tuple(map(filled, recipe.layers)))


def with_relief(recipe: Recipe, relief: float, wanted: float) -> Recipe:
    """Return a recipe whose relief of so many meters is to become the one that is wanted.

    The heights of its layers, of its water and of its colors are multiplied; the relief follows
    about, as slopes that slide do not grow with the heights below.

    Examples
    --------
    >>> from terrain_addon.core import Hills
    >>> with_relief(Recipe(layers=(Hills(height=40.0),)), 80.0, 200.0).layers[0].settings.height
    100.0
    """
    factor = wanted / relief if relief > 0 else 1.0
    factor = min(max(factor, 1 / HIGHEST), HIGHEST)
    palette, water = recipe.palette, recipe.water
    if palette.measure == "meters":
        regions = (
            dataclasses.replace(region, start=region.start * factor) for region in palette.regions
        )
        palette = dataclasses.replace(palette, regions=tuple(regions))
    level = _known(water)["level"].limited(water.level * factor)
    return dataclasses.replace(
        recipe,
        layers=tuple(_higher(layer, factor) for layer in recipe.layers),
        water=dataclasses.replace(water, level=level),
        palette=palette,
    )


def _higher(layer: Layer, factor: float) -> Layer:
    """Return a layer whose heights are multiplied; where they are factors, they stay."""
    settings = layer.settings
    names = {*settings.height_settings}
    if layer.blend != "multiply":
        names.update(settings.heights)
    changed = {
        name: one.limited(getattr(settings, name) * factor)
        for name, one in _known(settings).items()
        if name in names
    }
    return dataclasses.replace(layer, settings=dataclasses.replace(settings, **changed))


def _known(settings: Settings) -> dict[str, Setting]:
    """Return the declared settings by name."""
    return {setting.name: setting for setting in settings_of(type(settings))}
