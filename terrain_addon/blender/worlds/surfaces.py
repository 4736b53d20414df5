# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds and their tiles as plain data for meshes. Any thread may call these functions."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...core import Grid, Solution
from ...core.evaluation import Held, memory
from ...core.numerics import Cancel, LayerProgress
from ...core.output import colored_window, window_fields
from ...core.worlds import Tile, World
from ..mesh.terrain_mesh import Surface

OVERVIEW = 512
"""Cells along the longer side of the overview, about: a whole number for each tile."""
DETAILS = (1, 2, 4, 8, 16, 32)
"""Samples between two points of a tile's mesh."""

Array = NDArray[np.float32]
Ends = tuple[float, float]
"""Lowest and highest height of the whole in meters, to which colors are relative."""


def cells_of_overview(world: World) -> int:
    """Return the number of cells of the overview along each tile."""
    return min(max(OVERVIEW // max(world.columns, world.rows), 1), world.side - 1)


def overview(
    world: World, progress: LayerProgress | None = None, cancelled: Cancel | None = None
) -> Surface:
    """Compute the whole world on a coarse grid from its recipe and solution, without tiles.

    Raises ValueError, and Cancelled.
    """
    cells = cells_of_overview(world)
    grid = world.recipe.grid((world.columns * cells + 1, world.rows * cells + 1))
    memory.check_mesh(grid.nx, grid.ny, held=Held.of(world.recipe.active))
    return _surface(world, world.solution, grid, None, None, progress, cancelled)


def tile(
    world: World,
    solution: Solution,
    one: Tile,
    step: int,
    ends: Ends,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Surface:
    """Return the surface of a tile with every ``step``-th of its heights.

    Heights are those of its file. Colors and fields are evaluated, so they continue across borders
    whether or not the neighbors are made.

    Raises ValueError if the tile is not made or damaged, OSError, and Cancelled.
    """
    height = world.heights(one)[::step, ::step]
    cells, whole = (world.side - 1) // step, world.grid.every(step)
    window = whole.window(one[0] * cells, one[1] * cells, cells + 1, cells + 1)
    height = np.array(height, np.float32)  # the file may be replaced while it is mapped
    return _surface(world, solution, window, ends, height, progress, cancelled)


def check(world: World, tiles: Iterable[Tile], step: int) -> None:
    """Raise ValueError if one of these tiles cannot be loaded at that detail."""
    if (world.side - 1) % step:
        fitting = [f"1/{detail}" for detail in DETAILS if (world.side - 1) % detail == 0]
        raise ValueError(
            f"Tiles of {world.side} x {world.side} samples have no points at a detail of 1/{step}: "
            f"choose {' or '.join(fitting)}"
        )
    count = 0
    for one in tiles:
        world.heights(one)
        count += 1
    side = (world.side - 1) // step + 1
    if not memory.fits(need := memory.mesh_bytes(side, side * count)):
        raise ValueError(
            f"{count} tiles at a detail of 1/{step} need about {need / 1e9:.2g} GB of memory: "
            "choose fewer tiles or a lower detail"
        )


def _surface(
    world: World,
    solution: Solution,
    grid: Grid,
    ends: Ends | None,
    height: Array | None,
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> Surface:
    terrain, coloring = colored_window(
        world.recipe, grid, ends, solution=solution, progress=progress, cancelled=cancelled
    )
    return Surface(
        grid,
        terrain.height if height is None else height,
        terrain.fields["slope"],
        coloring.colors,
        {
            name: terrain.fields[name]
            for name in window_fields(world.recipe)
            if name in terrain.fields
        },
        surfaces=coloring.surfaces,
    )
