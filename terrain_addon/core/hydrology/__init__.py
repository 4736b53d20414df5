# SPDX-License-Identifier: GPL-3.0-or-later
"""Hydrology: flow directions, depressions, drainage area, streams, rivers and lakes.

Heights are (H, W) arrays in meters with square cells. Start with `route`, which gives the drainage
tree that the other functions take. Every cell drains to an outlet, and spill levels equal those of
a priority-flood to the bit. Most functions accept ``progress``, which is called with the share done
(0 to 1), and ``cancelled``, which raises Cancelled when it returns True.

Examples
--------
>>> import numpy as np
>>> height = np.add.outer(np.arange(4.0), np.zeros(3))
>>> tree = route(height, outlets=height == 0)
>>> drainage_area(tree, 10.0)[0].tolist()
[400.0, 400.0, 400.0]
"""

from .accumulation import accumulate, drainage_area, route, spill_levels
from .d8 import border
from .depressions import resolve_depressions
from .lakes import LakeBody, Lakes, find_lakes
from .multiple_flow import multiple_flow_area
from .network import (
    downstream_length,
    height_above_rivers,
    stream_order,
    upstream_length,
    watersheds,
)
from .pits import fill_pits, find_pits
from .receivers import SlopeFactors, check_height, steepest_directions
from .rivers import RiverLine, find_rivers
from .surface_water import SurfaceWater, surface_water
from .tree import FlowTree, build_tree

__all__ = [
    "FlowTree",
    "LakeBody",
    "Lakes",
    "RiverLine",
    "SlopeFactors",
    "SurfaceWater",
    "accumulate",
    "border",
    "build_tree",
    "check_height",
    "downstream_length",
    "drainage_area",
    "fill_pits",
    "find_lakes",
    "find_pits",
    "find_rivers",
    "height_above_rivers",
    "multiple_flow_area",
    "resolve_depressions",
    "route",
    "spill_levels",
    "steepest_directions",
    "stream_order",
    "surface_water",
    "upstream_length",
    "watersheds",
]
