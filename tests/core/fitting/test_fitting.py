# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings are found whose terrain measures like a place."""

import dataclasses
import itertools
import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.command_line import main
from terrain_addon.core import Cancelled, FractalNoise, Map, Recipe, Smooth, evaluate, presets
from terrain_addon.core.fitting import Evolution, FitTarget, fit, variables, windows
from terrain_addon.core.fitting.evaluating import measure_terrain, measured_by
from terrain_addon.core.fitting.fit import APART, FULL, SEEDS
from terrain_addon.core.fitting.target import MOST
from terrain_addon.core.fitting.variables import shares, with_shares
from terrain_addon.core.layers import LAYERS

SIDE = 112
START = Recipe(
    layers=(FractalNoise(size=60.0, height=40.0, octaves=5, gain=0.9), Smooth(radius=1.0))
)


def place(seed: int = 50, **settings: float) -> tuple[np.ndarray, float]:
    """A place of three windows that is the start with other settings."""
    layers = (FractalNoise(octaves=5, **settings), Smooth(radius=1.0))
    recipe = Recipe(seed=seed, size_y=3000.0, layers=layers)
    grid = recipe.pixel_grid((SIDE, 3 * SIDE))
    return evaluate(recipe, grid).height, grid.dx


PLACE = place(size=120.0, height=150.0, gain=0.3)


def far_from(target: FitTarget, recipe: Recipe) -> float:
    """The distance of a recipe from a target, with seeds that no search has seen."""
    return target.distance([measure_terrain((recipe, seed), target.grid) for seed in range(70, 76)])


@pytest.mark.nightly("statistics")
def test_a_fit_halves_the_distance_to_terrain_of_the_place_that_it_has_not_seen() -> None:
    found = fit(START, *PLACE, seconds=None, evaluations=200)
    unseen = FitTarget.of(*place(51, size=120.0, height=150.0, gain=0.3))
    assert far_from(unseen, found.best[0].recipe) < far_from(unseen, found.start.recipe) / 2
    assert found.best[0].distance < found.start.distance / 2
    assert found.history[-1][0] <= found.evaluations <= 200
    assert 2 <= len(found.best) <= 8
    losses = [one.distance for one in found.best]
    assert min(losses) > 0 and max(losses) < found.start.distance
    relief = measure_terrain((found.best[0].recipe, 77), found.target.grid)[-1]
    assert relief == pytest.approx(found.target.relief, rel=0.5)


@pytest.mark.slow
def test_a_fit_is_the_same_with_any_number_of_processes() -> None:
    fits = [
        fit(START, *PLACE, seconds=None, evaluations=110, seed=3, workers=workers)
        for workers in (1, 2)
    ]
    assert fits[0].best == fits[1].best
    assert fits[0].seeds == SEEDS
    found, seeds = fits[0], (*FULL.search, *FULL.check)
    losses = [
        found.target.loss(
            [measure_terrain((one.recipe, seed), found.target.grid) for seed in seeds]
        )
        for one in found.best
    ]
    assert losses == sorted(losses)
    assert fits[0].history == fits[1].history
    other = fit(START, *PLACE, seconds=None, evaluations=110, seed=4)
    assert other.best != fits[0].best


@pytest.mark.slow
def test_a_fit_tells_its_progress_and_can_be_finished_early() -> None:
    seen = []
    found = fit(START, *PLACE, seconds=3600.0, progress=seen.append, finish=lambda: len(seen) == 3)
    assert [len(one.history) for one in seen] == [0, 1, 2]
    assert all(0 < one.share < 0.1 for one in seen)
    assert found.share == 1.0 and found.evaluations > seen[-1].evaluations
    assert {one.recipe for one in found.best} == {one.recipe for one in seen[-1].best}


@pytest.mark.slow
def test_the_recipes_of_a_fit_differ() -> None:
    """Also where so few settings can change that most of the candidates are alike."""
    start = Recipe(layers=(LAYERS["diamond_square"](),))
    height, spacing = PLACE
    found = fit(start, height[:64, :64], spacing, seconds=None, evaluations=110)
    every = [shares(one.recipe, variables(found.start.recipe)) for one in found.best]
    assert len(every) > 1
    for one, other in itertools.combinations(every, 2):
        assert np.sqrt(np.square(one - other).mean()) > 0.9 * APART  # settings are rounded


SMALL_PLACE = (PLACE[0][:64, :64], PLACE[1])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """A clock that each look at it moves on, so that a terrain always takes the same time."""
    ticks = itertools.count()
    now = 0.0

    def monotonic() -> float:
        nonlocal now
        now = next(ticks) / 1000
        return now

    monkeypatch.setattr(time, "monotonic", monotonic)
    return lambda: now


@pytest.mark.parametrize(("terrains", "seeds"), [(7, {1, 2}), (40, {2}), (150, {SEEDS})])
@pytest.mark.slow
def test_a_search_ends_in_time_and_says_how_many_seeds_it_had(
    terrains: int, seeds: set[int], clock: Callable[[], float]
) -> None:
    target = FitTarget.of(*SMALL_PLACE)
    before = clock()
    measured_by(math.inf, (START, 1), target.grid)
    seconds = terrains * (clock() - before)
    before = clock()
    found = fit(START, *SMALL_PLACE, seconds=seconds)
    assert 0.6 * seconds < clock() - before < seconds + 0.1
    assert found.seeds in seeds
    assert 0.5 * terrains < found.evaluations < 1.5 * terrains
    assert len(found.best) > 1


def test_a_search_without_time_for_one_terrain_asks_for_more(clock: Callable[[], float]) -> None:
    for seconds in (0.1, -1.0):
        with pytest.raises(ValueError, match="too short .* search longer"):
            fit(START, *SMALL_PLACE, seconds=seconds)


def test_a_fit_is_cancelled_at_once() -> None:
    for workers in (1, 2):
        with pytest.raises(Cancelled):
            fit(START, *PLACE, workers=workers, cancelled=lambda: True)


def test_what_cannot_be_fitted_is_said() -> None:
    height, spacing = PLACE
    painted = dataclasses.replace(
        START,
        layers=(*START.layers, LAYERS["height_map"](source="Paint")),
        maps=(Map("Paint", np.zeros((4, 4), np.float32)),),
    )
    for recipe, heights, message in (
        (START, height[:40], "64 x 64 samples are needed"),
        (START, height * 0, "flat"),
        (START, np.where(height > 0, height, np.nan), "voids"),
        (presets.empty(), height, "no active layer"),
        (painted, height, "painted maps"),
    ):
        with pytest.raises(ValueError, match=message):
            fit(recipe, heights, spacing, evaluations=10)
    with pytest.raises(ValueError, match="how many"):
        fit(START, *PLACE, seconds=None)
    with pytest.raises(ValueError, match="at least 1"):
        fit(START, *PLACE, workers=0)


def test_any_values_of_the_variables_of_a_preset_make_a_recipe(sampled_preset: str) -> None:
    recipe = presets.load(sampled_preset)
    found = variables(recipe)
    assert len(found) > 1
    assert not {"seed", "rotation", "offset_x", "line"} & {one.name for one in found}
    kept = with_shares(recipe, found, shares(recipe, found))
    for one in found:
        values = [getattr(it.layers[one.layer].settings, one.name) for it in (recipe, kept)]
        assert values[1] == pytest.approx(values[0], rel=0.01)
    random = np.random.default_rng(1)
    for drawn in (np.zeros(len(found)), np.ones(len(found)), random.random(len(found))):
        changed = with_shares(recipe, found, drawn)
        # Whole numbers are rounded, by up to half of the step from 1 to 2 among 1 to 8.
        assert shares(changed, found) == pytest.approx(drawn, abs=0.17)


def test_windows_cover_an_elevation_model_evenly() -> None:
    rows = np.broadcast_to(np.arange(2 * MOST, dtype=np.float32)[:, None], (2 * MOST, MOST + 10))
    found = windows(rows)
    assert [one.shape for one in found] == [(MOST, MOST)] * 4
    assert sorted(float(one[0, 0]) for one in found) == [0, 0, MOST, MOST]
    assert [one.shape for one in windows(rows[:100])] == [(100, 100)] * 3


def test_the_search_finds_a_narrow_valley() -> None:
    """Variables that matter a hundred times as much as others do not hide these."""
    scale = np.logspace(0, 2, 10)
    wanted = np.linspace(0.1, 0.9, 10)

    def apart(drawn: np.ndarray) -> np.ndarray:
        return (scale * np.square(drawn - wanted)).sum(-1)

    search = Evolution(np.full(10, 0.5), seed=1)
    for _ in range(100):
        drawn = search.ask()
        assert drawn.min() >= 0 and drawn.max() <= 1
        search.tell(drawn, apart(drawn))
    assert search.mean == pytest.approx(wanted, abs=0.01)


@pytest.mark.slow
def test_the_command_writes_the_recipe_that_was_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heights, spacing = PLACE
    (tmp_path / "start.json").write_text(START.to_json(), encoding="utf-8")
    np.save(tmp_path / "place.npy", heights)
    command = ["fit", str(tmp_path / "start.json"), str(tmp_path / "place.npy")]
    command += ["--out", str(tmp_path / "like.json"), "--json"]
    command += ["--evaluations", "70", "--workers", "1"]
    assert main([*command, "--spacing", str(spacing)]) == 0
    data = json.loads(capsys.readouterr().out)
    found = fit(START, heights, spacing, seconds=None, evaluations=70)
    recipe = Recipe.from_json((tmp_path / "like.json").read_bytes())
    assert recipe.layers == found.best[0].recipe.layers
    assert recipe.about == "start fitted to place.npy"
    assert (data["distance"], data["before"]) == (found.best[0].distance, found.start.distance)
    assert main(command) == 1
    assert "--spacing METERS" in capsys.readouterr().err
    assert main([*command, "--out", "like.txt"]) == 2
