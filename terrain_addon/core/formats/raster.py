# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file says about its numbers, and the elevation model that follows from it.

Every reader returns a :class:`Raster`; files beside it (:mod:`.beside`) and the user
(:class:`Stated`) complete it. :func:`elevation_of` alone turns numbers into meters and places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..elevation import METERS, Elevation, Georeference, System, guessed
from ..elevation.systems import angle_named, length_named, name_of_length
from ..numerics.arrays import Floats
from .samples import flip_rows

Affine = tuple[float, float, float, float, float, float]
"""x, a, c, y, b, d: the sample in a column and a row of the file lies at
(x + a * column + c * row, y + b * column + d * row)."""
DEGREES_BY = ("deg", "degree", "degrees", "dd")
ENCODINGS = {"mapbox": "Terrain-RGB of Mapbox", "terrarium": "Terrarium", "gsi": "GSI of Japan"}
"""How colors stand for heights, by the names that users state."""
HIGHEST = 9000
"""Meters that no terrain of the Earth exceeds; numbers that are normalized reach 65535."""


@dataclass(frozen=True)
class Stated:
    """What the user says about a file, instead of what the file says.

    Attributes
    ----------
    spacing : meters between samples; the file's coordinates are not needed then
    unit : of its coordinates, such as "m", "us-ft" or "deg"
    heights : unit of its heights, such as "m", "ft" or "us-ft"
    encoding : how the colors of a picture stand for heights, one of :data:`ENCODINGS`

    Raises
    ------
    ValueError : a unit or an encoding that is not known, a spacing that is not above zero
    """

    spacing: float | None = None
    unit: str | None = None
    heights: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.unit is not None and not (length_named(self.unit) or angle_named(self.unit)):
            raise ValueError(f"The unit {self.unit[:40]!r} is not known: state m, ft, us-ft or deg")
        if self.heights is not None and not length_named(self.heights):
            raise ValueError(f"The unit {self.heights[:40]!r} is not known: state m, ft or us-ft")
        if self.encoding not in (None, *ENCODINGS):
            known = ", ".join(ENCODINGS)
            raise ValueError(f"The encoding {self.encoding!r} is not known: state one of {known}")
        if self.spacing is not None and not 0 < self.spacing < math.inf:
            raise ValueError(f"The spacing in meters must be above zero, not {self.spacing:g}")


NOTHING = Stated()


@dataclass(frozen=True)
class Raster:
    """The numbers of a file, and what it says about them.

    Attributes
    ----------
    height : (rows, columns) float32, NaN in voids
    flipped : whether row 0 of ``height`` is the last one of the file, as that of images should be
    affine : where the samples lie; None where the file does not say
    system : of the coordinates; None where the file does not say
    trouble : why the system is not known although the file names one
    factor, offset : height = number * factor + offset, in the unit of heights
    unit : meters per unit of heights, below zero for depths; None where the file does not say
    unit_name : how the file calls it, where it is not known
    stored : lowest and highest number that the file can hold, where they may stand for anything
    notes : what was converted or assumed
    """

    height: Floats
    flipped: bool = True
    affine: Affine | None = None
    system: System | None = None
    trouble: str = ""
    factor: float = 1.0
    offset: float = 0.0
    unit: float | None = None
    unit_name: str = ""
    stored: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()

    def noted(self, *notes: str) -> Raster:
        """Return the raster with further notes."""
        return replace(self, notes=(*self.notes, *notes))


def stored_numbers(
    dtype: np.dtype[Any], height: Floats, is_placed: bool
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Return the lowest and highest number that a file can store, and notes; None if its numbers
    are meters.

    Terrain tools write unsigned numbers from the lowest to the highest point, up to the largest."""
    if dtype.kind != "u" or is_placed:
        return None, ()
    highest = float(np.fmax.reduce(height, None))
    if dtype.itemsize > 1 and highest <= HIGHEST:
        return None, (f"Whole numbers up to {highest:g} taken as meters.",)
    return (0.0, float(np.iinfo(dtype).max)), ()


def elevation_of(raster: Raster, stated: Stated) -> Elevation:
    """Return the elevation model of a raster: meters, with the southern row first.

    Raises ValueError for units and systems that are not known, unless they are stated.
    """
    place, notes = place_of(raster, stated)
    system = None if place is None else place.system
    height, more = _in_meters(raster, stated, system, raster.notes + notes)
    stored = raster.stored if _holds_numbers(raster, stated) else None
    if place is None:
        if not any("where it lies" in note or "spacing" in note for note in more):
            more += ("The file does not say where it lies.",)
        model = Elevation(height, stored=stored, notes=more)
        return model if stated.spacing is None else model.with_spacing(stated.spacing)
    if place.mirrored:  # row 0 of the heights is the northern one
        rows = height.shape[0]
        place = place.mapped((0, rows - 1), (1, 0), (0, -1))
        flip_rows(height)
    place = replace(place, system=place.system.horizontal)
    if stated.spacing is not None:
        return Elevation(height, notes=more, stored=stored).with_spacing(stated.spacing)
    return Elevation.at(height, place, more, stored)


def _holds_numbers(raster: Raster, stated: Stated) -> bool:
    """Return whether numbers may stand for any heights: nothing says in what unit they are."""
    plain = (raster.factor, raster.offset) == (1.0, 0.0) and raster.unit is None
    return raster.stored is not None and plain and stated.heights is None


def place_of(raster: Raster, stated: Stated) -> tuple[Georeference | None, tuple[str, ...]]:
    """Return the coordinates of the samples of ``height``, and notes."""
    if raster.affine is None:
        return None, ()
    x, a, c, y, b, d = raster.affine
    rows, columns = raster.height.shape
    if raster.flipped:
        x, y, c, d = x + (rows - 1) * c, y + (rows - 1) * d, -c, -d
    origin, across, along = (x, y), (a, b), (c, d)
    corners = [
        origin,
        (x + (columns - 1) * a + (rows - 1) * c, y + (columns - 1) * b + (rows - 1) * d),
    ]
    try:
        system, notes = _system(raster, stated, corners, (math.hypot(a, b), math.hypot(c, d)))
        place = Georeference(origin, across, along, system)
        place.spacing(columns, rows)
    except ValueError:
        if stated.spacing is None:
            raise
        return None, ()
    return place, notes


def _system(
    raster: Raster, stated: Stated, corners: list[tuple[float, float]], cell: tuple[float, float]
) -> tuple[System, tuple[str, ...]]:
    """Return the system of the coordinates: as stated, as the file says, or as it must be."""
    system = raster.system
    if stated.unit is not None:
        degrees = angle_named(stated.unit)
        note = f"Coordinates taken as {stated.unit}, as stated."
        if degrees:
            old = system if system is not None and system.geographic else System(geographic=True)
            return replace(old, unit=degrees), (note,)
        old = system if system is not None and not system.geographic else METERS
        return replace(old, unit=length_named(stated.unit)), (note,)
    if raster.trouble:
        raise ValueError(raster.trouble)
    if system is not None:
        return system, ()
    system = guessed(corners, cell)
    kind = "degrees" if system.geographic else "meters"
    return system, (f"The file names no coordinate system: {kind} assumed.",)


def _in_meters(
    raster: Raster, stated: Stated, system: System | None, notes: tuple[str, ...]
) -> tuple[Floats, tuple[str, ...]]:
    """Convert the numbers, in place."""
    height, factor, offset = raster.height, raster.factor, raster.offset
    if (factor, offset) != (1.0, 0.0):
        notes += (f"Numbers multiplied by {factor:g}, plus {offset:g}.",)
    unit = raster.unit
    if stated.heights is not None:
        unit = length_named(stated.heights)
    elif raster.unit_name and unit is None:
        raise ValueError(
            f"the unit of its heights {raster.unit_name[:40]!r} is not known: state it, for "
            "example m, ft or us-ft"
        )
    elif unit is None and system is not None:
        unit = system.vertical
        if unit is None and not system.geographic and abs(system.unit - 1) > 1e-4:
            notes += (
                f"Coordinates are in {name_of_length(system.unit)}, and nothing names the unit of "
                "heights: meters assumed. State another one, such as us-ft.",
            )
    if unit is not None and unit != 1:
        notes += (f"Heights converted from {name_of_length(abs(unit))} to meters.",)
    if unit is not None and unit < 0:
        notes += ("Depths turned into heights.",)
    factor, offset = factor * (unit or 1.0), offset * (unit or 1.0)
    if not (0 < abs(factor) < 1e6 and abs(offset) < 1e9):
        raise ValueError(f"its factor {factor:g} and offset {offset:g} make no heights")
    if (factor, offset) != (1.0, 0.0):
        height *= height.dtype.type(factor)
        height += height.dtype.type(offset)
    return height, notes
