# SPDX-License-Identifier: GPL-3.0-or-later
"""Braids of steep rivers on wide floors of gravel.

A river splits into threads where its slope is above 0.012 Q^-0.44, with the bankfull discharge Q in
cubic meters per second (Leopold and Wolman 1957). The threads part and meet again around bars, in a
belt several times as wide as one channel would be; 2 to 5 of them lie beside each other. From where
two meet to where they part it is 4 to 5 widths of a thread (Hundey and Ashmore 2009).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...hydrology import RiverLine
from ...numerics.arrays import Doubles, Indices
from ...numerics.progress import Cancel, poll
from ...numerics.resample import bilinear_exact
from ..rivers.drainage import Drainage
from ..rivers.drawn.course import run_of
from .along_rivers import joined, least, left_of, on_grid, rooms, steady, varying
from .channels import DEPTH

WIDTH_OF_DISCHARGE = 4.0
"""Width in meters of a river of gravel with a bankfull discharge of one cubic meter per second; it
grows with the square root (Parker 1979 and others: 3.5 to 4.9)."""
THRESHOLD, POWER = 0.012, -0.44
"""Slope at one cubic meter per second above which rivers braid, and how it changes with discharge
(Leopold and Wolman 1957, in metric units)."""
FULL = 1.5
"""Slope, in units of that, from which they braid in full."""
CASCADES = 0.07, 0.11
"""Slopes from which rivers braid less, and do not: they fall over boulders (Montgomery and
Buffington 1997)."""
BELT = 7.0
"""Width of the belt of gravel, in widths of the river as one channel."""
NARROWEST = 2.5
"""Width below which a belt is a channel, in the same."""
WANDER, WANDERING = 2.0, 9.0
"""How far a belt wanders to a side where the floor is wider, in its half widths, and the widths of
the belt over which that varies."""
THREADS = 4
"""Threads beside each other, where none meet."""
UNLIKE = 1.0
"""Deviation of the logarithm of their discharges."""
LARGEST = 0.6
"""Usual width of the largest thread, in widths of the river as one channel."""
UNIT = 21.0
"""Length from one meeting of two threads to their next, in widths of the largest."""
TOGETHER = 1.15
"""How long threads stay together: their shifts are a cosine times this, held within 1."""
SHIFT = 0.9
"""Deviation of their phases in radians."""
LOOSE = 0.25
"""Deviation of their places, in half of the distance between two."""
VARYING = 1.5
"""Units over which threads vary."""
SHALLOW = 0.04
"""Depth of a thread below the bars, relative to its width."""
INCISED = 0.03
"""Depth of the belt below the ground beside it, relative to the width of the river."""
LEVEL = 0.25
"""Height above the river, in widths, up to which ground is its floor."""
EDGE = 0.8, 1.15
"""Half widths of a belt between which its edge lies."""
GRAVEL = 2.0
"""Meters of gravel that a belt has at least."""
FINEST = 4
"""Points of a line on a cell of the drainage grid."""
COARSEST_BELT = 4.0
"""Cells across the narrowest belts."""


@dataclass(frozen=True)
class _Belt:
    """The belt of a river, at points of its ``line``: direction to the left of it, as (2, n), and
    meters of its half width, 0 where the river does not braid."""

    line: RiverLine
    at: Doubles
    width: Doubles
    level: Doubles
    normal: Doubles
    half: Doubles


def braiding(
    rivers: Sequence[RiverLine], drainage: Drainage, amount: float, cancelled: Cancel | None = None
) -> list[Doubles]:
    """Return the share, 0 to 1 at each point, in which rivers braid.

    Parameters
    ----------
    rivers : sequence of RiverLine
        Those of the drainage.
    drainage : Drainage
        The terrain.
    amount : float
        Share of the full width of the belts, 0 to 1.
    """
    shares: list[Doubles] = []
    mouths = _mouths(rivers)
    for river in rivers:
        poll(cancelled)
        belt = _belt(river, drainage, amount, 0, mouths)
        if belt is None:
            shares.append(np.zeros(river.x.size))
            continue
        run = run_of(np.stack([river.x, river.y], axis=1))
        shares.append(np.interp(run, belt.at, np.clip(belt.half / belt.width, 0, 1)))
    return shares


def braided(
    rivers: Sequence[RiverLine],
    drainage: Drainage,
    amount: float,
    seed: int = 0,
    cancelled: Cancel | None = None,
) -> tuple[list[RiverLine], Drainage]:
    """Return rivers of which steep ones on wide floors are split into threads, and the terrain with
    level belts of gravel around these.

    Parameters are those of :func:`braiding`, and the seed of the threads. The rivers are first, in
    their order, then the threads beside them. ``area`` of the terrain counts a river all over its
    belt, and ``deposition`` its gravel.
    """
    mouths = _mouths(rivers)
    belts = [_belt(river, drainage, amount, seed, mouths) for river in rivers]
    known = [belt for belt in belts if belt is not None]
    if not known:
        return list(rivers), drainage
    drainage = _with_gravel(drainage, known, cancelled)
    made: list[RiverLine] = []
    beside: list[RiverLine] = []
    moved: dict[tuple[float, float], tuple[float, float]] = {}
    for river, belt in zip(rivers, belts, strict=True):
        poll(cancelled)
        if belt is None:
            made.append(river)
            continue
        threads = _threads(belt, drainage, seed)
        made.append(threads[0])
        beside += [part for one in threads[1:] for part in one.parts(belt.half > 0)]
        run = run_of(np.stack([river.x, river.y], axis=1))[:-1]
        before = zip(river.x[:-1].tolist(), river.y[:-1].tolist(), strict=True)
        after = (np.interp(run, belt.at, line).tolist() for line in threads[0].fields[:2])
        moved.update(zip(before, zip(*after, strict=True), strict=True))
    ended = [joined(river, moved.get((float(river.x[-1]), float(river.y[-1])))) for river in made]
    return ended + beside, drainage


def _belt(
    river: RiverLine,
    drainage: Drainage,
    amount: float,
    seed: int,
    mouths: Container[tuple[float, float]],
) -> _Belt | None:
    """Return the belt of a river; None where it braids nowhere. It is narrow at its source,
    and where it ends at one of the ``mouths``."""
    own = np.append(river.width[:-1], river.width[-2])  # the last may be that of the river it joins
    if amount <= 0 or BELT * own.max() < COARSEST_BELT * drainage.spacing:
        return None
    step = drainage.spacing / FINEST
    run = run_of(np.stack([river.x, river.y], axis=1))
    at: Doubles = np.linspace(0.0, float(run[-1]), math.ceil(run[-1] / step) + 1)
    fine = RiverLine(*(np.interp(at, run, values) for values in river.fields))
    width = np.interp(at, run, own)
    count = max(round(BELT * float(np.median(width)) / step), 1)
    width = steady(width, count)
    axis = [steady(line, count) for line in (fine.x, fine.y)]
    level = steady(fine.z, count)
    slope = np.maximum(steady(-np.gradient(level, step), 2 * count), 1e-9)
    widest = amount * BELT / 2 * width
    found = rooms(drainage, axis, left_of(axis), level + LEVEL * width, (EDGE[1] + WANDER) * widest)
    room = steady(least(np.minimum(*found), count // 4), count)
    half = np.minimum(room / EDGE[1], widest) * steep_share(slope, width)
    half[(BELT * width < COARSEST_BELT * drainage.spacing) | (2 * half < NARROWEST * width)] = 0
    half = steady(least(half, count // 4), 2 * count) * np.clip(at / (2 * BELT * width), 0, 1)
    if (float(river.x[-1]), float(river.y[-1])) in mouths:
        half *= np.clip((at[-1] - at) / (2 * BELT * width), 0, 1)
    if not half.any():
        return None
    calm = np.clip(half / width, 0, 1)
    swing = np.clip(room - EDGE[1] * half, 0, WANDER * half) * steady(calm, 4 * count)
    swing *= varying(drainage, axis, WANDERING * BELT * float(np.median(width)), seed)
    axis = [line + swing * side for line, side in zip(axis, left_of(axis), strict=True)]
    line = replace(fine, x=fine.x + calm * (axis[0] - fine.x), y=fine.y + calm * (axis[1] - fine.y))
    place = on_grid((line.x, line.y), drainage)
    ground = bilinear_exact(drainage.height, *((way - o) / drainage.spacing for way, o in place))
    level = level + calm * (steady(ground, count) - level)
    level = np.minimum.accumulate(level)
    return _Belt(line, at, width, level, left_of((line.x, line.y)), half)


def _mouths(rivers: Sequence[RiverLine]) -> set[tuple[float, float]]:
    """Return the places of rivers where others may end on them."""
    return {
        place
        for river in rivers
        for place in zip(river.x[:-1].tolist(), river.y[:-1].tolist(), strict=True)
    }


def steep_share(slope: Doubles, width: Doubles) -> Doubles:
    """Return the share of its belt that a river has by its slope and its width."""
    discharge = (np.maximum(width, 1e-6) / WIDTH_OF_DISCHARGE) ** 2
    steep = slope / (THRESHOLD * discharge**POWER)
    share = np.clip((steep - 1) / (FULL - 1), 0, 1)
    return share * np.clip((CASCADES[1] - slope) / (CASCADES[1] - CASCADES[0]), 0, 1)


def _with_gravel(drainage: Drainage, belts: Sequence[_Belt], cancelled: Cancel | None) -> Drainage:
    """Return a terrain that is level across the belts."""
    size = drainage.height.size
    sums, share = np.zeros((3, size)), np.zeros(size)
    for belt in belts:
        poll(cancelled)
        cell, values = _spread(belt, drainage)
        for total, value in zip(sums, values[:3], strict=True):
            total += np.bincount(cell, value, minlength=size)
        np.maximum.at(share, cell, values[3])
    inside = np.flatnonzero(share)
    count = np.maximum(sums[0][inside], 1e-12)
    level, flow = sums[1][inside] / count, sums[2][inside] / count
    part = share[inside]
    height, area, deposition = (
        field.ravel().copy() for field in (drainage.height, drainage.area, drainage.deposition)
    )
    height[inside] += (part * (level - height[inside])).astype(np.float32)
    area[inside] = np.maximum(area[inside], part * flow)
    deposition[inside] = np.maximum(deposition[inside], GRAVEL * part)
    shape = drainage.height.shape
    return replace(
        drainage,
        height=height.reshape(shape),
        area=area.reshape(shape),
        deposition=deposition.reshape(shape),
    )


def _spread(belt: _Belt, drainage: Drainage) -> tuple[Indices, Doubles]:
    """Return cells in a belt, each many times, and (4, n) values there: weight, and times it the
    level and the flow; and the share of the belt."""
    points = np.flatnonzero(belt.half > 0)[:: FINEST // 2]
    most = EDGE[1] * belt.half[points]
    looks = np.linspace(-1, 1, 2 * math.ceil(2 * float(most.max()) / drainage.spacing) + 1)
    away = looks[:, None] * most
    row, column = (
        np.rint((line[points] + away * across[points] - start) / drainage.spacing).astype(np.intp)
        for (line, start), across in zip(
            on_grid((belt.line.x, belt.line.y), drainage), belt.normal[::-1], strict=True
        )
    )
    rows, columns = drainage.height.shape
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    ramp = np.clip((EDGE[1] - EDGE[1] * np.abs(looks)) / (EDGE[1] - EDGE[0]), 0, 1)
    ramp = (ramp * ramp * (3 - 2 * ramp))[:, None]
    share = ramp * np.clip(belt.half[points] / belt.width[points], 0, 1)
    weight = share + 1e-9
    floor = belt.level[points] - INCISED * belt.width[points]
    values = [weight, weight * floor, weight * belt.line.flow[points], share]
    cells = (row * columns + column)[inside]
    return cells, np.stack([np.broadcast_to(value, away.shape)[inside] for value in values])


def _threads(belt: _Belt, drainage: Drainage, seed: int) -> list[RiverLine]:
    """Return the threads of a river; the first is the river outside of its belt, too."""
    unit = UNIT * LARGEST * belt.width
    usual = float(np.median(unit[belt.half > 0]))
    step = float(belt.at[1])
    bend = round(usual / 10 / step)
    turns = 2 * np.pi * np.append(0.0, np.cumsum(step / unit[1:]))
    place = (belt.line.x, belt.line.y)

    def vary(kind: int, number: int) -> Doubles:
        key = seed + 7919 * kind + 104729 * number
        return varying(drainage, place, VARYING * usual, key)

    order = [1, *(n for n in range(THREADS) if n != 1)]  # the first is one of the middle
    across: list[Doubles] = []
    flows: list[Doubles] = []
    for number in order:
        wave = np.clip(TOGETHER * np.cos(turns + np.pi * number + SHIFT * vary(1, number)), -1, 1)
        shift = np.sin(np.pi / 2 * wave) + LOOSE * vary(3, number)
        lane = (2 * number + 1 + shift) / THREADS - 1
        across.append(steady(np.clip(lane, -1, 1) * belt.half, bend))
        flows.append(np.exp(UNLIKE * vary(2, number)))
    total = np.sum(flows, axis=0)
    widths = [belt.width * np.sqrt(flow / total) for flow in flows]
    widths = _met(across, widths)
    return [_thread(belt, drainage, *pair) for pair in zip(across, widths, strict=True)]


def _met(across: Sequence[Doubles], widths: Sequence[Doubles]) -> list[Doubles]:
    """Return widths of threads that carry what those on the same line do."""
    made: list[Doubles] = []
    for place, width in zip(across, widths, strict=True):
        total = np.zeros_like(width)
        for other, wide in zip(across, widths, strict=True):
            near = np.clip(1.5 - np.abs(place - other) / ((width + wide) / 2), 0, 1)
            total += near * wide**2
        made.append(np.sqrt(total))
    return made


def _thread(belt: _Belt, drainage: Drainage, across: Doubles, width: Doubles) -> RiverLine:
    """Return a thread that lies ``across`` meters to the left of the middle of a belt."""
    x, y = (
        line + across * side
        for line, side in zip((belt.line.x, belt.line.y), belt.normal, strict=True)
    )
    rows, columns = ((line - start) / drainage.spacing for line, start in on_grid((x, y), drainage))
    share = np.clip(belt.half / belt.width, 0, 1)
    ground = bilinear_exact(drainage.height, rows, columns)
    # A bed is carved in proportion to its width: these are wide and shallow.
    bed = np.minimum.accumulate(ground - SHALLOW * width)
    level = share * (bed + DEPTH * width) + (1 - share) * belt.line.z
    head = np.where(share > 0, np.maximum(share, belt.line.head), belt.line.head)
    return dataclasses.replace(belt.line, x=x, y=y, z=level, width=width, head=head)
