# SPDX-License-Identifier: GPL-3.0-or-later
"""Right-triangulated irregular networks: the error of leaving out each sample of a grid.

W. Evans, D. Kirkpatrick and G. Townsend, *Right-triangulated irregular networks*, Algorithmica 30
(2001). All triangles of a level are computed together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...numerics.progress import Cancel
from .triangle_errors import cell_errors

Ints = NDArray[np.int32]

LARGEST = 256
"""Steps along the short sides of the largest triangles."""
LARGEST_FLOAT = float(np.finfo(np.float32).max)
ROUNDING = np.float32(2**-20)
"""Rounding of errors, as a share of the highest absolute height: a few float32 steps."""


@dataclass(frozen=True)
class ErrorMap:
    """The largest vertical error without each sample of a grid, from which meshes are made.

    A mesh for a tolerance consists of right triangles. Each is halved, from the middle of its
    longest side to the corner opposite, where the error at that middle is larger than the
    tolerance. A sample's error is at least that of all triangles that replace it when it is left
    out, over all samples in them, and at least the error of each sample that needs it. Halving thus
    leaves no cracks.

    Attributes
    ----------
    height : (ny, nx) float32, in meters
    errors : (rows, columns) float32, in meters, for the grid extended to whole largest triangles,
        rounded up; infinite where a triangle would cross the border or one of the lines
    rounding : meters, by which errors were rounded up
    largest : steps along the short sides of the largest triangles, a power of two
    columns, rows : lines between samples that no triangle crosses, such as the borders of chunks
    """

    height: Floats
    errors: Floats
    rounding: float
    largest: int
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        height: Floats,
        columns: Sequence[int] = (),
        rows: Sequence[int] = (),
        cancelled: Cancel | None = None,
    ) -> ErrorMap:
        """Compute the errors for heights in meters, (ny, nx) float32.

        Any size works. Sizes of a multiple of 256 and one more need fewest triangles: otherwise
        those along the last row and column must be small.

        Raises ValueError for heights that are not finite or less than 2 x 2, and for lines outside;
        Cancelled if ``cancelled`` returns true.

        Examples
        --------
        >>> height = np.zeros((5, 5), np.float32)
        >>> height[2, 2] = 1.0
        >>> float(ErrorMap.of(height).errors[2, 2].round(3))
        1.0
        """
        ny, nx = height.shape
        if min(nx, ny) < 2:
            raise ValueError("A mesh needs at least 2 x 2 points")
        if not np.isfinite(height).all():
            raise ValueError("The terrain has heights that are not numbers: rebuild it first")
        for lines, end in ((columns, nx - 1), (rows, ny - 1)):
            if any(not 0 < line < end for line in lines):
                raise ValueError("A border between chunks must lie within the terrain")
        largest = min(LARGEST, 2 ** ((min(nx, ny) - 1).bit_length() - 1))
        more = [(0, -(count - 1) % largest) for count in (ny, nx)]
        wide = np.pad(height.astype(np.float32, copy=False), more, mode="edge")
        limits = (*sorted(set(columns)), nx - 1), (*sorted(set(rows)), ny - 1)
        errors = _errors(wide, largest, *limits, cancelled)
        rounding = ROUNDING * np.abs(height).max()
        np.add(errors, rounding, out=errors, where=errors > 0)
        return cls(height, errors, float(rounding), largest, limits[0][:-1], limits[1][:-1])

    def tolerance_for(self, triangles: int) -> float:
        """Return the smallest tolerance in meters whose mesh has at most so many triangles.

        Samples with equal errors stay or go together, so there may be a few percent fewer.
        Infinity if even the coarsest mesh has more.

        Examples
        --------
        >>> rough = np.random.default_rng(1).normal(size=(65, 65)).astype(np.float32)
        >>> errors = ErrorMap.of(rough)
        >>> len(errors.mesh(errors.tolerance_for(1000)).triangles)
        992
        """
        left = triangles - len(self.mesh(np.inf).triangles)
        ny, nx = self.height.shape
        inside = self.errors[:ny, :nx]
        # A sample adds two triangles, one on the border.
        errors = np.concatenate([inside.reshape(-1), inside[1:-1, 1:-1].reshape(-1)])
        errors = errors[(errors > 0) & np.isfinite(errors)]
        if left < 0:
            return float("inf")
        if left >= errors.size:
            return 0.0
        place = errors.size - 1 - left
        return float(np.partition(errors, place)[place])

    def mesh(self, tolerance: float = 0.0) -> Triangulation:
        """Return the mesh whose vertical error is at most ``tolerance`` meters at every sample.

        With 0, samples stay out only where the mesh passes through them.

        Examples
        --------
        >>> plain = ErrorMap.of(np.zeros((257, 257), np.float32)).mesh()
        >>> len(plain.triangles), plain.error
        (2, 0.0)
        """
        errors = self.errors.reshape(-1)
        limit = min(tolerance, LARGEST_FLOAT)  # what must be halved has an infinite error
        done: list[Ints] = []
        worst = 0.0
        triangles = _largest(self.errors.shape, self.largest)
        for _ in range(2 * self.largest.bit_length() - 2):
            a, b, c = triangles = self._inside(triangles)
            middle = (a + b) // 2
            error = errors[middle]
            halved = error.astype(np.float64) > limit
            done.append(triangles[:, ~halved])
            worst = max(worst, float(error.max(where=~halved, initial=0)))
            a, b, c, middle = a[halved], b[halved], c[halved], middle[halved]
            triangles = np.stack([np.append(c, b), np.append(a, c), np.append(middle, middle)])
        left_out = any(one.size for one in done)
        done.append(triangles)
        samples = self._inside(np.concatenate(done, axis=1)).T
        ny, nx = self.height.shape
        if self.errors.shape != (ny, nx):
            j, i = np.divmod(samples, self.errors.shape[1])
            samples = j * nx + i
        error = max(worst, self.rounding) if left_out else 0.0
        return Triangulation(np.ascontiguousarray(samples, np.int32), (ny, nx), error)

    def _inside(self, triangles: Ints) -> Ints:
        """Return those triangles that are not beyond the end of the terrain; (3, n)."""
        ny, nx = self.height.shape
        if self.errors.shape == (ny, nx):
            return triangles
        j, i = np.divmod(triangles, self.errors.shape[1])
        return triangles[:, (i.min(axis=0) < nx - 1) & (j.min(axis=0) < ny - 1)]


@dataclass(frozen=True)
class Triangulation:
    """Some samples of a grid, connected to triangles.

    Attributes
    ----------
    triangles : (n, 3) int32, samples by their flat index ``j * nx + i``, counterclockwise from
        above
    shape : (ny, nx) of the grid
    error : meters; no sample of the grid is farther above or below the triangles
    """

    triangles: Ints
    shape: tuple[int, int]
    error: float


def _largest(shape: tuple[int, ...], size: int) -> Ints:
    """Return the largest triangles of a grid, (3, n) int32: both ends of the longest side, then the
    right-angled corner."""
    rows, columns = ((count - 1) // size for count in shape)
    j, i = (place.reshape(-1) for place in np.mgrid[:rows, :columns].astype(np.int32))
    corner = (j * shape[1] + i) * size
    right, up = corner + size, corner + size * shape[1]
    across = up + size
    even = np.array([(across, corner), (corner, across), (right, up)])
    odd = np.array([(up, right), (right, up), (across, corner)])
    return np.where((i + j) % 2 == 0, even, odd).reshape(3, -1)


def _errors(
    height: Floats,
    largest: int,
    columns: Sequence[int],
    rows: Sequence[int],
    cancelled: Cancel | None,
) -> Floats:
    """Return the error without each sample, from the smallest triangles to the largest.

    The last of ``columns`` and ``rows`` are the end of the terrain: there is nothing beyond.
    """
    errors = np.zeros(height.shape, np.float32)
    size = 1
    while size < largest:
        # Four triangles meet in the middle of a square; the middle of its side is left out.
        halves = cell_errors(height, size, averaged=True, cancelled=cancelled)
        if size > 1:
            np.maximum(halves, errors[size // 2 :: size, size // 2 :: size], out=halves)
        halves[..., -(-columns[-1] // size) :] = 0
        halves[:, -(-rows[-1] // size) :] = 0
        across, along = errors[:: 2 * size, size :: 2 * size], errors[size :: 2 * size, :: 2 * size]
        across[:], along[:] = _sides(halves[0]), _sides(halves[1].T).T
        _refuse_crossing(across, size, columns, rows)
        _refuse_crossing(along.T, size, rows, columns)
        # Two triangles form a square; its middle is left out.
        size *= 2
        whole = cell_errors(height, size, cancelled=cancelled).max(axis=0)
        for side in (across[:-1], across[1:], along[:, :-1], along[:, 1:]):
            np.maximum(whole, side, out=whole)
        whole[:, -(-columns[-1] // size) :] = 0
        whole[-(-rows[-1] // size) :] = 0
        whole[:, _crossed(whole.shape[1], size, columns)] = np.inf
        whole[_crossed(whole.shape[0], size, rows)] = np.inf
        errors[size // 2 :: size, size // 2 :: size] = whole
    return errors


def _sides(halves: Floats) -> Floats:
    """Return the largest error of the triangles at each side along X of squares of two by two
    cells."""
    pairs = np.maximum(halves[:, ::2], halves[:, 1::2])
    sides = np.zeros((len(pairs) // 2 + 1, pairs.shape[1]), np.float32)
    sides[:-1] = pairs[::2]
    np.maximum(sides[1:], pairs[1::2], out=sides[1:])
    return sides


def _refuse_crossing(sides: Floats, size: int, columns: Sequence[int], rows: Sequence[int]) -> None:
    """Set infinite errors at sides along X whose triangles cross a line. They reach from half a
    side length below to half above."""
    sides[:, _crossed(sides.shape[1], 2 * size, columns)] = np.inf
    above = _crossed(2 * len(sides), size, rows)[: 2 * (len(sides) - 1)]
    sides[:-1][above[::2]] = np.inf
    sides[1:][above[1::2]] = np.inf


def _crossed(count: int, size: int, lines: Sequence[int]) -> NDArray[np.bool_]:
    """Return which of ``count`` intervals of that size have a line inside, not only at their
    ends."""
    crossed = np.zeros(count, np.bool_)
    places = [line // size for line in lines if line % size]
    crossed[places] = True
    return crossed
