# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that show plants: models of our own, or those of the user's collections.

Each object of plants has a collection of its own, the palette, in no scene. An instance is picked
by its place among the names, which are written so that any order of text is that of numbers.
"""

from typing import Any, cast

import bpy
import numpy as np

from ...app.undo import note_new_data
from ...materials.node_trees import add, arrange, made_for, out, shared
from . import looks, models
from .models import KINDS, OTHER, STAGES, VARIANTS

SIMPLE = "Terrain Plant of Yours"
PREFIX = "plant"


def kind_of(model: str) -> str:
    """Return the key of the model that shows plants of that name."""
    return model if model in KINDS else OTHER


def model_object(kind: str, stage: int, variant: int, far: bool) -> bpy.types.Object:
    """Find or create this file's object of a model."""
    at = f"{list(KINDS).index(kind):02d}"
    number = len(STAGES) * VARIANTS if far else stage * VARIANTS + variant
    name = f"{PREFIX} {at} {kind} {number}"
    return shared(bpy.data.objects, name, lambda: _model_object(name, kind, stage, variant, far))


def _model_object(name: str, kind: str, stage: int, variant: int, far: bool) -> bpy.types.Object:
    points, normals, shades, faces, materials = models.make(kind, stage, variant, far).unit()
    points[:, :2] *= KINDS[kind].spread
    mesh = bpy.data.meshes.new(name)
    _fill(mesh, points, faces)
    used = np.unique(materials).tolist()
    for one in used:
        mesh.materials.append(looks.material(one))
    places = np.searchsorted(used, materials).astype(np.int32)
    mesh.polygons.foreach_set("material_index", places)
    shade: Any = mesh.attributes.new(looks.SHADE, "FLOAT", "POINT")
    shade.data.foreach_set("value", shades.astype(np.float32))
    mesh.update()
    cast(Any, mesh).normals_split_custom_set_from_vertices(normals.tolist())
    return bpy.data.objects.new(name, mesh)


def _fill(mesh: Any, points: models.kit.Values, faces: models.kit.Whole) -> None:
    """Give a new mesh points and triangles."""
    mesh.vertices.add(len(points))
    mesh.loops.add(faces.size)
    mesh.polygons.add(len(faces))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.foreach_set("vertex_index", faces.astype(np.int32).ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 3, dtype=np.int32))
    mesh.update(calc_edges=True)


class Palette:
    """The numbers of the models of a set of species, and the collection that holds them.

    Attributes
    ----------
    near : ndarray of int32, shape (species, stages, variants)
        Number of the object that shows a plant from nearby.
    far : ndarray of int32, shape (species,)
        The same from far away.
    own : ndarray of bool, shape (species,)
        Whether a collection of the user shows a species: its objects keep their proportions.
    """

    def __init__(
        self, collection: bpy.types.Collection, kinds: list[str], replaced: list[Any]
    ) -> None:
        shape = len(kinds), len(STAGES), VARIANTS
        wanted: dict[str, bpy.types.Object] = {}
        near, far = np.empty(shape, object), np.empty(len(kinds), object)
        self.own = np.zeros(len(kinds), bool)
        for number, (kind, theirs) in enumerate(zip(kinds, replaced, strict=True)):
            items = _objects_of(theirs)
            self.own[number] = bool(items)
            for stage in range(len(STAGES)):
                for variant in range(VARIANTS):
                    if items:
                        at = (stage * VARIANTS + variant) % len(items)
                        one = _wrapped(items[at])
                    else:
                        one = model_object(kind, stage, variant, far=False)
                    near[number, stage, variant] = one.name
                    wanted[one.name] = one
            one = _wrapped(items[0]) if items else model_object(kind, 1, 0, far=True)
            far[number] = one.name
            wanted[one.name] = one
        for one in list(collection.objects):
            if one.name not in wanted:
                collection.objects.unlink(one)
        for name, one in wanted.items():
            if name not in collection.objects:
                note_new_data()
                collection.objects.link(one)
        order = {name: at for at, name in enumerate(sorted(wanted))}
        self.near = np.array([order[name] for name in near.ravel()], np.int32).reshape(shape)
        self.far = np.array([order[name] for name in far], np.int32)


def _objects_of(collection: Any) -> list[bpy.types.Object]:
    """Return the objects of a collection of the user that can be shown, by name."""
    items = collection.all_objects if collection else ()
    kinds = ("MESH", "CURVE", "SURFACE", "META", "FONT")
    return sorted((one for one in items if one.type in kinds), key=lambda one: one.name)


def _wrapped(item: bpy.types.Object) -> bpy.types.Object:
    """Find or create an object that shows one of the user's, one meter high, with its modifiers."""
    purpose = f"plant of {item.session_uid}"
    for one in bpy.data.objects:
        modifier: Any = one.modifiers.get(SIMPLE) if one.get("orogen") == "plant of yours" else None
        if modifier and modifier.node_group.nodes["Shown"].inputs[0].default_value == item:
            return one
    number = sum(one.get("orogen") == "plant of yours" for one in bpy.data.objects)
    name = f"{PREFIX} yours {number:04d}"
    made = made_for("plant of yours", bpy.data.objects.new(name, bpy.data.meshes.new(name)))
    modifier = made.modifiers.new(SIMPLE, "NODES")
    modifier.node_group = _upright(item, purpose)
    return made


def _upright(item: bpy.types.Object, purpose: str) -> Any:
    """Return nodes that show an object one meter high."""
    tree: Any = bpy.data.node_groups.new(SIMPLE, cast(Any, "GeometryNodeTree"))
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    tree.is_modifier = True
    info = add(tree, "GeometryNodeObjectInfo", {"Object": item})
    info.name = "Shown"
    shown = info.outputs["Geometry"]
    box = add(tree, "GeometryNodeBoundBox", {0: shown}).outputs
    top = add(tree, "ShaderNodeSeparateXYZ", {0: box["Max"]}).outputs["Z"]
    high = out(add(tree, "ShaderNodeMath", {0: top, 1: 1e-3}, operation="MAXIMUM"))
    share = out(add(tree, "ShaderNodeMath", {0: 1.0, 1: high}, operation="DIVIDE"))
    sized = add(tree, "GeometryNodeTransform", {0: shown, "Scale": share})
    end = add(tree, "NodeGroupOutput")
    tree.links.new(out(sized), end.inputs[0])
    arrange(tree)
    return made_for(purpose, tree)
