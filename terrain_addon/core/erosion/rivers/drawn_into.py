# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers drawn into a solved terrain: what does not drain to them stays as it is.

All other rivers are those of the terrain without the drawn ones, which is solved once, whichever
way these run. They are cut into it with their valleys, which become as wide as those around. A few
implicit steps then let tributaries cut into the sides of the valleys, and let rivers fill up that
have lost their water.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...hydrology import FlowTree, accumulate, height_above_rivers, route
from ...hydrology.d8 import NONE
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel
from .base_level import BaseLevel, base_levels
from .drainage import Drainage
from .drawn.course import Course
from .drawn.holding import HeldRivers
from .drawn.on_grids import Ways
from .drawn.widening import lay_floors, open_wide
from .held import Stepped, Terrain, stepped_on
from .solver import RIVER
from .stream_power import water_of

WORN, PASSES = 1.0, 16
"""Distance in valley spacings, up and down a river, over which its bed is averaged to wear steps
down, and how often."""


def drawn_into(
    solved: Drainage,
    before: Stepped,
    courses: Sequence[Course],
    seed: int,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Return the drainage of a terrain with drawn rivers.

    Parameters
    ----------
    solved : Drainage
        That of the terrain without them.
    before : Stepped
        That terrain after some more steps.
    courses : sequence of Course
        The rivers.
    seed : int
        Seed of both.

    Raises
    ------
    Cancelled
    """
    terrain, unit = before.terrain, before.terrain.grids.unit
    meters, square_meters = np.float32(unit), np.float32(unit * unit)
    held, base = _rivers(solved, terrain, courses, cancelled)
    height: Floats = solved.height / meters
    sediment: Floats = solved.deposition / meters
    bare = height - sediment

    def in_meters(new: Floats, left: Floats) -> dict[str, Floats]:
        """Return heights and sediment: those that stay have the same bits."""
        return {
            "height": np.where(new == height, solved.height, new * meters),
            "deposition": np.where(left == sediment, solved.deposition, left * meters),
        }

    carved, apart = _carved(height, before, held, base, cancelled)
    left = np.where(carved == height, sediment, np.maximum(carved - bare, 0))
    np.minimum(left, sediment, out=left)
    tree, area = _routed(carved, terrain, held, base, cancelled)
    start = dataclasses.replace(solved, **in_meters(carved, left))
    rivers, drawn = (tree, area * square_meters), (held, apart == 0)
    change = stepped_on(start, rivers, terrain, base, seed, cancelled, drawn=drawn)
    change -= before.height  # 0 where neither the terrain nor its water has changed
    filled = height + change
    filled += left - sediment
    # What the steps do everywhere would end in a bank at the floors, which stay as they are cut.
    filled -= (1 - apart) * (bare - before.height)
    filled = np.where(apart == 0, carved, filled)
    _settle(filled, held, base, cancelled)
    left = np.where(filled == height, left, np.maximum(filled - (bare + change), 0))
    tree, area = _routed(filled, terrain, held, base, cancelled)
    above = height_above_rivers(filled, tree, area > np.float32(RIVER), cancelled)
    made = in_meters(filled, left)
    area *= square_meters
    above *= meters
    return dataclasses.replace(
        solved,
        directions=tree.directions,
        area=area,
        above_rivers=above,
        drawn=held.rivers(made["height"], area),
        **made,
    )


def _carved(
    height: Floats, before: Stepped, held: HeldRivers, base: BaseLevel, cancelled: Cancel | None
) -> tuple[Floats, Floats]:
    """Return heights with the beds and their valleys, and how far each cell is from their floors;
    see `open_wide`."""
    carved = height.copy()
    base.hold(carved)
    held.hold(carved)
    _wear_steps(carved, held)
    held.hold(carved)
    lay_floors(carved, held, cancelled)
    held.hold(carved)  # a river beside the floor of another lies lower than that
    apart = open_wide(carved, held, before.around, cancelled)
    base.hold(carved)
    held.hold(carved)
    return carved, apart


def _settle(height: Floats, held: HeldRivers, base: BaseLevel, cancelled: Cancel | None) -> None:
    """Lower finished heights, in place, to the beds and the floors of their valleys."""
    base.hold(height)
    held.hold(height)
    lay_floors(height, held, cancelled)
    base.hold(height)
    held.hold(height)
    held.raise_banks(height)
    base.hold(height)


def _wear_steps(height: Floats, held: HeldRivers) -> None:
    """Lower the beds, in place, above the steps in which they fall into the valleys that they
    cross."""
    flat, reach = height.reshape(-1), max(round(WORN / held.spacing), 1)
    for bed in held.beds.beds:
        level = flat[bed.cells].astype(np.float64)
        for _ in range(PASSES):
            sums = np.cumsum(np.pad(level, (reach + 1, reach), "edge"))
            means = (sums[2 * reach + 1 :] - sums[: -2 * reach - 1]) / (2 * reach + 1)
            np.minimum(level, means, out=level)
        flat[bed.cells] = level


def _rivers(
    solved: Drainage, terrain: Terrain, courses: Sequence[Course], cancelled: Cancel | None
) -> tuple[HeldRivers, BaseLevel]:
    """Return the rivers on the cells of a solved terrain, and its outlets with their mouths."""
    grids, settings = terrain.grids, terrain.settings
    levels, ends = grids.levels(cancelled), solved.directions == NONE
    bases = base_levels(levels, grids, settings, terrain.sea, cancelled, low=ends)
    return Ways.of(courses, grids, levels, bases).finished(bases[-1])


def _routed(
    height: Floats, terrain: Terrain, held: HeldRivers, base: BaseLevel, cancelled: Cancel | None
) -> tuple[FlowTree, Floats]:
    """Return the rivers of heights, and their drainage area in squares of the valley spacing."""
    tree = route(height, base.outlets, cancelled, given=held.given)
    water = held.with_inflow(water_of(terrain.grids.finest.rain, held.spacing, cancelled))
    return tree, accumulate(tree, water, cancelled)
