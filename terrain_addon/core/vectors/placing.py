# SPDX-License-Identifier: GPL-3.0-or-later
"""Features in the coordinates of a terrain: classified, cut at its border, and simplified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..elevation import Georeference, common_system
from ..numerics.arrays import Bools, Doubles, Indices
from ..shapes import thinned
from .classes import BUILDINGS, KINDS, classified
from .clipping import clipped_lines, clipped_ring
from .features import AREA, LINE, Vectors

CORNERS = 0.25
"""Meters by which outlines of buildings are simplified at most: their corners stay."""


@dataclass(frozen=True)
class Placed:
    """The features of one class on a terrain.

    Attributes
    ----------
    kind : a key of ``KINDS``
    points : (n, 2) float64, meters from the middle of the terrain
    starts : (lines,) index of the first point of each line or ring
    widths, heights : (lines,) meters; 0 where there is none
    outer : (lines,) number of the border that a ring is a hole of; its own of all others
    """

    kind: str
    points: Doubles
    starts: Indices
    widths: Doubles
    heights: Doubles
    outer: Indices

    @property
    def is_area(self) -> bool:
        """Whether its lines are closed."""
        return KINDS[self.kind].shape == AREA

    @property
    def lines(self) -> list[Doubles]:
        """Points (n, 2) of each line."""
        return np.split(self.points, self.starts[1:]) if len(self.starts) else []


def to_terrain(place: Georeference | None) -> Callable[[Doubles], Doubles]:
    """Return what makes meters from the middle of a terrain of longitudes and latitudes, (n, 2).

    Parameters
    ----------
    place : coordinates of columns and rows that are meters from the middle, as
        :func:`~terrain_addon.core.output.exports.georeference_of` returns them

    Raises
    ------
    ValueError : None, or a coordinate system that is not converted

    Examples
    --------
    >>> from terrain_addon.core.elevation import DEGREES
    >>> place = Georeference((7.0, 46.0), (1e-5, 0.0), (0.0, 1e-5), DEGREES)
    >>> to_terrain(place)(np.float64([[7.001, 46.0]])).round(6).tolist()
    [[100.0, 0.0]]
    """
    if place is None:
        raise ValueError(
            "The terrain has no place on the Earth: add it from an elevation file with coordinates"
        )
    try:
        plane = common_system(place.system)
    except ValueError as error:
        raise ValueError(f"The terrain cannot take vectors: {error}") from None

    def convert(degrees: Doubles) -> Doubles:
        x, y = plane.from_lonlat(*degrees.T)
        if plane.turn:  # a terrain across the antimeridian counts on
            x += plane.turn * np.round((place.origin[0] - x) / plane.turn)
        (a, b), (c, d) = place.column_step, place.row_step
        x, y = x - place.origin[0], y - place.origin[1]
        return np.stack([x * d - y * c, y * a - x * b], axis=1) / (a * d - b * c)

    return convert


@dataclass
class _Parts:
    """Rings or lines of one class, before they are joined."""

    lines: list[Doubles]
    widths: list[float]
    heights: list[float]
    outer: list[int]


def placed(
    vectors: Vectors,
    to_terrain: Callable[[Doubles], Doubles],
    size_x: float,
    size_y: float,
    margin: float = 0.0,
    tolerance: float = 0.0,
) -> tuple[dict[str, Placed], tuple[str, ...]]:
    """Return features on a terrain by their class, and notes on what was left out.

    Parameters
    ----------
    vectors : what a file holds
    to_terrain : makes meters from the middle of the terrain (n, 2) of longitudes and latitudes;
        those that have no such place are not finite
    size_x, size_y : extent of the terrain in meters
    margin : meters beyond the border at which features are cut
    tolerance : meters by which lines are simplified; half the distance of samples hardly shows

    Examples
    --------
    >>> from terrain_addon.core.vectors.features import Feature
    >>> line = Feature("line", (np.float64([[-9, 0], [0, 0], [9, 0]]),), {"highway": "path"})
    >>> roads, _ = placed(Vectors((line,)), lambda degrees: 10 * degrees, 100.0, 100.0)
    >>> roads["roads"].points.tolist(), roads["roads"].widths.tolist()
    ([[-50.0, 0.0], [0.0, 0.0], [50.0, 0.0]], [1.0])
    """
    half = size_x / 2 + margin, size_y / 2 + margin
    rings = [ring for feature in vectors.features for ring in feature.rings]
    every = to_terrain(np.concatenate(rings)) if rings else np.empty((0, 2))
    ends = np.cumsum([len(ring) for ring in rings], dtype=np.intp)
    on_terrain = iter(np.split(every, ends[:-1]) if rings else [])
    parts: dict[str, _Parts] = {}
    unused: Counter[str] = Counter()
    outside = 0
    for feature in vectors.features:
        own = [next(on_terrain) for _ in feature.rings]
        sort = classified(feature, all_tagged=vectors.all_tagged)
        if not sort.kind:
            unused[_name(feature.tags)] += 1
            continue
        cut = _cut(own, feature.kind, half)
        outside += not cut
        into = parts.setdefault(sort.kind, _Parts([], [], [], []))
        border = len(into.lines)
        for number, line in enumerate(cut):
            into.lines.append(line)
            into.widths.append(sort.width)
            into.heights.append(sort.height)
            into.outer.append(border if feature.kind == AREA else border + number)
    found = {kind: _joined(kind, parts[kind], tolerance) for kind in KINDS if kind in parts}
    notes = [*vectors.notes, *([_unused(unused)] if unused else [])]
    if outside:
        notes.append(f"Features beyond the terrain are left out: {outside}")
    return {kind: one for kind, one in found.items() if len(one.starts)}, tuple(notes)


def _name(tags: Mapping[str, str]) -> str:
    """Return the tag that says what a feature is, for people."""
    names = ("highway", "railway", "waterway", "natural", "landuse", "leisure", "power", "barrier")
    return next((name for name in names if name in tags), "others")


def _unused(counts: Counter[str]) -> str:
    listed = ", ".join(f"{count} {name}" for name, count in counts.most_common(4))
    return f"Features of no use are left out: {counts.total()} ({listed})"


def _cut(rings: list[Doubles], kind: str, half: tuple[float, float]) -> list[Doubles]:
    """Return what lies within a rectangle around 0: of an area, the border and then the holes."""
    low, high = (np.array([end(ring, axis=0) for ring in rings]) for end in (np.min, np.max))
    if not np.isfinite(low).all() or not np.isfinite(high).all():
        return []
    if (np.abs(low) <= half).all() and (np.abs(high) <= half).all():
        return rings
    if (low[0] > half).any() or (-high[0] > half).any():
        return []
    if kind == LINE:
        return clipped_lines(rings[0], *half)
    border, *holes = (clipped_ring(ring, *half) for ring in rings)
    return [border, *(hole for hole in holes if len(hole))] if len(border) else []


def _joined(kind: str, parts: _Parts, tolerance: float) -> Placed:
    """Join the lines of a class, with few points."""
    closed = KINDS[kind].shape == AREA
    if kind == BUILDINGS:
        tolerance = min(tolerance, CORNERS)
    lines = parts.lines
    if closed:  # a ring is simplified from its first point to the same
        lines = [np.append(line, line[:1], axis=0) for line in lines]
    points = np.concatenate([*lines, np.empty((0, 2))])
    starts = np.cumsum([0, *map(len, lines)], dtype=np.intp)[:-1]
    if tolerance > 0 and len(points):
        points, starts = _simplified(points, starts, tolerance, 4 if closed else 2)
    if closed:
        ends = np.append(starts[1:], len(points)) - 1
        points = np.delete(points, ends[: len(starts)], axis=0)
        starts = starts - np.arange(len(starts))
    return Placed(
        kind,
        points,
        starts,
        np.array(parts.widths, np.float64),
        np.array(parts.heights, np.float64),
        np.array(parts.outer, np.intp),
    )


def _simplified(
    points: Doubles, starts: Indices, tolerance: float, least: int
) -> tuple[Doubles, Indices]:
    """Return lines without points within a tolerance; those that would have too few stay whole."""
    chosen: Bools = np.zeros(len(points), bool)
    chosen[thinned(points, starts, tolerance)] = True
    counts = np.add.reduceat(chosen, starts, dtype=np.intp)
    sizes = np.diff(np.append(starts, len(points)))
    chosen |= np.repeat(counts < least, sizes)
    counts = np.add.reduceat(chosen, starts, dtype=np.intp)
    return points[chosen], (np.cumsum(counts) - counts).astype(np.intp)
