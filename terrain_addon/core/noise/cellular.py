# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise (Worley 1996), value for value as FastNoiseLite has it.

Every cell holds one feature point. The noise follows from the distances to the nearest two, or
is one random value per nearest point.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..params import Choice, Setting
from .corners import CornerHash, Corners, Keys
from .fastnoise import PRIMES, hashed
from .fractal import FractalSum
from .octave import Axis, Field, Octave
from .registry import Basis, GridPlan, register_basis
from .scratch import Scratch
from .tables import VECTORS_2D, VECTORS_3D

JITTER = {2: np.float32(0.43701595), 3: np.float32(0.39614353)}
"""Farthest a feature point moves from the middle of its cell at jitter 1."""
TAPS = 3
"""Cells to search along each axis."""

DISTANCES = (
    Choice("euclidean", "Euclidean", "Straight distance"),
    Choice("euclidean_sq", "Euclidean squared", "Straight distance squared: rounder valleys"),
    Choice("manhattan", "Manhattan", "Along the axes only: diamonds"),
    Choice("hybrid", "Hybrid", "Sum of squared and Manhattan distance: rounded diamonds"),
)
RETURNS = (
    Choice("cell_value", "Cell value", "One random value per cell: plates"),
    Choice("distance", "Distance", "Distance to the nearest point: cones and basins"),
    Choice("distance2", "Second distance", "Distance to the second nearest point"),
    Choice("distance2_add", "Sum", "Mean of both distances"),
    Choice("distance2_sub", "Difference", "Second minus first: walls and cracks between cells"),
    Choice("distance2_mul", "Product", "Product of both distances"),
    Choice("distance2_div", "Quotient", "First divided by second: crystals"),
)
SETTINGS = (
    Setting(
        "distance_function", "choice", "euclidean_sq", "Distance",
        "How distances to the points are measured", choices=DISTANCES,
    ),
    Setting(
        "return_type", "choice", "distance", "Value", "What becomes of the distances",
        choices=RETURNS,
    ),
    Setting(
        "jitter", "float", 1.0, "Jitter",
        "How far points stray from a square grid; above 1, seams may show", min=0.0, max=2.0,
        soft_max=1.0,
    ),
)  # fmt: skip


class Nearest:
    """The two smallest distances seen so far, and the hash of the nearest cell."""

    def __init__(
        self, shape: tuple[int, ...], settings: Mapping[str, Any], scratch: Scratch
    ) -> None:
        self.metric: str = settings["distance_function"]
        self.returned: str = settings["return_type"]
        self.first = scratch("first", shape)
        self.second = scratch("second", shape)
        self.first.fill(1e10)
        self.second.fill(1e10)
        self.hash: NDArray[np.uint32] | None = None
        if self.returned == "cell_value":
            self.hash = scratch("nearest_hash", shape, np.uint32)
            self.hash.fill(0)
        self._closer = scratch("closer", shape, np.bool_)

    def part(self, offset: Field, work: Field) -> None:
        """Turn the offset along one axis into its share of the distance, in place."""
        if self.metric == "manhattan":
            np.abs(offset, out=offset)
        elif self.metric == "hybrid":
            np.multiply(offset, offset, out=work)
            np.abs(offset, out=offset)
            offset += work
        else:
            offset *= offset

    def update(self, distance: Field, cell_hash: NDArray[np.uint32] | None) -> None:
        """Take one more feature point into account; ``distance`` is left as it is."""
        if self.returned.startswith("distance2"):
            np.minimum(self.second, distance, out=self.second)
            np.maximum(self.second, self.first, out=self.second)
        if self.hash is not None and cell_hash is not None:
            np.less(distance, self.first, out=self._closer)
            np.copyto(self.hash, cell_hash, where=self._closer)
        np.minimum(self.first, distance, out=self.first)

    def finish(self, out: Field) -> None:
        """Write the noise."""
        if self.hash is not None:
            np.multiply(
                self.hash.view(np.int32), np.float32(2.0**-31), out=out, casting="same_kind"
            )
            return
        first, second = self.first, self.second
        if self.metric == "euclidean":
            np.sqrt(first, out=first)
            np.sqrt(second, out=second)
        if self.returned == "distance":
            np.copyto(out, first)
        elif self.returned == "distance2":
            np.copyto(out, second)
        elif self.returned == "distance2_add":
            np.add(first, second, out=out)
            out *= np.float32(0.5)
        elif self.returned == "distance2_sub":
            np.subtract(second, first, out=out)
        elif self.returned == "distance2_mul":
            np.multiply(first, second, out=out)
            out *= np.float32(0.5)
        else:
            np.divide(first, second, out=out)
        out -= np.float32(1)


def _nearest_cell(coord: Axis) -> Axis:
    """Rounded half away from zero, as FastNoiseLite does."""
    return np.trunc(coord + np.copysign(0.5, coord))


def feature_points(dimensions: int, settings: Mapping[str, Any]) -> CornerHash:
    """Where each cell's feature point lies, from the middle of the cell.

    Fields are one offset per axis; for cell values, also the bits of the hash, seen as float32.
    """
    table = VECTORS_2D if dimensions == 2 else VECTORS_3D
    reach = JITTER[dimensions] * np.float32(settings["jitter"])
    vectors = tuple(column * reach for column in table)

    def corner(state: Any, keys: Keys, scratch: Scratch) -> tuple[Field, ...]:
        value = hashed(keys, scratch)
        bits = scratch("mixed", value.shape, np.uint32)
        np.right_shift(value, np.uint32(dimensions - 1), out=bits)
        bits &= np.uint32(255)
        index = scratch("index", value.shape, np.intp)
        np.copyto(index, bits)
        fields = [scratch(f"field{axis}", value.shape) for axis in range(dimensions)]
        for column, out in zip(vectors, fields, strict=True):
            column.take(index, out=out, mode="wrap")
        if settings["return_type"] == "cell_value":
            fields.append(value.view(np.float32))
        return tuple(fields)

    return CornerHash(corner, PRIMES)


def cellular_points(
    octave: Octave, coords: Axis, out: Field, scratch: Scratch, settings: Mapping[str, Any]
) -> None:
    """Write one octave at points (axes, n) into ``out`` (n,)."""
    dimensions = len(coords)
    cells = _nearest_cell(coords)
    offset = (cells - coords).astype(np.float32)
    offsets = {step: offset + np.float32(step) for step in (-1, 0, 1)}
    key = ("feature points", dimensions, *settings.values())
    hashing: CornerHash = scratch.kept.setdefault(key, feature_points(dimensions, settings))
    span = None
    if octave.bounds is not None:
        span = [(math.floor(low) - 1.0, math.ceil(high) + 1.0) for low, high in octave.bounds]
    corners = Corners(hashing, octave, cells, -1, TAPS, scratch, span=span)
    nearest = Nearest(out.shape, settings, scratch)
    work = scratch("work", out.shape)
    for steps in itertools.product((-1, 0, 1), repeat=dimensions):
        fields = corners.fields(steps)
        distance = fields[0]
        for axis, step in enumerate(steps):
            field = fields[axis]
            field += offsets[step][axis]
            nearest.part(field, work)
            if axis:
                distance += field
        nearest.update(distance, fields[-1].view(np.uint32))
    nearest.finish(out)


class CellularGrid(GridPlan):
    """Cellular noise on a grid.

    The nearest lattice column depends on the grid column alone, the nearest lattice row on the
    grid row alone. So what depends on x is made once per lattice row: the x part of the
    distance, and where feature points lie along y.
    """

    rows = 64
    tile = 1024

    def __init__(self, x: Axis, y: Axis, total: FractalSum, settings: Mapping[str, Any]) -> None:
        self.total, self.settings = total, settings
        self.hashing = feature_points(2, settings)
        self.axes = [(octave.place(0, x), octave.place(1, y)) for octave in total.octaves]

    def fill(self, start: int, stop: int, out: Field, scratch: Scratch) -> None:
        for left in range(0, out.shape[1], self.tile):
            target = out[:, left : left + self.tile]
            noise = scratch("octave", target.shape)
            amplitude = scratch("amplitude", target.shape)
            summed = scratch("summed", target.shape)
            columns = slice(left, left + target.shape[1])
            for number, (octave, (x, y)) in enumerate(
                zip(self.total.octaves, self.axes, strict=True)
            ):
                self._octave(octave, x[columns], y[start:stop], noise, scratch)
                self.total.add(number, noise, summed, amplitude, scratch)
            np.copyto(target, summed)

    def _octave(self, octave: Octave, x: Axis, y: Axis, out: Field, scratch: Scratch) -> None:
        rows, columns = _nearest_cell(y), _nearest_cell(x)
        needed = np.unique(rows.astype(np.int64) + np.arange(-1, 2)[:, None])
        start = np.searchsorted(needed, rows.astype(np.int64) - 1)
        nearest = Nearest(out.shape, self.settings, scratch)
        stage = self._columns(octave, columns, x, needed, nearest, scratch)
        offset = (rows - y).astype(np.float32)[:, None]
        distance, along_y, work = (scratch(n, out.shape) for n in ("distance", "moved", "work"))
        value = scratch("hash", out.shape, np.uint32)
        for part_x, point_y, hashes in stage:
            for step in range(TAPS):
                part_x.take(start + step, axis=0, out=distance, mode="wrap")
                point_y.take(start + step, axis=0, out=along_y, mode="wrap")
                along_y += offset + np.float32(step - 1)
                nearest.part(along_y, work)
                distance += along_y
                if hashes is not None:
                    hashes.take(start + step, axis=0, out=value, mode="wrap")
                nearest.update(distance, value)
        nearest.finish(out)

    def _columns(
        self,
        octave: Octave,
        columns: Axis,
        x: Axis,
        rows: NDArray[np.int64],
        nearest: Nearest,
        scratch: Scratch,
    ) -> list[tuple[Field, Field, NDArray[np.uint32] | None]]:
        """For each of three lattice columns near: x part, y of the point, hash (rows, n)."""
        whole = columns.astype(np.int64)
        needed = np.unique(whole + np.arange(-1, 2)[:, None])
        start = np.searchsorted(needed, whole - 1)
        point_x, point_y, *bits = self.hashing.mesh([needed, rows], octave, scratch)
        offset = (columns - x).astype(np.float32)
        work = scratch("row_work", (rows.size, x.size))
        stage: list[tuple[Field, Field, NDArray[np.uint32] | None]] = []
        for step in range(TAPS):
            part = point_x.take(start + step, axis=1)
            part += offset + np.float32(step - 1)
            nearest.part(part, work)
            stage.append(
                (
                    part,
                    point_y.take(start + step, axis=1),
                    bits[0].view(np.uint32).take(start + step, axis=1) if bits else None,
                )
            )
        return stage


class Cellular(Basis):
    """The basis made of these."""

    name = "cellular"
    label = "Cellular"
    help = "Distances to scattered points: cells, cracks, scales and cobbles"
    dimensions = (2, 3)
    settings = SETTINGS
    single_precision = True

    def points(
        self,
        octave: Octave,
        coords: Axis,
        out: Field,
        scratch: Scratch,
        settings: Mapping[str, Any],
    ) -> None:
        cellular_points(octave, coords, out, scratch, settings)

    def plan_grid(
        self,
        x: Axis,
        y: Axis,
        z: float | None,
        total: FractalSum,
        settings: Mapping[str, Any],
    ) -> GridPlan | None:
        return CellularGrid(x, y, total, settings) if z is None else None


register_basis(Cellular())
