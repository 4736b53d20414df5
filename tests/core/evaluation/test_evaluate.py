# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the stack: order, cache, progress, cancel, margins, masks."""

import contextlib
import dataclasses
from typing import Any

import numpy as np
import pytest

from terrain_addon.core import Cache, Cancelled, Grid, Layer, Recipe, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.analysis.fields import HABITAT, derived
from terrain_addon.core.layers import LAYERS, MASKS, SHAPE, WHOLE, LayerKind, layer
from terrain_addon.core.settings import param
from tests.core.strategies import drawn


def of(key, *, common=None, **settings):
    return Layer.of(LAYERS[key](**settings), **(common or {}))


STACK = Recipe(
    seed=3,
    size_x=800.0,
    size_y=600.0,
    layers=(
        of("fractal_noise", octaves=5),
        of("smooth", radius=40.0, common={"masks": (MASKS["slope"](),), "opacity": 0.7}),
        of("diamond_square", height=30.0),
        of("falloff", wobble=0.5, common={"masks": (MASKS["height"](low=-50.0, high=500.0),)}),
        of("smooth", radius=25.0, strength=-0.5),
    ),
)


@pytest.fixture
def throw_away():
    """Registers kinds of layer for one test."""
    keys = []

    def register(key, group=SHAPE, **names):
        def enter(cls):
            keys.append(key)
            return layer(key, label=key.title(), help="For a test", group=group, **names)(cls)

        return enter

    yield register
    for key in keys:
        LAYERS.remove(key)


def test_nothing_is_flat():
    field = evaluate(Recipe(), Recipe().grid(9))
    assert field.height.dtype == np.float32 and field.height.shape == (9, 9)
    assert field.range == (0.0, 0.0)
    assert field.fields["slope"].max() == 0


def test_layers_build_on_each_other():
    base, levels = of("fractal_noise"), of("levels", input_max=1.0, output_max=2.0, output_min=1.0)
    recipe = Recipe(layers=(base, levels))
    grid = recipe.grid(20)
    below = evaluate(Recipe(layers=(base,)), grid).height
    np.testing.assert_allclose(evaluate(recipe, grid).height, below + 1, atol=1e-4)


@pytest.mark.parametrize("off", [{"enabled": False}, {"opacity": 0.0}])
def test_layers_that_are_off_do_nothing(off):
    base = of("fractal_noise")
    recipe = Recipe(layers=(base, of("falloff", common=off)))
    grid = recipe.grid(20)
    expected = evaluate(Recipe(layers=(base,)), grid).height
    np.testing.assert_array_equal(evaluate(recipe, grid).height, expected)


def test_same_bits_every_time():
    grid = STACK.grid(60)
    np.testing.assert_array_equal(evaluate(STACK, grid).height, evaluate(STACK, grid).height)


def test_windows_fit_together():
    grid = STACK.grid((90, 70))
    whole = evaluate(STACK, grid).height
    for j in range(0, 70, 30):
        for i in range(0, 90, 40):
            nx, ny = min(40, 90 - i), min(30, 70 - j)
            part = evaluate(STACK, grid.window(i, j, nx, ny)).height
            np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


def test_a_cache_changes_nothing_but_time():
    grid, cache = STACK.grid(40), Cache()
    for top in range(len(STACK.layers), 0, -1):
        recipe = dataclasses.replace(STACK, layers=STACK.layers[:top])
        again = dataclasses.replace(recipe, seed=4)
        for asked in (recipe, again, recipe):
            cached = evaluate(asked, grid, cache=cache).height
            np.testing.assert_array_equal(cached, evaluate(asked, grid).height)


def test_lower_layers_come_from_the_cache(throw_away):
    calls = []

    @throw_away("counted")
    class Counted(LayerKind):
        number: int = param(0, label="Number", help="A number")

        def apply(self, context):
            calls.append(self.number)
            return context.height + np.float32(self.number)

    cache, grid = Cache(), Recipe().grid(5)
    for numbers in ((1, 2, 3), (1, 2, 4), (1, 5, 4)):
        recipe = Recipe(layers=tuple(Layer.of(Counted(number=n)) for n in numbers))
        assert evaluate(recipe, grid, cache=cache).range == (sum(numbers), sum(numbers))
    assert calls == [1, 2, 3, 4, 5, 4]


def test_how_much_of_a_dear_layer_joins_is_tried_without_making_it_again(throw_away):
    calls = []

    @throw_away("dear")
    class Costly(LayerKind):
        depends_on = WHOLE
        number: int = param(0, label="Number", help="A number")

        def apply(self, context):
            calls.append(self.number)
            context.produced["flow"] = context.height + np.float32(1)
            return context.height + np.float32(self.number)

    cache, grid = Cache(), Recipe().grid(5)
    half = MASKS["height"](low=0.5)
    tries = [
        (of("fractal_noise"), Costly(number=2), common)
        for common in ({}, {"opacity": 0.5}, {"blend": "add"}, {"masks": (half,)}, {"name": "New"})
    ]
    tries += [(of("fractal_noise"), Costly(number=3), {}), (of("mesa"), Costly(number=3), {})]
    recipes = [Recipe(layers=(below, Layer.of(dear, **common))) for below, dear, common in tries]
    cached = [evaluate(recipe, grid, cache=cache) for recipe in recipes]
    assert calls == [2, 3, 3]
    for recipe, found in zip(recipes, cached, strict=True):
        plain = evaluate(recipe, grid)
        np.testing.assert_array_equal(found.height, plain.height)
        np.testing.assert_array_equal(found.fields["flow"], plain.fields["flow"])


def test_results_in_the_cache_cannot_be_spoilt():
    recipe, cache = Recipe(layers=(of("fractal_noise"),)), Cache()
    field = evaluate(recipe, recipe.grid(9), cache=cache)
    with pytest.raises(ValueError, match="read-only"):
        field.height += 1


def test_a_cache_forgets_what_is_beyond_its_limit():
    cache = Cache(limit=40 * 40 * 4 * 2)
    for seed in range(5):
        evaluate(dataclasses.replace(STACK, seed=seed, layers=STACK.layers[:1]), STACK.grid(40),
                 cache=cache)  # fmt: skip
    assert len(cache._kept) <= 2
    cache.clear()
    assert not cache._kept


def test_progress_runs_from_0_to_1_and_names_the_layers():
    reported = []
    evaluate(STACK, STACK.grid(50), progress=lambda share, text: reported.append((share, text)))
    shares = [share for share, _ in reported]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1
    assert {text for _, text in reported} >= {entry.name for entry in STACK.layers}


def test_cancelling_anywhere_leaves_nothing_and_spoils_nothing():
    grid, cache = STACK.grid(40), Cache()
    polls = 0

    def count():
        nonlocal polls
        polls += 1
        return False

    expected = evaluate(STACK, grid, cancelled=count).height
    assert polls > len(STACK.layers)
    for stop in range(0, polls, max(polls // 15, 1)):
        left = iter(range(stop))
        with pytest.raises(Cancelled):
            evaluate(STACK, grid, cancelled=lambda left=left: next(left, None) is None, cache=cache)
        cache.clear()
    for stop in range(0, polls, max(polls // 5, 1)):
        left = iter(range(stop))
        with contextlib.suppress(Cancelled):
            evaluate(STACK, grid, cancelled=lambda left=left: next(left, None) is None, cache=cache)
        np.testing.assert_array_equal(evaluate(STACK, grid, cache=cache).height, expected)


def test_layers_leave_masks(throw_away):
    @throw_away("marked")
    class Marked(LayerKind):
        def halo(self, dx, dy):
            return 2

        def apply(self, context):
            context.produced["mark"] = context.height * 2
            return context.height + 1

    recipe = Recipe(layers=(of("fractal_noise"), Layer.of(Marked()), of("levels")))
    field = evaluate(recipe, recipe.grid(15))
    below = evaluate(dataclasses.replace(recipe, layers=recipe.layers[:1]), recipe.grid(15))
    np.testing.assert_array_equal(field.fields["mark"], below.height * 2)
    known = {"mark", *derived(), *HABITAT}
    assert set(field.fields) == known and len(field.fields) == len(known)
    assert field.fields["slope"] is field.fields["slope"]
    with pytest.raises(KeyError):
        field.fields["fog"]
    with pytest.raises(KeyError):
        field.fields["snow"]  # known, but no layer left it


def test_a_mask_of_a_name_of_its_own_is_left_as_it_is(throw_away):
    """Only those that are known to be metres go with the amount."""

    @throw_away("marked")
    class Marked(LayerKind):
        def apply(self, context):
            context.produced["mark"] = context.height + 2
            context.produced["snow"] = context.height + 2
            return context.height + 1

    half = dataclasses.replace(Layer.of(Marked()), opacity=0.5)
    field = evaluate(Recipe(layers=(half,)), Recipe().grid(9))
    assert (field.fields["mark"] == 2).all()
    assert (field.fields["snow"] == 1).all()


def test_the_land_below_is_there_on_any_grid(throw_away):
    seen = []

    @throw_away("looking")
    class Looking(LayerKind):
        def apply(self, context):
            margin = (context.grid.nx - 30) // 2  # beyond it the land is not whole
            other = context.grid.window(margin + 3, margin, 10, 8)
            expected = context.height[margin : margin + 8, margin + 3 : margin + 13]
            np.testing.assert_array_equal(context.heights_below(other), expected)
            seen.append(margin)
            return context.height

    recipe = dataclasses.replace(STACK, layers=(*STACK.layers, Layer.of(Looking())))
    evaluate(recipe, recipe.grid(30))
    assert seen and seen[0] > 0


def test_heights_beyond_all_limits_are_refused():
    steep = of("levels", input_min=0.0, input_max=1e-3, output_min=-1e5, output_max=1e5)
    recipe = Recipe(layers=(of("fractal_noise"), *[steep] * 8))
    with pytest.raises(ValueError, match="Layer 'Levels' makes heights that are too large"):
        evaluate(recipe, recipe.grid(9))


@pytest.mark.parametrize("key", [key for key, kind in LAYERS.items() if kind.produces])
def test_a_second_layer_of_a_kind_leaves_what_the_first_one_did(key):
    """Metres of both add up; where the second does not act, the masks stay as they are."""
    acting: Any = {
        "snow": {"line": 0.0, "fade": 500.0},
        "strata": {"type": "cliffs"},
        "coast": {"fetch": 500.0},
    }
    acts = Layer.of(LAYERS[key](**acting.get(key, {})))
    nowhere = dataclasses.replace(acts, masks=(MASKS["height"](low=1e6, high=2e6),))
    ground = Layer.of(LAYERS["fractal_noise"](height=300.0, octaves=3))
    grid = Recipe().grid(65)

    def masks(*layers):
        return evaluate(drawn(Recipe(layers=(ground, *layers))), grid).fields

    once, then_nowhere, twice = masks(acts), masks(acts, nowhere), masks(acts, acts)
    for name in LAYERS[key].produces:
        assert once[name].max() > 0
        np.testing.assert_array_equal(then_nowhere[name], once[name])
        if FIELDS[name].unit == "m":
            assert (twice[name] >= once[name]).all()
            assert twice[name].mean() > once[name].mean()


def test_the_snow_of_two_layers_is_all_that_lies_on_the_ground():
    ground = Layer.of(LAYERS["fractal_noise"](height=300.0, octaves=3))
    snow = [Layer.of(LAYERS["snow"](depth=d, line=0.0, fade=500.0)) for d in (5.0, 1.0)]
    grid = Recipe().grid(65)
    bare = evaluate(Recipe(layers=(ground,)), grid).height
    field = evaluate(Recipe(layers=(ground, *snow)), grid)
    np.testing.assert_allclose(field.fields["snow"], field.height - bare, atol=1e-3)


def test_a_mask_without_a_unit_is_mixed_as_far_as_the_layer_acts():
    erosion = Layer.of(LAYERS["erosion"](resolution="128"))
    ground = Layer.of(LAYERS["fractal_noise"](height=300.0, octaves=3))
    grid = Recipe().grid(65)

    def flow(*layers):
        return evaluate(Recipe(layers=(ground, *layers)), grid).fields["flow"]

    again = dataclasses.replace(erosion, opacity=0.25)
    whole, part = flow(erosion, erosion), flow(erosion, again)
    first = flow(erosion)
    np.testing.assert_allclose(part, first + 0.25 * (whole - first), atol=1e-5)


def test_progress_goes_on_while_the_land_below_is_made(throw_away):
    reported, seen = [], []

    @throw_away("looking")
    class Looking(LayerKind):
        def apply(self, context):
            for share in (0.2, 0.6, 1.0):
                context.heights_below(Grid.cells(context.size_x, context.size_y, 300))
                seen.append(len(reported))
                context.progress(share)
            return context.height

    recipe = Recipe(layers=(of("fractal_noise"), of("thermal_erosion"), Layer.of(Looking())))
    evaluate(recipe, recipe.grid(33), progress=lambda share, text: reported.append(share))
    assert reported == sorted(reported) and reported[-1] == 1
    before = [share for share in reported if share <= 2 / 3]
    assert seen[0] - len(before) >= 3, "no progress while the first terrain below was evaluated"
    assert reported[seen[0] - 1] == pytest.approx(2 / 3 + 1 / 6)
    assert reported[seen[0]] > reported[seen[0] - 1]


def test_layers_that_do_not_show_are_made_where_they_are_looked_at_only(throw_away):
    made = []

    @throw_away("noted")
    class Noted(LayerKind):
        def apply(self, context):
            made.append(context.grid.shape)
            return context.height + np.float32(1)

    erosion = Layer.of(LAYERS["erosion"](resolution="128"))

    def grids(*layers):
        made.clear()
        recipe = Recipe(layers=layers)
        evaluate(recipe, recipe.grid(33))
        return len(made)

    noted = Layer.of(Noted())
    assert grids(noted, erosion) == 1, "on the grid that erosion asks for"
    assert grids(noted, erosion, noted) == 2
    for shows in ({"opacity": 0.5}, {"blend": "add"}, {"masks": (MASKS["height"](),)}):
        assert grids(noted, dataclasses.replace(erosion, **shows)) == 2
    # The first one is solved once, for its own heights and for those that the second one reads.
    assert grids(noted, erosion, erosion) == 1


@pytest.mark.parametrize("key", [key for key in LAYERS if LAYERS[key].looks_elsewhere])
def test_what_looks_elsewhere_does_not_see_the_land_at_its_points(key, monkeypatch):
    recipe = Recipe(layers=(of("fractal_noise"), of(key, resolution="128")))
    alone = evaluate(recipe, recipe.grid(65))
    monkeypatch.setattr(LAYERS[key], "looks_elsewhere", False)
    both = evaluate(recipe, recipe.grid(65))
    np.testing.assert_array_equal(alone.height, both.height)
    for name in LAYERS[key].produces:
        np.testing.assert_array_equal(alone.fields[name], both.fields[name])


def test_a_margin_is_cut_off_in_place_as_in_a_copy():
    recipe = Recipe(layers=(of("fractal_noise"), of("erosion", resolution="128")))
    grid = recipe.grid(500)
    moved, copied = evaluate(recipe, grid), evaluate(recipe, grid, cache=Cache())
    for name in (None, *LAYERS["erosion"].produces):
        one, other = (
            terrain.fields[name] if name else terrain.height for terrain in (moved, copied)
        )
        assert one.base is not None and other.base is None
        assert one.flags.c_contiguous and one.flags.writeable
        np.testing.assert_array_equal(one, other)


def test_level_ground_is_land_of_its_own():
    no_room = of("terrace", by="count", low=5.0, high=5.0)
    for layers in ((), (no_room,)):
        height = evaluate(Recipe(layers=layers), Recipe().grid(9)).height
        assert height.flags.c_contiguous and height.flags.writeable
        np.testing.assert_array_equal(height, np.zeros((9, 9)))
