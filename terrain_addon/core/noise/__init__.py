# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: many bases, many fractals, at points and on grids.

``sample`` takes points, ``sample_grid`` a grid's two axes (much faster). ``BASES`` and
``FRACTALS`` list what there is.
"""

from __future__ import annotations

from ..even import Even
from . import cellular_noise, classics, fastnoise, musgrave, simplex_noise, slope_fractals
from .borders import cell_borders
from .fractal import FRACTALS
from .registry import BASES
from .request import OCTAVE_SEEDS
from .sampling import sample, sample_grid
from .scatter import scattered
from .warp import WARP_FRACTALS, WARPS, warp, warp_grid

__all__ = [
    "BASES",
    "FRACTALS",
    "OCTAVE_SEEDS",
    "WARPS",
    "WARP_FRACTALS",
    "Even",
    "cell_borders",
    "cellular_noise",
    "classics",
    "fastnoise",
    "musgrave",
    "sample",
    "sample_grid",
    "scattered",
    "simplex_noise",
    "slope_fractals",
    "warp",
    "warp_grid",
]
