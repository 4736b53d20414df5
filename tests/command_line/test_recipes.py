# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that take a recipe take elevation files, too, and recipes whose maps are files."""

import json

import numpy as np
import pytest

from terrain_addon.command_line.main import main
from terrain_addon.core import Recipe, real_terrain
from tests.core.formats.test_geotiff import geo, real, written

KEYS = ((1024, 1), (1025, 2), (3072, 32617), (3076, 9001))


@pytest.fixture
def dem(tmp_path):
    return written(tmp_path / "dem.tif", real(33, 41), extratags=geo(scale=(90, 90, 0), keys=KEYS))


def test_heights_are_those_of_the_file(dem, tmp_path):
    out = tmp_path / "out.npy"
    assert main(["height", str(dem), str(out), "--resolution", "41", "--seed", "5"]) == 0
    np.testing.assert_allclose(np.load(out), real(33, 41)[::-1], atol=1e-3)


def test_images_and_worlds_are_made_of_it(dem, tmp_path):
    assert main(["bake", str(dem), str(tmp_path / "slope.png"), "--image", "slope"]) == 0
    world = ["world", "plan", str(dem), "--out", str(tmp_path / "w"), "--spacing", "90"]
    assert main([*world, "--tile", "21"]) == 0
    assert Recipe.from_json((tmp_path / "w/recipe.json").read_bytes()).layers[0].name == "Real Land"


def test_a_recipe_reads_its_own_files(dem, tmp_path):
    recipe = real_terrain.load_recipe(str(dem)).to_dict()
    recipe["layers"][0]["settings"]["source"] = "//dem.tif"
    (tmp_path / "own.json").write_text(json.dumps(recipe))
    out = tmp_path / "out.npy"
    assert main(["height", str(tmp_path / "own.json"), str(out), "--resolution", "41"]) == 0
    np.testing.assert_allclose(np.load(out), real(33, 41)[::-1], atol=1e-3)


def test_what_is_missing_is_said(tmp_path, capsys):
    out = str(tmp_path / "out.npy")
    assert main(["height", str(tmp_path / "gone.hgt"), out]) == 1
    assert "gone.hgt is missing" in capsys.readouterr().err
