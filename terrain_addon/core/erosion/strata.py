# SPDX-License-Identifier: GPL-3.0-or-later
"""Strata: layers of rock of random thickness that form ledges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Floats, Indices
from . import random_fields

JITTER = 0.4
"""Largest shift of a boundary up or down, as a share of the mean thickness."""

FARTHEST = 2.0**40
"""Layers from height 0 beyond which all count as one: float32 heights are coarser there."""

MOST_IN_A_ROW = 1 << 20
"""Number of layers up to which all are computed, instead of those that occur."""


@dataclass(frozen=True)
class Strata:
    """Layers of rock.

    Attributes
    ----------
    thickness : float
        Meters, on average.
    sharpness : float
        0 no ledges, 1 and more ever flatter benches and steeper risers.
    seed : int
        Seed of the random thickness and hardness.
    """

    thickness: float
    sharpness: float
    seed: int = 0

    def ledges(self, height: Floats, offset: Floats) -> Floats:
        """Return heights moved toward the tops of soft layers, which become benches.

        A monotone function of height: it makes no pits.

        Parameters
        ----------
        height : ndarray of float32, shape (H, W)
            Meters.
        offset : ndarray of float32, shape (H, W)
            Meters by which the layers lie lower at each point.

        Examples
        --------
        >>> height = np.linspace(0, 100, 5, dtype=np.float32)[None]
        >>> ledges = Strata(thickness=20.0, sharpness=1.0).ledges(height, np.zeros_like(height))
        >>> bool((np.diff(ledges) >= 0).all())
        True
        """
        place = (height + offset).astype(np.float64) / self.thickness
        np.clip(place, -FARTHEST, FARTHEST, out=place)
        number = np.floor(place).astype(np.int64)
        numbers, layer = _occurring(number)
        moved = _signed(random_fields.hashed(numbers, np.zeros(1, np.int64), self.seed))
        edges = numbers + JITTER * moved
        hardness = 1 + 0.5 * _signed(random_fields.hashed(numbers, np.ones(1, np.int64), self.seed))
        # Boundaries are shifted by less than half a layer, so the layer is one of two.
        layer -= place < edges[layer]
        layer += place >= edges[layer + 1]
        bottom = edges[layer]
        thickness = edges[layer + 1] - bottom
        part = np.clip((place - bottom) / thickness, 0, 1)
        risen = part ** (1 + self.sharpness * hardness[layer])
        return height + ((risen - part) * thickness * self.thickness).astype(np.float32)


def _occurring(number: NDArray[np.int64]) -> tuple[NDArray[np.int64], Indices]:
    """Return sorted numbers: those given, and one below and two above each; and the index of each
    given one."""
    first, last = int(number.min()) - 1, int(number.max()) + 2
    if last - first < MOST_IN_A_ROW:
        return np.arange(first, last + 1, dtype=np.int64), (number - first).astype(np.intp)
    met = np.unique(number)
    numbers = np.unique(met[:, None] + np.arange(-1, 3))
    return numbers, np.searchsorted(numbers, number)


def _signed(bits: NDArray[np.uint32]) -> Doubles:
    return bits[:, 0].view(np.int32).astype(np.float64) * 2.0**-31
