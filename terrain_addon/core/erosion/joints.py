# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: two sets of upright cracks that break the rim of a cliff into blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import noise
from ..numerics.angles import cos_sin
from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import row_bands
from ..numerics.hashing import LOWBIAS32, mixed, signed_unit
from ..numerics.progress import Cancel

SIZES = ((3.1, 0.9), (1.0, 0.5))
"""Sizes of blocks, in spacings of the joints, and how far their faces lie apart, as a share of the
depth: a rim has buttresses that small joints divide."""
LONGER = 1.4
"""Length of a block along the first set of joints, in widths."""
FACE = 0.3
"""Part of a block over which the rim passes to the next one."""
ALCOVES, ALCOVE = 9.0, 1.6
"""Distance of alcoves in spacings, and their depth as a share of that of the blocks."""
BENT, BENDS = 12.0, 1.6
"""Size of the bends of joints, and how far they move them, in spacings."""


@dataclass(frozen=True)
class Joints:
    """Two sets of joints at right angles.

    Attributes
    ----------
    spacing : float
        Meters between joints, on average.
    depth : float
        Meters by which blocks stand out or are missing.
    strike : float
        Degrees from the X axis, of the first set.
    seed : int
        Seed of blocks and alcoves.
    """

    spacing: float
    depth: float
    strike: float
    seed: int

    def outward(self, x: Doubles, y: Doubles, cancelled: Cancel | None = None) -> Floats:
        """Return meters by which a rim stands out, (len(y), len(x)) float32.

        A function of the place alone: windows have the same bits.

        Examples
        --------
        >>> joints = Joints(spacing=20.0, depth=10.0, strike=0.0, seed=1)
        >>> out = joints.outward(np.arange(50.0), np.arange(40.0))
        >>> out.shape, bool(abs(out).max() < 40)
        ((40, 50), True)
        """
        bend = self._smooth(BENT, 1, x, y, cancelled)
        out = self._smooth(ALCOVES, 2, x, y, cancelled)
        out *= np.float32(ALCOVE * self.depth)
        cos, sin = (part / self.spacing for part in cos_sin(self.strike))
        for rows in row_bands(out.shape, cancelled):
            down, bent = y[rows, None], BENDS * bend[rows]
            along, across = x * cos + down * sin + bent, down * cos - x * sin - bent
            for number, (size, share) in enumerate(SIZES):
                blocks = _blocks(along / (LONGER * size), across / size, self.seed + 7 * number)
                out[rows] += np.float32(share * self.depth) * blocks
        return out

    def _smooth(
        self, size: float, number: int, x: Doubles, y: Doubles, cancelled: Cancel | None
    ) -> Floats:
        wave = size * self.spacing
        seed = (self.seed + number) & 0x7FFFFFFF
        return noise.sample_grid(
            "perlin", x / wave, y / wave, seed=seed, fractal="fbm", octaves=2, cancelled=cancelled
        )


def _blocks(u: Doubles, v: Doubles, seed: int) -> Floats:
    """Return float32, -1 to 1: one number for each unit square, with narrow faces between."""
    (i, s), (j, t) = _cells(u), _cells(v)
    near, far = (_between(_number(i, k, seed), _number(i + 1, k, seed), s) for k in (j, j + 1))
    return _between(near, far, t)


def _between(first: Floats, second: Floats, share: Floats) -> Floats:
    change: Floats = (second - first) * share
    return first + change


def _cells(place: Doubles) -> tuple[NDArray[np.int64], Floats]:
    """Return the number of the block, and how far a place is over to the next one."""
    number = np.floor(place)
    over = (place - number - (1 - FACE)) / FACE
    return number.astype(np.int64), np.clip(over, 0, 1).astype(np.float32)


def _number(i: NDArray[np.int64], j: NDArray[np.int64], seed: int) -> Floats:
    words = mixed((j ^ (seed & 0xFFFFFFFF)).astype(np.uint32), LOWBIAS32)
    words += i.astype(np.uint32) * np.uint32(0x9E3779B1)
    return signed_unit(mixed(words, LOWBIAS32))
