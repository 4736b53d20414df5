# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews: what they cost, which points they are made of, how near they are, when they end."""

from functools import partial

import numpy as np
import pytest

from terrain_addon.blender.app.worker import Job
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.costs import RETRY, SLOW_PREVIEW, Cost, Costs, Stopwatch
from terrain_addon.blender.live.previews import MOST_RESULTS, step_of
from terrain_addon.blender.live.surface import Target, is_current
from terrain_addon.blender.mesh.signature import Signature
from terrain_addon.core import Erosion, FractalNoise, Recipe, presets

ERODED = Recipe(layers=(FractalNoise(), Erosion()))


def watched(recipe, grid, *, here=None, elsewhere=None, total=None):
    """A measurement with given seconds."""
    watch = Stopwatch(recipe, grid)
    watch.times.here.update(here or {})
    watch.times.elsewhere.update(elsewhere or {})
    parts = [*watch.times.here.values(), *watch.times.elsewhere.values()]
    watch.total = sum(parts) if total is None else total
    return watch


def heights(mesh):
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", out)
    return out


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def test_layers_that_erosion_evaluates_cost_the_same_at_any_number_of_points():
    costs, coarse, fine = Costs(), ERODED.grid(129), ERODED.grid(1025)
    costs.learn(1, watched(ERODED, coarse, here={1: 0.01}, elsewhere={0: 0.02}))
    cost = costs.expected(1, ERODED, fine)
    assert cost is not None
    assert cost.fixed == pytest.approx(0.02)
    assert cost.at(1025**2) == pytest.approx(0.02 + 0.01 * (1025 / 129) ** 2)


def test_a_full_result_corrects_what_small_ones_suggest():
    costs, small, full = Costs(), ERODED.grid(129), ERODED.grid(1025)
    costs.learn(1, watched(ERODED, small, here={1: 0.15}, elsewhere={0: 0.02}))
    costs.learn(1, watched(ERODED, full, here={1: 0.3}))
    cost = costs.expected(1, ERODED, ERODED.grid(513))
    assert cost is not None
    assert cost.at(513**2) < 0.1


def test_what_is_solved_once_counts_as_fixed():
    costs, grid = Costs(), ERODED.grid(1025)
    costs.learn(1, watched(ERODED, grid, here={1: 0.2}))
    costs.learn(1, watched(ERODED, grid, here={1: 0.3}))
    stronger = Recipe(layers=(FractalNoise(), Erosion(strength=2.0)))
    cost = costs.expected(1, stronger, grid)
    assert cost is not None
    assert cost.fixed == pytest.approx(0.1)
    assert cost.per_point * 1025**2 == pytest.approx(0.2)


def test_slow_previews_are_tried_again():
    now = [100.0]
    costs = Costs(clock=lambda: now[0])
    assert costs.allow_preview(1)
    costs.learn_preview(1, 2 * SLOW_PREVIEW)
    assert costs.allow_preview(1)
    costs.learn_preview(1, 2 * SLOW_PREVIEW)
    assert not costs.allow_preview(1)
    assert costs.allow_preview(2)
    now[0] += RETRY + 0.1
    assert costs.allow_preview(1)
    costs.learn_preview(1, SLOW_PREVIEW / 2)
    assert costs.allow_preview(1)


def test_a_preview_is_as_fine_as_its_time_allows(add):
    mesh = add(presets.load("alps"), resolution=257).data
    target = Target.of(mesh.terrain)
    steps = [step_of(Cost(9.0, total / target.points), target) for total in (0.1, 0.2, 1, 2, 99)]
    assert steps == [2, 4, 8, 16, 16]


@pytest.mark.parametrize(
    ("kind", "setting", "factor"),
    [
        ("erosion", "strength", 1.2),
        ("erosion", "gully_depth", 1.1),
        ("fractal_noise", "height", 1.1),
    ],
)
def test_previews_are_nearer_to_the_result_than_the_last_picture(add, kind, setting, factor):
    mesh = add(presets.load("alps"), resolution=257).data
    group = next(getattr(layer, kind) for layer in mesh.terrain.layers if layer.kind == kind)
    before = heights(mesh)
    with rebuild.quiet():
        setattr(group, setting, getattr(group, setting) * factor)
    rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    assert Signature.built(mesh.terrain).is_coarse
    assert not is_current(mesh)
    preview = heights(mesh)
    rebuild.update(mesh)
    full = heights(mesh)
    assert is_current(mesh)
    assert rms(preview - full) <= 0.8 * rms(before - full)


def test_a_preview_without_changes_is_the_last_result(add):
    mesh = add(presets.load("alps"), resolution=129).data
    before = heights(mesh)
    rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    np.testing.assert_array_equal(heights(mesh), before)


def test_a_copy_made_during_a_rebuild_is_finished_too(add):
    mesh = add(presets.load("mesa"), resolution=65).data
    with rebuild.quiet():
        mesh.terrain.seed += 1
    target = Target.of(mesh.terrain)
    rebuild._preview(mesh, target, Cost())
    make = partial(rebuild._make, target.recipe, target.grid, target.shown)
    rebuild._state.worker.start(Job(mesh.session_uid, target.signature, make))
    copy = mesh.copy()
    rebuild.finish()
    assert is_current(mesh)
    assert is_current(copy)
    np.testing.assert_array_equal(heights(copy), heights(mesh))


def test_a_canceled_rebuild_stays_canceled_when_another_one_ends(add):
    canceled, other = (add(presets.load("mesa"), resolution=65).data for _ in range(2))
    for mesh in (canceled, other):
        with rebuild.quiet():
            mesh.terrain.seed += 1
        target = Target.of(mesh.terrain)
        rebuild._preview(mesh, target, Cost())
        make = partial(rebuild._make, target.recipe, target.grid, target.shown)
        rebuild._state.worker.start(Job(mesh.session_uid, target.signature, make))
        if mesh == canceled:
            rebuild.cancel()
    rebuild.finish()
    assert is_current(other)
    assert not is_current(canceled)
    rebuild.request(canceled)
    assert is_current(canceled)


def test_results_of_few_meshes_are_kept(add):
    for seed in range(MOST_RESULTS + 2):
        add(Recipe(seed=seed, layers=(FractalNoise(),)))
    assert len(rebuild._state.previews._results) == MOST_RESULTS
