# SPDX-License-Identifier: GPL-3.0-or-later
"""Integer hashes, for stateless random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

Words = NDArray[np.uint32]


MURMUR3 = (0x85EBCA6B, 13, 0xC2B2AE35)
"""Factor, shift and factor of the finalizer of MurmurHash3 (Austin Appleby, 2011)."""
LOWBIAS32 = (0x7FEB352D, 15, 0x846CA68B)
"""Those of lowbias32 (Chris Wellons, 2018), which erosion uses."""


def mixed(words: Words, constants: tuple[int, int, int] = MURMUR3) -> Words:
    """Return a new array with every bit of each uint32 spread over the word: a one-to-one map."""
    first, shift, second = constants
    out = words ^ (words >> np.uint32(16))
    out *= np.uint32(first)
    out ^= out >> np.uint32(shift)
    out *= np.uint32(second)
    out ^= out >> np.uint32(16)
    return out


def hashed(seed: int, stream: int, numbers: NDArray[np.int64]) -> Words:
    """Return a random uint32 for each integer, different for each seed and stream."""
    start = mixed(np.array([seed & 0xFFFFFFFF], np.uint32))
    start ^= np.uint32(stream * 0x9E3779B1 & 0xFFFFFFFF)
    words = (numbers & 0xFFFFFFFF).astype(np.uint32)
    words *= np.uint32(0x27D4EB2F)
    return mixed(words ^ mixed(start))


def signed_unit(words: Words) -> Floats:
    """Return the words as float32, uniform from -1 to 1."""
    return words.view(np.int32).astype(np.float32) * np.float32(2**-31)
