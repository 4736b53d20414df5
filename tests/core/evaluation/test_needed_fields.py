# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that nothing uses are not computed, and no cached result lacks one that is used."""

import dataclasses
import itertools

import numpy as np
import pytest

from terrain_addon.core import Cache, Layer, Palette, Recipe, Region, evaluate
from terrain_addon.core.erosion.surface import fields
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.output import LAYER_MASKS, MaskView, evaluate_colored, recolored

NAMES = ("flow", "erosion_depth", "deposition", "snow")
GROUND = Layer.of(LAYERS["fractal_noise"](height=300.0, octaves=3))
EROSION = Layer.of(LAYERS["erosion"](resolution="128"), opacity=0.8)
SNOW = Layer.of(LAYERS["snow"](line=0.0, fade=300.0))
RIVERS = (MASKS["field"](field="flow", low=0.2),)
LIFT = LAYERS["levels"](output_max=120.0)
RECIPE = Recipe(material="simple", layers=(GROUND, EROSION, SNOW))
MASKED = Recipe(material="simple", layers=(GROUND, EROSION, SNOW, Layer.of(LIFT, masks=RIVERS)))
GRID = RECIPE.grid(65)


@pytest.fixture
def made(monkeypatch):
    """Names of the functions that computed fields of erosion."""
    called = []

    def noted(name):
        compute = getattr(fields, name)

        def note(*args, **kwargs):
            called.append(name)
            return compute(*args, **kwargs)

        return note

    for name in ("erosion_depth", "flow_and_deposition"):
        monkeypatch.setattr(fields, name, noted(name))
    return called


@pytest.mark.parametrize("recipe", [RECIPE, MASKED], ids=["plain", "masked"])
def test_any_choice_of_fields_has_the_bits_of_all(recipe):
    cache, whole = Cache(), evaluate(recipe, GRID)
    assert set(NAMES) < set(whole.fields)
    choices = [c for n in range(5) for c in itertools.combinations(NAMES, n)]
    for chosen in (*choices, *reversed(choices)):  # each after fewer and after more
        terrain = evaluate(recipe, GRID, cache=cache, fields=chosen)
        np.testing.assert_array_equal(terrain.height, whole.height)
        for name in (*chosen, "slope"):
            np.testing.assert_array_equal(terrain.fields[name], whole.fields[name])
        read = {"flow"} if recipe is MASKED else set()
        assert {name for name in NAMES if name in terrain.fields} == {*chosen} | read
    everything = evaluate(recipe, GRID, cache=cache)
    for name in NAMES:
        np.testing.assert_array_equal(everything.fields[name], whole.fields[name])


def test_fields_that_nothing_uses_are_not_computed(made):
    evaluate(RECIPE, GRID, fields=("snow", "slope"))
    assert made == []
    evaluate(RECIPE, GRID, fields=("erosion_depth",))
    assert made == ["erosion_depth"]
    evaluate(MASKED, GRID, fields=())
    assert made[1:] == ["flow_and_deposition"], "the mask reads the flow"
    made.clear()
    evaluate(RECIPE, GRID)
    assert sorted(made) == ["erosion_depth", "flow_and_deposition"], "all by default"


def test_the_terrain_below_gullies_carries_no_fields(made):
    gullies = Layer.of(LAYERS["gullies"]())
    evaluate(Recipe(layers=(GROUND, EROSION, gullies)), GRID, fields=())
    assert made == []


def test_colors_and_attributes_decide_what_is_computed(made):
    evaluate_colored(RECIPE, GRID)
    assert made == []
    river = Region(name="River", based_on="flow", low=0.1, high=0.5, color="#0000FF")
    for recipe, view, expected in (
        (dataclasses.replace(RECIPE, attributes=("erosion_depth",)), None, "erosion_depth"),
        (dataclasses.replace(RECIPE, palette=Palette(regions=(river,))), None, "flow"),
        (dataclasses.replace(RECIPE, material="natural"), None, "deposition"),
        (RECIPE, MaskView("deposition"), "deposition"),
    ):
        made.clear()
        terrain, colored = evaluate_colored(recipe, GRID, view)
        assert len(made) == 1 and expected in terrain.fields
        whole = evaluate(recipe, GRID)
        np.testing.assert_array_equal(terrain.height, whole.height)
        again = recolored(recipe, whole, view, None)
        np.testing.assert_array_equal(colored.colors, again.colors)
        assert colored.legend == again.legend


def test_a_view_of_a_field_that_was_not_computed_computes_it(made):
    cache = Cache()
    terrain, _ = evaluate_colored(RECIPE, GRID, cache=cache)
    shown = recolored(RECIPE, terrain, MaskView("flow"), cache)
    assert made == ["flow_and_deposition"] and shown.legend.text == "Flow, 0 to 1"


@pytest.mark.parametrize("on", [True, False])
def test_a_view_of_masks_shares_the_terrain_below(made, on):
    lifted = Layer.of(LIFT, masks=RIVERS, enabled=on)
    recipe = Recipe(layers=(GROUND, EROSION, lifted))
    _, shown = evaluate_colored(recipe, GRID, MaskView(LAYER_MASKS, 2), cache=Cache())
    assert made == ["flow_and_deposition"] and shown.legend.colors
