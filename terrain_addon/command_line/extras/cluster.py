# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles of a world on a Dask cluster."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...core.settings import remove_file, replaced
from ...core.worlds import Done, Task, Tile
from .libraries import library

AT_ONCE = 8
"""Tiles of a Dask task at most: its own cost, some milliseconds, is then small."""
PER_THREAD = 4
"""Dask tasks for each thread, at least: the last ones end at about the same time."""
SECONDS = 10
"""To wait for the scheduler."""
SHIPPED = ("world.json", "recipe.json", "maps", "solution")
"""What tiles are made from."""


@dataclass(frozen=True)
class Cluster:
    """Runs tasks for tiles on the workers of a Dask scheduler.

    Attributes
    ----------
    address : of the scheduler, as tcp://10.0.0.1:8786
    scatter : send the world to the workers, and tiles back; without it, they share its folder
    """

    address: str
    scatter: bool = False

    def __call__(self, task: Task, folder: Path, tiles: Sequence[Tile], done: Done) -> None:
        """Run the task for each tile.

        Raises
        ------
        ValueError : Dask is not installed; what the task raises
        OSError : no scheduler, no workers, a worker that dies again and again; finished tiles stay
        """
        distributed = library("distributed", "dask")
        try:
            client = distributed.Client(self.address, timeout=SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise OSError(
                f"No Dask scheduler answers at {self.address} ({_first_line(error)}): start one "
                f"with dask scheduler, and workers with dask worker {self.address} --nthreads 1"
            ) from None
        with client:
            threads = sum(client.nthreads().values())
            if not threads:
                raise OSError(
                    f"The Dask scheduler at {self.address} has no workers: start some with dask "
                    f"worker {self.address} --nthreads 1"
                )
            self._run(distributed, client, threads, (task, folder, tiles, done))

    def _run(
        self,
        distributed: Any,
        client: Any,
        threads: int,
        job: tuple[Task, Path, Sequence[Tile], Done],
    ) -> None:
        task, folder, tiles, done = job
        count = min(AT_ONCE, math.ceil(len(tiles) / (PER_THREAD * threads)))
        if self.scatter:
            shipped = client.scatter(_packed(folder), broadcast=True, hash=False)
            function, world = _make_and_send, shipped
        else:
            function, world = _make_there, folder.absolute()
        futures = [
            client.submit(function, world, task, tiles[n : n + count], pure=False)
            for n in range(0, len(tiles), count)
        ]
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                for tile, result, files in future.result():
                    _write(folder, files)
                    done(tile, result)
                future.release()
        except distributed.KilledWorker:
            raise OSError(
                "A worker of the Dask cluster died again and again: there may not be enough "
                "memory; use fewer threads a worker"
            ) from None
        finally:
            client.cancel([future for future in futures if not future.done()])


Files = dict[str, bytes]
"""Contents by path within the folder of a world."""


def _make_there(folder: Path, task: Task, tiles: Sequence[Tile]) -> list[tuple[Tile, Any, Files]]:
    """On a worker that sees the folder of the world."""
    if not (folder / SHIPPED[0]).is_file():
        raise ValueError(
            f"A worker of the cluster does not see {folder}: use a shared folder, or --scatter"
        )
    return [(tile, task(folder, tile), {}) for tile in tiles]


def _make_and_send(
    shipped: Files, task: Task, tiles: Sequence[Tile]
) -> list[tuple[Tile, Any, Files]]:
    """On a worker that has a copy of the world in a temporary folder."""
    folder = Path(_unpacked(_Shipped(shipped)).name)
    made: list[tuple[Tile, Any, Files]] = []
    for tile in tiles:
        result = task(folder, tile)
        found = {name: folder / name for name in _files(folder) if not _is_shipped(name)}
        made.append((tile, result, {name: path.read_bytes() for name, path in found.items()}))
        for path in found.values():
            remove_file(path, lambda path: path.is_relative_to(folder))
    return made


class _Shipped:
    """The files of a world, known by what its manifest says: one copy for each world."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def __hash__(self) -> int:
        return hash(self.files[SHIPPED[0]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shipped) and self.files[SHIPPED[0]] == other.files[SHIPPED[0]]


@lru_cache(1)
def _unpacked(shipped: _Shipped) -> tempfile.TemporaryDirectory[str]:
    """Return a folder with the world, removed with the process or when another world comes."""
    place = tempfile.TemporaryDirectory(prefix="orogen-world-", ignore_cleanup_errors=True)
    (Path(place.name) / "tiles").mkdir()
    (Path(place.name) / "maps").mkdir()
    for name, content in shipped.files.items():
        path = Path(place.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return place


def _packed(folder: Path) -> Files:
    return {name: (folder / name).read_bytes() for name in _files(folder) if _is_shipped(name)}


def _files(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()
    ]


def _is_shipped(name: str) -> bool:
    return name.partition("/")[0] in SHIPPED


def _write(folder: Path, files: Files) -> None:
    """Write the files that a worker sent, heights last: they mark a tile as made."""
    for name in sorted(files, key=lambda name: name.startswith("tiles/")):
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        with replaced(path) as new:
            new.write_bytes(files[name])


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
