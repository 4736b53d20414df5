# SPDX-License-Identifier: GPL-3.0-or-later
"""What files of vectors hold: lines and areas of longitudes and latitudes, with tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Bools, Doubles

LINE, AREA = "line", "area"
MOST_BYTES = 512 * 2**20
"""Of the largest file that is read."""
MOST_POINTS = 20_000_000
"""Of one file."""
CUT = "Cut out the area of the terrain first, for example with osmium extract or ogr2ogr -spat"


@dataclass(frozen=True)
class Feature:
    """A line, or an area with its holes.

    Attributes
    ----------
    kind : LINE or AREA
    rings : arrays (n, 2) of float64, longitudes and latitudes in degrees. A line is one. Of an
        area, the border comes first and holes follow; the first point is not repeated
    tags : what the file says about it, by lower-case names
    """

    kind: str
    rings: tuple[Doubles, ...]
    tags: Mapping[str, str]


@dataclass(frozen=True)
class Vectors:
    """The content of a file.

    Attributes
    ----------
    features : lines and areas, in the order of the file
    notes : what was left out, for people
    all_tagged : whether the format says what its features are: those of unknown tags are of no use
    """

    features: tuple[Feature, ...]
    notes: tuple[str, ...] = ()
    all_tagged: bool = False


def line_of(points: Doubles, tags: Mapping[str, str]) -> Feature | None:
    """Return a line; None for one without a length."""
    points = without_repeats(points)
    return Feature(LINE, (points,), tags) if len(points) > 1 else None


def area_of(rings: Sequence[Doubles], tags: Mapping[str, str]) -> Feature | None:
    """Return an area of its border and holes; None if its border has no three corners."""
    opened = [without_repeats(ring, closed=True) for ring in rings]
    if not opened or len(opened[0]) < 3:
        return None
    return Feature(AREA, (opened[0], *(ring for ring in opened[1:] if len(ring) > 2)), tags)


def without_repeats(points: Doubles, *, closed: bool = False) -> Doubles:
    """Return points without those that are at the place of the one before, of a ring also without
    a last one that is the first.

    Examples
    --------
    >>> without_repeats(np.float64([[0, 0], [0, 0], [1, 0], [0, 0]]), closed=True).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    new: Bools = np.ones(len(points), bool)
    new[1:] = (points[1:] != points[:-1]).any(axis=1)
    points = points[new]
    if closed and len(points) > 1 and (points[0] == points[-1]).all():
        points = points[:-1]
    return points


def checked_degrees(points: Doubles) -> Doubles:
    """Return longitudes and latitudes; ValueError for numbers that are none."""
    if not np.isfinite(points).all():
        raise ValueError("it has coordinates that are not finite numbers")
    if (np.abs(points) > (540.0, 90.0)).any():
        x, y = points[(np.abs(points) > (540.0, 90.0)).any(axis=1)][0]
        raise ValueError(
            f"its coordinates {x:.10g}, {y:.10g} are no longitude and latitude: export it in "
            "EPSG:4326, for example with ogr2ogr -t_srs EPSG:4326"
        )
    return points
