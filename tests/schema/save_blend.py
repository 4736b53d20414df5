# SPDX-License-Identifier: GPL-3.0-or-later
"""Save a .blend with terrains, for later versions of the extension to open.

python -m tests.schema.save_blend     once, in the environment of each Blender release
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any

from tests.schema.golden import RECORDED

RECIPES = RECORDED / "blender.json"
"""The recipes in the files, by object name."""


def recipes() -> dict[str, Any]:
    """Return two presets, and a recipe with every kind of layer and mask, by object name."""
    from terrain_addon.core import Layer, Recipe, presets
    from terrain_addon.core.layers import LAYERS, MASKS
    from tests.schema.golden import changed

    masks = tuple(changed(kind) for key, kind in MASKS.items() if key != "map")
    layers = [Layer.of(changed(kind), opacity=0.3) for key, kind in LAYERS.items()]
    layers[0] = Layer.of(LAYERS["fractal_noise"](), masks=masks)
    named = [layer for layer in layers if not layer.map_names]
    kinds = Recipe(seed=5, layers=tuple(named))
    return {"Island": presets.load("island"), "Alps": presets.load("alps"), "Kinds": kinds}


def main() -> None:
    import bpy

    import terrain_addon
    from terrain_addon.blender.operators.add import make_terrain

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    terrain_addon.register()
    made = recipes()
    for name, recipe in made.items():
        make_terrain(name, recipe, 33, bpy.context.collection)
    if not RECIPES.exists():
        data = {name: recipe.to_dict() for name, recipe in made.items()}
        RECIPES.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    release = ".".join(map(str, bpy.app.version[:2]))
    path = RECORDED / f"blender-{release}.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True, copy=True)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as profile:
        os.environ["BLENDER_USER_RESOURCES"] = profile
        main()
        sys.stdout.flush()
        os._exit(0)  # some releases of bpy do not survive Python's own shutdown
