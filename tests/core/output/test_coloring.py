# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Heightfield, Layer, Recipe, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.masks import MASKS
from terrain_addon.core.output import LAYER_MASKS, MaskView, evaluate_colored, recolored

HILLS = Layer.of(LAYERS["fractal_noise"]())
ON_SLOPES = Layer.of(LAYERS["smooth"](), masks=(MASKS["slope"](),))
RECIPE = Recipe(layers=(HILLS, ON_SLOPES))
GRID = RECIPE.grid(33)


def of_palette(field: Heightfield):
    return RECIPE.palette.colors(field.height, field.fields["slope"], *field.range)


VIEWS = [None, MaskView("slope"), MaskView("wetness"), MaskView(LAYER_MASKS, 1)]


@pytest.mark.parametrize("view", VIEWS)
def test_an_evaluated_terrain_gets_the_colors_of_a_new_one(view):
    field, new = evaluate_colored(RECIPE, GRID, view)
    again = recolored(RECIPE, field, view, None)
    np.testing.assert_array_equal(again.colors, new.colors)
    assert again.legend == new.legend
    assert (new.legend is None) == (view is None)
    assert np.array_equal(new.colors, of_palette(field)) == (view is None)


@pytest.mark.parametrize("view", [MaskView("snow"), MaskView(LAYER_MASKS, 7)])
def test_a_view_without_values_has_the_colors_of_the_palette_and_the_reason(view):
    field = evaluate(RECIPE, GRID)
    made = recolored(RECIPE, field, view, None)
    np.testing.assert_array_equal(made.colors, of_palette(field))
    assert made.legend is not None and made.legend.text and not made.legend.colors
    assert view.mask not in FIELDS or FIELDS[view.mask].label in made.legend.text
