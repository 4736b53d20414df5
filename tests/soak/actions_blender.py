# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of Blender itself: objects, modes, undo, files, links, keyframes, scenes, add-ons."""

from contextlib import suppress
from typing import Any

import bpy
from mathutils import Matrix

from tests.blender.enabled import disable, enable_from_source
from tests.soak.actions_terrain import change, pick_shape
from tests.soak.scene import Scene, action, select

TYPES = (
    *("FLOAT", "INT", "BOOLEAN", "FLOAT_VECTOR", "STRING", "BYTE_COLOR", "FLOAT_COLOR"),
    *("QUATERNION", "INT8", "FLOAT2"),
)


@action(4)
def duplicate(scene: Scene) -> None:
    scene.object_mode()
    if scene.pick() and scene.room():
        bpy.ops.object.duplicate(linked=scene.rng.random() < 0.5)
        scene.notify()


@action(3)
def delete(scene: Scene) -> None:
    scene.object_mode()
    if scene.pick():
        bpy.ops.object.delete(use_global=scene.rng.random() < 0.3)


@action(3)
def change_child(scene: Scene) -> None:
    scene.object_mode()
    children = [item for item in bpy.context.view_layer.objects if item.parent]
    if not children:
        return
    child, which = scene.rng.choice(children), scene.rng.randrange(3)
    if which == 0:
        bpy.data.objects.remove(child)
    elif which == 1:
        child.parent = None
    elif hasattr(child.data, "clear_geometry") and not child.data.library:
        child.data.clear_geometry()


@action(0.3)
def remove_mesh(scene: Scene) -> None:
    scene.object_mode()
    if meshes := list(bpy.data.meshes):
        bpy.data.meshes.remove(scene.rng.choice(meshes))


@action(4)
def enter_mode(scene: Scene) -> None:
    item = scene.pick()
    linked = item and (item.library or item.data.library or item.override_library)
    if not item or linked:
        return
    modes = ("EDIT", "SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT", "OBJECT")
    scene.note = mode = scene.rng.choice(modes)
    bpy.ops.object.mode_set(mode=mode)
    if mode != "EDIT":
        return
    bpy.ops.mesh.select_all(action="SELECT")
    which = scene.rng.randrange(5)
    if which == 0:
        bpy.ops.transform.translate(value=(0, 0, 1))
    elif which == 1:
        bpy.ops.mesh.subdivide()
    elif which == 2:
        bpy.ops.mesh.delete(type="FACE")
    elif which == 3 and scene.enabled:
        change(scene, item.data.terrain)


@action(6)
def leave_mode(scene: Scene) -> None:
    scene.object_mode()
    scene.notify()


@action(14)
def push_undo(scene: Scene) -> None:
    bpy.ops.ed.undo_push(message="x")


@action(9)
def undo_or_redo(scene: Scene) -> None:
    bpy.ops.ed.undo_push(message="as a window does")
    for _ in range(scene.rng.choice((1, 1, 2))):
        (bpy.ops.ed.undo if scene.rng.random() < 0.65 else bpy.ops.ed.redo)()


@action(3)
def save(scene: Scene) -> None:
    scene.object_mode()
    rng = scene.rng
    path = f"{scene.folder}/f{rng.randrange(2)}.blend"
    copy, compress = rng.random() < 0.3, rng.random() < 0.3
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=copy, compress=compress)


@action(2)
def load(scene: Scene) -> None:
    path = scene.folder / f"f{scene.rng.randrange(2)}.blend"
    if path.exists():
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)


@action(2)
def link_or_append(scene: Scene) -> None:
    path = scene.folder / f"f{scene.rng.randrange(2)}.blend"
    scene.object_mode()
    if not path.exists() or bpy.data.filepath == str(path) or not scene.room():
        return
    link = scene.rng.random() < 0.5
    opened: Any = bpy.data.libraries.load(str(path), link=link)
    with opened as (known, wanted):
        wanted.objects = known.objects[:2]
    for item in filter(None, wanted.objects):
        with suppress(RuntimeError):
            bpy.context.scene.collection.objects.link(item)
        if link and scene.rng.random() < 0.5:
            item.override_create(remap_local_usages=True)
            if scene.rng.random() < 0.4 and item.data:
                item.data.override_create(remap_local_usages=True)


@action(1)
def make_local(scene: Scene) -> None:
    scene.object_mode()
    if scene.pick():
        bpy.ops.object.make_local(type=scene.rng.choice(("SELECT_OBDATA", "ALL")))


@action(1)
def make_single_user(scene: Scene) -> None:
    scene.object_mode()
    if scene.pick():
        bpy.ops.object.make_single_user(object=True, obdata=True)
        scene.notify()


@action(1)
def purge(scene: Scene) -> None:
    bpy.ops.outliner.orphans_purge(do_recursive=True)


@action(4)
def keyframe(scene: Scene) -> None:
    item = scene.pick_terrain()
    if not item or item.data.override_library:
        return
    terrain = item.data.terrain
    groups = [terrain, terrain.water, terrain.palette]
    group = scene.rng.choice(groups + [getattr(one, one.kind) for one in terrain.layers])
    found = [
        one
        for one in group.bl_rna.properties
        if one.is_animatable and one.type in ("FLOAT", "INT")
        if not one.is_readonly and not one.is_hidden and not one.array_length
    ]
    if not found:
        return
    name = scene.note = (one := scene.rng.choice(found)).identifier
    group.keyframe_insert(name, frame=1)
    with suppress(OverflowError):
        value = getattr(group, name)
        setattr(group, name, value * 1.1 if one.type == "FLOAT" else value + 1)
    group.keyframe_insert(name, frame=10)


@action(1)
def clear_animation(scene: Scene) -> None:
    item = scene.pick()
    if item and not item.data.library:
        item.data.animation_data_clear()


@action(1.5)
def keyframe_shape(scene: Scene) -> None:
    if item := pick_shape(scene):
        item.keyframe_insert("location", frame=1)
        item.location.y += 10
        item.keyframe_insert("location", frame=9)


@action(4)
def set_frame(scene: Scene) -> None:
    scene.object_mode()
    bpy.context.scene.frame_set(scene.rng.randrange(1, 12))


@action(1)
def add_or_delete_scene(scene: Scene) -> None:
    scene.object_mode()
    if len(bpy.data.scenes) < 3:
        bpy.ops.scene.new(type=scene.rng.choice(("LINK_COPY", "FULL_COPY", "NEW", "EMPTY")))
    elif scene.rng.random() < 0.7:
        bpy.ops.scene.delete()


@action(2)
def rename(scene: Scene) -> None:
    item = scene.pick()
    if item and not item.library and not item.data.library:
        item.name = scene.rng.choice(("Land", "Sea", "é" * 20, "a/b", "x"))
        item.data.name = scene.rng.choice(("Land", "Sea", "m"))


@action(1)
def swap_data(scene: Scene) -> None:
    item = scene.pick_own()
    if item and item.parent is None:
        item.data = scene.rng.choice(list(bpy.data.meshes))
        scene.notify()


@action(1.5)
def disable_and_enable(scene: Scene) -> None:
    scene.object_mode()
    if scene.enabled:
        disable()
        scene.enabled = False
        if scene.rng.random() < 0.2:
            return
    enable(scene)


def enable(scene: Scene) -> None:
    enable_from_source()
    scene.enabled = True
    scene.module("blender.objects.orphans").sweep()


@action(2)
def add_vertex_group(scene: Scene) -> None:
    item = scene.pick()
    if not item or item.data.library or item.library:
        return
    group = item.vertex_groups.new(name=scene.rng.choice(("grp", "height", "flow", "m")))
    if bpy.context.mode == "OBJECT" and len(item.data.vertices):
        group.add(list(range(0, len(item.data.vertices), 2)), 0.5, "REPLACE")


@action(3)
def change_attributes(scene: Scene) -> None:
    """Add an attribute of any type, maybe under the name of a field, or remove one."""
    item = scene.pick_own()
    if not item:
        return
    rng, attributes = scene.rng, item.data.attributes
    if rng.random() < 0.5:
        name = rng.choice(("m", "grp", "x", "flow", "Color"))
        attributes.new(name, rng.choice(TYPES), rng.choice(("POINT", "EDGE", "FACE", "CORNER")))
        return
    names = [
        one.name
        for one in attributes
        if one.name != "position" and not one.name.startswith(".") and not one.is_required
    ]
    if names:
        scene.note = name = rng.choice(names)
        attributes.remove(attributes[name])


@action(1.5)
def shape_keys(scene: Scene) -> None:
    if item := scene.pick_own():
        if item.data.shape_keys:
            item.shape_key_clear()
        elif scene.rng.random() < 0.3:
            item.shape_key_add()


@action(1.5)
def change_mesh(scene: Scene) -> None:
    """Apply a modifier or a scale, drop the materials, or turn the mesh."""
    if not (item := scene.pick_own()):
        return
    which = scene.rng.randrange(4)
    if which == 0 and len(item.data.vertices) < 3000:
        item.modifiers.new("s", scene.rng.choice(("DECIMATE", "TRIANGULATE", "SMOOTH")))
        try:
            bpy.ops.object.modifier_apply(modifier="s")
        except RuntimeError:
            item.modifiers.clear()
    elif which == 1:
        item.scale = (2, 2, 2)
        if item.data.users == 1:
            bpy.ops.object.transform_apply()
    elif which == 2:
        item.data.materials.clear()
    elif scene.rng.random() < 0.3:
        item.data.transform(Matrix.Rotation(0.3, 4, "Z"))


@action(0.3)
def join(scene: Scene) -> None:
    scene.object_mode()
    own: list[Any] = [
        item
        for item in bpy.context.view_layer.objects
        if item.type == "MESH" and not item.library and not item.override_library
    ]
    if len(own) > 1:
        pair = scene.rng.sample(own, 2)
        if sum(len(item.data.vertices) for item in pair) < 6000:
            select(*pair)
            bpy.ops.object.join()
            scene.notify()


@action(0.3)
def convert(scene: Scene) -> None:
    if scene.pick_own():
        bpy.ops.object.convert(target="CURVE" if scene.rng.random() < 0.3 else "MESH")


@action(0.5)
def remove_image(scene: Scene) -> None:
    if images := list(bpy.data.images):
        bpy.data.images.remove(scene.rng.choice(images))


@action(0.7)
def copy_mesh(scene: Scene) -> None:
    if meshes := scene.terrain_meshes():
        copy = scene.rng.choice(meshes).copy()
        if scene.rng.random() < 0.5:
            bpy.data.meshes.remove(copy)


@action(1)
def change_collections(scene: Scene) -> None:
    scene.object_mode()
    item = scene.pick()
    if not item or item.library:
        return
    known = list(bpy.data.collections)
    chosen = bpy.data.collections.new("C") if len(known) < 4 else scene.rng.choice(known)
    with suppress(RuntimeError):
        if item.name not in chosen.objects:
            chosen.objects.link(item)
        children = bpy.context.scene.collection.children
        if chosen.name not in children and scene.rng.random() < 0.5:
            children.link(chosen)
        if scene.rng.random() < 0.3 and len(item.users_collection) > 1:
            item.users_collection[0].objects.unlink(item)


@action(0.5)
def export_gltf(scene: Scene) -> None:
    scene.object_mode()
    if scene.room(6):
        selected, animated = scene.rng.random() < 0.3, scene.rng.random() < 0.3
        bpy.ops.export_scene.gltf(
            filepath=f"{scene.folder}/x.glb", use_selection=selected, export_animations=animated
        )
