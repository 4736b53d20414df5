# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by running water on one grid: the stream power law, solved implicitly.

Height falls at the rate K A^m S (drainage area A, slope S) and rises with the uplift. One implicit
step per cell needs its receiver's new height only: ``z = (z + U + f z_r) / (1 + f)`` with
``f = K A^m / distance``, solved from the outlets upstream (Braun and Willett 2013). Slopes creep
(hillslope diffusion) and slide (talus), which also keeps the grid's eight directions from
showing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...hydrology import FlowTree, SlopeFactors, accumulate, route
from ...hydrology.d8 import LENGTHS, NONE, Codes, flat_offsets
from ...numerics.arrays import Floats, Indices
from ...numerics.blocks import SAMPLES, by_bands, row_bands, with_margin
from ...numerics.portable import power
from ...numerics.progress import Cancel, poll
from ...numerics.wrapping import on_torus
from .. import random_fields
from ..smoothing import binomial
from ..thermal import ROWS_PER_PASS, relaxed
from .base_level import BaseLevel
from .beds import HeightTable
from .drawn.holding import HeldRivers

STEEPER = np.float32(1.09)
"""Most by which a slope can exceed the steepest of eight directions: 1 / cos(22.5 deg)."""
JITTER = 1.2
"""Spread of the random factors on the eight slopes, which hide the grid's directions."""
SLIDES = 2
"""Passes of the slide of steep slopes in a step."""
KEPT = 2**17
"""Cells of the largest grid that keeps its random factors: 32 bytes each."""


@dataclass(frozen=True)
class Rates:
    """Rates of erosion. Lengths in units of the valley spacing.

    Attributes
    ----------
    strength : float
        K, per step.
    area_exponent : float
        Exponent m of the drainage area.
    smallest_area : float
        Below this drainage area slopes, not streams, shape the terrain.
    creep : float
        Share of each hillslope's roughness that goes in one pass, 0 to 1.
    creep_passes : int
        Passes per step.
    talus : float
        Steepest slope that holds, as a tangent; steeper ones slide, keeping the mass.
    steepest_bank : float
        Slope of the banks, as a tangent, beyond which they fall into the stream, which carries them
        away.
    """

    strength: float
    area_exponent: float
    smallest_area: float
    creep: float
    creep_passes: int
    talus: float
    steepest_bank: float


@dataclass(frozen=True)
class Ground:
    """Inputs of one grid that do not change while it erodes.

    Attributes
    ----------
    spacing : float
        Between cells, in units of the valley spacing.
    uplift : ndarray of float32, shape (rows, W)
        Rise per step, asked for a band of rows at a time.
    base : BaseLevel
        The outlets, and the heights at which they are held.
    softness : ndarray of float32, shape (H, W) or None
        Factor on K, or None.
    beds : Table or None
        Softness of the rock by height, or None.
    rain : ndarray of float32, shape (H, W) or None
        Factor on the drainage area, or None.
    drawn : HeldRivers or None
        Rivers whose beds are held, or None.
    wraps : bool
        Whether the grid repeats.
    """

    spacing: float
    uplift: Callable[[slice], Floats]
    base: BaseLevel
    softness: Floats | None = None
    beds: HeightTable | None = None
    rain: Floats | None = None
    drawn: HeldRivers | None = None
    wraps: bool = False


def water_of(
    rain: Floats | None, spacing: float, cancelled: Cancel | None = None
) -> Floats | float:
    """Return drainage area added by each cell, with ``rain`` as a factor."""
    cell = spacing**2
    if rain is None:
        return cell

    def water(part: Floats) -> Floats:
        return part * np.float32(cell)

    return by_bands(water, cancelled, rain)


@dataclass(frozen=True)
class Eroded:
    """A grid after some steps.

    Attributes
    ----------
    height : ndarray of float32, shape (H, W)
        In units of the valley spacing.
    tree : FlowTree
        The rivers of the last step.
    area : ndarray of float32, shape (H, W)
        Their drainage area.
    """

    height: Floats
    tree: FlowTree
    area: Floats


def erode_steps(
    height: Floats,
    ground: Ground,
    rates: Rates,
    steps: int,
    seed: int,
    cancelled: Cancel | None = None,
) -> Eroded:
    """Take implicit steps, one or more, of uplift, stream erosion, creep and talus.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        In units of the valley spacing, as `ground` is; it is worked on in place.
    """
    columns = height.shape[1]

    # Small grids take many steps: keeping their factors saves a plateau 6 % of its time.
    @lru_cache(maxsize=None if height.size <= KEPT else 0)
    def factors(start: int, stop: int) -> list[Floats]:
        return random_fields.factors(slice(start, stop), columns, JITTER / 2, 8, seed * 8)

    def step_factors(step: int) -> SlopeFactors:
        # Each step sees them in other directions, so that none is favoured for long.
        turn = (3 * step + step // 8) % 8

        def turned(rows: slice) -> list[Floats]:
            fields = factors(rows.start, rows.stop)
            return fields[turn:] + fields[:turn]

        return turned

    for step in range(steps - 1):
        height = _step(height, ground, rates, step_factors(step), cancelled).height
    return _step(height, ground, rates, step_factors(steps - 1), cancelled)


def _step(
    height: Floats, ground: Ground, rates: Rates, factors: SlopeFactors, cancelled: Cancel | None
) -> Eroded:
    drawn, outlets = ground.drawn, ground.base.outlets
    given = None if drawn is None else drawn.given
    tree = route(height, outlets, cancelled, factors=factors, given=given, wraps=ground.wraps)
    water = water_of(ground.rain, ground.spacing, cancelled)
    area = accumulate(tree, water if drawn is None else drawn.with_inflow(water), cancelled)
    return Eroded(lowered(height, tree, area, ground, rates, cancelled), tree, area)


def lowered(
    height: Floats,
    tree: FlowTree,
    area: Floats,
    ground: Ground,
    rates: Rates,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return heights after one step on given rivers; ``height`` is worked on in place."""
    if ground.drawn is not None:
        ground.drawn.hold(height)
    _incise(height, tree, area, ground, rates, cancelled)
    if ground.drawn is not None:
        ground.drawn.hold(height)
    poll(cancelled)
    _creep(height, area, ground, rates, cancelled)

    def slid(height: Floats) -> Floats:
        return relaxed(height, ground.spacing, rates.talus, SLIDES, cancelled)

    reach = ROWS_PER_PASS * SLIDES
    height = on_torus(slid, reach, height) if ground.wraps else slid(height)
    poll(cancelled)
    return height


def _incise(
    height: Floats,
    tree: FlowTree,
    area: Floats,
    ground: Ground,
    rates: Rates,
    cancelled: Cancel | None,
) -> None:
    """Take the implicit step, upstream from the outlets, in place."""
    pull = np.empty_like(height)
    for rows in row_bands(height.shape, cancelled, SAMPLES):
        pull[rows] = _pull(height, tree.directions, area, rows, ground, rates)
    for rows in row_bands(height.shape, cancelled, SAMPLES):
        level, pulled = height[rows], pull[rows]
        share = np.add(1, pulled)
        np.divide(1, share, out=share)
        pulled *= share
        level += ground.uplift(rows)
        level *= share
    ground.base.hold(height)
    banks = LENGTHS * np.float32(ground.spacing) * np.float32(rates.steepest_bank)
    heights, pulls, codes = height.reshape(-1), pull.reshape(-1), tree.directions.ravel()
    for cells, levels in tree.runs(cancelled):
        level, pulled, bank = heights.take(cells), pulls.take(cells), banks.take(codes.take(cells))
        for below, donors, parent in levels:
            here, bed = level[donors], level[below].take(parent)
            here += pulled[donors] * bed
            bed += bank[donors]
            np.minimum(here, bed, out=here)
        heights[cells] = level


def _pull(
    height: Floats, directions: Codes, area: Floats, rows: slice, ground: Ground, rates: Rates
) -> Floats:
    """Return (rows, W) float32: f of the implicit step in some rows of the grid."""
    steps = LENGTHS.take(directions[rows])
    pull = np.maximum(area[rows], np.float32(rates.smallest_area))
    power(pull, rates.area_exponent, out=pull)
    pull *= np.float32(rates.strength)
    softness = None if ground.softness is None else ground.softness[rows]
    if ground.beds is not None:
        beds = ground.beds.at(height[rows])
        softness = beds if softness is None else softness * beds
    if softness is not None:
        pull *= softness
    if ground.wraps:
        pull *= _ratio_on_torus(height, directions, rows)
    else:
        pull *= _true_slope_ratio(height, directions, rows, steps)
    steps *= np.float32(ground.spacing)
    pull /= steps
    return pull


def _true_slope_ratio(height: Floats, directions: Codes, rows: slice, steps: Floats) -> Floats:
    """Return (rows, W) upwind gradient over the slope along the D8 direction, 1 to `STEEPER`.

    ``steps`` are the lengths of the steps, in cells.

    A plane that falls between two of the eight directions is steeper than along either; without
    this factor its erosion, and so the hillslopes' shape, would have eight preferred directions.
    """
    columns = height.shape[1]
    below = np.arange(rows.start * columns, rows.stop * columns, dtype=np.intp)
    below += flat_offsets(columns).take(directions[rows].ravel())
    along: Floats = height[rows] - height.take(below).reshape(steps.shape)
    along /= steps
    along[along < np.float32(1e-12)] = np.inf  # level, or up and out of a hollow: the factor is 1
    ratio = _upwind(height, rows)
    ratio /= along
    return np.clip(ratio, 1, STEEPER, out=ratio)


def _ratio_on_torus(height: Floats, directions: Codes, rows: slice) -> Floats:
    """Return :func:`_true_slope_ratio` of a grid that repeats."""
    around: Indices = np.arange(rows.start - 1, rows.stop + 1, dtype=np.intp) % height.shape[0]
    part = np.pad(height[around], ((0, 0), (1, 1)), mode="wrap")
    codes = np.pad(directions[around], ((0, 0), (1, 1)), constant_values=NONE)
    inner = slice(1, len(around) - 1)
    return _true_slope_ratio(part, codes, inner, LENGTHS.take(codes[inner]))[:, 1:-1]


def _upwind(height: Floats, rows: slice) -> Floats:
    """Return (rows, W) fall per cell, from the larger fall along the rows and along the columns."""
    around, inner = with_margin(rows, 1, height.shape[0])
    part = height[around]
    squared = np.square(_fall(part, 0)[inner])
    across = _fall(part[inner], 1)
    squared += np.square(across, out=across)
    return np.sqrt(squared, out=squared)


def _fall(height: Floats, axis: int) -> Floats:
    """Return how far each cell stands above the lower of its two neighbors along an axis, 0 or
    more."""
    rise = np.diff(height, axis=axis)
    low = (slice(None),) * axis + (slice(None, -1),)
    high = (slice(None),) * axis + (slice(1, None),)
    fall = np.zeros(height.shape, np.float32)
    np.maximum(fall[high], rise, out=fall[high])
    np.negative(rise, out=rise)
    np.maximum(fall[low], rise, out=fall[low])
    return fall


def _creep(
    height: Floats, area: Floats, ground: Ground, rates: Rates, cancelled: Cancel | None
) -> None:
    """Diffuse hillslopes in place: full where no stream runs, fading with drainage area."""
    if rates.creep <= 0:
        return
    weight = np.float32(rates.smallest_area) / area
    np.minimum(np.float32(1), weight, out=weight)
    weight *= np.float32(rates.creep)
    weight[ground.base.outlets] = 0

    def crept(height: Floats, weight: Floats) -> Floats:
        return binomial(height, rates.creep_passes, weight, cancelled, out=height)

    if ground.wraps:
        height[...] = on_torus(crept, rates.creep_passes, height, weight)
    else:
        crept(height, weight)
