# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for every kind of layer; a new kind is tested here by itself."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Cache, Cancelled, Layer, Recipe, evaluate
from terrain_addon.core.analysis import HABITAT
from terrain_addon.core.layers import GENERATE, LAYERS, POINT, WHOLE
from terrain_addon.core.settings import settings_of
from tests.core.strategies import drawn, settings as any_settings

KINDS = {key: kind for key, kind in LAYERS.items() if key != "group"}
"""A group has no settings of its own, and does nothing without members."""
LOCAL = [key for key, cls in KINDS.items() if cls.depends_on != WHOLE]
GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))
SIZE = {"size_x": 1000.0, "size_y": 800.0}


def on_ground(kind):
    return drawn(Recipe(seed=2, layers=(GROUND, Layer.of(kind)), **SIZE))


@pytest.mark.parametrize("key", KINDS)
def test_a_layer_tells_what_it_is(key):
    kind = LAYERS[key]
    assert kind.key == key and kind.label and kind.help and not kind.help.endswith(".")
    assert settings_of(kind), "a layer without settings has nothing to tweak"
    usual = Layer.of(kind())
    assert usual.name == kind.label
    assert usual.blend == ("add" if kind.group == GENERATE else "replace")


@pytest.mark.parametrize("key", KINDS)
def test_labels_fit_the_sidebar_and_tooltips_read_as_blenders(key):
    for one in settings_of(LAYERS[key]):
        assert len(one.label) <= (20 if one.kind == "bool" else 14), one.label
        assert one.help and not one.help.endswith("."), one.name


@pytest.mark.parametrize("key", KINDS)
@given(data=st.data())
def test_any_settings_survive_json(key, data):
    layer = Layer.of(data.draw(any_settings(LAYERS[key])))
    recipe = Recipe(layers=(layer,))
    assert Recipe.from_json(recipe.to_json()) == recipe


@pytest.mark.nightly("examples")
@pytest.mark.parametrize("key", LOCAL)
@given(data=st.data())
def test_any_settings_make_terrain(key, data):
    """Many settings at once; tests/core/layers/test_boundaries.py has each of them at its ends."""
    recipe = on_ground(data.draw(any_settings(LAYERS[key], soft=True)))
    field = evaluate(recipe, recipe.grid((9, 7)))
    assert field.height.shape == (7, 9) and field.height.dtype == np.float32
    assert field.height.flags.c_contiguous and np.isfinite(field.height).all()


@pytest.mark.parametrize("key", KINDS)
def test_defaults_do_something(key):
    steep = Layer.of(LAYERS["fractal_noise"](height=700.0))
    recipe = drawn(Recipe(layers=(steep, Layer.of(LAYERS[key]())), **SIZE))
    grid = recipe.grid(65)
    before = evaluate(dataclasses.replace(recipe, layers=(steep,)), grid).height
    after = evaluate(recipe, grid).height
    if key not in (
        "levels",
        "height_map",
        "stamp",
        "from_nodes",
    ):  # these keep all heights until they are set
        assert np.abs(after - before).max() > 0.1


@pytest.mark.parametrize("key", KINDS)
def test_same_bits_every_time_and_from_the_cache(key):
    recipe, cache = on_ground(LAYERS[key]()), Cache()
    grid = recipe.grid(33)
    first = evaluate(recipe, grid, cache=cache)
    for again in (evaluate(recipe, grid), evaluate(recipe, grid, cache=cache)):
        np.testing.assert_array_equal(again.height, first.height)
        assert set(again.fields) == set(first.fields)
        for name in {*first.fields} - {*HABITAT}:
            mask = first.fields[name]
            np.testing.assert_array_equal(again.fields[name], mask)
            assert mask.dtype == np.float32 and mask.shape == grid.shape


@pytest.mark.parametrize("key", LOCAL)
def test_windows_of_a_grid_have_the_same_bits(key):
    recipe = on_ground(LAYERS[key]())
    for grid in (recipe.grid(97), recipe.pixel_grid(96)):
        whole = evaluate(recipe, grid).height
        for i, j, nx, ny in ((0, 0, 30, 20), (40, 31, 17, 23), (80, 60, 16, 16), (5, 70, 1, 1)):
            part = evaluate(recipe, grid.window(i, j, nx, ny)).height
            np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


@pytest.mark.parametrize("key", [key for key in KINDS if KINDS[key].depends_on == POINT])
def test_layers_of_points_agree_to_the_bit_at_any_resolution(key):
    kind = LAYERS[key]()
    assert kind.halo(0.01, 0.01) == 0
    recipe = on_ground(kind)
    for coarse, factor in (((33, 27), 2), ((33, 27), 4), ((41, 31), 2), ((65, 65), 2)):
        fine = (coarse[0] - 1) * factor + 1, (coarse[1] - 1) * factor + 1
        a = evaluate(recipe, recipe.grid(coarse)).height
        b = evaluate(recipe, recipe.grid(fine)).height[::factor, ::factor]
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("key", KINDS)
def test_one_recipe_is_the_same_terrain_at_any_resolution(key):
    recipe = on_ground(LAYERS[key]())
    a = evaluate(recipe, recipe.grid(129)).height
    b = evaluate(recipe, recipe.grid(257)).height[::2, ::2]
    assert np.corrcoef(a.reshape(-1), b.reshape(-1))[0, 1] > 0.99


@pytest.mark.parametrize("key", KINDS)
def test_the_seed_of_the_recipe_and_of_the_layer_add_up(key):
    kind = LAYERS[key]
    seeds = [setting for setting in settings_of(kind) if setting.name == "seed"]
    if not seeds:
        pytest.skip("this kind of layer has no seed")
    chance: dict[str, float] = {"ribs": 9} if key == "volcano" else {}
    if seeds[0].shown_if:
        chance[seeds[0].shown_if[0]] = 0.5
    no_chance = [Layer.of(LAYERS[name](), blend="add") for name in ("ramp", "volcano")]

    def made(recipe_seed, layer_seed):
        layer = Layer.of(kind(seed=layer_seed, **chance))
        recipe = drawn(Recipe(seed=recipe_seed, layers=(*no_chance, layer)))
        return evaluate(recipe, recipe.grid(65)).height

    np.testing.assert_array_equal(made(3, 4), made(7, 0))
    np.testing.assert_array_equal(made(-3, 4), made(1, 0))
    assert not np.array_equal(made(3, 4), made(3, 5))
    made(2**31 - 1, 2**31 - 1)


@pytest.mark.parametrize("key", KINDS)
def test_progress_only_rises(key):
    kind = LAYERS[key]()
    if hasattr(kind, "warp_amount"):  # bent terrain is made in squares
        kind = dataclasses.replace(kind, warp_amount=30.0)
    reported = []
    recipe = on_ground(kind)
    evaluate(recipe, recipe.grid(520), progress=lambda share, text: reported.append(share))
    assert reported[0] >= 0 and reported[-1] == 1
    assert (np.diff(reported) >= -1e-12).all()


@pytest.mark.parametrize("key", KINDS)
def test_cancel_is_heard(key):
    recipe = on_ground(LAYERS[key]())
    polls = 0

    def later():
        nonlocal polls
        polls += 1
        return polls > 2

    with pytest.raises(Cancelled):
        evaluate(recipe, recipe.grid(33), cancelled=later)


@pytest.mark.parametrize("key", LOCAL)
def test_land_below_is_not_written_into(key):
    recipe, cache = on_ground(LAYERS[key]()), Cache()
    grid = recipe.grid(33)
    below = evaluate(dataclasses.replace(recipe, layers=(GROUND,)), grid, cache=cache).height
    kept = below.copy()
    evaluate(recipe, grid, cache=cache)
    np.testing.assert_array_equal(below, kept)
