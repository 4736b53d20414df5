# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import json

import numpy as np
import pytest

from terrain_addon.command_line import main
from terrain_addon.core import Layer, Map, Recipe, evaluate, presets, realism
from terrain_addon.core.analysis.realism import LEAST_SPACING, MOST_SPACING
from terrain_addon.core.layers import LAYERS
from tests.schema.golden import recorded


def test_a_preset_is_compared(capsys):
    assert main(["realism", "crater_field", "--resolution", "96", "--seed", "3"]) == 0
    recipe = Recipe.from_dict(presets.load("crater_field").to_dict() | {"seed": 3})
    grid = recipe.pixel_grid(96)
    expected = realism.report(realism.measure(evaluate(recipe, grid).height, grid.dx))
    assert capsys.readouterr().out == expected + "\n"


def test_a_recipe_and_a_height_map_of_it_agree(tmp_path, capsys):
    recipe = presets.load("crater_field")
    (tmp_path / "land.json").write_text(recipe.to_json(), encoding="utf-8")
    assert main(["realism", str(tmp_path / "land.json"), "--resolution", "96"]) == 0
    output = capsys.readouterr().out
    grid = recipe.pixel_grid(96)
    np.save(tmp_path / "land.npy", evaluate(recipe, grid).height)
    assert main(["realism", str(tmp_path / "land.npy"), "--spacing", str(grid.dx)]) == 0
    assert capsys.readouterr().out == output
    assert "Hack's exponent" in output and "real terrain" in output


def test_heights_are_compared_as_they_are_and_as_json(tmp_path, capsys):
    height = np.random.default_rng(1).random((64, 64), np.float32)
    np.save(tmp_path / "land.npy", height)
    command = ["realism", str(tmp_path / "land.npy"), "--spacing", "2"]
    assert main([*command, "--unsmoothed"]) == 0
    unsmoothed = realism.measure(height, 2.0, smoothed=False)
    assert capsys.readouterr().out == realism.report(unsmoothed) + "\n"
    assert main([*command, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    expected = realism.measure(height, 2.0)
    assert made["count"] == len(made["measures"]) == 21
    assert made["inside"] == sum(one["inside"] for one in made["measures"]) < 21
    for one, measure in zip(made["measures"], expected, strict=True):
        assert one["label"] == measure.label and one["verdict"] == measure.verdict
        assert one["value"] == (None if np.isnan(measure.value) else measure.value)
    assert any(one["value"] is None for one in made["measures"])


@pytest.mark.parametrize(
    ("heights", "arguments", "message"),
    [
        (np.ones((64, 64)), ["--spacing", "2"], "Flat"),
        (np.ones((64, 64)), [], "--spacing METERS, above zero"),
        (np.ones(64), ["--spacing", "2"], "two-dimensional"),
        (np.array([["a", "b"]]), ["--spacing", "2"], "two-dimensional"),
        (np.eye(8), ["--spacing", "2"], "At least 32"),
        (np.full((64, 64), np.nan), ["--spacing", "2"], "nothing but voids"),
        (np.eye(64), ["--spacing", "0"], "above zero"),
        (np.eye(64), ["--spacing", "1e300"], "spacing must be from 1e-09 to 1e+09 m, not 1e+300"),
        (np.eye(64), ["--spacing", "1e-300"], "spacing must be from 1e-09 to 1e+09 m, not 1e-300"),
        (np.eye(64), ["--spacing", "nan"], "must be above zero, not nan"),
        (np.eye(64) * 1e20, ["--spacing", "1"], "Heights beyond 1e+09 m"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_cannot_be_compared_is_reported(tmp_path, capsys, heights, arguments, message):
    np.save(tmp_path / "land.npy", heights)
    assert main(["realism", str(tmp_path / "land.npy"), *arguments]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", [["realism", "land.jpg"], ["height", "my.land", "out.npy"]])
def test_files_of_other_kinds_are_no_presets(capsys, command):
    assert main(command) == 1
    output = capsys.readouterr().err
    assert f"{command[1]}: a recipe is the name of a preset, or a file that ends in .json" in output


@pytest.mark.parametrize("name", ["../presets/alps", "palettes/alpine", "x" * 5000, "a\0b", ""])
def test_a_name_of_a_recipe_is_no_path(tmp_path, capsys, name):
    for command in (["realism", name], ["height", name, str(tmp_path / "land.npy")]):
        assert main(command) == 1
        error = capsys.readouterr().err
        assert "There is no preset named '" in error and len(error) < 500


def test_what_has_no_meaning_for_a_terrain_is_reported(tmp_path, capsys):
    np.save(tmp_path / "land.npy", np.eye(64))
    terrain = str(tmp_path / "land.npy")
    for arguments, code, message in (
        ((terrain, "--spacing", "1", "--seed", "3"), 2, "are for recipes"),
        ((terrain, "--spacing", "1", "--resolution", "64"), 2, "are for recipes"),
        ((terrain, "--spacing", "1", "--map", "a=b.npy"), 2, "are for recipes"),
        (("crater_field", "--spacing", "3"), 2, "not for a recipe"),
        (("crater_field", "--map", f"a={terrain}"), 1, "has no map 'a'; it has none"),
        ((str(tmp_path / "no.npy"), "--spacing", "1"), 1, "no.npy: No such file or directory"),
    ):
        assert main(["realism", *arguments]) == code
        assert message in capsys.readouterr().err


def test_the_maps_of_a_recipe_are_read(tmp_path, capsys):
    recipe = presets.load("crater_field")
    painted = Layer.of(LAYERS["height_map"](source="Paint", high=900.0))
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers, painted))
    (tmp_path / "land.json").write_text(recipe.to_json(), encoding="utf-8")
    values = np.random.default_rng(1).random((40, 40), np.float32)
    np.save(tmp_path / "paint.npy", values)
    terrain = ["realism", str(tmp_path / "land.json"), "--resolution", "96"]
    assert main(terrain) == 1
    assert "--map Paint=FILE" in capsys.readouterr().err
    assert main([*terrain, "--map", f"Paint={tmp_path / 'paint.npy'}"]) == 0
    recipe = dataclasses.replace(recipe, maps=(Map("Paint", values),))
    grid = recipe.pixel_grid(96)
    expected = realism.report(realism.measure(evaluate(recipe, grid).height, grid.dx))
    assert capsys.readouterr().out == expected + "\n"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("spacing", [LEAST_SPACING, 1.0, MOST_SPACING])
@pytest.mark.parametrize("factor", [1e-30, 1.0, 1e6])
def test_terrains_of_any_size_are_measured_without_a_warning(spacing, factor):
    recipe = recorded("plain_island")
    height = evaluate(recipe, recipe.grid(65)).height * np.float32(factor)
    missing = {m.key for m in realism.measure(height, spacing) if not np.isfinite(m.value)}
    high_order = {"bifurcation", "bank_slopes", "valley_widths", "stream_direction"}
    assert missing == high_order, "no streams of order 2 and 3 on so few samples"
    unsmoothed = realism.measure(height, spacing, smoothed=False)
    assert np.isfinite([one.value for one in unsmoothed]).all()


def test_what_cannot_be_measured_is_refused():
    for height, spacing in ((np.eye(64), 1e300), (np.eye(64), 0.0), (np.eye(64) * 1e30, 1.0)):
        with pytest.raises(ValueError, match="spacing must|Heights beyond"):
            realism.measure(height.astype(np.float32), spacing)


HEADER = "ncols 64\nNROWS 48\nxllcorner 500000\nyllcorner 0\ncellsize {}\nNODATA_value -9999\n"


def esri_grid(path, heights, cell=30.0):
    """As GDAL writes it, north first."""
    rows = "\n".join(" ".join(f"{height:.6g}" for height in row) for row in heights[::-1])
    path.write_text(HEADER.format(cell) + rows + "\n", encoding="ascii")
    return str(path)


def test_an_esri_grid_is_measured_as_the_array_that_it_holds(tmp_path, capsys):
    heights = np.rint(np.random.default_rng(1).uniform(0, 900, (48, 64)))
    np.save(tmp_path / "land.npy", heights)
    assert main(["realism", str(tmp_path / "land.npy"), "--spacing", "30"]) == 0
    expected = capsys.readouterr().out
    assert main(["realism", esri_grid(tmp_path / "land.asc", heights)]) == 0
    assert capsys.readouterr().out == expected
    degrees = esri_grid(tmp_path / "degrees.asc", heights, 1 / 3600)
    assert main(["realism", degrees]) == 1
    assert "at a place that is none: state" in capsys.readouterr().err
    assert main(["realism", degrees, "--spacing", "30"]) == 0
    assert capsys.readouterr().out == expected


def test_a_header_may_give_two_sizes_and_the_centers_of_cells(tmp_path, capsys):
    """As GDAL writes it where the sizes are not exactly equal."""
    heights = np.rint(np.random.default_rng(1).uniform(0, 900, (48, 64)))
    path = tmp_path / "land.asc"
    assert main(["realism", esri_grid(path, heights)]) == 0
    expected = capsys.readouterr().out
    header = path.read_text(encoding="ascii")
    for old, new in (("cellsize 30.0", "dx 30.0\nDY 30.000001"), ("llcorner", "LLCENTER")):
        assert old in header
        header = header.replace(old, new)
    path.write_text(header, encoding="ascii")
    assert main(["realism", str(path)]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("mark", [-9999.0, -32768.0, 1e38])
def test_a_small_void_is_filled_and_a_large_one_is_refused(tmp_path, capsys, mark):
    heights = np.add.outer(np.arange(48.0), np.arange(64.0))
    heights[10, 20] = mark
    np.save(tmp_path / "land.npy", heights)
    assert main(["realism", str(tmp_path / "land.npy"), "--spacing", "30", "--json"]) == 0
    voided = json.loads(capsys.readouterr().out)
    np.save(tmp_path / "whole.npy", np.add.outer(np.arange(48.0), np.arange(64.0)))
    assert main(["realism", str(tmp_path / "whole.npy"), "--spacing", "30", "--json"]) == 0
    assert voided["inside"] == json.loads(capsys.readouterr().out)["inside"]
    heights[:, :40] = mark
    np.save(tmp_path / "land.npy", heights)
    assert main(["realism", str(tmp_path / "land.npy"), "--spacing", "30"]) == 1
    assert "land.npy: A void is large" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NROWS 48", "NROWS 47", "not a complete ESRI ASCII grid"),
        ("NROWS 48", "", "not a complete ESRI ASCII grid"),
        ("cellsize 30.0", "cellsize", "not a complete ESRI ASCII grid"),
        ("cellsize 30.0", "cellsize 0", "--spacing METERS"),
        ("cellsize 30.0", "dx 30.0", "header has no cellsize"),
        ("cellsize 30.0", "cellsize -30", "cellsize is -30, not a length"),
        ("cellsize 30.0", "cellsize inf", "cellsize is inf, not a length"),
        ("cellsize 30.0", "cellsize 30 30", "cellsize is '30 30', not a number"),
        ("cellsize 30.0", "cellsize 30.0\ncellsize 30.0", "header has cellsize twice"),
        ("ncols 64", "ncols 6.4e1.5", "ncols is '6.4e1.5', not a number"),
        ("ncols 64", "ncols 64.5", "ncols is 64.5, not a whole number above zero"),
        ("ncols 64", "ncols -64", "ncols is -64, not a whole number above zero"),
        ("ncols 64", "ncols inf", "ncols is inf, not a whole number above zero"),
        ("ncols 64", "ncols 1e300", "samples are more than"),
        ("xllcorner 500000", "xllcenter east", "xllcenter is 'east', not a number"),
        ("yllcorner 0", "yllcorner nan", "yllcorner is nan, not a place"),
        ("yllcorner 0", "y" * 500 + " 0", "header has the unknown line 'yyyyy"),
        ("NODATA_value -9999", "NODATA_value none", "nodata_value is 'none', not a number"),
        ("NODATA_value -9999\n7 ", "NODATA_value -9999\n# ", "hold more than numbers"),
        (" 7 ", " x ", "not a complete ESRI ASCII grid"),
        (" 7 ", " 7 8 ", "not a complete ESRI ASCII grid"),
        (" 7 ", " \u00e9 ", "not a complete ESRI ASCII grid"),
    ],
)
def test_a_damaged_esri_grid_is_named(tmp_path, capsys, old, new, message):
    path = tmp_path / "land.asc"
    esri_grid(path, np.full((48, 64), 7.0))
    whole = path.read_text(encoding="ascii")
    assert old in whole
    path.write_text(whole.replace(old, new, 1), encoding="utf-8")
    assert main(["realism", str(path)]) == 1
    error = capsys.readouterr().err
    assert message in error and len(error) < 600
    path.write_text(whole[: len(HEADER) - 2] if new else "", encoding="ascii")
    assert main(["realism", str(path)]) == 1
    assert "land.asc: this is not a complete ESRI ASCII grid" in capsys.readouterr().err
