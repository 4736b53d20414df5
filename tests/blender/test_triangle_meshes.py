# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail and solids, also after export to and import from other formats."""

import bmesh
import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of

CHUNKS = {"levels": 2, "error": 5.0, "columns": 2, "rows": 2}


def points_of(item):
    """Positions in the scene, (n, 3)."""
    local = values_of(item.data.attributes["position"]).astype(float)
    matrix = np.array(item.matrix_world)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


def levels():
    """The objects of each level."""
    ends = ("LOD0", "LOD1")
    return [[item for item in bpy.data.objects if item.name.endswith(end)] for end in ends]


def make(item, **settings):
    bpy.context.view_layer.objects.active = item
    assert bpy.ops.terrain.levels_of_detail(**settings) == {"FINISHED"}
    bpy.context.view_layer.update()


def test_levels_lie_on_the_terrain_with_all_that_its_points_have(add):
    item = add(resolution=33)
    item.location = (1000.0, 500.0, 20.0)
    item.data.materials.append(bpy.data.materials.new("Mine"))
    user = item.data.attributes.new("mine", "FLOAT_VECTOR", "POINT")
    user.data.foreach_set("vector", np.random.default_rng(1).random(33 * 33 * 3, np.float32))
    bpy.context.view_layer.update()
    make(item, **CHUNKS)
    terrain, place = points_of(item), {}
    for sample, point in enumerate(terrain):
        place[tuple(np.round(point[:2], 2))] = sample
    fine, coarse = levels()
    assert [len(fine), len(coarse)] == [4, 4]
    assert sum(len(one.data.polygons) for one in coarse) < sum(
        len(one.data.polygons) for one in fine
    )
    for one in (*fine, *coarse):
        points, mesh = points_of(one), one.data
        assert not mesh.validate()
        samples = np.array([place[tuple(np.round(point[:2], 2))] for point in points])
        depth = terrain[samples, 2] - points[:, 2]
        top = depth < 1
        np.testing.assert_allclose(depth[top], 0, atol=1e-3)
        np.testing.assert_allclose(depth[~top], depth.max(), atol=1e-3)
        assert depth.max() > 1 and (~top).sum() > 4
        for name in ("Color", "height", "slope", "mine"):
            expected = values_of(item.data.attributes[name])[samples]
            np.testing.assert_array_equal(values_of(mesh.attributes[name]), expected)
        np.testing.assert_array_equal(
            values_of(mesh.attributes["_slope"]), values_of(mesh.attributes["slope"])
        )
        corners = values_of(mesh.attributes[".corner_vert"])[:, 0]
        uvs = np.stack([samples % 33, samples // 33], axis=1) / 32
        np.testing.assert_allclose(values_of(mesh.attributes["UVMap"]), uvs[corners], atol=1e-6)
        assert mesh.attributes.active_color_name == "Color"
        assert [one.name for one in mesh.materials] == [one.name for one in item.data.materials]
        flat = np.array([one.vector.z for one in mesh.corner_normals])
        assert (flat > 0.05).all()  # those of the skirts too
    assert all(one.visible_get() for one in fine) and not any(one.visible_get() for one in coarse)
    assert (
        item.hide_render
        and not item.visible_get()
        and set(bpy.context.selected_objects) == set(fine)
    )


def test_levels_made_again_replace_the_old_ones_only(add):
    item = add(resolution=33)
    make(item, **CHUNKS, hide_terrain=False)
    assert item.visible_get()
    note = bpy.data.objects.new("Mine", None)
    bpy.data.collections["Land LOD0"].objects.link(note)
    meshes = len(bpy.data.meshes)
    make(item, **CHUNKS)
    assert len(bpy.data.meshes) == meshes and len(bpy.data.objects) == 10
    assert note.users_collection[0].name == "Land LOD0"
    make(item, levels=1)
    assert [one.name for one in bpy.data.objects] == ["Land", "Land_LOD0", "Mine"]
    assert len(bpy.data.collections["Land LOD"].children) == 2  # one holds the user's object


def test_edits_by_hand_are_in_the_levels(add):
    item = add(resolution=17)
    item.data.vertices[8 * 17 + 8].co.z = 4000.0
    make(item, levels=1)
    assert points_of(bpy.data.objects["Land_LOD0"])[:, 2].max() == 4000


@pytest.mark.parametrize("operator", ["levels_of_detail", "solid"])
def test_what_is_no_grid_is_refused_and_nothing_added(add, operator):
    item = add(resolution=9)
    item.data.vertices[4].co.x += 30
    before = len(bpy.data.objects), len(bpy.data.meshes)
    with pytest.raises(RuntimeError, match="moved sideways"):
        getattr(bpy.ops.terrain, operator)()
    item.data.vertices[4].co.x -= 30
    with pytest.raises(RuntimeError, match="no 64 chunks"):
        bpy.ops.terrain.levels_of_detail(columns=64)
    made = bmesh.new()
    made.from_mesh(item.data)
    made.verts.ensure_lookup_table()
    made.verts.remove(made.verts[4])
    made.to_mesh(item.data)
    made.free()
    with pytest.raises(RuntimeError, match="added or removed"):
        getattr(bpy.ops.terrain, operator)()
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == before


@pytest.mark.smoke
def test_a_solid_is_manifold_and_of_the_size_asked_for(add):
    item = add(resolution=33)
    assert bpy.ops.terrain.solid(longest_side=100, thickness=3, error=0.1) == {"FINISHED"}
    made = bpy.context.object
    assert made.name == "Land Solid" and made.location.x > item.dimensions.x / 2 + 50
    assert not made.data.validate()
    solid = bmesh.new()
    solid.from_mesh(made.data)  # pyright: ignore[reportArgumentType]
    assert all(edge.is_manifold and edge.is_contiguous for edge in solid.edges)
    assert all(vertex.is_manifold for vertex in solid.verts)
    assert solid.calc_volume(signed=True) > 100 * 100 * 3
    solid.free()
    top = np.array([one.normal.z for one in made.data.polygons]) > 1e-3
    base = np.array([one.material_index for one in made.data.polygons])
    np.testing.assert_array_equal(base == 1, ~top)
    assert [one.name for one in made.data.materials] == ["Simple Terrain", "Terrain Solid Base"]
    np.testing.assert_allclose(made.dimensions[:2], [100, 100], atol=1e-4)
    height = values_of(item.data.attributes["height"])
    relief = np.ptp(height) * 100 / item.data.terrain.size_x
    assert made.dimensions.z == pytest.approx(relief + 3, abs=1e-3)
    assert made.data.attributes["Color"].domain == "POINT"
    assert item.visible_get()


FORMATS = {
    "glb": (
        lambda path: bpy.ops.export_scene.gltf(filepath=path, export_attributes=True),
        lambda path: bpy.ops.import_scene.gltf(filepath=path),
        "_SLOPE",
    ),
    "usdc": (
        lambda path: bpy.ops.wm.usd_export(filepath=path, evaluation_mode="VIEWPORT"),
        lambda path: bpy.ops.wm.usd_import(filepath=path, import_visible_only=False),
        "slope",
    ),
    "fbx": (
        lambda path: bpy.ops.export_scene.fbx(filepath=path),
        lambda path: bpy.ops.import_scene.fbx(filepath=path),
        "",
    ),
}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.filterwarnings("ignore")  # of Blender's own add-ons
def test_exporters_write_levels_with_their_attributes(add, suffix, tmp_path):
    write, read, attribute = FORMATS[suffix]
    make(add(resolution=17), **CHUNKS)
    expected = {}
    for one in (*levels()[0], *levels()[1]):
        points, slope = points_of(one), values_of(one.data.attributes["slope"])[:, 0]
        expected[one.name] = (points, np.sort(slope), len(one.data.polygons))
    path = str(tmp_path / f"land.{suffix}")
    assert write(path) == {"FINISHED"}
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    read(path)
    bpy.context.view_layer.update()
    found = [item for item in bpy.data.objects if item.name in expected]
    assert len(found) == 8
    for one in found:
        points, slope, faces = expected[one.name]
        order = [np.lexsort(np.round(some, 1).T) for some in (points_of(one), points)]
        np.testing.assert_allclose(points_of(one)[order[0]], points[order[1]], atol=0.01)
        assert len(one.data.polygons) == faces
        assert one.data.color_attributes and one.data.uv_layers and one.data.has_custom_normals
        if attribute:
            known = values_of(one.data.attributes[attribute])[:, 0]
            np.testing.assert_allclose(np.sort(known), slope, rtol=1e-5)
