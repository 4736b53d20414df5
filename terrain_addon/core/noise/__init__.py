# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: many bases, many fractals, at points and on grids.

``sample`` takes points, ``sample_grid`` a grid's two axes (much faster). ``BASES`` and
``FRACTALS`` list what there is.
"""

from __future__ import annotations

# Bases and fractals appear in menus in the order in which these modules register them.
# isort: off
from .lattice import fastnoise_bases as fastnoise
from .cellular import basis as cellular_noise
from .lattice import classic_bases as classics
from .fractals import musgrave
from .simplex import bases as simplex_noise
from .fractals import eroded as slope_fractals

# isort: on
from ..numerics.axis import RegularAxis
from .basis import BASES
from .cellular.borders import cell_borders
from .cellular.scatter import scattered
from .fractals.fbm import FRACTALS
from .sampling.arguments import OCTAVE_SEEDS
from .sampling.sample import sample, sample_grid
from .warping.warp import WARP_FRACTALS, WARPS, warp, warp_grid

__all__ = [
    "BASES",
    "FRACTALS",
    "OCTAVE_SEEDS",
    "WARPS",
    "WARP_FRACTALS",
    "RegularAxis",
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
