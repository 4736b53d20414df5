# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours as curves."""

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ...core.contours import Contour

LABELS = {False: "Contours", True: "Index Contours"}


def add(
    terrain: bpy.types.Object, lines: Sequence[Contour], parent: bpy.types.Collection
) -> list[bpy.types.Object]:
    """Return the contours of a terrain as one curve, and the index contours as another.

    They are children of the terrain in a collection of their own, at their heights.
    """
    collection = bpy.data.collections.new(f"{terrain.name} Contours")
    parent.children.link(collection)
    items: list[bpy.types.Object] = []
    for is_index, label in LABELS.items():
        own = [line for line in lines if line.is_index == is_index]
        if not own:
            continue
        name = f"{terrain.name} {label}"
        curve: Any = bpy.data.curves.new(name, "CURVE")
        curve.dimensions = "3D"
        for line in own:
            _add_spline(curve, line)
        item = bpy.data.objects.new(name, curve)
        item.parent = terrain
        collection.objects.link(item)
        items.append(item)
    return items


def _add_spline(curve: Any, line: Contour) -> None:
    points = line.points[:-1] if line.closed else line.points
    places = np.ones((len(points), 4), np.float32)
    places[:, :2], places[:, 2] = points, line.level
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", places.ravel())
    spline.use_cyclic_u = line.closed
