# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion: what water, gravity, frost and waves do to a terrain.

Heights in, heights out, for any (H, W) array in meters: `drain` erodes a terrain by its rivers,
`slide` moves loose rock from slopes steeper than the talus angle, `snow_depth` lays snow, `Strata`
cuts ledges of hard rock, `GullyField` cuts gullies, and `glaciated` sends glaciers through the
valleys of a drainage.

`rivers` solves the drainage of a whole terrain on a grid of fixed resolution, and `sample_surface`
samples the result at any points, with gullies, rock and beaches. Inside the solver, lengths are in
units of the valley spacing, which makes it independent of scale.
"""

from .glaciers.glaciers import glaciated
from .glaciers.settings import GlacialSettings
from .glaciers.snow_line import SnowLine
from .rivers.drainage import Drainage
from .rivers.settings import FluvialSettings
from .rivers.solver import drain
from .snow import Snowfall, snow_depth
from .strata import Strata
from .surface.gullies import Gullies, GullyField
from .surface.settings import SurfaceSettings
from .surface.surface import sample_surface
from .thermal import slide

__all__ = [
    "Drainage",
    "FluvialSettings",
    "GlacialSettings",
    "Gullies",
    "GullyField",
    "SnowLine",
    "Snowfall",
    "Strata",
    "SurfaceSettings",
    "drain",
    "glaciated",
    "sample_surface",
    "slide",
    "snow_depth",
]
