# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as instances in binary glTF 2.0, with the extension EXT_mesh_gpu_instancing.

glTF has +Y up: (x, y, z) of a terrain is (x, z, -y). Khronos Group, *glTF 2.0 Specification*, 2021.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.srgb import linear
from ..settings.atomic_files import replaced
from .plants import Plants
from .simple_models import simple_model
from .species import Species

INSTANCING = "EXT_mesh_gpu_instancing"
FLOAT, WORD = 5126, 5125
MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942


def write_glb(path: Path, plants: Plants, z: Floats, species: Sequence[Species]) -> None:
    """Write one node for each species that grows, with a place, a turn and a size for each plant.

    The mesh of a species is simple, 1 m high and 1 m in radius, and has its color in summer:
    replace it by a model of your own.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced once the new one is complete.
    z : ndarray of float32, shape (n,)
        Height of the ground at each plant.
    species : sequence of Species
        What the numbers of species mean.
    """
    scene = _Scene()
    for number, one in enumerate(species):
        which = np.flatnonzero(plants.species == number)
        if len(which):
            scene.add(one, plants, z, which)
    scene.write(path)


class _Scene:
    """The parts of a glTF file, and its binary data."""

    def __init__(self) -> None:
        self.data = bytearray()
        names = ("nodes", "meshes", "materials", "accessors", "bufferViews")
        self.parts: dict[str, list[Any]] = {name: [] for name in names}

    def add(self, one: Species, plants: Plants, z: Floats, which: NDArray[np.intp]) -> None:
        """Add the plants of a species."""
        half = plants.rotation[which] / 2
        zero, crown = np.zeros_like(half), plants.crown[which]
        attributes = {
            "TRANSLATION": (plants.x[which], z[which], -plants.y[which]),
            "ROTATION": (zero, np.sin(half), zero, np.cos(half)),
            "SCALE": (crown, plants.height[which], crown),
        }
        found = {
            key: self._accessor(np.stack(columns, axis=1).astype(np.float32))
            for key, columns in attributes.items()
        }
        extension = {INSTANCING: {"attributes": found}}
        self._append("nodes", {"name": one.name, "mesh": self._mesh(one), "extensions": extension})

    def _mesh(self, one: Species) -> int:
        points, triangles = simple_model(one.model)
        points = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
        color = {"baseColorFactor": [float(c) for c in linear(one.foliage)[:3]] + [1.0]}
        shading = {**color, "metallicFactor": 0.0, "roughnessFactor": 0.9}
        material = self._append("materials", {"name": one.name, "pbrMetallicRoughness": shading})
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        primitive = {
            "attributes": {"POSITION": self._accessor(points, bounds)},
            "indices": self._accessor(triangles.reshape(-1, 1)),
            "material": material,
        }
        return self._append("meshes", {"name": one.name, "primitives": [primitive]})

    def _accessor(self, values: NDArray[Any], bounds: dict[str, list[float]] | None = None) -> int:
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        self.data += np.ascontiguousarray(values).tobytes()
        accessor = {
            "bufferView": self._append("bufferViews", view),
            "componentType": FLOAT if values.dtype == np.float32 else WORD,
            "count": len(values),
            "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[values.shape[1]],
            **(bounds or {}),
        }
        return self._append("accessors", accessor)

    def _append(self, name: str, part: dict[str, Any]) -> int:
        self.parts[name].append(part)
        return len(self.parts[name]) - 1

    def write(self, path: Path) -> None:
        """Write the file."""
        tree: dict[str, Any] = {"asset": {"version": "2.0", "generator": "Orogen"}}
        if self.data:
            tree |= self.parts
            tree |= {"extensionsUsed": [INSTANCING], "extensionsRequired": [INSTANCING]}
            tree |= {"scene": 0, "scenes": [{"nodes": list(range(len(self.parts["nodes"])))}]}
            tree |= {"buffers": [{"byteLength": len(self.data)}]}
        text = json.dumps(tree, separators=(",", ":")).encode()
        chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
        if self.data:
            chunks.append((BINARY_CHUNK, bytes(self.data)))
        length = 12 + sum(8 + len(chunk) for _, chunk in chunks)
        with replaced(path) as new, open(new, "wb") as file:
            file.write(struct.pack("<III", MAGIC, 2, length))
            for kind, chunk in chunks:
                file.write(struct.pack("<II", len(chunk), kind) + chunk)
