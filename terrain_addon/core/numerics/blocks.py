# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples worked on at once."""

from __future__ import annotations

import math

SAMPLES = 32_768
"""So many take NumPy long enough that its calls cost little, and of their arrays, one to two dozen
of 128 KB, most stay in the cache of a core. A middle way: 65 536 take a tenth longer on an Intel
Xeon, whose shared cache is slow; 16 384 take as much longer on an AMD EPYC, where it is fast."""

POINTS = 16_384
"""So many points that lie anywhere: more arrays are in use at once there. On the Xeon OpenSimplex2S
takes a twenty-fifth less time than with 24 576, and cellular noise at scattered points a twentieth
more."""


def even_parts(size: int, most: int) -> list[slice]:
    """Parts of about the same length: a grid of 513 columns should not leave one over."""
    length = math.ceil(size / max(1, math.ceil(size / most)))
    return [slice(start, min(start + length, size)) for start in range(0, size, max(1, length))]
