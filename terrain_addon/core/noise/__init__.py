# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: many bases, many fractals, at points and on grids.

``sample`` takes points, ``sample_grid`` a grid's two axes (much faster). ``BASES`` and
``FRACTALS`` list what there is.
"""

from __future__ import annotations

# isort: on
from ..numerics.axis import Even
from .basis import BASES
from .cellular import basis as cellular_noise
from .cellular.borders import cell_borders
from .cellular.scatter import scattered
from .fractals import eroded as slope_fractals, musgrave
from .fractals.fbm import FRACTALS

# isort: off  (bases and fractals appear in menus in the order of their registration)
from .lattice import classic_bases as classics, fastnoise_bases as fastnoise
from .sampling.arguments import OCTAVE_SEEDS
from .sampling.sample import sample, sample_grid
from .simplex import bases as simplex_noise
from .warping.warp import WARP_FRACTALS, WARPS, warp, warp_grid

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
