# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers that are held: heights move, rivers and proportions stay, and a recipe says it all."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from terrain_addon.core import (
    Cache,
    Cancelled,
    Erosion,
    FractalNoise,
    Layer,
    Recipe,
    evaluate,
    presets,
    solve,
)
from terrain_addon.core.erosion.surface import eroded_terrain
from terrain_addon.core.evaluation import Shown, coarse_preview, solved_again
from terrain_addon.core.numerics.arrays import Floats
from terrain_addon.core.recipe import rescale

HILLS = Recipe(
    size_x=2000.0,
    size_y=1500.0,
    layers=(FractalNoise(height=200.0), Erosion(resolution="128", strength=1.2)),
).holding_rivers()


def changed(recipe: Recipe, place: int, **settings: Any) -> Recipe:
    layers = list(recipe.layers)
    new = dataclasses.replace(layers[place].settings, **settings)
    layers[place] = dataclasses.replace(layers[place], settings=new)
    return dataclasses.replace(recipe, layers=tuple(layers))


def place_of_erosion(recipe: Recipe) -> int:
    (place,) = (n for n, one in enumerate(recipe.layers) if isinstance(one.settings, Erosion))
    return place


def before_erosion(recipe: Recipe) -> Recipe:
    return dataclasses.replace(recipe, layers=recipe.layers[: place_of_erosion(recipe)])


def height(recipe: Recipe, resolution: int = 65, cache: Cache | None = None) -> Floats:
    return evaluate(recipe, recipe.grid(resolution), cache=cache, fields=()).height


def drainage_of(recipe: Recipe) -> Any:
    (terrain,) = (part for part in solve(recipe).parts.values() if hasattr(part, "drainage"))
    return terrain.drainage


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "low", "high"),
    [("alps", 1270.0, 1420.0), ("eroded_hills", 95.0, 106.4), ("island", 190.0, 212.8)],
)
def test_the_summit_follows_height(preset, low, high):
    """Without held rivers, that of Alps is between 1130 and 1189 m, in no order."""
    recipe, cache = changed(presets.load(preset), 0, height=low).holding_rivers(), Cache()
    sea = recipe.layers[place_of_erosion(recipe)].settings.sea

    def relief(heights: Floats) -> float:
        return float(heights.max() - (recipe.water.level if sea else heights.min()))

    last = Shown(recipe, evaluate(recipe, recipe.grid(257), cache=cache))
    summits, previews, ratios = [], [], []
    for metres in np.linspace(low, high, 20):
        dragged = changed(recipe, 0, height=float(metres))
        result = height(dragged, 257, cache)
        preview = coarse_preview(dragged, recipe.grid(129), last, cache)
        shown = last.terrain.height if preview is None else preview.height
        before = relief(height(before_erosion(dragged), 257))
        summits.append(float(result.max()))
        previews.append(float(shown.max()))
        ratios.append((relief(result) / before, relief(shown) / before))
    assert np.diff(summits).min() > 0
    assert np.diff(previews).min() > 0
    assert np.abs(np.divide(ratios, ratios[0]) - 1).max() <= 0.02


@pytest.mark.slow
def test_a_little_more_strength_lowers_mountains_in_proportion():
    recipe = presets.load("alps")
    place = place_of_erosion(recipe)
    strength = 1.05 * recipe.layers[place].settings.strength

    def moved(recipe: Recipe) -> float:
        """Meters that remain beside what lowers the whole terrain."""
        old, new = height(recipe, 257), height(changed(recipe, place, strength=strength), 257)
        slope, offset = np.polyfit(old.ravel(), new.ravel(), 1)
        return rms(new - slope * old - offset)

    assert moved(recipe) > 30
    assert moved(recipe.holding_rivers()) < 6


@pytest.mark.parametrize("change", [(0, {"height": 240.0}), (1, {"strength": 1.3})])
def test_rivers_stay_and_are_found_once(change, monkeypatch):
    solves = []
    found = eroded_terrain.eroded
    monkeypatch.setattr(
        eroded_terrain, "eroded", lambda *args, **named: solves.append(1) or found(*args, **named)
    )
    place, settings = change
    directions = drainage_of(HILLS).directions
    dragged = changed(HILLS, place, **settings)
    np.testing.assert_array_equal(drainage_of(dragged).directions, directions)
    assert (drainage_of(dataclasses.replace(HILLS, seed=1)).directions != directions).any()
    solves.clear()
    cache = Cache()
    for factor in (1.0, 1.02, 1.04, 1.06):
        height(changed(HILLS, 0, height=200.0 * factor), cache=cache)
    assert len(solves) == 1


def test_the_terrain_below_is_read_once_while_strength_changes(monkeypatch):
    reads, found = [], Erosion.grids
    monkeypatch.setattr(Erosion, "grids", lambda *args: reads.append(1) or found(*args))
    cache = Cache()
    steps = [changed(HILLS, 1, strength=1.2 * factor) for factor in (1.0, 1.02, 1.04)]
    heights = [height(step, cache=cache) for step in steps]
    assert len(reads) == 2, "to find the rivers, and for the steps on them"
    height(changed(HILLS, 0, height=210.0), cache=cache)
    assert len(reads) == 3
    np.testing.assert_array_equal(height(steps[-1]), heights[-1])


def test_a_preview_has_the_rivers_of_the_result():
    cache, recipe = Cache(), HILLS
    last = Shown(recipe, evaluate(recipe, recipe.grid(129), cache=cache))
    dragged = changed(recipe, 0, height=205.0)
    (solved,) = solved_again(recipe, dragged)
    assert solved.held
    preview = coarse_preview(dragged, recipe.grid(65), last, cache)
    result = height(dragged, 129, cache)
    assert preview is not None
    assert rms(preview.height - result) < 0.25 * rms(result - last.terrain.height)
    assert not solved_again(recipe, changed(recipe, 0, height=205.0, seed=1))[0].held


def test_values_that_are_as_noted_change_nothing():
    plain = dataclasses.replace(
        HILLS, layers=tuple(dataclasses.replace(one, rivers_at=()) for one in HILLS.layers)
    )
    np.testing.assert_array_equal(height(HILLS), height(plain))
    assert solve(HILLS).parts.keys() == solve(plain).parts.keys()
    plateau, holding = (changed(one, 1, type="plateau") for one in (plain, HILLS))
    np.testing.assert_array_equal(
        height(changed(plateau, 0, height=240.0)), height(changed(holding, 0, height=240.0))
    )


def test_a_terrain_is_the_same_however_it_was_reached():
    dragged = changed(HILLS, 0, height=240.0)
    alone, cache = height(dragged), Cache()
    for metres in (200.0, 300.0, 130.0, 240.0):
        result = height(changed(HILLS, 0, height=metres), cache=cache)
    np.testing.assert_array_equal(result, alone)
    read = Recipe.from_json(dragged.to_json())
    assert read == dragged
    np.testing.assert_array_equal(height(read), alone)
    window = evaluate(read, read.grid(65).window(20, 10, 30, 25), solution=solve(read), fields=())
    np.testing.assert_array_equal(window.height, alone[10:35, 20:50])


def test_a_solution_of_held_rivers_is_no_larger():
    plain = {type(part) for part in solve(HILLS).parts.values()}
    parts = list(solve(changed(HILLS, 0, height=240.0)).parts.values())
    assert len(parts) == len(solve(HILLS).parts)
    assert {type(part) for part in parts} == plain


def test_rivers_are_led_on_to_a_sea_that_has_left():
    recipe = Recipe(
        layers=(
            FractalNoise(height=100.0),
            FractalNoise(height=40.0, seed=5),
            Erosion(sea=True, resolution="128"),
        )
    ).holding_rivers()
    before, after = drainage_of(recipe), drainage_of(changed(recipe, 1, height=70.0))
    ends = after.directions == 8
    assert (ends & (before.directions != 8)).any() and (~ends & (before.directions == 8)).any()
    assert after.area[ends].sum() == pytest.approx(after.area.size * after.spacing**2, rel=1e-5)
    assert (after.height[ends] <= 1e-3).all()


def test_far_from_the_noted_value_rivers_are_found_again():
    def found_with(metres: float) -> float:
        return changed(HILLS, 0, height=metres).layers[0].for_rivers.settings.height

    near = [found_with(metres) for metres in (101.0, 200.0, 399.0)]
    assert near == [200.0, 200.0, 200.0]
    assert [found_with(metres) for metres in (99.0, 401.0, 3200.0)] == [50.0, 800.0, 3200.0]
    assert [found_with(metres) for metres in (0.0, -50.0)] == [0.0, -50.0]


def test_rivers_of_another_recipe_can_be_held():
    dragged = changed(dataclasses.replace(HILLS, layers=HILLS.layers), 0, height=240.0)
    plain = Recipe(
        size_x=2000.0, size_y=1500.0, layers=[one.settings for one in dragged.layers]
    ).holding_rivers(HILLS)
    np.testing.assert_array_equal(height(plain), height(dragged))
    with pytest.raises(ValueError, match="layers are alike"):
        HILLS.holding_rivers(Recipe())


def test_only_settings_that_leave_rivers_can_be_noted():
    with pytest.raises(ValueError, match="rivers_at: rivers are not held for 'size'.*height"):
        Layer.of(FractalNoise(), rivers_at={"size": 3.0})
    data = HILLS.to_dict()
    data["layers"][0]["rivers_at"]["height"] = "high"
    with pytest.raises(ValueError, match=r"layers\[0\].rivers_at.height: expected a number"):
        Recipe.from_dict(data)
    assert "rivers_at" not in Layer.of(FractalNoise()).to_dict()


def test_a_larger_terrain_keeps_its_rivers():
    larger = rescale(changed(HILLS, 0, height=240.0), 2.0)
    assert larger.layers[0].rivers_at == (("height", 400.0),)
    assert larger.layers[1].rivers_at == (("strength", 1.2),)
    np.testing.assert_allclose(
        height(larger), 2 * height(changed(HILLS, 0, height=240.0)), atol=0.5
    )


def test_holding_can_be_cancelled():
    dragged, polls = changed(HILLS, 0, height=240.0), 0

    def count() -> bool:
        nonlocal polls
        polls += 1
        return False

    cache = Cache()
    solve(HILLS, cache=cache)
    solve(dragged, cache=Cache(below=cache), cancelled=count)
    assert polls > 50
    for stop in range(1, polls, polls // 5):
        left = iter([False] * stop)
        with pytest.raises(Cancelled):
            solve(dragged, cache=Cache(below=cache), cancelled=lambda left=left: next(left, True))
