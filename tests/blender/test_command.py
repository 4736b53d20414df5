# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender --command terrain``: the function that Blender calls with the arguments.

Whether Blender itself calls it is a test in its window.
"""

import json
import os

import addon_utils
import bpy
import numpy as np
import pytest

from terrain_addon.blender.app import command
from terrain_addon.core import evaluate, presets


@pytest.mark.slow
def test_it_makes_a_heightmap_as_the_library_does(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)  # files are relative to the folder that Blender was started in
    assert command.run(["height", "mesa", "mesa.npy", "--resolution", "33", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["file"] == "mesa.npy"
    recipe = presets.load("mesa")
    expected = evaluate(recipe, recipe.grid(33)).height
    np.testing.assert_allclose(np.load(tmp_path / "mesa.npy"), expected, atol=1e-3)


def test_errors_have_their_exit_codes(tmp_path, capfd):
    assert command.run(["height", "nowhere", str(tmp_path / "x.npy")]) == 1
    assert "There is no preset named 'nowhere'" in capfd.readouterr().err
    assert command.run(["nothing"]) == 2
    assert "usage: blender --command terrain" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_command_that_a_signal_ends_has_the_code_of_shells(monkeypatch):
    """Blender would take a negative code for another one."""
    monkeypatch.setattr(command, "START", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert command.run(["presets"]) == 137


def test_a_blender_without_its_own_python_says_so(monkeypatch, capfd):
    monkeypatch.setattr(command.sys, "executable", "")
    assert command.run(["presets"]) == 1
    assert "no Python program" in capfd.readouterr().err


@pytest.mark.smoke
def test_it_is_registered_once_and_removed(extension_id, monkeypatch):
    names = []
    real = bpy.utils.register_cli_command
    monkeypatch.setattr(
        bpy.utils, "register_cli_command", lambda name, run: names.append(name) or real(name, run)
    )
    addon_utils.disable(extension_id)
    assert not command._registered
    addon_utils.enable(extension_id)
    assert names == ["terrain"] and len(command._registered) == 1
