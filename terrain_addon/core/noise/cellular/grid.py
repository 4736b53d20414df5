# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise on a grid.

The nearest lattice column depends on the grid column only, the nearest lattice row on the grid row
only. So the x part of each distance and the y coordinate of each feature point are computed once
per lattice row, for each of the three nearest lattice columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.fbm import FractalSum, RunningSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.lattice_lines import Lines
from .points import TAPS, NearestCells, feature_points, nearest_cell

BLOCK = (256, 1024)
"""Largest rows and columns that share the arrays of their lattice rows."""
LATTICE = 2**18
"""Largest table of lattice rows, unless one row of the grid needs more. Where cells are narrower
than samples, a whole block would take 80 MB."""


class _Near:
    """The three lattice lines nearest to each sample along one axis.

    Attributes
    ----------
    offsets : ndarray, shape (3, n)
        From the sample to the line.
    """

    def __init__(self, coord: Axis) -> None:
        nearest = nearest_cell(coord)
        self.lines = Lines.around(nearest.astype(np.int64) - 1, TAPS)
        steps = np.arange(-1, TAPS - 1, dtype=np.float32)[:, None]
        self.offsets = (nearest - coord).astype(np.float32) + steps


@dataclass(frozen=True)
class _Stage:
    """Arrays (3, lattice rows, columns) of three lattice columns: the x part of the distance, the
    y coordinate of the feature point, and its hash."""

    parts: NDArray[np.float32]
    points_y: NDArray[np.float32]
    hashes: NDArray[np.uint32] | None


class CellularGrid(GridPlan):
    """All octaves of cellular noise on one grid."""

    rows = BLOCK[0]

    def __init__(self, x: Axis, y: Axis, total: FractalSum, settings: Mapping[str, Any]) -> None:
        self.total, self.settings = total, settings
        self.hashing = feature_points(2, settings)
        self.axes = [
            (octave, _Near(octave.place(0, x)), _Near(octave.place(1, y)))
            for octave in total.octaves
        ]

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        total = self.total
        for columns in even_parts(out.shape[1], BLOCK[1]):
            running = RunningSum(total, out[:, columns], scratch)
            for number in range(len(self.axes)):
                poll()
                self._octave(number, slice(start, stop), columns, running.noise, scratch)
                if not total.plain:
                    running.add(number)
                    continue
                running.noise *= np.float32(total.amplitude(number))
                if number:
                    running.out += running.noise
                else:
                    np.copyto(running.out, running.noise)

    def _octave(
        self, number: int, rows: slice, columns: slice, out: Field, scratch: Scratch
    ) -> None:
        octave, x, y = self.axes[number]
        long = max(x.lines.part(columns)[0].size, out.shape[1])
        per_row = y.lines.part(rows)[0].size / len(out)
        for band in even_parts(len(out), max(1, int(LATTICE / long / per_row))):
            here = slice(rows.start + band.start, rows.start + band.stop)
            lines, start = y.lines.part(here)
            stage = self._stage(octave, x, columns, lines, scratch)
            offsets, target = y.offsets[:, here], out[band]
            for part in even_parts(len(target), max(1, SAMPLES // out.shape[1])):
                self._tile(stage, start[part], offsets[:, part], target[part], scratch)

    def _tile(
        self, stage: _Stage, start: NDArray[np.intp], offsets: Field, out: Field, scratch: Scratch
    ) -> None:
        """Find the nearest feature points of three lattice rows and three lattice columns."""
        nearest = NearestCells(out.shape, self.settings, scratch)
        shape = (TAPS, *out.shape)
        distances, along_y, work = (scratch(n, shape) for n in ("distances", "along_y", "work"))
        ahead, hashes = scratch("ahead", out.shape), None
        if stage.hashes is not None:
            hashes = scratch("hashes", shape, np.uint32)
        for step in range(TAPS):
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            stage.points_y.take(start + step, axis=1, out=along_y, mode="wrap")
            stage.parts.take(start + step, axis=1, out=distances, mode="wrap")
            np.copyto(ahead, offsets[step, :, None])  # faster than three broadcasts
            along_y += ahead
            nearest.part(along_y, along_y, work)
            distances += along_y
            if stage.hashes is not None and hashes is not None:
                stage.hashes.take(start + step, axis=1, out=hashes, mode="wrap")
            for column, distance in enumerate(distances):
                nearest.update(distance, None if hashes is None else hashes[column])
        nearest.finish(out)

    def _stage(
        self, octave: Octave, x: _Near, columns: slice, rows: NDArray[np.int64], scratch: Scratch
    ) -> _Stage:
        lines, start = x.lines.part(columns)
        point_x, point_y, *bits = self.hashing.mesh([lines, rows], octave, scratch)
        shape = (TAPS, rows.size, start.size)
        parts, points_y, work = (scratch(n, shape) for n in ("parts", "points_y", "stage_work"))
        hashes = scratch("stage_hashes", shape, np.uint32) if bits else None
        for step in range(TAPS):
            around = start + step
            point_x.take(around, axis=1, out=parts[step], mode="wrap")
            parts[step] += x.offsets[step, columns]
            point_y.take(around, axis=1, out=points_y[step], mode="wrap")
            if hashes is not None:
                bits[0].view(np.uint32).take(around, axis=1, out=hashes[step], mode="wrap")
        NearestCells((1, 1), self.settings, scratch).part(parts, parts, work)
        return _Stage(parts, points_y, hashes)
