# SPDX-License-Identifier: GPL-3.0-or-later
"""Sediment: flat valley floors, and the channels' heights that go with them.

Rivers fill the lower parts of their valleys with gravel up to a slope that carries it further; the
larger the river, the gentler. Lengths here are in units of the valley spacing.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...analysis.derivatives import steepness
from ...hydrology import FlowTree, accumulate
from ...hydrology.d8 import LENGTHS
from ...numerics.arrays import Floats, Indices
from ...numerics.blocks import SAMPLES, row_bands, with_margin
from ...numerics.portable import power
from ...numerics.progress import Cancel, poll
from ...numerics.resample import blend_rows
from ...numerics.wrapping import on_torus
from .. import random_fields
from ..smoothing import binomial, box, share_around, smoothstep

GRADIENT = 0.057
"""Slope of the floor of a river with a drainage area of one unit."""
STEEPEST = 0.05
AREA_POWER = 0.3
"""Depth of the fill grows with drainage area to this power."""
SMALLEST = 0.2
"""Drainage area below which nothing settles."""
EDGE = 0.06
"""Slope along the axes with which debris that fills a basin to its brim runs down into the next."""
STEEP = 0.25
"""Slope from which on ground gives debris."""
LADEN = 0.1
"""Share of steep ground in its drainage area that gives a river all the debris it can carry."""
LEVEL = 1e-30
"""Relief below which terrain counts as level: ratios would leave the range of float32."""
EVENED_FROM = 13
"""Cells around a cell that its evened height depends on."""
SWELL = 0.6
"""Wavelength of the swells of the floors, as steep as the floor itself; at least 4 cells."""


def raise_upstream(
    tree: FlowTree,
    level: Floats,
    climb: Callable[[Indices], Floats],
    cancelled: Cancel | None = None,
) -> None:
    """Raise ``level``, (H, W), in place to the lowest surface that rises upstream by at least
    ``climb`` per step, a function of row-major cell numbers.
    """
    flat = level.reshape(-1)
    for cells, levels in tree.runs(cancelled):
        here, steps = flat.take(cells), climb(cells)
        for below, donors, parent in levels:
            floor = here[below].take(parent)
            floor += steps[donors]
            np.maximum(here[donors], floor, out=here[donors])
        flat[cells] = here


def run_out(
    ground: Floats,
    rise: Floats,
    spacing: float,
    cancelled: Cancel | None = None,
    *,
    wraps: bool = False,
    edge: float = EDGE,
) -> Floats:
    """Return the rise without the cliffs where filled terrain ends at lower terrain across a low
    divide.

    Debris lies below the cone of slope ``edge`` around every point of the surface, with the
    distance along rows plus that along columns. Steps of 1, 2, 4 and so on make up all distances.
    The ground repeats if it ``wraps``.
    """
    lowest = ground + rise
    highest, fall, step = float(rise.max()), edge * spacing, 1
    while step * fall < highest and step < max(lowest.shape):
        drop = np.float32(step * fall)
        if wraps:
            _lower_around(lowest, step, drop, cancelled)
            step *= 2
            continue
        _lower_along(lowest, step, drop, cancelled)
        for rows in row_bands(lowest.shape, cancelled, SAMPLES):
            _lower_along(lowest[rows].T, step, drop)
        step *= 2
    lowest -= ground
    return np.clip(lowest, 0, rise, out=lowest)


def _lower_along(
    field: Floats, step: int, drop: np.float32, cancelled: Cancel | None = None
) -> None:
    """Let no cell stand more than ``drop`` above those ``step`` rows before and behind, in place.

    Bands are visited in an order in which each is read before it is lowered.
    """
    ahead, behind = field[step:], field[:-step]
    bands = list(row_bands(ahead.shape, None, SAMPLES))
    for rows in reversed(bands):
        poll(cancelled)
        np.minimum(ahead[rows], behind[rows] + drop, out=ahead[rows])
    for rows in bands:
        poll(cancelled)
        np.minimum(behind[rows], ahead[rows] + drop, out=behind[rows])


def _lower_around(
    field: Floats, step: int, drop: np.float32, cancelled: Cancel | None = None
) -> None:
    """Let no cell of a field that repeats stand more than ``drop`` above those ``step`` rows or
    columns away, in place."""
    for axis in (0, 1):
        for way in (step, -step):
            poll(cancelled)
            np.minimum(field, np.roll(field, way, axis) + drop, out=field)


def fill_valleys(
    height: Floats,
    tree: FlowTree,
    area: Floats,
    spacing: float,
    amount: float,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the height with alluvial valley floors, a new array.

    Parameters
    ----------
    height, area : ndarray of float32, shape (H, W)
        In units of the valley spacing and its square.
    tree : FlowTree
        Drainage tree of ``height``.
    amount : float
        0 leaves valleys as they are, 1 fills them amply.
    """
    relief = float(np.ptp(height))
    if amount <= 0 or relief < LEVEL:
        return height.copy()
    floor = _floor(height, tree, area, spacing, amount, relief, cancelled)
    poll(cancelled)
    # Basins are filled separately: a full one runs over into its neighbor.
    floor -= height
    poll(cancelled)
    floor = run_out(height, floor, spacing, cancelled, wraps=tree.wraps)
    poll(cancelled)
    floor += height
    poll(cancelled)

    def evened(height: Floats, floor: Floats) -> Floats:
        return _evened(height, floor, spacing, relief, cancelled)

    if tree.wraps:
        return on_torus(evened, EVENED_FROM, height, floor)
    return evened(height, floor)


def soften_channels(
    height: Floats,
    area: Floats,
    passes: int = 2,
    cancelled: Cancel | None = None,
    *,
    wraps: bool = False,
) -> None:
    """Smooth heights, in place, along channels, whose paths over the grid's cells zigzag.

    Parameters
    ----------
    height, area : ndarray of float32, shape (H, W)
        In units of the valley spacing and its square; they repeat if they ``wrap``.
    """
    if wraps:

        def softened(height: Floats, area: Floats) -> Floats:
            soften_channels(height, area, passes, cancelled)
            return height

        height[...] = on_torus(softened, passes + 1, height, area)
        return
    weight = np.empty_like(height)
    for rows in row_bands(height.shape, cancelled):
        around, inner = with_margin(rows, 1, height.shape[0])
        share = share_around(area[around] > SMALLEST, 1)[inner]
        share *= np.float32(3)  # 1 from three channel cells of nine
        np.minimum(share, 1, out=weight[rows])
    binomial(height, passes, weight, cancelled, out=height)


def swelled(
    height: Floats,
    filled: Floats,
    spacing: float,
    seed: int,
    cancelled: Cancel | None = None,
    *,
    wraps: bool = False,
) -> Floats:
    """Return floors with low swells, round which rivers wind.

    Over even floors their paths would run straight along the directions of the grid.

    Parameters
    ----------
    height, filled : ndarray of float32, shape (H, W)
        Without and with sediment, in units of the valley spacing; they repeat if they ``wrap``.
    """
    relief = float(np.ptp(filled))
    if relief < LEVEL or min(filled.shape) < 2:
        return filled

    def around(filled: Floats) -> Floats:
        slope = steepness(filled, spacing, spacing, cancelled)
        return box(slope, 4, cancelled, out=slope)

    slope = on_torus(around, 5, filled) if wraps else around(filled)
    wave = max(SWELL, 4 * spacing)
    lines, axis = random_fields.smooth_lines(filled.shape, wave / spacing, seed, wraps=wraps)
    out = np.empty_like(filled)
    for rows in row_bands(filled.shape, cancelled, SAMPLES):
        # None on steeper ground; the levellest has swells as of a slope of 1 %.
        depth = np.maximum(slope[rows], np.float32(0.01))
        depth *= 1 - smoothstep(0.08, 0.2, slope[rows])
        depth *= np.float32(wave / (2 * math.pi))
        # Limited by the sediment: thin patches on gentle terrain would stand up as worms.
        sediment = filled[rows] - height[rows]
        sediment /= np.maximum(depth, np.float32(0.004 * relief))
        depth *= np.minimum(sediment, 1, out=sediment)
        depth *= blend_rows(lines, axis.part(rows))
        np.maximum(filled[rows] + depth, height[rows], out=out[rows])
    return out


def _floor(
    height: Floats,
    tree: FlowTree,
    area: Floats,
    spacing: float,
    amount: float,
    relief: float,
    cancelled: Cancel | None,
) -> Floats:
    """Return (H, W) height to which rivers, and what drains to them, are filled."""
    streams = np.flatnonzero(area > SMALLEST)
    bed = height.take(streams)
    above = bed - _outlet_level(height, tree, cancelled).take(streams)
    fill = power(area.take(streams), AREA_POWER) - np.float32(SMALLEST**AREA_POWER)
    fill *= np.float32(0.025 * amount * relief)
    laden = _laden(height, tree, area, spacing, cancelled)
    fill *= laden.take(streams)
    np.minimum(fill, np.float32(0.3) * np.maximum(above, 0), out=fill)
    level = height.copy()
    level.put(streams, bed + fill)
    poll(cancelled)
    steps = LENGTHS * np.float32(spacing * STEEPEST)
    steps *= np.float32(min(1.0, relief / 2.2))  # low terrain has gentle rivers
    codes = tree.directions.ravel()

    def climb(cells: Indices) -> Floats:
        made, water = steps.take(codes.take(cells)), area.take(cells)
        rivers = np.flatnonzero(water > (GRADIENT / STEEPEST) ** 4)
        gentler = np.sqrt(np.sqrt(1 / water.take(rivers)))
        made[rivers] *= np.float32(GRADIENT / STEEPEST) * gentler
        made *= laden.take(cells)
        return made

    raise_upstream(tree, level, climb, cancelled)
    return level


def _outlet_level(height: Floats, tree: FlowTree, cancelled: Cancel | None) -> Floats:
    """Return (H, W) height of the outlet that each cell drains to."""
    out = height.copy()
    flat = out.reshape(-1)
    for cells, levels in tree.runs(cancelled):
        here = flat.take(cells)
        for below, donors, parent in levels:
            here[donors] = here[below].take(parent)
        flat[cells] = here
    return out


def _laden(
    height: Floats, tree: FlowTree, area: Floats, spacing: float, cancelled: Cancel | None
) -> Floats:
    """Return (H, W) load of debris of each river, 0 to 1 of its capacity.

    Without debris nothing settles: rivers of gentle terrain, such as an uncut plateau, raise no
    floors.
    """

    def slope(height: Floats) -> Floats:
        return steepness(height, spacing, spacing, cancelled)

    steep = (on_torus(slope, 1, height) if tree.wraps else slope(height)) > STEEP
    poll(cancelled)
    debris = accumulate(tree, steep, cancelled)
    debris *= np.float32(spacing**2 / LADEN)
    debris /= area
    return np.minimum(debris, 1, out=debris)


def _evened(
    height: Floats, floor: Floats, spacing: float, relief: float, cancelled: Cancel | None
) -> Floats:
    """Return the fill leveled across valleys: smoothed where it is deep or the terrain gentle."""
    if min(height.shape) < 2:
        return floor
    weight = steepness(floor, spacing, spacing, cancelled)
    box(weight, 4, cancelled, out=weight)
    poll(cancelled)
    for rows in row_bands(floor.shape, cancelled, SAMPLES):
        level = smoothstep(0.05, 0.15, weight[rows])
        deep = np.subtract(floor[rows], height[rows], out=weight[rows])
        deep *= np.float32(1 / (0.02 * relief))
        np.minimum(deep, 1, out=deep)
        np.maximum(deep, np.subtract(1, level, out=level), out=deep)
    poll(cancelled)
    binomial(floor, 8, weight, cancelled, out=floor)
    return np.maximum(floor, height, out=floor)
