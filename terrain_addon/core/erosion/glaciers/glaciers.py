# SPDX-License-Identifier: GPL-3.0-or-later
"""Glaciers on the drainage that rivers have made.

Ice flows along the rivers' valleys, deepens and widens them to troughs, and leaves moraines. A
trough is the lower envelope of parabolas along a glacier (Svensson 1959: glacial valleys are
parabolas). So cirques lie where glaciers begin, arêtes and horns between two troughs, hanging
valleys where a small glacier met a large one, and basins for lakes where the ice was thick.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from ...hydrology import FlowTree, accumulate, build_tree, height_above_rivers, route
from ...hydrology.accumulation import fill_to_spill
from ...hydrology.d8 import NONE, OFFSETS, Codes, receivers
from ...numerics.arrays import Bools, Doubles, Floats, Indices
from ...numerics.grid import Grid
from ...numerics.portable import power
from ...numerics.progress import Cancel, poll
from ...shapes import nearest
from .. import random_fields
from ..rivers.drainage import Drainage
from ..rivers.solver import RIVER
from ..smoothing import smoothstep
from .envelope import lower_envelope, lowered
from .ice_flow import evened_along, ice_discharge, snow_balance
from .moraines import moraines
from .settings import GlacialSettings

HEAD = 0.02
"""Discharge from which ice is a glacier, in squares of the valley spacing of full snowfall."""
TONGUE = 3.0
"""Discharge in units of :data:`HEAD`, above it, from which a glacier cuts at its full depth."""
BASIN, BASINS = 2.0, 0.4
"""Wavelength of the basins along a glacier in valley spacings, and the deviation of its depth from
the mean with full basins."""
WIDENING, DEEPENING = 0.30, 0.22
"""Exponents of the growth of width and depth with the discharge."""
SIDES = 2.2
"""Rise of the sides over half the width of a trough, in units of its depth."""
STEEPEST = 1.5
"""Tangent of the sides at the height of the depth, at most."""
REACH = 2.2
"""Half widths up to which sides are parabolas; most ground is lower than that."""
FARTHEST = 96
"""Cells up to which they are, at most."""
FLOOR, SLOPING = 0.16, 0.2
"""Debris on the floor in units of the depth at a discharge of one, and how much higher it is at the
foot of the sides, in units of itself."""
GENTLEST = 0.5
"""Rise of the sides over half the width of a trough, in units of that half, at least."""
FOOT, EDGE = 0.6, 0.3
"""Rounding of the edges between floor and sides, in units of the debris, and between sides and
slopes, in units of the depth at a discharge of one."""


@dataclass(frozen=True)
class Glaciers:
    """The cells of a drainage where glaciers flow, and what they cut there.

    Attributes
    ----------
    cells : ndarray of intp, shape (n,)
        Row-major numbers, ascending.
    bed, depth, half : ndarray of float64, shape (n,)
        Height of the bed, depth below the river's valley, and half width of the trough, in meters.
    """

    cells: Indices
    bed: Doubles
    depth: Doubles
    half: Doubles


def glaciated(
    drainage: Drainage,
    settings: GlacialSettings,
    snow_line: float,
    *,
    seed: int = 0,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Return a drainage that glaciers have reshaped, with its water on the new ground.

    Drawn rivers keep their beds: troughs widen their valleys, but do not deepen them.

    Parameters
    ----------
    drainage : Drainage
        Solved by `drain`.
    settings : GlacialSettings
        Of the glaciers.
    snow_line : float
        Meters.
    seed : int, default 0
        Of the basins.

    Raises
    ------
    Cancelled

    Examples
    --------
    >>> from terrain_addon.core.erosion import FluvialSettings, drain
    >>> hill = 300 * np.hanning(64)[:, None] * np.hanning(64)
    >>> rivers = drain(hill, 20.0, FluvialSettings(resolution="128"))
    >>> ice = glaciated(rivers, GlacialSettings(), snow_line=100.0)
    >>> bool((ice.height < rivers.height - 10).any())
    True
    """
    tree = build_tree(drainage.directions, cancelled)
    beds = _drawn_cells(drainage, cancelled)
    ice = find_glaciers(drainage, tree, beds, settings, snow_line, seed, cancelled)
    if not ice.cells.size:
        return drainage
    ground, debris = _carved(drainage, ice, settings, snow_line, cancelled)
    _hold_rivers(ground, drainage.height, beds)
    return _with_water(drainage, tree, beds, ground, debris, cancelled)


def find_glaciers(
    drainage: Drainage,
    tree: FlowTree,
    beds: Bools,
    settings: GlacialSettings,
    snow_line: float,
    seed: int = 0,
    cancelled: Cancel | None = None,
) -> Glaciers:
    """Return the glaciers above a snow line, and as far below it as they flow.

    Parameters
    ----------
    tree : FlowTree
        That of the drainage.
    beds : ndarray of bool, shape (H, W)
        Cells of drawn rivers, below which no ice cuts that flows to them.
    """
    height, unit, cell = drainage.height, drainage.unit, drainage.spacing
    balance = snow_balance(height, snow_line, settings.ice_reach)
    flow = ice_discharge(tree, balance, cancelled).reshape(-1)
    flow *= np.float32((cell / unit) ** 2)
    cells = np.flatnonzero(flow > np.float32(HEAD))
    size = flow[cells]
    half = 0.5 * settings.trough_width * unit * power(size, WIDENING).astype(np.float64)
    depth = settings.trough_depth * unit * power(size, DEEPENING).astype(np.float64)
    ground = height.reshape(-1)[cells].astype(np.float64)
    places = (at.astype(np.float64) for at in np.divmod(cells, height.shape[1]))
    uneven = random_fields.smooth_at(height.shape, BASIN * unit / cell, seed, *places)
    deep = np.maximum(1 + np.float32(BASINS * settings.basins) * uneven, 0)
    bed = ground - deep * depth * np.clip((size - HEAD) / (TONGUE * HEAD), 0, 1)
    bed = evened_along(bed, height, cells, tree, size.astype(np.float64), cancelled)
    if beds.any():
        lowest = np.where(beds, height, np.float32(-np.inf))
        fill_to_spill(lowest, tree, cancelled)
        bed = np.maximum(bed, lowest.reshape(-1)[cells])
    return Glaciers(cells, np.minimum(bed, ground), depth, np.maximum(half, cell))


def _carved(
    drainage: Drainage,
    ice: Glaciers,
    settings: GlacialSettings,
    snow_line: float,
    cancelled: Cancel | None,
) -> tuple[Floats, Floats]:
    """Return the ground with troughs and moraines, and meters of the debris that is part of it."""
    height, cell = drainage.height, drainage.spacing
    rise = np.maximum(SIDES * ice.depth, GENTLEST * ice.half)
    steepness = np.minimum(rise / ice.half**2, STEEPEST**2 / (4 * np.maximum(ice.depth, cell)))
    steepness *= cell * cell
    reach = np.minimum(REACH * ice.half / cell, FARTHEST)
    highest = float(height.max())
    trough = lower_envelope(
        height.shape, ice.cells, ice.bed, steepness, reach, highest, cancelled=cancelled
    )
    full = settings.trough_depth * drainage.unit
    rock = _lower(height, trough, np.float32(EDGE * full))
    debris = _floors(rock, height, FLOOR * full, steepness, cancelled)
    ground = rock + debris
    if settings.moraines > 0:
        ridge = moraines(debris > 0, ice.cells, drainage, snow_line, settings.moraines, cancelled)
        ridge[drainage.directions == NONE] = 0
        ground += ridge
        debris += ridge
    return ground, debris


def _floors(
    rock: Floats, before: Floats, depth: float, steepness: Doubles, cancelled: Cancel | None
) -> Floats:
    """Return meters of debris that level the floors of troughs, at most ``depth``.

    Its surface is the lowest rock around plus the depth. Where the ice has cut less than the depth,
    there is less debris, and none where it has cut nothing.
    """
    if depth <= 0:
        return np.zeros_like(rock)
    widest = math.ceil(min(math.sqrt(depth / float(steepness.min())), FARTHEST / 2))
    cells = np.arange(1, widest + 1, dtype=np.float64)
    rise = (SLOPING * depth * (cells / widest) ** 2).astype(np.float32)
    surface = lowered(rock.copy(), rise, cancelled)
    surface += np.float32(depth)
    debris = -_lower(-surface, -rock, np.float32(FOOT * depth))
    debris -= rock
    np.maximum(debris, 0, out=debris)
    cut = before - rock
    debris *= smoothstep(0.0, depth, cut)
    return np.minimum(debris, cut, out=debris)


def _lower(first: Floats, second: Floats, edge: np.float32) -> Floats:
    """Return the lower of two surfaces, with an edge that is rounded over so many meters."""
    near = np.abs(first - second)
    np.subtract(edge, near, out=near)
    np.maximum(near, 0, out=near)
    near *= near
    near *= np.float32(1 / (4 * max(edge, 1e-9)))
    lower = np.minimum(first, second)
    lower -= near
    return lower


def _with_water(
    drainage: Drainage,
    tree: FlowTree,
    beds: Bools,
    ground: Floats,
    debris: Floats,
    cancelled: Cancel | None,
) -> Drainage:
    """Return the drainage with other ground, and the water that runs on it."""
    outlets = drainage.directions == NONE
    if drainage.sea is not None:
        outlets |= ground <= np.float32(drainage.sea)
    onward = _downstream(beds, drainage.directions, cancelled)
    outlets.reshape(-1)[onward] = drainage.directions.reshape(-1)[onward] == NONE
    given = onward, drainage.directions.reshape(-1)[onward]
    water = _own_water(tree, drainage.area, cancelled)
    tree = route(ground, outlets, cancelled, given=given)
    area = accumulate(tree, water, cancelled)
    rivers = area > np.float32(RIVER * drainage.unit**2)
    sediment = drainage.deposition - np.maximum(drainage.height - ground, 0)
    return dataclasses.replace(
        drainage,
        height=ground,
        directions=tree.directions,
        area=area,
        above_rivers=height_above_rivers(ground, tree, rivers, cancelled),
        deposition=np.maximum(sediment, debris, out=sediment),
    )


def _own_water(tree: FlowTree, area: Floats, cancelled: Cancel | None) -> Floats:
    """Return (H, W) the water that each cell adds to the drainage area: rain, and the inflow of
    drawn rivers."""
    below = receivers(tree.directions, cancelled)
    inner = tree.directions.reshape(-1) != NONE
    flow = area.reshape(-1).astype(np.float64)
    flow -= np.bincount(below[inner], flow[inner], flow.size)
    return np.maximum(flow, 0).astype(np.float32).reshape(area.shape)


def _drawn_cells(drainage: Drainage, cancelled: Cancel | None) -> Bools:
    """Return (H, W) whether a drawn river runs through each cell."""
    shape = drainage.height.shape
    if drainage.drawn is None:
        return np.zeros(shape, bool)
    cell = drainage.spacing
    grid = Grid(shape[1], shape[0], drainage.x0, drainage.y0, cell, cell)
    return nearest(drainage.drawn.segments, grid, cell, cancelled).segment >= 0


def _hold_rivers(ground: Floats, height: Floats, beds: Bools) -> None:
    """Give drawn rivers the height that they had, in place, and raise what beside them is lower."""
    cells = np.flatnonzero(beds)
    rows, columns = np.divmod(cells, beds.shape[1])
    for row, column in OFFSETS:
        j = np.clip(rows + row, 0, beds.shape[0] - 1)
        i = np.clip(columns + column, 0, beds.shape[1] - 1)
        np.maximum.at(ground, (j, i), height[beds])
    ground[beds] = height[beds]


def _downstream(cells: Bools, directions: Codes, cancelled: Cancel | None) -> Indices:
    """Return the row-major numbers of some cells and of all that water from them runs through."""
    below, reached = receivers(directions, cancelled), cells.reshape(-1).copy()
    front = np.flatnonzero(reached)
    while front.size:
        poll(cancelled)
        front = np.unique(below[front])
        front = front[~reached[front]]
        reached[front] = True
    return np.flatnonzero(reached)
