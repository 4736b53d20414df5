# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel, menu and list draws in this release.

No window is drawn in the background, so the layout here notes nothing but compares: each method,
argument, property, operator and icon must be one of the Blender that runs the test.
"""

from types import FunctionType
from typing import Any

import bpy
import pytest

from terrain_addon.blender.objects.plants import points
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS, MASKS

LAYOUT = bpy.types.UILayout.bl_rna
ICONS = LAYOUT.functions["prop"].parameters["icon"].enum_items.keys()
DRAWN = (bpy.types.Panel, bpy.types.Menu)


class Panel:
    """A panel as its methods see it, with a layout that is checked."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.layout = kind, CheckedLayout()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.kind, name)
        return found.__get__(self) if isinstance(found, FunctionType) else found


class CheckedLayout:
    """Takes what a UILayout of this release takes, and fails at anything else."""

    def __getattr__(self, name: str) -> Any:
        if name in LAYOUT.properties:
            return LAYOUT.properties[name].default
        if name == "introspect" or name not in LAYOUT.functions:
            assert hasattr(bpy.types.UILayout, name), f"UILayout has no {name}"
            return lambda *_, **__: CheckedLayout()
        return lambda *given, **named: self._called(name, given, named)

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in LAYOUT.properties, f"UILayout has no {name}"

    def _called(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        function = LAYOUT.functions[name]
        inputs = [one.identifier for one in function.parameters if not one.is_output]
        asked = dict(zip(inputs, given, strict=False)) | named
        assert set(asked) <= set(inputs), f"{name} takes no {set(asked) - set(inputs)}"
        assert asked.get("icon", "NONE") in ICONS, asked["icon"]
        if "property" in asked and "data" in asked:
            assert asked["property"] in asked["data"].bl_rna.properties, asked
        if name == "operator":
            return CheckedOperator(asked["operator"])
        if name == "menu":
            assert hasattr(bpy.types, asked["menu"]), asked
        outputs = sum(one.is_output for one in function.parameters)
        return CheckedLayout() if outputs < 2 else (CheckedLayout(),) * outputs


class CheckedOperator:
    """Takes the properties of an operator."""

    def __init__(self, name: str) -> None:
        group, _, key = name.partition(".")
        known = getattr(getattr(bpy.ops, group), key).get_rna_type().properties
        object.__setattr__(self, "known", known)

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in self.known, name

    def __getattr__(self, name: str) -> Any:
        assert name in self.known, name
        return CheckedOperator.__new__(CheckedOperator)


def classes() -> list[Any]:
    return [
        one
        for name in dir(bpy.types)
        if name.startswith("TERRAIN_") and issubclass(one := getattr(bpy.types, name), DRAWN)
    ]


def everything() -> Recipe:
    """Return a recipe with a layer of each kind, each with a mask."""
    masks = list(MASKS.values())
    layers = [Layer.of(kind()) for kind in LAYERS.values()]
    layers += [Layer.of(LAYERS["ramp"](), masks=(mask(),)) for mask in masks]
    return Recipe(layers=tuple(layers), material="simple")


@pytest.mark.smoke
def test_every_panel_and_menu_draws(add: Any) -> None:
    item = add(everything(), 9)
    points.new(bpy.context, item, "Plants", {"species": "rocks", "own_climate": True})
    drawn = set()
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    region = next(one for one in area.regions if one.type == "UI")
    with bpy.context.temp_override(window=window, area=area, region=region):
        for active in range(len(item.data.terrain.layers)):
            item.data.terrain.active_layer = active
            for one in classes():
                if not hasattr(one, "poll") or one.poll(bpy.context):
                    drawn.add(one.__name__)
                    Panel(one).draw(bpy.context)
                    if hasattr(one, "draw_header_preset"):
                        Panel(one).draw_header_preset(bpy.context)
    assert {"TERRAIN_PT_plants"} < drawn and len(drawn) > 20, drawn
