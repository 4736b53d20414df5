# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import json

import pytest

from terrain_addon.command_line import main
from terrain_addon.core import FractalNoise, Layer, Recipe


@pytest.fixture(scope="module")
def hills(tmp_path_factory):
    """A recipe as a file."""
    layer = Layer.of(FractalNoise(height=60.0, size=150.0))
    path = tmp_path_factory.mktemp("recipe") / "hills.json"
    recipe = Recipe(size_x=150.0, size_y=120.0, layers=(layer,))
    path.write_text(recipe.to_json(), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def rows(hills, tmp_path_factory):
    """The table of its plants."""
    out = tmp_path_factory.mktemp("plants") / "trees.csv"
    assert main(["plants", hills, str(out)]) == 0
    with open(out, newline="") as file:
        return list(csv.DictReader(file))


def test_plants_are_written_where_the_ground_is(hills, rows, tmp_path, capsys):
    assert len(rows) > 100
    assert all(abs(float(row["x"])) <= 75 and abs(float(row["y"])) <= 60 for row in rows)
    assert main(["plants", hills, str(tmp_path / "none.csv"), "--temperature", "-9"]) == 0
    assert "0 plants" in capsys.readouterr().out
    assert main(["plants", hills, str(tmp_path / "trees.txt")]) == 2
    assert main(["plants", hills, str(tmp_path / "trees.csv"), "--density", "2"]) == 2


def test_plants_of_an_engine_stand_on_its_export(hills, rows, tmp_path, capsys):
    out = tmp_path / "trees.json"
    size = ["--engine", "unity", "--size", "33", "--tiles", "2x1"]
    assert main(["plants", hills, str(out), *size, "--density", "0.3", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["plants"]
    place = ["--out", str(tmp_path / "terrain"), "--no-color", "--no-normal"]
    assert main(["export", hills, *size, *place, "--json"]) == 0
    enter = json.loads(capsys.readouterr().out)["import_settings"]
    made = json.loads(out.read_text(encoding="utf-8"))
    assert len(made["trees"]) == sum(counts.values())
    assert 0.2 < len(made["trees"]) / len(rows) < 0.4
    assert made["terrainPosition"] == {
        "x": enter["Position X"][0], "y": enter["Position Y"], "z": enter["Position Z"]
    }  # fmt: skip
    assert made["terrainSize"]["y"] == enter["Terrain Height"]
    assert main(["plants", hills, str(tmp_path / "trees.csv"), *size]) == 2
    assert "choose trees.json" in capsys.readouterr().err
