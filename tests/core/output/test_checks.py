# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of finished heights against plain computations, and against faults that were put in."""

import dataclasses
import json

import numpy as np
import pytest

from terrain_addon.command_line.main import main
from terrain_addon.core import (
    Erosion,
    FractalNoise,
    Layer,
    Recipe,
    River,
    Road,
    Shape,
    Water,
    checks,
    evaluate,
)
from terrain_addon.core.numerics.resample import bilinear_exact
from terrain_addon.core.output.exports import ExportSettings, export
from terrain_addon.core.shapes import crossings

SIZE = {"size_x": 1000.0, "size_y": 1000.0}
HILLS = Layer.of(FractalNoise(octaves=4, height=120.0, size=500.0))
STREAM = Shape.of("Stream", [[(-400, -120), (-100, 40), (150, -30), (499, 90)]])
PATH = Shape.of("Path", [[(-300, -300, 0), (40, 0, 0), (300, 320, 0)]])


def found(recipe, height, grid):
    return {(one.subject, one.key): one.value for one in checks.check(recipe, height, grid)}


@pytest.mark.parametrize("eroded", [False, True])
def test_a_drawn_river_never_runs_uphill_and_a_dam_is_found(eroded):
    layers = (HILLS, Layer.of(River(source="Stream", width=20.0)))
    if eroded:
        layers += (Layer.of(Erosion(resolution="128")),)
    recipe = Recipe(layers=layers, shapes=(STREAM,), **SIZE)
    grid = recipe.grid(257)
    height = evaluate(recipe, grid).height
    assert found(recipe, height, grid)["River", "uphill_steps"] == 0
    dam = height + np.where(np.abs(grid.x) < 8, np.float32(6), np.float32(0))
    measured = found(recipe, dam, grid)
    assert measured["River", "uphill_steps"] >= 1
    assert measured["River", "uphill_rise"] == pytest.approx(6, abs=0.5)
    sea = dataclasses.replace(recipe, water=Water(show=True, level=1000.0))
    assert found(sea, dam, grid)["River", "uphill_steps"] == 0, "below the sea nothing runs"


def test_a_river_that_leaves_the_terrain_and_returns_is_two_rivers():
    """What lies between is no step uphill."""
    loop = Shape.of("Stream", [[(-300, -200), (-700, -200), (-700, 300), (-300, 300)]])
    recipe = Recipe(layers=(Layer.of(River(source="Stream")),), shapes=(loop,), **SIZE)
    grid = recipe.grid(129)
    # The river falls to the western border, and from there into the terrain, 50 m higher.
    higher = np.where(grid.y[:, None] > 0, 50 - 0.01 * (grid.x + 500), 0.01 * (grid.x + 500))
    measured = found(recipe, higher.astype(np.float32), grid)
    assert measured["River", "uphill_steps"] == 0


def road(**settings):
    recipe = Recipe(
        layers=(HILLS, Layer.of(Road(source="Path", **settings))), shapes=(PATH,), **SIZE
    )
    grid = recipe.grid(513)
    terrain = evaluate(recipe, grid)
    return recipe, terrain.height, grid


@pytest.mark.parametrize("limit", [0.05, 0.2])
def test_the_steepest_gradient_is_that_of_the_finished_heights(limit):
    recipe, height, grid = road(gradient=limit, width=12.0, reach=1000.0)
    measured = found(recipe, height, grid)
    assert 0.5 * limit < measured["Road", "gradient"] / 100 < limit + 0.01
    steep = height + np.where(grid.x[None, :] > 100, 0.3 * (grid.x - 100), 0).astype(np.float32)
    assert found(recipe, steep, grid)["Road", "gradient"] / 100 > 0.15


def test_volumes_are_those_of_the_change_at_any_resolution():
    recipe, height, grid = road()
    ground = evaluate(dataclasses.replace(recipe, layers=(HILLS,)), grid).height
    change = (height.astype(float) - ground) * grid.dx * grid.dy
    measured = found(recipe, height, grid)
    assert measured["Road", "cut"] == pytest.approx(-change[change < 0].sum(), rel=1e-6)
    assert measured["Road", "fill"] == pytest.approx(change[change > 0].sum(), rel=1e-6)
    fine = recipe.grid(1025)
    finer = found(recipe, evaluate(recipe, fine).height, fine)
    for key in ("cut", "fill"):
        assert finer["Road", key] == pytest.approx(measured["Road", key], rel=0.02)


@pytest.mark.parametrize(
    ("above", "width", "kind"),
    [(12.0, 3.0, "bridges"), (1.0, 20.0, "bridges"), (1.0, 3.0, "culverts")],
)
def test_a_crossing_is_a_bridge_or_a_culvert(above, width, kind):
    stream = Layer.of(River(source="Stream", width=width))
    first = Recipe(layers=(HILLS, stream), shapes=(STREAM,), **SIZE)
    grid = first.grid(257)
    (at,) = crossings(PATH.points[:, :2], STREAM.points[:, :2]).points
    bed = bilinear_exact(
        evaluate(first, grid).height,
        np.array([(at[1] - grid.y[0]) / grid.dy]),
        np.array([(at[0] - grid.x[0]) / grid.dx]),
    )
    level = PATH.points.copy()
    level[:, 2] = bed[0] + above
    path = Shape.of("Path", [level])
    for water in (Water(), Water(rivers=True)):
        recipe = Recipe(
            layers=(HILLS, stream, Layer.of(Road(source="Path", follow="curve"))),
            shapes=(STREAM, path), water=water, **SIZE,
        )  # fmt: skip
        measured = found(recipe, evaluate(recipe, grid).height, grid)
        assert measured["Road", kind] >= 1
        if not water.rivers:
            assert measured["Road", "bridges"] + measured["Road", "culverts"] == 1


def test_layers_that_are_off_or_without_shape_are_not_reported():
    off = Layer.of(Road(source="Path"), enabled=False)
    clear = Layer.of(Road(source="Path"), opacity=0.0)
    gone = Layer.of(Road(source="Gone"))
    recipe = Recipe(layers=(HILLS, off, clear, gone), shapes=(PATH,), **SIZE)
    grid = recipe.grid(65)
    assert found(recipe, evaluate(recipe, grid).height, grid).keys() == {("Terrain", "pits")}
    with pytest.raises(ValueError, match="shape"):
        checks.check(recipe, np.zeros((3, 3), np.float32), grid)


def test_the_report_has_a_line_for_each():
    text = checks.report(checks.check(*road()))
    assert text.splitlines()[0].startswith("Terrain: pits ")
    assert "Road: steepest gradient" in text and " m³" in text


def test_exports_and_the_command_line_have_the_report(tmp_path, capsys):
    recipe, height, grid = road()
    (tmp_path / "valley.json").write_text(recipe.to_json(shapes=True))
    expected = checks.check(recipe, height, grid)
    assert main(["check", str(tmp_path / "valley.json"), "--resolution", "513"]) == 0
    assert capsys.readouterr().out == checks.report(expected) + "\n"
    assert main(["check", "--json", str(tmp_path / "valley.json"), "--resolution", "513"]) == 0
    as_json = [dataclasses.asdict(one) for one in expected]
    assert json.loads(capsys.readouterr().out)["checks"] == as_json
    settings = ExportSettings(engine="unity", size=513)
    done = export(recipe, settings, tmp_path / "unity")
    assert done.checks == expected
    manifest = json.loads((tmp_path / "unity" / "manifest.json").read_text())
    assert manifest["checks"] == [
        {**one, "text": c.text} for one, c in zip(as_json, expected, strict=True)
    ]
    assert all(one.text in (tmp_path / "unity" / "README.txt").read_text() for one in expected)
