# SPDX-License-Identifier: GPL-3.0-or-later
"""What all commands have in common: help, exit codes, progress, JSON, and errors in one line."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from terrain_addon.command_line import console, main
from terrain_addon.command_line.command import Command, Group
from terrain_addon.command_line.commands import COMMANDS
from terrain_addon.command_line.console import Progress
from terrain_addon.command_line.main import _parser
from terrain_addon.core import Bake, Recipe, bake, presets

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]


def all_commands() -> list[tuple[tuple[str, ...], Command]]:
    """The words of each command, and the command."""
    found: list[tuple[tuple[str, ...], Command]] = []
    for one in COMMANDS:
        if isinstance(one, Group):
            found += [((one.name, below.name), below) for below in one.commands]
        else:
            found.append(((one.name,), one))
    return found


@pytest.mark.parametrize(("words", "command"), all_commands(), ids=lambda one: str(one)[:30])
def test_help_shows_examples_that_are_valid(
    words: tuple[str, ...], command: Command, capsys: Capture
):
    assert main([*words, "--help"]) == 0
    text = capsys.readouterr().out
    assert "--json" in text and command.examples
    program = " ".join(("orogen", *words[:-1]))
    for example in command.examples:
        assert f"{program} {example}\n" in text
        assert shlex.split(example)[0] == command.name
        parsed = _parser("orogen").parse_args([*words[:-1], *shlex.split(example)])
        assert parsed.run is command.run


def test_the_version_is_that_of_the_manifest(capsys: Capture):
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert main(["--version"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"Orogen {manifest['version']}, NumPy {np.__version__}, ")


def test_the_commands_in_the_guides_are_valid():
    pattern = re.compile(
        r"^\s*(?:orogen|python -m terrain_addon|blender --command terrain) (.+)$", re.MULTILINE
    )
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = [line for page in pages for line in pattern.findall(page.read_text("utf-8"))]
    assert len(found) > 20
    for line in found:
        assert _parser("orogen").parse_args(shlex.split(line)).run


def test_the_exit_codes_are_documented_and_kept(tmp_path: Path, capsys: Capture):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {code} " in text for code in (0, 1, 2, 130))
    for wrong in (
        [],
        ["nothing"],
        ["height"],
        ["height", "crater_field", "x.npy", "--resolution", "many"],
    ):
        assert main(wrong) == 2
    assert main(["realism", "crater_field", "--map", "x"]) == 2
    assert main(["info", str(tmp_path / "missing.tif")]) == 1
    assert "missing.tif: No such file" in capsys.readouterr().err


class Screen:
    """A stream that knows what a terminal would show."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.text = terminal, ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...

    @property
    def line(self) -> str:
        """The last line: a carriage return goes back to its start."""
        shown = ""
        for part in self.text.rpartition("\n")[2].split("\r"):
            shown = part + shown[len(part) :]
        return shown


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test sets."""
    now = [100.0]
    monkeypatch.setattr(console.time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_shows_one_line_and_nothing_afterwards(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "60")
    screen: Any = Screen(terminal=True)
    progress = Progress(screen, 8e6, "points")
    for share, text, expected in (
        (0.25, "Erosion", " 25 %, 1 M points/s, 6 s left, Erosion"),
        (0.5, "Snow", " 50 %, 1 M points/s, 4 s left, Snow"),
        (0.75, "x" * 99, (" 75 %, 1 M points/s, 2 s left, " + "x" * 99)[:59]),
        (0.9, "", " 90 %, 900 k points/s, 1 s left"),
    ):
        clock[0] += 2
        progress(share, text)
        assert screen.line.rstrip() == expected
        before = screen.text
        clock[0] += 0.05
        progress(share)
        assert screen.text == before, "it is drawn ten times a second at most"
        clock[0] -= 0.05
    progress.clear()
    assert "\n" not in screen.text and screen.line.strip() == ""


def test_a_log_has_a_line_for_each_tenth_and_each_minute(clock: list[float]):
    log: Any = Screen(terminal=False)
    progress = Progress(log)
    for step in range(1001):
        progress(step / 1000, "Erosion")
        clock[0] += 0.01
    for share in (1.01, 1.02, 1.03):
        clock[0] += 61
        progress(share)
    progress.clear()
    lines = log.text.splitlines()
    assert "\r" not in log.text and 10 <= len(lines) <= 14
    assert lines[0] == " 10 %, 9 s left, Erosion"
    assert [line.split(" %")[0].strip() for line in lines[:3]] == ["10", "20", "30"]


@pytest.mark.usefixtures("clock")  # without it, the run is longer on a busy machine
def test_a_short_run_leaves_no_line_in_a_log(tmp_path: Path, capsys: Capture):
    assert main(["height", "crater_field", str(tmp_path / "x.npy"), "--resolution", "65"]) == 0
    done = capsys.readouterr()
    assert done.err == "" and len(done.out.splitlines()) == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (9e3, "2 h 30 min")],
)
def test_times_are_as_exact_as_an_estimate(seconds: float, text: str):
    assert console.duration(seconds) == text


@pytest.mark.slow
def test_json_is_all_that_is_on_stdout(tmp_path: Path, capsys: Capture):
    """Of each command, in an order in which each has what it needs."""
    heights, world = str(tmp_path / "crater_field.npy"), str(tmp_path / "world")
    found: dict[str, Any] = {}
    for text in (
        "presets",
        f"height crater_field {heights} --resolution 65",
        f"bake crater_field {tmp_path / 'crater_field.png'} --image normal --resolution 64",
        f"export crater_field --engine unity --size 33 --out {tmp_path / 'unity'}",
        "realism crater_field --resolution 64",
        f"info {heights}",
        f"convert {heights} {tmp_path / 'copy.npy'} --spacing 30",
        f"world plan crater_field --out {world} --spacing 60 --tile 33",
        f"world run {world}",
        f"world status {world}",
        f"world finish {world}",
    ):
        words = text.split()
        assert main([*words, "--json"]) == 0
        name = " ".join(words[:2] if words[0] == "world" else words[:1])
        found[name] = json.loads(capsys.readouterr().out)
    assert found["presets"]["crater_field"] == presets.load("crater_field").about
    low, high = found["height"]["low"], found["height"]["high"]
    made = np.load(heights)
    assert (low, high) == (made.min(), made.max()) and found["height"]["points"] == [65, 65]
    assert (found["info"]["low"], found["info"]["high"]) == (low, high)
    assert found["convert"]["spacing"] == [30, 30]
    assert found["bake"]["pixels"] == [64, 64] and found["realism"]["count"] == 21
    assert found["export"]["import_settings"]["Heightmap Resolution"] == 33
    assert (
        found["export"]["verification"]["error"]
        <= found["export"]["verification"]["half_step"] * 1.01
    )
    count = found["world plan"]["columns"] * found["world plan"]["rows"]
    assert found["world run"]["tiles"] == count > 1
    assert found["world status"] == {"made": count, "tiles": count, "damaged": []}
    assert found["world finish"]["high"] == pytest.approx(high, abs=20)


def test_an_image_is_baked_as_the_library_bakes_it(tmp_path: Path, capsys: Capture):
    codecs = pytest.importorskip("imagecodecs")
    recipe = Recipe.from_dict(presets.load("crater_field").to_dict() | {"seed": 5})
    for options, what in (
        (["--image", "normal", "--green", "directx"], Bake(image="normal", green="directx")),
        (["--image", "slope"], Bake(image="slope")),
        (["--image", "field", "--field", "ridge"], Bake(image="field", field="ridge")),
    ):
        expected = bake(recipe, recipe.pixel_grid(96), what).pixels
        out = tmp_path / f"{what.image}.png"
        command = ["bake", "crater_field", str(out), "--resolution", "96", "--seed", "5"]
        assert main([*command, *options]) == 0
        assert "96 x 96 pixels" in capsys.readouterr().out
        found = codecs.png_decode(out.read_bytes())[::-1] / 65535
        expected = expected[..., 0] if what.kind.gray else expected[..., :3]
        assert found.shape == expected.shape and found.std() > 0.01
        np.testing.assert_allclose(found, expected, atol=0.51 / 65535)
    flow = Bake(image="field", field="slope", values="meters")
    command = ["bake", "crater_field", str(tmp_path / "x.npy"), "--resolution", "96", "--seed", "5"]
    assert main([*command, "--image", "field", "--field", "slope", "--values", "meters"]) == 0
    expected = bake(recipe, recipe.pixel_grid(96), flow).pixels[..., 0]
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x.jpg"], "x.jpg: the file must end in .png, .exr or .npy"),
        (["x.png", "--values", "meters"], "x.png: a PNG file holds values from 0 to 1"),
        (["x.png", "--image", "field", "--field", "snow"], "No layer of this terrain produces"),
        (["x.png", "--image", "noise", "--layer", "60"], "There is no layer 60"),
        (["missing/x.png"], "missing"),
        (["x.png", "--resolution", "99999999"], "are free; "),
        (["x.png", "--resolution", "0"], "at least"),
        (["x.png", "--layer", "0"], "layer: 0 is below the smallest value, 1"),
    ],
)
def test_a_bake_that_is_not_possible_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, arguments: list[str],
    message: str,
):  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("terrain_addon.command_line.commands.bake.stream_image", None)
    assert main(["bake", "crater_field", *arguments]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("orogen: ") and message in line
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_older_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("terrain_addon.core.settings.pending_file.sync", full)
    out = tmp_path / "x.png"
    out.write_text("old")
    assert main(["bake", "crater_field", str(out), "--resolution", "32"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert f"{out} could not be written: No space left" in line
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no terminals of this kind")
def test_ctrl_c_on_a_terminal_clears_the_line_and_leaves_no_file(tmp_path: Path):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "terrain_addon", "height", "alps", str(tmp_path / "x.npy")]
    process = subprocess.Popen(
        [*command, "--resolution", "8193"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while b"%" not in shown:
        shown += os.read(ours, 1000)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        while part := os.read(ours, 1000):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.communicate(timeout=60)[0] == b"" and process.returncode == 130, shown
    assert b"points/s" in shown and b"Traceback" not in shown
    assert shown.rstrip().split(b"\r")[-1] == b"orogen: stopped"
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("orogen exp", {"export "}),
        ("orogen export alps --engine un", {"unity", "unreal"}),
        ("orogen world ru", {"run "}),
        ("orogen height rolling", {"rolling_downs "}),
        ("orogen height ma", {"mars ", "map.json"}),
        ("orogen height fo", {"folder/"}),
    ],
)
def test_a_shell_completes_lines(line: str, expected: set[str], tmp_path: Path):
    pytest.importorskip("argcomplete")
    (tmp_path / "map.json").touch()
    (tmp_path / "map.doc").touch()
    (tmp_path / "folder").mkdir()
    answer = tmp_path / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "PYTHONPATH": str(ROOT),
    }
    subprocess.run(
        [sys.executable, "-m", "terrain_addon"],
        env={**os.environ, **asked},
        cwd=tmp_path,
        check=True,
    )
    assert {one.rstrip() for one in answer.read_text().split("\n")} == {
        one.rstrip() for one in expected
    }
