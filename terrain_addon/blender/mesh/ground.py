# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the mesh of a terrain at any position."""

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.numerics import bilinear_exact
from ..data.attributes import values_of
from ..data.terrains import terrain_of
from .signature import Signature
from .terrain_mesh import is_grid

Values = NDArray[np.float64]


def heights_at(mesh: bpy.types.Mesh, x: Values, y: Values) -> Values:
    """Return the heights in meters at positions in the coordinates of a terrain, (n,) float64.

    They include edits by hand. Positions beyond the border have the height of the border. Raises
    ValueError for a mesh that is no grid any more.
    """
    grid = Signature.built(terrain_of(mesh)).grid
    if grid is None or not is_grid(mesh, grid.nx, grid.ny):
        raise ValueError("Points of this terrain were added or removed by hand: rebuild it first")
    points = values_of(mesh.attributes["position"]).reshape(grid.ny, grid.nx, 3)
    rows = (y - grid.y[0]) / grid.dy
    columns = (x - grid.x[0]) / grid.dx
    height = np.ascontiguousarray(points[..., 2])
    return bilinear_exact(height, rows.clip(0, grid.ny - 1), columns.clip(0, grid.nx - 1))
