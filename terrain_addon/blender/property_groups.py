# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups generated from the core's registries, and ``Mesh.terrain``."""

from contextlib import suppress
from typing import Any, cast

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core import Bake, Climate, Layer, Palette, Recipe, Region, Water
from ..core.analysis import FIELDS
from ..core.layers import LAYERS, MASKS, LayerKind, Mask
from ..core.output.engines import ENGINES
from ..core.recipe import variable_settings
from ..core.settings import Settings, settings_of
from .bake.export_settings import common_properties, engine_properties, mask_properties
from .bake.job import IN_SETS
from .bake.output import Output
from .live import plants
from .live.callbacks import changed, colored, folded, layer_chosen, mask_view_changed
from .live.rebuild import is_quiet, quiet
from .mesh.new_grid import RESOLUTION
from .objects.water_kinds import KINDS
from .properties.declare import blender_properties, blender_property, enum_items
from .properties.held_rivers import rivers_property
from .properties.loaded_preset import preset_properties
from .properties.mask_view import legend_properties, mask_view_property
from .properties.plants import kind_properties, plants_properties
from .properties.profile import profile_properties
from .properties.recipe import MASK, SWITCHES, fit_mask

DETAILS = (
    ("1", "Full", "Every point"),
    ("2", "1/2", "Every second point in X and Y: a quarter of the points"),
    ("4", "1/4", "Every fourth point in X and Y: a sixteenth of the points"),
    ("8", "1/8", "Every eighth point in X and Y"),
)

# These do not change the mesh.
_SILENT = {"name", "about", "group", "sky"}
# These change topology or objects, which a frame change must not do.
_STILL = {Recipe: {"size_x", "size_y", "material"}, Water: {kind.switch for kind in KINDS.values()}}
_made: list[type] = []


def _declared(cls: type[Settings]) -> dict[str, Any]:
    """Return the settings of a class as property declarations."""
    declared: dict[str, Any] = {}
    for setting in settings_of(cls):
        update = None if setting.name in _SILENT else changed
        still = setting.name in _STILL.get(cls, ())
        declared |= blender_properties(setting, update, animatable=not still)
    return declared


def _make(name: str, properties: dict[str, Any]) -> type:
    """Declare and register one property group."""
    cls = type(f"TERRAIN_PG_{name}", (bpy.types.PropertyGroup,), {"__annotations__": properties})
    bpy.utils.register_class(cls)
    _made.append(cls)
    return cls


def _make_layer(palette: type) -> type:
    """Return a layer item: common settings, one group per kind of layer and per kind of mask."""
    kinds = enum_items((k, c.label, c.help, c.icon) for k, c in LAYERS.items())
    properties = _declared(Layer)
    properties["kind"] = EnumProperty(
        name="Kind", description="What the layer does", items=kinds, update=changed
    )
    properties["rivers_at"] = rivers_property()
    properties["count"] = IntProperty(
        name="Count",
        description="Number of layers below that belong to a group",
        min=0,
        options={"HIDDEN"},
    )
    properties["folded"] = BoolProperty(
        name="Fold", description="Hide the layers of this group", options=set(), update=folded
    )
    properties["own_colors"] = BoolProperty(
        name="Own Colors",
        description="Show colors of its own where this group acts. The panel Colors edits them "
        "while the group is active",
        options=set(),
        update=colored,
    )
    properties["palette"] = PointerProperty(
        type=palette, name="Colors", description="The colors of a group"
    )
    properties["export_mask"] = BoolProperty(
        name="Export Mask",
        description="Write a mask of where the layer acts with each export",
        options=set(),
    )
    for key, kind in LAYERS.items():
        locks = PointerProperty(type=_make(f"locks_{key}", _locks(kind)))
        group = _make(f"layer_{key}", {**_declared(kind), "locks": locks})
        properties[key] = PointerProperty(type=group, name=kind.label, description=kind.help)
    for key, mask in MASKS.items():
        group = _make(f"mask_{key}", _mask_properties(mask))
        properties[MASK + key] = PointerProperty(type=group, name=mask.label, description=mask.help)
    return _make("layer", properties)


def _mask_properties(mask: type[Mask]) -> dict[str, Any]:
    """Return settings of a mask and its switch. It starts at the terrain's own range of heights,
    slopes or whatever it selects: when it is switched on for the first time, and for each chosen
    field."""

    def switched(group: Any, context: Any) -> None:
        _fit(group, mask, only_new=True)
        changed(group, context)

    def chosen(group: Any, context: Any) -> None:
        _fit(group, mask, only_new=False)
        changed(group, context)

    use = BoolProperty(name=mask.label, description=mask.help, update=switched)
    field = {
        setting.name: blender_property(setting, chosen)
        for setting in settings_of(mask)
        if setting.name == "field"
    }
    return {"use": use, **_declared(mask), **field}


def _fit(group: Any, mask: type[Mask], *, only_new: bool) -> None:
    """Fit a mask that is on to the terrain, all at once."""
    if group.use and group.id_data.terrain.is_terrain and not is_quiet():
        with quiet(), suppress(ValueError):  # of settings that a newer version wrote
            fit_mask(group, mask, only_new=only_new)


def _locks(kind: type[LayerKind]) -> dict[str, Any]:
    """Return a lock for each setting that Randomize varies."""
    return {
        setting.name: BoolProperty(
            name=setting.label, description="Keep this setting when you randomize", options=set()
        )
        for setting in variable_settings(kind)
    }


def _make_palette() -> type:
    return _make(
        "palette",
        {
            **_declared(Palette),
            "regions": CollectionProperty(type=_make("region", _declared(Region))),
            "active_region": IntProperty(name="Active Region", min=0, options={"HIDDEN"}),
        },
    )


def _make_climate() -> type:
    """Return the climate, and a switch: without it, the recipe has none of its own."""
    own = BoolProperty(
        name="Own Climate",
        description="Set the temperature and the latitude, which plants and fields such as "
        "Moisture depend on. Otherwise snow among the colors is where it is -3 degrees C, and "
        "without snow the sea or the lowest ground has 9",
        options=set(),
        update=changed,
    )
    return _make("climate", {"own": own, **_declared(Climate)})


def _make_attributes() -> type:
    """Return a switch for each optional field of the mesh."""
    return _make(
        "attributes",
        {
            name: BoolProperty(
                name=FIELDS[name].label,
                description=f"Write the attribute {name} to the mesh. {FIELDS[name].help}",
                options=set(),
                update=changed,
            )
            for name in SWITCHES
        },
    )


def _make_bake() -> type:
    settings = (*settings_of(Bake), *settings_of(Output))
    return _make("bake", {setting.name: blender_property(setting, None) for setting in settings})


def _make_bake_set() -> type:
    """Return a switch for each image that a set may hold."""
    return _make(
        "bake_set",
        {
            name: BoolProperty(
                name=what.shown,
                description=what.kind.help_of(what),
                default=what.kind.usual,
                options=set(),
            )
            for name, what in IN_SETS.items()
        },
    )


def _make_export() -> type:
    """Return settings of an export; each engine has a group of its own."""
    own = {
        key: PointerProperty(type=_make(f"export_{key}", engine_properties(engine)))
        for key, engine in ENGINES.items()
    }
    masks = PointerProperty(type=_make("export_masks", mask_properties()))
    return _make("export", {**common_properties(), **own, "masks": masks})


def _resolution(axis: str, help: str) -> Any:
    return IntProperty(
        name=f"Resolution{axis}", description=help, **RESOLUTION, options=set(), update=changed
    )


def _viewing() -> dict[str, Any]:
    """Return the resolution, viewport detail, live updates and the switch of handles."""
    return {
        "resolution": _resolution("", "Points along the longer side, or along X"),
        "resolution_y": _resolution(" Y", "Points along Y"),
        "square_cells": BoolProperty(
            name="Square Cells",
            description="Choose the points along the shorter side so that cells are square",
            default=True,
            options=set(),
            update=changed,
        ),
        "viewport_detail": EnumProperty(
            name="Viewport Detail",
            description="Reduce the points of the mesh, in renders too. The terrain stays the same",
            items=enum_items((*detail, "NONE") for detail in DETAILS),
            default="1",
            options=set(),
            update=changed,
        ),
        "show_handles": BoolProperty(
            name="Handles",
            description="Show points in the viewport that change this layer when you drag them",
            default=True,
            options=set(),
        ),
        "live": BoolProperty(
            name="Live",
            description="Rebuild the terrain on every change",
            default=True,
            options=set(),
            update=changed,
        ),
    }


def _make_terrain() -> type:
    hidden: dict[str, Any] = {"options": {"HIDDEN"}}
    palette = _make_palette()
    return _make(
        "terrain",
        {
            "is_terrain": BoolProperty(
                name="Is Terrain", description="This mesh is built from a recipe", **hidden
            ),
            **_declared(Recipe),
            **_viewing(),
            "layers": CollectionProperty(type=_make_layer(palette)),
            "active_layer": IntProperty(name="Active Layer", min=0, update=layer_chosen, **hidden),
            "mask_view": mask_view_property(mask_view_changed),
            "legend": PointerProperty(type=_make("legend", legend_properties())),
            "palette": PointerProperty(type=palette),
            "attributes": PointerProperty(type=_make_attributes()),
            "bake": PointerProperty(type=_make_bake()),
            "bake_set": PointerProperty(type=_make_bake_set()),
            "export": PointerProperty(type=_make_export()),
            "water": PointerProperty(type=_make("water", _declared(Water))),
            "climate": PointerProperty(type=_make_climate()),
            "profile": PointerProperty(type=_make("profile", profile_properties())),
            **preset_properties(),
            "built": StringProperty(
                name="Built", description="What the mesh was last built from", **hidden
            ),
        },
    )


def _make_plants() -> type:
    kinds = _make("plant_kind", kind_properties(plants.styled))
    return _make("plants", plants_properties(kinds, plants.changed, plants.styled, plants.shown))


def register() -> None:
    cast(Any, bpy.types.Object).terrain_plants = PointerProperty(
        type=_make_plants(), name="Plants", description="What grows on a terrain"
    )
    cast(Any, bpy.types.Mesh).terrain = PointerProperty(
        type=_make_terrain(), name="Terrain", description="The recipe of this terrain"
    )


def unregister() -> None:
    del cast(Any, bpy.types.Mesh).terrain
    del cast(Any, bpy.types.Object).terrain_plants
    while _made:
        bpy.utils.unregister_class(_made.pop())
