# SPDX-License-Identifier: GPL-3.0-or-later
"""Where water goes: flow directions, depressions, drainage area, streams, lakes.

All functions take heights in metres as (H, W) arrays with square cells, and are exact: every cell
drains to an outlet, and spill levels equal those of a priority-flood.
"""

from .accumulation import accumulate, drainage_area, route, spill_levels
from .depressions import resolve_depressions
from .lakes import Lake, Lakes, find_lakes
from .multiple_flow import multiple_flow_area
from .network import (
    downstream_length,
    height_above_rivers,
    stream_order,
    upstream_length,
    watersheds,
)
from .receivers import SlopeFactors, border, check_height, steepest_directions
from .rivers import River, find_rivers
from .surface_water import SurfaceWater, surface_water
from .tree import FlowTree, build_tree

__all__ = [
    "FlowTree",
    "Lake",
    "Lakes",
    "River",
    "SlopeFactors",
    "SurfaceWater",
    "accumulate",
    "border",
    "build_tree",
    "check_height",
    "downstream_length",
    "drainage_area",
    "find_lakes",
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
