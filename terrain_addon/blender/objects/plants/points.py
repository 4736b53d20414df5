# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as points of a mesh, with attributes that nodes, materials and exports read.

What growth gave stays on the points (`COLUMNS`): what shows a plant and the colors of its season
follow from that, without growing again.
"""

import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.numerics.srgb import linear
from ....core.plants import PlantSet, Species, kinds_of
from ...app.undo import note_new_data
from ...data.attributes import clear_geometry, values_of
from ...data.plant_objects import plants_of, settings_of_plants
from ...data.terrains import objects_of, own_collections
from ...mesh.sculpted import heights_at
from ...properties.plants import set_of
from . import instancer
from .growing import Grown
from .models import KINDS, OLD, VARIANTS, YOUNG
from .palette import Palette, kind_of

Columns = Mapping[str, NDArray[Any]]
COLUMNS = {
    "species": "INT",
    "height": "FLOAT",
    "crown": "FLOAT",
    "age": "FLOAT",
    "rotation": "FLOAT",
    "rank": "FLOAT",
    "warmth": "FLOAT",
}
"""Attributes that growth gives: numbers in the set; meters; years; radians; 0 to 1; and 0 on the
coldest to 1 on the warmest ground where plants grow."""
STYLE = {
    "model": "INT",
    "far_model": "INT",
    "size": "FLOAT_VECTOR",
    "tint": "FLOAT_COLOR",
    "fall": "FLOAT_COLOR",
    "autumn": "FLOAT",
    "snow": "FLOAT",
}
"""Attributes that follow from them and from the settings."""
_styled: set[int] = set()
"""The session_uids of plants whose settings are being written: their callbacks do nothing."""


def new(
    context: bpy.types.Context, terrain: bpy.types.Object, name: str, values: Mapping[str, Any]
) -> bpy.types.Object:
    """Return a new object of plants, without a plant, as a child of a terrain object."""
    item = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    for one in own_collections(context, terrain.users_collection):
        one.objects.link(item)
    item.parent = terrain
    settings = settings_of_plants(item)
    for key, value in values.items():
        setattr(settings, key, value)
    settings.is_plants = True
    return item


def fill(item: bpy.types.Object, grown: Grown) -> None:
    """Replace the points of plants by those that grew."""
    mesh = _own_mesh(item)
    clear_geometry(mesh)
    plants = grown.plants
    mesh.vertices.add(len(plants))
    place = np.zeros((len(plants), 3), np.float32)
    place[:, 0], place[:, 1] = plants.x, plants.y
    mesh.attributes["position"].data.foreach_set("vector", place.ravel())
    given = {name: getattr(plants, name) for name in COLUMNS if name != "warmth"}
    for name, values in {**given, "warmth": grown.warmth}.items():
        _write(mesh, name, COLUMNS[name], values)
    settings_of_plants(item).sets = " ".join(grown.sets)
    if item.parent:
        _drop(item, cast(bpy.types.Mesh, item.parent.data))
    style(item)


def _own_mesh(item: bpy.types.Object) -> Any:
    """Return the mesh of plants, a copy if another object shows it: that grows on its own."""
    mesh: Any = item.data
    if mesh.users > 1:
        note_new_data()
        mesh = mesh.copy()
        cast(Any, item).data = mesh
    return mesh


def snap(mesh: bpy.types.Mesh) -> None:
    """Put all plants of a terrain on its surface."""
    for terrain in objects_of(mesh):
        for item in plants_of(terrain):
            with suppress(ValueError):  # of a mesh that is no grid any more
                _drop(item, mesh)


def _drop(item: bpy.types.Object, ground: bpy.types.Mesh) -> None:
    mesh: Any = item.data
    place = values_of(mesh.attributes["position"])
    if len(place):
        wide = place.astype(np.float64)
        place[:, 2] = heights_at(ground, wide[:, 0], wide[:, 1])
        mesh.attributes["position"].data.foreach_set("vector", place.ravel())
        mesh.update()
        mesh.update_tag()


def style(item: bpy.types.Object) -> None:
    """Write what shows each plant, and the colors of its season; ValueError if the set of species
    cannot be read."""
    settings, mesh = settings_of_plants(item), cast(Any, item.data)
    if item.session_uid in _styled or any(name not in mesh.attributes for name in COLUMNS):
        return
    species = _species(settings)
    columns = {name: values_of(mesh.attributes[name])[:, 0] for name in COLUMNS}
    if len(columns["species"]) and columns["species"].max() >= len(species):
        return  # they grew from another set, and are to grow again
    _styled.add(item.session_uid)
    try:
        _count(settings, species, columns["species"])
    finally:
        _styled.remove(item.session_uid)
    for name, values in _styles(settings, species, columns).items():
        _write(mesh, name, STYLE[name], values)
    mesh.update_tag()
    instancer.show(item)


def _species(settings: Any) -> tuple[Species, ...]:
    """Return the species that the plants have numbers of: the ground's, and those of groups."""
    own = set_of(settings)
    return kinds_of([*([own] if own else []), *map(PlantSet.load, settings.sets.split())])


def _count(settings: Any, species: tuple[Species, ...], numbers: NDArray[Any]) -> None:
    """Note how many plants of each species there are; a species keeps its collection."""
    names = [one.name for one in species]
    kept = {one.name: one.collection for one in settings.kinds if one.collection}
    if [one.name for one in settings.kinds] != names:
        settings.kinds.clear()
        for name in names:
            one = settings.kinds.add()
            one.name = name
            if name in kept:
                one.collection = kept[name]
    for one, count in zip(
        settings.kinds, np.bincount(numbers, minlength=len(names)).tolist(), strict=True
    ):
        one.count = count


def _styles(settings: Any, every: tuple[Species, ...], columns: Columns) -> Columns:
    kinds = [kind_of(one.model) for one in every]
    palette = Palette(_models(settings), kinds, [one.collection for one in settings.kinds])
    which, rank = columns["species"], columns["rank"]
    lifespan = np.array([one.lifespan for one in every])[which]
    share = columns["age"] / lifespan
    stage = (share > YOUNG).astype(int) + (share > OLD)
    stage[np.array([bool(one.parent) for one in every])[which]] = 0
    variant = (rank * 997).astype(int) % VARIANTS
    height, crown = columns["height"], columns["crown"]
    wide = np.where(palette.own[which], height, crown)
    colors = np.array([_tint(one.name, kind) for one, kind in zip(every, kinds, strict=True)])
    fall = np.array([linear(one.autumn) for one in every])
    turns = [
        KINDS[kind].autumn * (not one.evergreen) for one, kind in zip(every, kinds, strict=True)
    ]
    warmth = columns["warmth"]
    return {
        "model": palette.near[which, stage, variant],
        "far_model": palette.far[which],
        "size": np.stack([wide, wide, height], axis=1),
        "tint": colors[which],
        "fall": fall[which],
        "autumn": np.array(turns)[which] * _reached(settings.autumn, warmth),
        "snow": _reached(settings.snow, warmth),
    }


def _reached(amount: float, warmth: NDArray[Any]) -> NDArray[Any]:
    """Return how far cold has come at each plant: it begins on the coldest ground."""
    return np.clip(2.0 * amount - warmth, 0, 1)


def _tint(name: str, kind: str) -> tuple[float, ...]:
    """Return the color of a species: that of its model, a little different for each name."""
    lots = np.array([zlib.crc32(f"{name} {axis}".encode()) % 1000 for axis in range(3)]) / 1000
    return (*(np.array(KINDS[kind].color) * (0.85 + 0.3 * lots)), 1.0)


def _models(settings: Any) -> bpy.types.Collection:
    """Return the collection of the models of plants, in no scene; a copy of plants gets its own."""
    others = (one for one in bpy.data.objects if one != settings.id_data)
    shared = {getattr(settings_of_plants(one).models, "name", None) for one in others}
    if settings.models is None or settings.models.name in shared:
        note_new_data()
        settings.models = bpy.data.collections.new("Terrain Plants")
    return settings.models


def _write(mesh: Any, name: str, kind: str, values: NDArray[Any]) -> None:
    attribute = mesh.attributes.get(name) or mesh.attributes.new(name, kind, "POINT")
    key = {"FLOAT_VECTOR": "vector", "FLOAT_COLOR": "color"}.get(kind, "value")
    dtype = np.int32 if kind == "INT" else np.float32
    attribute.data.foreach_set(key, np.ascontiguousarray(values, dtype).ravel())
