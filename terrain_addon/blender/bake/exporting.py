# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports for game engines, one at a time: the worker writes the files while Blender is used."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bpy.app.handlers import persistent

from ...core import Cache, Recipe
from ...core.numerics import Cancel, LayerProgress
from ...core.output import engines, exports
from ...core.output.exports import Exported, ExportSettings
from ..app.registration import handlers_factory
from ..app.status import redraw
from ..app.worker import Job, Result, Worker


@dataclass(frozen=True)
class Export:
    """An export that is to be made.

    Attributes
    ----------
    mesh : session_uid of the terrain's mesh
    built : what the mesh was built from, as in its settings
    recipe, settings, folder, cache : as for :func:`~.exports.export`
    base : folder that paths of elevation files are relative to
    """

    mesh: int
    built: str
    recipe: Recipe
    settings: ExportSettings
    folder: Path
    cache: Cache | None = None
    base: Path | None = None

    def check(self) -> None:
        """Raise ValueError where :meth:`make` would, before anything is computed."""
        exports.extent_of(self.recipe, self.settings)
        exports.check_folder(self.folder)

    def make(
        self, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> Exported:
        """Write the files, without Blender: any thread may call it."""
        is_placed = self.settings.height == "tif"
        place = exports.georeference_of(self.recipe, self.base) if is_placed else None
        return exports.export(
            self.recipe,
            self.settings,
            self.folder,
            georeference=place,
            cache=self.cache,
            progress=progress,
            cancelled=cancelled,
        )


@dataclass
class _State:
    worker: Worker
    running: Export | None = None
    messages: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """By the session_uid of the terrain's mesh: how its last export ended, whether it failed."""
    exported: dict[int, tuple[Export, Exported]] = field(default_factory=dict)
    """By the same: the last export that succeeded."""


def start(export: Export) -> None:
    """Export in the background; :func:`message` says how it ended.

    Raises ValueError if it cannot be made, or another one is running.
    """
    if is_busy():
        raise ValueError("Another terrain is being exported: wait for it, or cancel it")
    export.check()
    _state.messages.pop(export.mesh, None)
    _state.running = export
    _state.worker.start(Job(0, export, export.make))


def now(export: Export, progress: LayerProgress) -> str:
    """Export while Blender waits, and return the report; raises as the core does."""
    export.check()
    return _done(export, export.make(progress))


def is_busy() -> bool:
    """Whether something is being exported."""
    return _state.running is not None


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1), and what is being done; None if nothing is."""
    return (_state.worker.share, _state.worker.text) if is_busy() else None


def message(mesh: int) -> tuple[str, bool]:
    """How the last export of a terrain ended, "" for none, and whether it failed."""
    return _state.messages.get(mesh, ("", False))


def card(
    mesh: int, built: str, recipe: Recipe, settings: ExportSettings, ends: tuple[float, float]
) -> tuple[dict[str, Any], bool]:
    """Return the card of an export with these settings, and whether it has been made.

    Before, its heights range between the ``ends``; the export samples more points. Raises
    ValueError for what the engine does not take.
    """
    last = _state.exported.get(mesh)
    if last and (last[0].built, last[0].settings) == (built, settings):
        return last[1].card, True
    extent = exports.extent_of(recipe, settings, ends[0], max(ends[1], ends[0] + 1))
    return engines.card(engines.named(settings.engine), extent), False


def cancel() -> None:
    """Stop the export; an earlier one in the same folder stays."""
    if _state.running:
        _state.worker.cancel()
        _state.messages[_state.running.mesh] = "The export was canceled: no file was written", False
        _state.running = None
        redraw()


def finish() -> None:
    """Wait for the export."""
    _state.worker.finish()


def _receive(result: Result) -> bool:
    export = _state.running
    if export is None or result.job.goal is not export:  # it was canceled
        return True
    _state.running = None
    if result.error:
        _state.messages[export.mesh] = result.error, True
    else:
        _done(export, result.made)
    return True


def _done(export: Export, made: Exported) -> str:
    """Note a finished export, and return the report."""
    checked = "; ".join(one.text for one in made.checks)
    text = f"Exported to {made.folder}. {made.proof.text}. {checked}"
    _state.messages[export.mesh] = text, False
    _state.exported[export.mesh] = export, made
    return text


@persistent
def _on_load(*_: Any) -> None:
    """Drop all exports: they belong to the file that they were started in."""
    _state.worker.reset()
    _state.running = None
    _state.messages.clear()
    _state.exported.clear()


_state = _State(Worker(_receive))

register, _remove_handlers = handlers_factory({"load_pre": _on_load})


def unregister() -> None:
    _remove_handlers()
    _on_load()
