# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as a scene of Godot 4.2 or later: one MultiMeshInstance3D for each species.

Godot has +Y up: (x, y, z) of a terrain is (x, z, -y). Its documentation, *TSCN file format* and
*RenderingServer*: a MultiMesh holds the three rows of each transform; a surface has its points,
then its normals and tangents in octahedral encoding (Q. Meyer et al., *On floating-point normal
vectors*, 2010), and its front faces are clockwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from ...numerics.arrays import Bools, Doubles, Floats
from ...numerics.srgb import channels
from ...output.engines import ENGINES, Extent
from ..plants import Plants
from ..simple_models import simple_model
from ..species import Species

FORMAT = 1 | 2 | 4 | 1 << 35
"""Points, normals and the tangents that go with them, in the second version of the format."""
LEAST = 1 / 32767
"""The lowest second number of a tangent, before its sign is added."""
NOT_IN_NAMES = str.maketrans(dict.fromkeys('.:@/"%\\', "_"))
"""Characters that names of nodes cannot have."""
ROOT = "Plants"


def terrain3d_scene(
    extent: Extent, plants: Plants, z: Floats, species: Sequence[Species]
) -> Iterator[str]:
    """Yield a scene for Terrain3D, whose regions begin at whole samples, not at the border."""
    settings = ENGINES["terrain3d"].import_settings(extent)
    spacing, (dx, dy) = settings["vertex_spacing"], extent.spacing
    west, north = (_first(settings[f"import_position {axis}"]) for axis in "xy")
    x = (west + (plants.x + extent.size_x / 2) / dx) * spacing
    south = (north + (extent.size_y / 2 - plants.y) / dy) * spacing
    yield from _scene(np.stack([x, z.astype(np.float64), south], axis=1), plants, species)


def hterrain_scene(
    extent: Extent, plants: Plants, z: Floats, species: Sequence[Species]
) -> Iterator[str]:
    """Yield a scene for HTerrain, and for any terrain whose middle is at the origin."""
    yield from _scene(
        np.stack([plants.x, z.astype(np.float64), -plants.y], axis=1), plants, species
    )


def _first(setting: float | list[float]) -> float:
    """Return a number of the first tile, of a setting that may have a step as well."""
    return setting[0] if isinstance(setting, list) else setting


def _scene(places: Doubles, plants: Plants, species: Sequence[Species]) -> Iterator[str]:
    grown: list[int] = np.unique(plants.species).tolist()
    yield f"[gd_scene load_steps={3 * len(grown) + 1} format=3]\n"
    for kind in grown:
        yield _model(kind, species[kind])
        yield from _instances(kind, places, plants, plants.species == kind)
    yield f'\n[node name="{ROOT}" type="Node3D"]\n'
    for kind in grown:
        name = species[kind].name.translate(NOT_IN_NAMES)
        yield f'\n[node name="{name}" type="MultiMeshInstance3D" parent="."]\n'
        yield f'multimesh = SubResource("plants_{kind}")\n'


def _instances(kind: int, places: Doubles, plants: Plants, which: Bools) -> Iterator[str]:
    """Yield the MultiMesh of a species: turns about +Y, and sizes."""
    turn = plants.rotation[which].astype(np.float64)
    crown, high = plants.crown[which], plants.height[which]
    across, along, none = np.cos(turn) * crown, np.sin(turn) * crown, np.zeros(len(turn))
    x, y, z = places[which].T
    rows = (across, none, along, x, none, high, none, y, -along, none, across, z)
    yield f'\n[sub_resource type="MultiMesh" id="plants_{kind}"]\n'
    yield f"transform_format = 1\ninstance_count = {len(turn)}\n"  # before what fills them
    yield f'mesh = SubResource("model_{kind}")\nbuffer = PackedFloat32Array('
    separator = ""
    table: list[list[float]] = np.stack(rows, axis=1).tolist()
    for row in table:
        yield separator + ", ".join(f"{value + 0.0:.7g}" for value in row)
        separator = ", "
    yield ")\n"


def _model(kind: int, one: Species) -> str:
    """Return the material and the mesh of a species."""
    points, triangles = simple_model(one.model)
    turned: Doubles = (points[:, [0, 2, 1]] * (1, 1, -1)).astype(np.float64)
    corners: Doubles = turned[triangles]
    normals: Doubles = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    corners = corners[:, ::-1].reshape(-1, 3)  # clockwise
    data = corners.astype("<f4").tobytes() + _frames(np.repeat(normals, 3, axis=0))
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    box = ", ".join(f"{value:.6g}" for value in (*low.tolist(), *size.tolist()))
    color = ", ".join(f"{value:.4f}" for value in channels(one.foliage))
    return (
        f'\n[sub_resource type="StandardMaterial3D" id="material_{kind}"]\n'
        f"albedo_color = Color({color}, 1)\n"
        f'\n[sub_resource type="ArrayMesh" id="model_{kind}"]\n'
        f"resource_name = {json.dumps(one.name, ensure_ascii=False)}\n"
        f'_surfaces = [{{\n"aabb": AABB({box}),\n"format": {FORMAT},\n'
        f'"material": SubResource("material_{kind}"),\n"primitive": 3,\n'
        f'"vertex_count": {len(corners)},\n'
        f'"vertex_data": PackedByteArray({", ".join(map(str, data))})\n}}]\n'
    )


def _frames(normals: Doubles) -> bytes:
    """Return directions (n, 3) with a tangent of each, as four numbers of 16 bits."""
    tangents = np.cross(np.stack([normals[:, 2], -normals[:, 0], normals[:, 1]], axis=1), normals)
    along = _octahedral(tangents)
    along[:, 1] = np.maximum(along[:, 1], LEAST) / 2 + 0.5
    frames = np.concatenate([_octahedral(normals), along], axis=1)
    return np.floor(frames * 65535).astype("<u2").tobytes()


def _octahedral(directions: Doubles) -> Doubles:
    """Return directions (n, 3) of any length as two numbers of 0 to 1 each."""
    shares: Doubles = directions / np.abs(directions).sum(axis=1, keepdims=True)
    flat, up = shares[:, :2], shares[:, 2:]
    folded = (1 - np.abs(flat[:, ::-1])) * np.where(flat >= 0, 1, -1)
    found: Doubles = np.where(up >= 0, flat, folded)
    return found / 2 + 0.5
