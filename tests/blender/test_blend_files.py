# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that each Blender release saved open with the same recipes and meshes."""

import json

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import evaluate
from terrain_addon.core.recipe.recipe import SCHEMA
from tests.schema.golden import RECORDED
from tests.schema.save_blend import RECIPES

FILES = sorted(RECORDED.glob("*.blend"))


def test_there_is_a_file_of_every_release():
    assert [path.stem for path in FILES] == ["blender-4.2", "blender-4.5", "blender-5.2"]


@pytest.mark.smoke
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_opens_as_it_was_saved(path):
    release = tuple(map(int, path.stem.partition("-")[2].split(".")))
    if release > bpy.app.version[:2]:
        pytest.skip("this Blender is older than the file")
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for name, expected in json.loads(RECIPES.read_text(encoding="utf-8")).items():
        mesh = bpy.data.objects[name].data
        found = read(mesh.terrain)
        # Blender keeps settings in single precision.
        _assert_close(found.to_dict(), {**expected, "schema": SCHEMA})
        assert is_current(mesh)
        saved = np.empty(len(mesh.vertices) * 3, np.float32)
        mesh.attributes["position"].data.foreach_get("vector", saved)
        height = evaluate(found, found.grid(33)).height
        tolerance = 1e-5 * float(np.ptp(height))
        np.testing.assert_allclose(saved[2::3], height.ravel(), rtol=0, atol=tolerance)


def _assert_close(found, expected):
    if isinstance(expected, dict):
        assert found.keys() >= expected.keys()  # settings may be added
        for key in expected:
            _assert_close(found[key], expected[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            _assert_close(a, b)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)
    else:
        assert found == expected
