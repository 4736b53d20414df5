# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples worked on at once."""

from __future__ import annotations

import math

SAMPLES = 65_536
"""So many take NumPy long enough that its calls cost little, and their arrays, one to two dozen of
256 KB, stay in the cache that cores share. A quarter of it fits that of a core, but takes a tenth
to a fifth longer."""


def even_parts(size: int, most: int) -> list[slice]:
    """Parts of about the same length: a grid of 513 columns should not leave one over."""
    length = math.ceil(size / max(1, math.ceil(size / most)))
    return [slice(start, min(start + length, size)) for start in range(0, size, max(1, length))]
