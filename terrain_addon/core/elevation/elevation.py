# SPDX-License-Identifier: GPL-3.0-or-later
"""An elevation model in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..numerics.arrays import Bools, Floats
from ..numerics.blocks import grid_pieces
from .georeference import Georeference

MOST_SAMPLES = 2**28
"""Samples of an elevation model: 16384 x 16384, 1 GB as float32."""
WEB_MERCATOR = (3857, 900913, 3785, 102100, 102113)
SQUARE = 1e-3
"""Share by which the sides of a cell may differ to count as square."""


class Unread(ValueError):
    """A file is of a kind that is not read here; GDAL may read it."""


class Picture(ValueError):
    """A file holds colors, not heights."""


def check_count(columns: int, rows: int) -> None:
    """Raise ValueError for sizes without samples, or beyond :data:`MOST_SAMPLES`."""
    if columns < 1 or rows < 1:
        raise ValueError(f"it has {columns} x {rows} samples")
    if columns * rows > MOST_SAMPLES:
        raise ValueError(
            f"its {columns} x {rows} samples are more than {MOST_SAMPLES}: make it smaller, for "
            "example with gdal_translate -outsize 25% 25% -r average"
        )


@dataclass(frozen=True)
class Elevation:
    """Heights of real terrain.

    Attributes
    ----------
    height : (rows, columns) float32, row 0 in the south; meters unless ``stored`` is given; NaN in
        voids, where nothing was measured
    spacing : (dx, dy) meters between columns and between rows; None where it is not known
    georeference : coordinates of the samples; None where they are not known
    stored : lowest and highest number that the file could hold, where it does not say what heights
        they stand for; None for heights in meters
    notes : what was converted or assumed, one sentence each

    Raises
    ------
    ValueError : heights that are not two-dimensional or infinite, a spacing that is not above zero

    Examples
    --------
    >>> model = Elevation(np.array([[1, 2], [3, np.nan]], np.float32), (30.0, 30.0))
    >>> model.range, model.size, int(model.voids.sum())
    ((1.0, 3.0), (60.0, 60.0), 1)
    >>> model.window(0, 0, 2, 1).height
    array([[1., 2.]], dtype=float32)
    """

    height: Floats
    spacing: tuple[float, float] | None = None
    georeference: Georeference | None = None
    stored: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.height.ndim != 2 or self.height.size == 0:
            raise ValueError("An elevation model has rows and columns")
        pieces = grid_pieces(self.height.shape)
        if any(np.isinf(self.height[piece]).any() for piece in pieces):
            raise ValueError("all values must be finite numbers within 3.4e38")
        if self.spacing is not None and not all(0 < one < math.inf for one in self.spacing):
            raise ValueError(f"The spacing must be above zero, not {self.spacing}")

    @classmethod
    def at(
        cls,
        height: Floats,
        georeference: Georeference,
        notes: tuple[str, ...] = (),
        stored: tuple[float, float] | None = None,
    ) -> Elevation:
        """Return the heights with the spacing that follows from a georeference."""
        rows, columns = height.shape
        spacing = georeference.spacing(columns, rows)
        notes += _about(georeference, spacing, height)
        return cls(height, spacing, georeference, stored, notes)

    @property
    def voids(self) -> Bools:
        """(rows, columns) bool: where nothing was measured."""
        return np.isnan(self.height)

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest height; ValueError if there are only voids."""
        low, high = (
            float(np.fmin.reduce(self.height, None)),
            float(np.fmax.reduce(self.height, None)),
        )
        if math.isnan(low):
            raise ValueError("The elevation model holds nothing but voids")
        return low, high

    @property
    def size(self) -> tuple[float, float] | None:
        """Meters along x and y that the cells around all samples cover; None if not known."""
        if self.spacing is None:
            return None
        rows, columns = self.height.shape
        return columns * self.spacing[0], rows * self.spacing[1]

    @property
    def span(self) -> tuple[float, float] | None:
        """Meters along x and y from the first to the last sample; None if not known."""
        if self.spacing is None:
            return None
        rows, columns = self.height.shape
        return (columns - 1) * self.spacing[0], (rows - 1) * self.spacing[1]

    @property
    def is_square(self) -> bool:
        """Whether columns are as far apart as rows."""
        if self.spacing is None:
            return True
        dx, dy = self.spacing
        return abs(dx - dy) <= SQUARE * dx

    def noted(self, *notes: str) -> Elevation:
        """Return the model with further notes."""
        return replace(self, notes=self.notes + notes)

    def with_range(self, low: float, high: float) -> Elevation:
        """Return the heights in meters, from the lowest and the highest number that the file could
        hold.

        Raises ValueError if the heights are in meters already, or the range is empty.
        """
        if self.stored is None:
            raise ValueError("The file holds heights in meters: it needs no range")
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(
                f"A range goes from a lower to a higher height, not {low:g} to {high:g}"
            )
        first, last = self.stored
        factor = (high - low) / (last - first)
        height = self.height * np.float32(factor)
        height += np.float32(low - first * factor)
        note = f"Stored numbers {first:g} to {last:g} taken as {low:g} to {high:g} m."
        return replace(self, height=height, stored=None, notes=(*self.notes, note))

    def with_spacing(self, spacing: float) -> Elevation:
        """Return the same samples at another distance in meters, without a georeference."""
        if not 0 < spacing < math.inf:
            raise ValueError(f"The spacing in meters must be above zero, not {spacing:g}")
        note = f"Spacing set to {spacing:g} m."
        return replace(
            self, spacing=(spacing, spacing), georeference=None, notes=(*self.notes, note)
        )

    def window(self, column: int, row: int, columns: int, rows: int) -> Elevation:
        """Return a window of the samples, from a column and a row on.

        Raises ValueError if they are not all inside.
        """
        ny, nx = self.height.shape
        inside = column >= 0 and row >= 0 and column + columns <= nx and row + rows <= ny
        if not inside or columns < 1 or rows < 1:
            raise ValueError(
                f"{columns} x {rows} samples from column {column}, row {row} on do not lie inside "
                f"{nx} x {ny}"
            )
        height = self.height[row : row + rows, column : column + columns].copy()
        place = self.georeference and self.georeference.mapped((column, row), (1, 0), (0, 1))
        # The spacing stays that of the whole: a window keeps the shape of its terrain.
        return replace(self, height=height, georeference=place)

    def crop(self, west: float, south: float, east: float, north: float) -> Elevation:
        """Return the samples between two corners, in the coordinates of the georeference.

        Raises ValueError without a georeference, or if no sample lies between them.
        """
        if self.georeference is None:
            raise ValueError(
                "Only an elevation model with a georeference is cropped by coordinates"
            )
        places = [self.georeference.samples_at(x, y) for x in (west, east) for y in (south, north)]
        if not (west < east and south < north and all(map(math.isfinite, sum(places, ())))):
            raise ValueError("A part is given by its west, south, east and north")
        ny, nx = self.height.shape
        first = [max(math.ceil(min(place[k] for place in places) - 1e-6), 0) for k in (0, 1)]
        last = [
            min(math.floor(max(place[k] for place in places) + 1e-6), count - 1)
            for k, count in ((0, nx), (1, ny))
        ]
        if last[0] < first[0] or last[1] < first[1]:
            low, high = self.georeference.at(0, 0), self.georeference.at(nx - 1, ny - 1)
            raise ValueError(
                f"No sample lies there: x goes from {low[0]:.10g} to {high[0]:.10g}, y from "
                f"{low[1]:.10g} to {high[1]:.10g}"
            )
        return self.window(first[0], first[1], last[0] - first[0] + 1, last[1] - first[1] + 1)


def _about(place: Georeference, spacing: tuple[float, float], height: Floats) -> tuple[str, ...]:
    """Say how the spacing follows from the coordinates, and how the grid lies."""
    rows, columns = height.shape
    system = place.system
    notes: list[str] = []
    plain = math.hypot(*place.column_step) * system.unit
    body = "" if system.body.name == "Earth" else f" of {system.body.name}"
    if system.geographic or abs(spacing[0] - plain) > 1e-9 * plain:
        kind = "degrees" if system.geographic else "the projection"
        kind = "Web Mercator" if system.code in WEB_MERCATOR else kind
        latitude = place.latitude(columns, rows)
        notes.append(f"Spacing converted from {kind} to meters at latitude {latitude:.4f}{body}.")
    elif system.unit != 1:
        notes.append(f"Spacing converted to meters, {system.unit:.7g} m per unit.")
    if place.sheared:
        notes.append("The grid is sheared: a terrain of it is straightened.")
    elif abs(place.turned) > 0.05:
        notes.append(f"Columns run {place.turned:.4g} degrees counterclockwise from the east.")
    return tuple(notes)
