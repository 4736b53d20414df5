# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a world states what it was made by, and is complete or absent."""

import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from terrain_addon.command_line import main
from terrain_addon.core import FractalNoise, HeightMap, Layer, Map, Recipe, Shape, evaluate, worlds
from terrain_addon.core.evaluation.solution import files
from terrain_addon.core.settings import replaced_folder
from terrain_addon.core.worlds import World
from tests.core.worlds.small_world import PAINT, RECIPE

ROOT = Path(__file__).parents[3]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """2 x 2 tiles."""
    return worlds.plan(RECIPE, tmp_path / "world", spacing=10.0, side=46)


@pytest.mark.slow
def test_the_manifest_states_what_tiles_are_made_from(world: World):
    about = json.loads((world.folder / "world.json").read_text())
    assert (about["side"], about["columns"], about["rows"]) == (46, 2, 2)
    assert about["spacing"] == [10.0, 700 / 90] and about["shared_border"] == 1
    for name, digest in about["solution"].items():
        found = (world.folder / "solution" / name).read_bytes()
        assert hashlib.sha256(found).hexdigest() == digest
    assert len(about["solution"]) == len(list((world.folder / "solution").iterdir())) > 3
    assert about["maps"] == {"0": ["paint", True, None, False, PAINT.digest.hex()]}
    assert about["made_by"] == {
        "engine": files.ENGINE,
        "numpy": np.__version__,
        "processor": platform.machine(),
        "features": files.processor_features(),
    }
    height = evaluate(RECIPE, RECIPE.grid(1025)).height
    assert about["range"] == [float(height.min()), float(height.max())]
    assert World.load(world.folder).manifest == world.manifest


def test_a_map_in_meters_is_the_same_in_a_world(tmp_path):
    """Its tiles are made from the folder alone."""
    values = np.linspace(0, 90, 30, dtype=np.float32).reshape(5, 6)
    painted = Map("dem.tif", values, spacing=(80.0, 90.0), in_meters=True)
    layer = Layer.of(HeightMap(source="dem.tif", fit="true"))
    recipe = Recipe(size_x=400.0, size_y=360.0, layers=(layer,), maps=(painted,))
    made = worlds.plan(recipe, tmp_path / "world", spacing=10.0, side=21)
    assert World.load(made.folder).recipe.maps == (painted,)


def run_with(world: World, **environment: str) -> str:
    """Make the tiles in a process of its own; what it warns of."""
    done = subprocess.run(
        [sys.executable, "-m", "terrain_addon", "world", "run", str(world.folder)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return "".join(line for line in done.stderr.splitlines() if line.startswith("orogen:"))


def tiles(world: World) -> dict[str, np.ndarray[Any, Any]]:
    return {one.name: np.load(one) for one in (world.folder / "tiles").glob("*.npy")}


FEATURES = files.processor_features()
AVX2, AVX512 = (
    [one for one in FEATURES if one.startswith(prefixes)]
    for prefixes in (("AVX2", "AVX512", "FMA3", "X86_V3", "X86_V4"), ("AVX512", "X86_V4"))
)


@pytest.mark.slow
@pytest.mark.skipif(not AVX512, reason="this processor has no AVX-512")
def test_tiles_are_equal_to_the_bit_without_avx_512_and_it_is_said(world: World, tmp_path: Path):
    """The solution is given: heights are the same, but those of other layers might not be."""
    other = World.load(shutil.copytree(world.folder, tmp_path / "other"))
    assert run_with(world) == ""
    warning = run_with(other, NPY_DISABLE_CPU_FEATURES=" ".join(AVX512))
    assert "another type of processor than the plan (without AVX512" in warning
    assert "heights may differ by rounding at their borders" in warning
    made, expected = tiles(other), tiles(world)
    assert len(made) == 4
    assert all((made[name] == expected[name]).all() for name in expected)


@pytest.mark.slow
@pytest.mark.skipif(not AVX2, reason="this processor has no AVX2")
def test_tiles_without_avx2_are_nearly_equal(world: World, tmp_path: Path):
    other = World.load(shutil.copytree(world.folder, tmp_path / "other"))
    run_with(world)
    warning = run_with(other, NPY_DISABLE_CPU_FEATURES=" ".join(AVX2))
    assert "X86_V3" in warning or "AVX2" in warning
    made, expected = tiles(other), tiles(world)
    for name in expected:
        np.testing.assert_allclose(made[name], expected[name], rtol=0, atol=1e-4)


@pytest.mark.slow
def test_a_run_without_room_begins_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    worlds.run(world, [(0, 0)])
    usage = shutil.disk_usage(world.folder)._replace(free=20_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert main(["world", "run", str(world.folder)]) == 1
    message = capsys.readouterr().err
    assert "3 tiles need 2.54e-05 GB, 2e-05 GB are free in" in message
    assert "make room, or choose some with --tiles" in message
    assert world.made() == {(0, 0)}
    assert main(["world", "run", str(world.folder), "--tiles", "1,0..1"]) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="where no program may write")
def test_a_folder_that_cannot_be_written_to_is_reported_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("terrain_addon.core.worlds.planning.solve", None)
    assert main(["world", "plan", "alps", "--out", "/proc/sys"]) == 1
    assert "/proc/sys is not empty" in capsys.readouterr().err
    assert main(["world", "plan", "alps", "--out", "/proc/world"]) == 1
    assert "/proc/world cannot be written: " in capsys.readouterr().err


@pytest.mark.slow
def test_a_read_only_world_is_reported_and_finished_tiles_stay(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    worlds.run(world, [(0, 0)])
    before, touch = tiles(world), Path.touch

    def refused(path: Path, *given: Any, **named: Any) -> None:
        if path.parent.name == "tiles":
            raise OSError(30, "Read-only file system")
        touch(path, *given, **named)

    monkeypatch.setattr(Path, "touch", refused)
    assert main(["world", "run", str(world.folder)]) == 1
    assert "y0000_x0001.npy cannot be written: Read-only file system" in capsys.readouterr().err
    assert set(tiles(world)) == set(before) == {"y0000_x0000.npy"}


KILLED = """
import os, signal, sys
from pathlib import Path
from terrain_addon.core.settings import atomic_folders
none_of_others = lambda folder: []
stop = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "inside":
    atomic_folders._sync = stop
else:
    rename = Path.rename
    Path.rename = lambda path, to: rename(path, to) if path.name == "world" else stop()
with atomic_folders.replaced_folder(Path(sys.argv[1]), none_of_others) as new:
    (new / "world.json").write_text("new")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no kill -9")
@pytest.mark.parametrize("when", ["inside", "between the two renames"])
def test_what_a_killed_process_left_is_removed_and_the_older_folder_is_back(
    tmp_path: Path, when: str
):
    folder = tmp_path / "world"
    folder.mkdir()
    (folder / "world.json").write_text("old")
    (tmp_path / "world.part").mkdir()  # of the user
    killed = subprocess.run([sys.executable, "-c", KILLED, folder, when], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 3
    assert folder.exists() == (when == "inside")

    def fail() -> None:
        with replaced_folder(folder, lambda _: []):
            assert (folder / "world.json").read_text() == "old"
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()
    assert (folder / "world.json").read_text() == "old"
    assert {one.name for one in tmp_path.iterdir()} == {"world", "world.part"}
    with replaced_folder(folder, lambda _: []) as new:
        (new / "world.json").write_text("new")
    assert (folder / "world.json").read_text() == "new"
    assert {one.name for one in tmp_path.iterdir()} == {"world", "world.part"}


@pytest.mark.slow
def test_all_files_of_a_plan_are_synced_before_it_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    synced: set[int] = set()
    sync = os.fsync

    def noted(handle: int) -> None:
        if not (tmp_path / "world").exists():
            synced.add(os.fstat(handle).st_ino)
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    worlds.plan(RECIPE, tmp_path / "world", spacing=10.0, side=46)
    found = [tmp_path / "world", *(tmp_path / "world").rglob("*")]
    assert len(found) > 10
    assert not [one.name for one in found if one.stat().st_ino not in synced]


def test_a_shape_is_the_same_in_a_world(tmp_path):
    path = Shape.of("Path", [[(-150, 0, 5, 1), (1 / 3, 80, 9, 2)]])
    layer = Layer.of(FractalNoise())
    recipe = Recipe(size_x=400.0, size_y=400.0, layers=(layer,), shapes=(path,))
    made = worlds.plan(recipe, tmp_path / "world", spacing=20.0, side=11)
    assert World.load(made.folder).recipe == recipe
