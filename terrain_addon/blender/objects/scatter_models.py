# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees and rocks of a few polygons in meters, made once per file."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import bpy
import numpy as np

from ..materials.node_trees import add, new_material, shared

Point = tuple[float, float, float]
SIDES = 7
BARK, NEEDLES, LEAVES, STONE = (
    ("Bark", (0.055, 0.035, 0.022, 1.0)),
    ("Needles", (0.018, 0.045, 0.02, 1.0)),
    ("Leaves", (0.05, 0.085, 0.022, 1.0)),
    ("Stone", (0.19, 0.18, 0.165, 1.0)),
)
"""Names and linear colors of materials."""
_Kind = tuple[str, tuple[float, float, float, float]]


@dataclass
class _Model:
    """Points, faces, and the material of each face."""

    points: list[Point]
    faces: list[tuple[int, ...]]
    materials: list[int]

    def add(self, points: Iterable[Point], faces: Iterable[tuple[int, ...]], material: int) -> None:
        first = len(self.points)
        self.points += points
        made = [tuple(first + n for n in face) for face in faces]
        self.faces += made
        self.materials += [material] * len(made)


def collection(name: str) -> bpy.types.Collection:
    """Find or create this file's collection of models, "Trees" or "Rocks"; in no scene."""
    return shared(bpy.data.collections, f"scatter {name}", lambda: _collection(name))


def _collection(name: str) -> bpy.types.Collection:
    made = bpy.data.collections.new(name)
    for label, kinds, model in MODELS[name]:
        mesh = bpy.data.meshes.new(label)
        built = model()
        mesh.from_pydata(built.points, [], built.faces)
        for kind in kinds:
            mesh.materials.append(_material(kind))
        mesh.polygons.foreach_set("material_index", built.materials)
        mesh.update()
        made.objects.link(bpy.data.objects.new(label, mesh))
    return made


def _material(kind: _Kind) -> bpy.types.Material:
    def make() -> bpy.types.Material:
        material, output = new_material(kind[0])
        shader = add(material.node_tree, "ShaderNodeBsdfPrincipled", {"Base Color": kind[1]})
        shader.inputs["Roughness"].default_value = 0.85
        material.node_tree.links.new(shader.outputs[0], output.inputs["Surface"])
        material.diffuse_color = kind[1]
        return material

    return shared(bpy.data.materials, f"scatter {kind[0]}", make)


def _ring(radius: float, height: float, turn: float = 0.0) -> list[Point]:
    angles = [2 * math.pi * (n + turn) / SIDES for n in range(SIDES)]
    return [(radius * math.cos(a), radius * math.sin(a), height) for a in angles]


def _cone(model: _Model, radius: float, low: float, high: float, material: int) -> None:
    """Add a cone with a closed base."""
    sides = [(n, (n + 1) % SIDES, SIDES) for n in range(SIDES)]
    model.add(
        [*_ring(radius, low), (0.0, 0.0, high)], [*sides, tuple(range(SIDES))[::-1]], material
    )


def _trunk(model: _Model, radius: float, high: float) -> None:
    """Add a trunk that begins below the ground, for slopes."""
    sides = [(n, (n + 1) % SIDES, SIDES + (n + 1) % SIDES, SIDES + n) for n in range(SIDES)]
    model.add([*_ring(radius, -1.0), *_ring(0.6 * radius, high)], sides, 0)


def _conifer() -> _Model:
    model = _Model([], [], [])
    _trunk(model, 0.35, 3.0)
    for radius, low, high in ((2.6, 1.8, 6.5), (2.1, 4.4, 9.4), (1.4, 7.2, 12.0)):
        _cone(model, radius, low, high, 1)
    return model


def _broadleaf() -> _Model:
    model = _Model([], [], [])
    _trunk(model, 0.4, 4.5)
    levels = ((1.9, 3.2), (3.4, 4.8), (3.2, 6.9), (1.7, 8.6))
    rings = [_ring(radius, height, 0.5 * (n % 2)) for n, (radius, height) in enumerate(levels)]
    points = [one for ring in rings for one in ring]
    faces: list[tuple[int, ...]] = [tuple(range(SIDES))[::-1]]
    for level in range(len(levels) - 1):
        a, b = SIDES * level, SIDES * (level + 1)
        for n in range(SIDES):
            following = (n + 1) % SIDES
            faces.append((a + n, a + following, b + following, b + n))
    top = SIDES * len(levels)
    faces += [(top - SIDES + n, top - SIDES + (n + 1) % SIDES, top) for n in range(SIDES)]
    model.add([*points, (0.0, 0.0, 9.2)], faces, 1)
    return model


def _rock(seed: int, squash: float) -> Callable[[], _Model]:
    """Return a convex block: a bumpy sphere of rings, half in the ground."""

    def make() -> _Model:
        random = np.random.default_rng(seed)
        levels = ((0.55, -0.55), (1.0, 0.0), (0.85, 0.45), (0.4, 0.8))
        points: list[Point] = []
        for n, (radius, height) in enumerate(levels):
            for x, y, z in _ring(radius, height, 0.5 * (n % 2)):
                bump = 1 + 0.22 * (random.random(3) - 0.5)
                points.append((x * bump[0] * 1.2, y * bump[1], z * bump[2] * squash))
        faces: list[tuple[int, ...]] = [tuple(range(SIDES))[::-1]]
        for level in range(len(levels) - 1):
            a, b = SIDES * level, SIDES * (level + 1)
            for n in range(SIDES):
                faces.append((a + n, a + (n + 1) % SIDES, b + (n + 1) % SIDES, b + n))
        faces.append(tuple(range(SIDES * (len(levels) - 1), SIDES * len(levels))))
        model = _Model([], [], [])
        model.add(points, faces, 0)
        return model

    return make


MODELS: dict[str, tuple[tuple[str, tuple[_Kind, ...], Callable[[], _Model]], ...]] = {
    "Trees": (("Conifer", (BARK, NEEDLES), _conifer), ("Broadleaf", (BARK, LEAVES), _broadleaf)),
    "Rocks": (
        ("Boulder", (STONE,), _rock(1, 0.9)),
        ("Flat Rock", (STONE,), _rock(2, 0.5)),
        ("Block", (STONE,), _rock(3, 1.2)),
    ),
}
"""Names, materials and makers of the models by collection."""
