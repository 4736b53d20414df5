# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh of a terrain: its arrays, and what stays when it is made again."""

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Matrix

from terrain_addon.blender.data.terrains import terrain_of
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.mesh import terrain_mesh
from terrain_addon.blender.mesh.domains import resampled
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Palette, Recipe, Region, evaluate


def values(mesh, name, field="value", size=1):
    data = mesh.attributes[name].data
    out = np.empty(len(data) * size, np.float32)
    data.foreach_get(field, out)
    return out.reshape(-1, size) if size > 1 else out


def put(mesh, name, array, field="value"):
    mesh.attributes[name].data.foreach_set(field, array.reshape(-1))


@pytest.mark.parametrize(("nx", "ny"), [(2, 2), (2, 3), (3, 2), (33, 9), (5, 129)])
def test_any_shape_is_a_valid_mesh(add, recipe, nx, ny):
    mesh = add(recipe).data
    mesh.terrain.square_cells = False
    mesh.terrain.resolution, mesh.terrain.resolution_y = nx, ny
    assert len(mesh.vertices) == nx * ny
    assert len(mesh.polygons) == (nx - 1) * (ny - 1)
    assert len(mesh.edges) == nx * (ny - 1) + ny * (nx - 1)
    assert not mesh.validate(verbose=True)
    assert all(polygon.normal.z > 0 for polygon in mesh.polygons)
    assert all(polygon.use_smooth for polygon in mesh.polygons)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (7, 4), (1500, 3)])
def test_a_new_mesh_is_that_which_another_shape_is_given(shape):
    """Blender's nodes and our own connections agree, point for point and face for face."""
    grid = Recipe().grid(shape)
    with terrain_mesh.new("New", grid) as new:
        terrain_mesh.move(new, _flat(grid))
    old = bpy.data.meshes.new("Old")
    terrain_mesh.build(old, _flat(grid), None)
    assert not new.validate(verbose=True)
    assert new.name == "New"
    assert not new.materials
    assert len(bpy.data.scenes) == 1
    assert not bpy.data.node_groups
    assert faces(new) == faces(old)
    assert edges(new) == edges(old)
    names = [{a.name for a in mesh.attributes if a.name[0] != "."} for mesh in (new, old)]
    assert names[0] == names[1]
    for name, field, size in (("position", "vector", 3), ("UVMap", "vector", 2)):
        found, expected = (values(mesh, name, field, size) for mesh in (new, old))
        np.testing.assert_array_equal(found, expected)
    for mesh in (new, old):
        assert mesh.uv_layers.active.name == "UVMap"
        assert mesh.uv_layers.active.active_render


def test_a_new_mesh_that_cannot_be_finished_is_gone():
    with pytest.raises(ValueError, match="enough"), terrain_mesh.new("Lost", Recipe().grid(9)):
        raise ValueError("That was enough")
    assert "Lost" not in bpy.data.meshes


def faces(mesh):
    return [tuple(face.vertices[:]) for face in mesh.polygons]


def edges(mesh):
    return {tuple(sorted(edge.vertices[:])) for edge in mesh.edges}


def _flat(grid):
    height = np.zeros(grid.shape, np.float32)
    return terrain_mesh.Surface(grid, height, height, np.ones((height.size, 4), np.float32))


@pytest.mark.slow
def test_a_large_mesh_is_valid(add):
    mesh = add(Recipe(), resolution=2049).data
    assert len(mesh.vertices) == 2049**2
    assert not mesh.validate()


@pytest.mark.smoke
def test_points_are_those_of_the_core(add, recipe):
    mesh = add(recipe, resolution=65).data
    field = evaluate(recipe, recipe.grid(65))
    position = values(mesh, "position", "vector", 3).reshape(65, 65, 3)
    np.testing.assert_array_equal(position[..., 2], field.height)
    np.testing.assert_allclose(position[7, :, 0], field.grid.x, rtol=1e-6)
    np.testing.assert_allclose(position[:, 7, 1], field.grid.y, rtol=1e-6)
    np.testing.assert_array_equal(values(mesh, "height").reshape(65, 65), field.height)
    np.testing.assert_array_equal(values(mesh, "slope").reshape(65, 65), field.fields["slope"])


@pytest.mark.smoke
def test_colours_are_linear_active_and_rendered(add):
    sand = Palette(regions=(Region(name="Sand", start=0.0, color="#C2B280"),))
    mesh = add(Recipe(palette=sand)).data
    assert mesh.color_attributes.active_color.name == "Color"
    assert mesh.color_attributes[mesh.color_attributes.render_color_index].name == "Color"
    expected = [0.5394795, 0.4452012, 0.2158605, 1.0]  # IEC 61966-2-1, by hand
    np.testing.assert_allclose(values(mesh, "Color", "color", 4)[5], expected, atol=1e-6)


@pytest.mark.smoke
def test_uvs_go_from_border_to_border(add, recipe):
    mesh = add(recipe, resolution=9).data
    uv = values(mesh, "UVMap", "vector", 2)
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    position = values(mesh, "position", "vector", 3)[corners]
    np.testing.assert_allclose(uv * 1000 - 500, position[:, :2], atol=1e-3)
    assert mesh.uv_layers.active.name == "UVMap"


def belongings(item):
    """What a user may have put onto a terrain."""
    mesh = item.data
    rough = bpy.data.materials.new("Rough")
    mesh.materials.append(rough)
    mesh["note"] = "mine"
    x = values(mesh, "position", "vector", 3)[:, 0]
    mesh.attributes.new("wet", "FLOAT", "POINT")
    put(mesh, "wet", x.copy())
    mesh.attributes.new("mark", "INT", "FACE")
    put(mesh, "mark", np.arange(len(mesh.polygons), dtype=np.int32) // (len(mesh.polygons) // 2))
    group = item.vertex_groups.new(name="West")
    group.add([int(n) for n in np.flatnonzero(x < 0)], 0.5, "REPLACE")
    item.modifiers.new("Thick", "SOLIDIFY").vertex_group = "West"
    return rough


@pytest.mark.smoke
def test_moving_points_keeps_all_that_the_user_added(add, recipe):
    item = add(recipe)
    mesh, rough = item.data, belongings(item)
    wet, before = values(mesh, "wet"), values(mesh, "position", "vector", 3)
    mesh.terrain.seed += 1
    assert not np.array_equal(values(mesh, "position", "vector", 3), before)
    assert (item.data, mesh.materials[1], mesh["note"]) == (mesh, rough, "mine")
    np.testing.assert_array_equal(values(mesh, "wet"), wet)
    assert item.modifiers["Thick"].vertex_group == "West"
    assert [g.weight for g in mesh.vertices[0].groups] == [0.5]


@pytest.mark.smoke
def test_another_shape_carries_over_what_has_a_place_on_the_land(add, recipe):
    item = add(recipe)
    mesh, rough = item.data, belongings(item)
    mesh.terrain.resolution = 65
    assert (item.data, mesh.materials[1], mesh["note"]) == (mesh, rough, "mine")
    x = values(mesh, "position", "vector", 3)[:, 0]
    np.testing.assert_allclose(values(mesh, "wet"), x, atol=1e-3)
    marks = values(mesh, "mark").reshape(64, 64)
    assert (marks[:30] == 0).all()
    assert (marks[34:] == 1).all()
    assert item.modifiers["Thick"].vertex_group == "West"
    west = np.array([bool(vertex.groups) for vertex in mesh.vertices])
    cell = 1000 / 64
    assert west[x < -cell].all()
    assert not west[x > cell].any()
    assert {group.weight for vertex in mesh.vertices for group in vertex.groups} == {0.5}
    assert not mesh.validate(verbose=True)


def test_weights_of_every_size_are_carried_over(add):
    item = add(Recipe(), resolution=9)
    mesh = item.data
    names = ("Ramp", "Empty", "Zero")
    ramp, _, zero = (item.vertex_groups.new(name=name) for name in names)
    for point in range(81):
        ramp.add([point], point / 80, "REPLACE")
    zero.add([40], 0.0, "REPLACE")
    ramp.lock_weight = True
    item.vertex_groups.active_index = 1
    mesh.terrain.resolution = 17
    assert [group.lock_weight for group in item.vertex_groups] == [True, False, False]
    assert item.vertex_groups.active_index == 1
    kept = [{names[g.group]: g.weight for g in vertex.groups} for vertex in mesh.vertices]
    assert [group.name for group in item.vertex_groups] == list(names)
    found = np.array([weights["Ramp"] for weights in kept]).reshape(17, 17)
    np.testing.assert_allclose(found[::2, ::2].ravel(), np.arange(81) / 80, atol=1e-6)
    assert not any("Empty" in weights for weights in kept)
    assert {weights["Zero"] for weights in kept if "Zero" in weights} == {0.0}


def corner_points(mesh):
    points = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", points)
    return values(mesh, "position", "vector", 3)[points]


def face_centres(mesh):
    centres = np.empty(len(mesh.polygons) * 3, np.float32)
    mesh.polygons.foreach_get("center", centres)
    return centres.reshape(-1, 3)


@pytest.mark.parametrize("resolutions", [(17, 33), (33, 17), (17, 30, 12), (17, 2, 9), (9, 129)])
@pytest.mark.parametrize("kind", ["BYTE_COLOR", "FLOAT_COLOR"])
def test_colours_of_corners_and_uv_maps_stay_where_they_were_on_the_land(
    add, recipe, kind, resolutions
):
    mesh = add(recipe, resolutions[0]).data
    mesh.color_attributes.new("Paint", kind, "CORNER")
    paint = corner_points(mesh)[:, :1] / 1000 + 0.5
    put(mesh, "Paint", np.repeat(paint, 4, axis=1), "color")
    mesh.uv_layers.new(name="Mine")
    mine = corner_points(mesh)[:, :2] * 3 + 7
    put(mesh, "Mine", mine, "vector")
    for resolution in resolutions[1:]:
        mesh.terrain.resolution = resolution
    points = corner_points(mesh)
    found = values(mesh, "Paint", "color", 4)
    loss = 0.02 if kind == "BYTE_COLOR" else 1e-6
    np.testing.assert_allclose(found, np.repeat(points[:, :1] / 1000 + 0.5, 4, axis=1), atol=loss)
    np.testing.assert_allclose(values(mesh, "Mine", "vector", 2), points[:, :2] * 3 + 7, atol=1e-2)
    assert mesh.attributes["Paint"].data_type == kind
    assert not mesh.validate(verbose=True)


@pytest.mark.parametrize("resolution", [9, 33, 65])
def test_a_seam_between_faces_stays_sharp(add, recipe, resolution):
    """Islands of a UV map east and west of the middle share no value at the seam."""
    mesh = add(recipe, 17).data
    mesh.attributes.new("Islands", "FLOAT2", "CORNER")
    east = np.repeat(face_centres(mesh)[:, 0] > 0, 4)
    put(mesh, "Islands", np.repeat(east[:, None], 2, axis=1).astype(np.float32), "vector")
    mesh.terrain.resolution = resolution
    east = np.repeat(face_centres(mesh)[:, 0] > 0, 4)
    np.testing.assert_array_equal(values(mesh, "Islands", "vector", 2)[:, 0], east)


def test_the_users_uv_map_and_colours_stay_active_and_rendered(add, recipe):
    mesh = add(recipe).data
    for name in ("Paint", "Other"):
        mesh.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
        mesh.uv_layers.new(name=f"{name} UV")
    mesh.attributes.active_color_name, mesh.attributes.default_color_name = "Paint", "Other"
    mesh.uv_layers["Paint UV"].active = mesh.uv_layers["Other UV"].active_render = True
    mesh.terrain.viewport_detail = "2"
    assert mesh.color_attributes.active_color.name == "Paint"
    assert mesh.color_attributes[mesh.color_attributes.render_color_index].name == "Other"
    assert mesh.uv_layers.active.name == "Paint UV"
    assert [uv.name for uv in mesh.uv_layers if uv.active_render] == ["Other UV"]


def test_the_terrains_own_uv_map_is_made_anew_until_the_user_changes_it(add, recipe):
    mesh = add(recipe, resolution=9).data
    mesh.terrain.resolution = 17
    expected = corner_points(mesh)[:, :2] / 1000 + 0.5
    np.testing.assert_allclose(values(mesh, "UVMap", "vector", 2), expected, atol=1e-6)
    put(mesh, "UVMap", expected * 4 + 2, "vector")
    mesh.terrain.resolution = 33
    expected = corner_points(mesh)[:, :2] / 1000 + 0.5
    np.testing.assert_allclose(values(mesh, "UVMap", "vector", 2), expected * 4 + 2, atol=1e-4)


def test_seams_stay_where_they_were_on_the_land(add, recipe):
    mesh = add(recipe, resolution=9).data
    for edge in mesh.edges:
        edge.use_seam = True
    mesh.terrain.resolution = 17
    assert all(edge.use_seam for edge in mesh.edges)


def edge_ends(mesh):
    ends = np.empty(len(mesh.edges) * 2, np.int32)
    mesh.edges.foreach_get("vertices", ends)
    return np.sort(ends.reshape(-1, 2), axis=1)


def test_values_of_edges_stay_where_they_were_on_the_land(add, recipe):
    mesh = add(recipe, 17).data
    places = values(mesh, "position", "vector", 3)[:, :2]
    ends = edge_ends(mesh)
    along_y = np.diff(ends, axis=1)[:, 0] > 1
    mesh.attributes.new("crease_edge", "FLOAT", "EDGE")
    put(mesh, "crease_edge", np.where(along_y, -1, 1) * (places[ends].mean(axis=1)[:, 0] + 1000))
    mesh.attributes.new("sharp_edge", "BOOLEAN", "EDGE")
    put(mesh, "sharp_edge", along_y)
    for resolution in (33, 9, 17):  # made by the grid node at first, by us from then on
        mesh.terrain.resolution = resolution
    ends = edge_ends(mesh)
    places = values(mesh, "position", "vector", 3)[:, :2]
    along_y = np.diff(ends, axis=1)[:, 0] > 1
    expected = np.where(along_y, -1, 1) * (places[ends].mean(axis=1)[:, 0] + 1000)
    step = 1000 / 8 / 2  # the middle of an edge at the border has no older neighbour beyond it
    np.testing.assert_allclose(values(mesh, "crease_edge"), expected, atol=step)
    sharp = np.array([edge.use_edge_sharp for edge in mesh.edges])
    np.testing.assert_array_equal(sharp, along_y)


@pytest.mark.parametrize("domain", ["POINT", "FACE", "CORNER", "EDGE"])
@pytest.mark.parametrize(
    ("kind", "size"),
    [("QUATERNION", 4), ("FLOAT4X4", 16), ("INT", 1), ("INT32_2D", 2), ("BOOLEAN", 1)],
)
def test_what_cannot_be_blended_takes_the_nearest_value(add, recipe, kind, size, domain):
    mesh = add(recipe, 17).data
    attribute = mesh.attributes.new("Mine", kind, domain)
    count = len(attribute.data)
    rows = np.repeat(np.arange(count) * 2 // count, size).reshape(-1, size) * np.arange(1, size + 1)
    whole = {"INT": np.int32, "INT32_2D": np.int32, "BOOLEAN": np.bool_}
    put(mesh, "Mine", rows.astype(whole.get(kind, np.float32)))
    before = {tuple(row) for row in of_any_type(mesh)}
    mesh.terrain.resolution = 30
    assert mesh.attributes["Mine"].data_type == kind
    assert mesh.attributes["Mine"].domain == domain
    assert {tuple(row) for row in of_any_type(mesh)} == before
    assert len(before) == 2


def of_any_type(mesh):
    return [np.ravel(one.value).tolist() for one in mesh.attributes["Mine"].data]


def test_attributes_that_the_user_removed_are_made_again(add, recipe):
    mesh = add(recipe).data
    for name in ("Color", "height", "slope"):
        mesh.attributes.remove(mesh.attributes[name])
    mesh.terrain.palette.regions[0].start = 0.25
    assert not rebuild.error_of(mesh)
    assert mesh.attributes["Color"].data_type == "FLOAT_COLOR"
    assert mesh.attributes["height"].data_type == "FLOAT"
    assert values(mesh, "height").max() > 0


def test_a_mesh_that_was_edited_by_hand_is_made_again_only_when_asked(add, recipe):
    mesh = add(recipe).data
    mesh.clear_geometry()
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    mesh.terrain.seed += 1
    assert len(mesh.vertices) == 3
    assert rebuild.error_of(mesh).startswith("Edited by hand")
    bpy.ops.terrain.rebuild()
    assert terrain_mesh.is_grid(mesh, 33, 33)
    assert values(mesh, "height").max() > 0
    assert rebuild.error_of(mesh) == ""


def test_a_terrain_joined_with_another_object_keeps_what_was_joined(add, recipe):
    item, other = add(recipe), bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    other.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    bpy.context.collection.objects.link(other)
    other.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.join()
    count = len(item.data.vertices)
    assert count == 33 * 33 + 3
    item.data.terrain.seed += 1
    assert len(item.data.vertices) == count


def test_resampling_is_exact_for_planes_and_keeps_corners():
    rows, columns = np.mgrid[0:5, 0:9].astype(np.float32)
    plane = (2 * rows + 3 * columns)[..., None]
    fine = resampled(plane, (17, 9))
    np.testing.assert_allclose(fine[::2, ::2], plane)
    np.testing.assert_allclose(fine[1, 1, 0], 2 * 0.5 + 3 * 0.5)
    whole = resampled(np.arange(6, dtype=np.int32).reshape(2, 3), (5, 3))
    assert set(whole.ravel()) <= set(range(6))


def test_terrain_of_is_the_property_of_the_mesh(add):
    item = add()
    assert terrain_of(item.data) == item.data.terrain


def raise_points(item, some):
    positions = values(item.data, "position", "vector", 3)
    positions[some, 2] += 5
    item.data.attributes["position"].data.foreach_set("vector", positions.ravel())


def reverse_points(item):
    mesh = bmesh.new()
    mesh.from_mesh(item.data)
    for vertex in mesh.verts:
        vertex.index = len(mesh.verts) - 1 - vertex.index
    mesh.verts.sort()
    mesh.to_mesh(item.data)
    mesh.free()


@pytest.mark.parametrize(
    "change",
    [
        lambda item: item.data.transform(Matrix.Translation((300, 0, 0))),
        lambda item: item.data.transform(Matrix.Scale(2, 4)),
        lambda item: item.data.transform(Matrix.Diagonal((2, 2, 1, 1))),
        lambda item: item.data.transform(Matrix.Rotation(0.1, 4, "Z")),
        lambda item: raise_points(item, slice(500, 560)),
        lambda item: raise_points(item, 777),
        reverse_points,
    ],
)
def test_points_that_were_moved_or_sorted_wait_for_update(add, recipe, change):
    item = add(recipe)
    mesh, terrain = item.data, item.data.terrain
    change(item)
    before = values(mesh, "position", "vector", 3)
    terrain.seed += 1
    np.testing.assert_array_equal(values(mesh, "position", "vector", 3), before)
    assert "Edited by hand" in rebuild.error_of(mesh)
    bpy.ops.terrain.rebuild()
    assert not rebuild.error_of(mesh)
    field = evaluate(read(terrain), read(terrain).grid(33))
    np.testing.assert_array_equal(values(mesh, "position", "vector", 3)[:, 2], field.height.ravel())
    assert terrain_mesh.is_grid(mesh, 33, 33)
    assert not mesh.validate(verbose=True)


@pytest.mark.parametrize("name", ["ridge", "height", "Color"])
def test_vertex_groups_with_names_that_we_need_are_reported(add, recipe, name):
    item = add(recipe)
    mesh = item.data
    if name in mesh.attributes:
        mesh.attributes.remove(mesh.attributes[name])
    item.vertex_groups.new(name=name)
    mesh.terrain.attributes.ridge = True
    mesh.terrain.seed += 1
    assert f"vertex group named '{name}'" in rebuild.error_of(mesh)
    item.vertex_groups[name].name = "Mine"
    bpy.ops.terrain.rebuild()  # without heights, edits cannot be excluded
    assert not rebuild.error_of(mesh)
    assert len(values(mesh, "ridge")) == 33 * 33
