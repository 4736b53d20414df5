# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise (Worley 1996), value for value as in FastNoiseLite.

Every cell holds one feature point. The noise follows from the distances to the nearest two, or
is one random value per nearest point.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ...settings.params import Choice, Setting
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Whole
from ..hashing.corners import CornerHash, CornerQuery, Fields, Keys
from ..hashing.fastnoise_hash import LOW_BITS, PRIMES, VECTORS_2D, VECTORS_3D, hash_into, look_up
from ..hashing.lookup import Span, lookup
from ..hashing.sign_masks import ONE, SIGN

JITTER = {2: np.float32(0.43701595), 3: np.float32(0.39614353)}
"""Farthest a feature point moves from the middle of its cell at jitter 1."""
TAPS = 3
"""Cells to search along each axis."""
HALF = constant(0.5)

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


class NearestCells:
    """The two smallest distances seen so far, and the hash of the nearest cell."""

    def __init__(
        self, shape: tuple[int, ...], settings: Mapping[str, Any], scratch: Scratch
    ) -> None:
        self.metric: str = settings["distance_function"]
        self.returned: str = settings["return_type"]
        self.first = scratch("first", shape)
        self.second = self.first
        if self.returned.startswith("distance2"):
            self.second = scratch("second", shape)
            self.second.fill(1e10)
        self.hash: NDArray[np.uint32] | None = None
        if self.returned == "cell_value":
            self.hash = scratch("nearest_hash", shape, np.uint32)
            self._differ = scratch("hashes_differ", shape, np.uint32)
            self._nearer = scratch("hash_nearer", shape)
        self._begun = False

    def part(self, offset: Field, out: Field, work: Field) -> None:
        """Write what the offset along one axis adds to the distance; ``out`` may be the offset."""
        if self.metric == "manhattan":
            np.abs(offset, out=out)
        elif self.metric == "hybrid":
            np.multiply(offset, offset, out=work)
            np.abs(offset, out=out)
            np.add(out, work, out=out)
        else:
            np.multiply(offset, offset, out=out)

    def measure(self, offsets: Field, out: Field, work: Field) -> Field:
        """Return the distances (n,) of offsets (axes, n), in the memory of ``out``, which may be
        those."""
        self.part(offsets, out, work)
        distance = out[0]
        for axis in range(1, len(out)):
            np.add(distance, out[axis], out=distance)
        return distance

    def update(self, distance: Field, cell_hash: NDArray[np.uint32] | None) -> None:
        """Take one more feature point into account; ``distance`` is left as it is."""
        if self._begun:
            self._compare(distance, cell_hash)
            return
        self._begun = True
        np.copyto(self.first, distance)
        if self.hash is not None and cell_hash is not None:
            np.copyto(self.hash, cell_hash)

    def _compare(self, distance: Field, cell_hash: NDArray[np.uint32] | None) -> None:
        if self.second is not self.first:
            np.minimum(self.second, distance, out=self.second)
            np.maximum(self.second, self.first, out=self.second)
        if self.hash is not None and cell_hash is not None:
            # By their bits: to copy where one is nearer, NumPy goes point by point.
            nearer = np.subtract(distance, self.first, out=self._nearer).view(np.int32)
            np.right_shift(nearer, SIGN, out=nearer)
            np.bitwise_xor(self.hash, cell_hash, out=self._differ)
            np.bitwise_and(self._differ, nearer.view(np.uint32), out=self._differ)
            np.bitwise_xor(self.hash, self._differ, out=self.hash)
        np.minimum(self.first, distance, out=self.first)

    def finish(self, out: Field) -> None:
        """Write the noise."""
        if self.hash is not None:
            np.multiply(
                self.hash.view(np.int32), np.float32(2.0**-31), out=out, casting="same_kind"
            )
            return
        self.take_roots()
        self.write_joined(out)

    def take_roots(self) -> None:
        """Turn squares into distances, once all feature points are known."""
        if self.metric == "euclidean":
            np.sqrt(self.first, out=self.first)
            if self.second is not self.first:
                np.sqrt(self.second, out=self.second)

    def write_joined(self, out: Field) -> None:
        """Write what is returned of the two distances; the first one is overwritten."""
        np.subtract(self._joined(), ONE, out=out)

    def _joined(self) -> Field:
        first, second = self.first, self.second
        if self.returned in ("distance", "distance2"):
            return second
        if self.returned == "distance2_sub":
            return np.subtract(second, first, out=first)
        if self.returned == "distance2_div":
            return np.divide(first, second, out=first)
        (np.add if self.returned == "distance2_add" else np.multiply)(first, second, out=first)
        return np.multiply(first, HALF, out=first)


def nearest_cell(coord: Axis, out: Axis | None = None, work: Axis | None = None) -> Axis:
    """Return whole coordinates, rounded half away from zero, as FastNoiseLite does."""
    # trunc(2 x) - trunc(x), exactly: np.copysign(0.5, x) alone takes as long as all of this.
    out = np.add(coord, coord, out=out)
    np.trunc(out, out=out)
    return np.subtract(out, np.trunc(coord, out=work), out=out)


def feature_points(dimensions: int, settings: Mapping[str, Any]) -> CornerHash:
    """Return where each cell's feature point lies, from the middle of the cell.

    Fields are one offset per axis; for cell values, also the bits of the hash, viewed as float32.
    """
    table = VECTORS_2D if dimensions == 2 else VECTORS_3D
    reach = JITTER[dimensions] * np.float32(settings["jitter"])
    vectors = tuple(column * reach for column in table)
    bit = constant(dimensions - 1, np.uint32)
    with_hash = settings["return_type"] == "cell_value"

    def write(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
        value, bits = hash_into(outs[-1], keys), outs[0].view(np.uint32)
        np.right_shift(value, bit, out=bits)
        np.bitwise_and(bits, LOW_BITS, out=bits)
        look_up(bits, vectors, scratch, outs[:dimensions])

    return CornerHash(write, PRIMES, fields=dimensions + with_hash)


def feature_offsets(
    octave: Octave, coords: Axis, scratch: Scratch, settings: Mapping[str, Any]
) -> Iterator[tuple[Field, NDArray[np.uint32] | None]]:
    """Yield offsets (axes, n) from points to the feature point of each cell around, one after the
    other.

    With them come the bits of the cells' hashes, where settings ask for cell values. Both may be
    overwritten and are valid until the next. ``coords`` are free to use again from the first on.
    """
    dimensions, size = coords.shape
    work = scratch("cells", coords.shape, np.float64)
    offset = scratch("offsets", coords.shape)
    whole: Whole = scratch("whole", coords.shape, np.int32)
    if octave.wide:
        whole = np.empty(coords.shape, np.int64)
    # Axis by axis: half the memory, so that more of it stays in the cache.
    for axis, coord in enumerate(coords):
        cells = nearest_cell(coord, *work[:2])
        np.copyto(whole[axis], cells, casting="unsafe")
        np.subtract(cells, coord, out=cells)
        np.copyto(offset[axis], cells, casting="same_kind")
    before, after = spares(work)  # memory that is in the cache
    np.subtract(offset, ONE, out=before)
    np.add(offset, ONE, out=after)
    key = ("feature points", dimensions, *settings.values())
    if key not in scratch.kept:
        scratch.kept[key] = feature_points(dimensions, settings)
    hashing: CornerHash = scratch.kept[key]

    def span() -> Span | None:
        if octave.bounds is None:
            return None
        return [(math.floor(low) - 1.0, math.ceil(high) + 1.0) for low, high in octave.bounds]

    corners = lookup(CornerQuery(hashing, octave, -1, TAPS), whole, scratch, span)
    found, bits = scratch("found", coords.shape), None
    rows = scratch.rows("found", coords.shape)
    outs = [*rows]
    if settings["return_type"] == "cell_value":
        outs.append(scratch("cell_hash", (size,)))
        bits = outs[-1].view(np.uint32)
    sides = [(offset[axis], after[axis], before[axis]) for axis in range(dimensions)]
    for steps in itertools.product((-1, 0, 1), repeat=dimensions):
        corners.write(steps, outs)
        for row, side, step in zip(rows, sides, steps, strict=True):
            np.add(row, side[step], out=row)
        yield found, bits


def cellular_points(
    octave: Octave, coords: Axis, out: Field, scratch: Scratch, settings: Mapping[str, Any]
) -> None:
    """Write one octave at points (axes, n), which are overwritten, into ``out`` (n,)."""
    nearest = NearestCells(out.shape, settings, scratch)
    work, _ = spares(coords)
    for offsets, bits in feature_offsets(octave, coords, scratch, settings):
        nearest.update(nearest.measure(offsets, offsets, work), bits)
    nearest.finish(out)


def spares(coords: Axis) -> Field:
    """Return two work arrays (2, axes, n) in the memory of coordinates: few stay in the cache."""
    return coords.view(np.float32).reshape(2, *coords.shape)
