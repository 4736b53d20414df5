# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers: the layer that most lands want."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ....erosion.bands import default_threads
from ....erosion.rivers.grids import Grids
from ....erosion.surface import landforms
from ....erosion.surface.cache import recent_drainage
from ....erosion.surface.settings import SurfaceSettings
from ....erosion.surface.surface import REACH, surface
from ....numerics.arrays import Floats
from ....numerics.grid import Grid
from ....settings.params import param, seed_param
from ...context import Work
from ...kind import SHAPE, WHOLE, Kind, layer

OVERSAMPLING = 2
"""Samples of the land below per cell of the drainage grid, each way: fine noise averages out."""

RAIN = (3, 0.5)
"""Octaves and gain of uneven rain: it differs over many valleys."""
ROCK = (5, 0.8)
"""Those of uneven rock, down to a quarter of a valley: broad patches of hard rock would leave domes
alone on plains."""


@layer(
    "erosion",
    label="Erosion",
    help="Rivers carve valleys, gullies and coasts into the land below",
    group=SHAPE,
    icon="MOD_FLUIDSIM",
)
class Erosion(Kind, SurfaceSettings):
    """Stream power erosion of the whole land on a grid of fixed resolution, with gullies, rock
    and beaches at the resolution that is asked for.

    Leaves the masks "flow" (drainage area, 0 on slopes to 1 in the largest river), "wear" and
    "deposit" (metres).
    """

    depends_on = WHOLE
    looks_elsewhere = True
    leaves = ("flow", "wear", "deposit")
    # Rivers that ran on over the sea floor would leave the bare ribs of an island.
    at_sea: ClassVar[Mapping[str, object]] = {"sea": True}
    above_sea: ClassVar[Mapping[str, float]] = {
        "sea_rise": 0.05,
        "coastal_plain": 0.05,
        "cliff_height": 0.05,
    }

    sea: bool = param(
        False,
        label="Sea",
        help="Ground below the water level is sea: rivers end there and waves make beaches",
    )
    hardness_map: str = param(
        "",
        label="Hard Rock",
        help="Where the rock is hard: 0 as usual, 1 four times as hard, -1 four times as soft",
        unit="map",
        advanced=True,
    )
    rain_map: str = param(
        "",
        label="Rain",
        help="Where it rains more: 0 as usual, 1 four times as much, -1 a quarter",
        unit="map",
        advanced=True,
    )
    seed: int = seed_param("Another number gives other valleys")

    def halo(self, dx: float, dy: float) -> int:
        return REACH

    def apply(self, work: Work) -> Floats:
        grids = self.grids(work)
        drainage = recent_drainage(
            grids,
            self,
            sea=work.water_level if self.sea else None,
            seed=work.seed + self.seed,
            progress=lambda share: work.progress(0.4 * share),
            cancelled=work.cancelled,
        )
        x, y = work.grid.x, work.grid.y
        work.produced["wear"] = landforms.wear(drainage, grids, x, y, work.cancelled)
        del grids  # as large as all that follows is
        height = surface(
            drainage,
            x,
            y,
            self,
            spacing=(work.grid.dx, work.grid.dy),
            seed=work.seed + self.seed,
            threads=default_threads(),
            progress=lambda share: work.progress(0.4 + 0.6 * share),
            cancelled=work.cancelled,
        )
        size = work.size_x, work.size_y
        work.produced.update(landforms.masks(drainage, x, y, size, work.cancelled))
        return height

    def grids(self, work: Work) -> Grids:
        """The land below, rock and rain, for erosion; the same whatever grid is asked for."""
        count = OVERSAMPLING * int(self.resolution)
        grid = Grid.cells(work.size_x, work.size_y, count)
        seed = work.seed + self.seed
        wave = 4 * self.unit(_extent(work))

        def factor(
            variation: float, form: tuple[int, float], painted: str, seed: int
        ) -> Floats | None:
            octaves, gain = form
            patches = landforms.uneven(
                variation, grid.x, grid.y, wave, seed, work.cancelled, octaves=octaves, gain=gain
            )
            return _product(patches, _painted(work, painted, grid))

        return Grids.of(
            work.land_below(grid),
            grid.dx,
            self,
            hardness=factor(self.rock_variation, ROCK, self.hardness_map, seed + 31),
            rain=factor(self.rain_variation, RAIN, self.rain_map, seed + 67),
            cancelled=work.cancelled,
        )


def _painted(work: Work, name: str, grid: Grid) -> Floats | None:
    """A factor from a quarter to four by the painted map of that name, None without a name."""
    if not name:
        return None
    return np.exp2(2 * np.clip(work.map(name, grid), np.float32(-1), np.float32(1)))


def _product(a: Floats | None, b: Floats | None) -> Floats | None:
    """Of the factors that there are."""
    if a is None or b is None:
        return b if a is None else a
    return a * b


def _extent(work: Work) -> float:
    """The longer side in metres."""
    return max(work.size_x, work.size_y)
