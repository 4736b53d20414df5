# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and lakes as meshes."""

from typing import Any

from ...core import Recipe
from ...core.output import InlandWater, WaterMesh
from ..data.attributes import clear_geometry


def fill_rivers(mesh: Any, _: Recipe, made: InlandWater) -> None:
    """Replace the geometry of a mesh by the rivers."""
    _fill(mesh, made.rivers)


def fill_lakes(mesh: Any, _: Recipe, made: InlandWater) -> None:
    """Replace the geometry of a mesh by the lakes."""
    _fill(mesh, made.lakes)


def _fill(mesh: Any, made: WaterMesh) -> None:
    """Replace the geometry and keep the materials."""
    clear_geometry(mesh)
    mesh.vertices.add(len(made.points))
    mesh.loops.add(made.faces.size)
    mesh.polygons.add(len(made.faces))
    mesh.attributes["position"].data.foreach_set("vector", made.points.reshape(-1))
    mesh.loops.foreach_set("vertex_index", made.faces.reshape(-1))
    mesh.polygons.foreach_set("loop_start", range(0, made.faces.size, 4))
    for name, values in made.values.items():
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values)
    mesh.update(calc_edges=True)
