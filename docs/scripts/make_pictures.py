# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of the docs: each preset and each kind of layer.

    python docs/scripts/make_pictures.py                     all of them
    python docs/scripts/make_pictures.py island layer_falloff    only these
    python docs/scripts/make_pictures.py island_ground           one view of a preset

Needs bpy. Writes JPEG files to docs/pictures/. make_preset_pictures.py draws the pictures of the
presets in the menus, which needs Pillow. The picture of the panel is taken in a real window by
tests/window/drive_panel_picture.py, and make_loop.py makes the moving one of the README.
"""

from __future__ import annotations

import dataclasses
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
from mathutils import noise

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402
from example_nodes import columns  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.data import images  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices  # noqa: E402
from terrain_addon.blender.operators.add import make_terrain  # noqa: E402
from terrain_addon.core import (  # noqa: E402
    Bake,
    Group,
    Layer,
    Pad,
    ProjectMesh,
    Recipe,
    River,
    Shape,
    bake,
    presets,
)
from terrain_addon.core.layers import LAYERS, SHAPE, LayerKind  # noqa: E402
from terrain_addon.core.settings import settings_of  # noqa: E402
from terrain_addon.core.shapes import AREA  # noqa: E402

# The view up its largest valley shows few of the summits or the buttes, or no sea.
FRAMINGS: Mapping[str, str] = dict.fromkeys(
    (
        *("alps", "butte_desert", "dolomite_wall", "folded_ranges", "mountain_front"),
        *("rocky_coast", "volcanic_island"),
    ),
    "overview",
)
# The views of each preset, by what their names end with: all of it or up its largest valley, from
# 100 m and from 2 m above the ground.
VIEWS = ("", "_flight", "_ground")
PRESET_SIZE, LAYER_SIZE = (1280, 720), (360, 225)
# The terrain below a shaping layer.
BASE = [
    {
        "kind": "fractal_noise",
        "settings": {"seed": 4, "size": 520.0, "height": 130.0, "octaves": 8, "lacunarity": 2.07},
    }
]
# Clay colors that bring out the form.
PLAIN = {
    "blend": 1.0,
    "regions": [
        {"name": "Low", "start": 0.0, "color": "#7A7F62"},
        {"name": "High", "start": 0.8, "color": "#DDD6C6"},
    ],
}
# The curve that a layer follows: x, y and z in meters.
CURVE = "Curve"
POINTS = [(-420, -180, 0), (-180, -60, 0), (40, -110, 0), (230, 90, 0), (440, 140, 0)]
SHORE = [(-230, 10, 0), (-90, -110, 0), (90, -120, 0), (170, -10, 0), (60, 90, 0), (-120, 120, 0)]
# Buildings: the middle of the floor, half the width and depth in meters, and the turn.
BUILDINGS = [
    ((-180, -150, 8), 80, 40, 0.4),
    ((150, -60, 24), 50, 70, -0.2),
    ((-60, 170, 4), 60, 40, 0.9),
]
# Settings that show a kind of layer better than its defaults.
EROSION = [{"kind": "erosion", "settings": {"valley_spacing": 90.0, "resolution": "512"}}]
SHOWN: Mapping[str, dict[str, object]] = {
    "from_nodes": {"nodes": "Columns", "stored": columns()},
    "falloff": {"shape": "circle", "depth": 200.0, "wobble": 0.4},
    "gullies": {"scale": 60.0, "depth": 12.0},
    "thermal_erosion": {"talus": 22.0},
    "snow": {"line": 10.0, "depth": 4.0},
    "levels": {
        "input_min": -40.0,
        "input_max": 60.0,
        "output_min": 0.0,
        "output_max": 90.0,
        "clamp": True,
    },
    "smooth": {"radius": 60.0},
    "lake": {"depth": 15.0, "reach": 220.0},
    "pad": {"margin": 20.0},
    "range": {"height": 220.0},
    "river": {"width": 30.0, "depth": 4.0, "floor": 10.0, "inflow": 60.0},
    "road": {"width": 26.0, "shoulder": 5.0, "gradient": 0.12, "smooth": 80.0},
    "height_map": {"source": "Valleys", "high": 160.0},
}


def main(wanted: list[str]) -> None:
    """Render the named pictures, or all."""
    PICTURES.mkdir(exist_ok=True)
    terrain_addon.register()
    jobs = {name + view: presets.load(name) for name in presets.names() for view in VIEWS}
    jobs |= {f"layer_{key}": layer_recipe(key) for key in LAYERS}
    for name, recipe in jobs.items():
        if not wanted or {name, name.removesuffix(view_of(name))} & {*wanted}:
            render(name, recipe, small=name.startswith("layer_"))
            print(f"{name}.jpg", flush=True)


def view_of(name: str) -> str:
    """Return what the name of a picture ends with, an empty string for the first of a preset."""
    return next((view for view in VIEWS[1:] if name.endswith(view)), "")


def layer_recipe(key: str) -> Recipe:
    """Return a recipe that shows one kind of layer."""
    kind = LAYERS[key]
    follows = {one.name: CURVE for one in settings_of(kind) if one.unit == "shape"}
    layer = Layer.of(kind.from_dict(SHOWN.get(key, {}) | follows, key)).to_dict()
    if kind is Group:
        layer |= {"layers": [{"kind": "terrace"}], "masks": {"noise": {}}}
    below = BASE if kind.group == SHAPE else []
    above = EROSION if kind is River else []  # which makes its valley
    data = {"layers": [*below, layer, *above], "palette": PLAIN, "material": "simple"}
    recipe = Recipe.from_dict(data)
    # As in Add Layer: snow is white.
    colored = recipe.palette.with_fields(recipe.layers[len(below)].settings.colored_fields())
    shown = {kind.water: True, "min_lake_size": 0.15} if kind.water else {}
    water = dataclasses.replace(recipe.water, **shown)
    shapes = (Shape.of(CURVE, [POINTS]),) if follows else ()
    return dataclasses.replace(recipe, palette=colored, shapes=shapes, water=water)


def _drawn(kind: type[LayerKind]) -> Any:
    """Return the data of what a layer follows: a line, a shore or buildings."""
    if kind is Pad:
        return _buildings()
    if kind is ProjectMesh:
        return _rock()
    data = bpy.data.curves.new(CURVE, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER" if kind.drawn == AREA else "POLY")
    places = SHORE if kind.drawn == AREA else POINTS
    spline.use_cyclic_u = kind.drawn == AREA
    points = spline.bezier_points if kind.drawn == AREA else spline.points
    points.add(len(places) - 1)
    for point, place in zip(points, places, strict=True):
        if kind.drawn == AREA:
            point.co = place
            point.handle_left_type = point.handle_right_type = "AUTO"
        else:
            point.co = (*place, 1.0)
    return data


def _buildings() -> Any:
    """Return a mesh of boxes."""
    points: list[tuple[float, float, float]] = []
    faces: list[list[int]] = []
    for (x, y, z), width, depth, turn in BUILDINGS:
        first, c, s = len(points), math.cos(turn), math.sin(turn)
        for top in (z, z + 30):
            for u, v in ((-width, -depth), (width, -depth), (width, depth), (-width, depth)):
                points.append((x + c * u - s * v, y + s * u + c * v, top))
        for side in (
            (3, 2, 1, 0),
            (4, 5, 6, 7),
            (0, 1, 5, 4),
            (1, 2, 6, 5),
            (2, 3, 7, 6),
            (3, 0, 4, 7),
        ):
            faces.append([first + corner for corner in side])
    data = bpy.data.meshes.new(CURVE)
    data.from_pydata(points, [], faces)
    return data


def _rock() -> Any:
    """Return the data of a boulder: a sphere with a rough surface."""
    import bmesh  # part of bpy, which comes first

    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=5, radius=190.0)
    for point in made.verts:
        rough = noise.hetero_terrain(point.co / 150.0, 1.0, 2.1, 5, 0.6)
        point.co *= 0.8 + 0.2 * rough
        point.co.z *= 0.7
    data = bpy.data.meshes.new(CURVE)
    made.to_mesh(data)
    made.free()
    return data


def _height_image(name: str) -> None:
    """Add an image of heights that resembles an elevation model."""
    hills = presets.load("eroded_hills")
    pixels = bake(hills, hills.pixel_grid(512), Bake(values="normalized")).pixels
    images.new(name, pixels, color=False)


def render(name: str, recipe: Recipe, *, small: bool) -> None:
    """Create the terrain as the Add operator does, and render it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    if "Valleys" in recipe.map_names:
        _height_image("Valleys")
    collection = bpy.context.scene.collection
    if recipe.shapes:
        kind = type(recipe.layers[-1].settings)
        drawn = bpy.data.objects.new(CURVE, _drawn(kind))
        drawn.hide_render = kind is ProjectMesh  # the terrain takes its place
        collection.objects.link(drawn)
    terrain = make_terrain(name, recipe, 513 if small else 1025, collection)
    if small:
        _without_grain(terrain.data.materials[0])
    width, height = LAYER_SIZE if small else PRESET_SIZE
    framing = view_of(name).removeprefix("_") or FRAMINGS.get(name, "auto")
    studio.photograph(
        terrain,
        PICTURES / f"{name}.jpg",
        width=width,
        height=height,
        samples=12,
        setting=SceneryChoices(edges="block" if small else "horizon", framing=framing),
    )


def _without_grain(material: Any) -> None:
    """Remove the grain, so that only the form of the mesh is visible."""
    tree = material.node_tree
    surface = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    color = next(node for node in tree.nodes if node.type == "VERTEX_COLOR")
    tree.links.new(color.outputs["Color"], surface.inputs["Base Color"])
    tree.links.remove(surface.inputs["Normal"].links[0])


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # Some releases of bpy crash while the interpreter shuts down.
