# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of the evaluated geometry of objects: nodes in a scene of their own, which stays.

A new data-block makes Blender rebuild the dependencies of all scenes, which takes half a second
with 3000 objects. So each object keeps its reader until the file is saved.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy

from ..app.undo import note_new_data
from ..data import nodes

RADIUS = ".radius"
"""Attribute that holds the radii of the points of curves."""
SCENE = f"{nodes.NAME} Shapes"
_SOURCE = "Source"


@contextmanager
def lines_of(item: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Mesh]:
    """Yield the geometry of an object as one mesh in local coordinates, at a scene's frame.

    With modifiers, and as it is in Edit Mode. Curves are edges, with their radii as attribute.
    """
    if _is_tube(item):
        with _without_bevel(item) as plain, nodes.evaluated(_tree(plain)) as (made, _):
            yield cast(bpy.types.Mesh, made.data)
        return
    reader = _reader(item)
    own = bpy.data.scenes[SCENE]
    for name in ("frame_current", "frame_subframe"):
        if getattr(own, name) != getattr(scene, name):
            setattr(own, name, getattr(scene, name))
    layer = own.view_layers[0]
    layer.update()
    yield cast(Any, reader.evaluated_get(cast(Any, layer.depsgraph))).data


def remove(unused_only: bool = False) -> None:
    """Remove all readers, or those of objects that the user has deleted.

    Such an object only exists because its reader refers to it: it is removed too.
    """
    scene = bpy.data.scenes.get(SCENE)
    if scene is None:
        return
    objects: Any = scene.collection.objects
    readers: dict[bpy.types.Object, Any] = {one: _source(one) for one in objects}
    gone = [one for one, item in readers.items() if not unused_only or not is_in_file(item)]
    made: list[bpy.types.ID] = [] if unused_only else [scene]
    for one in gone:
        made += [one, cast(Any, one.modifiers[0]).node_group, cast(bpy.types.Mesh, one.data)]
    items = [readers[one] for one in gone]
    bpy.data.batch_remove([one for one in made if one])
    bpy.data.batch_remove([item for item in items if item and not item.users])


def is_in_file(item: bpy.types.Object | None) -> bool:
    """Return whether an object is more than what a reader keeps of a deleted one."""
    return item is not None and item.users > (_existing(item) is not None)


def _source(reader: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that a reader reads, or None if it was removed."""
    tree = cast(Any, reader.modifiers[0]).node_group if reader.modifiers else None
    return tree.nodes[_SOURCE].inputs["Object"].default_value if tree else None


def _name(item: bpy.types.Object) -> str:
    return f"{nodes.NAME} {item.session_uid}"


def _existing(item: bpy.types.Object) -> bpy.types.Object | None:
    """Return the reader of an object, or None if it has no reader yet."""
    scene = bpy.data.scenes.get(SCENE)
    found = scene.collection.objects.get(_name(item)) if scene else None
    return found if found and _source(found) == item else None


def _reader(item: bpy.types.Object) -> bpy.types.Object:
    """Return the reader of an object; add one to the readers' scene if it is missing."""
    if found := _existing(item):
        return found
    scene = bpy.data.scenes.get(SCENE) or bpy.data.scenes.new(SCENE)
    note_new_data()
    name = _name(item)
    made = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    cast(Any, made.modifiers.new(nodes.NAME, "NODES")).node_group = _tree(item)
    scene.collection.objects.link(made)
    return made


def _is_tube(item: bpy.types.Object) -> bool:
    """Return whether nodes would read the surface of a curve, not its line."""
    curve: Any = item.data
    if item.type != "CURVE":
        return False
    return curve.dimensions != "3D" or bool(
        curve.bevel_depth or curve.extrude or curve.bevel_object
    )


@contextmanager
def _without_bevel(item: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield a copy of a curve that is a line.

    Changes made in Edit Mode are in it once the mode is left.
    """
    copy: Any = item.copy()
    data = cast(Any, item.data).copy()
    try:
        data.bevel_depth = data.extrude = 0
        data.bevel_object, data.fill_mode = None, "NONE" if data.dimensions == "2D" else "FULL"
        copy.data = data
        yield copy
    finally:
        bpy.data.batch_remove([copy, data])


def _tree(item: bpy.types.Object) -> Any:
    """Return the nodes that turn the geometry of an object into one mesh, with the radii of
    curves."""
    tree = nodes.new_tree()
    info = tree.nodes.new("GeometryNodeObjectInfo")
    info.name = _SOURCE
    info.inputs["Object"].default_value = item
    info.transform_space = "ORIGINAL"
    realize = tree.nodes.new("GeometryNodeRealizeInstances")
    radius = tree.nodes.new("GeometryNodeInputRadius")
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.inputs["Name"].default_value = RADIUS
    split = tree.nodes.new("GeometryNodeSeparateComponents")
    lines = tree.nodes.new("GeometryNodeCurveToMesh")
    join = tree.nodes.new("GeometryNodeJoinGeometry")
    end = tree.nodes.new("NodeGroupOutput")
    link = tree.links.new
    link(info.outputs["Geometry"], realize.inputs[0])
    link(realize.outputs[0], split.inputs[0])
    link(split.outputs["Curve"], store.inputs["Geometry"])
    link(radius.outputs[0], store.inputs["Value"])
    link(store.outputs["Geometry"], lines.inputs["Curve"])
    link(lines.outputs[0], join.inputs[0])
    link(split.outputs["Mesh"], join.inputs[0])
    link(join.outputs[0], end.inputs[0])
    return tree
