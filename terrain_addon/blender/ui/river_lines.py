# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines along the middle of rivers in solid viewports.

From afar a river is narrower than a pixel, and folds of the ground between its points hide parts of
it: it would look like a dashed scratch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from zlib import crc32

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Color, Matrix
from numpy.typing import NDArray

from ..data import water_objects
from ..data.attributes import values_of
from ..data.terrains import is_terrain_object, terrain_of
from ..objects.water_kinds import SOLID_COLOR

WIDTH = 1.6
"""Pixels of a line."""
LIGHT = 1.1
"""Factor on the color of the water, which studio light makes on level ground."""
FOLD = 0.5
"""Distance, in cells of the terrain, by which lines are drawn nearer to the eye, at the middle of
the view: no ridge is narrower."""
NEAREST = 0.98
"""Least factor on distances from the eye."""
Corners = NDArray[np.float32]


@dataclass
class _State:
    """State between calls.

    Attributes
    ----------
    batches : lines by the session_uid of the mesh of the rivers, with a digest of its points
    """

    batches: dict[int, tuple[int, Any]] = field(default_factory=dict[int, tuple[int, Any]])


_state = _State()
_handles: list[Any] = []


def _draw() -> None:
    """Draw the rivers that one viewport shows."""
    context = bpy.context
    space: Any = context.space_data
    if space.shading.type != "SOLID":
        return
    rivers = list(_rivers(context))
    if not rivers:
        return
    shader = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", WIDTH * context.preferences.system.ui_scale)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    for item in rivers:
        if batch := _batch(shader, cast(bpy.types.Mesh, item.data)):
            with cast(Any, gpu.matrix.push_pop()):
                gpu.matrix.load_matrix(_view(space.region_3d, item))
                batch.draw(shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _rivers(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    for item in context.view_layer.objects:
        is_river = water_objects.kind_of(item) == "Rivers" and is_terrain_object(item.parent)
        if is_river and item.visible_get(viewport=cast(Any, context.space_data)):
            yield item


def _batch(shader: Any, mesh: bpy.types.Mesh) -> Any:
    """Return the lines of a mesh, None if it has none."""
    digest = crc32(values_of(mesh.attributes["position"]).tobytes())
    known = _state.batches.get(mesh.session_uid)
    if known is None or known[0] != digest:
        lines = middle_of(mesh)
        content: Any = lines and {"pos": lines[0], "color": lines[1]}
        made = content and batch_for_shader(shader, "LINES", content)
        known = _state.batches[mesh.session_uid] = digest, made
    return known[1]


def _view(region: Any, item: bpy.types.Object) -> Matrix:
    """Return the transform of rivers for a viewport."""
    terrain = terrain_of(cast(Any, item.parent).data)
    cell = max(terrain.size_x, terrain.size_y) / terrain.resolution
    view = region.view_matrix @ item.matrix_world
    return nearer(view, region.is_perspective, FOLD * cell)


def middle_of(mesh: bpy.types.Mesh) -> tuple[Corners, Corners] | None:
    """Return ends of lines along the middle of rivers, (n, 3), and their colors, (n, 4) sRGB.

    None for a mesh without rivers, or one that the user edited.
    """
    faces, colors = len(mesh.polygons), mesh.attributes.get(SOLID_COLOR)
    if not faces or faces % 2 or len(mesh.loops) != 4 * faces or colors is None:
        return None
    corners = np.empty(4 * faces, np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    # The quads left of the middle have two corners on it.
    middle = corners.reshape(-1, 4)[::2, 1:3].ravel()
    points = values_of(mesh.attributes["position"]).reshape(-1, 3)[middle]
    linear = values_of(colors).reshape(-1, 4)
    if len(linear) != len(mesh.vertices):
        return None
    return points, _shown(linear[middle])


def _shown(linear: Corners) -> Corners:
    """Return linear RGBA as solid viewports show it on level ground, in sRGB."""
    lit = np.minimum(linear[:, :3] * LIGHT, 1)
    unique, place = np.unique(lit.round(3), axis=0, return_inverse=True)
    srgb = np.array([Color(one.tolist()).from_scene_linear_to_srgb()[:] for one in unique])
    return np.concatenate([srgb[place.ravel()], linear[:, 3:]], axis=1).astype(np.float32)


def nearer(view: Matrix, perspective: bool, shift: float) -> Matrix:
    """Return a view in which everything is nearer to the eye by ``shift`` meters, at the distance
    of the origin, and in the same place of the picture."""
    if not perspective:
        return cast(Any, Matrix.Translation((0, 0, shift)) @ view)
    factor = max(1 - shift / max(view.translation.length, shift), NEAREST)
    return cast(Any, Matrix.Diagonal((factor, factor, factor, 1)) @ view)


def register() -> None:
    if not bpy.app.background:
        space: Any = bpy.types.SpaceView3D
        _handles.append(space.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    _state.batches.clear()
    while _handles:
        cast(Any, bpy.types.SpaceView3D).draw_handler_remove(_handles.pop(), "WINDOW")
