# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the files of bakes go, on disks that are full and from processes that are killed."""

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake.job import BakedImage, BakeJob
from terrain_addon.blender.bake.output import Output
from terrain_addon.blender.bake.queue import bakes
from terrain_addon.blender.data import images
from terrain_addon.blender.operators import bake as operators
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Bake
from tests.core.settings.full_disk import full_disk

ROOT = Path(__file__).parents[2]
pytest.importorskip("resource")  # unknown to Windows


@pytest.fixture
def land(add):
    return add()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home folder of the user."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


def names(folder):
    """Names of the files, without those of the ranges beside images."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".json")


def save(folder):
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "land.blend"))


def report_of(item, **settings):
    """Bake one image, and what is reported."""
    what = BakedImage.of(item, read(item.data.terrain), Bake(), Output(width=16, **settings))
    job = BakeJob([what])
    while not job.is_done:
        job.store(job.make())
    return str(job)


@pytest.mark.parametrize("target", ["file", "both"])
def test_without_a_blend_file_to_be_beside_files_go_to_the_home_folder(land, home, target):
    assert bpy.ops.terrain.bake(width=16, target=target) == {"FINISHED"}
    assert names(home) == ["Land_Heightmap.exr"]
    assert [one.filepath for one in bpy.data.images] == (
        [str(home / "Land_Heightmap.exr")] if target == "both" else []
    )
    text = report_of(land, target=target)
    assert f"to {home / 'Land_Heightmap.exr'}" in text
    assert text.count("; not beside the blend file, which is not saved yet. ")


def test_a_set_goes_to_the_home_folder_too_and_the_dialog_says_so(land, home):
    land.data.terrain.bake.target = "file"
    assert operators._lines(land.data.terrain)[-1].endswith(f"to {home}/")
    assert bpy.ops.terrain.bake_set(width=16) == {"FINISHED"}
    assert names(home) == ["Land_Color.exr", "Land_Heightmap.exr", "Land_Normal.exr"]


@pytest.mark.skipif(sys.platform != "linux", reason="where no program may write")
def test_without_a_home_files_go_where_temporary_files_do(land, home, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/proc/no home")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert "not saved yet" in report_of(land, target="file")
    assert (tmp_path / "Land_Heightmap.exr").is_file()


def test_files_of_a_saved_blend_file_are_beside_it_by_default(land, home, tmp_path):
    save(tmp_path)
    text = report_of(land)
    assert "not saved" not in text and str(tmp_path / "Land_Heightmap.exr") in text
    [image] = bpy.data.images
    assert (image.name, image.filepath) == ("Land Heightmap", "//Land_Heightmap.exr")
    assert not image.packed_file
    assert names(home) == []


def test_until_then_images_are_packed_by_default(land, home, tmp_path):
    assert "not saved" not in report_of(land)
    image: Any = bpy.data.images["Land Heightmap"]
    assert image.packed_file
    assert names(home) == []
    save(tmp_path)
    bpy.ops.terrain.bake(width=8)
    assert list(bpy.data.images) == [image]
    assert not image.packed_file and (image.size[0], image.size[1]) == (8, 8)
    assert "Land_Heightmap.exr" in names(tmp_path)


def test_a_bake_that_began_before_the_file_was_saved_ends_as_it_began(land, home, tmp_path):
    what = BakedImage.of(land, read(land.data.terrain), Bake(), Output(width=16))
    bakes.start(BakeJob([what]))
    save(tmp_path)
    bakes.finish()
    assert bpy.data.images["Land Heightmap"].packed_file
    assert "Land_Heightmap.exr" not in names(tmp_path)


def test_an_unexpected_error_ends_one_bake_and_the_next_one_follows(land, monkeypatch, capfd):
    def surprised(*_, **__):
        raise KeyError("surprise")

    monkeypatch.setattr(images, "loaded_again", surprised)
    recipe = read(land.data.terrain)
    for target in ("file", "image"):
        output = Output(width=16, target=target, filepath=bpy.app.tempdir)
        bakes.start(BakeJob([BakedImage.of(land, recipe, Bake(), output)]))
    worker, messages = bakes.worker, []
    while bakes.is_busy():
        worker._join()
        assert worker.poll() or not bakes.is_busy()  # otherwise Blender drops the timer
        messages.append(bakes.message(land.data))
    assert messages[0] == ("An error in Orogen, please report it: KeyError: 'surprise'", True)
    assert messages[-1][0].startswith("Baked 'Land Heightmap', 16 x 16 pixels")
    assert "surprise" in capfd.readouterr().err


@pytest.mark.parametrize("room", [10, 1000, -1])
@pytest.mark.parametrize("suffix", ["png", "exr"])
def test_a_full_disk_leaves_the_older_file(land, tmp_path, suffix, room):
    path = tmp_path / f"land.{suffix}"
    settings = {"width": 64, "target": "file", "format": suffix, "filepath": str(path)}
    bpy.ops.terrain.bake(**settings)
    whole, ranges = path.read_bytes(), (tmp_path / f"{path.name}.json").read_bytes()
    with full_disk(room % len(whole)), pytest.raises(RuntimeError) as error:
        bpy.ops.terrain.bake(**settings)
    [line] = str(error.value).strip().splitlines()
    assert f"land.{suffix} could not be written" in line and ".part" not in line
    assert path.read_bytes() == whole
    assert (tmp_path / f"{path.name}.json").read_bytes() == ranges
    assert names(tmp_path) == [path.name]


BAKE_FOR_EVER = """
import sys
import numpy as np
from terrain_addon.core import Bake, Image
from terrain_addon.core.output import write_image
image = Image(np.random.default_rng(0).random((1024, 1024, 4), np.float32), 0.0, 1.0)
while True:
    write_image(sys.argv[1], image, Bake(image="normal"))
"""


@pytest.mark.parametrize("suffix", ["png", "exr"])
def test_a_killed_bake_leaves_the_older_file_and_what_it_began_is_removed(land, tmp_path, suffix):
    path = tmp_path / f"land.{suffix}"
    settings = {"width": 64, "target": "file", "format": suffix, "filepath": str(path)}
    settings["image"] = "normal"
    bpy.ops.terrain.bake(**settings)
    whole = path.read_bytes()
    for _ in range(3):
        _kill_while_writing(path)
        if names(tmp_path) != [path.name]:
            break  # otherwise it was killed between two writes
        whole = path.read_bytes()
    assert names(tmp_path) != [path.name], "it writes into the older file"
    if path.read_bytes() != whole:  # an earlier write of the killed process was complete
        image: Any = bpy.data.images.load(str(path))
        assert (image.size[0], image.size[1]) == (1024, 1024)
        image.colorspace_settings.name = "Non-Color"
        got = np.empty(1024 * 1024 * 4, np.float32)
        image.pixels.foreach_get(got)
        wanted = np.random.default_rng(0).random((1024, 1024, 4), np.float32)
        got, wanted = got.reshape(-1, 4)[:, :3], wanted.reshape(-1, 4)[:, :3]
        np.testing.assert_allclose(got, wanted, atol=0.51 / 65535)
        bpy.data.images.remove(image)
    bpy.ops.terrain.bake(**settings)
    assert names(tmp_path) == [path.name]
    image: Any = bpy.data.images.load(str(path))
    assert (image.size[0], image.size[1]) == (64, 64)


def _kill_while_writing(path):
    """Kill a process that writes the file again and again, within a write."""
    command = [sys.executable, "-c", BAKE_FOR_EVER, str(path)]
    until = time.monotonic() + 60
    with _killed_at_last(command) as process:
        while process.poll() is None:
            assert time.monotonic() < until, "it does not write beside the older file"
            if any(one.suffix == ".part" and _size(one) for one in path.parent.iterdir()):
                process.kill()
                break
    assert process.returncode == -signal.SIGKILL


@contextmanager
def _killed_at_last(command):
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def _size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:  # renamed meanwhile
        return 0
