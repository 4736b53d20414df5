# SPDX-License-Identifier: GPL-3.0-or-later
"""What is solved for a whole terrain before it is sampled: its drainage and its river beds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hydrology import RiverLine
from ...numerics.arrays import Doubles, Floats
from ...numerics.progress import Cancel, Progress
from ...settings.plain_data import plain_data
from ..glaciers.glaciers import glaciated
from ..glaciers.settings import GlacialSettings
from ..glaciers.snow_line import SnowLine
from ..rivers.drainage import Drainage
from ..rivers.drawn.course import Course
from ..rivers.drawn_into import drawn_into
from ..rivers.grids import Grids
from ..rivers.held import Stepped, Terrain, held_drainage
from ..rivers.saved_levels import SavedLevels
from ..rivers.settings import FluvialSettings
from ..rivers.solver import eroded
from .channels import bed_reach
from .fields import largest_flow
from .settings import SurfaceSettings
from .surface import reach_of


@plain_data
@dataclass(frozen=True)
class ErodedTerrain:
    """A drainage, with the numbers and fields of the whole terrain that samples of it need.

    Attributes
    ----------
    drainage : Drainage
        The eroded terrain with its rivers.
    before : ndarray of float32, shape (h, w)
        The terrain before erosion in units of the valley spacing.
    largest_flow : float
        Log of the drainage area of the largest river.
    """

    drainage: Drainage
    before: Floats
    largest_flow: float

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        return (*self.drainage.arrays, self.before)

    def around(self, x: Doubles, y: Doubles, settings: SurfaceSettings) -> ErodedTerrain:
        """Return what samples at some world coordinates need of a terrain that repeats, beyond its
        border too; itself if it does not."""
        if self.drainage.torus is None:
            return self
        drainage, part = self.drainage.around(x, y, reach_of(self.drainage, settings))
        return replace(self, drainage=drainage, before=part(self.before))

    @classmethod
    def of(
        cls,
        grids: Grids,
        settings: FluvialSettings,
        *,
        sea: float | None,
        courses: Sequence[Course] = (),
        seed: int,
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
        saved: SavedLevels | None = None,
    ) -> ErodedTerrain:
        """Erode a terrain; parameters and errors are those of :func:`~..rivers.solver.eroded`."""
        drainage = eroded(
            grids,
            settings,
            sea=sea,
            courses=courses,
            seed=seed,
            progress=progress,
            cancelled=cancelled,
            saved=saved,
        )
        return cls._around(drainage, grids, cancelled)

    def held(
        self, before: Stepped, after: Terrain, seed: int, cancelled: Cancel | None = None
    ) -> ErodedTerrain:
        """Return the terrain ``after`` with these rivers; parameters are those of
        :func:`~..rivers.held.held_drainage`."""
        drainage = held_drainage(self.drainage, before, after, seed, cancelled)
        return self._around(drainage, after.grids, cancelled)

    def drawn_into(
        self, before: Stepped, courses: Sequence[Course], seed: int, cancelled: Cancel | None = None
    ) -> ErodedTerrain:
        """Return this terrain with drawn rivers; parameters are those of
        :func:`~..rivers.drawn_into.drawn_into`."""
        drainage = drawn_into(self.drainage, before, courses, seed, cancelled)
        return self._around(drainage, before.terrain.grids, cancelled)

    def glaciated(
        self,
        settings: GlacialSettings,
        snow_line: SnowLine,
        size: tuple[float, float],
        seed: int,
        cancelled: Cancel | None = None,
    ) -> ErodedTerrain:
        """Return the terrain, ``size`` meters wide and deep, after glaciers above a snow line."""
        inside = self.drainage.height[self.drainage.within(size)]
        line = snow_line.on(float(inside.min()), float(inside.max()))
        drainage = glaciated(self.drainage, settings, line, seed=seed, cancelled=cancelled)
        return ErodedTerrain(drainage, self.before, largest_flow(drainage, size, cancelled))

    @classmethod
    def _around(cls, drainage: Drainage, grids: Grids, cancelled: Cancel | None) -> ErodedTerrain:
        largest = largest_flow(drainage, (grids.width, grids.depth), cancelled)
        return cls(drainage, grids.finest.terrain, largest)


@plain_data
@dataclass(frozen=True)
class RiverCourses:
    """Rivers in two arrays.

    Attributes
    ----------
    points : ndarray of float64, shape (6, n)
        The fields of all rivers, one river after the other.
    ends : ndarray of int64, shape (rivers,)
        Where each river ends among the points.
    boxes : ndarray of float64, shape (5, rivers)
        Lowest and highest x, lowest and highest y, and largest width of each river.
    """

    points: Doubles
    ends: NDArray[np.int64]
    boxes: Doubles

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        return self.points, self.ends, self.boxes

    @classmethod
    def of(cls, rivers: Sequence[RiverLine]) -> RiverCourses:
        """Return the arrays of some rivers."""
        points = [np.zeros((6, 0)), *(np.stack(river.fields) for river in rivers)]
        ends = np.cumsum([river.x.size for river in rivers], dtype=np.int64)
        boxes = [
            (river.x.min(), river.x.max(), river.y.min(), river.y.max(), river.width.max())
            for river in rivers
        ]
        return cls(
            np.concatenate(points, axis=1), ends, np.array(boxes, np.float64).reshape(-1, 5).T
        )

    def near(self, x: Doubles, y: Doubles, spacing: tuple[float, float]) -> list[RiverLine]:
        """Return the rivers whose beds may reach a window, as views of the points.

        The time follows from those rivers; of all others only the boxes are read.

        Parameters
        ----------
        x, y : ndarray of float64
            Coordinates of the window in meters.
        spacing : tuple of float
            Meters between columns and between rows.
        """
        left, right, low, high, width = self.boxes
        reach = bed_reach(width, spacing)
        inside = (right > x[0] - reach) & (left < x[-1] + reach)
        inside &= (high > y[0] - reach) & (low < y[-1] + reach)
        ends, found = self.ends, list[RiverLine]()
        for number in np.flatnonzero(inside).tolist():
            start = int(ends[number - 1]) if number else 0
            found.append(RiverLine(*self.points[:, start : int(ends[number])]))
        return found


@plain_data
@dataclass(frozen=True)
class Beds:
    """A terrain with the rivers whose beds are carved into it."""

    terrain: ErodedTerrain
    courses: RiverCourses

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        return (*self.terrain.arrays, *self.courses.arrays)
