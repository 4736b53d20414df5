# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands whose output is closed, full, or cannot be encoded, and inputs that are no files."""

import os
import subprocess
import sys

import pytest

from tests.adding_pages import ROOT

posix = pytest.mark.skipif(os.name == "nt", reason="shells and devices of POSIX")


def orogen(arguments: str, folder, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a shell, in a folder."""
    command = f'"{sys.executable}" -m terrain_addon {arguments}'
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        command, shell=True, cwd=folder, env=env, capture_output=True, check=False
    )


@posix
def test_closed_and_full_outputs_give_true_exit_codes(tmp_path):
    full = orogen("presets > /dev/full", tmp_path)
    assert full.returncode == 1
    assert b"cannot be printed to standard output: No space left" in full.stderr
    assert b"Exception ignored" not in full.stderr
    closed = orogen("presets >&-", tmp_path)
    assert (closed.returncode, closed.stderr.count(b"\n")) == (1, 1)
    silent = orogen("height plain_island a.npy --resolution 9 2>&-", tmp_path)
    assert silent.returncode == 0
    assert silent.stdout.startswith(b"a.npy")
    assert (tmp_path / "a.npy").stat().st_size == 128 + 9 * 9 * 4
    failed = orogen("height nope b.npy 2>&-", tmp_path)
    assert (failed.returncode, failed.stdout) == (1, b"")
    head = orogen("presets | head -1", tmp_path)
    assert head.stdout.startswith(b"alps ")
    assert head.stderr == b""


def test_texts_that_the_encoding_lacks_are_escaped(tmp_path):
    name = "\u00e9\u6d77.npy"
    made = orogen(f"height plain_island {name} --resolution 9", tmp_path, PYTHONIOENCODING="cp1252")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith(b"\xe9\\u6d77.npy")
    assert (tmp_path / name).exists()
    failed = orogen(f"info {name}.tif", tmp_path, PYTHONIOENCODING="ascii")
    assert failed.returncode == 1
    assert b"\\xe9\\u6d77.npy.tif" in failed.stderr


@posix
def test_pipes_and_folders_are_refused_as_files(tmp_path, run_main):
    os.mkfifo(tmp_path / "pipe.json")
    os.mkfifo(tmp_path / "pipe.tif")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "loop.json").symlink_to("loop.json")
    out = str(tmp_path / "x.npy")
    for arguments, message in (
        (("height", "pipe.json", out), "a device or a pipe, not a file"),
        (("convert", "pipe.tif", out), "a device or a pipe, not a file"),
        (("height", "folder.json", out), "is a folder, not a file"),
        (("height", "loop.json", out), "loop.json: Too many levels of symbolic links"),
    ):
        name = str(tmp_path / arguments[1])
        code, error = run_main(arguments[0], name, *arguments[2:])
        assert code == 1
        assert message in error


@pytest.fixture
def run_main(capsys):
    """Return a function that runs a command here, and returns its exit code and its errors."""
    from terrain_addon.command_line import main

    def run(*arguments: str) -> tuple[int, str]:
        return main(arguments), capsys.readouterr().err

    return run


def test_a_recipe_of_many_megabytes_is_not_read(tmp_path, run_main):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(3 << 30)  # takes no room on the disk
    code, error = run_main("height", str(path), str(tmp_path / "x.npy"))
    assert code == 1
    assert "huge.json: it has more than 8 MiB" in error
