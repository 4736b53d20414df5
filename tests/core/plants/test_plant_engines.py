# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of engines, read back as the engines do, on the terrain that an export makes for them."""

import csv
import dataclasses
import json
import re

import numpy as np
import pytest

from terrain_addon.core import FractalNoise, Layer, Recipe, evaluate
from terrain_addon.core.output import exports
from terrain_addon.core.output.engines import scale_range
from terrain_addon.core.plants import PLANT_FILES, Plants, write_for_engine
from tests.core.output import engine_readers

HILLS = Recipe(
    size_x=300.0, size_y=200.0, layers=(Layer.of(FractalNoise(height=60.0, size=120.0)),)
)
NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"


def planted(terrain):
    """A plant on the peak, and some that stand between the samples."""
    j, i = np.unravel_index(np.argmax(terrain.height), terrain.height.shape)
    random = np.random.default_rng(1)
    x = np.append(terrain.grid.x[i], random.uniform(-140, 140, 9))
    y = np.append(terrain.grid.y[j], random.uniform(-90, 90, 9))
    kinds = np.tile([1, 3], 5).astype(np.int32)
    height, crown, age, turn, rank = (
        random.uniform(low, high, 10).astype(np.float32)
        for low, high in ((2, 30), (1, 4), (5, 99), (0, 6.28), (0, 1))
    )
    return Plants(x, y, kinds, height, crown, age, turn, rank)


def read_unreal(path):
    """Places in centimeters, the direction of +X of the models, width and height, species."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["---", "Species", "Transform"] and len({row[0] for row in rows}) == 11
    numbers = np.array([re.findall(rf"=({NUMBER})", row[2]) for row in rows[1:]], float)
    _, _, z, w, *rest = numbers.T
    ahead = np.stack([1 - 2 * z * z, 2 * w * z], axis=1)
    np.testing.assert_array_equal(rest[3], rest[4])
    return (
        np.stack(rest[:3], axis=1),
        ahead * (1, -1),
        rest[3],
        rest[5],
        [row[1] for row in rows[1:]],
    )


def read_unity(path):
    """The same in meters of the scene."""
    about = json.loads(path.read_text(encoding="utf-8"))
    (first, size), trees = (
        (np.array(list(about[key].values())) for key in ("terrainPosition", "terrainSize")),
        about["trees"],
    )
    places = first + size * [list(tree["position"].values()) for tree in trees]
    turn = np.array([tree["rotation"] for tree in trees])  # Euler(0, turn, 0): z to x
    names = [about["prototypes"][tree["prototypeIndex"]] for tree in trees]
    wide, high = ([tree[key] for tree in trees] for key in ("widthScale", "heightScale"))
    assert turn.min() >= 0 and turn.max() < 2 * np.pi
    return places, np.stack([np.cos(turn), -np.sin(turn)], axis=1), wide, high, names


def read_godot(path):
    """The same, sorted as in the scene: species after species."""
    text = path.read_text(encoding="utf-8")
    parts = re.split(r"\n\[", text)
    scene = {}
    for part in parts:
        if found := re.match(r'sub_resource type="MultiMesh" id="(\w+)"\]\n', part):
            values = [float(one) for one in part.split("PackedFloat32Array(")[1][:-2].split(", ")]
            scene[found[1]] = np.reshape(values, (-1, 3, 4))
            assert f"transform_format = 1\ninstance_count = {len(scene[found[1]])}\nmesh = " in part
    pattern = r'\[node name="([^"]+)" type="MultiMeshInstance3D" parent="\."\]\nmultimesh = SubR\w+'
    nodes = re.findall(pattern + r'\("(\w+)"\)', text)
    rows = np.concatenate([scene[key] for _, key in nodes])
    names = [name for name, key in nodes for _ in scene[key]]
    wide = np.linalg.norm(rows[:, :, 0], axis=1)
    np.testing.assert_allclose(wide, np.linalg.norm(rows[:, :, 2], axis=1), 1e-5)
    assert (np.linalg.det(rows[:, :, :3]) > 0).all()
    ahead = rows[:, [0, 2], 0] / wide[:, None] * (1, -1)
    return rows[:, :, 3], ahead, wide, rows[:, 1, 1], names


READERS = {"unreal": read_unreal, "unity": read_unity, "terrain3d": read_godot}
READERS["hterrain"] = read_godot
UP = {"unreal": 2, "unity": 1, "terrain3d": 1, "hterrain": 1}


def first(setting):
    return setting[0] if isinstance(setting, list) else setting


def samples(about, places):
    """Columns, and rows from the south, of places in the engine, by the manifest alone."""
    enter, (nx, ny), (columns, rows) = about["import_settings"], about["points"], about["tiles"]
    if about["engine"] == "unreal":
        x, y = (
            (places[:, n] - enter[f"Location {k}"]) / enter[f"Scale {k}"]
            for n, k in ((0, "X"), (1, "Y"))
        )
        return x, ny - 1 - y
    x, z = places[:, 0], places[:, 2]
    if about["engine"] == "unity":
        wide, long = columns * enter["Terrain Width"], rows * enter["Terrain Length"]
        x, z = x - first(enter["Position X"]), z - first(enter["Position Z"])
        return x / wide * (nx - 1), z / long * (ny - 1)
    if about["engine"] == "hterrain":
        dx, _, dz = enter["Map Scale"]
        x, z = x - first(enter["Position X"]), z - first(enter["Position Z"])
        return x / dx, ny - 1 - z / dz
    step = enter["vertex_spacing"]
    x, z = (p / step - first(enter[f"import_position {k}"]) for p, k in ((x, "x"), (z, "y")))
    return x, ny - 1 - z


def ground(height, columns, rows):
    i, j = np.floor(columns).astype(int), np.floor(rows).astype(int)
    i, j = np.minimum(i, height.shape[1] - 2), np.minimum(j, height.shape[0] - 2)
    a, b = columns - i, rows - j
    low = height[j, i] * (1 - a) + height[j, i + 1] * a
    return low * (1 - b) + (height[j + 1, i] * (1 - a) + height[j + 1, i + 1] * a) * b


@pytest.mark.parametrize(
    ("engine", "size", "tiles"),
    [
        ("unreal", 127, 1),
        ("unity", 33, 2),
        ("terrain3d", 192, 1),
        ("terrain3d", 193, 2),
        ("hterrain", 65, 1),
    ],
)
def test_plants_stand_on_the_exported_terrain(temperate, tmp_path, engine, size, tiles):
    settings = exports.ExportSettings(
        engine=engine, size=size, tiles_x=tiles, tiles_y=tiles, color=False, normal=False
    )
    done = exports.export(HILLS, settings, tmp_path / "terrain")
    height = engine_readers.whole(done.folder, done.manifest)

    extent = exports.extent_of(HILLS, settings)
    terrain = evaluate(HILLS, HILLS.grid(extent.points), fields=())
    low, high = scale_range(*terrain.range)
    extent = dataclasses.replace(extent, low=low, high=high)
    made = planted(terrain)
    path = tmp_path / f"plants{PLANT_FILES[engine].suffix}"
    write_for_engine(path, engine, extent, made, made.ground(terrain), temperate.species)

    places, ahead, wide, tall, names = READERS[engine](path)
    order = np.argsort(made.species, kind="stable") if path.suffix == ".tscn" else np.arange(10)
    assert names == [temperate.species[n].name for n in made.species[order]]
    np.testing.assert_allclose(wide, made.crown[order], atol=6e-4)
    np.testing.assert_allclose(tall, made.height[order], atol=6e-4)
    turn = made.rotation[order]
    np.testing.assert_allclose(ahead, np.stack([np.cos(turn), np.sin(turn)], axis=1), atol=2e-5)

    columns, rows = samples(done.manifest, places)
    dx, dy = extent.spacing
    np.testing.assert_allclose(columns, (made.x[order] + 150) / dx, atol=2e-3)
    np.testing.assert_allclose(rows, (made.y[order] + 100) / dy, atol=2e-3)
    up = places[:, UP[engine]] / (100 if engine == "unreal" else 1)
    np.testing.assert_allclose(up, ground(height, columns, rows), atol=0.01)
    peak = int(np.flatnonzero(order == 0)[0])
    assert up[peak] == pytest.approx(height.max(), abs=0.01) and up.max() == up[peak]
    if engine == "unity":
        about, enter = json.loads(path.read_text()), done.manifest["import_settings"]
        assert about["terrainPosition"]["y"] == enter["Position Y"]
        assert about["terrainSize"]["y"] == enter["Terrain Height"]


def decoded(two):
    """Directions of octahedral numbers, 0 to 1."""
    x, y = (two * 2 - 1).T
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.clip(-z, 0, 1)
    x, y = (one - np.where(one >= 0, fold, -fold) for one in (x, y))
    return np.stack([x, y, z], axis=1) / np.linalg.norm([x, y, z], axis=0)[:, None]


def test_models_of_a_godot_scene_face_outwards(temperate, tmp_path):
    extent = exports.extent_of(HILLS, exports.ExportSettings(engine="hterrain", size=65))
    made = planted(evaluate(HILLS, HILLS.grid(extent.points), fields=()))
    named = [dataclasses.replace(one, name=f'{one.name} "5/a"') for one in temperate.species]
    path = tmp_path / "plants.tscn"
    write_for_engine(path, "hterrain", extent, made, made.height, named)
    text = path.read_text(encoding="utf-8")
    assert f'[node name="{temperate.species[1].name} _5_a_" type=' in text
    surfaces = re.findall(
        r'"format": (\d+),.*?"vertex_count": (\d+),.*?Array\(([^)]*)\)', text, re.S
    )
    assert len(surfaces) == 2
    for format, count, numbers in surfaces:
        data, n = bytes(map(int, numbers.split(", "))), int(count)
        assert int(format) == 34359738375 and len(data) == n * (12 + 8)
        corners = np.frombuffer(data[: 12 * n], "<f4").reshape(-1, 3, 3)
        frames = np.frombuffer(data[12 * n :], "<u2").reshape(n, 4) / 65535
        normals, along = decoded(frames[:, :2]), frames[:, 2:] * (1, 2) - (0, 1)
        a, b, c = np.moveaxis(corners, 1, 0)
        faces = np.cross(c - a, b - a)  # clockwise
        faces /= np.linalg.norm(faces, axis=1, keepdims=True)
        np.testing.assert_allclose(
            normals.reshape(-1, 3, 3), faces[:, None].repeat(3, 1), atol=1e-4
        )
        assert (along[:, 1] > 0).all()
        assert np.abs((decoded(along) * normals).sum(axis=1)).max() < 2e-4
        assert ((corners.mean(axis=1) - (0, 0.5, 0)) * faces).sum(axis=1).mean() > 0
        assert corners[..., 1].max() == 1 and corners[..., 1].min() >= 0


@pytest.mark.parametrize("engine", PLANT_FILES)
def test_no_plants_are_a_whole_file(temperate, tmp_path, engine):
    extent = exports.extent_of(HILLS, exports.ExportSettings(engine=engine))
    made = planted(evaluate(HILLS, HILLS.grid(9), fields=()))
    none, z = made.take(made.height < 0), np.empty(0, np.float32)
    path = tmp_path / f"none{PLANT_FILES[engine].suffix}"
    write_for_engine(path, engine, extent, none, z, temperate.species)
    text = path.read_text()
    assert json.loads(text)["trees"] == [] if engine == "unity" else text.count("\n[node") < 2
    with pytest.raises(ValueError, match=rf"choose none\{PLANT_FILES[engine].suffix}$"):
        write_for_engine(tmp_path / "none.x", engine, extent, none, z, ())
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
