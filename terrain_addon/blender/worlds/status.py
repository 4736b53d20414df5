# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the folder of a world: looked up at most once a second, for the panel."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core.numerics import user_message
from ...core.worlds import World
from ..app import timers
from ..app.status import redraw_sidebars

INTERVAL = 1.0
"""Seconds between two counts of the tiles, at least."""
SHARE = 20
"""The interval is at least so many times as long as the count before it took."""


@dataclass(frozen=True)
class WorldStatus:
    """A world, the number of its tiles that are made, or what is wrong with its folder."""

    world: World | None = None
    made: int = 0
    warnings: tuple[str, ...] = ()
    """What may be wrong with its tiles."""
    error: str = ""

    @property
    def total(self) -> int:
        """Number of tiles."""
        return self.world.columns * self.world.rows if self.world else 0

    @property
    def is_complete(self) -> bool:
        """Whether all tiles are made."""
        return self.made == self.total


@dataclass
class _Known:
    """The folder that was looked up last."""

    folder: str = ""
    changed: float = 0.0
    """When its manifest was changed."""
    status: WorldStatus = WorldStatus()
    after: float = 0.0
    """When to look again."""


def absolute(folder: str) -> str:
    """Return the full path of a folder of the blend file; "" for none."""
    return os.path.normpath(bpy.path.abspath(folder)) if folder.strip() else ""


def load(folder: str) -> World:
    """Load the world in a folder with a full path; raises as :meth:`World.load` does."""
    if not folder:
        raise ValueError("Choose the folder of a world first")
    return World.load(folder)


def of(folder: str, *, now: bool = False) -> WorldStatus:
    """Return the status of the world in a folder: looked up ``now``, or a second ago at most."""
    if now or folder != _known.folder or time.monotonic() >= _known.after:
        start = time.monotonic()
        _known.status = _looked_up(folder)
        _known.folder = folder
        end = time.monotonic()
        _known.after = end + max(INTERVAL, SHARE * (end - start))
    return _known.status


def watch(status: WorldStatus) -> None:
    """Redraw the panel whenever tiles are made, until all are."""
    if not status.is_complete:
        timers.start(_poll, INTERVAL, persistent=True)


def _looked_up(folder: str) -> WorldStatus:
    try:
        changed = (Path(folder) / "world.json").stat().st_mtime if folder else 0.0
    except OSError:
        changed = 0.0
    try:
        known = _known.status.world
        same = known is not None and (folder, changed) == (_known.folder, _known.changed)
        world = known if same and known else load(folder)
        _known.changed = changed
        return WorldStatus(world, len(world.made()), tuple(_warnings(world)))
    except (ValueError, OSError, MemoryError) as error:
        return WorldStatus(error=user_message(error))


def _warnings(world: World) -> Iterator[str]:
    try:
        world.manifest.check_versions()
    except ValueError as error:
        yield user_message(error)
    yield from world.unlike_processors()


def _poll() -> float | None:
    before = _known.status
    status = of(_known.folder)
    if status != before:
        redraw_sidebars()
    if status.world is None or status.is_complete:
        return None
    return max(_known.after - time.monotonic(), 0.1)


_known = _Known()


def unregister() -> None:
    timers.stop(_poll)
