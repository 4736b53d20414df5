# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports for game engines, one at a time: the worker writes the files while Blender is used."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core import Cache, Recipe
from ...core.numerics import Cancel, LayerProgress
from ...core.output import engines, exports
from ...core.output.exports import Exported, ExportSettings
from ..app.tasks import Task
from ..app.worker import Job, Result


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
        place = exports.georeference_of(self.recipe, self.base)
        return exports.export(
            self.recipe,
            self.settings,
            self.folder,
            georeference=place,
            cache=self.cache,
            progress=progress,
            cancelled=cancelled,
        )


class _Exporter(Task):
    """The export that runs, and the last one of each terrain that succeeded."""

    def __init__(self) -> None:
        super().__init__()
        self._mesh = 0
        self._exported: dict[int, tuple[Export, Exported]] = {}

    def start(self, export: Export) -> None:
        """Export in the background; `message` says how it ended.

        Raises ValueError if it cannot be made, or another one is running.
        """
        if self.is_busy():
            raise ValueError("Another terrain is being exported: wait for it, or cancel it")
        export.check()
        self._messages.pop(export.mesh, None)
        self._mesh = export.mesh
        self.worker.start(Job(0, export, export.make))

    def now(self, export: Export, progress: LayerProgress) -> str:
        """Export while Blender waits, and return the report; raises as the core does."""
        export.check()
        return self._done(export, export.make(progress))

    def manifest(
        self,
        mesh: bpy.types.Mesh,
        built: str,
        recipe: Recipe,
        settings: ExportSettings,
        ends: tuple[float, float],
    ) -> tuple[dict[str, Any], bool]:
        """Return the manifest of an export with these settings, and whether it has been made.

        Before, its heights range between the ``ends``; the export samples more points. Raises
        ValueError for what the engine does not take.
        """
        last = self._exported.get(mesh.session_uid)
        if last and (last[0].built, last[0].settings) == (built, settings):
            return last[1].manifest, True
        extent = exports.extent_of(recipe, settings, ends[0], max(ends[1], ends[0] + 1))
        return engines.export_manifest(engines.named(settings.engine), extent), False

    def canceled(self) -> None:
        """Set the message; an earlier export in the same folder stays."""
        self.say("The export was canceled: no file was written", mesh=self._mesh)

    def reset(self) -> None:
        """Drop all exports: they belong to the file that they were started in."""
        super().reset()
        self._exported.clear()

    def receive(self, result: Result) -> bool:
        """Set the message after an export."""
        export: Export = result.job.goal
        if result.error:
            self.say(result.error, True, export.mesh)
        else:
            self._done(export, result.made)
        return True

    def _done(self, export: Export, made: Exported) -> str:
        """Note a finished export, and return the report."""
        checked = "; ".join(check.text for check in made.checks)
        text = f"Exported to {made.folder}. {made.verification.text}. {checked}"
        self.say(text, mesh=export.mesh)
        self._exported[export.mesh] = export, made
        return text


exporter = _Exporter()
