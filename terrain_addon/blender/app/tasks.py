# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work while Blender is used: in a thread, in a child process, or in one after the other."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from .child_process import ChildProcess
from .registration import handlers_factory
from .status import redraw, redraw_sidebars
from .worker import Result, Worker


class Task:
    """One kind of background work, with its progress, its messages and its end.

    A subclass starts the ``worker`` or the ``process``, and overrides `receive` or `ended` for
    their results. There is one instance of each subclass. All methods are for the main thread.

    Attributes
    ----------
    ends_with_file : whether the work belongs to the open file, and is dropped with it
    """

    ends_with_file = True

    def __init__(self) -> None:
        self.worker = Worker(self.receive)
        self.process = ChildProcess(self.watch)
        self._messages: dict[int, tuple[str, bool]] = {}
        _tasks.append(self)

    def is_busy(self) -> bool:
        """Return True from the start to the delivery of the last result."""
        return self.worker.is_pending or self.process.is_running

    def progress(self) -> tuple[float, str] | None:
        """Return the share done (0 to 1) and the current step; None if nothing is being done."""
        return (self.worker.share, self.worker.text) if self.is_busy() else None

    def message(self, mesh: bpy.types.Mesh | None = None) -> tuple[str, bool]:
        """Return how the last work ended, "" for none, and whether it failed.

        Work on terrains has a message for each mesh.
        """
        return self._messages.get(mesh.session_uid if mesh else 0, ("", False))

    def say(self, text: str, failed: bool = False, mesh: int = 0) -> None:
        """Set the message, for work on terrains that of the mesh with a session_uid."""
        self._messages[mesh] = text, failed

    def cancel(self) -> None:
        """Stop the work, if there is any. No result arrives any more."""
        if self.is_busy():
            self.worker.cancel()
            self.process.stop()
            self.canceled()
            redraw()

    def finish(self) -> None:
        """Wait for all work, and handle its results."""
        while self.is_busy():
            self.worker.finish()
            self.process.wait()

    def reset(self) -> None:
        """Drop all work and messages."""
        self.worker.reset()
        self.process.stop()
        self._messages.clear()

    def receive(self, result: Result) -> bool:
        """Handle a result of the worker; return False to get it again later."""
        raise NotImplementedError

    def watch(self, code: int | None) -> None:
        """Show the state of the process; ``code`` is its exit code, None while it runs."""
        if code is not None:
            self.say(*self.ended(code))
        redraw_sidebars()

    def ended(self, code: int) -> tuple[str, bool]:
        """Return the message after the process ended with a code, and whether it failed."""
        return (self.process.error(code), True) if code else ("", False)

    def canceled(self) -> None:
        """Clean up after a cancel, and set the message."""

    def undone(self) -> None:
        """Respond to undo and redo."""


_tasks: list[Task] = []


@persistent
def _on_load(*_: Any) -> None:
    """Drop the work that belongs to the file before."""
    for task in _tasks:
        if task.ends_with_file:
            task.reset()


@persistent
def _on_undo(*_: Any) -> None:
    for task in _tasks:
        task.undone()


register, _remove_handlers = handlers_factory(
    {"load_pre": _on_load, "undo_post": _on_undo, "redo_post": _on_undo}
)


def unregister() -> None:
    _remove_handlers()
    for task in _tasks:
        task.reset()
