# SPDX-License-Identifier: GPL-3.0-or-later
"""The text that a bug report starts with."""

import bpy
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.operators.bug_report import bug_report
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Recipe


def test_the_report_holds_versions_and_a_recipe_that_makes_the_same_terrain(add):
    mesh = add().data
    text = bug_report(mesh)
    assert f"Blender {bpy.app.version_string}" in text
    assert "up to date" in text
    recipe = text.partition("```json\n")[2].partition("```")[0]
    assert Recipe.from_json(recipe) == read(mesh.terrain)


def test_the_report_tells_a_failed_rebuild(add):
    mesh = add().data
    mesh.attributes.new("sky_view", "INT", "POINT")  # in the way of the terrain's own
    mesh.terrain.attributes.sky_view = True
    error = rebuild.error_of(mesh)
    assert error
    assert f"- Error: {error}" in bug_report(mesh)


def test_the_report_needs_no_terrain():
    assert "No terrain was active" in bug_report(None)
    with pytest.raises(RuntimeError, match="no clipboard in background mode"):
        bpy.ops.terrain.copy_report()
