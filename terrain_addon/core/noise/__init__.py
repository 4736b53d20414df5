# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: many bases, many fractals, at points and on grids.

``sample`` takes points, ``sample_grid`` a grid's two axes (much faster). ``BASES`` and
``FRACTALS`` list what there is.
"""

from __future__ import annotations

from . import classics, fastnoise
from .fractal import FRACTALS
from .registry import BASES
from .sampling import OCTAVE_SEEDS, sample, sample_grid

__all__ = ["BASES", "FRACTALS", "OCTAVE_SEEDS", "classics", "fastnoise", "sample", "sample_grid"]
