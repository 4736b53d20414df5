# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole land eroded by its rivers, on a grid of fixed resolution.

The land is solved on ever finer grids (multigrid: the coarse ones settle the trunk rivers in a
few steps), with a padding around it that hides the border. What comes out is independent of the
resolution at which the terrain is looked at: any grid samples it through a B-spline.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, Doubles, Floats
from ..cancel import Cancel, Progress, poll
from ..hydrology import FlowTree, accumulate, check_height, height_above_rivers, route
from ..resample import SplineAxis, area_means, blend_columns, blend_rows, doubled, halved
from . import chance
from .base_level import outlets_and_base
from .bends import bent, doubled_and_bent
from .fans import lay_fans
from .fluvial_settings import FluvialSettings
from .smoothing import box, smoothstep
from .stream_power import Eroded, Ground, Rates, RockBands, erode_steps
from .valley_floors import fill_valleys, raised, soften_channels, swelled

COARSEST = 64
"""Cells along the longer side of the first grid."""
PADDING = 6
"""Cells of the first grid around the land, worked on and then cut off."""
BROAD = 2
"""Cells of the first grid over which the base level follows the land's broad form."""
LOWLAND_UPLIFT = 0.1
"""Uplift of the lowest land, as a part of the relief: plains are drained, not dead level."""
COAST_UPLIFT = 0.2
"""Uplift of the coast, as a part of the land's height above the sea: land behind it is not flat."""
LEVEL_UNREST = 0.25
"""Relief of a level plateau, as a part of its valleys' depth, to which random heights are added."""
LIVING_BANK = 1.6
"""How much steeper than the steepest slope banks stand where the land rises: at the usual setting
few are, so that it acts where it is set lower."""
RIVER = 0.8
"""Drainage area of a river, in squares of the valley spacing."""
FACTORS = (np.float32(1e-4), np.float32(1e4))
"""Range of hardness and rain that makes a difference."""
STEPS_LIVING = (8, 3, 2, 1)
STEPS_RELIC = (25, 10, 5, 2)


@dataclass(frozen=True)
class Drainage:
    """An eroded land with its rivers, on a grid of square cells with padding around the land.

    Attributes
    ----------
    height : (h, w) float32 metres, eroded
    before : (h, w) float32 metres, the land as it was
    tree : where the water of each cell goes
    area : (h, w) float32 square metres of drainage area, times the rain
    above_rivers : (h, w) float32 metres above the river that a cell drains into, infinite where
        there is none downstream
    outlets : (h, w) bool
    deposit : (h, w) float32 metres of sediment laid down
    spacing : metres between cells
    x0, y0 : metres, centre of cell [0, 0]
    unit : metres, the valley spacing, the length that all sizes go by
    sea : metres, or None
    """

    height: Floats
    before: Floats
    tree: FlowTree
    area: Floats
    above_rivers: Floats
    outlets: Bools
    deposit: Floats
    spacing: float
    x0: float
    y0: float
    unit: float
    sea: float | None

    def columns(self, x: Doubles) -> SplineAxis:
        """Where world coordinates in metres lie among the columns."""
        return SplineAxis.at((x - self.x0) / self.spacing, self.height.shape[1])

    def rows(self, y: Doubles) -> SplineAxis:
        """Where world coordinates in metres lie among the rows."""
        return SplineAxis.at((y - self.y0) / self.spacing, self.height.shape[0])

    def sample(self, field: Floats, x: Doubles, y: Doubles) -> Floats:
        """(len(y), len(x)) float32: a field of this grid at world coordinates in metres."""
        return blend_rows(blend_columns(field, self.columns(x)), self.rows(y))


@dataclass(frozen=True)
class _Level:
    """Inputs on one of the grids."""

    resolution: int
    land: Floats
    broad: Floats
    softness: Floats | None
    rain: Floats | None


def drain(
    land: Floats,
    spacing: float,
    settings: FluvialSettings,
    *,
    sea: float | None = None,
    hardness: Floats | None = None,
    rain: Floats | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Erode a land by its rivers (Braun and Willett 2013; Cordonnier et al. 2016; Schott et al.
    2023; Tzathas et al. 2024).

    Parameters
    ----------
    land : (H, W) float, metres; sample [j, i] covers a square of ``spacing`` metres. In living
        mode it is also the map of the uplift. World coordinates are centred on it.
    sea : height of the sea in metres, None for none
    hardness : (H, W) float32 above zero, how many times as hard to wear the rock is, 1 where None
    rain : (H, W) float32 above zero, how many times as much it rains, 1 where None
    seed : of the random slopes and bends; another number gives other rivers of the same kind
    progress, cancelled : see the layers; called between steps

    Raises
    ------
    ValueError : heights or a sea that are not finite, a spacing that is not above zero, hardness or
        rain of another shape or not above zero
    Cancelled
    """
    land = check_height(land)
    if not (math.isfinite(spacing) and spacing > 0):
        raise ValueError(f"The spacing must be finite and above zero, not {spacing:g}")
    if sea is not None and not math.isfinite(sea):
        raise ValueError(f"The height of the sea must be finite, not {sea:g}; None for no sea")
    for name, factor in (("hardness", hardness), ("rain", rain)):
        if factor is not None:
            _check_factor(name, factor, land.shape)
    poll(cancelled)
    extent = max(land.shape) * spacing
    unit = settings.unit(extent)
    softness: Floats | None = None
    if hardness is not None:
        softness = np.reciprocal(np.clip(hardness, *FACTORS))
    rain = None if rain is None else np.clip(rain, *FACTORS)
    finest = int(settings.resolution)
    levels = _levels(land / np.float32(unit), softness, rain, finest, cancelled)
    made: Eroded | None = None
    ground: Ground | None = None
    rates = _rates(settings)
    for number, level in enumerate(levels):
        ground = _ground(level, extent, unit, settings, sea, seed)
        coarser = None if made is None else made.height
        height = _start(coarser, level, ground, extent, settings, seed + 7919 * number, cancelled)
        steps = _steps(settings, number)
        made = erode_steps(height, ground, rates, steps, seed + 31 * number, cancelled)
        if progress is not None:
            progress(4.0 ** (number + 1 - len(levels)))
    assert made is not None  # there is at least one level
    assert ground is not None
    return _finished(
        made, levels[-1], ground, land.shape, spacing, unit, settings, sea, seed, cancelled
    )


def _check_factor(name: str, factor: Floats, shape: tuple[int, ...]) -> None:
    if factor.shape != shape:
        raise ValueError(f"{name} has the shape {factor.shape}, the land {shape}")
    if not (np.isfinite(factor).all() and (factor > 0).all()):
        raise ValueError(f"{name} must be finite and above zero everywhere")


def _levels(
    land: Floats,
    softness: Floats | None,
    rain: Floats | None,
    finest: int,
    cancelled: Cancel | None,
) -> list[_Level]:
    """The land on all grids, coarsest first."""
    resolutions = [COARSEST]
    while resolutions[-1] * 2 <= finest:
        resolutions.append(resolutions[-1] * 2)
    side, finest = max(land.shape), resolutions[-1]
    edges: list[Doubles] = []
    for length in land.shape:
        cells = (math.ceil(length * COARSEST / side) + 2 * PADDING) * (finest // COARSEST)
        places = np.arange(cells + 1, dtype=np.float64)
        edges.append((places / finest - PADDING / COARSEST) * side)
    lands, softs, rains = (
        _pyramid(field, edges, len(resolutions), cancelled) for field in (land, softness, rain)
    )
    coarsest = lands[0]
    assert coarsest is not None
    broads = [box(box(coarsest, BROAD), BROAD)]
    for _ in resolutions[1:]:
        poll(cancelled)
        broads.append(doubled(broads[-1]))
    fields = zip(resolutions, lands, broads, softs, rains, strict=True)
    return [
        _Level(resolution, land, broad, soft, wet)
        for resolution, land, broad, soft, wet in fields
        if land is not None
    ]


def _pyramid(
    field: Floats | None,
    edges: list[Doubles],
    count: int,
    cancelled: Cancel | None,
) -> list[Floats] | list[None]:
    """Means of a field on ``count`` grids, coarsest first."""
    if field is None:
        return [None] * count
    means = [area_means(field, *edges, cancelled=cancelled)]
    for _ in range(count - 1):
        poll(cancelled)
        means.insert(0, halved(means[0]))
    return means


def _ground(
    level: _Level,
    extent: float,
    unit: float,
    settings: FluvialSettings,
    sea: float | None,
    seed: int,
) -> Ground:
    cell = extent / level.resolution / unit
    sea = None if sea is None else sea / unit
    relic = settings.mode == "relic"
    wear = 1.0 if relic else settings.wear(extent)
    outlets, base = outlets_and_base(level.land, level.broad, sea, wear)
    if relic:
        uplift = np.zeros_like(level.land)
        base = base - np.float32(settings.incision / unit)
        if sea is not None:  # below which no river cuts
            base = np.maximum(base, np.float32(sea))
    else:
        uplift = _uplift(level.land, sea, settings.coastal_plain / unit)
    bands = _rock_bands(level, unit, settings, seed)
    return Ground(cell, uplift, outlets, base, level.softness, bands, level.rain)


def _uplift(land: Floats, sea: float | None, plain: float) -> Floats:
    """Rise per step: the height of the land, and a part of the relief more.

    With a sea none below it, and less than that up to ``plain`` above it, where the land ends
    gently.
    """
    low, high = float(land.min()), float(land.max())
    if sea is None:
        return np.maximum(land - np.float32(low - LOWLAND_UPLIFT * (high - low)), 0)
    above = np.maximum(land - np.float32(sea), 0)
    uplift = above + np.float32(COAST_UPLIFT * max(high - sea, 0.0))
    uplift *= smoothstep(0.0, plain, above)
    return uplift


def _rock_bands(
    level: _Level, unit: float, settings: FluvialSettings, seed: int
) -> RockBands | None:
    """Alternating hard and soft rock of random thickness, over the range of heights and as much
    again above: hard rock stands higher than the land that lifts it."""
    if settings.strata_contrast <= 0:
        return None
    thickness = settings.strata_thickness / unit
    low = float(level.land.min()) - settings.incision / unit
    relief = float(np.ptp(level.land))
    count = min(int((float(level.land.max()) + relief - low) / thickness) + 4, 256)
    chances = chance.uniform((2, count), seed + 101).astype(np.float64)
    tops = low + thickness * (np.cumsum(1 + 0.5 * chances[0]) - 1)
    hard = 1 / (1 + 9 * settings.strata_contrast)
    factor = np.where(np.arange(count) % 2 == 0, hard, 1 + settings.strata_contrast)
    factor *= 1 + 0.3 * chances[1]
    heights = np.repeat(tops, 2) + np.tile([-0.06, 0.06], count) * thickness
    return RockBands(heights[1:], np.repeat(factor, 2)[1:])


def _rates(settings: FluvialSettings) -> Rates:
    relic = settings.mode == "relic"
    strength = 0.015 * 10.7**settings.age if relic else 7.1 * settings.strength
    talus = math.tan(math.radians(settings.talus))
    # Old land has had time to lose the thin divides between its plains.
    old = max(settings.age - 0.7, 0.0) if relic else 0.0
    return Rates(
        strength=strength,
        area_exponent=settings.concavity,
        smallest_area=0.04,
        creep=min(1.0, 2 * (settings.rounding + old)),
        creep_passes=1 + round(4 * settings.rounding + 10 * old),
        talus=talus,
        steepest_bank=talus if relic else LIVING_BANK * talus,
    )


def _steps(settings: FluvialSettings, number: int) -> int:
    steps = STEPS_RELIC if settings.mode == "relic" else STEPS_LIVING
    return steps[min(number, len(steps) - 1)]


def _start(
    coarser: Floats | None,
    level: _Level,
    ground: Ground,
    extent: float,
    settings: FluvialSettings,
    seed: int,
    cancelled: Cancel | None,
) -> Floats:
    """Heights to begin with: the land at first, then the coarser result with its rivers bent."""
    relief, relic = float(np.ptp(level.land)), settings.mode == "relic"
    if relic:  # on a level plateau no river would wander or branch
        relief = max(relief, LEVEL_UNREST * settings.incision / settings.unit(extent))
    shape = level.land.shape
    if coarser is None:
        known = _filled(level.land, ground, cancelled) if relic else level.land
        unrest = 0.017 * relief
    else:
        known, unrest = doubled_and_bent(coarser, seed, cancelled), 0.0017 * relief
    height = chance.uniform(shape, seed)
    height *= np.float32(unrest)
    height += known
    height[ground.outlets] = ground.base[ground.outlets]
    return height


def _filled(land: Floats, ground: Ground, cancelled: Cancel | None) -> Floats:
    """A plateau without hollows: rivers that had to cut through their rims would leave slots."""
    tree = route(land, ground.outlets, cancelled)
    climb = np.full(land.size, 1e-3 * ground.spacing, np.float32)
    return tree.scatter(raised(tree, tree.gather(land), climb))


def _finished(
    made: Eroded,
    level: _Level,
    ground: Ground,
    shape: tuple[int, ...],
    spacing: float,
    unit: float,
    settings: FluvialSettings,
    sea: float | None,
    seed: int,
    cancelled: Cancel | None,
) -> Drainage:
    """Sediment, the last routing, and all lengths back in metres."""
    height, cell = made.height, ground.spacing
    height[ground.outlets] = ground.base[ground.outlets]
    filled = fill_valleys(height, made.tree, made.area, cell, settings.valley_floor, cancelled)
    filled = soften_channels(filled, made.area, cancelled=cancelled)
    filled = lay_fans(filled, made.tree, made.area, cell, settings.fans, cancelled)
    filled = swelled(height, filled, cell, seed + 60013, cancelled)
    height, filled = bent([height, filled], seed + 40009, ground.outlets, cancelled)
    filled[ground.outlets] = height[ground.outlets] = ground.base[ground.outlets]
    tree = route(filled, ground.outlets, cancelled)
    area = tree.scatter(accumulate(tree, ground.water(), cancelled).astype(np.float32))
    cell = ground.spacing * unit
    padding = PADDING * level.resolution // COARSEST
    above = height_above_rivers(filled, tree, area > RIVER, cancelled)
    poll(cancelled)
    return Drainage(
        height=filled * np.float32(unit),
        before=level.land * np.float32(unit),
        tree=tree,
        area=area * np.float32(unit * unit),
        above_rivers=above * np.float32(unit),
        outlets=ground.outlets,
        deposit=(filled - height) * np.float32(unit),
        spacing=cell,
        x0=(0.5 - padding) * cell - shape[1] * spacing / 2,
        y0=(0.5 - padding) * cell - shape[0] * spacing / 2,
        unit=unit,
        sea=sea,
    )
