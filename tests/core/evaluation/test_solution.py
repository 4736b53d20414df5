# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved once, evaluated anywhere: windows with a solution have the bits of the whole."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from terrain_addon.core import (
    Cache,
    Cancelled,
    CoastLayer,
    Erosion,
    FieldMask,
    FractalNoise,
    Grid,
    Heightfield,
    HeightMask,
    Layer,
    Map,
    MapMask,
    Recipe,
    Road,
    Smooth,
    Snow,
    Solution,
    Terrace,
    Water,
    evaluate,
    presets,
    solve,
    solve_fields,
)
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.erosion.rivers import solver
from terrain_addon.core.erosion.surface import eroded_terrain
from terrain_addon.core.evaluation.by_rows import evaluate_by_rows
from terrain_addon.core.layers import LAYERS
from tests.core.strategies import drawn

NOISE = FractalNoise(height=150.0, octaves=5)
EROSION = Erosion(resolution="128", rivers=1.0, min_catchment_area=0.5)
RECIPE = Recipe(size_x=900.0, size_y=700.0, layers=(NOISE, EROSION))
VARIANTS: list[dict[str, Any]] = [
    {"strata_contrast": 0.8},
    {"rock_hardness_variation": 0.6, "rainfall_variation": 0.6},
    {"resolution": "256"},
    {"sea": True, "sea_rise": 5.0, "beach_width": 30.0},
    {"type": "plateau", "rivers": 2.0},
]


def with_erosion(recipe: Recipe, **settings: Any) -> Recipe:
    layers = [
        dataclasses.replace(one, settings=dataclasses.replace(one.settings, **settings))
        if isinstance(one.settings, Erosion)
        else one
        for one in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


def above(*layers: Any) -> Recipe:
    return drawn(dataclasses.replace(RECIPE, layers=(NOISE, EROSION, *layers)))


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The drainages that are solved from now on."""
    made: list[object] = []

    def noted(*given: Any, **named: Any) -> solver.Drainage:
        made.append(given)
        return solver.eroded(*given, **named)

    monkeypatch.setattr(eroded_terrain, "eroded", noted)
    return made


def from_layers(terrain: Heightfield) -> list[str]:
    return [name for name in terrain.fields if not FIELDS[name].make]


def same(part: Heightfield, whole: Heightfield) -> None:
    j, i = part.grid.j0 - whole.grid.j0, part.grid.i0 - whole.grid.i0
    inside = slice(j, j + part.grid.ny), slice(i, i + part.grid.nx)
    assert_array_equal(part.height, whole.height[inside])
    assert {*from_layers(part)} == {*from_layers(whole)}
    for name in from_layers(part):
        assert_array_equal(part.fields[name], whole.fields[name][inside], name)


def windows(grid: Grid, side: int) -> list[Grid]:
    return [
        grid.window(i, j, min(side, grid.nx - i), min(side, grid.ny - j))
        for j in range(0, grid.ny, side)
        for i in range(0, grid.nx, side)
    ]


SOLVED = Cache()
"""Holds the erosion that the recipes of `above` share; windows are made without it."""


def check(recipe: Recipe, count: int = 129, side: int = 50) -> None:
    grid = recipe.grid(count)
    whole, solution = evaluate(recipe, grid, cache=SOLVED), solve(recipe, cache=SOLVED)
    same(evaluate(recipe, grid, solution=solution), whole)
    for window in windows(grid, side):
        same(evaluate(recipe, window, solution=solution), whole)


def test_windows_of_a_preset_are_those_of_the_whole(sampled_preset: str):
    check(presets.load(sampled_preset))


@pytest.mark.parametrize("settings", VARIANTS, ids=lambda one: next(iter(one)))
def test_windows_of_all_kinds_of_erosion_are_those_of_the_whole(settings: dict[str, Any]):
    check(with_erosion(RECIPE, **settings))


@pytest.mark.slow  # of all kinds; presets sample the law
@pytest.mark.parametrize("key", LAYERS)
def test_windows_of_layers_above_erosion_are_those_of_the_whole(key: str):
    check(above(LAYERS[key]()))


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
def test_windows_of_masks_above_erosion_are_those_of_the_whole(field: str):
    snow = Snow(line=-100.0)
    where = FieldMask(field=field, low=0.3, high=1.0, fade=0.2)
    check(above(snow, Road(), Layer.of(Terrace(), masks=(where,))))


@pytest.mark.slow
@given(data=st.data())
def test_any_window_of_any_grid_is_that_of_the_whole(data: st.DataObject):
    """The lower erosion is masked by the lakes, the upper one stands on the lower one's valleys."""
    recipe, solution = TWICE
    grid = recipe.grid(data.draw(st.sampled_from([33, 100, 161])))
    if grid not in WHOLE:
        WHOLE[grid] = evaluate(recipe, grid)
    i, j = data.draw(st.integers(0, grid.nx - 1)), data.draw(st.integers(0, grid.ny - 1))
    nx, ny = data.draw(st.integers(1, grid.nx - i)), data.draw(st.integers(1, grid.ny - j))
    same(evaluate(recipe, grid.window(i, j, nx, ny), solution=solution), WHOLE[grid])


def _twice() -> tuple[Recipe, Solution]:
    lakes = FieldMask(field="lake_depth", low=0.1, high=100.0, fade=0.1, invert=True)
    lower = Layer.of(EROSION, masks=(lakes,))
    upper = Layer.of(dataclasses.replace(EROSION, seed=3), opacity=0.6)
    recipe = dataclasses.replace(RECIPE, layers=(NOISE, lower, Smooth(radius=15.0), upper))
    return recipe, solve(recipe)


TWICE = _twice()
WHOLE: dict[Grid, Heightfield] = {}


@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.slow)])
def test_windows_have_the_wetness_and_the_lakes_of_the_whole(count: int):
    """The larger grid is averaged in blocks of 2 x 2, and has an odd number of rows."""
    recipe, solution = TWICE
    grid = recipe.grid(count)
    whole = evaluate(recipe, grid, solution=solution, fields=())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terrain_addon.core.evaluation.by_rows.WINDOW", grid.nx * 40)
        known = solve_fields(recipe, grid, ("wetness", "lake_depth", "slope"), solution)
    assert len(known.parts) == len(solution.parts) + 2
    for window in windows(grid, count * 7 // 19):
        part = evaluate(recipe, window, solution=known, fields=())
        inside = slice(window.j0, window.j0 + window.ny), slice(window.i0, window.i0 + window.nx)
        for name in ("wetness", "lake_depth"):
            assert_array_equal(part.fields[name], whole.fields[name][inside])
    assert whole.fields["lake_depth"].any()


@pytest.mark.parametrize(
    "other",
    [
        RECIPE.grid(61),
        RECIPE.grid(60).padded(1),
        RECIPE.pixel_grid(60),
        RECIPE.grid(60).window(20, 20, 41, 5),
    ],
)
def test_a_field_of_one_grid_is_refused_elsewhere(other: Grid):
    known = solve_fields(RECIPE, RECIPE.grid(60), ("wetness",), SOLUTION)
    assert evaluate(RECIPE, RECIPE.grid(60), solution=known).fields["wetness"].any()
    terrain = evaluate(RECIPE, other, solution=known)
    assert terrain.fields["lake_depth"].shape == other.shape, "derived from these heights"
    with pytest.raises(ValueError, match=r"has 'Wetness' of a grid of 60 x 47 points; .* solve"):
        assert terrain.fields["wetness"] is None


SOLUTION = solve(RECIPE)


def test_rows_are_those_of_the_whole_with_any_margin():
    recipe, solution = TWICE
    grid = recipe.grid(120)
    wide = evaluate(recipe, grid.padded(7), solution=solution)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terrain_addon.core.evaluation.by_rows.WINDOW", 800)
        patch.setattr("terrain_addon.core.evaluation.by_rows.LEAST_SIDE", 1)
        parts = list(evaluate_by_rows(recipe, grid, margin=7, solution=solution))
    assert len(parts) > 2
    assert [rows.start for rows, _ in parts[1:]] == [rows.stop for rows, _ in parts[:-1]]
    for rows, terrain in parts:
        assert terrain.grid == grid.window(0, rows.start, grid.nx, rows.stop - rows.start).padded(7)
        same(terrain, wide)


def test_a_slider_of_the_fine_part_solves_nothing(solved: list[object]):
    """With one cache, and within one evaluation even without one."""
    for limit in (0, 2**28):  # stages larger than the limit displace no solution
        solved.clear()
        cache = Cache(limit)
        for settings in ({"gully_depth": 0.2}, {"rock_roughness": 0.1}, {"rivers": 0.0}):
            recipe = with_erosion(RECIPE, **settings)
            for size in (33, 65):
                evaluate(recipe, recipe.grid(size), cache=cache)
        assert len(solved) == 1
    solved.clear()
    recipe = above(EROSION, CoastLayer())
    evaluate(recipe, recipe.grid(33))
    assert len(solved) == 2


def test_an_evaluation_with_a_solution_solves_nothing_and_evaluates_nothing_below(
    solved: list[object], monkeypatch: pytest.MonkeyPatch
):
    solution, grids = solve(RECIPE), list[Grid]()
    apply = FractalNoise.apply

    def noted(self: FractalNoise, context: Any) -> Any:
        grids.append(context.grid)
        return apply(self, context)

    monkeypatch.setattr(FractalNoise, "apply", noted)
    solved.clear()
    evaluate(RECIPE, RECIPE.grid(9), solution=solution)
    assert not grids and not solved
    evaluate(RECIPE, RECIPE.grid(9))
    assert len(grids) == len(solved) == 1


@pytest.mark.parametrize("other", [{"seed": 5}, {"size_x": 901.0}])
def test_the_solution_of_another_terrain_is_refused(other: dict[str, Any]):
    changed = dataclasses.replace(RECIPE, **other)
    with pytest.raises(ValueError, match=r"another terrain: solve this recipe$"):
        evaluate(changed, changed.grid(9), solution=solve(RECIPE))


def parts(recipe: Recipe) -> set[str]:
    return set(solve(recipe, cache=SHARED).parts)


SHARED = Cache()
PAINT = Map("paint", np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4))
OTHER = Map("paint", np.linspace(0, 2, 12, dtype=np.float32).reshape(3, 4))


@pytest.mark.slow
def test_parts_follow_from_what_lies_below_and_from_their_own_settings():
    wet = with_erosion(RECIPE, sea=True)
    rock = dataclasses.replace(with_erosion(RECIPE, hardness_map="paint"), maps=(PAINT,))
    masked = Layer.of(NOISE, masks=(MapMask(source="paint"),))
    painted = dataclasses.replace(RECIPE, layers=(masked, EROSION), maps=(PAINT,))
    level = Water(level=7.0)
    changed = [
        RECIPE,
        dataclasses.replace(RECIPE, seed=1),
        dataclasses.replace(RECIPE, size_x=901.0),
        dataclasses.replace(RECIPE, size_y=699.0),
        dataclasses.replace(RECIPE, field_radius=20.0),
        dataclasses.replace(RECIPE, layers=(dataclasses.replace(NOISE, octaves=4), EROSION)),
        dataclasses.replace(RECIPE, layers=(Layer.of(NOISE, opacity=0.5), EROSION)),
        dataclasses.replace(RECIPE, layers=(Layer.of(NOISE, masks=(HeightMask(),)), EROSION)),
        with_erosion(RECIPE, strength=1.1),
        with_erosion(RECIPE, seed=1),
        with_erosion(RECIPE, rainfall_variation=0.1),
        wet,
        dataclasses.replace(wet, water=level),
        rock,
        dataclasses.replace(rock, maps=(OTHER,)),
        painted,
        dataclasses.replace(painted, maps=(OTHER,)),
        dataclasses.replace(painted, maps=(dataclasses.replace(PAINT, to_border=False),)),
    ]
    found = [parts(one) for one in changed]
    assert all(len(one) == 2 for one in found)  # the drainage and the river beds
    assert len(set().union(*found)) == 2 * len(found)


@pytest.mark.parametrize(
    "same",
    [
        dataclasses.replace(RECIPE, water=Water(level=7.0)),
        dataclasses.replace(RECIPE, palette=presets.load_palette("alpine"), about="Hills"),
        dataclasses.replace(RECIPE, maps=(PAINT,)),
        dataclasses.replace(RECIPE, layers=(Layer.of(NOISE, name="New"), EROSION)),
        dataclasses.replace(RECIPE, layers=(NOISE, Layer.of(EROSION, opacity=0.5))),
        dataclasses.replace(RECIPE, layers=(NOISE, Layer.of(Snow(), enabled=False), EROSION)),
        with_erosion(RECIPE, gully_depth=0.1, rock_roughness=0.1, beach_width=1.0),
        above(Snow()),
    ],
)
def test_parts_do_not_depend_on_what_lies_above_or_is_fine(same: Recipe):
    assert parts(same) == parts(RECIPE)


@pytest.mark.parametrize("key", LAYERS)
def test_a_layer_that_reads_the_water_level_says_so(key: str):
    layer = LAYERS[key]()
    low, high = (
        drawn(dataclasses.replace(RECIPE, layers=(NOISE, layer), water=Water(level=level)))
        for level in (0.0, 20.0)
    )
    cache, grid = Cache(), RECIPE.grid(65)
    evaluate(low, grid, cache=cache)
    assert_array_equal(evaluate(high, grid, cache=cache).height, evaluate(high, grid).height)


def test_river_beds_are_a_part_of_their_own(solved: list[object]):
    cache = Cache()
    first = solve(RECIPE, cache=cache)
    wider = solve(with_erosion(RECIPE, rivers=2.0), cache=cache)
    none = solve(with_erosion(RECIPE, rivers=0.0), cache=cache)
    assert len(solved) == 1
    assert len(set(first.parts) & set(wider.parts)) == 1
    assert set(none.parts) == set(first.parts) & set(wider.parts)


def test_arrays_of_a_solution_are_read_only():
    for part in TWICE[1].parts.values():
        assert part.arrays and not any(array.flags.writeable for array in part.arrays)


@pytest.mark.slow
def test_solving_tells_how_far_it_is_and_stops_anywhere():
    recipe, expected = TWICE
    shares: list[float] = []
    names: set[str] = set()
    asked = 0

    def tell(share: float, name: str) -> None:
        shares.append(share)
        names.add(name)

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    solve(recipe, progress=tell, cancelled=count)
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1 and len(shares) > 10
    assert names >= {layer.name for layer in recipe.layers}
    for stop in range(1, asked, asked // 5):
        left = iter([False] * stop)
        cache = Cache()
        with pytest.raises(Cancelled):
            solve(recipe, cancelled=lambda left=left: next(left, True), cache=cache)
        again = solve(recipe, cache=cache)
        assert set(again.parts) == set(expected.parts)
        for key, part in again.parts.items():
            for one, other in zip(part.arrays, expected.parts[key].arrays, strict=True):
                assert_array_equal(one, other)


def test_a_terrain_without_layers_that_depend_on_the_whole_has_nothing_to_solve():
    assert not solve(Recipe(layers=(NOISE, Smooth()))).parts
