# SPDX-License-Identifier: GPL-3.0-or-later
"""What is solved for a whole terrain before it is sampled: its drainage and its river beds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hydrology import River
from ...numerics.arrays import Doubles, Floats
from ...numerics.progress import Cancel, Progress
from ...settings.plain_data import plain_data
from ..rivers.grids import Grids
from ..rivers.settings import FluvialSettings
from ..rivers.solver import Drainage, eroded
from .fields import largest_flow


@plain_data
@dataclass(frozen=True)
class ErodedTerrain:
    """A drainage, with the numbers and fields of the whole terrain that samples of it need.

    Attributes
    ----------
    drainage : the eroded terrain with its rivers
    before : (h, w) float32, the terrain before erosion in units of the valley spacing
    largest_flow : log of the drainage area of the largest river
    """

    drainage: Drainage
    before: Floats
    largest_flow: float

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """Its arrays, for an `ArrayCache`."""
        return (*self.drainage.arrays, self.before)

    @classmethod
    def of(
        cls,
        grids: Grids,
        settings: FluvialSettings,
        *,
        sea: float | None,
        seed: int,
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
    ) -> ErodedTerrain:
        """Erode a terrain; parameters and errors are those of :func:`~..rivers.solver.eroded`."""
        drainage = eroded(
            grids, settings, sea=sea, seed=seed, progress=progress, cancelled=cancelled
        )
        largest = largest_flow(drainage, (grids.width, grids.depth), cancelled)
        return cls(drainage, grids.finest.terrain, largest)


@plain_data
@dataclass(frozen=True)
class RiverCourses:
    """Rivers in two arrays.

    Attributes
    ----------
    points : (6, n) float64, the fields of all rivers, one river after the other
    ends : (rivers,) int64, where each river ends among the points
    """

    points: Doubles
    ends: NDArray[np.int64]

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """Its arrays, for an `ArrayCache`."""
        return self.points, self.ends

    @classmethod
    def of(cls, rivers: Sequence[River]) -> RiverCourses:
        """The arrays of some rivers."""
        points = [np.zeros((6, 0)), *(np.stack(river.fields) for river in rivers)]
        ends = np.cumsum([river.x.size for river in rivers], dtype=np.int64)
        return cls(np.concatenate(points, axis=1), ends)

    @property
    def rivers(self) -> list[River]:
        """The rivers, as views of the points."""
        starts = [0, *self.ends[:-1].tolist()]
        pairs = zip(starts, self.ends.tolist(), strict=True) if self.ends.size else ()
        return [River(*self.points[:, start:end]) for start, end in pairs]
