# SPDX-License-Identifier: GPL-3.0-or-later
"""Integer hashes, for stateless random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

Words = NDArray[np.uint32]


def mixed(words: Words) -> Words:
    """Each uint32 hashed, as a new array: the finalizer of MurmurHash3 (Austin Appleby, 2011).

    A bijection. `erosion.random_fields` uses another one; terrains depend on both.
    """
    out = words ^ (words >> np.uint32(16))
    out *= np.uint32(0x85EBCA6B)
    out ^= out >> np.uint32(13)
    out *= np.uint32(0xC2B2AE35)
    out ^= out >> np.uint32(16)
    return out


def hashed(seed: int, stream: int, numbers: NDArray[np.int64]) -> Words:
    """A random uint32 for each integer, different for each seed and stream."""
    start = mixed(np.array([seed & 0xFFFFFFFF], np.uint32))
    start ^= np.uint32(stream * 0x9E3779B1 & 0xFFFFFFFF)
    words = (numbers & 0xFFFFFFFF).astype(np.uint32)
    words *= np.uint32(0x27D4EB2F)
    return mixed(words ^ mixed(start))


def signed_unit(words: Words) -> Floats:
    """The words as float32, uniform from -1 to 1."""
    return words.view(np.int32).astype(np.float32) * np.float32(2**-31)
