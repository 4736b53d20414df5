# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews of a change: nearer to the new terrain than the old one, and never part of a result."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from terrain_addon.core import Cache, Cancelled, Erosion, Recipe, evaluate, presets
from terrain_addon.core.evaluation import (
    COARSE,
    HELD,
    NONE,
    Shown,
    coarse_preview,
    compared,
    held_preview,
    preview,
    preview_kind,
    solved_again,
)
from terrain_addon.core.evaluation.cache import Stage
from terrain_addon.core.evaluation.preview import TOO_FINE

FINE, POINTS = 257, 65


def recipe_of(preset: str, seed: int = 0) -> Recipe:
    recipe = presets.load(preset)
    return dataclasses.replace(recipe, seed=recipe.seed + seed)


def with_erosion(recipe: Recipe, **settings: Any) -> Recipe:
    layers = tuple(
        dataclasses.replace(one, settings=dataclasses.replace(one.settings, **settings))
        if isinstance(one.settings, Erosion)
        else one
        for one in recipe.layers
    )
    return dataclasses.replace(recipe, layers=layers)


def multiplied(recipe: Recipe, name: str, factor: float) -> Recipe:
    (erosion,) = (one.settings for one in recipe.layers if isinstance(one.settings, Erosion))
    return with_erosion(recipe, **{name: getattr(erosion, name) * factor})


def shown(recipe: Recipe, cache: Cache) -> Shown:
    return Shown(recipe, evaluate(recipe, recipe.grid(FINE), cache=cache))


def error(a: Any, b: Any) -> float:
    return float(np.sqrt(np.mean(np.square(a.height - b.height, dtype=np.float64))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "name", "factor"), [("canyon", "age", 1.16), ("volcano", "age", 1.25)]
)
def test_a_held_preview_is_nearer_to_the_result_than_the_old_terrain(preset, name, factor):
    cache, recipe = Cache(), recipe_of(preset)
    last, changed = shown(recipe, cache), multiplied(recipe, name, factor)
    assert preview_kind(recipe, changed) == HELD
    preview = held_preview(changed, recipe.grid(POINTS), last, cache)
    result = evaluate(changed, recipe.grid(FINE), cache=cache)
    assert preview is not None
    assert error(preview, result) <= 0.8 * error(last.terrain, result)


@pytest.mark.parametrize(
    "change",
    [{"gully_depth": 0.6}, {"fans": 0.6}, {"valley_spacing": 540.0}, {"concavity": 0.5}],
    ids=lambda change: next(iter(change)),
)
def test_a_coarse_preview_is_nearer_to_the_result_than_the_old_terrain(change):
    """The coarse terrain alone is farther: a change of fans is finer than its points."""
    cache, recipe = Cache(), recipe_of("alps")
    last, changed = shown(recipe, cache), with_erosion(recipe, **change)
    grid = recipe.grid(POINTS)
    assert preview_kind(recipe, changed) == COARSE
    assert held_preview(changed, grid, last, cache) is None
    preview = coarse_preview(changed, grid, last, cache)
    result = evaluate(changed, recipe.grid(FINE), cache=cache)
    assert preview is not None
    assert error(preview, result) <= 0.8 * error(last.terrain, result)


@pytest.mark.slow
def test_a_preview_has_no_spikes_where_coarse_pits_are_filled():
    """On a coarse grid they are deep, and not in the same places before and after a change."""

    def change(fill_pits):
        recipe, cache = with_erosion(recipe_of("alps"), fill_pits=fill_pits), Cache()
        last, changed = shown(recipe, cache), with_erosion(recipe, valley_spacing=600.0)
        preview = coarse_preview(changed, recipe.grid(POINTS), last, cache)
        assert preview is not None
        return preview.height - last.terrain.height

    np.testing.assert_allclose(change(True), change(False), atol=1e-3)


@pytest.mark.parametrize("preset", ["alps", "archipelago", "canyon", "volcano"])
def test_a_preview_without_a_change_is_the_last_result(preset):
    cache, recipe = Cache(), recipe_of(preset)
    last = shown(recipe, cache)
    preview = coarse_preview(recipe, recipe.grid(POINTS), last, cache)
    assert preview is not None
    np.testing.assert_array_equal(preview.height, last.terrain.height)
    np.testing.assert_array_equal(preview.fields["flow"], last.terrain.fields["flow"])


@pytest.mark.slow
def test_a_preview_is_the_same_each_time_and_leaves_no_trace():
    cache, recipe = Cache(), recipe_of("canyon")
    last, changed = shown(recipe, cache), multiplied(recipe, "age", 1.2)
    grid = recipe.grid(POINTS)
    evaluate(compared(recipe, changed), grid, cache=cache, fields=())
    kept = {*cache._kept}, {*cache.parts._kept}
    first = held_preview(changed, grid, last, cache)
    again = held_preview(changed, grid, last, cache)
    assert first is not None and again is not None
    np.testing.assert_array_equal(first.height, again.height)
    assert ({*cache._kept}, {*cache.parts._kept}) == kept
    result = evaluate(changed, grid, cache=cache)
    np.testing.assert_array_equal(result.height, evaluate(changed, grid).height)


def test_without_the_last_solution_there_is_no_held_preview():
    recipe = recipe_of("canyon")
    last, changed = shown(recipe, Cache()), multiplied(recipe, "age", 1.2)
    assert held_preview(changed, recipe.grid(POINTS), last, Cache()) is None


@pytest.mark.slow
def test_a_preview_can_be_cancelled_anywhere():
    cache, recipe = Cache(), recipe_of("canyon")
    last, changed = shown(recipe, cache), multiplied(recipe, "age", 1.2)
    grid, polls = recipe.grid(POINTS), 0
    expected = held_preview(changed, grid, last, cache)
    assert expected is not None

    def count() -> bool:
        nonlocal polls
        polls += 1
        return False

    held_preview(changed, grid, last, cache, cancelled=count)
    assert polls > 50
    for stop in range(1, polls, polls // 8):
        left = iter([False] * stop)
        with pytest.raises(Cancelled):
            held_preview(changed, grid, last, cache, cancelled=lambda left=left: next(left, True))
    after = held_preview(changed, grid, last, cache)
    assert after is not None
    np.testing.assert_array_equal(after.height, expected.height)


def with_pits(recipe):
    """A recipe whose erosion fills no pits, as that of a preview."""
    layers = [
        dataclasses.replace(one, settings=dataclasses.replace(one.settings, fill_pits=False))
        if isinstance(one.settings, Erosion)
        else one
        for one in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


def test_a_preview_leaves_out_the_gullies_and_rock_that_do_not_change():
    alps = with_pits(recipe_of("alps")).holding_rivers()
    stronger, deeper = (multiplied(alps, name, 1.1) for name in ("strength", "gully_depth"))
    (plain,) = (
        one.settings for one in compared(alps, stronger).layers if isinstance(one.settings, Erosion)
    )
    assert (plain.gully_depth, plain.rock_roughness) == (0, 0)
    assert compared(alps, deeper) == alps
    cache = Cache()
    last, result = shown(alps, cache), evaluate(stronger, alps.grid(FINE), cache=cache)
    made = coarse_preview(stronger, alps.grid(129), last, cache)
    assert made is not None
    assert error(made, result) <= 0.2 * error(last.terrain, result)
    # An erosion above another one starts from all of its forms.
    erosion = next(one for one in alps.layers if isinstance(one.settings, Erosion))
    twice, stronger = (
        dataclasses.replace(one, layers=(*one.layers, erosion)) for one in (alps, stronger)
    )
    *_, lower, upper = compared(twice, stronger).layers
    assert lower == erosion and upper.settings.gully_depth == 0


def test_which_preview_suits_a_change():
    alps, canyon = recipe_of("alps"), with_erosion(recipe_of("canyon"), age=0.5)

    def kind(old: Recipe, **settings: Any) -> str:
        return preview_kind(old, with_erosion(old, **settings))

    assert kind(canyon, age=0.6) == kind(canyon, age=0.42) == HELD
    assert kind(canyon) == kind(canyon, age=0.55) == kind(canyon, age=0.45) == COARSE, "too near"
    assert kind(canyon, age=0.7) == kind(canyon, age=0.35) == COARSE, "too far"
    assert kind(canyon, age=0.6, talus=30.0) == kind(canyon, type="uplift") == COARSE
    assert kind(alps, strength=1.2) == kind(alps, seed=1) == COARSE
    assert preview_kind(alps, dataclasses.replace(alps, seed=alps.seed + 1)) == COARSE
    assert preview_kind(alps, dataclasses.replace(alps, layers=alps.layers[1:])) == COARSE
    lower = dataclasses.replace(
        with_erosion(alps, strength=1.2), layers=(*alps.layers[:1], *alps.layers[2:])
    )
    assert preview_kind(alps, lower) == COARSE
    assert preview_kind(alps, dataclasses.replace(alps, size_x=5000.0)) == NONE
    assert kind(alps, rivers=2.0) == kind(alps, rivers=2.0, valley_floor=0.2) == NONE, "too fine"
    assert kind(alps, rivers=2.0, fans=0.1) == COARSE
    hills = recipe_of("rolling_downs")
    *_, last = hills.layers
    assert not isinstance(last.settings, Erosion)
    for opacity, expected in ((last.opacity, COARSE), (0.5, NONE)):
        top = dataclasses.replace(last, opacity=opacity)
        above = dataclasses.replace(hills, layers=(*hills.layers[:-1], top))
        assert preview_kind(hills, above) == expected


@pytest.mark.parametrize(
    ("preset", "seed", "name", "change"),
    [
        ("alps", 0, "rivers", 0.2),
        ("alps", 0, "gully_octaves", 1),
        ("eroded_hills", 0, "min_catchment_area", 0.3),
        ("archipelago", 0, "cliff_height", 1.0),
        ("eroded_hills", 1, "valley_floor", 0.004),
    ],
)
def test_a_preview_of_a_setting_that_is_too_fine_would_be_wrong(
    preset, seed, name, change, monkeypatch
):
    """What a coarse grid shows of it is as far from the result as the old terrain."""
    assert name in TOO_FINE["erosion"]
    recipe, cache = recipe_of(preset, seed), Cache()
    (erosion,) = (one.settings for one in recipe.layers if isinstance(one.settings, Erosion))
    changed = with_erosion(recipe, **{name: getattr(erosion, name) + change})
    last = Shown(recipe, evaluate(recipe, recipe.grid(513), cache=cache))
    assert coarse_preview(changed, recipe.grid(257), last, cache) is None
    monkeypatch.setattr(preview, "TOO_FINE", {})
    wrong = coarse_preview(changed, recipe.grid(257), last, cache)
    result = evaluate(changed, recipe.grid(513), cache=cache)
    assert wrong is not None
    assert error(wrong, result) > 0.8 * error(last.terrain, result)


def test_which_drainage_a_preview_solves():
    alps = recipe_of("alps")
    assert solved_again(alps, alps) == []
    assert solved_again(alps, with_erosion(alps, gully_depth=0.5, rivers=2.0)) == []
    for change in ({"strength": 1.05}, {"seed": 4}, {"sea": True}, {"hardness_map": "Hard"}):
        (solved,) = solved_again(alps, with_erosion(alps, **change))
        assert all(getattr(solved.erosion, name) == value for name, value in change.items())
        assert not solved.held
    ice = with_erosion(alps, glaciers=True)
    for before, after in ((alps, ice), (ice, with_erosion(ice, trough_depth=0.5))):
        (solved,) = solved_again(before, after)
        assert not solved.rivers
    assert solved_again(ice, with_erosion(ice, gully_depth=0.5)) == []
    assert len(solved_again(alps, recipe_of("alps", 1))) == 1
    assert len(solved_again(alps, dataclasses.replace(alps, layers=alps.layers[1:]))) == 1
    above = dataclasses.replace(alps.layers[0], name="Above")
    with_layer_above = dataclasses.replace(alps, layers=(*alps.layers, above))
    higher = dataclasses.replace(above, opacity=0.5)
    changed_above = dataclasses.replace(alps, layers=(*alps.layers, higher))
    assert solved_again(with_layer_above, changed_above) == []
    changed_below = dataclasses.replace(
        alps, layers=(dataclasses.replace(alps.layers[0], opacity=0.5), *alps.layers[1:])
    )
    assert len(solved_again(alps, changed_below)) == 1


def test_a_cache_reads_the_one_below_and_never_writes_to_it():
    below = Cache()
    stage, solution = (Stage(np.zeros(3, np.float32), {}) for _ in range(2))
    below.put("stage", stage)
    below.parts.put("solution", solution)
    above = Cache(below=below)
    assert above.get("stage") is stage
    assert above.parts.get("solution") is solution
    above.put("guess", stage)
    above.parts.put("guess", solution)
    assert above.get("guess") is stage and above.parts.get("guess") is solution
    assert below.get("guess") is None and below.parts.get("guess") is None
