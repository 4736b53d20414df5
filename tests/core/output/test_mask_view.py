# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask view: the weight of a layer, values as colors, and their legend."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Cache, Cancelled, Heightfield, Layer, Map, Recipe, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.layers import LAYERS, MASKS, SHAPE, LayerKind, layer
from terrain_addon.core.output.mask_view import RAMP, WHEEL, field_colors, ramp, weight_colors
from tests.core.strategies import masks

GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4))
LUMINANCE = np.array([0.2126, 0.7152, 0.0722, 0.0], np.float32)  # of linear RGB (ITU-R BT.709)


class Lift(LayerKind):
    """The terrain below, one meter higher; counts its evaluations."""

    calls = 0

    def apply(self, context):
        type(self).calls += 1
        return context.height + np.float32(1)


@pytest.fixture(autouse=True)
def lift():
    Lift.calls = 0
    layer("lift", label="Lift", help="For a test", group=SHAPE)(Lift)
    yield
    LAYERS.remove("lift")


def lifted(*masks, above=(), **common):
    """Noise, and on it a layer that lifts the terrain by a meter where its masks let it."""
    return Recipe(seed=5, layers=(GROUND, Layer.of(Lift(), masks=masks, **common), *above))


SMOOTH = Layer.of(LAYERS["smooth"](radius=60.0))


@given(masks(soft=True), st.booleans())
def test_the_weight_is_what_evaluation_uses(chosen, smoothed):
    left = [mask for mask in chosen if mask.key == "field" and not FIELDS[mask.field].make]
    if left:
        return
    recipe = lifted(*chosen, above=(SMOOTH,) if smoothed else ())
    grid, cache = recipe.grid(33), Cache()
    weight = layer_weight(recipe, 1, grid, cache=cache)
    assert weight.shape == grid.shape and weight.dtype == np.float32
    below, made = (
        evaluate(dataclasses.replace(recipe, layers=recipe.layers[:n]), grid).height for n in (1, 2)
    )
    np.testing.assert_allclose(made - below, weight, atol=2e-4)
    np.testing.assert_array_equal(layer_weight(recipe, 1, grid), weight)
    plain, cached = evaluate(recipe, grid), evaluate(recipe, grid, cache=cache)
    np.testing.assert_array_equal(cached.height, plain.height)


def test_a_layer_without_masks_acts_everywhere_and_one_that_is_off_as_if_it_were_on():
    mask = MASKS["height"](low=0.0, high=50.0)
    grid = Recipe().grid(33)
    assert (layer_weight(lifted(), 1, grid) == 1).all()
    wanted = layer_weight(lifted(mask), 1, grid)
    assert 0 < wanted.mean() < 1
    for off in ({"enabled": False}, {"opacity": 0.0}):
        np.testing.assert_array_equal(layer_weight(lifted(mask, **off), 1, grid), wanted)
        weight, legend = weight_colors(lifted(mask, **off).layers[1], wanted)
        assert "would act" in legend.text and weight.shape == (33, 33, 4)


def test_layers_that_are_off_do_not_count_as_terrain_below():
    mask = MASKS["height"](low=0.0, high=50.0)
    off = dataclasses.replace(GROUND, enabled=False, name="Off")
    recipe = lifted(mask)
    more = dataclasses.replace(recipe, layers=(off, *recipe.layers))
    grid = recipe.grid(33)
    np.testing.assert_array_equal(layer_weight(more, 2, grid), layer_weight(recipe, 1, grid))


@pytest.mark.parametrize("above", [(), (SMOOTH,)])
def test_terrain_and_weight_are_evaluated_once_for_both(monkeypatch, above):
    """Also where layers above need a margin: the same points are asked for."""
    asked = []
    weigh = MASKS["height"].weight

    def counted(self, context):
        asked.append(self.low)
        return weigh(self, context)

    monkeypatch.setattr(MASKS["height"], "weight", counted)
    base, cache = Layer.of(Lift(), name="Base"), Cache()
    for n, low in enumerate((0.0, 1.0, 2.0), start=1):
        recipe = Recipe(
            layers=(base, Layer.of(SMOOTH.settings, masks=(MASKS["height"](low=low),)), *above)
        )
        grid = recipe.grid(17)
        layer_weight(recipe, 1, grid, cache=cache)
        evaluate(recipe, grid, cache=cache)
        layer_weight(recipe, 1, grid, cache=cache)
        assert len(asked) == n
    assert Lift.calls == 1


def test_painted_maps_are_part_of_what_a_weight_follows_from():
    mask, cache = MASKS["map"](source="Mine"), Cache()
    for value in (0.25, 0.75):
        painted = Map("Mine", np.full((3, 3), value, np.float32))
        recipe = dataclasses.replace(lifted(mask), maps=(painted,))
        weight = layer_weight(recipe, 1, recipe.grid(9), cache=cache)
        np.testing.assert_allclose(weight, value)


def test_what_cannot_be_shown_says_why():
    with pytest.raises(ValueError, match="There is no layer"):
        layer_weight(Recipe(), 0, Recipe().grid(5))
    recipe = lifted(MASKS["field"](field="flow"))
    with pytest.raises(ValueError, match="Flow"):
        layer_weight(recipe, 1, recipe.grid(5))
    with pytest.raises(ValueError, match="No layer produces 'Snow'"):
        field_colors("snow", evaluate(lifted(), lifted().grid(5)))


def test_a_weight_is_cancelled_and_progresses_like_the_layers_that_it_takes():
    recipe = lifted(MASKS["height"](), above=(SMOOTH, SMOOTH))
    shares = []
    layer_weight(recipe, 1, recipe.grid(9), progress=lambda share, text: shares.append(share))
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1 / 4
    with pytest.raises(Cancelled):
        layer_weight(recipe, 1, recipe.grid(9), cancelled=lambda: True)


def test_the_ramp_is_lighter_for_each_higher_value_and_never_dark():
    colors = ramp(np.linspace(-1, 3, 500, dtype=np.float32), -1.0, 3.0, RAMP)
    light = colors @ LUMINANCE
    assert (np.diff(light) >= 0).all() and light[0] > 0.05 and light[-1] > 0.85
    assert (colors[:, 3] == 1).all()
    steps = np.linalg.norm(np.diff(colors, axis=0), axis=1)
    assert steps.max() < 0.02  # no borders that the values do not have


def test_the_wheel_of_directions_closes_and_is_about_equally_light():
    colors = ramp(np.linspace(0, 360, 361, dtype=np.float32), 0.0, 360.0, WHEEL)
    np.testing.assert_array_equal(colors[0], colors[-1])
    light = colors @ LUMINANCE
    assert light.max() < 2.5 * light.min()


@given(
    st.floats(-(2.0**100), 2.0**100, width=32),
    st.floats(-(2.0**100), 2.0**100, width=32),
    st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=1, max_size=9),
)
def test_any_range_and_any_values_give_colours_of_the_ramp(one, other, values):
    low, high = sorted((one, other))
    colors = ramp(np.array(values, np.float32), low, high, RAMP)
    assert np.isfinite(colors).all() and (colors >= 0).all() and (colors <= 1).all()


@pytest.mark.parametrize("name", FIELDS)
def test_each_mask_is_shown_with_its_range_and_unit(name):
    recipe = lifted()
    grid = recipe.grid(65)
    along = grid.x.astype(np.float32)[None] * np.ones((65, 1), np.float32)
    left = {name: along for name, about in FIELDS.items() if not about.make}
    field = Heightfield(grid, evaluate(recipe, grid).height, left)
    colors, legend = field_colors(name, field)
    about, values = FIELDS[name], field.fields[name]
    assert legend.text.startswith(f"{about.label}, {legend.low} to {legend.high}")
    low, high = float(legend.low), float(legend.high)
    if about.low is not None:
        assert (low, high) == (about.low, about.high)
    elif values.min() < 0 < values.max():
        assert low == -high and (np.abs(values) <= high * 1.01).mean() > 0.97
    else:
        assert (low, high) == pytest.approx((values.min(), values.max()), rel=0.01)
    middle = np.abs(values - (low + high) / 2) < (high - low) / 2
    order = values[middle].argsort()
    if legend.colors == RAMP:
        assert (np.diff((colors @ LUMINANCE)[middle][order]) >= -1e-6).all()
    assert legend.text.endswith(" degrees") == (about.unit == "deg")
    assert legend.text.endswith(" degrees C") == (about.unit == "deg C")
    assert legend.text.endswith(" meters") == (about.unit == "m")
    assert legend.text.endswith(" radians per 100 m") == (about.unit == "rad/100 m")


def test_flat_ground_and_few_outliers_have_a_range_too():
    flat = Recipe()
    colors, legend = field_colors("plan_curvature", evaluate(flat, flat.grid(9)))
    assert (legend.low, legend.high) == ("0", "0") and (colors == colors[0, 0]).all()
    grid, values = flat.grid(65), np.zeros((65, 65), np.float32)
    values[0, :2] = -3.0, 2.0
    field = Heightfield(grid, np.zeros_like(values), {"plan_curvature": values})
    assert field_colors("plan_curvature", field)[1].high == "3"
