# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a task for each of many tiles: in this process, or in a pool of others."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Protocol

from .world import Tile

MOST_TRIES = 3
"""Times that a tile is tried whose process dies."""

Task = Callable[[Path, Tile], Any]
"""What is done for a tile of the world in a folder; a function of a module. What it returns is
small plain data. A tile that was done before is not done again."""
Done = Callable[[Tile, Any], object]
"""Called with each tile and the result of its task."""


class Runner(Protocol):
    """Runs a task for tiles of a world, in any order and anywhere.

    Raises OSError where processes die, or what the task raises; the results of other tiles stay.
    """

    def __call__(self, task: Task, folder: Path, tiles: Sequence[Tile], done: Done) -> None:
        """Run the task for each tile."""
        ...


def serial(task: Task, folder: Path, tiles: Sequence[Tile], done: Done) -> None:
    """Make one tile after the other, in this process."""
    for tile in tiles:
        done(tile, task(folder, tile))


@dataclass(frozen=True)
class Pool:
    """Several processes. One that dies is replaced, and its tile is tried again.

    Attributes
    ----------
    workers : number of processes
    """

    workers: int

    def __call__(self, task: Task, folder: Path, tiles: Sequence[Tile], done: Done) -> None:
        """Run the task for each tile."""
        waiting, tries = deque(tiles), Counter[Tile]()
        idle: list[_Process] = []
        busy: dict[Connection, tuple[_Process, Tile]] = {}
        try:
            while waiting or busy:
                while waiting and len(busy) < self.workers:
                    process = idle.pop() if idle else _Process.start(task, folder)
                    if process.send(waiting[0]):
                        busy[process.connection] = process, waiting.popleft()
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    process, tile = busy.pop(ready)
                    outcome = process.receive()
                    if outcome is None:
                        tries[tile] += 1
                        _check_tries(tile, tries[tile], process)
                        waiting.appendleft(tile)
                        continue
                    idle.append(process)
                    failed, result = outcome
                    if failed:
                        raise result
                    done(tile, result)
        finally:
            processes = [*idle, *(process for process, _ in busy.values())]
            for process in processes:
                process.connection.close()  # it ends after its tile
            for process in processes:
                process.process.join()


def _check_tries(tile: Tile, tries: int, process: _Process) -> None:
    if tries >= MOST_TRIES:
        raise OSError(
            f"The process that made tile {tile[0]},{tile[1]} died {tries} times (exit code "
            f"{process.process.exitcode}): there may not be enough memory; use fewer workers"
        )


@dataclass(frozen=True)
class _Process:
    """A process that does one tile at a time."""

    process: SpawnProcess
    connection: Connection

    @classmethod
    def start(cls, task: Task, folder: Path) -> _Process:
        context = multiprocessing.get_context("spawn")  # a fork would copy threads in any state
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, task, folder))
        process.start()
        theirs.close()  # so that the pipe ends with the process
        return cls(process, ours)

    def send(self, tile: Tile) -> bool:
        """Give it a tile; False if it has died."""
        try:
            self.connection.send(tile)
        except OSError:
            self.process.join()
            return False
        return True

    def receive(self) -> tuple[bool, Any] | None:
        """Return whether its task failed, and the error or the result; None if it has died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.connection.close()
            self.process.join()
            return None


def _serve(connection: Connection, task: Task, folder: Path) -> None:
    """Do tiles until the other end is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            tile = connection.recv()
            try:
                outcome = False, task(folder, tile)
            except Exception as error:
                outcome = True, error
            connection.send(outcome)
    except (EOFError, OSError, KeyboardInterrupt):  # Ctrl-C reaches all processes of a terminal
        pass


def _end_with_parent() -> None:
    """End when the parent is killed: its next run would make the same tile at the same time."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
