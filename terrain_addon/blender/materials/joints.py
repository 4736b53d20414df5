# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: sets of parallel cracks that cut rock into angular blocks.

Most rock has three sets, about at right angles. A joint of one set ends where it meets one of an
older set, so that blocks are staggered like bricks. Where joints of a set are is noise in one
dimension, which takes a ninth of the time of cells in space.
"""

from typing import Any

from .node_trees import add, grouped, math, ramp, times, vector, weighted

SETS = (((0.83, 0.52, 0.2), 0.0), ((0.25, 0.15, -1.6), 2.7), ((-0.6, 1.05, 0.3), 1.9))
"""Direction across each set, as long as it has joints in a block's size, from the oldest on; and
how far blocks of an older set shift it."""
BENT = 1.3
"""How far noise moves joints, in blocks: none is a plane."""
OPEN = (0.42, 0.6)
"""Noise over which cracks open: elsewhere they are closed."""
WIDEST = 0.1
"""Half the width of the widest cracks, as a share of a block. Most are closed."""


def blocks(tree: Any, where: Any, rough: Any, size: float) -> Any:
    """Return the relief of blocks of a size in meters, their tone and the cracks, all 0 to 1.

    ``rough`` is noise around 0.5, which bends the joints.
    """
    place = vector(tree, "SCALE", where, Scale=1 / size)
    return grouped(tree, "Terrain Joints", _blocks, {"Place": place, "Rough": rough})


def _blocks(tree: Any, i: Any) -> dict[str, Any]:
    bend = math(tree, "MULTIPLY_ADD", i["Rough"], BENT, -BENT / 2)
    reliefs: list[Any] = []
    shift: Any = 0.0
    crack: Any = 0.0
    random: Any = 0.0
    for across, shifted in SETS:
        place = vector(tree, "DOT_PRODUCT", i["Place"], across)
        place = weighted(tree, (place, 1.0), (bend, 1.0), (shift, shifted))
        one = grouped(tree, "Terrain Joint Set", _set, {"Place": place})
        shift = math(tree, "ADD", shift, one["Random"])
        reliefs.append(one["Relief"])
        crack = math(tree, "MAXIMUM", crack, one["Crack"])
        random = math(tree, "MULTIPLY_ADD", one["Random"], 1 / len(SETS), random)
    crack = times(tree, crack, ramp(tree, i["Rough"], *OPEN))
    relief = weighted(tree, *((relief, 1 / len(SETS)) for relief in reliefs))
    return {"Relief": relief, "Random": random, "Crack": crack}


def _set(tree: Any, i: Any) -> dict[str, Any]:
    """Return the relief, a random number and the crack at a place across one set, in blocks."""
    inputs = {"W": i["Place"], "Scale": 1.0}
    cell = add(tree, "ShaderNodeTexVoronoi", inputs, voronoi_dimensions="1D").outputs
    random = add(tree, "ShaderNodeSeparateColor", {0: cell["Color"]}).outputs
    tilt = math(tree, "SUBTRACT", random[1], 0.5)
    off = math(tree, "SUBTRACT", i["Place"], cell["W"])
    relief = math(tree, "MULTIPLY_ADD", off, times(tree, tilt, 2.0), random[0])
    edge = add(
        tree, "ShaderNodeTexVoronoi", inputs, voronoi_dimensions="1D", feature="DISTANCE_TO_EDGE"
    ).outputs["Distance"]
    width = times(tree, random[2], random[2], random[2], WIDEST)
    crack = ramp(tree, edge, 0.0, math(tree, "ADD", width, 1e-3), 1.0, 0.0)
    return {"Relief": relief, "Random": random[0], "Crack": crack}
