# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise: many bases, many fractals, at points and on grids.

:func:`sample` takes points, :func:`sample_grid` the two axes of a grid, which is much faster, and
:func:`warp` moves points by noise. :data:`BASES`, :data:`FRACTALS`, :data:`WARPS` and
:data:`WARP_FRACTALS` hold all names.
"""

from __future__ import annotations

# These modules register bases and fractals, which appear in menus in this order.
# ruff: noqa: F401
# pyright: reportUnusedImport=false
# isort: off
from .lattice import bases
from .cellular import basis as _cellular
from .lattice import classic_bases
from .fractals import musgrave
from .simplex import bases as _simplex
from .fractals import eroded

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
    "sample",
    "sample_grid",
    "scattered",
    "warp",
    "warp_grid",
]
