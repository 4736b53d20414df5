# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion of a whole terrain by its rivers, on a grid of fixed resolution.

Multigrid: coarse grids settle the trunk rivers in a few steps, finer ones add tributaries; padding
hides the border. The solution does not depend on the output resolution: any grid samples it
through a B-spline.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...hydrology import FlowTree, accumulate, height_above_rivers, route
from ...hydrology.d8 import Codes
from ...numerics.arrays import Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel, Progress, poll
from .. import random_fields
from ..smoothing import smoothstep
from .base_level import BaseLevel, base_levels
from .beds import RockBeds
from .drainage import Drainage, Torus
from .drawn.course import Course
from .drawn.holding import HeldRivers
from .drawn.on_grids import BEND, LAST_BEND, OnGrids
from .fans import MOST_FANS, find_fans, lay_fans
from .grid_bending import bent, doubled_and_bent
from .grids import COARSEST, PADDING, Grids, Level
from .keeping import STEPS_KEEPING, STRENGTH_KEEPING, risen
from .saved_levels import SavedLevels
from .settings import KEEP, VALLEYS, FluvialSettings
from .stream_power import Eroded, Ground, Rates, erode_steps, water_of
from .valley_floors import fill_valleys, raise_upstream, soften_channels, swelled

LOWLAND_UPLIFT = 0.1
"""Uplift of the lowest ground as a share of the relief: plains drain instead of being level."""
COAST_UPLIFT = 0.2
"""Uplift of the coast as a share of the height above the sea: the hinterland is not flat."""
LEVEL_UNREST = 0.25
"""Relief of a level plateau, as a part of its valleys' depth, to which random heights are added."""
LIVING_BANK = 1.6
"""Steepness of banks in uplifting mountains, in units of the steepest slope: few banks reach it at
the default setting."""
OPENED = 2
"""The last but one of the grids: on it the valleys of drawn rivers are opened, and tributaries cut
into their sides on the last."""
RIVER = 0.8
"""Drainage area of a river, in squares of the valley spacing."""
STEPS_LIVING = (8, 3, 2, 1)
STEPS_RELIC = (25, 10, 5, 2)
"""Steps on grids of at most 3 cells across a valley, and of 6, 12 and more, by type."""


def drain(
    terrain: Floats,
    spacing: float,
    settings: FluvialSettings,
    *,
    sea: float | None = None,
    hardness: Floats | None = None,
    rain: Floats | None = None,
    courses: Sequence[Course] = (),
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Erode a terrain by its rivers.

    Implicit stream power erosion (Braun and Willett 2013; Cordonnier et al. 2016) on a multigrid
    (Schott et al. 2023; Tzathas et al. 2024), with sediment in the valleys.

    Parameters
    ----------
    terrain : ndarray of float, shape (H, W)
        Meters; sample [j, i] covers a square of ``spacing`` meters.
    spacing : float
        Meters between samples.
    settings : FluvialSettings
        Settings of the erosion, with the resolution of its grid.
    sea : float, optional
        Height of the sea in meters, None without a sea.
    hardness, rain : ndarray of float32, shape (H, W), optional
        Factors on the rock's resistance and the rainfall; above zero.
    courses : sequence of Course, optional
        Rivers that were drawn: the drainage runs along them.
    seed : int, default 0
        Seed of the random slopes and bends; another number gives other rivers of the same kind.
    progress, cancelled : callable, optional
        Called between steps.

    Returns
    -------
    Drainage
        The drainage; `Drainage.sample` and `surface` sample it in coordinates centered on the
        terrain.

    Raises
    ------
    ValueError
        Heights or factors that are not valid, or a sea that is not finite.
    Cancelled

    Examples
    --------
    >>> hill = 300 * np.hanning(64)[:, None] * np.hanning(64)
    >>> drainage = drain(hill, 20.0, FluvialSettings(resolution="128"))
    >>> x = 20.0 * (np.arange(64) - 31.5)
    >>> drainage.sample(drainage.height, x, x).shape
    (64, 64)
    """
    grids = Grids.of(terrain, spacing, settings, hardness=hardness, rain=rain, cancelled=cancelled)
    return eroded(
        grids, settings, sea=sea, courses=courses, seed=seed, progress=progress, cancelled=cancelled
    )


def eroded(
    grids: Grids,
    settings: FluvialSettings,
    *,
    sea: float | None = None,
    courses: Sequence[Course] = (),
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
    saved: SavedLevels | None = None,
) -> Drainage:
    """Erode grids that were made for the same settings; see :func:`drain`.

    Finished grids are ``saved``, and the work continues from one that is. With uplift the terrain
    is also the uplift map. Raises ValueError for a sea that is not finite, OSError if a grid cannot
    be saved, and Cancelled.
    """
    if sea is not None and not math.isfinite(sea):
        raise ValueError(f"The height of the sea must be finite, not {sea:g}; None for no sea")
    # Coarser grids would give the terrain other rivers than it has.
    levels = [grids.finest] if settings.type == KEEP else grids.levels(cancelled)
    bases = base_levels(levels, grids, settings, sea, cancelled)
    beds = beds_of(grids, settings, seed)
    drawn = None
    if courses:
        drawn = OnGrids.of(courses, grids, levels, bases, seed, bent=settings.type != KEEP)
        bases = drawn.bases(bases)
    work = _Work(grids, levels, bases, beds, settings, sea, seed, progress, cancelled, saved, drawn)
    return work.finished(work.kept() if settings.type == KEEP else work.with_sediment())


@dataclass(frozen=True)
class _Work:
    """The erosion of one terrain.

    Fields are large: each method frees those that later steps do not need. ``levels`` and ``bases``
    start with those of the current grid.
    """

    grids: Grids
    levels: list[Level]
    bases: list[BaseLevel]
    beds: RockBeds | None
    settings: FluvialSettings
    sea: float | None
    seed: int
    progress: Progress | None
    cancelled: Cancel | None
    saved: SavedLevels | None
    drawn: OnGrids | None

    def on_all_grids(self) -> Eroded:
        """Erode on one grid after the other; frees the levels and bases that are done."""
        count, first = len(self.levels), 0
        coarser: list[Floats] = []
        if self.saved is not None and (known := self.saved.finest(self.levels[:-1])):
            first, coarser = known[0] + 1, [known[1]]
            del known, self.levels[:first], self.bases[:first]
        for number in range(first, count - 1):
            made = self._on_grid(number, coarser, count)
            if self.saved is not None:
                self.saved.save(self.levels[0], made.height)
            coarser = [made.height]
            del made, self.levels[0], self.bases[0]
        return self._on_grid(count - 1, coarser, count)

    def _on_grid(self, number: int, coarser: list[Floats], count: int) -> Eroded:
        """Erode on one grid, from the heights on the coarser one, which are consumed."""
        level, base = self.levels[0], self.bases[0]
        ground = ground_of(level, base, self.beds, self.grids, self.settings, self.sea)
        if self.drawn is not None:
            ground = replace(ground, drawn=self.drawn.held[number])
        steps = steps_of(self.settings, level, self.grids.extent)
        rates = rates_of(self.settings)
        start = self._start(number, ground, coarser)
        made = erode_steps(start, ground, rates, steps, self.seed + 31 * number, self.cancelled)
        if ground.drawn is not None and number == max(count - OPENED, 0):
            ground.drawn.open_valleys(made.height, self.seed, self.cancelled)
            ground.base.hold(made.height)
        if self.progress is not None:
            self.progress(4.0 ** (number + 1 - count))
        return made

    def kept(self) -> list[Floats]:
        """Return the heights of a terrain that keeps its forms, without and with fans: its rivers
        lay nothing else down."""
        made = self.on_all_grids()
        height, tree, area = made.height, made.tree, made.area
        del made
        self.bases[0].hold(height)
        terrain, unit = self.levels[0].terrain, self.grids.unit
        sea = None if self.sea is None else (self.sea / unit, self.settings.coastal_plain / unit)
        height = risen(height, terrain, self._cell(), sea, self.cancelled, wraps=self.grids.wraps)
        filled = height.copy()
        if self.settings.fan_slope > 0:
            self._lay_fans(filled, tree, area)
        return [height, filled]

    def with_sediment(self) -> list[Floats]:
        """Return the heights on the finest grid without and with what the rivers lay down."""
        made = self.on_all_grids()
        height, tree, area, cancelled = made.height, made.tree, made.area, self.cancelled
        del made
        self.bases[0].hold(height)
        cell, settings = self._cell(), self.settings
        filled = fill_valleys(height, tree, area, cell, settings.valley_floor, cancelled)
        wraps = self.grids.wraps
        soften_channels(filled, area, cancelled=cancelled, wraps=wraps)
        self._lay_fans(filled, tree, area)
        del tree, area
        filled = swelled(height, filled, cell, self.seed + 60013, cancelled, wraps=wraps)
        settled = [height, filled]
        del height, filled
        return bent(settled, self.seed + LAST_BEND, self.bases[0].outlets, cancelled, wraps=wraps)

    def _lay_fans(self, height: Floats, tree: FlowTree, area: Floats) -> None:
        """Raise heights, in place, by fans."""
        settings, cell = self.settings, self._cell()
        slope = settings.fan_slope
        fans = find_fans(
            height,
            tree,
            area,
            cell,
            settings.fans,
            self.cancelled,
            most=most_fans(settings, self.grids),
            slope=math.tan(math.radians(slope)) if slope > 0 else None,
            seed=self.seed,
        )
        lay_fans(height, tree, fans, cell, self.cancelled)

    def finished(self, settled: list[Floats]) -> Drainage:
        """Return the last routing, and all lengths back in meters."""
        grids, cancelled = self.grids, self.cancelled
        base, unit, cell, padding = self.bases[0], grids.unit, self._cell(), grids.finest.padding
        height, filled = settled
        settled.clear()
        base.hold(height)
        poll(cancelled)
        base.hold(filled)
        if grids.wraps:
            base = self.bases[0] = base.silted(filled)
            base.hold(filled)
        poll(cancelled)
        held = self._held(height, filled)
        deposition = np.subtract(filled, height, out=height)
        directions, area, above = self._routed(filled, held)
        for field, factor in (
            (filled, unit),
            (area, unit * unit),
            (above, unit),
            (deposition, unit),
        ):
            poll(cancelled)
            field *= np.float32(factor)
        poll(cancelled)
        seabed = seabed_of(grids, self.sea)
        cell *= unit
        return Drainage(
            height=filled,
            directions=directions,
            area=area,
            above_rivers=above,
            deposition=deposition,
            seabed=seabed,
            spacing=cell,
            x0=(0.5 - padding) * cell - grids.width / 2,
            y0=(0.5 - padding) * cell - grids.depth / 2,
            unit=unit,
            sea=self.sea,
            beds=self.beds,
            drawn=None if held is None else held.rivers(filled, area),
            torus=Torus.of(grids) if grids.wraps else None,
        )

    def _held(self, height: Floats, filled: Floats) -> HeldRivers | None:
        """Return the drawn rivers on the finished terrain, which is lowered to their beds."""
        if self.drawn is None:
            return None
        held, base = self.drawn.finished(self.bases[0])
        self.bases[0] = base
        held.settle(filled, base, self.seed, self.cancelled)
        np.minimum(height, filled, out=height)
        return held

    def _routed(self, height: Floats, held: HeldRivers | None) -> tuple[Codes, Floats, Floats]:
        """Return directions, drainage area and heights above the rivers of the final heights."""
        rain, cancelled = self.grids.finest.rain, self.cancelled
        given = None if held is None else held.given
        wraps = self.grids.wraps
        tree = route(height, self.bases[0].outlets, cancelled, given=given, wraps=wraps)
        water = water_of(rain, self._cell(), cancelled)
        area = accumulate(tree, water if held is None else held.with_inflow(water), cancelled)
        return tree.directions, area, height_above_rivers(height, tree, area > RIVER, cancelled)

    def _cell(self) -> float:
        """Return the cell size of the current grid in units of the valley spacing."""
        return self.grids.extent / self.levels[0].resolution / self.grids.unit

    def _start(self, number: int, ground: Ground, coarser: list[Floats]) -> Floats:
        """Return initial heights: the terrain on the first grid, later the coarser grid, bent."""
        terrain, relic = self.levels[0].terrain, self.settings.type == "plateau"
        seed, cancelled = self.seed + BEND * number, self.cancelled
        if self.settings.type == KEEP:
            height = terrain.copy()
            ground.base.hold(height)
            return height
        relief = float(np.ptp(terrain))
        if relic:  # on a level plateau no river would wander or branch
            relief = max(relief, LEVEL_UNREST * self.settings.incision / self.grids.unit)
        if coarser:
            wraps = self.grids.wraps
            known = doubled_and_bent(coarser.pop(), seed, cancelled, wraps=wraps)
            unrest = 0.0017 * relief
        else:
            known, unrest = (
                _filled(terrain, ground, cancelled) if relic else terrain,
                0.017 * relief,
            )
        height = random_fields.uniform(terrain.shape, seed, cancelled)
        for rows in row_bands(height.shape, cancelled):
            height[rows] *= np.float32(unrest)
            height[rows] += known[rows]
        ground.base.hold(height)
        return height


def seabed_of(grids: Grids, sea: float | None) -> Floats | None:
    """Return how far the terrain lies above the sea, at most 0, in meters; None without a sea."""
    if sea is None:
        return None
    seabed = grids.finest.terrain * np.float32(grids.unit)
    seabed -= np.float32(sea)
    return np.minimum(seabed, 0, out=seabed)


def ground_of(
    level: Level,
    base: BaseLevel,
    beds: RockBeds | None,
    grids: Grids,
    settings: FluvialSettings,
    sea: float | None,
) -> Ground:
    """Return the ground that one of the grids erodes."""
    unit = grids.unit
    if settings.type == "uplift":
        level_of_sea = None if sea is None else sea / unit
        uplift = _uplift(level.terrain, level_of_sea, settings.coastal_plain / unit)
    else:
        uplift = _no_uplift(level.terrain)
    softness = None if beds is None else beds.softness(unit)
    cell = grids.extent / level.resolution / unit
    return Ground(cell, uplift, base, level.softness, softness, level.rain, wraps=level.wraps)


def _no_uplift(terrain: Floats) -> Callable[[slice], Floats]:
    """Return the uplift of terrain that has stopped rising."""
    return lambda rows: np.zeros_like(terrain[rows])


def _uplift(terrain: Floats, sea: float | None, plain: float) -> Callable[[slice], Floats]:
    """Return the uplift per step, of any rows: the height of the terrain plus a share of the
    relief.

    With a sea it is zero below it and fades in up to ``plain`` above it, for gentle coasts.
    """
    low, high = float(terrain.min()), float(terrain.max())
    if sea is None:
        lowest = np.float32(low - LOWLAND_UPLIFT * (high - low))
        return lambda rows: np.maximum(terrain[rows] - lowest, 0)
    level, least = np.float32(sea), np.float32(COAST_UPLIFT * max(high - sea, 0.0))

    def uplift(rows: slice) -> Floats:
        above = np.maximum(terrain[rows] - level, 0)
        return (above + least) * smoothstep(0.0, plain, above)

    return uplift


def beds_of(grids: Grids, settings: FluvialSettings, seed: int) -> RockBeds | None:
    """Return the beds over twice the range of heights, as hard rock rises above the uplift map."""
    if settings.strata_contrast <= 0:
        return None
    terrain = grids.finest.terrain
    low, high = float(terrain.min()) * grids.unit, float(terrain.max()) * grids.unit
    relief = high - low
    if settings.type == "plateau":
        low -= settings.incision
    thickness = settings.bed_thickness(high - low, grids.unit)
    return RockBeds.of(low, high + relief, thickness, settings.strata_contrast, seed)


def rates_of(settings: FluvialSettings) -> Rates:
    relic = settings.type == "plateau"
    strength = {
        "uplift": 7.1 * settings.strength,
        "plateau": 0.015 * 10.7**settings.age,
        KEEP: STRENGTH_KEEPING * settings.strength,
    }[settings.type]
    talus = math.tan(math.radians(settings.talus))
    # Old terrain has lost the thin divides between its plains.
    old = max(settings.age - 0.7, 0.0) if relic else 0.0
    return Rates(
        strength=strength,
        area_exponent=settings.concavity,
        smallest_area=0.04,
        creep=min(1.0, 2 * (settings.rounding + old)),
        creep_passes=1 + round(4 * settings.rounding + 10 * old),
        talus=talus,
        steepest_bank=steepest_bank(settings),
    )


def steepest_bank(settings: FluvialSettings) -> float:
    """Return the tangent of the steepest banks of rivers."""
    talus = math.tan(math.radians(settings.talus))
    return talus if settings.type == "plateau" else LIVING_BANK * talus


def steps_of(settings: FluvialSettings, level: Level, extent: float) -> int:
    """Return steps on one of the grids: fewer, the more cells it has across a valley."""
    if settings.type == KEEP:
        return STEPS_KEEPING
    steps = STEPS_RELIC if settings.type == "plateau" else STEPS_LIVING
    across = level.resolution / settings.valleys(extent)
    finer = max(round(math.log2(across * VALLEYS / COARSEST)), 0)
    return steps[min(finer, len(steps) - 1)]


def most_fans(settings: FluvialSettings, grids: Grids) -> int:
    """Return the largest number of fans: in proportion to the area, but no fewer than on small
    terrain."""
    rows, columns = grids.finest.terrain.shape
    cells = (grids.finest.resolution * (1 + 2 * PADDING / COARSEST)) ** 2
    valleys = settings.valleys(grids.extent) / VALLEYS
    return max(round(MOST_FANS * rows * columns / cells * valleys**2), MOST_FANS)


def _filled(terrain: Floats, ground: Ground, cancelled: Cancel | None) -> Floats:
    """Return a plateau without hollows: rivers would cut slots through their rims."""
    tree = route(terrain, ground.base.outlets, cancelled, wraps=ground.wraps)
    level, climb = terrain.copy(), np.float32(1e-3 * ground.spacing)
    raise_upstream(tree, level, lambda cells: np.full(cells.size, climb), cancelled)
    return level
