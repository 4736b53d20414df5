# SPDX-License-Identifier: GPL-3.0-or-later
"""A node group to start from, for a layer or mask from geometry nodes."""

from typing import Any, cast

import bpy

from ..materials.node_trees import add, arrange, fractal_noise, out, ramp, times

GENTLE, STEEP = 15.0, 30.0
"""Degrees between which the result falls to 0."""
PATCHES = 8
"""Sizes of the noise along a side of the terrain."""


def starter(size: float, *, is_mask: bool) -> Any:
    """Return a new group that returns noise on gentle slopes: a share, or heights in meters.

    Its input *Slope* is that of the terrain, as every input that is named like a field.
    """
    name = "Terrain Mask" if is_mask else "Terrain Heights"
    tree: Any = bpy.data.node_groups.new(name, cast(Any, "GeometryNodeTree"))
    result = "Mask" if is_mask else "Height"
    help = "From 0 to 1" if is_mask else "Meters"
    for key, way, text in (
        (result, "OUTPUT", help),
        ("Slope", "INPUT", "Degrees; inputs named like a field are that of the terrain below"),
    ):
        tree.interface.new_socket(key, in_out=way, socket_type="NodeSocketFloat", description=text)
    slope = add(tree, "NodeGroupInput").outputs["Slope"]
    place = out(add(tree, "GeometryNodeInputPosition"))
    noise = fractal_noise(tree, place, PATCHES / size, 4.0, 0.5)
    patches = ramp(tree, noise, 0.45, 0.6)
    gentle = ramp(tree, slope, GENTLE, STEEP, 1.0, 0.0)
    made = times(tree, patches, gentle, *([] if is_mask else [size / 100]))
    tree.links.new(made, add(tree, "NodeGroupOutput").inputs[result])
    arrange(tree)
    return tree
