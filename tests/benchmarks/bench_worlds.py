# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles of a world: in one process, in a pool, on a Dask cluster, and beside the whole."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from distributed import Client

from terrain_addon.command_line.extras.cluster import Cluster
from terrain_addon.core import evaluate, presets, solve, worlds
from terrain_addon.core.recipe import extend
from tests.benchmarks.timing import Row, Tables, aim

ROOT = Path(__file__).parents[2]
TILES, SIDE = 64, 1025


def tables() -> Tables:
    """All tables of this benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            f"Processor time of {TILES} tiles of {SIDE} x {SIDE} samples": runners(Path(folder)),
            "Processor time a sample: a window of 1025 x 1025 beside the whole, 4097 x 4097": [
                *window("alps", 1.2),
                *window("canyon", 3),
            ],
        }


def runners(folder: Path) -> list[Row]:
    """The same world, made in three ways, and made again."""
    recipe = extend(presets.load("alps"), 64_000 / presets.load("alps").size_x)
    planned = worlds.plan(recipe, folder / "planned", spacing=64_000 / 8192, side=SIDE)
    seconds: dict[str, float] = {}

    def made(name: str, make: Callable[[worlds.World], object]) -> None:
        world = worlds.World.load(shutil.copytree(planned.folder, folder / name))
        start, clock = _processor_time(), time.perf_counter()
        make(world)
        wall = time.perf_counter() - clock
        seconds[name] = _processor_time() - start
        load = os.getloadavg()[0]
        print(f"{name}: {wall:.1f} s of wall time at a load of {load:.1f}", flush=True)

    made("one process", worlds.run)
    made("a pool of two", lambda world: worlds.run(world, workers=2))
    with _cluster(folder) as address:
        made("Dask, two workers", lambda world: worlds.run(world, runner=Cluster(address)))
    again = worlds.World.load(folder / "one process")
    start = time.process_time()
    worlds.run(worlds.World.load(again.folder))
    seconds["a finished world, again"] = time.process_time() - start
    one = seconds["one process"]
    rows = [Row(name, 1000 * spent, spent / one, "one process") for name, spent in seconds.items()]
    same = {name: _digests(folder / name) for name in list(seconds)[:3]}
    assert len({tuple(one) for one in same.values()}) == 1
    aim(rows, "a finished world, again", 500)
    aim(rows, "Dask, two workers", 1.4, "a pool of two")
    return rows


@contextmanager
def _cluster(folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, whose start does not count."""
    contact = folder / "scheduler.json"
    common = ["--no-dashboard", "--scheduler-file", str(contact), "--host", "127.0.0.1"]
    dask = [sys.executable, "-m", "dask"]
    workers = ["worker", *common, "--nworkers", "2", "--nthreads", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen([*dask, *command], cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        for command in (["scheduler", *common, "--port", "0"], workers)
    ]
    try:
        while not contact.exists():
            time.sleep(0.05)
        address = json.loads(contact.read_text())["address"]
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def _digests(folder: Path) -> list[str]:
    return [
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / "tiles").iterdir())
    ]


def _processor_time() -> float:
    """Seconds of this process, of those that it started, and of those that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    here = psutil.Process()
    running = [one.cpu_times() for one in (here, *here.children(recursive=True))]
    return ended.ru_utime + ended.ru_stime + sum(one.user + one.system for one in running)


def window(preset: str, most: float) -> list[Row]:
    """With the solution given."""
    recipe = presets.load(preset)
    solution, grid = solve(recipe), recipe.grid(4097)
    times: dict[str, list[float]] = {}
    part = grid.window(1000, 1000, min(SIDE, grid.nx), min(SIDE, grid.ny))
    for _ in range(3):
        for name, one in ((f"{preset}, the whole", grid), (f"{preset}, a window", part)):
            start = time.process_time()
            evaluate(recipe, one, solution=solution, fields=())
            spent = (time.process_time() - start) / (one.nx * one.ny)
            times.setdefault(name, []).append(1e9 * spent)
    medians = {name: sorted(found)[1] for name, found in times.items()}
    whole = medians[f"{preset}, the whole"]
    rows = [
        Row(name, spent, spent / whole, f"{preset}, the whole", "ns")
        for name, spent in medians.items()
    ]
    aim(rows, f"{preset}, a window", most, f"{preset}, the whole")
    return rows
