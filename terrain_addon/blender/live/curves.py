# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of settings, edited with Blender's curve widget.

Blender has no property for a curve that Python can declare. So a node in a hidden group holds the
curve that is being edited, and a timer writes its points to the setting, which the recipe contains.
The group notes whose points it has: undo restores the two together, and a group that does not match
is loaded again by *Edit Curve*.
"""

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.numerics import curve_points, curve_text
from ..app import timers
from ..data.terrains import terrain_of

GROUP = ".Terrain Curve"
SOURCE, POINTS, LOADED = "source", "points", "loaded"
"""Properties of the group: whose curve it holds, the text of the setting, and that of the node."""
STRAIGHT = ((0.0, 0.0), (1.0, 1.0))
POLL = 0.1
REST = 10
"""Looks at the node after the last drawing of it."""


@dataclass
class _State:
    """Looks that are left."""

    left: int = 0


_state = _State()


def load(group: Any, name: str) -> None:
    """Show the curve of a setting in the editor, which is made on first use.

    Raises ValueError if it is no curve.
    """
    text = getattr(group, name)
    points = curve_points(text) or STRAIGHT
    tree: Any = bpy.data.node_groups.get(GROUP)
    if tree is None:
        tree = bpy.data.node_groups.new(GROUP, "ShaderNodeTree")
        tree.nodes.new("ShaderNodeFloatCurve")
    _write(tree.nodes[0].mapping, points)
    tree[SOURCE], tree[POINTS] = _source(group, name), text
    tree[LOADED] = _read(tree)


def node_of(group: Any, name: str) -> Any:
    """Return the node that edits a setting, None while the editor has another curve."""
    tree: Any = bpy.data.node_groups.get(GROUP)
    if tree is None or tree.get(SOURCE) != _source(group, name):
        return None
    return tree.nodes[0] if tree.get(POINTS) == getattr(group, name) else None


def watch() -> None:
    """Write changes of the node to its setting soon; called when the node is drawn."""
    _state.left = REST
    timers.start(_look, POLL)


def _look() -> float | None:
    follow()
    _state.left -= 1
    return POLL if _state.left > 0 else None


def follow() -> None:
    """Write the points of the node to its setting if they have changed."""
    tree: Any = bpy.data.node_groups.get(GROUP)
    if tree is None or (text := _read(tree)) == tree.get(LOADED):
        return
    mesh_name, _, path = str(tree[SOURCE]).partition("/")
    mesh = bpy.data.meshes.get(mesh_name)
    try:
        curve_points(text)
        group = terrain_of(mesh).path_resolve(path.rpartition(".")[0]) if mesh else None
    except ValueError:  # two points at one place in mid-drag, or the layer is gone
        return
    name = path.rpartition(".")[2]
    if group is not None and getattr(group, name) == tree[POINTS]:
        tree[POINTS] = tree[LOADED] = text
        setattr(group, name, text)


def _source(group: Any, name: str) -> str:
    """Return the address of a setting: the name of its mesh, and the path from the terrain."""
    path = group.path_from_id(name).removeprefix("terrain.")
    return f"{group.id_data.name}/{path}"


def _read(tree: Any) -> str:
    points = tree.nodes[0].mapping.curves[0].points
    places = np.clip([point.location[:] for point in points], 0, 1)
    return curve_text(places.tolist())


def _write(mapping: Any, points: Any) -> None:
    curve = mapping.curves[0]
    while len(curve.points) > len(points):
        curve.points.remove(curve.points[1])
    while len(curve.points) < len(points):
        curve.points.new(0.5, 0.5)
    for point, place in zip(curve.points, points, strict=True):
        point.location = place
        point.handle_type = "AUTO_CLAMPED"
    mapping.update()


def register() -> None:
    """Do nothing: the timer is started when a curve is drawn."""


def unregister() -> None:
    """Stop the timer."""
    timers.stop(_look)
