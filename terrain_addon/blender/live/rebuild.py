# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild on every change.

A cheap terrain is rebuilt inside the property's update callback, so that one undo step holds the
setting and the mesh. A dear one shows a coarse preview at once; a worker makes the rest, and a
timer puts it into the mesh if that is still what the recipe asks for. Undo and redo call no update
callback: a handler compares what each mesh was built from with its recipe.

No reference to Blender data outlives a call: meshes are looked up by their session_uid.
"""

import math
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core import Grid, Heightfield, Recipe, forget_erosion
from ...core.analysis import FIELDS
from ...core.evaluation import memory
from ...core.numerics import Cancel, LayerProgress, never_cancelled, no_progress, user_message
from ...core.output import LAYER_MASKS, MaskView, recolored
from ..app.status import redraw
from ..app.worker import POLL, Job, Result, SharedCache, Worker
from ..data.terrains import is_terrain, terrain_of, why_not_editable
from ..mesh import painted_maps as maps
from ..mesh.terrain_mesh import Surface, is_grid, is_in_place
from ..properties.recipe import read_bare
from ..properties.signature import Signature
from .costs import Costs, Stopwatch
from .surface import Wanted, check_names, kept_land, preview, put, recolor, surface

PATIENCE = 0.1  # seconds that a slider may take
LONG_PATIENCE = 1.0  # seconds that a button may take
PREVIEW = 0.04  # seconds that a coarse preview should take
SLOW_PREVIEW = 0.15  # seconds after which previews hinder more than they help
PROBE = 129  # points along the longer side of the first, timed try
NEAR, FAR = 1e-7, 5e-7
"""Seconds per point that a mask to look at takes at most: all others, and those that look at the
whole land."""


Made = tuple[Recipe, Surface, Stopwatch]
"""A surface, the recipe that it shows and how long its layers took."""


@dataclass
class _State:
    """What is known between two calls: plain data only."""

    quiet: int = 0
    cache: SharedCache = field(default_factory=SharedCache)
    worker: Worker = field(default_factory=Worker)
    kept: list[Result] = field(default_factory=list)
    costs: Costs = field(default_factory=Costs)
    errors: dict[int, str] = field(default_factory=dict)


_state = _State()


def changed(group: Any, context: Any) -> None:
    """Update callback of all settings that shape the mesh."""
    if not _state.quiet:
        request(group.id_data)


def shown_changed(terrain: Any, context: Any) -> None:
    """Update callback of what is looked at, a button: it may take longer than a slider."""
    if not _state.quiet:
        request(terrain.id_data, LONG_PATIENCE)


def layer_chosen(terrain: Any, context: Any) -> None:
    """Update callback of the active layer, whose masks may be what is looked at."""
    if terrain.shown == LAYER_MASKS:
        shown_changed(terrain, context)


@dataclass(frozen=True)
class Recoloring:
    """Goal of a job that makes colours only, for a mesh with the land of that signature."""

    signature: Signature


@dataclass(frozen=True)
class Started:
    """A surface that a thread makes for :func:`rebuild`, and the recipe that it will show."""

    recipe: Recipe
    soon: Future[Made]


@contextmanager
def started(recipe: Recipe, grid: Grid) -> Iterator[Started]:
    """The surface of a recipe on its way, while a mesh for it is made inside.

    Blender makes that mesh without Python: together they take a sixth less time. A surface that
    nobody waited for until the end is dropped.
    """
    dropped = Event()
    with ThreadPoolExecutor(1) as pool:
        try:
            make = partial(_make, recipe, grid, None)
            yield Started(recipe, pool.submit(make, no_progress, dropped.is_set))
        finally:
            dropped.set()


@contextmanager
def quiet() -> Iterator[None]:
    """Settings written inside rebuild nothing."""
    _state.quiet += 1
    try:
        yield
    finally:
        _state.quiet -= 1


@contextmanager
def one_rebuild(mesh: bpy.types.Mesh) -> Iterator[None]:
    """However many settings are written inside: one rebuild, at the end."""
    with quiet():
        yield
    if not _state.quiet:
        request(mesh, LONG_PATIENCE)


def request(
    mesh: bpy.types.Mesh, patience: float | None = PATIENCE, *, settings: Any = None
) -> None:
    """Bring a live terrain in step with its recipe; :func:`error_of` tells what went wrong."""
    terrain = terrain_of(mesh)
    if not terrain.is_terrain or not terrain.live or why_not_editable(mesh):
        return
    try:
        rebuild(mesh, patience, settings=settings)
    except (ValueError, MemoryError) as error:
        complain(mesh, user_message(error))


def is_edited(mesh: bpy.types.Mesh) -> bool:
    """Whether points were added, removed or moved by hand: only the user may throw that away."""
    grid = Signature.parse(terrain_of(mesh).built).grid
    return grid is not None and not (is_grid(mesh, grid.nx, grid.ny) and is_in_place(mesh, grid))


def rebuild(
    mesh: bpy.types.Mesh,
    patience: float | None = None,
    *,
    fresh: bool = False,
    settings: Any = None,
    ahead: Started | None = None,
) -> None:
    """Bring a terrain in step with its recipe; write all of it if ``fresh``, else what differs.

    What takes longer than ``patience`` seconds goes to the worker, unless there is none or no
    window to go on with. The recipe is read from the mesh, or from ``settings``, the group of an
    evaluated copy. ``ahead`` may have its surface already. Raises ValueError when the recipe is
    not valid.
    """
    uid, terrain = mesh.session_uid, terrain_of(mesh)
    wanted = Wanted.of(settings or terrain)
    recipe, grid, signature = wanted.recipe, wanted.grid, wanted.signature
    _state.errors.pop(uid, None)
    check_names(mesh, recipe)
    if patience is None or bpy.app.background:
        patience = math.inf
    if not fresh:
        if terrain.built == str(signature):
            return
        if kept := kept_land(mesh, wanted):
            _recolor(mesh, wanted, kept, patience)
            return
        if is_edited(mesh):
            complain(mesh, "Edited by hand: Update makes the terrain again")
            return
    if len(mesh.vertices) < grid.nx * grid.ny:
        memory.check_mesh(grid.nx, grid.ny)
    seconds = 0.0 if patience == math.inf else _expected(uid, recipe, grid)
    if seconds <= patience:
        _now(mesh, wanted, ahead)
        return
    previewed = _state.costs.previews_within(uid, recipe, SLOW_PREVIEW)
    if previewed and terrain.built != str(signature.coarse()):
        _preview(mesh, wanted, seconds)
        if recipe.maps:  # those on the mesh were sampled again if the number of points changed
            wanted = Wanted.of(settings or terrain)
    # Without previews each result is shown, even when a newer one is wanted already: else
    # nothing would move until the mouse rests.
    make = partial(_make, wanted.recipe, wanted.grid, wanted.shown)
    _ask(Job(uid, wanted.signature, make, finish=not previewed))


def _ask(job: Job) -> None:
    _state.worker.ask(job)
    if not bpy.app.timers.is_registered(_poll):
        bpy.app.timers.register(_poll, first_interval=POLL, persistent=True)


def _recolor(mesh: bpy.types.Mesh, wanted: Wanted, kept: Heightfield, patience: float) -> None:
    """Bring a mesh that has its land in step with all else; dear masks are the worker's."""
    if Signature.parse(terrain_of(mesh).built).look == wanted.signature.look:
        recolor(mesh, wanted, None)
        return
    make = partial(recolored, wanted.recipe, kept, wanted.shown, _state.cache)
    if patience == math.inf or _seconds_to_color(mesh, wanted) <= patience:
        recolor(mesh, wanted, make())
    else:
        _ask(Job(mesh.session_uid, Recoloring(wanted.signature), make))


def _seconds_to_color(mesh: bpy.types.Mesh, wanted: Wanted) -> float:
    """What colouring a land that is there will take; without end where nobody knows."""
    if wanted.shown is None:
        return 0.0
    about = FIELDS.get(wanted.shown.mask)
    if about and about.make:
        return wanted.grid.nx * wanted.grid.ny * (FAR if about.whole else NEAR)
    known = _state.costs.expected(mesh.session_uid, wanted.recipe, wanted.grid)
    return math.inf if known is None else known


def _preview(mesh: bpy.types.Mesh, wanted: Wanted, seconds: float) -> None:
    """Show the land coarsely; in full it takes that many seconds."""
    step = next((step for step in (2, 4, 8) if seconds / step**2 <= PREVIEW), 16)
    begun = time.perf_counter()
    recipe = wanted.recipe
    made = preview(recipe, wanted.grid, step, _state.cache, wanted.shown)
    put(mesh, made, recipe, wanted.signature.coarse())
    _state.costs.learn_preview(mesh.session_uid, recipe, time.perf_counter() - begun)


def _make(
    recipe: Recipe,
    grid: Grid,
    shown: MaskView | None,
    progress: LayerProgress,
    cancelled: Cancel,
) -> Made:
    """The surface of a recipe. Knows no Blender: a thread's part."""
    watch = Stopwatch(recipe, grid)

    def tell(share: float, text: str) -> None:
        progress(share, text)
        watch(share, text)

    made = surface(recipe, grid, _state.cache, tell, cancelled, shown)
    watch.stop()
    return recipe, made, watch


def _now(mesh: bpy.types.Mesh, wanted: Wanted, ahead: Started | None) -> None:
    # Settings hold seven digits: what was read from them may differ from what they were set to.
    recipe = wanted.recipe
    if ahead and ahead.recipe == recipe:
        _, made, watch = ahead.soon.result()
    else:
        _, made, watch = _make(recipe, wanted.grid, wanted.shown, no_progress, never_cancelled)
    put(mesh, made, recipe, wanted.signature)
    _state.costs.learn(mesh.session_uid, watch)


def _expected(uid: int, recipe: Recipe, grid: Grid) -> float:
    """Seconds that a rebuild will take; when that is not known, a small one is tried."""
    seconds = _state.costs.expected(uid, recipe, grid)
    if seconds is None:
        small = recipe.grid(min(PROBE, max(grid.nx, grid.ny)))
        begun = time.perf_counter()
        surface(recipe, small, _state.cache)
        _state.costs.guess(uid, recipe, small, time.perf_counter() - begun)
        seconds = _state.costs.expected(uid, recipe, grid) or 0.0
    return seconds


def _poll() -> float | None:
    """Timer: put finished surfaces into their meshes and show the progress."""
    worker = _state.worker
    busy = worker.busy
    results, _state.kept = _state.kept + worker.results(), []
    for result in results:
        _receive(result)
    redraw((worker.share, worker.text) if busy else None)
    return POLL if busy or _state.kept else None


def _receive(result: Result) -> None:
    """Put a surface into its mesh if it is what the recipe asks for, or on the way there."""
    uid = result.job.key
    mesh = next((m for m in bpy.data.meshes if m.session_uid == uid), None)
    if mesh is None or not is_terrain(mesh):
        return
    if mesh.is_editmode or bpy.app.is_job_running("RENDER"):
        _state.kept.append(result)  # not now: the mesh is in use
        return
    try:
        wanted = Wanted.of(terrain_of(mesh))
    except ValueError:
        return
    if isinstance(result.job.goal, Recoloring):
        _receive_colors(mesh, wanted, result)
        return
    job = result.job
    followed = job.finish and _state.worker.works_on(uid)
    if (wanted.signature != job.goal and not followed) or why_not_editable(mesh) or is_edited(mesh):
        return
    if result.error:
        _state.errors[uid] = result.error
        return
    recipe, made, watch = result.made
    put(mesh, made, recipe, job.goal)
    _state.costs.learn(uid, watch)


def _receive_colors(mesh: bpy.types.Mesh, wanted: Wanted, result: Result) -> None:
    """Colour a mesh by what came, if it has the land for it and nothing else is asked for."""
    built = Signature.parse(terrain_of(mesh).built)
    if result.job.goal != Recoloring(wanted.signature) or why_not_editable(mesh):
        return
    if result.error:
        complain(mesh, result.error)
    elif built.same_terrain(wanted.signature) and is_grid(mesh, built.nx, built.ny):
        recolor(mesh, wanted, result.made)


def complain(mesh: bpy.types.Mesh, text: str) -> None:
    """Keep what went wrong with a terrain, for the panel to show until the next rebuild."""
    _state.errors[mesh.session_uid] = text


def error_of(mesh: bpy.types.Mesh) -> str:
    """What the last rebuild of a terrain complained about, "" for nothing."""
    return _state.errors.get(mesh.session_uid, "")


def progress_of(mesh: bpy.types.Mesh) -> tuple[float, str] | None:
    """Share done (0 to 1) and the layer at work, None when the worker has nothing of this mesh."""
    worker = _state.worker
    return (worker.share, worker.text) if worker.works_on(mesh.session_uid) else None


def is_busy() -> bool:
    """Whether the worker has something to do."""
    return _state.worker.busy


def cancel() -> None:
    """Drop what the worker does; terrains keep their previews."""
    _state.worker.cancel()
    redraw()


def finish() -> None:
    """Wait for the worker and put what it made into the meshes."""
    _state.worker.join()
    _poll()


@persistent
def _on_undo(*_: Any) -> None:
    for mesh in bpy.data.meshes:
        request(mesh)


@persistent
def _on_load(*_: Any) -> None:
    _state.worker.cancel()
    _state.kept.clear()
    _state.costs.clear()
    _state.errors.clear()
    if bpy.app.version >= (5, 0, 0):
        for mesh in bpy.data.meshes:
            _drop_old_copy(mesh)
    _on_undo()


def _drop_old_copy(mesh: bpy.types.Mesh) -> None:
    """Blender 5 leaves a copy of the settings of a 4.x file among the custom properties."""
    copy: Any = mesh.get("terrain")
    if is_terrain(mesh) and not mesh.library and hasattr(copy, "keys") and "is_terrain" in copy:
        del mesh["terrain"]


@persistent
def _on_save(*_: Any) -> None:
    if _state.worker.busy:  # a saved file holds the terrain, not its preview
        finish()
    for mesh in bpy.data.meshes:
        if is_terrain(mesh):
            with suppress(ValueError):  # of settings that are no valid recipe
                layers = read_bare(terrain_of(mesh)).layers
                maps.keep_images(name for layer in layers for name in layer.map_names)


_HANDLERS = (
    ("undo_post", _on_undo),
    ("redo_post", _on_undo),
    ("load_post", _on_load),
    ("save_pre", _on_save),
)


def register() -> None:
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister() -> None:
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
    _state.worker.cancel()
    _state.worker.join()
    if bpy.app.timers.is_registered(_poll):
        bpy.app.timers.unregister(_poll)
    _state.kept.clear()
    _state.cache.clear()
    forget_erosion()
