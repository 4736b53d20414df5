# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds in the scene: overview, tiles, borders, and runs in another process."""

import shutil
import time
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.materials import terrain_material
from terrain_addon.blender.worlds import scene, status
from terrain_addon.blender.worlds.loading import world_load
from terrain_addon.blender.worlds.running import world_run
from terrain_addon.core import Layer, Palette, Recipe, Region, worlds
from terrain_addon.core.evaluation import memory
from terrain_addon.core.layers import LAYERS

SIDE = 33
SIZE = (3000.0, 2000.0)


def world_recipe():
    """Noise and a palette that has colors by slope."""
    return Recipe(
        seed=5,
        size_x=SIZE[0],
        size_y=SIZE[1],
        layers=(Layer.of(LAYERS["fractal_noise"](height=500.0)),),
        palette=Palette(
            regions=(Region(name="Low", color="#204D75"), Region(name="High", start=0.5))
        ),
    )


@pytest.fixture
def folder(tmp_path):
    """A world of 6 x 4 tiles, all made."""
    world = worlds.plan(world_recipe(), tmp_path / "w", spacing=16.0, side=SIDE)
    worlds.run(world)
    return str(tmp_path / "w")


def opened(folder) -> Any:
    assert bpy.ops.terrain.world_open(directory=folder) == {"FINISHED"}
    return scene.find(bpy.context.scene, folder)


def settings():
    return bpy.context.scene.terrain_world


def load(first, last, detail="1"):
    made = settings()
    made.choose, made.first, made.last, made.detail = "numbers", first, last, detail
    return bpy.ops.terrain.world_load()


def points(item):
    """(ny, nx, 3) in the coordinates of the scene, in float32 as Blender computes them."""
    local = values_of(item.data.attributes["position"])
    side = round(len(local) ** 0.5)
    return (local + np.float32(item.location)).reshape(side, side, 3)


def everything():
    return {
        (type(one).__name__, one.name)
        for data in (bpy.data.objects, bpy.data.meshes, bpy.data.collections, bpy.data.materials)
        for one in data
    }


def test_the_overview_shows_the_whole_world(folder):
    collection = opened(folder)
    item = scene.overview_of(collection)
    world = worlds.World.load(folder)
    assert (world.columns, world.rows) == (6, 4)
    assert item.dimensions[:2] == pytest.approx(SIZE)
    cells, columns, rows = item[scene.CELLS]
    assert (columns, rows) == (6, 4)
    assert len(item.data.vertices) == (6 * cells + 1) * (4 * cells + 1)
    colors = values_of(item.data.attributes["Color"])
    assert np.ptp(colors[:, 0]) > 0.01
    assert settings().folder == folder
    assert tuple(settings().last) == (5, 3)


def test_an_unfinished_world_has_an_overview(tmp_path):
    worlds.plan(world_recipe(), tmp_path / "w", spacing=16.0, side=SIDE)
    collection = opened(str(tmp_path / "w"))
    assert scene.overview_of(collection)
    assert status.of(str(tmp_path / "w"), now=True).made == 0


def test_tiles_lie_where_they_belong_and_have_the_heights_of_their_files(folder):
    collection = opened(folder)
    load((2, 1), (3, 2))
    world = worlds.World.load(folder)
    tiles = scene.tiles_of(collection)
    assert set(tiles) == {(2, 1), (3, 1), (2, 2), (3, 2)}
    for tile, item in tiles.items():
        grid, made = world.window(tile), points(item)
        np.testing.assert_allclose(made[0, :, 0], grid.x, atol=1e-3)
        np.testing.assert_allclose(made[:, 0, 1], grid.y, atol=1e-3)
        height = np.load(world.path(tile))
        assert np.array_equal(values_of(item.data.attributes["height"]).ravel(), height.ravel())
        assert np.array_equal(made[1:-1, 1:-1, 2], height[1:-1, 1:-1])
        own = item.users_collection[0]
        assert own.name == f"Tile {tile[0]},{tile[1]}"
        assert own.name in collection.children


@pytest.mark.parametrize("detail", ["1", "4"])
def test_borders_of_tiles_of_one_detail_are_equal_to_the_bit(folder, detail):
    collection = opened(folder)
    load((0, 0), (5, 3), detail)
    tiles = scene.tiles_of(collection)
    assert len(tiles) == 24
    for (x, y), item in tiles.items():
        for other, ours, theirs in (
            ((x + 1, y), np.s_[:, -1], np.s_[:, 0]),
            ((x, y + 1), np.s_[-1], np.s_[0]),
        ):
            if other in tiles:
                near, far = points(item)[ours], points(tiles[other])[theirs]
                assert np.array_equal(near, far), (x, y, other)
                colors = [
                    values_of(one.data.attributes["Color"]).reshape(*points(one).shape[:2], 4)
                    for one in (item, tiles[other])
                ]
                assert np.array_equal(colors[0][ours], colors[1][theirs])


def normals(item):
    """Normal of each point, as Blender shows it."""
    mesh, side = item.data, points(item).shape[0]
    out = np.zeros((len(mesh.vertices), 3), np.float32)
    corners = np.empty(len(mesh.loops) * 3, np.float32)
    mesh.corner_normals.foreach_get("vector", corners)
    out[values_of(mesh.attributes[".corner_vert"]).ravel()] = corners.reshape(-1, 3)
    return out.reshape(side, side, 3)


def test_normals_continue_over_the_border(folder):
    collection = opened(folder)
    load((2, 1), (3, 1))
    tiles = scene.tiles_of(collection)
    one, other = (normals(tiles[tile]) for tile in ((2, 1), (3, 1)))
    inner = np.s_[1:-1]
    np.testing.assert_allclose(one[inner, -1], other[inner, 0], atol=2e-3)
    world = worlds.World.load(folder)
    whole = np.hstack([np.load(world.path((2, 1))), np.load(world.path((3, 1)))[:, 1:]])
    gx = (whole[:, SIDE] - whole[:, SIDE - 2]) / (2 * world.grid.dx)
    wanted = -gx[inner] / np.sqrt(
        1 + gx[inner] ** 2 + np.gradient(whole[:, SIDE - 1], world.grid.dy)[inner] ** 2
    )
    np.testing.assert_allclose(one[inner, -1, 0], wanted, atol=2e-3)


def test_a_tile_beside_a_coarser_one_ends_on_its_lines(folder):
    collection = opened(folder)
    load((2, 1), (2, 1), "1")
    load((3, 1), (3, 1), "8")
    tiles = scene.tiles_of(collection)
    fine, coarse = points(tiles[2, 1])[:, -1], points(tiles[3, 1])[:, 0]
    assert np.array_equal(fine[::8], coarse)
    line = np.interp(fine[:, 1], coarse[:, 1], coarse[:, 2])
    np.testing.assert_allclose(fine[:, 2], line, atol=1e-3)
    load((3, 1), (3, 1), "1")  # and is whole again beside a fine one
    world = worlds.World.load(folder)
    assert np.array_equal(points(tiles[2, 1])[:, -1, 2], np.load(world.path((2, 1)))[:, -1])


def test_the_overview_has_a_hole_below_tiles_and_meets_their_borders(folder):
    collection = opened(folder)
    item = scene.overview_of(collection)
    faces = len(item.data.polygons)
    load((1, 1), (1, 1))
    cells = item[scene.CELLS][0]
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert len(shown.polygons) == faces - cells * cells
    tile = points(scene.tiles_of(collection)[1, 1])
    local = values_of(item.data.attributes["position"]).reshape(-1, 6 * cells + 1, 3)
    line = local[cells : 2 * cells + 1, cells]
    np.testing.assert_allclose(
        np.interp(line[:, 1], tile[:, 0, 1], tile[:, 0, 2]), line[:, 2], atol=1e-3
    )
    assert bpy.ops.terrain.world_unload(all=True) == {"FINISHED"}
    assert not scene.tiles_of(collection)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert len(shown.polygons) == faces


def test_a_loaded_tile_changes_its_detail_in_place(folder):
    collection = opened(folder)
    load((1, 1), (1, 1), "4")
    item = scene.tiles_of(collection)[1, 1]
    material = bpy.data.materials.new("Mine")
    item.data.materials[0] = material
    load((1, 1), (1, 1), "1")
    assert scene.tiles_of(collection)[1, 1] == item
    assert len(item.data.vertices) == SIDE * SIDE
    assert item.data.materials[0] == material
    assert len(bpy.data.meshes) == 2


def test_tiles_are_chosen_by_faces_cursor_camera_and_objects(folder):
    collection = opened(folder)
    world = worlds.World.load(folder)
    item, made = scene.overview_of(collection), settings()
    item.select_set(True)
    cells = item[scene.CELLS][0]
    item.data.polygons[(2 * cells) * 6 * cells + 4 * cells].select = True
    made.choose = "selected"
    bpy.ops.terrain.world_load()
    assert set(scene.tiles_of(collection)) == {(4, 2)}

    item.select_set(False)
    item.location.x = 500.0  # a world may be moved
    bpy.context.view_layer.update()
    empty = bpy.data.objects.new("Here", None)
    bpy.context.collection.objects.link(empty)
    empty.location = (500 - 1499, -999, 0)
    bpy.context.view_layer.update()
    empty.select_set(True)
    bpy.ops.terrain.world_load()
    assert set(scene.tiles_of(collection)) == {(4, 2), (0, 0)}
    empty.select_set(False)

    made.choose, made.radius = "cursor", 10.0
    bpy.context.scene.cursor.location = (500 + world.grid.dx * 5, world.grid.dx * 5, 0)
    bpy.ops.terrain.world_load()
    assert set(scene.tiles_of(collection)) == {(4, 2), (0, 0), (3, 2)}

    made.choose, made.radius, made.coarser, made.detail = "camera", 520.0, True, "2"
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    camera.location = (500 + 1250, 750, 100)  # the middle of the last tile
    bpy.context.view_layer.update()
    bpy.ops.terrain.world_unload(all=True)
    bpy.ops.terrain.world_load()
    steps = {tile: one[scene.TILE][2] for tile, one in scene.tiles_of(collection).items()}
    assert steps[5, 3] == 2
    assert steps[4, 3] == steps[5, 2] == 4


def test_a_folder_that_is_no_world_changes_nothing(tmp_path, folder):
    before = everything()
    with pytest.raises(RuntimeError, match=r"is not a world: it has no file world\.json"):
        bpy.ops.terrain.world_open(directory=str(tmp_path))
    assert everything() == before
    assert not settings().folder


@pytest.mark.parametrize("damage", ["missing", "cut", "empty", "shape"])
def test_a_missing_or_damaged_tile_is_reported_and_nothing_is_loaded(folder, damage):
    collection = opened(folder)
    world = worlds.World.load(folder)
    path = world.path((2, 1))
    if damage == "missing":
        path.unlink()
    elif damage == "shape":
        np.save(path, np.zeros((5, 5), np.float32))
    else:
        path.write_bytes(path.read_bytes()[: 200 if damage == "cut" else 0])
    before = everything()
    match = "is not made yet: run the world" if damage == "missing" else "is damaged: delete it"
    with pytest.raises(RuntimeError, match=match):
        load((1, 1), (3, 1))
    assert everything() == before
    assert not scene.tiles_of(collection)


def test_a_detail_that_tiles_do_not_have_is_refused(tmp_path):
    world = worlds.plan(world_recipe(), tmp_path / "w", spacing=100.0, side=31)
    worlds.run(world)
    opened(str(tmp_path / "w"))
    with pytest.raises(RuntimeError, match=r"no points at a detail of 1/4: choose 1/1 or 1/2"):
        load((0, 0), (0, 0), "4")


@pytest.mark.smoke
def test_tiles_survive_saving_and_loading(folder, tmp_path):
    opened(folder)
    load((1, 1), (2, 1))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    collection: Any = scene.find(bpy.context.scene, folder)
    assert set(scene.tiles_of(collection)) == {(1, 1), (2, 1)}
    load((3, 1), (3, 1))
    assert len(scene.tiles_of(collection)) == 3
    shutil.rmtree(folder)  # the tiles are in the blend file
    with pytest.raises(RuntimeError, match="is not a world"):
        load((0, 0), (0, 0))
    assert bpy.ops.terrain.world_unload(all=True) == {"FINISHED"}


def test_undo_takes_tiles_away_and_redo_brings_them(folder):
    bpy.ops.ed.undo_push(message="Start")
    opened(folder)
    bpy.ops.ed.undo_push(message="Open")
    load((1, 1), (2, 1))
    bpy.ops.ed.undo_push(message="Load")

    def loaded():
        collection = scene.find(bpy.context.scene, folder)
        return set(scene.tiles_of(collection)) if collection else None

    bpy.ops.ed.undo()
    assert loaded() == set()
    bpy.ops.ed.undo()
    assert loaded() is None
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    assert loaded() == {(1, 1), (2, 1)}


def test_tiles_are_loaded_in_the_background(folder):
    collection = opened(folder)
    world = worlds.World.load(folder)
    steps = {(x, 1): 2 for x in range(4)}
    world_load.load_tiles(bpy.context.scene, folder, world, steps)
    assert world_load.progress()
    world_load.finish()
    assert not world_load.progress()
    assert world_load.message() == ("", False)
    tiles = scene.tiles_of(collection)
    assert set(tiles) == set(steps)
    for x in range(3):
        near, far = points(tiles[x, 1])[:, -1], points(tiles[x + 1, 1])[:, 0]
        assert np.array_equal(near, far)


def test_canceled_loading_keeps_the_tiles_that_are_loaded(folder):
    collection = opened(folder)
    world = worlds.World.load(folder)
    load((0, 0), (0, 0))
    world_load.load_tiles(bpy.context.scene, folder, world, dict.fromkeys(world.tiles, 1))
    world_load.cancel()
    assert "Canceled after 0 of 24 tiles" in world_load.message()[0]
    world_load.finish()
    assert set(scene.tiles_of(collection)) == {(0, 0)}
    assert not world_load.progress()


def test_patterns_of_the_material_continue_from_tile_to_tile(folder):
    collection = opened(folder)
    load((0, 0), (1, 0))
    overview = scene.overview_of(collection)
    items = (overview, *scene.tiles_of(collection).values())
    (material,) = {slot for item in items for slot in item.data.materials}

    def places(tree):
        for node in tree.nodes:
            if node.type == "TEX_COORD":
                yield node.object
            elif node.type == "GROUP":
                yield from places(node.node_tree)

    assert set(places(material.node_tree)) == {overview}
    original = terrain_material("natural")
    assert original != material
    assert set(places(original.node_tree)) == {None}
    assert "terrain_material" in items[1]


def test_tiles_that_do_not_fit_into_memory_are_refused(folder, monkeypatch):
    opened(folder)
    before = everything()
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 10**6)
    with pytest.raises(RuntimeError, match="choose fewer tiles or a lower detail"):
        load((0, 0), (5, 3))
    assert everything() == before


def export(add, target, side=65, spacing=8.0, recipe=None):
    add(recipe or world_recipe())
    made = settings()
    made.target, made.spacing, made.side, made.workers = str(target), spacing, side, 1
    return bpy.ops.terrain.world_export


def test_a_terrain_is_exported_as_tiles(add, tmp_path):
    target = tmp_path / "tiles"
    assert export(add, target)() == {"FINISHED"}
    world = worlds.World.load(target)
    assert world.recipe == world_recipe()
    assert all(world.is_done(tile) for tile in world.tiles)
    assert (target / "index.json").is_file()
    assert world_run.message() == (f"All {world.columns * world.rows} tiles are made", False)
    assert settings().folder == str(target)
    with pytest.raises(RuntimeError, match="is not empty: choose another name"):
        bpy.ops.terrain.world_export()


@pytest.mark.slow
def test_a_canceled_run_continues(tmp_path):
    target = tmp_path / "tiles"
    worlds.plan(world_recipe(), target, spacing=3.0, side=65)
    world_run.run(str(target), 1)
    end = time.monotonic() + 60
    while not status.of(str(target), now=True).made:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert world_run.progress()
    world_run.cancel()
    assert not world_run.is_busy()
    known = status.of(str(target), now=True)
    assert 0 < known.made < known.total
    assert world_run.message() == (f"Canceled: {known.made} of {known.total} tiles are made", False)
    times = {path: path.stat().st_mtime_ns for path in (target / "tiles").glob("*.npy")}
    settings().folder = str(target)
    settings().workers = 1
    assert bpy.ops.terrain.world_run() == {"FINISHED"}
    assert status.of(str(target), now=True).is_complete
    assert all(path.stat().st_mtime_ns == before for path, before in times.items())


def test_the_process_ends_when_its_input_is_closed(add, tmp_path):
    target = tmp_path / "tiles"
    worlds.plan(world_recipe(), target, spacing=1.0, side=65)
    world_run.run(str(target), 1)
    process = world_run.process.popen
    process.stdin.close()  # as the system does when Blender dies
    assert process.wait(30) == 130
    world_run.process.stop()
    assert not [path for path in (target / "tiles").iterdir() if path.suffix == ".part"]


def test_an_error_of_the_process_is_reported(folder):
    world = worlds.World.load(folder)
    world.path((0, 0)).unlink()
    shutil.rmtree(world.folder / "solution")
    settings().folder = folder
    with pytest.raises(RuntimeError, match="solution"):
        bpy.ops.terrain.world_run()
    assert not world_run.is_busy()
