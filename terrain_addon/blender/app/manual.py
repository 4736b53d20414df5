# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the manual: on disk where the extension's zip brought them, otherwise on its site.

A page is named as its file in docs/guide, with a heading where needed: ``"erosion#coasts"``.
"""

import re
from pathlib import Path

from ...core.layers import LAYERS, MASKS

FOLDER = Path(__file__).parents[2] / "manual"
"""Written into the zip by docs/scripts/make_manual.py."""
SITE = "https://github.com/orogen-terrain/orogen/blob/main/docs"
GUIDE = "user-guide"
PLANTS = "plants#plants-in-blender"
ADJUST, LAYERED, COLORS = f"{GUIDE}#adjust-it", f"{GUIDE}#layers", f"{GUIDE}#colors"
FIELDS, BAKE, EXPORT = f"{GUIDE}#fields-and-masks", f"{GUIDE}#bake", "exporting"
RENDER, WATER, WORLDS = f"{GUIDE}#render-it", f"{GUIDE}#water", "worlds"
CLIMATE = "plants#climate"

OPERATORS = {
    "add_elevation": "from-an-elevation-file",
    "add": f"{GUIDE}#add-a-terrain",
    "amplify": "from-an-elevation-file",
    "drape_image": "from-an-elevation-file",
    "clear_place": "from-an-elevation-file",
    "import_vectors": "roads-and-rivers",
    "vector_layers": "roads-and-rivers",
    "contours": "roads-and-rivers#contours",
    "export_contours": "roads-and-rivers#contours",
    "open_map": "from-an-elevation-file",
    "size_to_map": "from-an-elevation-file",
    "paint_map": "paint-a-mask",
    "keep_sculpt": "sculpt-a-terrain",
    "*_nodes": "nodes",
    "draw": "draw-a-valley",
    "drape": "draw-a-valley",
    "layer_copy_code": "noise",
    "layer_group": "biomes",
    "layer_ungroup": "biomes",
    "biome_*": "biomes",
    "layer_*": LAYERED,
    "preset_load": f"{GUIDE}#add-a-terrain",
    "preset_*": f"{GUIDE}#your-own-presets",
    "palette_*": COLORS,
    "region_*": COLORS,
    "show": FIELDS,
    "scenery": "render-a-picture",
    "plants_*": PLANTS,
    "check": f"{GUIDE}#check-what-you-drew",
    "realism": "realism",
    "bake*": BAKE,
    "displace_setup": BAKE,
    "export_usd": "meshes",
    "export*": EXPORT,
    "copy_height": EXPORT,
    "levels_of_detail": "meshes",
    "solid": "meshes",
    "world_*": WORLDS,
    "fit*": "fit-to-elevation",
    "*": ADJUST,
}
"""Pages of operators, by patterns of their names; the first that fits counts."""
GROUPS = {
    "layer": LAYERED,
    "palette": COLORS,
    "region": COLORS,
    "attributes": FIELDS,
    "legend": FIELDS,
    "water": WATER,
    "climate": CLIMATE,
    "bake*": BAKE,
    "export*": EXPORT,
    "plant*": PLANTS,
    "*": ADJUST,
}
"""The same of property groups; those of layers and masks have pages of their own."""


def url(page: str) -> str:
    """Return the address of a page."""
    name, _, heading = page.partition("#")
    path = FOLDER / f"{name}.html"
    if path.is_file():
        address = path.as_uri()
    else:
        address = f"{SITE}/{'' if name == 'reference' else 'guide/'}{name}.md"
    return f"{address}#{heading}" if heading else address


def of_kind(kind: type) -> str:
    """Return the page with the settings of a kind of layer or mask."""
    title = f"{kind.label} ({kind.key})".lower()
    return "reference#" + re.sub(r"[^\w -]", "", title).replace(" ", "-")


def pages() -> list[tuple[str, str]]:
    """Return the pages of all operators and properties, by patterns of Blender's names for them."""
    settings = [
        (f"{what}_{key}", of_kind(kind))
        for what, kinds in (("layer", LAYERS), ("mask", MASKS))
        for key, kind in kinds.items()
    ]
    groups = [*settings, *GROUPS.items()]
    return [
        *((f"bpy.ops.terrain.{name}", page) for name, page in OPERATORS.items()),
        *((f"bpy.types.terrain_pg_{name}.*", page) for name, page in groups),
        ("bpy.types.worldsettings.*", WORLDS),
        ("bpy.types.object.terrain_plants*", PLANTS),
        ("bpy.types.mesh.terrain*", ADJUST),
    ]
