# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds terrains on every change.

A cheap terrain is rebuilt in the property's update callback, so that one undo step contains the
setting and the mesh. An expensive one shows a coarse preview at once; a worker computes the rest,
which is written to the mesh if the recipe has not changed meanwhile. Undo and redo call no update
callback, so a handler compares the signature of each mesh with its recipe.

No reference to Blender data outlives a call: meshes are looked up by their session_uid.
"""

import math
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from threading import Event
from typing import Any, Concatenate, ParamSpec

import bpy
from bpy.app.handlers import persistent

from ...core import Grid, Heightfield, Recipe, evaluate
from ...core.evaluation import Held, memory
from ...core.numerics import Cancel, LayerProgress, never_cancelled, no_progress, user_message
from ...core.output import recolored
from ..app.preferences import computes_in_background
from ..app.registration import handlers_factory
from ..app.status import at_pointer, redraw
from ..app.worker import Job, Result, Worker
from ..data.terrains import drop_old_copy, is_terrain, mesh_of, terrain_of, why_not_editable
from ..mesh import painted_maps
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import HEIGHT, Surface, is_grid, is_in_place, recorded
from ..properties.held_rivers import note_rivers
from ..properties.recipe import read_bare
from .cache import CACHE
from .costs import Cost, Costs, Stopwatch
from .previews import Coarse, Previews, first_surface
from .surface import (
    Target,
    check_names,
    make_surface,
    read_stored,
    recolor,
    stored_heightfield,
    stored_names,
    write,
)

PATIENCE = 0.1  # seconds that a change of a slider may take
TICK = 0.02  # seconds that a change of a color may take before its colors come first
LONG_PATIENCE = 1.0  # seconds that a button may take
PROBES = (33, 129)
"""Points along the longer side of the first, timed evaluations: the second finds all solved."""

EDITED = "Edited by hand: settings have no effect until you keep or discard the edits"

AFTER: list[Callable[[bpy.types.Mesh], None]] = []
"""Functions that are called with a mesh after each full result is written to it."""

P = ParamSpec("P")
Made = tuple[Recipe, Surface, Stopwatch]
"""A recipe, its surface and the durations of its layers."""


@dataclass
class _State:
    """State between calls: plain data only."""

    worker: Worker
    quiet: int = 0
    costs: Costs = field(default_factory=Costs)
    previews: Previews = field(default_factory=Previews)
    errors: dict[int, str] = field(default_factory=dict)
    canceled: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Recoloring:
    """Goal of a job that computes only colors, for a mesh with the heights of that signature."""

    signature: Signature


@dataclass(frozen=True)
class Started:
    """A surface that a thread computes for :func:`update`, and its recipe."""

    recipe: Recipe
    soon: Future[Made]


@contextmanager
def started(recipe: Recipe, grid: Grid) -> Iterator[Started]:
    """Compute the surface of a recipe in a thread while the context creates a mesh for it.

    Blender creates the mesh without holding Python, which saves a sixth of the time. A surface
    that is unused at the end is dropped.
    """
    dropped = Event()
    with ThreadPoolExecutor(1) as pool:
        try:
            target = Target(recipe, grid, None, Signature())
            yield Started(recipe, pool.submit(_make, target, no_progress, dropped.is_set))
        finally:
            dropped.set()


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress rebuilds within the context."""
    _state.quiet += 1
    try:
        yield
    finally:
        _state.quiet -= 1


def is_quiet() -> bool:
    """Return whether changes of settings are to rebuild nothing now."""
    return _state.quiet > 0


@contextmanager
def one_rebuild(mesh: bpy.types.Mesh) -> Iterator[None]:
    """Rebuild once at the end of the context, however many settings it changes."""
    with quiet():
        yield
    if not _state.quiet:
        request(mesh, LONG_PATIENCE)


def request(
    mesh: bpy.types.Mesh, patience: float | None = PATIENCE, *, settings: Any = None
) -> None:
    """Update a live terrain; :func:`error_of` returns what went wrong.

    It never raises: a terrain that cannot be built does not stop what is done to the others.
    """
    terrain = terrain_of(mesh)
    if not terrain.is_terrain or why_not_editable(mesh):
        return
    if settings is None:  # else it is an evaluated copy, which changes by itself
        note_rivers(terrain)
    if not terrain.live:
        return
    with suppress(Exception):  # noted
        update(mesh, patience, settings=settings)


def is_edited(mesh: bpy.types.Mesh) -> bool:
    """Return whether points were added, removed or moved by hand; only the user may discard that.

    Without a record of the heights, only a mesh that its recipe gives is known not to be edited.
    """
    built = Signature.built(terrain_of(mesh))
    if built.is_bare or not (built.grid or mesh.vertices):
        return False
    grid, kept = built.grid, recorded(mesh, (HEIGHT,))
    if grid and not is_grid(mesh, grid.nx, grid.ny):
        return True
    if grid and kept:
        return not is_in_place(mesh, grid, kept[0])
    given = _given_by_recipe(mesh, built)
    return given is None or not (
        is_grid(mesh, given.grid.nx, given.grid.ny) and is_in_place(mesh, given.grid, given.height)
    )


def _given_by_recipe(mesh: bpy.types.Mesh, built: Signature) -> Heightfield | None:
    """Return the recipe's heightfield; None if the mesh has another, or it takes long."""
    try:
        target = Target.of(terrain_of(mesh))
        if built.grid and not built.same_heights(target.signature):
            return None
        if _expected(mesh.session_uid, target).at(target.points) > LONG_PATIENCE:
            return None
        return evaluate(target.recipe, target.grid, cache=CACHE)
    except (ValueError, MemoryError):
        return None


def _noting(update: Callable[Concatenate[bpy.types.Mesh, P], None]) -> Any:
    """Decorate an update so that the panel shows its error."""

    @wraps(update)
    def noted(mesh: bpy.types.Mesh, *arguments: P.args, **named: P.kwargs) -> None:
        try:
            update(mesh, *arguments, **named)
        except Exception as error:
            complain_of(mesh, error)
            raise

    return noted


@_noting
def update(
    mesh: bpy.types.Mesh,
    patience: float | None = None,
    *,
    fresh: bool = False,
    settings: Any = None,
    ahead: Started | None = None,
) -> None:
    """Update a terrain to its recipe: everything if ``fresh``, otherwise what has changed.

    An update that takes longer than ``patience`` seconds goes to the worker, except in background
    mode and without patience. The recipe is read from the mesh, or from ``settings``, the group of
    an evaluated copy. ``ahead`` may provide the surface. Raises ValueError if the recipe is not
    valid.
    """
    uid, terrain = mesh.session_uid, terrain_of(mesh)
    target = Target.of(settings or terrain)
    recipe, grid, signature = target.recipe, target.grid, target.signature
    _state.errors.pop(uid, None)
    _state.canceled.discard(uid)
    check_names(mesh, recipe)
    if patience is None or bpy.app.background:
        patience = math.inf
    if not fresh:
        if Signature.built(terrain) == signature:
            _remember(mesh, target)
            return
        if names := stored_names(mesh, target):
            _recolor(mesh, target, names, patience)
            return
        if is_edited(mesh):
            complain(mesh, EDITED)
            return
    if len(mesh.vertices) < grid.nx * grid.ny:
        memory.check_mesh(grid.nx, grid.ny, held=Held.of(target.recipe.active))
    cost = Cost() if patience == math.inf else _expected(uid, target)
    is_quick = cost.at(target.points) <= patience
    if is_quick or not computes_in_background(bpy.context):
        with nullcontext(no_progress) if is_quick else at_pointer() as progress:
            resampled = _now(mesh, target, ahead, progress)
        if resampled:
            update(mesh, patience, settings=settings)
        return
    previewed = Signature.built(terrain) == signature.coarse()
    if not previewed and _state.costs.allow_preview(uid):
        previewed = _preview(mesh, target, cost)
        if recipe.maps:  # a change of resolution resampled those on the mesh
            target = Target.of(settings or terrain)
    # Without previews each result is shown, even if a newer one is needed already: otherwise
    # nothing would change until the mouse rests.
    make = partial(_make, target, coarse=_state.previews.to_prepare(uid, target, cost))
    _state.worker.start(Job(uid, target.signature, make, finish=not previewed))


def _recolor(mesh: bpy.types.Mesh, target: Target, names: tuple[str, ...], patience: float) -> None:
    """Update all but the heights, from the attributes of those names.

    The worker computes expensive masks, and the weights of surface classes where they would slow a
    slider down: the colors come first.
    """
    built, signature = Signature.built(terrain_of(mesh)), target.signature
    if (built.colors, built.classes) == (signature.colors, signature.classes):
        recolor(mesh, target, None)
        return
    stored = read_stored(mesh, target, names)
    make = partial(recolored, target.recipe, stored, target.shown, CACHE)
    classes = built.classes != signature.classes
    expected = _state.costs.expected_to_color(mesh.session_uid, target, classes)
    in_background = patience < math.inf and computes_in_background(bpy.context)
    if not in_background or expected <= (patience if target.shown else TICK):
        recolor(mesh, target, make(classes=classes), classes=classes)
        return
    if target.shown is None:
        recolor(mesh, target, make(classes=False), classes=False)
    _state.worker.start(Job(mesh.session_uid, Recoloring(signature), make))


def _preview(mesh: bpy.types.Mesh, target: Target, cost: Cost) -> bool:
    """Show a preview of a terrain whose rebuild has that cost; False if none suits."""
    if Signature.built(terrain_of(mesh)).is_bare:
        surface = first_surface(target, cost, CACHE)
        write(mesh, surface, target.recipe, target.signature.coarse())
        return True
    begun, uid = time.thread_time(), mesh.session_uid
    surface = _state.previews.make(uid, target, cost, CACHE)
    if surface is None:
        return False
    write(mesh, surface, target.recipe, target.signature.coarse())
    _state.costs.learn_preview(uid, time.thread_time() - begun)
    return True


def _remember(mesh: bpy.types.Mesh, target: Target) -> None:
    """Let previews start from what a mesh from a file shows."""
    uid, names = mesh.session_uid, target.recipe.fields
    if _state.previews.want(uid) and (shown := stored_heightfield(mesh, target, names)):
        _state.previews.keep(uid, target.recipe, shown)


def _make(
    target: Target, progress: LayerProgress, cancelled: Cancel, coarse: Coarse | None = None
) -> Made:
    """Make the surface of a target, in any thread, and ``coarse``, which the next preview finds."""
    recipe, grid, shown = target.recipe, target.grid, target.shown
    watch = Stopwatch(recipe, grid)
    made = make_surface(recipe, grid, CACHE, progress, cancelled, shown, watch.times)
    watch.stop()
    if coarse:
        evaluate(*coarse, cache=CACHE, fields=())
    return recipe, made, watch


def _now(
    mesh: bpy.types.Mesh, target: Target, ahead: Started | None, progress: LayerProgress
) -> bool:
    """Build and write a surface at once; return what :func:`_write` does."""
    # Properties are float32: the recipe read back may differ from the one written.
    if ahead and ahead.recipe == target.recipe:
        _, made, watch = ahead.soon.result()
    else:
        _, made, watch = _make(target, progress, never_cancelled)
    return _write(mesh, made, target.recipe, target.signature, watch)


def _write(
    mesh: bpy.types.Mesh, made: Surface, recipe: Recipe, signature: Signature, watch: Stopwatch
) -> bool:
    """Write a full result, and learn from it.

    Return True if that may have resampled maps on the mesh, which then give other heights.
    """
    old = Signature.built(terrain_of(mesh))
    write(mesh, made, recipe, signature)
    _state.costs.learn(mesh.session_uid, watch)
    shown = Heightfield(made.grid, made.height, made.fields, radius=recipe.wide_radius)
    _state.previews.keep(mesh.session_uid, recipe, shown)
    for one in AFTER:
        one(mesh)
    return bool(recipe.maps) and (old.nx, old.ny) != (signature.nx, signature.ny)


def _expected(uid: int, target: Target) -> Cost:
    """Estimate the cost of a rebuild; if unknown, small ones are timed."""
    recipe, grid = target.recipe, target.grid
    cost = _state.costs.expected(uid, recipe, grid)
    if cost is None:
        for points in PROBES:
            small = recipe.grid(min(points, max(grid.nx, grid.ny)))
            probe = Target(recipe, small, None, Signature())
            _state.costs.learn(uid, _make(probe, no_progress, never_cancelled)[2])
        cost = _state.costs.expected(uid, recipe, grid) or Cost()
    return cost


def _receive(result: Result) -> bool:
    """Write a result to its mesh if the recipe still needs it; False while the mesh is in use."""
    uid = result.job.key
    mesh = mesh_of(uid)
    if mesh is None or not is_terrain(mesh):
        return True
    if mesh.is_editmode or bpy.app.is_job_running("RENDER"):
        return False
    try:
        target = Target.of(terrain_of(mesh))
        receive = _receive_colors if isinstance(result.job.goal, Recoloring) else _receive_surface
        receive(mesh, target, result)
    except Exception as error:  # the results of other terrains must still be received
        complain_of(mesh, error)
    return True


def is_unfinished(mesh: bpy.types.Mesh) -> bool:
    """Return whether a terrain shows a preview that no job replaces, as some copies do."""
    if not is_terrain(mesh):
        return False
    built = Signature.built(terrain_of(mesh))
    return (built.is_coarse or built.lacks_classes) and is_left_alone(mesh)


def is_left_alone(mesh: bpy.types.Mesh) -> bool:
    """Return whether no job works on a terrain, and its last rebuild succeeded."""
    given_up = mesh.session_uid in _state.canceled or error_of(mesh)
    return not given_up and not _state.worker.works_on(mesh.session_uid)


def finish_previews() -> None:
    """Rebuild all unfinished terrains."""
    for mesh in filter(is_unfinished, bpy.data.meshes):
        request(mesh)


def forget_deleted() -> None:
    """Drop the results that previews of deleted terrains would start from."""
    if not _state.previews.is_empty:
        _state.previews.keep_only(mesh.session_uid for mesh in bpy.data.meshes if mesh.users)


def _receive_surface(mesh: bpy.types.Mesh, target: Target, result: Result) -> None:
    """Write a surface that the recipe describes, or described on the way there."""
    job = result.job
    followed = job.finish and _state.worker.works_on(job.key)
    if (target.signature != job.goal and not followed) or why_not_editable(mesh) or is_edited(mesh):
        return
    if result.error:
        complain(mesh, result.error)
        return
    recipe, made, watch = result.made
    if _write(mesh, made, recipe, job.goal, watch):
        request(mesh)


def _receive_colors(mesh: bpy.types.Mesh, target: Target, result: Result) -> None:
    """Write colors to a mesh that has the heights they belong to."""
    built = Signature.built(terrain_of(mesh))
    if result.job.goal != Recoloring(target.signature) or why_not_editable(mesh):
        return
    if result.error:
        complain(mesh, result.error)
    elif built.same_terrain(target.signature) and is_grid(mesh, built.nx, built.ny):
        recolor(mesh, target, result.made)


def complain(mesh: bpy.types.Mesh, text: str) -> None:
    """Set the error that the panel shows until the next update."""
    _state.errors[mesh.session_uid] = text


def complain_of(mesh: bpy.types.Mesh, error: Exception) -> None:
    """Set the error that the panel shows, and print the traceback of a fault of ours."""
    if not isinstance(error, (ValueError, MemoryError)):
        traceback.print_exception(error)
    complain(mesh, user_message(error))


@contextmanager
def noted(mesh: bpy.types.Mesh) -> Iterator[None]:
    """Let the panel show any error of the context, and go on with what follows it."""
    try:
        yield
    except Exception as error:
        complain_of(mesh, error)


def error_of(mesh: bpy.types.Mesh) -> str:
    """Return the error of the last update of a terrain, "" for none."""
    return _state.errors.get(mesh.session_uid, "")


def progress_of(mesh: bpy.types.Mesh) -> tuple[float, str] | None:
    """Return the share done (0 to 1) and the current layer; None without a job for the mesh."""
    worker = _state.worker
    return (worker.share, worker.text) if worker.works_on(mesh.session_uid) else None


def is_busy() -> bool:
    """Return whether the worker has jobs."""
    return _state.worker.busy


def cancel() -> None:
    """Cancel all jobs; terrains keep their previews."""
    _state.canceled |= {m.session_uid for m in bpy.data.meshes if progress_of(m)}
    _state.worker.cancel()
    redraw()


def finish() -> None:
    """Wait for the worker and write its results to the meshes."""
    _state.worker.finish()


@persistent
def _on_undo(*_: Any) -> None:
    for mesh in bpy.data.meshes:
        request(mesh)


@persistent
def _on_load(*_: Any) -> None:
    _state.worker.reset()
    _state.costs.clear()
    _state.previews.clear()
    _state.errors.clear()
    if bpy.app.version >= (5, 0, 0):
        for mesh in bpy.data.meshes:
            drop_old_copy(mesh)
    _on_undo()


@persistent
def _on_save(*_: Any) -> None:
    finish_previews()
    finish()  # save the terrains, not their previews
    for mesh in filter(is_terrain, bpy.data.meshes):
        with suppress(ValueError):  # of settings that are no valid recipe
            recipe = read_bare(terrain_of(mesh))
            names = [name for layer in recipe.layers for name in layer.map_names]
            painted_maps.keep_images((*names, recipe.palette.image))


_state = _State(Worker(_receive, finish_previews))

register, _remove_handlers = handlers_factory(
    {"undo_post": _on_undo, "redo_post": _on_undo, "load_post": _on_load, "save_pre": _on_save}
)


def unregister() -> None:
    _remove_handlers()
    _state.worker.reset()
    _state.previews.clear()
    CACHE.clear()
