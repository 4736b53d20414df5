# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of the extension: terrains, settings, layers, shapes, images."""

from typing import Any

import bpy
from mathutils import Matrix

from tests.soak.scene import MOST_LAYERS, Scene, action, select

PRESETS = ("rolling_downs", "dunes", "crater_field", "mesa")
HIDDEN = {
    *("rna_type", "name", "built", "is_terrain", "active_layer", "active_region", "kind", "legend"),
    *("mask_view", "locks", "preset", "export_mask"),
}
"""Properties that are no settings."""
SMALL = {
    **dict.fromkeys(("resolution", "resolution_y"), (2, 3, 9, 17, 33)),
    **dict.fromkeys(("width", "height"), (4, 8, 16)),
}


@action(5)
def add(scene: Scene) -> None:
    scene.object_mode()
    if not scene.enabled or not scene.room(-6):
        return
    rng = scene.rng
    if rng.random() < 0.5:
        bpy.ops.terrain.add(
            preset=rng.choice(PRESETS),
            resolution=rng.choice((9, 17, 33)),
            seed=rng.randrange(9),
            size=rng.choice((0, 10, 1e5)),
        )
        return
    core, layers = scene.module("core"), scene.module("core.layers").LAYERS
    kinds = [key for key in layers if key != "erosion"]
    fields = list(scene.module("core.analysis").FIELDS)
    recipe = core.Recipe(
        seed=rng.randrange(99),
        layers=tuple(
            core.Layer.of(layers[rng.choice(kinds)]()) for _ in range(rng.randrange(1, 4))
        ),
        water=core.Water(
            show=rng.random() < 0.3, rivers=rng.random() < 0.2, lakes=rng.random() < 0.2
        ),
        attributes=tuple(rng.sample(fields, rng.randrange(3))),
    )
    make = scene.module("blender.operators.add").make_terrain
    select(make("Land", recipe, rng.choice((3, 9, 17, 33)), bpy.context.collection))


@action(30)
def change_setting(scene: Scene) -> None:
    if not (item := scene.pick_terrain()):
        return
    terrain = item.data.terrain
    masks = scene.module("core.layers").MASKS
    groups = [terrain, terrain.water, terrain.palette, terrain.attributes]
    groups += list(terrain.palette.regions)[:3]
    for layer in terrain.layers:
        groups += [getattr(layer, layer.kind)] * 2 + [layer]
        groups += [getattr(layer, f"mask_{key}") for key in masks]
    change(scene, scene.rng.choice(groups))


def change(scene: Scene, group: Any) -> None:
    """Set any setting of a property group to any value."""
    found = [
        one
        for one in group.bl_rna.properties
        if not one.is_readonly and not one.is_hidden and one.identifier not in HIDDEN
    ]
    if found:
        name = (one := scene.rng.choice(found)).identifier
        value = value_of(scene, one)
        scene.note = f"{group.bl_rna.identifier}.{name} = {value}"
        setattr(group, name, value)


def value_of(scene: Scene, one: Any) -> Any:
    """Return a value for a property."""
    rng = scene.rng
    if one.identifier in SMALL:
        return rng.choice(SMALL[one.identifier])
    if one.identifier == "live":
        return rng.random() < 0.8
    if one.type == "FLOAT" and one.array_length:
        return [rng.random() for _ in range(one.array_length)]
    if one.type in ("FLOAT", "INT"):
        inside = rng.uniform(one.soft_min, one.soft_max)
        value = rng.choice((one.soft_min, one.soft_max, one.default, inside, inside))
        return value if one.type == "FLOAT" else int(value)
    choices = {
        "BOOLEAN": (True, False),
        "ENUM": [item.identifier for item in getattr(one, "enum_items", ())],
        "STRING": ("//",) if one.subtype == "FILE_PATH" else ("", "grp", "m", "height"),
    }
    return rng.choice(choices[one.type])


def operator(name: str, weight: float, /, **choices: tuple[Any, ...]) -> None:
    """Declare an operator on a terrain, with any of some values for its properties."""

    def do(scene: Scene) -> None:
        if not scene.enabled:
            return
        scene.object_mode()
        scene.pick()
        chosen = {key: scene.rng.choice(values) for key, values in choices.items()}
        scene.note = str(chosen)
        getattr(bpy.ops.terrain, name)(**chosen)

    do.__name__ = name
    action(weight)(do)


UP_DOWN = ("UP", "DOWN")
operator("layer_remove", 2)
operator("layer_duplicate", 2)
operator("layer_move", 2, direction=UP_DOWN)
operator("region_add", 2, based_on=("height", "slope", "flow", "snow"))
operator("region_remove", 2)
operator("region_move", 1, direction=UP_DOWN)
operator("palette_load", 1, name=("alpine", "desert", "classic"))
operator("preset_load", 2, preset=PRESETS)
operator("random_seed", 2)
operator("scale", 1, factor=(0.5, 2, 10))
operator("rebuild", 5)
operator("make_plain", 0.5)
operator("scenery", 0.3)
operator("displace_setup", 0.5)
operator("cancel", 0.3)
operator(
    "plants_add", 0.3, species=("temperate", "rocks"), density=(0.1, 0.5), seed=tuple(range(9))
)
operator("levels_of_detail", 0.3)
operator("solid", 0.2)


@action(4)
def add_layer(scene: Scene) -> None:
    item = scene.pick_terrain()
    if item and len(item.data.terrain.layers) < MOST_LAYERS:
        kinds = [key for key in scene.module("core.layers").LAYERS if key != "erosion"]
        scene.note = kind = scene.rng.choice(kinds)
        bpy.ops.terrain.layer_add(kind=kind)


@action(2)
def choose_layer(scene: Scene) -> None:
    if item := scene.pick_terrain():
        item.data.terrain.active_layer = scene.rng.choice((0, 1, 2, 9, 100))


@action(3)
def show_mask(scene: Scene) -> None:
    if scene.pick_terrain():
        known = bpy.ops.terrain.show.get_rna_type().properties["mask"].enum_items
        bpy.ops.terrain.show(mask=scene.rng.choice([one.identifier for one in known]))


@action(4)
def change_layer(scene: Scene) -> None:
    """Disable a layer, use a mask of it, or blend it otherwise."""
    item = scene.pick_terrain()
    if not item or not len(item.data.terrain.layers):
        return
    layer = scene.rng.choice(list(item.data.terrain.layers))
    which = scene.rng.randrange(3)
    if which == 0:
        layer.enabled = not layer.enabled
    elif which == 1:
        mask = getattr(layer, f"mask_{scene.rng.choice(list(scene.module('core.layers').MASKS))}")
        mask.use = not mask.use
    else:
        modes = layer.bl_rna.properties["blend"].enum_items
        layer.blend = scene.rng.choice([one.identifier for one in modes])


@action(1.5)
def paste_layers(scene: Scene) -> None:
    """Paste layers as text, sometimes damaged."""
    scene.object_mode()
    item = scene.pick_terrain()
    if not item or len(item.data.terrain.layers) >= MOST_LAYERS:
        return
    recipe = scene.module("blender.properties.recipe").read_bare(item.data.terrain)
    text = scene.module("core.recipe").layers_to_json(recipe.layers) if recipe.layers else "[]"
    if scene.rng.random() < 0.3:
        place = scene.rng.randrange(len(text))
        text = text[:place] + scene.rng.choice(("", "1e999", "}", "nul")) + text[place + 1 :]
    bpy.ops.terrain.layer_paste(text=text, replace=scene.rng.random() < 0.3)


@action(1.5)
def map_of_terrain(scene: Scene) -> None:
    """Add a height map layer that takes the heights of a terrain, maybe its own."""
    scene.object_mode()
    item = scene.pick_terrain()
    if not item or len(item.data.terrain.layers) >= MOST_LAYERS:
        return
    bpy.ops.terrain.layer_add(kind="height_map")
    terrain = item.data.terrain
    others = [one.name for one in bpy.data.objects if scene.has(one)]
    terrain.layers[terrain.active_layer].height_map.source = scene.rng.choice(others)
    scene.follow()


@action(2)
def paint_mask(scene: Scene) -> None:
    if not (item := scene.pick_own()) or not scene.enabled:
        return
    if scene.has(item) and len(item.data.terrain.layers):
        mask = scene.rng.choice(list(item.data.terrain.layers)).mask_map
        mask.use, mask.source = True, "grp"
    group = item.vertex_groups.get("grp") or item.vertex_groups.new(name="grp")
    if count := len(item.data.vertices):
        some = scene.rng.sample(range(count), count // 2)
        group.add(some, scene.rng.random(), "REPLACE")
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
        scene.object_mode()


@action(3)
def sculpt(scene: Scene) -> None:
    item = scene.pick_own()
    if not item or not len(item.data.vertices):
        return
    bpy.ops.object.mode_set(mode="SCULPT")
    for _ in range(5):
        vertex = scene.rng.randrange(len(item.data.vertices))
        item.data.vertices[vertex].co.z += scene.rng.uniform(-5, 5)
    item.data.update()
    if scene.rng.random() < 0.7:
        scene.object_mode()
    if scene.rng.random() < 0.5 and scene.has(item):
        scene.object_mode()
        bpy.ops.terrain.keep_sculpt()


@action(1.5)
def bake(scene: Scene) -> None:
    scene.object_mode()
    if not scene.enabled or not scene.pick():
        return
    rng, place = scene.rng, f"{scene.folder}/"
    if rng.random() < 0.5:
        bpy.ops.terrain.bake(
            width=8,
            image=rng.choice(("heightmap", "color", "normal", "slope")),
            target=rng.choice(("image", "file", "both")),
            filepath=rng.choice((place, f"{place}t.exr", "//")),
        )
    else:
        target = rng.choice(("image", "both"))
        bpy.ops.terrain.bake_set(width=8, normal=True, color=True, target=target, filepath=place)


@action(0.7)
def export(scene: Scene) -> None:
    scene.object_mode()
    if scene.enabled and scene.pick():
        bpy.ops.terrain.export(directory=f"{scene.folder}/export{scene.rng.randrange(2)}")


@action(5)
def draw(scene: Scene) -> None:
    scene.object_mode()
    item = scene.pick()
    if not scene.has(item) or not scene.room() or len(item.data.terrain.layers) > MOST_LAYERS:
        return
    kinds = list(scene.module("blender.properties.drawn_kinds").drawn_kinds())
    scene.note = kind = scene.rng.choice(kinds)
    way = scene.rng.choice(("READY_MADE", "READY_MADE", "SELECTED"))
    bpy.ops.terrain.draw(kind=kind, way=way)
    scene.follow()


def pick_shape(scene: Scene) -> Any:
    """Return a curve or an empty of this file, or None."""
    scene.object_mode()
    found = [
        item
        for item in bpy.context.view_layer.objects
        if item.type in ("CURVE", "EMPTY")
        and not (item.library or item.override_library or (item.data and item.data.library))
    ]
    return scene.rng.choice(found) if found else None


@action(9)
def move_shape(scene: Scene) -> None:
    if not (item := pick_shape(scene)):
        return
    which = scene.rng.randrange(3)
    if which == 0:
        item.location.x += scene.rng.uniform(-20, 20)
    elif which == 1:
        item.matrix_world = item.matrix_world @ Matrix.Rotation(0.2, 4, "Z")
    elif item.type == "CURVE":
        change_curve(scene, item.data)
    bpy.context.view_layer.update()
    scene.follow()


def change_curve(scene: Scene, curve: Any) -> None:
    """Move, widen, add or remove points and splines."""
    rng = scene.rng
    if not len(curve.splines):
        curve.splines.new("POLY").points.add(3)
        return
    spline = rng.choice(list(curve.splines))
    points = spline.bezier_points if spline.type == "BEZIER" else spline.points
    which = rng.randrange(5)
    if which == 0 and len(points):
        rng.choice(list(points)).co.x += rng.choice((5, -30, 1e6, 1))
    elif which == 1 and len(points):
        rng.choice(list(points)).radius = rng.choice((0, 1, 10, -1))
    elif which == 2 and len(points) < 40:
        points.add(1)
    elif which == 3:
        curve.splines.remove(spline)
    else:
        curve.dimensions = rng.choice(("2D", "3D"))
        curve.bevel_depth = rng.choice((0, 0.5))


@action(2.5)
def delete_shape(scene: Scene) -> None:
    if not (item := pick_shape(scene)):
        return
    which = scene.rng.randrange(4)
    if which == 0:
        bpy.data.objects.remove(item)
    elif which == 1:
        select(item)
        bpy.ops.object.delete()
    elif which == 2:
        item.name = scene.rng.choice(("Land", "q", "River"))
    elif item.data:
        bpy.data.curves.remove(item.data)
    bpy.context.view_layer.update()
    scene.follow()
