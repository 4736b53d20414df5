# SPDX-License-Identifier: GPL-3.0-or-later
"""Another drainage from a solved one: its rivers are held, its heights move.

Which way rivers run is decided by small differences, so solving a terrain that is one percent
higher moves many of them, and with them crests and summits. Where rivers are held, heights follow
the settings: in a steady state the height of a cell follows from the uplift and the strength along
its river, whatever the terrain was before (Braun and Willett 2013). A few implicit steps on the
solved rivers, with the old and with the new settings, differ by what the change does.

Erosion that raises mountains holds the rivers of the settings that :attr:`Layer.rivers_at
<terrain_addon.core.recipe.recipe.Layer.rivers_at>` names, and this is its result. A change of the
age of a plateau is only guessed that way, for previews: its rivers do move. A guess never enters a
cache, and no solution starts from it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ...hydrology import (
    FlowTree,
    accumulate,
    build_tree,
    height_above_rivers,
    resolve_depressions,
)
from ...hydrology.d8 import NONE
from ...numerics.arrays import Bools, Floats
from ...numerics.progress import Cancel
from .base_level import BaseLevel, base_levels
from .drainage import Drainage
from .grids import Grids
from .settings import FluvialSettings
from .solver import RIVER, beds_of, ground_of, rates_of, seabed_of, steps_of
from .stream_power import lowered, water_of
from .valley_floors import LEVEL, raise_upstream

STEPS = {"uplift": 2, "plateau": 3}
"""Steps on held rivers. Mountains continue from their heights; a plateau starts again from its
initial surface, with longer steps."""
GUESSED = "age"
"""The setting whose change is worth guessing: that of a plateau.

Measured as the RMS difference between guess and solution, over that between the old terrain and the
solution, for an age multiplied or divided by 1.25 and by 1.1: the largest of ten seeds is 0.41 to
0.69 and 0.59 to 0.83 on two presets. For Valley Depth of Canyon it is 0.82 and 1.03. Concavity, Max
Slope, Rounding, Rock Layers and Valley Spacing move rivers more than anything else: 0.77 to 1.03.
Valley Floors and Fans act on what the rivers leave: 1.
"""
NEAREST, FARTHEST = 1.15, 1.3
"""Factors between the ages. A smaller change is mostly that of rivers that take other courses."""


@dataclass(frozen=True)
class Terrain:
    """A terrain to erode: its grids, the settings, and the height of the sea in meters."""

    grids: Grids
    settings: FluvialSettings
    sea: float | None


def can_guess(before: FluvialSettings, after: FluvialSettings) -> bool:
    """Return whether settings differ in the age of a plateau only, enough and not too much."""
    if before.type != "plateau" or dataclasses.replace(before, age=after.age) != after:
        return False
    low, high = sorted((before.age, after.age))
    return 0 < NEAREST * low <= high <= FARTHEST * low


def held_drainage(
    solved: Drainage,
    before: Terrain,
    after: Terrain,
    seed: int,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Return the drainage of the terrain ``after`` with the rivers of another terrain.

    Both need grids of one shape and unit, and settings of one type. Where the sea has left, rivers
    are led on to it.

    Parameters
    ----------
    solved : Drainage
        The drainage of the terrain ``before``, without drawn rivers.
    seed : int
        Seed it was solved with.

    Raises
    ------
    Cancelled
    """
    tree, ends = build_tree(solved.directions, cancelled), solved.directions == NONE
    base = _base(before, ends, cancelled)
    old = _stepped(solved, tree, solved.area, before, base, seed, cancelled)
    base = _base(after, ends, cancelled)
    tree, area = _led_on(solved, tree, after, base, cancelled)
    height = _stepped(solved, tree, area, after, base, seed, cancelled)
    # Sediment is laid in proportion to the relief.
    relief, thicker = float(np.ptp(old)), np.float32(1)
    if relief > LEVEL:
        thicker = np.float32(np.ptp(height) / relief)
    unit = after.grids.unit
    height -= old
    height *= np.float32(unit)
    height += solved.height
    height += solved.deposition * (thicker - 1)
    height[base.outlets] = base.heights * np.float32(unit)
    above = height_above_rivers(height, tree, area > np.float32(RIVER * unit**2), cancelled)
    return dataclasses.replace(
        solved,
        height=height,
        directions=tree.directions,
        area=area,
        above_rivers=above,
        deposition=solved.deposition * thicker,
        seabed=seabed_of(after.grids, after.sea),
        beds=beds_of(after.grids, after.settings, seed),
    )


def _base(terrain: Terrain, ends: Bools, cancelled: Cancel | None) -> BaseLevel:
    """Return the outlets on the finest grid; at the border those of the held rivers, which end on
    the cells ``ends``."""
    grids = terrain.grids
    levels = grids.levels(cancelled)
    return base_levels(levels, grids, terrain.settings, terrain.sea, cancelled, low=ends)[-1]


def _led_on(
    solved: Drainage, tree: FlowTree, after: Terrain, base: BaseLevel, cancelled: Cancel | None
) -> tuple[FlowTree, Floats]:
    """Return the rivers and their drainage area in square meters, from the cells where they ended
    to the outlets."""
    dry = (solved.directions == NONE) & ~base.outlets
    if not dry.any() and not (base.outlets & (solved.directions != NONE)).any():
        return tree, solved.area
    height, grids = solved.height * np.float32(1 / after.grids.unit), after.grids
    height[dry] = grids.finest.terrain[dry]
    base.hold(height)
    directions = solved.directions.copy()
    directions[base.outlets] = NONE
    tree = build_tree(resolve_depressions(height, directions, base.outlets, cancelled), cancelled)
    return tree, accumulate(tree, water_of(grids.finest.rain, solved.spacing, cancelled), cancelled)


def _stepped(
    solved: Drainage,
    tree: FlowTree,
    area: Floats,
    terrain: Terrain,
    base: BaseLevel,
    seed: int,
    cancelled: Cancel | None,
) -> Floats:
    """Return heights without sediment after some steps on held rivers, in units of the valley
    spacing."""
    grids, settings = terrain.grids, terrain.settings
    beds = beds_of(grids, settings, seed)
    ground = ground_of(grids.finest, base, beds, grids, settings, terrain.sea)
    steps, rates = STEPS[settings.type], rates_of(settings)
    if settings.type == "plateau":
        count = sum(steps_of(settings, level, grids.extent) for level in grids.levels(cancelled))
        rates = dataclasses.replace(rates, strength=rates.strength * count / steps)
        height, climb = grids.finest.terrain.copy(), np.float32(1e-3 * ground.spacing)
        base.hold(height)
        raise_upstream(tree, height, lambda cells: np.full(cells.size, climb), cancelled)
    else:
        height = solved.height - solved.deposition
        height *= np.float32(1 / grids.unit)
        base.hold(height)
    area = area * np.float32(1 / grids.unit**2)
    for _ in range(steps):
        height = lowered(height, tree, area, ground, rates, cancelled)
    return height
