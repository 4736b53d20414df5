# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants grow again after the terrain changed, when its full result is there and no setting is
being dragged.

Meanwhile the old plants stand on the new ground. A thread of its own grows them from plain data;
in background mode, where no timer runs, they grow at once.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ...core.numerics import never_cancelled, user_message
from ...core.plants import Box
from ..app import timers
from ..app.preferences import computes_in_background
from ..app.registration import handlers_factory
from ..app.status import at_pointer
from ..app.worker import Job, Result, Worker
from ..data.plant_objects import is_plants, plants_of, plants_with, settings_of_plants
from ..data.terrains import is_terrain_object, objects_of, terrain_of
from ..objects.plants import instancer, points
from ..objects.plants.growing import Grown, Planting, grow
from ..properties.plants import set_of
from . import dragging, rebuild
from .cache import CACHE
from .surface import Target

POLL = 0.1
"""Seconds between two looks whether the terrain is complete."""
LATER = 0.5
"""The same while an image is rendered."""
MOST_SHOWN = 20_000
"""New plants that viewports show at most, until the user changes their share."""


@dataclass
class _State:
    """State between calls: plain data only.

    Attributes
    ----------
    noted : session_uids of plants to look at
    errors : what went wrong, by session_uid
    """

    worker: Worker
    noted: set[int] = field(default_factory=set[int])
    errors: dict[int, str] = field(default_factory=dict)


def changed(settings: Any, context: Any) -> None:
    """Grow plants again soon; the update callback of settings that move them."""
    item = settings.id_data
    if _is_ready(item):
        note(item)


def styled(settings: Any, context: Any) -> None:
    """Show plants anew; the update callback of settings of their looks."""
    item = settings.id_data
    if _is_ready(item):
        _noting(item, lambda: points.style(item))


def shown(settings: Any, context: Any) -> None:
    """Draw other plants; the update callback of what viewports show."""
    item = settings.id_data
    if _is_ready(item):
        instancer.show(item)


def _is_ready(item: Any) -> bool:
    return (
        isinstance(item, bpy.types.Object)
        and is_plants(item)
        and bool(settings_of_plants(item).models)
    )


def note(item: bpy.types.Object) -> None:
    """Grow plants again: at once in background mode, otherwise soon."""
    if bpy.app.background:
        update(item)
        return
    _state.noted.add(item.session_uid)
    timers.start(_look, POLL)


def follow(mesh: bpy.types.Mesh) -> None:
    """Let the plants of a terrain follow its new surface."""
    for terrain in objects_of(mesh):
        for item in plants_of(terrain):
            note(item)


def _look() -> float | None:
    """Grow, from a timer, the plants of complete terrains."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    if rebuild.is_busy() or dragging.is_watching():
        _state.worker.cancel()  # what it grows is out of date: the terrain is changing
        return POLL
    noted = sorted(_state.noted)
    _state.noted.clear()
    for uid in noted:
        item = plants_with(uid)
        if item and _is_live(item):
            _noting(item, partial(request, item))
    return None


def _is_live(item: bpy.types.Object) -> bool:
    return settings_of_plants(item).live and not item.library


def _noting(item: bpy.types.Object, act: Any) -> None:
    """Do something, and let the panel show its error."""
    try:
        act()
        _state.errors.pop(item.session_uid, None)
    except (ValueError, OSError, MemoryError) as error:
        _state.errors[item.session_uid] = user_message(error)


def request(item: bpy.types.Object) -> None:
    """Let the worker grow plants, unless they are what their settings say. Raises ValueError if
    these cannot be read."""
    wanted = planting_of(item)
    if settings_of_plants(item).grown == wanted.digest:
        return
    if bpy.app.background or not computes_in_background(bpy.context):
        grow_now(item)
        return
    make = partial(grow, wanted, CACHE)
    _state.worker.start(Job(item.session_uid, wanted.digest, make))


def update(item: bpy.types.Object) -> None:
    """Grow plants at once if they are live and out of date."""
    if _is_live(item):
        _noting(item, lambda: request(item))


def grow_now(item: bpy.types.Object) -> None:
    """Grow plants while Blender waits. Raises ValueError if settings cannot be read."""
    wanted = planting_of(item)
    with at_pointer() as progress:
        _write(item, grow(wanted, CACHE, progress, never_cancelled), wanted.digest)


def planting_of(item: bpy.types.Object) -> Planting:
    """Return what plants are to be grown from; ValueError if settings cannot be read."""
    terrain, settings = item.parent, settings_of_plants(item)
    if terrain is None or not is_terrain_object(terrain):
        raise ValueError("These plants have no terrain: make one their parent")
    target = Target.of(terrain_of(cast(bpy.types.Mesh, terrain.data)))
    half = settings.extent / 2
    x, y = settings.center
    box = Box(x - half, x + half, y - half, y + half)
    signature = target.signature
    return Planting(
        target.recipe,
        target.grid,
        f"{signature.heights} {signature.maps} {signature.water}",
        set_of(settings),
        settings.groups,
        settings.temperature if settings.own_climate else None,
        settings.latitude if settings.own_climate else None,
        box,
        settings.density,
        settings.seed,
    )


def _receive(result: Result) -> bool:
    """Write plants that their settings still describe; False while they are in use."""
    item = plants_with(result.job.key)
    if item is None:
        return True
    if item.mode != "OBJECT" or bpy.app.is_job_running("RENDER"):
        return False
    if result.error:
        _state.errors[item.session_uid] = result.error
        return True
    try:
        if planting_of(item).digest == result.job.goal:
            _write(item, result.made, result.job.goal)
        else:
            note(item)
    except (ValueError, OSError) as error:
        _state.errors[item.session_uid] = user_message(error)
    return True


def _write(item: bpy.types.Object, grown: Grown, digest: str) -> None:
    settings, count = settings_of_plants(item), len(grown.plants)
    is_new = not settings.grown
    points.fill(item, grown)
    settings.grown = digest
    if is_new and count * settings.viewport_share > MOST_SHOWN:
        settings.viewport_share = MOST_SHOWN / count


def error_of(item: bpy.types.Object) -> str:
    """Return what went wrong with plants, "" for nothing."""
    return _state.errors.get(item.session_uid, "")


def is_growing(item: bpy.types.Object) -> bool:
    """Return whether plants are to grow, or grow now."""
    return item.session_uid in _state.noted or _state.worker.works_on(item.session_uid)


def finish() -> None:
    """Wait for plants that grow, and for those that are to."""
    if bpy.app.timers.is_registered(_look):
        rebuild.finish()
        _look()
    _state.worker.finish()


@persistent
def _on_undo(*_: Any) -> None:
    for item in filter(is_plants, bpy.data.objects):
        note(item)


@persistent
def _on_load(*_: Any) -> None:
    _state.worker.reset()
    _state.noted.clear()
    _state.errors.clear()
    _on_undo()


@persistent
def _on_save(*_: Any) -> None:
    finish()  # save the plants of this terrain, not those before a change


_state = _State(Worker(_receive))

_add_handlers, _remove_handlers = handlers_factory(
    {"undo_post": _on_undo, "redo_post": _on_undo, "load_post": _on_load, "save_pre": _on_save}
)


def register() -> None:
    _add_handlers()
    rebuild.AFTER.append(follow)


def unregister() -> None:
    rebuild.AFTER.remove(follow)
    _remove_handlers()
    _state.worker.reset()
    timers.stop(_look)
