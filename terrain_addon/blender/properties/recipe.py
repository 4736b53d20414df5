# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between the property groups of a terrain and a recipe of the core."""

import dataclasses
from collections.abc import Callable
from typing import Any

import bpy

from ...core import Climate, Grid, Group, Layer, Palette, Recipe, Region, Water
from ...core.analysis import FIELDS
from ...core.layers import LAYERS, MASKS, FromNodes, LayerKind, Mask
from ...core.recipe import default_mask_for, fitted_mask
from ...core.settings import Settings, settings_of
from ..mesh import drawn_shapes, imagery, painted_maps, terrain_mesh
from ..mesh.signature import Signature
from .declare import from_blender, to_blender
from .drag_speeds import is_variant
from .held_rivers import note_rivers, read_rivers, write_rivers
from .mask_view import mask_view_of

SWITCHES = tuple(name for name in FIELDS if name != "slope")
"""The optional fields of the mesh; it always has the slope."""
MASK = "mask_"
"""Prefix of the properties of a layer that hold its masks."""


def read_settings(group: Any, cls: type[Settings]) -> dict[str, Any]:
    """Return the values of the settings that ``cls`` declares, from a property group."""
    return {s.name: from_blender(s, getattr(group, s.name)) for s in settings_of(cls)}


def write_settings(group: Any, settings: Settings) -> None:
    """Write settings to a property group."""
    for setting in settings_of(type(settings)):
        setattr(group, setting.name, to_blender(setting, getattr(settings, setting.name)))


def read(terrain: Any) -> Recipe:
    """Read the recipe of a terrain, with the maps, shapes and image that it names.

    Points whose heights no layer reads are at 0: curves can be draped without a rebuild.
    Raises ValueError if it is not valid.
    """
    recipe, shown = read_bare(terrain), mask_view_of(terrain)
    if name := recipe.palette.image:
        recipe = dataclasses.replace(recipe, imagery=imagery.imagery_of(name))
    maps, drawn = recipe.map_names, recipe.shape_names
    if shown and 0 <= shown.place < len(recipe.layers):  # it may be off
        maps = tuple(dict.fromkeys((*maps, *recipe.layers[shown.place].map_names)))
        drawn = tuple(dict.fromkeys((*drawn, *recipe.layers[shown.place].shape_names)))
    mesh = terrain.id_data.original
    others = [name for name in maps if painted_maps.names_terrain(mesh, name)]
    shapes = drawn_shapes.shapes_of(mesh, drawn, others)
    if maps:
        built = Signature.built(terrain)
        recipe = dataclasses.replace(
            recipe, maps=painted_maps.maps_of(mesh, (built.nx, built.ny), maps)
        )
    flat = recipe.shapes_in_plan
    shapes = tuple(shape.in_plan() if shape.name in flat else shape for shape in shapes)
    return dataclasses.replace(recipe, shapes=shapes) if shapes else recipe


def read_bare(terrain: Any) -> Recipe:
    """Read the recipe of a terrain without its maps, shapes and image, which are slow to read."""
    return Recipe(
        layers=tuple(read_layer(item) for item in terrain.layers),
        water=Water(**read_settings(terrain.water, Water)),
        palette=read_palette(terrain.palette),
        climate=_read_climate(terrain.climate),
        attributes=tuple(name for name in SWITCHES if getattr(terrain.attributes, name)),
        **read_settings(terrain, Recipe),
    )


def _read_climate(group: Any) -> Climate | None:
    return Climate(**read_settings(group, Climate)) if group.own else None


def with_known_results(recipe: Recipe) -> Recipe:
    """Return a recipe without the nodes of layers and masks that have no result yet.

    They have no effect until they are evaluated, which is soon.
    """

    def known(part: Any) -> Any:
        waits = isinstance(part, FromNodes) and part.nodes and not part.stored
        return dataclasses.replace(part, nodes="") if waits else part

    layers = tuple(
        dataclasses.replace(
            layer, settings=known(layer.settings), masks=tuple(map(known, layer.masks))
        )
        for layer in recipe.layers
    )
    return recipe if layers == recipe.layers else dataclasses.replace(recipe, layers=layers)


def read_palette(group: Any) -> Palette:
    """Read the palette in a property group."""
    regions = tuple(read_regions(group))
    colors: dict[str, Any] = {"regions": regions} if regions else {}
    return Palette(**read_settings(group, Palette), **colors)


def read_regions(group: Any) -> list[Region]:
    """Read the regions of a palette group in the order of the list, which animation uses."""
    return [Region(**read_settings(item, Region)) for item in group.regions]


def read_layer(item: Any) -> Layer:
    """Return one layer; ValueError if this version does not have its kind."""
    kind: type[LayerKind] = LAYERS.find(item.kind, f"Layer {item.name!r}")
    count = {"count": item.count} if kind is Group else {}
    own_colors = kind is Group and item.own_colors
    return Layer(
        settings=kind(**read_settings(getattr(item, kind.key), kind), **count),
        masks=tuple(
            _read_mask(item, mask) for mask in MASKS.values() if getattr(item, MASK + mask.key).use
        ),
        palette=read_palette(item.palette) if own_colors else None,
        rivers_at=tuple(read_rivers(item, kind).items()),
        **read_settings(item, Layer),
    )


def _read_mask(item: Any, mask: type[Mask]) -> Mask:
    return mask(**read_settings(getattr(item, MASK + mask.key), mask))


def write(terrain: Any, recipe: Recipe) -> None:
    """Write a recipe to the properties of a terrain; the caller rebuilds the mesh."""
    write_settings(terrain, recipe)
    write_settings(terrain.water, recipe.water)
    write_palette(terrain.palette, recipe.palette)
    terrain.climate.own = recipe.climate is not None
    write_settings(terrain.climate, recipe.climate or Climate())
    for name in SWITCHES:
        setattr(terrain.attributes, name, name in recipe.attributes)
    terrain.layers.clear()
    for layer in recipe.layers:
        write_layer(terrain.layers.add(), layer, recipe.size_x, recipe.size_y)
    terrain.active_layer = max(0, min(terrain.active_layer, len(terrain.layers) - 1))
    note_rivers(terrain)


def rewrite(terrain: Any, change: Callable[[Recipe], Recipe]) -> None:
    """Replace the settings of a terrain by ``change(recipe)``, which keeps its layers and masks.

    Masks that are off take part.
    """
    layers = tuple(
        dataclasses.replace(
            read_layer(item), masks=tuple(_read_mask(item, mask) for mask in MASKS.values())
        )
        for item in terrain.layers
    )
    recipe = change(dataclasses.replace(read_bare(terrain), layers=layers))
    write_settings(terrain, recipe)
    write_settings(terrain.water, recipe.water)
    write_palette(terrain.palette, recipe.palette)
    if recipe.climate:
        write_settings(terrain.climate, recipe.climate)
    for item, layer in zip(terrain.layers, recipe.layers, strict=True):
        write_settings(getattr(item, layer.settings.key), layer.settings)
        write_rivers(item, dict(layer.rivers_at))
        if layer.palette:
            write_palette(item.palette, layer.palette)
        for mask in layer.masks:
            write_settings(getattr(item, MASK + mask.key), mask)
    note_rivers(terrain)


def copy_group(source: Any, target: Any) -> None:
    """Copy all properties of a group to another of the same type."""
    for prop in source.bl_rna.properties:
        if prop.identifier == "rna_type" or is_variant(prop.identifier):
            continue
        value = getattr(source, prop.identifier)
        if isinstance(value, bpy.types.PropertyGroup):
            copy_group(value, getattr(target, prop.identifier))
        elif prop.type == "COLLECTION":
            items: Any = getattr(target, prop.identifier)
            items.clear()
            for one in value:
                copy_group(one, items.add())
        elif not prop.is_readonly:
            setattr(target, prop.identifier, value)


def write_layer(item: Any, layer: Layer, size_x: float, size_y: float) -> None:
    """Write a layer to an item; masks that it lacks are off, with defaults for that size."""
    item.kind = layer.settings.key
    item.count = layer.settings.holds or 0
    item.own_colors = layer.palette is not None
    if layer.palette:
        write_palette(item.palette, layer.palette)
    write_settings(item, layer)
    write_settings(getattr(item, layer.settings.key), layer.settings)
    write_rivers(item, dict(layer.rivers_at))
    masks = {mask.key: mask for mask in layer.masks}
    for key, mask in MASKS.items():
        group = getattr(item, MASK + key)
        group.use = key in masks
        write_settings(group, masks.get(key) or default_mask_for(mask, size_x, size_y))


def fit_mask(group: Any, mask: type[Mask], *, only_new: bool) -> None:
    """Let the mask in a property group select the range of its field on the terrain.

    With ``only_new``, a mask whose settings are not the defaults stays.
    """
    mesh = group.id_data
    terrain = mesh.terrain
    made = mask(**read_settings(group, mask))
    if not only_new or made in (mask(), default_mask_for(mask, terrain.size_x, terrain.size_y)):
        ends = terrain_mesh.range_of(mesh, made.selects)
        write_settings(group, fitted_mask(made, {made.selects: ends} if ends else {}))


def write_palette(group: Any, palette: Palette) -> None:
    """Write a palette to a property group."""
    write_settings(group, palette)
    group.regions.clear()
    for region in palette.regions:
        write_settings(group.regions.add(), region)
    group.active_region = max(0, min(group.active_region, len(group.regions) - 1))


def grid_of(terrain: Any, recipe: Recipe) -> Grid:
    """Return the grid of points of a terrain's mesh."""
    counts = (terrain.resolution, terrain.resolution_y)
    full = recipe.shape(counts[0] if terrain.square_cells else counts, points=True)
    step = int(terrain.viewport_detail)
    nx, ny = (max(round((n - 1) / step) + 1, 2) for n in full)
    return recipe.grid((nx, ny))
