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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hydrology import (
    FlowTree,
    accumulate,
    build_tree,
    height_above_rivers,
    resolve_depressions,
    steepest_directions,
)
from ...hydrology.d8 import NONE
from ...numerics.arrays import Bools, Floats
from ...numerics.progress import Cancel
from .base_level import BaseLevel, base_levels
from .drainage import Drainage
from .drawn.holding import HeldRivers
from .drawn.widening import Surroundings
from .grids import Grids
from .settings import FluvialSettings
from .solver import RIVER, beds_of, ground_of, rates_of, seabed_of, steps_of
from .stream_power import Ground, lowered, water_of
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


FAR = np.float32(1e6)
"""A height above all others, in units of the valley spacing."""
Rivers = tuple[FlowTree, Floats]
"""A drainage tree, and the drainage area of its cells in square meters."""


@dataclass(frozen=True)
class Terrain:
    """A terrain to erode: its grids, the settings, and the height of the sea in meters."""

    grids: Grids
    settings: FluvialSettings
    sea: float | None

    @property
    def drive(self) -> float:
        """Relief of the terrain, in proportion to which mountains rise, in meters."""
        return self.rise(self.grids.finest.terrain) * self.grids.unit

    def rise(self, height: Floats) -> float:
        """Return how far the highest of some heights on the finest grid, in units of the valley
        spacing, is above the lowest or the sea, within the terrain's border."""
        padding = self.grids.finest.padding
        rows, columns = (slice(padding, count - padding) for count in height.shape)
        part = height[rows, columns]
        return max(float(part.max()) - self.lowest(part), 0.0)

    def lowest(self, height: Floats) -> float:
        """Return the sea or the lowest of some heights in units of the valley spacing."""
        return float(height.min()) if self.sea is None else self.sea / self.grids.unit


def can_guess(before: FluvialSettings, after: FluvialSettings) -> bool:
    """Return whether settings differ in the age of a plateau only, enough and not too much."""
    if before.type != "plateau" or dataclasses.replace(before, age=after.age) != after:
        return False
    low, high = sorted((before.age, after.age))
    return 0 < NEAREST * low <= high <= FARTHEST * low


@dataclass(frozen=True)
class Stepped:
    """A solved terrain after some more steps on its rivers.

    Attributes
    ----------
    height : ndarray of float32, shape (H, W)
        Without sediment, in units of the valley spacing.
    terrain : Terrain
        What is eroded.
    tree : FlowTree
        Its rivers: to order their cells takes a tenth of the time that a terrain with these rivers
        takes.
    around : Surroundings
        The land around each place before these steps, for the valleys of drawn rivers.
    """

    height: Floats
    terrain: Terrain
    tree: FlowTree
    around: Surroundings

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        finest = self.terrain.grids.finest
        factors = [one for one in (finest.softness, finest.rain) if one is not None]
        tree = self.tree.order, self.tree.parent
        return self.height, *tree, *self.around.arrays, *factors

    @classmethod
    def of(
        cls, solved: Drainage, terrain: Terrain, seed: int, cancelled: Cancel | None = None
    ) -> Stepped:
        """Continue the solution of a terrain, found with that seed."""
        base = base_of(terrain, solved.directions == NONE, cancelled)
        tree = build_tree(solved.directions, cancelled, wraps=terrain.grids.wraps)
        height = stepped_on(solved, (tree, solved.area), terrain, base, seed, cancelled)
        unit = terrain.grids.unit
        around = Surroundings.of(solved.height / np.float32(unit), solved.spacing / unit, cancelled)
        return cls(height, terrain, tree, around)


def held_drainage(
    solved: Drainage, before: Stepped, after: Terrain, seed: int, cancelled: Cancel | None = None
) -> Drainage:
    """Return the drainage of a terrain with the rivers of another one.

    Both need grids of one shape and unit, and settings of one type. Where the sea has left, rivers
    are led on to it. The relief of mountains changes in proportion to that before erosion.

    Parameters
    ----------
    solved : Drainage
        The drainage of the other terrain, without drawn rivers.
    before : Stepped
        That terrain after some more steps.
    after : Terrain
        The terrain.
    seed : int
        Seed of both.

    Raises
    ------
    Cancelled
    """
    ends, unit = solved.directions == NONE, after.grids.unit
    base = base_of(after, ends, cancelled)
    rivers = tree, area = _led_on(solved, before.tree, after, base, cancelled)
    old = solved.height * np.float32(1 / unit)
    drives = before.terrain.drive, after.drive
    higher = drives[1] / drives[0] if min(drives) > 0 else 1.0

    def moved(settings: FluvialSettings) -> Floats:
        terrain = dataclasses.replace(after, settings=settings)
        outlets = base if settings == after.settings else base_of(terrain, ends, cancelled)
        height = stepped_on(solved, rivers, terrain, outlets, seed, cancelled, steeper=higher)
        height -= before.height
        height += old
        return height

    height = moved(after.settings)
    if higher != 1 and after.settings.type == "uplift":
        driven = (
            height if after.settings == before.terrain.settings else moved(before.terrain.settings)
        )
        _scale(height, after, higher * after.rise(old), after.rise(driven))
    base.hold(height)
    if after.grids.wraps:
        base.silted(height).hold(height)
    height *= np.float32(unit)
    above = height_above_rivers(height, tree, area > np.float32(RIVER * unit**2), cancelled)
    return dataclasses.replace(
        solved,
        height=height,
        directions=tree.directions,
        area=area,
        above_rivers=above,
        seabed=seabed_of(after.grids, after.sea),
        beds=beds_of(after.grids, after.settings, seed),
    )


def _scale(height: Floats, terrain: Terrain, wanted: float, rise: float) -> None:
    """Scale heights above the lowest or the sea in place, so that a rise becomes the one that is
    wanted.

    The highest summit follows from the ground along its whole river. Where that is lower than the
    summit was, or slides, the summit would stay behind.
    """
    if min(wanted, rise) > LEVEL:
        low = np.float32(terrain.lowest(height))
        rest = np.maximum(height - low, 0)
        rest *= np.float32(wanted / rise - 1)
        height += rest


def base_of(terrain: Terrain, ends: Bools, cancelled: Cancel | None) -> BaseLevel:
    """Return the outlets on the finest grid; at the border those of the held rivers, which end on
    the cells ``ends``."""
    grids = terrain.grids
    levels = grids.levels(cancelled)
    return base_levels(levels, grids, terrain.settings, terrain.sea, cancelled, low=ends)[-1]


def _led_on(
    solved: Drainage, tree: FlowTree, after: Terrain, base: BaseLevel, cancelled: Cancel | None
) -> Rivers:
    """Return the rivers and their drainage area in square meters, from the cells where they ended
    to the outlets."""
    dry = (solved.directions == NONE) & ~base.outlets
    if not dry.any() and not (base.outlets & (solved.directions != NONE)).any():
        return tree, solved.area
    height, grids = solved.height * np.float32(1 / after.grids.unit), after.grids
    height[dry] = grids.finest.terrain[dry]
    base.hold(height)
    # Away from the old terrain, whose rivers come from there.
    new = np.where(dry | base.outlets, height, FAR)
    wraps = grids.wraps
    steepest = steepest_directions(new, base.outlets, wraps=wraps)
    directions = np.where(dry, steepest, solved.directions)
    directions[base.outlets] = NONE
    directions = resolve_depressions(height, directions, base.outlets, cancelled, wraps=wraps)
    tree = build_tree(directions, cancelled, wraps=wraps)
    return tree, accumulate(tree, water_of(grids.finest.rain, solved.spacing, cancelled), cancelled)


def _with_rivers(ground: Ground, drawn: HeldRivers, floors: Bools) -> Ground:
    """Return the ground with drawn rivers whose floors neither rise nor wear: these lie where they
    were cut, however much the land rises."""
    free = (~floors).astype(np.float32)
    softness = free if ground.softness is None else ground.softness * free

    def uplift(rows: slice) -> Floats:
        return ground.uplift(rows) * free[rows]

    return dataclasses.replace(ground, drawn=drawn, softness=softness, uplift=uplift)


def stepped_on(
    solved: Drainage,
    rivers: Rivers,
    terrain: Terrain,
    base: BaseLevel,
    seed: int,
    cancelled: Cancel | None,
    steeper: float = 1.0,
    drawn: tuple[HeldRivers, Bools] | None = None,
) -> Floats:
    """Return heights without sediment after some steps on held rivers, in units of the valley
    spacing; slopes hold that are ``steeper`` than with the settings, and so do ``drawn`` rivers
    with the cells of their floors."""
    (tree, area), grids, settings = rivers, terrain.grids, terrain.settings
    beds = beds_of(grids, settings, seed)
    ground = ground_of(grids.finest, base, beds, grids, settings, terrain.sea)
    if drawn is not None:
        ground = _with_rivers(ground, *drawn)
    steps, rates = STEPS[settings.type], rates_of(settings)
    if settings.type == "plateau":
        count = sum(steps_of(settings, level, grids.extent) for level in grids.levels(cancelled))
        rates = dataclasses.replace(rates, strength=rates.strength * count / steps)
        height, climb = grids.finest.terrain.copy(), np.float32(1e-3 * ground.spacing)
        base.hold(height)
        raise_upstream(tree, height, lambda cells: np.full(cells.size, climb), cancelled)
    else:
        talus, bank = rates.talus * steeper, rates.steepest_bank * steeper
        rates = dataclasses.replace(rates, talus=talus, steepest_bank=bank)
        height = solved.height - solved.deposition
        height *= np.float32(1 / grids.unit)
        base.hold(height)
    area = area * np.float32(1 / grids.unit**2)
    for _ in range(steps):
        height = lowered(height, tree, area, ground, rates, cancelled)
    return height
