# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as lines: course, width and flow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.blocks import pieces, taken
from ..numerics.progress import Cancel, Progress, no_progress, poll, within
from ..numerics.resample import bilinear_exact
from .d8 import NONE, Cells, Codes, check_shapes, flat_offsets

WIDTH = 0.012
"""Meters of width per meter of the square root of the drainage area (Leopold and Maddock 1953)."""
SPRING = 12.0
"""Length, in widths, over which a river grows from its source to full width."""
TRICKLE = 0.0
"""Share of the width at the source."""
SMOOTHING = 8
"""Smoothing passes that remove the grid's corners."""


@dataclass(frozen=True)
class RiverLine:
    """A river from its source, or the border, to its mouth or confluence.

    Attributes
    ----------
    x, y, z : ndarray of float64, shape (n,)
        Meters, n >= 2; z never rises downstream.
    width : ndarray of float64, shape (n,)
        Meters, from the flow alone.
    flow : ndarray of float64, shape (n,)
        Square meters of drainage area, never falling downstream.
    head : ndarray of float64, shape (n,)
        0 to 1, factor on the width: less near the source.
    """

    x: Doubles
    y: Doubles
    z: Doubles
    width: Doubles
    flow: Doubles
    head: Doubles

    @property
    def fields(self) -> tuple[Doubles, ...]:
        """Its arrays, in the order of the attributes."""
        return self.x, self.y, self.z, self.width, self.flow, self.head

    def parts(self, inside: Bools) -> list[RiverLine]:
        """Return the stretches of two points or more that lie inside: (n,) bool."""
        edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]])))
        return [
            RiverLine(*(values[start:end] for values in self.fields))
            for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
            if end - start > 1
        ]


def find_rivers(
    height: Floats,
    directions: Codes,
    area: Floats,
    spacing: float,
    *,
    x0: float = 0.0,
    y0: float = 0.0,
    min_area: float,
    width: float = 1.0,
    climb: float = math.inf,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> list[RiverLine]:
    """Return all rivers of a terrain, those with the largest mouth first.

    At a confluence the river with the larger drainage area continues and the other ends.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    directions : ndarray of uint8, shape (H, W)
        Codes of `d8` by which every cell reaches one of code `NONE`, such as those of a drainage
        tree of ``height``.
    area : ndarray of float32, shape (H, W)
        Square meters of drainage area.
    spacing : float
        Meters between cells.
    x0, y0 : float, default 0.0
        Meters, center of cell [0, 0].
    min_area : float
        Square meters of drainage area from which water counts as a river.
    width : float, default 1.0
        Factor on the natural width.
    climb : float, default math.inf
        Meters, per meter of width, that the ground under a smoothed line may rise above the river;
        where it is higher, the line keeps to the centers of the cells.

    Raises
    ------
    ValueError
        Heights or areas of another shape than the directions.
    Cancelled
    """
    check_shapes(directions, height, area)
    tell = progress or no_progress
    cells, ends = _courses(directions, area, min_area, cancelled)
    courses = [cells[start:end] for start, end in pairwise([0, *ends])]
    tell(0.5)
    rivers: list[RiverLine] = []
    for course in courses:
        poll(cancelled)
        y, x = np.stack(np.divmod(course, height.shape[1])).astype(np.float64)
        flow = np.maximum.accumulate(area.ravel()[course].astype(np.float64))
        level = np.minimum.accumulate(height.ravel()[course].astype(np.float64))
        natural = WIDTH * width * np.sqrt(flow)
        rivers.append(RiverLine(x, y, level, natural, flow, np.ones_like(flow)))
    tell(0.7)
    lines = _lines(courses, rivers, height, climb, cancelled, within(progress, 0.7, 1.0))
    for number, (river, (y, x)) in enumerate(zip(rivers, lines, strict=True)):
        x, y = x0 + x * spacing, y0 + y * spacing
        rivers[number] = replace(river, x=x, y=y, head=_head(x, y, river.width))
    tell(1.0)
    return sorted(rivers, key=lambda river: -river.flow[-1])


def _head(x: Doubles, y: Doubles, width: Doubles) -> Doubles:
    """Return the share of its width that a river has: it begins with none, and round."""
    way = np.append(0.0, np.cumsum(np.hypot(np.diff(x), np.diff(y))))
    spring = np.maximum(SPRING * width, 1e-6)  # rivers may have no width
    return np.sqrt(np.clip(way / spring, TRICKLE**2, 1.0))


def _courses(
    directions: Codes, area: Floats, min_area: float, cancelled: Cancel | None
) -> tuple[Cells, list[int]]:
    """Return the cells of all rivers, one after another, and where each ends.

    All rivers are walked at once, a cell a round; the longest bounds the loop. The cell where a
    river joins another or leaves the map is its last.
    """
    water, codes = area.ravel(), directions.ravel()
    poll(cancelled)
    wet = (water >= min_area) & (codes != NONE)
    poll(cancelled)
    # Few cells are channels: only these, and those where they end, are followed.
    channels = np.flatnonzero(wet)
    receiver = channels + flat_offsets(directions.shape[1]).take(codes[channels])
    on_the_way = wet.copy()
    on_the_way[receiver] = True
    places = np.flatnonzero(on_the_way).astype(np.int32)
    number = np.empty(water.size, np.int32)
    number[places] = np.arange(places.size, dtype=np.int32)
    channel, below = wet[places], np.arange(places.size, dtype=np.int32)
    below[channel] = number[receiver]
    main = main_donors(below, water[places], np.flatnonzero(channel), cancelled)
    current = np.flatnonzero(channel & (main < 0)).astype(np.int32)
    numbers = np.arange(current.size)
    river, cells = [numbers], [current]
    while current.size:
        poll(cancelled)
        following = below[current]
        river.append(numbers)
        cells.append(following)
        onward = (main[following] == current) & channel[following]
        current, numbers = following[onward], numbers[onward]
    order = np.argsort(np.concatenate(river), kind="stable")
    ends = np.cumsum(np.bincount(np.concatenate(river)))
    return places[np.concatenate(cells)[order]], ends.tolist()


def main_donors(below: Cells, water: Floats, channel: Indices, cancelled: Cancel | None) -> Cells:
    """Return for every cell the channel cell with the largest drainage area that drains into it, or
    -1.

    Of equal ones it is the last.
    """
    receiver, flow = taken(below, channel, cancelled), taken(water, channel, cancelled)
    most = np.zeros(water.size, np.float32)
    for part in pieces(channel.size, cancelled):
        np.maximum.at(most, receiver[part], flow[part])
    main = np.full(water.size, -1, np.int32)
    for part in pieces(channel.size, cancelled):
        # Of donors that are put into one place the last one stays.
        largest = flow[part] == most[receiver[part]]
        main[receiver[part][largest]] = channel[part][largest]
    return main


def _lines(
    courses: list[Cells],
    rivers: list[RiverLine],
    height: Floats,
    climb: float,
    cancelled: Cancel | None,
    progress: Progress,
) -> list[Doubles]:
    """Return (2, n) rows and columns of each river without the grid's corners.

    Those that flow into another one end on its line.
    """
    lines: list[Doubles] = [np.empty((2, 0))] * len(rivers)
    ends_on = _owners(courses)
    # The larger ones first: what flows into them needs to know where they are.
    largest_first = sorted(range(len(rivers)), key=lambda k: -rivers[k].flow[-2])
    for done, number in enumerate(largest_first, 1):
        poll(cancelled)
        river = rivers[number]
        cells = np.stack([river.y, river.x])
        line = cells.copy()
        if number in ends_on:
            other, place = ends_on[number]
            line[:, -1] = lines[other][:, place]
        end = line[:, -1].copy()
        line = _smoothed(line)
        if climb < math.inf:
            line = _in_the_valley(line, cells, height, river.z + climb * river.width)
            line[:, -1] = end
        lines[number] = line
        progress(done / len(rivers))
    return lines


def _owners(courses: list[Cells]) -> dict[int, tuple[int, int]]:
    """Return, by number of a river that flows into another, that one's number, and the place
    along it."""
    if not courses:
        return {}
    through = np.concatenate([course[:-1] for course in courses])
    lengths = [course.size - 1 for course in courses]
    starts = np.cumsum([0, *lengths])
    order = np.argsort(through)
    mouths = np.array([course[-1] for course in courses])
    met = order[np.searchsorted(through, mouths, sorter=order).clip(max=through.size - 1)]
    other = np.searchsorted(starts, met, side="right") - 1
    return {
        k: (int(other[k]), int(met[k] - starts[other[k]]))
        for k in np.flatnonzero(through[met] == mouths).tolist()
    }


def _smoothed(places: Doubles) -> Doubles:
    """Return (2, n) places without corners; both ends stay."""
    for _ in range(SMOOTHING):
        mean = places.copy()
        mean[:, 1:-1] = (places[:, :-2] + 2 * places[:, 1:-1] + places[:, 2:]) / 4
        places = mean
    return places


def _in_the_valley(line: Doubles, cells: Doubles, height: Floats, most: Doubles) -> Doubles:
    """Return the line, moved back to the cells of its course where the ground is higher than
    ``most``.

    First half of the way, then all of it, so that lines in narrow valleys zigzag little.
    """
    for share in (0.5, 1.0):
        high = bilinear_exact(height, *line) > most
        drawn = line + share * (cells - line)
        line = np.where(high, drawn, line)
    return line
