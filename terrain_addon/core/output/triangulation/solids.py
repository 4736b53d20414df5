# SPDX-License-Identifier: GPL-3.0-or-later
"""A solid base below a terrain, for 3D printing."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Bools, Doubles, Floats
from ...numerics.grid import Grid
from ...settings.params import Settings, param
from ...shapes import Segments, winding
from .error_map import ErrorMap
from .meshes import TriangleMesh, border, cut, walled
from .outlines import cut_along, finest_along, open_edges


class SolidSettings(Settings):
    """The settings of a solid for printing, in millimeters of the print.

    Examples
    --------
    >>> SolidSettings(longest_side=100.0).thickness
    5.0
    """

    longest_side: float = param(
        200.0,
        "Longest Side (mm)",
        "Length of the longer side of the print",
        min=1.0,
        max=100_000.0,
        soft_min=20.0,
        soft_max=1000.0,
    )
    thickness: float = param(
        5.0,
        "Base Thickness (mm)",
        "Material below the lowest point of the terrain",
        min=0.1,
        max=10_000.0,
        soft_max=50.0,
    )
    exaggeration: float = param(
        1.0,
        "Exaggeration",
        "Factor by which heights are larger than true to scale",
        min=0.01,
        max=100.0,
        soft_min=0.5,
        soft_max=5.0,
    )
    error: float = param(
        0.05,
        "Max Error (mm)",
        "Largest vertical distance between the print and the terrain; half a print layer hardly "
        "shows. With 0, only points that change nothing are left out",
        min=0.0,
        max=100.0,
        soft_max=1.0,
    )


def solid(
    grid: Grid, height: Floats, settings: SolidSettings, outline: Segments | None = None
) -> tuple[TriangleMesh, float]:
    """Return a watertight solid with the terrain as its top, and its largest vertical error.

    Both are in millimeters, the unit in which slicers read STL files. Faces look outwards; the
    floor is at a height of 0, and the center at (0, 0). Sides are upright, and meet the floor in a
    fan of triangles.

    Parameters
    ----------
    grid, height : where the samples are, and (ny, nx) float32 heights in meters
    settings : size of the print, without what lies outside the outline
    outline : closed lines, turned counterclockwise as :attr:`Shape.areas` has them, to which the
        solid is cut; corners between samples are cut off

    Raises
    ------
    ValueError : heights that are not finite, or less than 2 x 2; an outline without a sample

    Examples
    --------
    >>> grid = Grid.points(100.0, 100.0, 3, 3)
    >>> mesh, error = solid(grid, np.zeros((3, 3), np.float32), SolidSettings())
    >>> [round(float(side), 4) for side in np.ptp(mesh.vertices, axis=0)], error < 1e-6
    ([200.0, 200.0, 5.0], True)
    """
    if outline is not None:
        return _cut_out(grid, height, settings, outline)
    scale = settings.longest_side / max(grid.size)
    upwards = scale * settings.exaggeration
    made = ErrorMap.of(height).mesh(settings.error / upwards)
    top = cut(made, grid, height)[0]
    size = np.array([scale, scale, upwards])
    lowest = np.array([0, 0, settings.thickness - float(height.min()) * upwards])
    points = (top.vertices * size + lowest).astype(np.float32)
    top = TriangleMesh(points, top.triangles, top.samples, (0.0, 0.0), top.surface)
    edges = border(top)
    walls = walled(top, edges, np.zeros(len(points), np.float32))
    count = len(walls.vertices)
    below = np.zeros(top.surface, np.int32)
    below[edges[:, 0]] = np.arange(top.surface, count, dtype=np.int32)
    start, end = below[edges].T
    floor = np.stack([end, start, np.full_like(start, count)], axis=1)
    middle = (grid.ny // 2) * grid.nx + grid.nx // 2
    mesh = TriangleMesh(
        np.append(walls.vertices, np.zeros((1, 3), np.float32), axis=0),
        np.concatenate([walls.triangles, floor]),
        np.append(walls.samples, np.int32(middle)),
        (0.0, 0.0),
        top.surface,
    )
    rounding = float(np.spacing(points[:, 2].max()))
    return mesh, made.error * upwards + rounding


def _cut_out(
    grid: Grid, height: Floats, settings: SolidSettings, outline: Segments
) -> tuple[TriangleMesh, float]:
    """Return a solid that ends at an outline. Its floor has the triangles of its top."""
    inside = winding(outline, grid) != 0
    scale = settings.longest_side / float(_extent(grid, inside, outline).max())
    upwards = scale * settings.exaggeration
    made = finest_along(height, inside, settings.error / upwards)
    top = cut_along(cut(made, grid, height)[0], inside, outline)
    points = top.vertices.astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    points[:, :2] -= (low + high)[:2] / 2
    points *= [scale, scale, upwards]
    points[:, 2] += settings.thickness - float(low[2]) * upwards
    floor = points * [1, 1, 0]
    count = len(points)
    start, end = open_edges(top.triangles).T
    wall = [[start + count, end + count, end], [start + count, end, start]]
    triangles = np.concatenate(
        [top.triangles, top.triangles[:, ::-1] + count, *(np.stack(one, axis=1) for one in wall)]
    )
    mesh = TriangleMesh(
        np.concatenate([points, floor]).astype(np.float32),
        triangles.astype(np.int32),
        np.append(top.samples, top.samples),
        (0.0, 0.0),
        count,
    )
    return mesh, made.error * upwards + float(np.spacing(np.float32(points[:, 2].max())))


def _extent(grid: Grid, inside: Bools, outline: Segments) -> Doubles:
    """Return the meters along X and Y of the terrain inside; ValueError where there is none."""
    if not inside.any():
        raise ValueError("The outline holds no point of the terrain: draw a larger one on it")
    low = np.maximum(outline.start.min(axis=0), (grid.x[0], grid.y[0]))
    return np.minimum(outline.start.max(axis=0), (grid.x[-1], grid.y[-1])) - low
