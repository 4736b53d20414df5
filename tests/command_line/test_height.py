# SPDX-License-Identifier: GPL-3.0-or-later
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.command_line import main
from terrain_addon.core import Layer, Recipe, evaluate, formats, presets
from terrain_addon.core.evaluation import by_rows, memory
from terrain_addon.core.formats.raster import Raster
from terrain_addon.core.layers import LAYERS, MASKS


@pytest.fixture
def painted(tmp_path):
    """A recipe file: flat terrain, lifted to 100 m where the map "Paint" is 1."""
    lift = LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=100.0, output_max=100.0)
    recipe = Recipe(layers=(Layer.of(lift, masks=(MASKS["map"](source="Paint"),)),))
    path = tmp_path / "land.json"
    path.write_text(recipe.to_json(), encoding="utf-8")
    return ["height", str(path), str(tmp_path / "land.npy"), "--resolution", "9"]


def test_a_map_comes_from_a_file(painted, tmp_path):
    values = np.linspace(0, 1, 81, dtype=np.float32).reshape(9, 9)
    np.save(tmp_path / "paint.npy", values)
    assert main([*painted, "--map", f"Paint={tmp_path / 'paint.npy'}"]) == 0
    np.testing.assert_allclose(np.load(tmp_path / "land.npy"), 100 * values, atol=1e-3)


@pytest.mark.parametrize(
    ("maps", "code", "message"),
    [
        ([], 1, "add --map Paint=FILE"),
        (["--map", "Paint"], 2, "expected NAME=FILE"),
        (["--map", "Pain=paint.npy"], 1, "has no map 'Pain'; its maps are Paint"),
        (["--map", "Paint=a.npy", "--map", "Paint=b.npy"], 2, "given twice"),
        (["--map", "Paint=missing.npy"], 1, "missing.npy"),
    ],
)
def test_a_missing_map_is_reported(painted, tmp_path, monkeypatch, capsys, maps, code, message):
    monkeypatch.chdir(tmp_path)
    np.save("paint.npy", np.eye(3))
    assert main([*painted, *maps]) == code
    assert message in capsys.readouterr().err
    assert not (tmp_path / "land.npy").exists()


@pytest.fixture
def error_of(capsys, recwarn):
    """Runs a command that must fail; its message, one line and without a warning."""

    def run(*arguments):
        assert main([str(argument) for argument in arguments]) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert not recwarn.list
        assert len(line) < 300
        return line

    return run


def test_a_resolution_beyond_the_disk_is_reported(error_of, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=10**11)
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda path: usage)
    out = tmp_path / "x.npy"
    for size in (200_000, 2**31 - 1):
        message = error_of("height", "island", out, "--resolution", size)
        assert message.endswith("100 GB are free on the disk: lower the resolution")
    assert "at most" in error_of("height", "island", out, "--resolution", 10**400)
    # Heights wait in a temporary file until the range is known.
    message = error_of("height", "island", tmp_path / "x.r16", "--resolution", 150_000)
    assert "150000 x 150000 points need about 135 GB, 100 GB are free" in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[" * 100_000, "bad.json: This is not a recipe: it is nested too deeply"),
        (b'{"about": "\xff"}', "bad.json: This is not a recipe: it is no text in UTF-8"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "bad.json: This is not a recipe: it holds a number"),
        (b'{"seed": 1, "seed": 2}', "bad.json: This is not a recipe: it has 'seed' twice"),
        (b'\xef\xbb\xbf{"sees": 1}', "bad.json: recipe.sees: unknown setting"),
        (b'{"sees": 1}', "bad.json: recipe.sees: unknown setting"),
        (b'{"' + b"s" * 5000 + b'": 1}', "sss': unknown setting; known here: "),
        (b'{"two\\nlines": 1}', "bad.json: recipe.'two\\nlines': unknown setting"),
        (b'{"water": {"%s": 1}}' % (b"s" * 5000), "sss': unknown setting; known here: "),
    ],
)
def test_a_damaged_recipe_is_named(error_of, tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert message in error_of("height", path, tmp_path / "x.npy")
    assert message in error_of("realism", path)


@pytest.mark.parametrize("place", ["missing/land.npy", "folder.npy", "/dev/full.npy/land.npy"])
def test_the_place_is_checked_before_anything_is_evaluated(error_of, tmp_path, monkeypatch, place):
    monkeypatch.setattr(
        "terrain_addon.command_line.commands.height.evaluate_by_rows",
        lambda *_: pytest.fail("evaluated"),
    )
    (tmp_path / "folder.npy").mkdir()
    assert str(tmp_path / place) in error_of("height", "alps", tmp_path / place)


@pytest.mark.skipif(os.name == "nt", reason="has no such limit")
@pytest.mark.parametrize("name", ["land.npy", "land.r16"])
def test_a_full_disk_is_reported_and_leaves_the_older_file(error_of, tmp_path, name):
    import resource
    import signal

    out = tmp_path / name
    out.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        line = error_of("height", "crater_field", out, "--resolution", 129)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert f"{name} could not be written: " in line
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


def npy(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a complete .npy file"),
        (b"some text\n", "not a complete .npy file"),
        (b"PK\x03\x04 no archive", "not a complete .npy file"),
        (npy(np.ones((64, 64)))[:5000], "not a complete .npy file"),
        (npy(np.ones((64, 64)))[:60], "not a complete .npy file"),
        (npy(np.ones((64, 64))).replace(b"(64, 64)", b"(64, (((")[:200], "a complete .npy file"),
        (npy(np.full((64, 64), 1e300)), "nothing but voids"),
        (
            npy(np.ones((64, 64))).replace(b"(64, 64)", b"(9999999, 64)")[:99],
            "a complete .npy file",
        ),
    ],
)
def test_a_damaged_array_is_named(error_of, painted, tmp_path, content, message):
    path = tmp_path / "bad.npy"
    path.write_bytes(content)
    for line in (
        error_of("realism", path, "--spacing", 1),
        error_of(*painted, "--map", f"Paint={path}"),
    ):
        assert "bad.npy: " in line and message in line


def test_ctrl_c_stops_with_one_line_and_no_file(tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "terrain_addon.core.formats.npy.np.lib.format.write_array_header_1_0", interrupted
    )
    out = tmp_path / "land.npy"
    assert main(["height", "island", str(out), "--resolution", "9"]) == 130
    assert capsys.readouterr().err == "orogen: stopped\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".npy", ".r16"])
@pytest.mark.parametrize("preset", ["archipelago", "crater_field"])
def test_a_file_that_is_written_in_rows_has_the_bytes_of_the_whole(
    preset, suffix, tmp_path, monkeypatch
):
    recipe = presets.load(preset)
    whole = evaluate(recipe, recipe.grid(300))
    monkeypatch.setattr(by_rows, "WINDOW", 4000)
    made = []
    monkeypatch.setattr(
        by_rows, "evaluate", lambda *given, **named: made.append(given) or evaluate(*given, **named)
    )
    out = tmp_path / f"rows{suffix}"
    assert main(["height", preset, str(out), "--resolution", "300"]) == 0
    assert len(made) > 3
    formats.write(tmp_path / f"whole{suffix}", whole.rows())
    assert out.read_bytes() == (tmp_path / f"whole{suffix}").read_bytes()
    if suffix == ".npy":
        expected = io.BytesIO()
        np.save(expected, whole.height)
        assert out.read_bytes() == expected.getvalue()
    else:
        low, high = whole.range
        share = np.rint((whole.height.astype(np.float64) - low) / (high - low) * 65535)
        assert abs(np.fromfile(out, "<u2").reshape(whole.height.shape) - share).max() <= 1
    names = {f"{stem}{suffix}{more}" for stem in ("rows", "whole") for more in ("", ".aux.xml")}
    assert {one.name for one in tmp_path.iterdir()} == names, "no temporary file is left"


def test_rows_that_are_missing_are_no_file(tmp_path):
    rows = formats.HeightRows((3, 4), (np.zeros((1, 4), np.float32) for _ in range(2)))
    with pytest.raises(ValueError, match="2 rows of heights are not 3"):
        formats.write(tmp_path / "short.npy", rows)
    assert not list(tmp_path.iterdir())


def test_a_registered_format_is_all_that_the_command_line_needs(tmp_path, monkeypatch, capsys):
    text = formats.Format(
        ".txt",
        "numbers as text",
        read=lambda path, beside, cancelled: Raster(np.loadtxt(path, np.float32), flipped=False),
        write=lambda file, rows: np.savetxt(file, np.concatenate(list(rows))),
        south_first=True,
    )
    monkeypatch.setitem(formats.FORMATS, ".txt", text)
    out = tmp_path / "crater_field.txt"
    assert main(["height", "crater_field", str(out), "--resolution", "65"]) == 0
    recipe = presets.load("crater_field")
    expected = evaluate(recipe, recipe.grid(65)).height
    np.testing.assert_array_equal(formats.read(out).height, expected)
    assert main(["realism", str(out)]) == 0
    assert main(["height", "crater_field", str(tmp_path / "crater_field.asc")]) == 1
    assert f"must end in {' or '.join(formats.writable())}" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="pipes break in another way on Windows")
def test_a_reader_that_has_seen_enough_ends_the_program_in_silence():
    """python -m terrain_addon presets | head -1"""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "terrain_addon", "presets"],
            stdout=pipe, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2], check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_highest_terrain_there_can_be_is_normalized(tmp_path, recwarn):
    """From -3e38 to 3e38 m: farther than float32 can say."""
    lift = LAYERS["levels"](input_min=0.0, input_max=1.0, output_min=-1e5, output_max=1e5)
    high = LAYERS["height_map"](source="Paint", low=0.0, high=1e5)
    layers = (Layer.of(high, blend="replace"), Layer.of(lift))
    (tmp_path / "land.json").write_text(Recipe(layers=layers).to_json(), encoding="utf-8")
    values = np.linspace(-1.5e28, 1.5e28, 81).reshape(9, 9)
    np.save(tmp_path / "paint.npy", values)
    out = tmp_path / "land.r16"
    paint = f"Paint={tmp_path / 'paint.npy'}"
    terrain = str(tmp_path / "land.json")
    assert main(["height", terrain, str(out), "--resolution", "9", "--map", paint]) == 0
    np.testing.assert_allclose(np.fromfile(out, "<u2"), np.linspace(0, 65535, 81), atol=1)
    assert not recwarn.list
