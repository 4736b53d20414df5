# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Heightfield, Layer, Recipe, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.masks import MASKS
from terrain_addon.core.output import SHOWN_LAYER, Shown, ShownWeight, colored, recolored

HILLS = Layer.of(LAYERS["fractal_noise"]())
ON_SLOPES = Layer.of(LAYERS["smooth"](), masks=(MASKS["slope"](),))
RECIPE = Recipe(layers=(HILLS, ON_SLOPES))
GRID = RECIPE.grid(33)


def of_palette(field: Heightfield):
    return RECIPE.palette.colors(field.height, field.fields["slope"], *field.range)


@pytest.mark.parametrize("shown", [None, Shown("slope"), Shown("wetness"), Shown(SHOWN_LAYER, 1)])
def test_a_land_that_is_there_gets_the_colours_that_a_new_one_has(shown):
    field = evaluate(RECIPE, GRID)
    new = colored(RECIPE, field, shown, ShownWeight.of(RECIPE, GRID, shown, None, None, None))
    again = recolored(RECIPE, field, shown, None)
    np.testing.assert_array_equal(again.colors, new.colors)
    assert again.legend == new.legend
    assert (new.legend is None) == (shown is None)
    assert np.array_equal(new.colors, of_palette(field)) == (shown is None)


@pytest.mark.parametrize("shown", [Shown("snow"), Shown(SHOWN_LAYER, 7)])
def test_without_a_mask_to_look_at_there_are_the_palettes_colours_and_the_reason(shown):
    field = evaluate(RECIPE, GRID)
    made = recolored(RECIPE, field, shown, None)
    np.testing.assert_array_equal(made.colors, of_palette(field))
    assert made.legend is not None and made.legend.text and not made.legend.colors
    assert shown.mask not in FIELDS or FIELDS[shown.mask].label in made.legend.text
