# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.cli import main
from terrain_addon.core import Recipe, evaluate, measure_realism, presets, realism_report


def test_a_preset_is_compared(capsys):
    assert main(["realism", "mesa", "--resolution", "96", "--seed", "3"]) == 0
    recipe = Recipe.from_dict(presets.load("mesa").to_dict() | {"seed": 3})
    grid = recipe.pixel_grid(96)
    expected = realism_report(measure_realism(evaluate(recipe, grid).height, grid.dx))
    assert capsys.readouterr().out == expected + "\n"


def test_a_recipe_and_a_height_map_of_it_agree(tmp_path, capsys):
    recipe = presets.load("mesa")
    (tmp_path / "land.json").write_text(recipe.to_json(), encoding="utf-8")
    assert main(["realism", str(tmp_path / "land.json"), "--resolution", "96"]) == 0
    told = capsys.readouterr().out
    grid = recipe.pixel_grid(96)
    np.save(tmp_path / "land.npy", evaluate(recipe, grid).height)
    assert main(["realism", str(tmp_path / "land.npy"), "--spacing", str(grid.dx)]) == 0
    assert capsys.readouterr().out == told
    assert "Hack's exponent" in told and "real mountains" in told


@pytest.mark.parametrize(
    ("heights", "arguments", "message"),
    [
        (np.ones((64, 64)), ["--spacing", "2"], "flat"),
        (np.ones((64, 64)), [], "--spacing METRES, above zero"),
        (np.ones(64), ["--spacing", "2"], "two-dimensional"),
        (np.array([["a", "b"]]), ["--spacing", "2"], "two-dimensional"),
        (np.eye(8), ["--spacing", "2"], "at least 32"),
        (np.full((64, 64), np.nan), ["--spacing", "2"], "finite"),
        (np.eye(64), ["--spacing", "0"], "above zero"),
    ],
)
def test_what_cannot_be_compared_is_told(tmp_path, capsys, heights, arguments, message):
    np.save(tmp_path / "land.npy", heights)
    assert main(["realism", str(tmp_path / "land.npy"), *arguments]) == 1
    assert message in capsys.readouterr().err
