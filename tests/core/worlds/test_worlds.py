# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles are parts of one terrain, whoever makes them and however often the work is cut short."""

import dataclasses
import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.command_line import main
from terrain_addon.core import evaluate, worlds
from terrain_addon.core.evaluation.solution import files
from terrain_addon.core.worlds import World, running
from tests.core.worlds.small_world import PAINT, RECIPE

ROOT = Path(__file__).parents[3]
SIDE = 33


@pytest.fixture
def world(tmp_path: Path) -> World:
    """6 x 5 tiles."""
    return worlds.plan(RECIPE, tmp_path / "world", spacing=5.0, side=SIDE)


def cut(path: Path) -> None:
    path.write_bytes(b"")


def digests(world: World) -> dict[str, str]:
    folder = world.folder / "tiles"
    assert not [one for one in folder.iterdir() if one.suffix != ".npy"]
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in folder.iterdir()}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    made = worlds.plan(RECIPE, tmp_path_factory.mktemp("w") / "w", spacing=5.0, side=SIDE)
    worlds.run(made)
    return digests(made)


@pytest.mark.slow
def test_tiles_are_windows_of_one_terrain_and_share_their_borders(world: World):
    loaded = World.load(world.folder)
    assert (loaded.columns, loaded.rows) == (6, 5) and loaded.grid == world.grid
    assert worlds.run(loaded) == 30
    whole = evaluate(RECIPE, loaded.grid).height
    for x, y in loaded.tiles:
        tile = np.load(loaded.path((x, y)), allow_pickle=False)
        assert tile.shape == (SIDE, SIDE) and tile.dtype == np.float32
        i, j = 32 * x, 32 * y
        assert_array_equal(tile, whole[j : j + SIDE, i : i + SIDE])


@pytest.mark.slow
def test_a_pool_makes_the_same_bytes(world: World, expected: dict[str, str]):
    made: list[worlds.Tile] = []
    assert worlds.run(world, workers=2, made=made.append) == 30
    assert sorted(made) == sorted(world.tiles)
    assert digests(world) == expected
    assert worlds.run(world, workers=2, made=made.append) == 0 and len(made) == 30


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are killed in another way on Windows")
@pytest.mark.parametrize("number", [1, 15, 29])
def test_a_killed_worker_is_replaced(number: int, world: World, expected: dict[str, str]):
    made: list[worlds.Tile] = []

    def kill(tile: worlds.Tile) -> None:
        made.append(tile)
        if len(made) == number:
            os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    worlds.run(world, workers=2, made=kill)
    assert digests(world) == expected


def _die_at_a_tile(folder: Path, tile: worlds.Tile) -> str:
    """Note the try; the process dies at one tile, a little later than others are done."""
    with (folder / f"{tile[0]}").open("a") as file:
        file.write("x")
    if tile == (2, 0):
        time.sleep(0.3)
        os._exit(9)
    return "done"


@pytest.mark.slow
def test_only_the_tile_whose_process_dies_is_tried_again(tmp_path: Path):
    """The other process goes on meanwhile, and its tiles are not made twice."""
    tiles, done = [(n, 0) for n in range(9)], dict[worlds.Tile, Any]()
    with pytest.raises(
        OSError,
        match=r"made tile 2,0 died 3 times \(exit code 9\): there may not be enough memory; use "
        "fewer workers",
    ):
        worlds.Pool(2)(_die_at_a_tile, tmp_path, tiles, done.__setitem__)
    assert done and set(done.values()) == {"done"} and (2, 0) not in done
    tries = {int(one.name): len(one.read_text()) for one in tmp_path.iterdir()}
    assert tries.pop(2) == 3 and set(tries.values()) == {1}


def _fail_at_a_tile(folder: Path, tile: worlds.Tile) -> None:
    if tile == (1, 0):
        raise ValueError("one of the tiles")


@pytest.mark.slow
def test_an_error_in_a_process_is_raised_here(tmp_path: Path):
    with pytest.raises(ValueError, match="one of the tiles"):
        worlds.Pool(2)(_fail_at_a_tile, tmp_path, [(n, 0) for n in range(4)], lambda *_: None)
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are killed in another way on Windows")
def test_a_killed_run_goes_on_where_it_was(world: World, expected: dict[str, str]):
    command = [sys.executable, "-m", "terrain_addon", "world", "run", "--workers", "2"]
    run = subprocess.Popen(
        [*command, str(world.folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    for _ in range(6):
        run.stdout.readline()
    run.kill()
    run.wait()
    run.stdout.read()  # ends once the workers have ended as well
    run.stdout.close()
    before = {path: path.stat().st_mtime_ns for path in (world.folder / "tiles").glob("*.npy")}
    assert 0 < len(before) < 30
    assert worlds.run(world, workers=2) == 30 - len(before)
    assert digests(world) == expected
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


@pytest.mark.slow
def test_a_full_disk_loses_no_finished_tile(
    world: World, expected: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    write, left = running.save_array, iter([True] * 4)

    def full(*given: Any, **named: Any) -> None:
        if not next(left, False):
            raise OSError(28, "No space left on device")
        write(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(running, "save_array", full)
        with pytest.raises(OSError, match="No space left"):
            worlds.run(world)
    assert len(digests(world)) == 4
    worlds.run(world)
    assert digests(world) == expected


def of_another_shape(path: Path) -> None:
    np.save(path, np.zeros((3, 3), np.float32))


def one_bit_flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)


def not_finite(path: Path) -> None:
    """As if it had been made so: its digest is right."""
    height = np.load(path)
    height[3, 4] = np.nan
    np.save(path, height)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (path.parents[1] / "digests" / path.stem).write_text(digest)


@pytest.mark.parametrize("found_by", ["status", "finish"])
@pytest.mark.parametrize(
    "damage",
    [
        cut,
        lambda path: path.write_bytes(b"\x93NUMPY"),
        of_another_shape,
        one_bit_flipped,
        not_finite,
    ],
)
def test_a_damaged_tile_is_named_and_made_anew(
    tmp_path: Path, damage: Any, found_by: str, capsys: pytest.CaptureFixture[str]
):
    recipe = dataclasses.replace(RECIPE, layers=RECIPE.layers[:1])
    world = worlds.plan(recipe, tmp_path / "world", spacing=20.0, side=23)
    worlds.run(world)
    before = digests(world)
    damage(world.path((1, 0)))
    folder = str(world.folder)
    if found_by == "status":
        assert main(["world", "status", folder, "--quick"]) == 0
        assert "damaged" not in capsys.readouterr().out
        assert main(["world", "status", folder]) == 0
        found = capsys.readouterr().out
        assert "5 of 6 tiles are made" in found
    else:
        assert main(["world", "finish", folder]) == 1
        found = capsys.readouterr().err
    assert "1 tile is damaged (1,0): run the world again, which makes them anew" in found
    assert main(["world", "finish", folder]) == 1  # as long as it is there
    assert "1 tile is damaged (1,0)" in capsys.readouterr().err
    assert not (world.folder / "index.json").exists()
    assert worlds.run(world) == 1
    assert digests(world) == before
    assert main(["world", "finish", folder]) == 0


def test_a_tile_that_was_changed_after_the_finish_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    recipe = dataclasses.replace(RECIPE, layers=RECIPE.layers[:1])
    world = worlds.plan(recipe, tmp_path / "world", spacing=20.0, side=23)
    worlds.run(world)
    worlds.finish(world)
    one_bit_flipped(world.path((0, 1)))
    assert main(["world", "finish", str(world.folder)]) == 1
    assert "1 tile is damaged (0,1): run the world again" in capsys.readouterr().err


def test_a_world_may_be_the_empty_folder_that_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    made = worlds.plan(dataclasses.replace(RECIPE, layers=()), ".", spacing=50.0, side=9)
    assert made.folder == tmp_path / "here" and World.load(made.folder).recipe == made.recipe


@pytest.mark.slow
def test_a_finished_world_has_an_index_and_an_overview(
    world: World, expected: dict[str, str], capsys: pytest.CaptureFixture[str]
):
    folder = str(world.folder)
    assert main(["world", "run", folder, "--tiles", "0..5,0..3"]) == 0
    assert main(["world", "status", folder]) == 0
    assert "24 of 30 tiles are made" in capsys.readouterr().out
    assert main(["world", "finish", folder]) == 1
    assert "6 of 30 tiles are missing" in capsys.readouterr().err
    assert main(["world", "run", folder, "--tiles", "0..5,4"]) == 0
    assert main(["world", "finish", folder]) == 0
    index = json.loads((world.folder / "index.json").read_text())
    height = evaluate(RECIPE, world.grid).height
    assert (index["low"], index["high"]) == (float(height.min()), float(height.max()))
    assert index["sha256"] == expected
    assert (world.folder / "overview.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_the_command_line_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "new" / "world"
    command = ["world", "plan", "archipelago", "--out", str(folder), "--size-km", "8"]
    assert main([*command, "--spacing", "20", "--tile", "129"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "4 x 4 tiles of 129 x 129 samples, 15.62 m apart, 0.00107 GB, about " in lines[1]
    recipe = World.load(folder).recipe
    assert recipe.size_x == recipe.size_y == 8000


def changed_recipe(world: World) -> None:
    other = dataclasses.replace(RECIPE, seed=9)
    (world.folder / "recipe.json").write_text(other.to_json())


def changed_map(world: World) -> None:
    np.save(world.folder / "maps" / "0.npy", PAINT.values + 1)


def other_solution(world: World) -> None:
    text = (world.folder / "solution" / "solution.json").read_text()
    (world.folder / "solution" / "solution.json").write_text(
        text.replace('"engine": ', '"engine": 9')
    )


def edited(**values: Any) -> Callable[[World], None]:
    def apply(world: World) -> None:
        path = world.folder / "world.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | values))

    return apply


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed_recipe, "recipe.json was changed: plan the world again"),
        (changed_map, "0.npy was changed: plan the world again"),
        (other_solution, "solution.json was changed: plan the world again"),
        (
            lambda one: (one.folder / "solution" / "solution.json").unlink(),
            "solution.json is missing: copy the whole world, or plan it again",
        ),
        (
            lambda one: (one.folder / "maps" / "0.npy").unlink(),
            "0.npy is missing: copy the whole world, or plan it again",
        ),
        (lambda one: (one.folder / "maps" / "0.npy").write_bytes(b""), "0.npy is damaged"),
        (lambda one: cut(next((one.folder / "solution").glob("*.npy"))), "was changed"),
        (lambda one: (one.folder / "world.json").unlink(), "not a world: it has no file"),
        (lambda one: (one.folder / "world.json").write_text("{}"), "world.json is damaged"),
        (edited(format=1), "damaged: its format is 1, not 4; plan the world again"),
        (edited(side=32), "world.json is damaged: its spacing is not that of its tiles"),
        (edited(columns=0), "world.json is damaged: columns is 0"),
        (edited(range=[1]), "world.json is damaged"),
        (edited(images=["../../evil"]), "world.json is damaged: There is no image '../../evil'"),
        (edited(unknown=1), "world.json is damaged"),
        (
            edited(made_by={"engine": 0, "numpy": np.__version__}),
            f"planned with version 0 of Orogen's algorithms, this is {files.ENGINE}; tiles of both "
            "would not meet: use that version, or plan the world again",
        ),
        (
            edited(made_by={"engine": files.ENGINE, "numpy": "1.2"}),
            f"planned with version '1.2' of NumPy, this is {np.__version__!r}; tiles of both",
        ),
    ],
)
def test_a_world_that_was_changed_is_refused(
    world: World, change: Any, message: str, capsys: pytest.CaptureFixture[str]
):
    change(world)
    assert main(["world", "run", str(world.folder)]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert message in line
    assert not list((world.folder / "tiles").iterdir())


@pytest.mark.slow
def test_a_process_of_another_version_makes_no_tile(world: World):
    """Workers of a cluster may have one: they make tiles without the checks of a run."""
    edited(made_by={"engine": 0, "numpy": np.__version__})(world)
    with pytest.raises(ValueError, match="planned with version 0"):
        running.make(world.folder, (0, 0))
    assert not world.made()


@pytest.mark.slow
def test_a_process_leaves_a_tile_alone_that_another_one_has_made(world: World):
    running.make(world.folder, (0, 0))
    made = world.path((0, 0)).stat().st_mtime_ns
    running.make(world.folder, (0, 0))
    assert world.path((0, 0)).stat().st_mtime_ns == made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tiles", "6,0"], "There is no tile 6,0: the world has 6 x 5 tiles"),
        (["--tiles", "0..1"], "expected columns and rows, as 0..31,0..15"),
        (["--tiles", "0..1..2,0"], "expected columns and rows"),
        (["--tiles", "0..1..2,0,1"], "expected columns and rows"),
        (["--tiles", "3..1,0"], "expected columns and rows"),
        (["--tiles", "0..999999999,0..999999999"], "There is no tile 999999999,999999999"),
        (["--workers", "0"], "--workers 0: at least 1 is needed"),
    ],
)
def test_wrong_arguments_are_reported(
    world: World, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    code = 1 if "There is no tile" in message else 2
    assert main(["world", "run", str(world.folder), *arguments]) == code
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_plan_replaces_nothing(world: World):
    with pytest.raises(ValueError, match="is not empty: choose another name"):
        worlds.plan(RECIPE, world.folder, spacing=5.0, side=SIDE)
    for spacing, side in ((0.0, 33), (float("nan"), 33), (5.0, 1), (1e-9, 33)):
        with pytest.raises(ValueError, match="spacing|tile"):
            worlds.plan(RECIPE, world.folder.parent / "x", spacing=spacing, side=side)
    assert [one.name for one in world.folder.parent.iterdir()] == ["world"]


@pytest.mark.slow
def test_a_finished_world_starts_no_process_and_solves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    worlds.run(world)
    for name in ("Pool", "serial", "bake_window"):
        monkeypatch.setattr(running, name, None)
    assert worlds.run(World.load(world.folder), workers=2) == 0
