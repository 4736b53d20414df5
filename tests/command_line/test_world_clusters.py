# SPDX-License-Identifier: GPL-3.0-or-later
"""A Dask cluster, with a real scheduler and two workers, makes the same tiles as one process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from terrain_addon.command_line import main
from terrain_addon.command_line.extras import cluster
from terrain_addon.command_line.extras.cluster import Cluster
from terrain_addon.core import Erosion, FractalNoise, Recipe, worlds
from terrain_addon.core.worlds import World, running

ROOT = Path(__file__).parents[2]
RECIPE = Recipe(
    size_x=900.0,
    size_y=900.0,
    layers=(FractalNoise(height=150.0, octaves=4), Erosion(resolution="128", rivers=1.0)),
)
pytestmark = [
    pytest.mark.slow,  # a scheduler and two workers
    pytest.mark.filterwarnings("default"),  # those of Dask are not ours
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a scheduler with two workers, each with a process that watches over it."""
    folder = tmp_path_factory.mktemp("dask")
    contact = folder / "scheduler.json"
    common = ["--no-dashboard", "--scheduler-file", str(contact)]
    dask = [sys.executable, "-m", "dask"]
    host = ["--host", "127.0.0.1"]
    workers = [*host, "--nworkers", "2", "--nthreads", "1", "--local-directory", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    commands = (["scheduler", *common, *host, "--port", "0"], ["worker", *common, *workers])
    started: list[subprocess.Popen[bytes]] = []
    with (folder / "log").open("wb") as log:
        try:
            for command in commands:
                started.append(
                    subprocess.Popen(
                        [*dask, *command], cwd=folder, env=environment, stdout=log, stderr=log
                    )
                )
            yield _ready(contact)
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait(30)


def _ready(contact: Path) -> str:
    import json

    from distributed import Client

    end = time.monotonic() + 60
    while not contact.exists():
        assert time.monotonic() < end
        time.sleep(0.1)
    address = json.loads(contact.read_text())["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    return address


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> World:
    """8 x 8 tiles."""
    folder = tmp_path_factory.mktemp("planned") / "world"
    return worlds.plan(RECIPE, folder, spacing=5.0, side=24)


@pytest.fixture(scope="module")
def expected(planned: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("serial") / "world"
    world = World.load(shutil.copytree(planned.folder, folder))
    assert worlds.run(world) == 64
    return tiles(world)


@pytest.fixture
def world(planned: World, tmp_path: Path) -> World:
    return World.load(shutil.copytree(planned.folder, tmp_path / "world"))


def tiles(world: World) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (world.folder / "tiles").iterdir()}


@pytest.mark.parametrize("scatter", [False, True])
def test_two_workers_make_the_same_tiles(
    address: str, world: World, expected: dict[str, bytes], scatter: bool
):
    made: list[worlds.Tile] = []
    assert worlds.run(world, runner=Cluster(address, scatter), made=made.append) == 64
    assert sorted(made) == sorted(world.tiles)
    assert tiles(world) == expected
    assert world.unlike_processors() == [] and list((world.folder / "makers").iterdir())


def test_the_command_line_uses_a_scheduler(
    address: str, world: World, expected: dict[str, bytes], capsys: pytest.CaptureFixture[str]
):
    command = ["world", "run", str(world.folder), "--scheduler", address]
    assert main([*command, "--tiles", "0..7,0..1"]) == 0
    assert "16 tiles made in" in capsys.readouterr().out
    assert tiles(world) == {name: expected[name] for name in expected if name < "y0002"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no kill -9")
def test_a_killed_worker_loses_no_tile(address: str, world: World, expected: dict[str, bytes]):
    from distributed import Client

    made: list[worlds.Tile] = []
    with Client(address, set_as_default=False) as client:
        [victim, _] = client.run(os.getpid).values()

    def kill(tile: worlds.Tile) -> None:
        made.append(tile)
        if len(made) == 3:
            os.kill(victim, signal.SIGKILL)

    worlds.run(world, runner=Cluster(address), made=kill)
    assert sorted(made) == sorted(world.tiles)
    assert tiles(world) == expected


def _die(folder: Path, tile: worlds.Tile) -> Any:
    os._exit(9)


@pytest.mark.slow
def test_errors_of_workers_are_reported(address: str, world: World, tmp_path: Path):
    cluster = Cluster(address)
    with pytest.raises(ValueError, match="does not see .*: use a shared folder, or --scatter"):
        cluster(_die, tmp_path / "none", [(0, 0)], lambda *_: None)
    (world.folder / "solution" / "solution.json").unlink()
    with pytest.raises(ValueError, match="not a solution"):
        cluster(worlds.make, world.folder, [(0, 0)], lambda *_: None)
    assert tiles(world) == {}


def test_a_worker_sends_the_files_of_each_tile_once(world: World):
    asked = [(0, 0), (1, 0)]
    made = cluster._make_and_send(cluster._packed(world.folder), running.make, asked)
    sent = [[name for name in files if name.startswith("tiles/")] for _, _, files in made]
    assert sent == [["tiles/y0000_x0000.npy"], ["tiles/y0000_x0001.npy"]]


def test_the_heights_of_a_tile_are_the_last_of_its_files(tmp_path: Path):
    """They mark it as made, so without them it is made again."""
    (tmp_path / "images").write_bytes(b"no folder")
    with pytest.raises(OSError, match="images"):
        cluster._write(tmp_path, {"tiles/y0000_x0000.npy": b"", "images/color.png": b""})
    assert not (tmp_path / "tiles").exists()


def test_a_scheduler_that_is_not_there_is_reported(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("terrain_addon.command_line.extras.cluster.SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        assert main(["world", "run", str(world.folder), "--scheduler", address]) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert f"No Dask scheduler answers at {address} (" in line
        assert "start one with dask scheduler" in line
    assert tiles(world) == {}


def test_a_missing_library_is_named(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["world", "run", str(world.folder), "--scheduler", "tcp://127.0.0.1:9"]) == 1
    assert 'needs distributed: pip install "orogen[dask]"' in capsys.readouterr().err
