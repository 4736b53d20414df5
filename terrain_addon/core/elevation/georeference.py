# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the samples of an elevation model lie on the Earth or another body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .systems import System

SAME = 1e-6
"""Share of a step up to which two steps are equal."""
LARGEST, SMALLEST = 1.0, 1e-3
"""Cells from so many units on are no degrees of terrain, below it no meters."""
RIGHT = 1e-3
"""Cosine of the angle between rows and columns up to which it is a right one."""

Vector = tuple[float, float]
METERS = System()
"""Meters of a plane, without a place on the Earth."""
DEGREES = System(geographic=True)
"""Longitude and latitude in degrees, of an unknown datum of the Earth."""


def guessed(corners: Sequence[Vector], cell: Vector) -> System:
    """Return the system of coordinates that no file names, where only degrees or meters fit.

    Cells of whole arc seconds that are no round number, such as 1/1200, are in degrees.

    Parameters
    ----------
    corners : (x, y) of the outer samples
    cell : width and height

    Raises
    ------
    ValueError : both fit, or neither

    Examples
    --------
    >>> guessed([(7.0, 46.0)], (1 / 3600, 1 / 3600)).geographic
    True
    >>> guessed([(0.0, 0.0)], (30.0, 30.0)).geographic
    False
    >>> guessed([(0.0, 0.0)], (0.02, 0.02))
    Traceback (most recent call last):
    ValueError: nothing says whether its cells of 0.02 are degrees or meters: state the unit...
    """
    size = max(map(abs, cell))
    on_globe = all(abs(x) <= 360.5 and abs(y) <= 90.5 for x, y in corners)
    if size >= LARGEST or (not on_globe and size >= SMALLEST):
        return METERS
    if not on_globe:
        raise ValueError(
            f"its cells of {size:g} look like degrees at a place that is none: state the unit of "
            "its coordinates, m or deg"
        )
    if size < SMALLEST or _is_arc(size):
        return DEGREES
    raise ValueError(
        f"nothing says whether its cells of {size:g} are degrees or meters: state the unit of its "
        "coordinates, m or deg, or put a .prj file beside it"
    )


def _is_arc(size: float) -> bool:
    """Return whether a size is of whole arc seconds, and no decimal of few digits."""
    seconds = 3600 * size
    whole = abs(seconds - round(seconds)) < 1e-4 * seconds and round(seconds) > 0
    return whole and abs(size - round(size, 5)) > 1e-9


@dataclass(frozen=True)
class Georeference:
    """Coordinates of the samples of a grid: an affine map from columns and rows.

    Attributes
    ----------
    origin : (x, y) of the sample in column 0 and row 0, the south-western one
    column_step : (x, y) from one column to the next
    row_step : (x, y) from one row to the next
    system : of the coordinates

    Raises
    ------
    ValueError : numbers that are not finite, or steps that span no area

    Examples
    --------
    >>> place = Georeference((9.0, 47.0), (1 / 3600, 0.0), (0.0, 1 / 3600), DEGREES)
    >>> place.at(3600, 1800)
    (10.0, 47.5)
    >>> [round(step, 2) for step in place.spacing(3601, 3601)]
    [20.93, 30.88]
    """

    origin: Vector
    column_step: Vector
    row_step: Vector
    system: System = field(default=METERS)

    def __post_init__(self) -> None:
        numbers = (*self.origin, *self.column_step, *self.row_step)
        if not all(math.isfinite(number) and abs(number) < 1e12 for number in numbers):
            raise ValueError("its coordinates are not finite numbers")
        (a, b), (c, d) = self.column_step, self.row_step
        if abs(a * d - b * c) < 1e-18:
            raise ValueError("its samples lie on top of each other")
        x, y = (one * self.system.unit for one in self.origin)
        if self.geographic and (abs(x) > 540 or abs(y) > 91):
            raise ValueError(f"its corner is at longitude {x:g} and latitude {y:g}")

    @property
    def geographic(self) -> bool:
        """Whether coordinates are longitude and latitude."""
        return self.system.geographic

    @property
    def epsg(self) -> int | None:
        """Code of the coordinate system in EPSG; None where it is not known."""
        return self.system.epsg

    @property
    def name(self) -> str:
        """The coordinate system, for people."""
        return self.system.title

    @property
    def turned(self) -> float:
        """Degrees counterclockwise from the x axis to the columns' direction."""
        return math.degrees(math.atan2(self.column_step[1], self.column_step[0]))

    @property
    def sheared(self) -> bool:
        """Whether rows do not cross columns at right angles."""
        (a, b), (c, d) = self.column_step, self.row_step
        return abs(a * c + b * d) > RIGHT * math.hypot(a, b) * math.hypot(c, d)

    @property
    def upright(self) -> bool:
        """Whether columns run along x, and rows along y."""
        return self.column_step[1] == self.row_step[0] == 0

    @property
    def mirrored(self) -> bool:
        """Whether rows run the other way round than columns ask for."""
        (a, b), (c, d) = self.column_step, self.row_step
        return a * d < b * c

    def at(self, column: float, row: float) -> Vector:
        """Return the coordinates (x, y) of a sample, or of a place between samples."""
        (x, y), (a, b), (c, d) = self.origin, self.column_step, self.row_step
        return x + column * a + row * c, y + column * b + row * d

    def samples_at(self, x: float, y: float) -> Vector:
        """Return the column and row of coordinates: the inverse of :meth:`at`."""
        (a, b), (c, d) = self.column_step, self.row_step
        x, y = x - self.origin[0], y - self.origin[1]
        area = a * d - b * c
        return (x * d - y * c) / area, (y * a - x * b) / area

    def mapped(self, origin: Vector, column_step: Vector, row_step: Vector) -> Georeference:
        """Return the georeference of other samples, given by places and steps in columns and rows
        of these."""
        (a, b), (c, d) = self.column_step, self.row_step

        def step(columns: float, rows: float) -> Vector:
            return columns * a + rows * c, columns * b + rows * d

        return replace(
            self, origin=self.at(*origin), column_step=step(*column_step), row_step=step(*row_step)
        )

    def latitude(self, columns: int, rows: int) -> float | None:
        """Return the latitude of the middle of a grid of that size; None where it is not known."""
        place = self.system.position(*self.at((columns - 1) / 2, (rows - 1) / 2))
        return place and place[1]

    def spacing(self, columns: int, rows: int) -> Vector:
        """Return the meters between columns and between rows, in the middle of a grid of that size.

        Raises ValueError where the projection does not tell lengths.
        """
        middle = self.at((columns - 1) / 2, (rows - 1) / 2)
        if self.geographic:  # no step runs along a parallel at a pole
            middle = middle[0], max(-89.9, min(89.9, middle[1] * self.system.unit))
            middle = middle[0], middle[1] / self.system.unit
        across, along = self.system.lengths(middle, self.column_step, self.row_step)
        return across, along

    def same_steps(self, other: Georeference) -> bool:
        """Return whether two grids have one coordinate system, and steps that agree to a
        millionth."""
        if self.system != other.system:
            return False
        ours = (*self.column_step, *self.row_step)
        size = max(map(abs, ours))
        theirs = (*other.column_step, *other.row_step)
        return all(abs(a - b) <= SAME * size for a, b in zip(ours, theirs, strict=True))
