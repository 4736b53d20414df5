# SPDX-License-Identifier: GPL-3.0-or-later
"""Import an OpenStreetMap file on a real terrain by mouse, and make layers of it."""

import math
from pathlib import Path

import bpy

FILE, PLACE = "jacksboro.tif", "village.osm"
WEST, SOUTH = -84.32, 36.18
"""Degrees, near the middle of the terrain."""


def village() -> str:
    """Return an OpenStreetMap file of winding roads, a river and a lake."""
    turn = [n / 10 * math.pi for n in range(21)]
    ways = [
        (
            {"highway": "primary", "width": "160"},
            [(n / 40, 0.5 + 0.08 * math.sin(n / 5)) for n in range(-40, 81)],
        ),
        (
            {"highway": "track", "width": "80"},
            [(0.4 + 0.1 * math.sin(n / 8), n / 40) for n in range(-30, 60)],
        ),
        ({"waterway": "river", "width": "200"}, [(1.2 - n / 40, 1.4 - n / 30) for n in range(60)]),
        ({"natural": "water"}, [(0.75 + math.cos(a) / 10, 0.8 + math.sin(a) / 12) for a in turn]),
    ]
    nodes: list[str] = []
    texts: list[str] = []
    for number, (tags, points) in enumerate(ways, 1):
        refs = ""
        for place, (x, y) in enumerate(points):
            lon, lat = WEST + 0.1 * x, SOUTH + 0.1 * y
            nodes.append(f'<node id="{number}-{place}" lat="{lat}" lon="{lon}"/>')
            last = "natural" in tags and place == len(points) - 1
            refs += f'<nd ref="{number}-{0 if last else place}"/>'
        marks = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        texts.append(f'<way id="{number}">{refs}{marks}</way>')
    return f"<osm>{''.join(nodes)}{''.join(texts)}</osm>"


def drive(ui):
    Path(ui.out, PLACE).write_text(village())
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add_elevation(filepath=str(Path(ui.out, FILE)))
    terrain = bpy.context.view_layer.objects.active
    name = terrain.name
    yield 1.0
    yield from ui.choose_entry("TERRAIN_MT_layers", "bpy.ops.terrain.import_vectors", "menu")
    yield from ui.file_browser()
    yield from ui.choose_file(PLACE, "browser")
    yield from ui.wait_until(lambda: "village" in bpy.data.collections, "nothing was imported")
    yield 1.0
    ui.shot("imported")
    before = ui.heights(name)
    yield from ui.choose_entry("TERRAIN_MT_layers", "bpy.ops.terrain.vector_layers")
    yield 1.0
    ui.shot("dialog")
    ui.xdotool("key", "Return")
    yield from ui.reshaped(name, before, "no layer was made")
    yield 1.0
    ui.shot("layers")
    kinds = [layer.kind for layer in bpy.data.objects[name].data.terrain.layers]
    assert kinds == ["height_map", "river", "lake", "road"], kinds
