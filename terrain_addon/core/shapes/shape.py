# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: lines and areas from outside of the recipe, referenced by name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.arrays import Doubles, Indices
from ..settings.params import checked_list, checked_mapping
from .outlines import outline, turned_left
from .segments import Segments
from .surface import Surface

OPEN, CLOSED, FACE, FRAME = 0, 1, 2, 3
"""Kinds of lines: open, closed, the border of a face of a mesh, and the frame of an empty, which is
its place and the tips of its three axes."""
LINE, AREA, PLACE = "line", "area", "place"
"""What a user draws: an open curve, a closed one, or a place with a size and a direction."""
LARGEST = 1e7
"""Meters, the largest coordinate."""
KINDS = ("open", "closed", "face", "frame")
"""The kinds in JSON."""


@dataclass(frozen=True)
class Shape:
    """Lines of points in the coordinates of a terrain.

    A setting with the unit "shape" holds the name of one. JSON of a recipe holds the name only,
    unless the shapes are asked for; otherwise they are passed to the evaluation as
    ``Recipe.shapes``. A shape may be empty.

    Parameters
    ----------
    name : str
        The name that settings refer to.
    points : ndarray of float64, shape (n, 4)
        x, y and z in meters, and the radius, a factor on widths.
    starts : ndarray of intp, shape (lines,)
        Index of the first point of each line, ascending from 0.
    kinds : ndarray of uint8, shape (lines,)
        OPEN, CLOSED, FACE or FRAME.

    Raises
    ------
    ValueError
        Points that are not finite or lie farther than 10 000 km away, a negative radius, or lines
        that do not consist of the points.

    Examples
    --------
    >>> path = Shape.of("Path", [[(0, 0), (30, 40)]])
    >>> path.points
    array([[ 0.,  0.,  0.,  1.],
           [30., 40.,  0.,  1.]])
    >>> path.lines.length
    array([50.])
    """

    name: str
    points: Doubles = field(compare=False)
    starts: Indices = field(compare=False)
    kinds: NDArray[np.uint8] = field(compare=False)
    digest: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        points = np.ascontiguousarray(self.points, np.float64)
        starts = np.ascontiguousarray(self.starts, np.intp)
        kinds = np.ascontiguousarray(self.kinds, np.uint8)
        self._check(points, starts, kinds)
        digest = hashlib.blake2b(repr(points.shape).encode(), digest_size=8)
        for array in (points, starts.astype(np.int64), kinds):
            digest.update(array.data)
        for name, value in (("points", points), ("starts", starts), ("kinds", kinds)):
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "digest", digest.digest())

    def _check(self, points: Doubles, starts: Indices, kinds: NDArray[np.uint8]) -> None:
        what = f"The shape {self.name!r}"
        if points.ndim != 2 or points.shape[1] != 4:
            raise ValueError(f"{what} must have points of x, y, z and radius")
        if not np.isfinite(points).all():
            raise ValueError(f"{what} has points that are not finite numbers: remove them")
        if (np.abs(points[:, :3]) > LARGEST).any():
            raise ValueError(f"{what} has points beyond 10 000 km: move it nearer to the terrain")
        if (points[:, 3] < 0).any():
            raise ValueError(f"{what} has a radius below zero")
        ends = np.append(starts, len(points))
        if starts.ndim != 1 or ends[0] != 0 or not (np.diff(ends) > 0).all():
            raise ValueError(f"{what} must have lines of one point or more")
        if kinds.shape != starts.shape or (kinds > FRAME).any():
            raise ValueError(f"{what} must say of each line which kind it is")
        if (np.diff(ends)[kinds == FRAME] != 4).any():
            raise ValueError(f"{what} must have a place and three axes in each frame")

    @classmethod
    def of(cls, name: str, lines: Iterable[ArrayLike], kind: int = OPEN) -> Shape:
        """Return a shape of lines of one kind: points of x, y, and where given z (0) and radius
        (1)."""
        found = [_completed(np.atleast_2d(np.asarray(line, np.float64)), name) for line in lines]
        found = [line for line in found if len(line)]
        starts = np.cumsum([0, *(len(line) for line in found)], dtype=np.intp)[:-1]
        points = np.concatenate(found) if found else np.empty((0, 4))
        return cls(name, points, starts, np.full(len(starts), kind, np.uint8))

    @classmethod
    def empty(cls, name: str) -> Shape:
        """Return a shape without points."""
        return cls.of(name, ())

    def scaled(self, factor: float) -> Shape:
        """Return the same shape, ``factor`` times as large; radii and axes are factors, and
        stay."""
        points = self.points * [factor, factor, factor, 1.0]
        for start in self.starts[self.kinds == FRAME]:
            axes = self.points[start + 1 : start + 4, :3] - self.points[start, :3]
            points[start + 1 : start + 4, :3] = points[start, :3] + axes
        return Shape(self.name, points, self.starts, self.kinds)

    def repeated(self, size_x: float, size_y: float) -> Shape:
        """Return the shape with copies of it on all eight sides, an extent in meters away.

        Examples
        --------
        >>> len(Shape.of("Path", [[(0, 0), (30, 40)]]).repeated(100.0, 100.0).starts)
        9
        """
        moves = [(0.0, 0.0)] + [
            (i, j) for j in (-1.0, 0.0, 1.0) for i in (-1.0, 0.0, 1.0) if i or j
        ]
        steps = np.array([(i * size_x, j * size_y, 0.0, 0.0) for i, j in moves])
        copies = [self.points + step for step in steps]
        starts = [self.starts + number * len(self.points) for number in range(len(moves))]
        return Shape(
            self.name,
            np.concatenate(copies),
            np.concatenate(starts),
            np.tile(self.kinds, len(moves)),
        )

    def in_plan(self) -> Shape:
        """Return the same shape with the points of its lines at height 0; frames stay.

        Examples
        --------
        >>> Shape.of("Path", [[(0, 0, 5), (30, 40, 9)]]).in_plan().points[:, 2]
        array([0., 0.])
        """
        points = self.points.copy()
        counts = np.diff(np.append(self.starts, len(points)))
        points[np.repeat(self.kinds != FRAME, counts), 2] = 0
        return Shape(self.name, points, self.starts, self.kinds)

    @property
    def lines(self) -> Segments:
        """Its lines, and the outlines of its faces in plan."""
        return self._drawn[1]

    @property
    def line_points(self) -> Doubles:
        """(n, 4) points that the indices of :attr:`lines` refer to."""
        return self._drawn[0]

    def curves(self) -> Iterator[tuple[Doubles, bool]]:
        """Yield points (n, 4) of each line that is no face, and whether it is closed."""
        points, starts, kinds = self._only(self.kinds != FACE)
        stops = np.append(starts[1:], len(points))[: len(starts)]
        for start, stop, kind in zip(starts, stops, kinds, strict=True):
            yield points[start:stop], bool(kind == CLOSED)

    def places(self) -> Doubles:
        """Return every point that is no corner of a face, and its three axes: (n, 4, 3) meters.

        Axes of points of lines are parallel to those of the terrain and as long as the radius. They
        come before those of empties.
        """
        lines = self._only((self.kinds == OPEN) | (self.kinds == CLOSED))[0]
        axes = np.eye(3) * lines[:, 3, None, None]
        found = np.concatenate([lines[:, None, :3], axes], axis=1)
        frames = self.starts[self.kinds == FRAME, None] + np.arange(4)
        corners = self.points[frames, :3]
        corners[:, 1:] -= corners[:, :1]
        return np.concatenate([found, corners])

    @cached_property
    def borders(self) -> Segments:
        """Its closed lines, and the outlines of its faces in plan: where its areas end."""
        return self._with_outlines(self.kinds == CLOSED)[1]

    @cached_property
    def _drawn(self) -> tuple[Doubles, Segments]:
        return self._with_outlines(self.kinds != FACE)

    def _with_outlines(self, which: NDArray[np.bool_]) -> tuple[Doubles, Segments]:
        """Add the outlines of the faces to some of the lines: their points and segments."""
        points, starts, kinds = self._only(which)
        edges = outline(*self._only(self.kinds == FACE)[:2])
        starts = np.concatenate([starts, len(points) + 2 * np.arange(len(edges))])
        points = np.concatenate([points, edges.reshape(-1, 4)])
        closed = np.append(kinds == CLOSED, np.zeros(len(edges), bool))
        return points, Segments.of(points, starts, closed)

    @cached_property
    def areas(self) -> Segments:
        """Its closed lines and all its faces, turned counterclockwise, for :func:`winding`."""
        return self._turned((self.kinds == CLOSED) | (self.kinds == FACE))

    @cached_property
    def faces(self) -> Segments:
        """Its faces, turned counterclockwise."""
        return self._turned(self.kinds == FACE)

    @cached_property
    def surface(self) -> Surface:
        """Its faces, and its closed lines as faces, seen from above."""
        points, starts, _ = self._only((self.kinds == CLOSED) | (self.kinds == FACE))
        return Surface.of(points, starts)

    def _turned(self, which: NDArray[np.bool_]) -> Segments:
        points, starts, _ = self._only(which)
        points = turned_left(points, starts)
        return Segments.of(points, starts, np.ones(len(starts), bool))

    def _only(self, which: NDArray[np.bool_]) -> tuple[Doubles, Indices, NDArray[np.uint8]]:
        """Return points, starts and kinds of some of the lines; of a frame, the place alone."""
        counts = np.diff(np.append(self.starts, len(self.points)))
        used = np.repeat(which & (self.kinds != FRAME), counts)
        used[self.starts[which]] = True
        points = self.points[used]
        counts = np.where(self.kinds == FRAME, 1, counts)
        starts = np.cumsum(counts[which]) - counts[which]
        return points, starts.astype(np.intp), self.kinds[which]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return its lines as JSON-ready values, without the name."""
        parts = np.split(self.points, self.starts[1:]) if len(self.starts) else []
        return [
            {"kind": KINDS[kind], "points": part.tolist()}
            for kind, part in zip(self.kinds, parts, strict=True)
        ]

    @classmethod
    def from_dict(cls, name: str, data: Any, path: str) -> Shape:
        """Make a shape from what :meth:`to_dict` returns; ValueError for anything else, with the
        path of the value."""
        points: list[Doubles] = []
        kinds: list[int] = []
        for n, item in enumerate(checked_list(data, path)):
            line = checked_mapping(item, f"{path}[{n}]")
            if set(line) != {"kind", "points"} or line["kind"] not in KINDS:
                raise ValueError(f"{path}[{n}]: expected a line with its kind and points")
            kinds.append(KINDS.index(line["kind"]))
            points.append(_numbers(line["points"], f"{path}[{n}].points"))
        starts = np.cumsum([0, *map(len, points)], dtype=np.intp)[:-1]
        every = np.concatenate(points) if points else np.empty((0, 4))
        return cls(name, every, starts, np.array(kinds, np.uint8))

    @classmethod
    def all_from_dict(cls, data: Any, path: str) -> tuple[Shape, ...]:
        """Return the shapes from a mapping of their names to what :meth:`to_dict` returned."""
        every = checked_mapping(data, path)
        return tuple(cls.from_dict(name, every[name], f"{path}.{name}") for name in every)


def _completed(line: Doubles, name: str) -> Doubles:
    """Return the points with z and radius."""
    if line.size == 0:
        return np.empty((0, 4))
    if line.ndim != 2 or not 2 <= line.shape[1] <= 4:
        raise ValueError(f"The shape {name!r} must have points of x, y, z and radius")
    usual = np.tile([0.0, 0.0, 0.0, 1.0], (len(line), 1))
    usual[:, : line.shape[1]] = line
    return usual


def _numbers(data: Any, path: str) -> Doubles:
    """Return the points of JSON, (n, 4)."""
    rows = [checked_list(row, path) for row in checked_list(data, path)]
    if not all(type(one) in (int, float) for row in rows for one in row):
        raise ValueError(f"{path}: expected numbers")
    if {len(row) for row in rows} != {4}:
        raise ValueError(f"{path}: expected points of x, y, z and radius")
    return np.array(rows, np.float64)
