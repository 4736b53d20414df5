# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.layers import LAYERS, MASKS
from tests.core.strategies import settings as any_settings

BASE = Layer.of(LAYERS["fractal_noise"](height=200.0, octaves=4))
LIFT = LAYERS["levels"](output_min=1000.0, output_max=1200.0)  # the terrain, 1000 m higher


def lifted(mask, resolution=65, **size):
    """How much of a 1000 m lift the mask lets through, and the terrain below."""
    recipe = Recipe(layers=(BASE, Layer.of(LIFT, masks=(mask,))), **size)
    below = evaluate(Recipe(layers=(BASE,), **size), recipe.grid(resolution))
    made = evaluate(recipe, recipe.grid(resolution)).height
    return (made - below.height) / 1000, below


def test_height_mask_acts_between_two_heights():
    weight, below = lifted(MASKS["height"](low=-20.0, high=40.0, fade=10.0))
    expected = np.interp(below.height, [-30, -20, 40, 50], [0, 1, 1, 0])
    np.testing.assert_allclose(weight, expected, atol=1e-5)


def test_slope_mask_acts_between_two_slopes():
    weight, below = lifted(MASKS["slope"](low=10.0, high=20.0, fade=4.0))
    expected = np.interp(below.fields["slope"], [6, 10, 20, 24], [0, 1, 1, 0])
    # The mask sees the terrain beyond the border, the slope of the height field does not.
    np.testing.assert_allclose(weight[1:-1, 1:-1], expected[1:-1, 1:-1], atol=1e-4)


@pytest.mark.parametrize("key", MASKS)
@given(data=st.data())
def test_every_mask_is_a_share_and_inverts(key, data):
    mask = data.draw(any_settings(MASKS[key], soft=True))
    # Fields without `make` come from layers such as erosion, and there is none.
    assume(key != "field" or FIELDS[mask.field].make)
    weight, _ = lifted(mask, 17)
    assert weight.min() >= -1e-5 and weight.max() <= 1 + 1e-5
    if hasattr(mask, "invert"):
        other, _ = lifted(type(mask)(**{**mask.to_dict(), "invert": not mask.invert}), 17)
        np.testing.assert_allclose(weight + other, 1, atol=1e-4)


def test_without_a_fade_the_border_is_sharp():
    weight, below = lifted(MASKS["height"](low=0.0, high=1e4, fade=0.0))
    np.testing.assert_allclose(weight, below.height >= 0, atol=1e-5)


def test_masks_multiply():
    first, second = MASKS["height"](low=0.0), MASKS["slope"](high=15.0)
    both = Recipe(layers=(BASE, Layer.of(LIFT, masks=(first, second))))
    made = evaluate(both, both.grid(33)).height
    a, below = lifted(first, 33)
    b, _ = lifted(second, 33)
    np.testing.assert_allclose((made - below.height) / 1000, a * b, atol=1e-5)


@pytest.mark.parametrize("coverage", [0.0, 0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("softness", [0.0, 0.5, 1.0])
def test_patches_of_noise_cover_what_they_should(coverage, softness):
    weight, _ = lifted(MASKS["noise"](size=30.0, coverage=coverage, softness=softness), 257)
    assert weight.mean() == pytest.approx(coverage, abs=0.04)
    if coverage in (0.0, 1.0):
        np.testing.assert_allclose(weight, coverage, atol=1e-4)


def test_patches_are_the_same_at_any_resolution_and_another_with_another_seed():
    fine, _ = lifted(MASKS["noise"](), 65)
    coarse, _ = lifted(MASKS["noise"](), 33)
    np.testing.assert_allclose(fine[::2, ::2], coarse, atol=1e-3)
    other, _ = lifted(MASKS["noise"](seed=1), 65)
    assert np.abs(other - fine).max() > 0.2


@given(
    size=st.floats(50, 1e5), octaves=st.integers(1, 6), coverage=st.floats(0.2, 0.8),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_seamless_patches_go_on_across_the_border(size, octaves, coverage, seed):
    """The first and last rows and columns are one, and the next ones follow as smoothly."""
    mask = MASKS["noise"](
        size=size, octaves=octaves, coverage=coverage, softness=1.0, seed=seed, seamless=True
    )
    weight, _ = lifted(mask, 131, size_x=1300.0, size_y=900.0)
    for across in (weight, weight.T):
        np.testing.assert_allclose(across[0], across[-1], atol=2e-3)  # of heights in float32
        assert np.abs(across[1] - across[-2]).max() < 2.5 * np.abs(np.diff(across, axis=0)).max()


def test_patches_have_a_seam_if_not_asked_otherwise():
    """As files of before say nothing of it."""
    mask = MASKS["noise"]()
    assert not mask.seamless
    weight, _ = lifted(mask, 131, size_x=1300.0, size_y=900.0)
    assert np.abs(weight[:, 0] - weight[:, -1]).max() > 0.2
    saved = {key: value for key, value in mask.to_dict().items() if key != "seamless"}
    assert type(mask).from_dict(saved, "mask") == mask


def test_seamless_patches_become_a_whole_part_of_the_terrain():
    other, _ = lifted(MASKS["noise"](size=1300 / 4, seamless=True), 131, size_x=1300, size_y=975)
    same, _ = lifted(MASKS["noise"](size=330.0, seamless=True), 131, size_x=1300, size_y=975)
    np.testing.assert_array_equal(other, same)  # 3.9 of them become 4


@pytest.mark.parametrize("name", ["slope", "valley", "hillshade"])
def test_field_mask_acts_where_a_mask_of_the_terrain_below_lies(name):
    weight, below = lifted(MASKS["field"](field=name, low=0.3, high=0.6, fade=0.2))
    expected = np.interp(below.fields[name], [0.1, 0.3, 0.6, 0.8], [0, 1, 1, 0])
    inner = (slice(2, -2), slice(2, -2))  # the mask sees the terrain beyond the border
    np.testing.assert_allclose(weight[inner], expected[inner], atol=1e-4)


def test_field_mask_takes_what_layers_below_left():
    snow = Layer.of(LAYERS["snow"](depth=5.0, line=0.0, fade=50.0))
    lift = Layer.of(LIFT, masks=(MASKS["field"](field="snow", low=1.0, high=1e5, fade=0.0),))
    recipe = Recipe(layers=(BASE, snow, lift))
    below = evaluate(Recipe(layers=(BASE, snow)), recipe.grid(65))
    made = evaluate(recipe, recipe.grid(65)).height
    lifts = (below.fields["snow"] >= 1)[8:-8, 8:-8]  # at the border snow slides in from beyond
    assert lifts.any() and not lifts.all()
    found = ((made - below.height) / 1000)[8:-8, 8:-8]
    np.testing.assert_allclose(found, lifts, atol=1e-4)


def test_field_mask_says_what_is_missing():
    recipe = Recipe(layers=(BASE, Layer.of(LIFT, masks=(MASKS["field"](field="erosion_depth"),))))
    with pytest.raises(
        ValueError, match="No layer earlier in the list produces the field 'Erosion Depth'"
    ):
        evaluate(recipe, recipe.grid(9))


@pytest.mark.parametrize(
    ("key", "values"),
    [("height", {"fade": 1e7}), ("field", {"fade": 1e7, "field": "slope"}), ("map", {})],
)
def test_ranges_have_limits_within_which_they_work(key, values):
    widest = {"low": -1e7, "high": 1e7, **values}
    for name in widest.keys() - {"field"}:
        with pytest.raises(ValueError, match=f"{name}: .* value, -?10000000$"):
            MASKS[key](**{name: widest[name] * 1e300})
    weight, _ = lifted(MASKS[key](**widest), 17)
    np.testing.assert_allclose(weight, 1, atol=1e-5)
