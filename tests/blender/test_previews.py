# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews: what they cost, which points they are made of, how near they are, when they end."""

import dataclasses
import time
from functools import partial
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.worker import Job
from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.live import (
    costs as costs_module,
    previews as previews_module,
    rebuild,
    shapes,
)
from terrain_addon.blender.live.costs import RETRY, Cost, Costs, Stopwatch, slow_preview
from terrain_addon.blender.live.previews import MOST_RESULTS, Previews, step_of
from terrain_addon.blender.live.surface import Target, is_current
from terrain_addon.blender.mesh.signature import Signature
from terrain_addon.core import (
    Cancelled,
    Erosion,
    FractalNoise,
    Heightfield,
    Recipe,
    River,
    Shape,
    presets,
)
from terrain_addon.core.evaluation import Solved
from terrain_addon.core.numerics import never_cancelled, no_progress

ERODED = Recipe(layers=(FractalNoise(), Erosion()))

QUICK = {"alps": {"resolution": "256", "strength": 1.0}, "canyon": {"resolution": "256"}}
"""Changed settings of erosion."""


@pytest.fixture(autouse=True)
def machine_of_the_constants(monkeypatch):
    """Previews are those of the machine where the constants were measured, on any machine."""
    for module in (costs_module, previews_module):
        monkeypatch.setattr(module, "slowness", lambda: 1.0)


def quickly_solved(preset):
    """A preset whose drainage takes little time: for that of most presets there is no preview."""
    recipe = presets.load(preset)
    layers = [
        dataclasses.replace(one, settings=dataclasses.replace(one.settings, **QUICK[preset]))
        if isinstance(one.settings, Erosion)
        else one
        for one in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


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


def colors(mesh):
    out = np.empty(len(mesh.vertices) * 4, np.float32)
    mesh.attributes["Color"].data.foreach_get("color", out)
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


@pytest.mark.parametrize("factor", [2.0, 4.0])
def test_a_slower_machine_shows_the_same_previews(monkeypatch, factor):
    """Where all takes that much longer: the noise that is measured, and the layers."""
    target, previews = Target(ERODED, ERODED.grid(1025), None, Signature()), Previews()

    def shown(factor):
        for module in (costs_module, previews_module):
            monkeypatch.setattr(module, "slowness", lambda: factor)
        cost = Cost(factor, factor * 1e-6)
        solving = costs_module.seconds_to_solve([Solved(Erosion(), held=False)], 1e3)
        seconds = previews.seconds(1, target, cost) + solving
        return step_of(cost, target), seconds / slow_preview()

    assert shown(factor) == (shown(1.0)[0], pytest.approx(shown(1.0)[1]))


def test_glaciers_take_time_beside_rivers_or_alone():
    ice = Erosion(glaciers=True)
    rivers, both, alone = (
        costs_module.seconds_to_solve([solved], 1e3)
        for solved in (Solved(Erosion(), False), Solved(ice, False), Solved(ice, False, False))
    )
    assert both == pytest.approx(rivers + alone) and 0 < alone < rivers


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


def test_a_moved_point_costs_what_follows_its_curve():
    """Erosion never evaluates the layer of a drawn river: it takes no time that could be known."""

    def drawn(x):
        layers = (FractalNoise(), River(source="Line"), Erosion())
        return Recipe(layers=layers, shapes=(Shape.of("Line", [[(-100, 0), (x, 50)]]),))

    costs, grid = Costs(), ERODED.grid(1025)
    costs.learn(1, watched(drawn(100.0), grid, here={2: 0.3}, elsewhere={0: 0.02}))
    same, moved = (costs.expected(1, drawn(x), grid) for x in (100.0, 101.0))
    assert same is not None and moved is not None
    assert moved.at(1025**2) - same.at(1025**2) == pytest.approx(0.3)


def test_slow_previews_are_tried_again():
    now = [100.0]
    costs = Costs(clock=lambda: now[0])
    assert costs.allow_preview(1)
    costs.learn_preview(1, 2 * slow_preview())
    assert costs.allow_preview(1)
    costs.learn_preview(1, 2 * slow_preview())
    assert not costs.allow_preview(1)
    assert costs.allow_preview(2)
    now[0] += RETRY + 0.1
    assert costs.allow_preview(1)
    costs.learn_preview(1, slow_preview() / 2)
    assert costs.allow_preview(1)


def test_a_preview_is_as_fine_as_its_time_allows_and_never_coarser_than_257_points():
    def step(seconds, nx, ny):
        recipe = Recipe(size_x=1000.0, size_y=1000.0 * ny / nx)
        target = Target(recipe, recipe.grid((nx, ny)), None, Signature())
        return step_of(Cost(9.0, seconds / target.points), target)

    assert [step(seconds, 1025, 513) for seconds in (0.005, 0.03, 0.1, 99)] == [1, 2, 4, 4]
    assert [step(99, nx, 1025) for nx in (257, 513, 1025, 4097)] == [4, 4, 4, 16]
    assert step(99, 257, 257) == 1


def test_a_preview_that_would_take_long_is_not_made(add, monkeypatch):
    """River Detail 1024 stops Blender for a second, and gullies are fast even then."""
    mesh = add(quickly_solved("alps"), resolution=65).data
    erosion = next(one.erosion for one in mesh.terrain.layers if one.kind == "erosion")
    erosion.resolution = "512"
    talus = erosion.talus
    with rebuild.quiet():
        erosion.talus = 1.05 * talus
    monkeypatch.setattr("terrain_addon.core.erosion.rivers.solver.eroded", None)
    built, before = mesh.terrain.built, heights(mesh)
    assert not rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    assert mesh.terrain.built == built
    np.testing.assert_array_equal(heights(mesh), before)
    with rebuild.quiet():
        erosion.talus = talus
        erosion.gully_depth *= 1.1
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    assert not np.array_equal(heights(mesh), before)


@pytest.mark.parametrize(
    ("preset", "change", "most"),
    [
        ("alps", {}, 0.05),
        ("alps", {"gully_depth": 0.9}, 0.05),
        ("alps", {"talus": 30.0}, 0.15),
        ("alps", {"strength": 1.05}, 0.09),
        ("canyon", {"age": 0.36}, 0.05),
        ("canyon", {"age": 0.31}, 0.25),
        ("canyon", {"resolution": "1024"}, 2.0),
    ],
)
def test_what_a_preview_is_expected_to_take(preset, change, most):
    """It is the solution of the drainage that takes long; settings without it are cheap."""
    recipe = quickly_solved(preset).holding_rivers()
    changed = dataclasses.replace(
        recipe,
        layers=tuple(
            dataclasses.replace(one, settings=dataclasses.replace(one.settings, **change))
            if isinstance(one.settings, Erosion)
            else one
            for one in recipe.layers
        ),
    )
    grid = recipe.grid(1025)
    previews = Previews()
    previews.keep(1, recipe, Heightfield(grid, np.zeros(grid.shape)))
    target = Target(changed, grid, None, Signature())
    seconds = previews.seconds(1, target, Cost(9.0, 0.08 / target.points))
    assert most / 2 < seconds <= most


@pytest.mark.parametrize("setting", ["rivers", "valley_floor"])
def test_a_change_finer_than_a_preview_shows_the_old_picture(add, setting):
    mesh = add(quickly_solved("alps"), resolution=65).data
    erosion = next(one.erosion for one in mesh.terrain.layers if one.kind == "erosion")
    built = mesh.terrain.built
    with rebuild.quiet():
        setattr(erosion, setting, 0.3)
    assert not rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    assert mesh.terrain.built == built


def test_a_terrain_from_a_file_has_previews(add, tmp_path):
    """They start from the heights that the file holds."""
    path = str(tmp_path / "land.blend")
    add(quickly_solved("alps"), resolution=129)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    mesh: Any = bpy.context.object.data
    before = heights(mesh)
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    np.testing.assert_array_equal(heights(mesh), before)


def test_without_a_last_result_there_is_no_preview(add):
    mesh = add(quickly_solved("alps"), resolution=65).data
    rebuild._state.previews.clear()
    with rebuild.quiet():
        mesh.terrain.seed += 1
    assert not rebuild._preview(mesh, Target.of(mesh.terrain), Cost())


def test_a_preview_of_a_field_in_view_has_its_colors(add):
    mesh = add(quickly_solved("alps"), resolution=129).data
    mesh.terrain.mask_view = "slope"
    shown = colors(mesh)
    with rebuild.quiet():
        next(one.erosion for one in mesh.terrain.layers if one.kind == "erosion").strength = 1.2
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    preview, before = colors(mesh), heights(mesh)
    rebuild.update(mesh)
    assert rms(preview - colors(mesh)) < rms(shown - colors(mesh))
    assert rms(before - heights(mesh)) > 0


def test_a_new_mesh_gets_a_coarse_surface_before_its_full_result(add):
    """Without one, it is a plane until then, and in the undo step of the operator that adds it."""
    mesh = add(ERODED, resolution=513).data
    full = heights(mesh)
    rebuild._state.previews.clear()
    target = Target.of(mesh.terrain)
    mesh.terrain.built = str(Signature.bare(target.grid))
    assert rebuild._preview(mesh, target, Cost(9.0, 99.0))
    assert Signature.built(mesh.terrain).is_coarse
    coarse = heights(mesh)
    assert not np.array_equal(coarse, full)
    assert rms(coarse - full) < 0.1 * np.ptp(full)


def test_a_preview_moves_points_and_leaves_the_rest_to_the_full_result(add):
    mesh = add(quickly_solved("alps"), resolution=129).data
    names = {attribute.name for attribute in mesh.attributes}
    kept = names - {"position", "height"}
    before = {name: values_of(mesh.attributes[name]).copy() for name in names}
    with rebuild.quiet():
        next(one.erosion for one in mesh.terrain.layers if one.kind == "erosion").strength = 1.2
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    assert {attribute.name for attribute in mesh.attributes} == names
    moved = {name for name in names if (values_of(mesh.attributes[name]) != before[name]).any()}
    assert moved == {"position", "height"}
    rebuild.update(mesh)
    moved = {name for name in kept if (values_of(mesh.attributes[name]) != before[name]).any()}
    assert {"slope", "Color", "convexity_fine"} <= moved


def test_more_points_show_the_last_picture(add):
    mesh = add(quickly_solved("alps"), resolution=129).data
    few = heights(mesh).reshape(129, 129)
    with rebuild.quiet():
        mesh.terrain.resolution = 257
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    many = heights(mesh).reshape(257, 257)
    np.testing.assert_allclose(many[::2, ::2], few, atol=1e-3)
    assert values_of(mesh.attributes["convexity_fine"]).any(), "there are no values to keep"


def test_a_terrain_of_another_size_is_shown_coarse(add):
    mesh = add(quickly_solved("alps"), resolution=129).data
    before = heights(mesh)
    with rebuild.quiet():
        mesh.terrain.size_x = mesh.terrain.size_y = mesh.terrain.size_x * 1.1
    assert rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    preview = heights(mesh)
    rebuild.update(mesh)
    assert rms(preview - heights(mesh)) <= 0.8 * rms(before - heights(mesh))


@pytest.mark.parametrize(
    ("kind", "setting", "factor"),
    [
        ("erosion", "strength", 1.2),
        ("erosion", "gully_depth", 1.1),
        ("fractal_noise", "height", 1.1),
    ],
)
def test_previews_are_nearer_to_the_result_than_the_last_picture(add, kind, setting, factor):
    mesh = add(quickly_solved("alps"), resolution=257).data
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
    mesh = add(quickly_solved("alps"), resolution=129).data
    before = heights(mesh)
    rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    np.testing.assert_array_equal(heights(mesh), before)


def test_a_copy_made_during_a_rebuild_is_finished_too(add):
    mesh = add(quickly_solved("alps"), resolution=65).data
    with rebuild.quiet():
        mesh.terrain.seed += 1
    target = Target.of(mesh.terrain)
    rebuild._preview(mesh, target, Cost())
    make = partial(rebuild._make, target)
    rebuild._state.worker.start(Job(mesh.session_uid, target.signature, make))
    copy = mesh.copy()
    rebuild.finish()
    assert is_current(mesh)
    assert is_current(copy)
    np.testing.assert_array_equal(heights(copy), heights(mesh))


def test_a_canceled_rebuild_stays_canceled_when_another_one_ends(add):
    canceled, other = (add(quickly_solved("alps"), resolution=65).data for _ in range(2))

    def until_canceled(progress, cancelled):
        while not cancelled():
            time.sleep(1e-3)
        raise Cancelled

    for mesh in (canceled, other):
        with rebuild.quiet():
            mesh.terrain.seed += 1
        target = Target.of(mesh.terrain)
        rebuild._preview(mesh, target, Cost())
        make = partial(rebuild._make, target)
        job = until_canceled if mesh == canceled else make
        rebuild._state.worker.start(Job(mesh.session_uid, target.signature, job))
        if mesh == canceled:
            rebuild.cancel()
    rebuild.finish()
    assert is_current(other)
    assert not is_current(canceled)
    rebuild.request(canceled)
    assert is_current(canceled)


def canceled_preview(add):
    """A terrain that shows a preview, whose rebuild was canceled."""
    mesh = add(quickly_solved("alps"), resolution=65).data
    with rebuild.quiet():
        mesh.terrain.seed += 1
    rebuild._preview(mesh, Target.of(mesh.terrain), Cost())
    rebuild._state.canceled.add(mesh.session_uid)
    return mesh


def test_a_preview_that_was_appended_is_finished(add, tmp_path):
    path = str(tmp_path / "land.blend")
    mesh = canceled_preview(add)
    name = bpy.context.object.name
    bpy.context.view_layer.update()
    assert not is_current(mesh), "canceled"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.append(directory=f"{path}/Object/", filename=name)
    bpy.context.view_layer.update()
    appended: Any = bpy.data.objects[name].data
    assert not is_current(appended), "the dependency graph is evaluated"
    assert bpy.app.timers.is_registered(shapes.follow)
    assert shapes.follow() is None
    assert is_current(appended)


def test_a_copy_of_a_canceled_preview_is_finished(add):
    mesh = canceled_preview(add)
    bpy.ops.object.duplicate()
    copy: Any = bpy.context.object.data
    assert copy != mesh
    bpy.context.view_layer.update()
    assert shapes.follow() is None
    assert is_current(copy)
    assert not is_current(mesh)


def test_an_unfinished_preview_is_never_saved(add, tmp_path):
    mesh = canceled_preview(add)
    bpy.ops.object.duplicate()
    copy: Any = bpy.context.object.data
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    assert is_current(copy)
    assert not is_current(mesh)


def test_a_result_that_is_not_delivered_yet_counts_as_work(add, monkeypatch):
    """As while its mesh is in edit mode: another job would compute the same again."""
    mesh = add(quickly_solved("alps"), resolution=65).data
    with rebuild.quiet():
        mesh.terrain.seed += 1
    target = Target.of(mesh.terrain)
    rebuild._preview(mesh, target, Cost())
    worker, made = rebuild._state.worker, partial(rebuild._make, target)
    worker.start(Job(mesh.session_uid, target.signature, made))
    worker._join()
    assert not worker.busy
    assert worker.works_on(mesh.session_uid)
    assert not rebuild.is_unfinished(mesh)
    with monkeypatch.context() as patch:
        patch.setattr(worker, "_receive", lambda result: False)
        worker.poll()
    assert worker.works_on(mesh.session_uid), "postponed"
    assert not is_current(mesh)
    worker.poll()
    assert is_current(mesh)
    assert not worker.works_on(mesh.session_uid)


def test_a_result_that_waits_is_saved(add, tmp_path):
    mesh = add(quickly_solved("alps"), resolution=65).data
    with rebuild.quiet():
        mesh.terrain.seed += 1
    target = Target.of(mesh.terrain)
    rebuild._preview(mesh, target, Cost())
    made = partial(rebuild._make, target)
    rebuild._state.worker.start(Job(mesh.session_uid, target.signature, made))
    rebuild._state.worker._join()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    assert is_current(mesh)


@pytest.mark.parametrize("removed", ["object", "mesh"])
def test_the_results_of_deleted_terrains_are_dropped(add, removed):
    kept, deleted = (add(Recipe(seed=seed, layers=(FractalNoise(),))) for seed in range(2))
    results = rebuild._state.previews._results
    assert set(results) == {kept.data.session_uid, deleted.data.session_uid}
    if removed == "object":
        bpy.data.objects.remove(deleted)
    else:
        bpy.data.meshes.remove(deleted.data)
    bpy.context.view_layer.update()
    assert set(results) == {kept.data.session_uid}


def test_results_of_few_meshes_are_kept(add):
    for seed in range(MOST_RESULTS + 2):
        add(Recipe(seed=seed, layers=(FractalNoise(),)))
    assert len(rebuild._state.previews._results) == MOST_RESULTS


@pytest.mark.slow
def test_the_worker_evaluates_what_the_next_preview_starts_from(add, monkeypatch):
    """The old recipe on the coarse grid: half of the evaluation of a preview."""
    mesh = add(quickly_solved("alps"), resolution=1025).data
    target = Target.of(mesh.terrain)
    cost = Cost(9.0, 1e-7)
    uid, previews = mesh.session_uid, rebuild._state.previews
    small = dataclasses.replace(target, grid=target.recipe.grid(513))
    assert previews.to_prepare(uid, small, cost) is None, "a quarter of the points take long"
    erosion = next(one.erosion for one in mesh.terrain.layers if one.kind == "erosion")
    made = []
    sample = Erosion.apply
    monkeypatch.setattr(Erosion, "apply", lambda *of: made.append(of) or sample(*of))
    for name in ("strength", "gully_depth"):
        for step, evaluated in ((1, 2), (2, 1)):  # the first one of a drag evaluates both
            with rebuild.quiet():
                setattr(erosion, name, getattr(erosion, name) * 1.1)
            target = Target.of(mesh.terrain)
            made.clear()
            assert previews.make(uid, target, cost, rebuild.CACHE)
            assert len(made) == evaluated, (name, step)
            coarse = previews.to_prepare(uid, target, cost)
            assert coarse is not None and coarse[1] == target.recipe.grid(257)
            made_now = rebuild._make(target, no_progress, never_cancelled, coarse)
            rebuild._write(mesh, made_now[1], target.recipe, target.signature, made_now[2])
