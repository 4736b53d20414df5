# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import json

from terrain_addon.command_line import main
from terrain_addon.core import FractalNoise, Layer, Recipe


def test_plants_are_written_where_the_ground_is(tmp_path, capsys):
    hills = Layer.of(FractalNoise(height=60.0, size=150.0))
    recipe = Recipe(size_x=150.0, size_y=120.0, layers=(hills,))
    (tmp_path / "hills.json").write_text(recipe.to_json(), encoding="utf-8")
    out = tmp_path / "trees.csv"
    assert main(["plants", str(tmp_path / "hills.json"), str(out), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["plants"]
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(counts.values()) > 100
    assert all(abs(float(row["x"])) <= 75 and abs(float(row["y"])) <= 60 for row in rows)
    assert main(["plants", str(tmp_path / "hills.json"), str(out), "--temperature", "-9"]) == 0
    assert "0 plants" in capsys.readouterr().out
    assert main(["plants", "alps", str(tmp_path / "trees.txt")]) == 2


def test_plants_of_an_engine_stand_on_its_export(tmp_path, capsys):
    hills = Layer.of(FractalNoise(height=60.0, size=150.0))
    recipe = Recipe(size_x=150.0, size_y=120.0, layers=(hills,))
    source, out = tmp_path / "hills.json", tmp_path / "trees.json"
    source.write_text(recipe.to_json(), encoding="utf-8")
    size = ["--engine", "unity", "--size", "33", "--tiles", "2x1"]
    assert main(["plants", str(source), str(out), *size, "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["plants"]
    place = ["--out", str(tmp_path / "terrain"), "--no-color", "--no-normal"]
    assert main(["export", str(source), *size, *place, "--json"]) == 0
    enter = json.loads(capsys.readouterr().out)["import_settings"]
    made = json.loads(out.read_text(encoding="utf-8"))
    assert len(made["trees"]) == sum(counts.values()) > 100
    assert made["terrainPosition"] == {
        "x": enter["Position X"][0], "y": enter["Position Y"], "z": enter["Position Z"]
    }  # fmt: skip
    assert made["terrainSize"]["y"] == enter["Terrain Height"]
    assert main(["plants", str(source), str(tmp_path / "trees.csv"), *size]) == 2
    assert "choose trees.json" in capsys.readouterr().err
