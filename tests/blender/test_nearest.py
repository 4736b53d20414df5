# SPDX-License-Identifier: GPL-3.0-or-later
"""A rebuild of a mesh that is no longer a grid keeps what the user added to it."""

import bmesh
import bpy
import numpy as np
import pytest

from terrain_addon.blender.mesh import terrain_mesh

CELL = 1000 / 32


def values(mesh, name, field="value", size=1):
    data = mesh.attributes[name].data
    out = np.empty(len(data) * size, np.float32)
    data.foreach_get(field, out)
    return out.reshape(-1, size) if size > 1 else out


def places(mesh, domain):
    """Where the elements of a domain are along X."""
    x = values(mesh, "position", "vector", 3)[:, 0]
    if domain == "EDGE":
        ends = np.empty(len(mesh.edges) * 2, np.int32)
        mesh.edges.foreach_get("vertices", ends)
        return x[ends.reshape(-1, 2)].mean(axis=1)
    if domain == "FACE":
        centres = np.empty(len(mesh.polygons) * 3, np.float32)
        mesh.polygons.foreach_get("center", centres)
        return centres[::3]
    if domain == "CORNER":
        points = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", points)
        return x[points]
    return x


def edited(item, change):
    made = bmesh.new()
    made.from_mesh(item.data)
    change(made)
    made.to_mesh(item.data)
    made.free()


def hole(made):
    inside = [face for face in made.faces if face.calc_center_median().xy.length < 3 * CELL]
    bmesh.ops.delete(made, geom=inside, context="FACES")


def finer(made):
    some = [edge for edge in made.edges if edge.verts[0].co.x < -100]
    bmesh.ops.subdivide_edges(made, edges=some, cuts=1, use_grid_fill=True)


def turned(made):
    made.verts.sort(key=lambda vertex: -vertex.co.x)
    made.faces.sort(key=lambda face: -face.calc_center_median().y)


@pytest.mark.parametrize("change", [hole, finer, turned])
def test_attributes_and_vertex_groups_stay_near_their_places(add, change):
    item = add()
    mesh = item.data
    kinds = {"POINT": "FLOAT", "EDGE": "FLOAT", "FACE": "INT", "CORNER": "FLOAT"}
    for domain, kind in kinds.items():
        given = mesh.attributes.new(f"of {domain}", kind, domain)
        x = places(mesh, domain)
        given.data.foreach_set("value", x.astype(np.int32 if kind == "INT" else np.float32))
    mesh.attributes.new(".sculpt_mask", "FLOAT", "POINT")
    mesh.attributes[".sculpt_mask"].data.foreach_set("value", places(mesh, "POINT"))
    west = item.vertex_groups.new(name="West")
    west.add([n for n, x in enumerate(places(mesh, "POINT")) if x < 0], 0.5, "REPLACE")
    edited(item, change)
    mesh.terrain.seed += 1
    bpy.ops.terrain.rebuild()
    assert terrain_mesh.is_grid(mesh, 33, 33)
    far = 4 * CELL if change == hole else CELL
    if change == finer:
        del kinds["EDGE"]  # edges that Blender adds have no values
    for domain in kinds:
        found = values(mesh, f"of {domain}")
        assert np.abs(found - places(mesh, domain)).max() < far, domain
        if change == turned:
            np.testing.assert_allclose(found, places(mesh, domain), atol=1)
    x = places(mesh, "POINT")
    assert np.abs(values(mesh, ".sculpt_mask") - x).max() < far
    inside = np.array([bool(vertex.groups) for vertex in mesh.vertices])
    assert inside[x < -far].all() and not inside[x > far].any()
    assert {group.weight for vertex in mesh.vertices for group in vertex.groups} == {0.5}
    assert not mesh.validate(verbose=True)
    assert len(bpy.data.meshes) == len(bpy.data.objects) == len(bpy.data.scenes) == 1


def test_another_size_and_number_of_points_since_the_edit(add):
    item = add()
    mesh = item.data
    mesh.attributes.new("wet", "FLOAT", "POINT")
    mesh.attributes["wet"].data.foreach_set("value", places(mesh, "POINT"))
    edited(item, hole)
    mesh.terrain.size_x, mesh.terrain.resolution = 2000, 65
    bpy.ops.terrain.rebuild()
    x = places(mesh, "POINT")
    assert x.max() == 1000
    assert np.abs(values(mesh, "wet") - x / 2).max() < 4 * CELL


def test_a_mesh_without_points_has_nothing_to_keep(add):
    item = add()
    item.vertex_groups.new(name="West")
    item.data.clear_geometry()
    bpy.ops.terrain.rebuild()
    assert terrain_mesh.is_grid(item.data, 33, 33)
