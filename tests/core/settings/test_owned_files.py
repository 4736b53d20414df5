# SPDX-License-Identifier: GPL-3.0-or-later
"""What Orogen did not make is neither deleted nor replaced, however it came where it is."""

import dataclasses
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain_addon.command_line import main
from terrain_addon.core import Erosion, FractalNoise, Recipe, presets, solve, worlds
from terrain_addon.core.output.exports import ExportSettings, export
from terrain_addon.core.settings import NotWritten, replaced_folder, save_array, work_folder
from terrain_addon.core.settings.owned_files import (
    computer,
    discard,
    everything,
    replace_file,
    replace_folder,
    temporary,
)
from tests.core.settings.full_disk import full_disk

ROOT = Path(__file__).parents[3]
HILLS = Recipe(size_x=900.0, size_y=700.0, layers=(FractalNoise(height=150.0, octaves=4),))
THESIS = "years of work"


def thesis_in(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "thesis.txt"
    path.write_text(THESIS)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        one.relative_to(folder).as_posix(): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file()
    }


@pytest.mark.parametrize(
    "name",
    [
        "alps",
        "alps.part",
        "alps.unfinished",
        "alps.old.part",
        "alps.1-2-3.part",
        ".0123abcd-7-0123abcd.part",
        "alps.0123abcd-7-0123abcd.part.txt",
    ],
)
def test_names_that_a_user_may_choose_are_never_deleted(tmp_path: Path, name: str):
    thesis_in(tmp_path / name)
    for attempt in (
        lambda: discard(tmp_path / name),
        lambda: replace_file(tmp_path / name, tmp_path / "b"),
        lambda: replace_folder(tmp_path / name, tmp_path / "b", everything),
    ):
        with pytest.raises(ValueError, match="is not a temporary file of Orogen: it stays"):
            attempt()
    assert contents(tmp_path) == {f"{name}/thesis.txt": THESIS.encode()}


def test_a_link_is_deleted_and_what_it_leads_to_stays(tmp_path: Path):
    thesis_in(tmp_path / "mine")
    link = temporary(tmp_path / "alps")
    link.symlink_to(tmp_path / "mine")
    discard(link)
    assert not link.is_symlink()
    assert contents(tmp_path) == {"mine/thesis.txt": THESIS.encode()}


def test_a_plan_refuses_a_folder_with_the_name_of_its_unfinished_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    thesis_in(tmp_path / "alps.unfinished")
    command = ["world", "plan", "rolling_downs", "--out", str(tmp_path / "alps")]
    assert main([*command, "--spacing", "40", "--tile", "65"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith(
        "alps.unfinished is in the way, and Orogen did not make it: rename it, or choose another "
        "name"
    )
    assert contents(tmp_path) == {"alps.unfinished/thesis.txt": THESIS.encode()}
    assert not (tmp_path / "alps").exists()


@pytest.mark.parametrize("mine", ["a file", "a link to an empty folder"])
def test_what_is_no_folder_for_unfinished_work_is_refused(tmp_path: Path, mine: str):
    path = tmp_path / "alps.unfinished"
    if mine == "a file":
        path.write_text(THESIS)
    else:
        (tmp_path / "empty").mkdir()
        path.symlink_to(tmp_path / "empty")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ValueError, match="Orogen did not make it"), work_folder(path, "it"):
        pass
    assert sorted(tmp_path.iterdir()) == before


def plan_into(folder: Path, progress: Any) -> None:
    worlds.plan(HILLS, folder, spacing=20.0, side=23, progress=progress)


def export_into(folder: Path, progress: Any) -> None:
    settings = ExportSettings(engine="unity", size=33, color=False, normal=False)
    export(HILLS, settings, folder, progress=progress)


@pytest.mark.parametrize("write", [plan_into, export_into])
def test_files_that_come_into_the_folder_while_it_is_written_stay(tmp_path: Path, write: Any):
    folder = tmp_path / "alps"
    with pytest.raises(NotWritten, match="alps cannot be written: it holds other files, such as "):
        write(folder, lambda *_: thesis_in(folder))
    assert contents(tmp_path) == {"alps/thesis.txt": THESIS.encode()}
    assert [one.name for one in tmp_path.iterdir()] == ["alps"]


def test_files_that_come_into_an_older_export_stay_with_it(tmp_path: Path):
    folder = tmp_path / "alps"
    export_into(folder, None)
    before = contents(folder)
    with pytest.raises(NotWritten, match="such as thesis.txt: move them, or choose another name"):
        export_into(folder, lambda *_: thesis_in(folder))
    assert contents(folder) == before | {"thesis.txt": THESIS.encode()}


def test_an_older_export_that_was_deleted_by_half_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "alps"
    export_into(folder, None)
    delete = shutil.rmtree

    def stopped(path: Path) -> None:
        if not (path / "manifest.json").exists():
            return delete(path)
        (path / "manifest.json").unlink()
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", stopped)
        export_into(folder, None)
    assert len(list(tmp_path.iterdir())) == 2
    export_into(folder, None)
    assert (folder / "manifest.json").is_file()


def test_a_folder_with_the_name_of_an_exported_file_stays(tmp_path: Path):
    folder = tmp_path / "alps"
    export_into(folder, None)
    (folder / "terrain.raw").unlink()
    thesis_in(folder / "terrain.raw")
    before = contents(folder)
    with pytest.raises(ValueError, match="holds other files, such as terrain.raw"):
        export_into(folder, None)
    assert contents(folder) == before


def test_a_solution_replaces_a_solution_and_nothing_else(tmp_path: Path):
    recipe = Recipe(layers=(HILLS.layers[0], Erosion(resolution="128")))
    solution = solve(recipe)
    solution.save(tmp_path / "kept")
    solution.save(tmp_path / "kept")
    thesis_in(tmp_path / "kept")
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="kept is not a solution: choose another name"):
        solution.save(tmp_path / "kept")
    assert contents(tmp_path) == before


def test_an_older_folder_that_a_killed_process_moved_away_is_never_lost(tmp_path: Path):
    """It comes back in place of nothing or an empty folder; beside another one it is reported."""
    target, older = tmp_path / "alps", tmp_path / f"alps.{computer()}.old.part"
    for there in (False, True):
        thesis_in(older)
        if there:
            target.mkdir()
        with pytest.raises(NotWritten, match="thesis.txt"), replaced_folder(target):
            assert (target / "thesis.txt").read_text() == THESIS
        (target / "thesis.txt").unlink()
        target.rmdir()
        assert not list(tmp_path.iterdir())
    thesis_in(older)
    (target / "sub").mkdir(parents=True)
    with pytest.raises(NotWritten, match="old.part cannot be written: it holds other files"):
        replaced_folder(target).__enter__()
    assert (older / "thesis.txt").read_text() == THESIS


def test_one_process_at_a_time_has_a_work_folder(tmp_path: Path):
    beside = tmp_path / "alps.unfinished"
    with work_folder(beside, "the plan of alps"):
        with pytest.raises(ValueError, match="Another process is at work on the plan of .*alps"):
            plan_into(tmp_path / "alps", None)
        assert [one.name for one in tmp_path.iterdir()] == ["alps.unfinished"]
    assert not list(tmp_path.iterdir())
    plan_into(tmp_path / "alps", None)
    assert [one.name for one in tmp_path.iterdir()] == ["alps"]


KILLED = """
import os, signal, sys
from pathlib import Path
from terrain_addon.core.settings import work_folder
with work_folder(Path(sys.argv[1]), "it"):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no kill -9")
def test_the_lock_of_a_killed_process_blocks_nobody(tmp_path: Path):
    beside = tmp_path / "alps.unfinished"
    command = [sys.executable, "-c", KILLED, str(beside)]
    killed = subprocess.run(command, cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL and beside.is_dir()
    plan_into(tmp_path / "alps", None)
    assert [one.name for one in tmp_path.iterdir()] == ["alps"]


def test_files_that_a_user_puts_into_a_work_folder_stay(tmp_path: Path):
    with work_folder(tmp_path / "work", "it") as folder:
        thesis = thesis_in(folder)
    with work_folder(tmp_path / "work", "it"):
        pass
    assert thesis.read_text() == THESIS


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.parametrize("room", [300, 3000])
def test_a_full_disk_is_one_message_with_the_world_and_leaves_nothing(
    tmp_path: Path, room: int, capsys: pytest.CaptureFixture[str]
):
    """Within the recipe, and within an array."""
    folder = tmp_path / "alps"
    rivers = dataclasses.replace(HILLS, layers=(*HILLS.layers, Erosion(resolution="128")))
    recipe = presets.save("recipe", rivers, tmp_path)
    command = ["world", "plan", str(recipe), "--out", str(folder), "--spacing", "20"]
    with full_disk(room):
        assert main([*command, "--tile", "23"]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "orogen:" in line]
    assert len(lines) == 1 and ".part" not in lines[0]
    assert f"orogen: {folder}" in lines[0] and "be written: " in lines[0]
    assert lines[0].endswith(("File too large", "the disk may be full"))
    assert list(tmp_path.iterdir()) == [recipe]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.parametrize(
    ("step", "room", "name"),
    [("run", 2000, "tiles/y0000_x0000.npy"), ("finish", 500, "index.json")],
)
def test_a_full_disk_names_the_file_of_a_world(
    tmp_path: Path, step: str, room: int, name: str, capsys: pytest.CaptureFixture[str]
):
    plan_into(tmp_path / "alps", None)
    world = worlds.World.load(tmp_path / "alps")
    if step == "finish":
        worlds.run(world)
    before = contents(tmp_path)
    capsys.readouterr()
    with full_disk(room):
        assert main(["world", step, str(world.folder)]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "orogen:" in line]
    assert len(lines) == 1 and ".part" not in lines[0]
    assert f"{world.folder / name} could not be written: " in lines[0]
    made = contents(tmp_path).keys() - before.keys()
    assert not [one for one in made if "makers" not in one]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.arange(6).reshape(2, 3).T,
        np.arange(24.0).reshape(4, 6)[::2, ::-1],
        np.zeros((0, 3)),
        np.array(True),
        np.array([1 + 2j]),
    ],
)
def test_arrays_have_the_bytes_of_numpy(tmp_path: Path, array: NDArray[Any]):
    save_array(tmp_path / "ours.npy", array)
    np.save(tmp_path / "theirs.npy", array)
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_small_array_on_a_full_disk_is_an_error(tmp_path: Path):
    with full_disk(200), pytest.raises(OSError, match="too large"):
        save_array(tmp_path / "a.npy", np.zeros(30))
