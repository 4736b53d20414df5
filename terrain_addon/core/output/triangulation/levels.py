# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail of a terrain: meshes of fewer and fewer triangles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel
from ...settings.params import Settings, param
from .error_map import ErrorMap, Triangulation
from .meshes import TriangleMesh, chunk_lines, cut

ERROR, TRIANGLES = "error", "triangles"
USUAL_ERROR = 2e-3
"""Error of the finest level, as a share of the range of heights."""
MOST_CHUNKS = 64


class LevelSettings(Settings):
    """The settings of levels of detail.

    Examples
    --------
    >>> LevelSettings(levels=2, columns=4, rows=4).skirts
    True
    """

    levels: int = param(
        4, "Levels", "Number of meshes, from the finest to the coarsest", min=1, max=8
    )
    based_on: str = param(
        ERROR,
        "Based On",
        "What the levels differ in",
        choices=[
            (ERROR, "Error", "Each level has a larger vertical error than the one before"),
            (TRIANGLES, "Triangles", "Each level has fewer triangles than the one before"),
        ],
    )
    error: float = param(
        0.0,
        "Max Error",
        "Largest vertical distance between the finest level and the terrain (0: 1 / 500 of "
        "the range of heights)",
        unit="m",
        min=0.0,
        soft_max=100.0,
        shown_if=("based_on", (ERROR,)),
    )
    growth: float = param(
        3.0,
        "Error Growth",
        "Factor of the error from each level to the next",
        min=1.1,
        max=100.0,
        soft_max=10.0,
        shown_if=("based_on", (ERROR,)),
    )
    triangles: int = param(
        100_000,
        "Triangles",
        "Triangles of the finest level at most, without skirts",
        min=2,
        max=100_000_000,
        soft_max=4_000_000,
        shown_if=("based_on", (TRIANGLES,)),
    )
    share: float = param(
        0.25,
        "Share",
        "Triangles of each level as a share of those of the level before",
        unit="factor",
        min=0.01,
        max=0.9,
        shown_if=("based_on", (TRIANGLES,)),
    )
    columns: int = param(
        1, "Chunks X", "Meshes along X that each level is cut into", min=1, max=MOST_CHUNKS
    )
    rows: int = param(
        1, "Chunks Y", "Meshes along Y that each level is cut into", min=1, max=MOST_CHUNKS
    )
    skirts: bool = param(
        True,
        "Skirts",
        "Add strips down from the borders of each mesh, which hide gaps beside another level",
    )


@dataclass(frozen=True)
class DetailLevel:
    """One level of detail.

    Attributes
    ----------
    chunks : its meshes, row by row
    columns : meshes along X
    error : meters; no sample of the terrain is farther above or below the triangles
    skirt : meters that the skirts reach down; 0 without
    """

    chunks: list[TriangleMesh]
    columns: int
    error: float
    skirt: float

    @property
    def triangles(self) -> int:
        """Number of triangles, with those of the skirts."""
        return sum(len(chunk.triangles) for chunk in self.chunks)


def levels_of_detail(
    grid: Grid, height: Floats, settings: LevelSettings, cancelled: Cancel | None = None
) -> list[DetailLevel]:
    """Return the meshes of a terrain, from the finest to the coarsest.

    Neighboring chunks of one level meet without a gap. Skirts cover the largest possible gap
    between chunks of any two levels: at every sample each of them is within its error.

    Parameters
    ----------
    grid, height : where the samples are, and (ny, nx) float32 heights in meters
    settings : number of levels, their errors or triangles, chunks
    cancelled : polled during the work

    Raises
    ------
    ValueError : heights that are not finite, less than 2 x 2, or more chunks than cells
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> grid, rng = Grid.points(100.0, 100.0, 65, 65), np.random.default_rng(1)
    >>> levels = levels_of_detail(grid, rng.random((65, 65), np.float32), LevelSettings(error=0.1))
    >>> [level.error <= 0.1 * 3**n for n, level in enumerate(levels)]
    [True, True, True, True]
    """
    columns = chunk_lines(grid.nx - 1, settings.columns)
    rows = chunk_lines(grid.ny - 1, settings.rows)
    errors = ErrorMap.of(height, columns, rows, cancelled)
    meshes = list(_meshes(errors, settings))
    deepest = max(mesh.error for mesh in meshes)
    skirt = 2 * deepest or float(np.ptp(height)) * USUAL_ERROR
    skirt = skirt if settings.skirts else 0.0
    return [
        DetailLevel(
            cut(mesh, grid, height, columns, rows, skirt), settings.columns, mesh.error, skirt
        )
        for mesh in meshes
    ]


def _meshes(errors: ErrorMap, settings: LevelSettings) -> Iterator[Triangulation]:
    finest = settings.error or float(np.ptp(errors.height)) * USUAL_ERROR
    for number in range(settings.levels):
        if settings.based_on == TRIANGLES:
            most = max(round(settings.triangles * settings.share**number), 2)
            yield errors.mesh(errors.tolerance_for(most))
        else:
            yield errors.mesh(finest * settings.growth**number)
