# SPDX-License-Identifier: GPL-3.0-or-later
"""Alluvial fans: cones of debris where steep streams come out onto plains.

A stream that loses its slope drops its load and shifts over it, which builds a cone around the
mouth of the valley. Its size grows with the drainage area above (Bull 1964).
Lengths are in units of the valley spacing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...analysis.derivatives import steepness
from ...hydrology import FlowTree
from ...hydrology.d8 import LENGTHS, NONE, neighbors
from ...numerics.arrays import Bools, Floats, Indices
from ...numerics.blocks import SAMPLES, row_bands
from ...numerics.hashing import hashed, signed_unit
from ...numerics.portable import power
from ...numerics.progress import Cancel, poll
from ...numerics.wrapping import on_torus, wrapped
from ..smoothing import binomial, box, counts_around, smoothstep
from .valley_floors import EDGE, raise_upstream, run_out

SMALLEST, LARGEST = 0.2, 12.0
"""Drainage areas of streams that build fans."""
NEIGHBOURHOOD, AT_THE_FOOT = 0.45, 0.12
"""Radius of the mean slope that distinguishes mountains from plains, and that for fans of a given
slope, which begin at the very foot of mountains."""
PLAIN = 0.14
"""Mean slope in the neighborhood below which terrain is a plain."""
STEEPEST = 0.24
"""Slope of the fans of the smallest streams; those of larger ones are gentler."""
BACKFILL = 0.03
"""Slope of the gravel behind a fan."""
ROOM = 0.3
"""Share of the circle about the apex that must be a plain; half of it is,
at a straight mountain front. In a narrow valley a fan would lie across it like a disc."""
SIZES = (1.0, 0.75, 0.5)
"""Shares of the full radius that are tried until a fan has room."""
WIDEST = 2.5
"""Largest radius."""
APART = 0.8
"""Least distance of two apexes, in radii of the larger fan."""
LOOKS = 16
"""Places along the radius where room is checked."""
AT_APEX, AT_TOE = 1.3, 0.7
"""Slopes of fans whose slope is given, at the apex and at the radius, in units of the mean."""
OUTWARD = 1.6
"""Radii to which cones of a given slope reach, where they are above the ground."""
FADING = 1.1
"""Radii from which they run out, up to that."""
LOBES = ((2, 0.06), (5, 0.06), (9, 0.03), (17, 0.016), (29, 0.009))
"""Lobes around a cone, and how much they change its slope: the stream shifts and builds one after
the other (Hooke 1967)."""
LOBES_STREAM = 4409
BLURS = 4
"""Passes that blend fans into the ground."""
THICK = 0.03
"""Thickness of gravel whose surface is blurred in full."""
MOST_FANS = 40
"""Largest number of fans on a terrain with 22 valleys along its side: those of the largest
streams."""


@dataclass(frozen=True)
class _Fan:
    """Apex cell, height of the ground there, radius, height of the cone on it, mean slope, and
    radians by which its lobes are turned."""

    row: int
    column: int
    level: float
    radius: float
    lift: float
    slope: float = 0.0
    phases: tuple[float, ...] = ()

    def moved(self, rows: int, columns: int) -> _Fan:
        """Return the fan so many rows and columns away."""
        return replace(self, row=self.row + rows, column=self.column + columns)


@dataclass(frozen=True)
class Fans:
    """Fans, and the share of plain terrain around each place, where they may be: (H, W) as whole
    numbers of ``share``. With ``cones``, their slope is given: each is a cone from its apex down,
    wherever that lies above the ground."""

    fans: list[_Fan]
    plain: NDArray[Any]
    share: np.float32
    cones: bool = False


def find_fans(
    height: Floats,
    tree: FlowTree,
    area: Floats,
    spacing: float,
    amount: float,
    cancelled: Cancel | None = None,
    *,
    most: int = MOST_FANS,
    slope: float | None = None,
    seed: int = 0,
) -> Fans | None:
    """Return the fans at the mouths of steep valleys, None where there are none.

    Parameters
    ----------
    height, area : ndarray of float32, shape (H, W)
        In units of the valley spacing and its square.
    tree : FlowTree
        Drainage tree of ``height``.
    amount : float
        0 none, 1 large.
    most : int, default MOST_FANS
        Largest number of fans.
    slope : float, optional
        Slope of the fans of streams with a drainage area of 1 or less, `STEEPEST` if None.
    seed : int, default 0
        Of the lobes of those with a given slope.
    """
    if amount <= 0:
        return None
    cones = slope is not None
    near = AT_THE_FOOT if cones else NEIGHBOURHOOD
    steepest = STEEPEST if slope is None else slope
    radius = max(1, round(near / spacing))

    def slope_around(height: Floats) -> Floats:
        steep = steepness(height, spacing, spacing, cancelled)
        return box(steep, radius, cancelled, out=steep)

    around = on_torus(slope_around, radius + 1, height) if tree.wraps else slope_around(height)
    poll(cancelled)
    plain = around < PLAIN
    del around
    poll(cancelled)
    mouths = _mouths(height, plain, tree, area, spacing, amount, steepest)
    margin = 0
    if tree.wraps:
        margin, mouths = _margin(spacing), _beside_hollows(mouths, tree, spacing)
    chosen = _chosen(
        [fan.moved(margin, margin) for fan in mouths],
        *((wrapped(height, margin), wrapped(plain, margin)) if margin else (height, plain)),
        spacing,
        most,
        cancelled,
    )
    if not chosen:
        return None
    fans, blur = [fan.moved(-margin, -margin) for fan in chosen], max(1, round(radius / 3))
    if cones:
        fans = [_with_lobes(fan, fan.row * height.shape[1] + fan.column, seed) for fan in fans]
    if not tree.wraps:
        counts, share = counts_around(plain, max(1, round(near / 3 / spacing)))
        return Fans(fans, counts, share, cones)
    counts, share = counts_around(wrapped(plain, blur), blur)
    return Fans(fans, counts[blur:-blur, blur:-blur].copy(), share, cones)


def lay_fans(
    height: Floats,
    tree: FlowTree,
    found: Fans | None,
    spacing: float,
    cancelled: Cancel | None = None,
) -> None:
    """Raise heights, in place, by the fans that were found on them.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        In units of the valley spacing.
    tree : FlowTree
        Drainage tree of ``height``.
    """
    if found is None:
        return
    lay = _lay_cone if found.cones else _lay
    rise = _laid(height, found.fans, spacing, tree.wraps, lay, cancelled)
    cones = rise.copy() if found.cones else None
    _dam_up(rise, height, found, tree, spacing, cancelled)
    edge = max(fan.slope for fan in found.fans) * AT_APEX if found.cones else EDGE
    rise = run_out(height, rise, spacing, cancelled, wraps=tree.wraps, edge=max(edge, EDGE))
    if cones is None:  # no seams between fans, and between fan and valley
        height += _blurred(rise, tree.wraps, cancelled)
        return
    np.maximum(rise, cones, out=rise)  # cones end where they meet the ground
    _smooth_gravel(height, rise, tree.wraps, cancelled)


def _smooth_gravel(ground: Floats, rise: Floats, wraps: bool, cancelled: Cancel | None) -> None:
    """Raise the ground, in place, and blur its surface where gravel lies thick: a blurred rise
    would leave moats at the feet of steep walls, where it ends within a few cells."""
    ground += rise
    blurred = _blurred(ground.copy(), wraps, cancelled)
    for rows in row_bands(ground.shape, cancelled, SAMPLES):
        blurred[rows] -= ground[rows]
        blurred[rows] *= smoothstep(0.0, THICK, rise[rows])
        ground[rows] += blurred[rows]


def _blurred(field: Floats, wraps: bool, cancelled: Cancel | None) -> Floats:
    """Return a field without seams, in place or, on a grid that repeats, across its borders."""

    def blurred(field: Floats) -> Floats:
        return binomial(field, BLURS, cancelled=cancelled, out=field)

    return on_torus(blurred, BLURS, field) if wraps else blurred(field)


def _laid(
    height: Floats,
    fans: list[_Fan],
    spacing: float,
    wraps: bool,
    lay: Callable[[Floats, Floats, _Fan, float], None],
    cancelled: Cancel | None,
) -> Floats:
    """Return the rise of the ground by fans; on a grid that repeats, across its borders."""
    if not wraps:
        rise = np.zeros_like(height)
        for fan in fans:
            poll(cancelled)
            lay(rise, height, fan, spacing)
        return rise
    margin = _margin(spacing)
    ground = wrapped(height, margin)
    rise = np.zeros_like(ground)
    for fan in fans:
        poll(cancelled)
        images = (
            fan.moved(margin + j * height.shape[0], margin + i * height.shape[1])
            for j in (-1, 0, 1)
            for i in (-1, 0, 1)
        )
        for image in images:
            if 0 <= image.row < rise.shape[0] and 0 <= image.column < rise.shape[1]:
                lay(rise, ground, image, spacing)
    return np.ascontiguousarray(rise[margin:-margin, margin:-margin])


def _margin(spacing: float) -> int:
    """Return the cells that the widest fan reaches."""
    return math.ceil(WIDEST / spacing)


def _dam_up(
    rise: Floats,
    height: Floats,
    found: Fans,
    tree: FlowTree,
    spacing: float,
    cancelled: Cancel | None,
) -> None:
    """Keep fans to the plains, and fill the valleys behind them with gravel, in place."""
    dammed = np.empty_like(rise)
    for rows in row_bands(rise.shape, cancelled, SAMPLES):
        if not found.cones:
            rise[rows] *= found.plain[rows] * found.share
        dammed[rows] = rise[rows]
    raise_upstream(tree, dammed, _thicker_upstream(height, tree, spacing), cancelled)
    for rows in row_bands(rise.shape, cancelled, SAMPLES):
        behind = dammed[rows]
        if not found.cones:  # those end on plains; cones would dam the level floors behind them
            behind *= 1 - found.plain[rows] * found.share
        np.maximum(rise[rows], behind, out=rise[rows])


def _thicker_upstream(
    height: Floats, tree: FlowTree, spacing: float
) -> Callable[[Indices], Floats]:
    """Return how much thicker than at its receiver the gravel behind a fan is, 0 or less, at any
    cells.

    It climbs by :data:`BACKFILL`: where the valley is steeper, it is thinner upstream.
    """
    steps = LENGTHS * np.float32(spacing * BACKFILL)

    def thicker(cells: Indices) -> Floats:
        made = steps.take(tree.directions.take(cells))
        made -= height.take(cells)
        made += height.take(_below(cells, tree))
        return np.minimum(made, 0, out=made)

    return thicker


def _below(cells: Indices, tree: FlowTree) -> Indices:
    """Return the cells that some drain to, by their row-major numbers."""
    return neighbors(cells, tree.directions.take(cells), tree.shape, tree.wraps)


def _mouths(
    height: Floats,
    plain: Bools,
    tree: FlowTree,
    area: Floats,
    spacing: float,
    amount: float,
    steepest: float,
) -> list[_Fan]:
    """Return the places where a stream comes out of the mountains, largest stream first."""
    level, water, flat = height.ravel(), area.ravel(), plain.ravel()
    streams = np.flatnonzero((water > 0.5 * SMALLEST) & (water < LARGEST) & ~flat)
    mouth = _below(streams, tree)
    joined = water.take(mouth)
    stem = flat.take(mouth) & (water.take(streams) > 0.5 * joined)
    stem &= (joined > SMALLEST) & (joined < LARGEST)
    apexes = np.unique(mouth[stem])
    apexes = apexes[np.argsort(-water[apexes], kind="stable")]
    beyond = apexes
    for _ in range(4):
        beyond = _below(beyond, tree)
    fans: list[_Fan] = []
    for apex, end in zip(apexes.tolist(), beyond.tolist(), strict=True):
        size = math.sqrt(float(water[apex]))
        radius = min(1.3 * amount * size, WIDEST)
        row, column = divmod(apex, height.shape[1])
        fall = float(level[apex] - level[end]) / (4.8 * spacing)
        steepness = max(steepest / max(size, 1.0) ** 0.5, 1.5 * fall)
        lift = radius * (steepness - max(fall, 0.0))
        fans.append(_Fan(row, column, float(level[apex]), radius, lift, steepness))
    return fans


def _beside_hollows(fans: list[_Fan], tree: FlowTree, spacing: float) -> list[_Fan]:
    """Return the fans that cover no hollow in which rivers of a grid that repeats end: smaller ones
    where half of the radius is left."""
    ends = np.flatnonzero(tree.directions == NONE)
    around = [
        tree.directions.take(neighbors(ends, np.array(code), tree.shape, wraps=True))
        for code in range(NONE)
    ]
    rows, columns = np.divmod(ends[(np.stack(around) != NONE).all(axis=0)], tree.shape[1])
    found: list[_Fan] = []
    for fan in fans:
        down, across = np.abs(rows - fan.row), np.abs(columns - fan.column)
        down, across = (
            np.minimum(way, count - way)
            for way, count in zip((down, across), tree.shape, strict=True)
        )
        near = float(np.hypot(down, across).min(initial=math.inf)) * spacing
        share = min(near / fan.radius, 1.0)
        if share >= SIZES[-1]:
            found.append(replace(fan, radius=share * fan.radius, lift=share * fan.lift))
    return found


def _chosen(
    fans: list[_Fan],
    height: Floats,
    plain: Bools,
    spacing: float,
    most: int,
    cancelled: Cancel | None,
) -> list[_Fan]:
    """Return the largest fans that have room, of which none has its apex on another."""
    chosen: list[_Fan] = []
    squares: dict[tuple[int, int], list[_Fan]] = {}  # only fans in adjacent ones can overlap
    side = math.ceil(APART * WIDEST / spacing)
    for wanted in fans:
        poll(cancelled)
        fan = _fitted(wanted, height, plain, spacing)
        if fan is None:
            continue
        j, i = fan.row // side, fan.column // side
        near = (squares.get((j + dj, i + di), ()) for dj in (-1, 0, 1) for di in (-1, 0, 1))
        if all(
            math.hypot(fan.row - other.row, fan.column - other.column) * spacing
            > APART * max(fan.radius, other.radius)
            for square in near
            for other in square
        ):
            chosen.append(fan)
            squares.setdefault((j, i), []).append(fan)
        if len(chosen) == most:
            break
    return chosen


def _fitted(fan: _Fan, height: Floats, plain: Bools, spacing: float) -> _Fan | None:
    """Return the fan as it is or smaller, None where a narrow valley leaves no room for it."""
    reach = math.ceil(fan.radius / spacing)
    step = max(1, reach // LOOKS)
    j, i = (
        np.arange(
            max(middle % step, middle - reach // step * step), min(middle + reach + 1, count), step
        )
        for middle, count in zip((fan.row, fan.column), height.shape, strict=True)
    )
    window = np.ix_(j, i)
    free = plain[window] & (height[window] < np.float32(fan.level + fan.lift))
    away = np.hypot((j - fan.row)[:, None], i - fan.column) * spacing
    for size in SIZES:
        near = away <= size * fan.radius
        if free[near].mean() >= ROOM:
            return replace(fan, radius=size * fan.radius, lift=size * fan.lift)
    return None


def _with_lobes(fan: _Fan, apex: int, seed: int) -> _Fan:
    """Return a fan with lobes of its own, by the row-major number of its apex."""
    numbers = len(LOBES) * apex + np.arange(len(LOBES))
    phases = math.pi * signed_unit(hashed(seed, LOBES_STREAM, numbers))
    return replace(fan, phases=tuple(phases.tolist()))


def _lay(rise: Floats, ground: Floats, fan: _Fan, spacing: float) -> None:
    """Add a cone wherever debris can get to in a straight line from the apex."""
    window, near, passing = _reached(ground, fan, spacing, fan.radius)
    near *= np.float32(-spacing / fan.radius)
    near += np.float32(1)
    cone = power(np.maximum(near, 0, out=near), 1.3)
    cone *= np.float32(fan.lift)
    cone *= passing
    np.maximum(rise[window], cone, out=rise[window])


def _lay_cone(rise: Floats, ground: Floats, fan: _Fan, spacing: float) -> None:
    """Raise the ground to a cone wherever debris can get to in a straight line from the apex.

    Its slope falls evenly, from :data:`AT_APEX` to :data:`AT_TOE` of its mean, as far as that of
    its radius (Bowman 2019: most are concave).
    """
    window, near, passing = _reached(ground, fan, spacing, OUTWARD * fan.radius)
    near *= np.float32(spacing / fan.radius)
    fall = near * near
    fall *= np.float32((AT_TOE - AT_APEX) / 2)
    fall += np.float32(AT_APEX) * near
    # Beyond the radius as steep as at the toe.
    beyond = np.float32((AT_APEX + AT_TOE) / 2) + np.float32(AT_TOE) * (near - np.float32(1))
    fall = np.where(near > 1, beyond, fall)
    fall *= _lobes(fan, window, fall.shape)
    fall *= np.float32(-fan.slope * fan.radius)
    fall += np.float32(fan.level + fan.lift)
    fall -= ground[window]
    np.maximum(fall, 0, out=fall)
    fall *= passing
    fall *= 1 - smoothstep(FADING, OUTWARD, near)
    np.maximum(rise[window], fall, out=rise[window])


def _lobes(fan: _Fan, window: tuple[slice, slice], shape: tuple[int, ...]) -> Floats:
    """Return the factor on the slope of a fan in the direction of each cell of a window.

    Cosines of multiples of the angle are powers of a complex number: no arc tangent, whose last
    bits differ between processors.
    """
    rows, columns = (
        np.arange(part.start, part.start + count, dtype=np.float32) - np.float32(apex)
        for part, count, apex in zip(window, shape, (fan.row, fan.column), strict=True)
    )
    turn = columns + 1j * rows[:, None]
    turn /= np.maximum(np.hypot(turn.real, turn.imag), np.float32(1))
    factor, made, done = np.ones(shape, np.float32), np.ones_like(turn), 0
    for (count, amount), phase in zip(LOBES, fan.phases, strict=True):
        for _ in range(count - done):
            made *= turn
        done = count
        factor += np.float32(amount * math.cos(phase)) * made.real
        factor += np.float32(amount * math.sin(phase)) * made.imag
    return factor


def _reached(
    ground: Floats, fan: _Fan, spacing: float, radius: float
) -> tuple[tuple[slice, slice], Floats, Floats]:
    """Return the window over a fan, cells from its apex there, and whether debris gets there in a
    straight line: 0 to 1."""
    reach = math.ceil(radius / spacing)
    top, left = max(fan.row - reach, 0), max(fan.column - reach, 0)
    window = (slice(top, fan.row + reach + 1), slice(left, fan.column + reach + 1))
    shape = ground[window].shape
    j, i = np.ogrid[top : top + shape[0], left : left + shape[1]]
    dj, di = (j - fan.row).astype(np.float32), (i - fan.column).astype(np.float32)
    # How far the ground on the way stands above the apex's cone: beyond its lift, debris stops.
    barrier = ground[window] - np.float32(fan.level)
    for share in (0.3, 0.6):
        rows = np.rint(np.float32(share) * dj).astype(np.intp) + fan.row
        columns = np.rint(np.float32(share) * di).astype(np.intp) + fan.column
        np.maximum(barrier, ground[rows, columns] - np.float32(fan.level), out=barrier)
    passing = 1 - smoothstep(0.5 * fan.lift, 1.5 * fan.lift, barrier)
    away = np.sqrt(dj * dj + di * di)
    return window, away, passing
