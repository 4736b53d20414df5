# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cellular import TAPS, Nearest, feature_points, nearest_cell
from .fractal import FractalSum
from .octave import Axis, Field, Octave
from .registry import GridPlan
from .scratch import Scratch


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
        rows, columns = nearest_cell(y), nearest_cell(x)
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
