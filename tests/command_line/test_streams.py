# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands whose output is closed, full, or cannot be encoded, and inputs that are no files."""

import errno
import io
import json
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from terrain_addon.command_line import main
from terrain_addon.core.output.images.files import range_path
from terrain_addon.core.worlds.world import MAKERS
from tests.adding_pages import ROOT

posix = pytest.mark.skipif(os.name == "nt", reason="shells and devices of POSIX")


def orogen(arguments: str, folder) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a shell, in a folder."""
    command = f'"{sys.executable}" -m terrain_addon {arguments}'
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, shell=True, cwd=folder, env=env, capture_output=True, check=False
    )


@pytest.mark.slow
@posix
def test_closed_and_full_outputs_of_a_process(tmp_path):
    full = orogen("presets > /dev/full", tmp_path)
    assert full.returncode == 1
    assert b"cannot be printed to standard output: No space left" in full.stderr
    assert b"Exception ignored" not in full.stderr
    silent = orogen("height crater_field a.npy --resolution 9 2>&-", tmp_path)
    assert silent.returncode == 0
    assert silent.stdout.startswith(b"a.npy")
    assert (tmp_path / "a.npy").stat().st_size == 128 + 9 * 9 * 4


def test_a_closed_standard_error_takes_no_place_in_the_result(monkeypatch, capsys):
    for arguments, code in ((["height", "nope", "x.npy"], 1), (["nothing"], 2)):
        monkeypatch.setattr(sys, "stderr", None)
        assert main(arguments) == code
        assert capsys.readouterr().out == ""
        sys.stderr.close()


@pytest.fixture
def broken_pipe():
    """Return a stream to a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w")
    yield stream
    with suppress(BrokenPipeError):  # what it did not write is lost with it
        stream.close()


def full_device():
    """Return a stream to a disk without room."""
    return open("/dev/full", "w", encoding="utf-8")


@posix
@pytest.mark.parametrize("command", ["presets", "presets --json", "--help", "world plan --help"])
def test_a_success_that_is_not_printed_is_none(command, monkeypatch, capsys, broken_pipe):
    start = "orogen: The result cannot be printed to standard output: "
    with full_device() as full:
        for stream, code, note in (
            (None, 1, f"{start}it is closed\n"),
            (full, 1, f"{start}No space left on device\n"),
            (broken_pipe, 141, ""),
        ):
            monkeypatch.setattr(sys, "stdout", stream)
            assert main(command.split()) == code
            assert capsys.readouterr().err == note
            if stream is None:
                sys.stdout.close()


@posix
def test_failures_keep_their_codes_without_a_reader(monkeypatch, broken_pipe):
    """No other broken pipe is taken for that of the output."""

    def broken(*arguments, **options):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")  # that of a process of a pool

    monkeypatch.setattr("terrain_addon.command_line.commands.check.evaluate", broken)
    assert main(["check", "crater_field", "--resolution", "9"]) == 1
    monkeypatch.setattr(sys, "stdout", broken_pipe)
    assert main(["height", "nope", "x.npy"]) == 1
    assert main(["height"]) == 2


@posix
def test_the_work_goes_on_without_its_lines(tmp_path, monkeypatch, capsys):
    """The tiles of a world are made though the lines that name them cannot be printed."""
    world = str(tmp_path / "w")
    plan = f"world plan crater_field --out {world} --spacing 200 --tile 5"
    assert main(plan.split()) == 0
    with monkeypatch.context() as patch, full_device() as full:
        patch.setattr(sys, "stdout", full)
        assert main(["world", "run", world]) == 1
    capsys.readouterr()
    assert main(["world", "status", world, "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["made"] == status["tiles"] > 1


@posix
def test_nobody_reads_the_lines_of_a_run(tmp_path, monkeypatch, broken_pipe):
    """A run stops where its output is not read any more, and says that it did not end."""
    world = str(tmp_path / "w")
    plan = f"world plan crater_field --out {world} --spacing 200 --tile 5"
    assert main(plan.split()) == 0
    monkeypatch.setattr(sys, "stdout", broken_pipe)
    assert main(["world", "run", world]) == 141


@posix
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path):
    """What a library writes to standard output or error would end up in it."""
    folder = ROOT / "terrain_addon" / "command_line"  # the module alone starts fast
    code = (
        f"import os, sys; sys.path.insert(0, '{folder}'); import streams; streams.prepare(); "
        "sys.exit(os.open('x', os.O_CREAT | os.O_WRONLY))"
    )
    line = f'"{sys.executable}" -c "{code}" <&- >&- 2>&-'
    assert subprocess.run(line, shell=True, cwd=tmp_path, check=False).returncode >= 3


def test_ctrl_c_before_a_command_begins(monkeypatch, capsys):
    def stop(parser):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["terrain_addon.command_line.main"], "complete", stop)
    assert main(["presets"]) == 130
    assert capsys.readouterr().err == "orogen: stopped\n"


def test_texts_that_the_encoding_lacks_are_escaped(tmp_path, monkeypatch, capsys):
    """As on Windows, where redirected output has the encoding of the system."""
    name = "\u00e9\u6d77.npy"
    monkeypatch.chdir(tmp_path)
    for encoding, expected in (
        ("cp1252", b"\xe9\\u6d77.npy: 9 x 9"),
        ("cp437", b"\x82\\u6d77.npy: 9 x 9"),
        ("ascii", b"\\xe9\\u6d77.npy: 9 x 9"),
    ):
        output = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, encoding=encoding))
        assert main(["height", "crater_field", name, "--resolution", "9"]) == 0
        assert output.getvalue().startswith(expected)
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(output, encoding="ascii"))
    assert main(["info", f"{name}.tif"]) == 1
    assert b"\\xe9\\u6d77.npy.tif: No such file" in output.getvalue()


@posix
def test_names_that_are_no_text_are_escaped(tmp_path, monkeypatch, capsys):
    name = os.fsdecode(b"\xff.npy")
    monkeypatch.chdir(tmp_path)
    assert main(["height", "crater_field", name, "--resolution", "9"]) == 0
    assert capsys.readouterr().out.startswith("\\udcff.npy: 9 x 9")


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
        (("height", "pipe.tif", out), "a device or a pipe, not a file"),
        (("info", "folder.json/."), "is a folder, not a file"),
        (("height", "folder.json", out), "is a folder, not a file"),
        (("height", "loop.json", out), "loop.json: Too many levels of symbolic links"),
    ):
        name = str(tmp_path / arguments[1])
        code, error = run_main(arguments[0], name, *arguments[2:])
        assert code == 1
        assert message in error


@posix
def test_pipes_among_the_files_of_a_command_are_not_waited_for(tmp_path, run_main):
    """Those beside an image, in the folder of an export, and in that of a world."""
    image = tmp_path / "x.png"
    os.mkfifo(range_path(image))
    bake = ["bake", "crater_field", str(image), "--resolution", "32"]
    assert run_main(*bake, "--image", "normal")[0] == 0
    code, error = run_main(*bake)
    assert (code, "is in the way of the range" in error) == (1, True)
    (tmp_path / "unity").mkdir()
    os.mkfifo(tmp_path / "unity" / "manifest.json")
    folder = tmp_path / "unity"
    code, error = run_main(*f"export crater_field --engine unity --size 33 --out {folder}".split())
    assert (code, "holds other files, such as manifest.json" in error) == (1, True)
    world = tmp_path / "world"
    assert (
        run_main(*f"world plan crater_field --out {world} --spacing 200 --tile 5".split())[0] == 0
    )
    (world / MAKERS).mkdir(exist_ok=True)
    os.mkfifo(world / MAKERS / "pipe.json")
    code, error = run_main("world", "status", str(world))
    assert (code, "pipe.json is a device or a pipe" in error) == (1, True)
    (world / MAKERS / "pipe.json").unlink()
    (world / "world.json").rename(world / "old.json")
    os.mkfifo(world / "world.json")
    code, error = run_main("world", "status", str(world))
    assert (code, "is not a world" in error) == (1, True)


@pytest.fixture
def run_main(capsys):
    """Return a function that runs a command here, and returns its exit code and its errors."""

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
