# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of the active layer in the viewport: points to drag, with lines."""

from typing import Any

import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from ..app.registration import registered
from ..data.terrains import active_mesh, active_terrain, problem, terrain_of
from ..objects import handles

RADIUS, REACH = 6.0, 12.0
"""Radius of a point, and of the disk in which a click counts, in pixels at a resolution scale of
1."""
WIDTH = 2.0
"""Of a line, in the same pixels."""
CORNERS = 24
ORANGE, WHITE, DARK = (1.0, 0.6, 0.15), (1.0, 1.0, 1.0), (0.05, 0.05, 0.05)
"""Of handles that change settings, of those under the mouse, and of outlines."""


@registered
class TERRAIN_GT_handle(bpy.types.Gizmo):
    """A point, drawn as a disk, with its line; in pixels of the region"""

    bl_idname = "TERRAIN_GT_handle"

    __slots__ = ("line", "place")

    def setup(self) -> None:
        self.place: tuple[float, float] | None = None
        self.line: list[tuple[float, float]] = []

    def draw(self, context: bpy.types.Context) -> None:
        if self.place is None:
            return
        color = WHITE if self.is_highlight or self.is_modal else ORANGE
        scale = context.preferences.system.ui_scale
        for width, shade in ((WIDTH + 2, DARK), (WIDTH, color)):
            _draw_line(self.line, (*shade, 0.8), width * scale)
        for radius, shade in ((RADIUS + 1.5, DARK), (RADIUS, color)):
            _draw_disk(self.place, (*shade, 1.0), radius * scale)

    def test_select(self, context: bpy.types.Context, location: Any) -> int:
        if self.place is None:
            return -1
        away = (Vector(location) - Vector(self.place)).length
        return 0 if away <= REACH * context.preferences.system.ui_scale else -1


@registered
class TERRAIN_GGT_handles(bpy.types.GizmoGroup):
    """The handles of the active layer of the active terrain"""

    bl_idname = "TERRAIN_GGT_handles"
    bl_label = "Terrain Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        mesh = active_mesh(context)
        return bool(mesh and terrain_of(mesh).show_handles and not problem(context))

    def setup(self, context: bpy.types.Context) -> None:
        for number in range(handles.MOST):
            gizmo: Any = self.gizmos.new(TERRAIN_GT_handle.bl_idname)
            gizmo.target_set_operator("terrain.drag_handle").number = number
            gizmo.use_draw_modal = True

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put the gizmos where the handles are now."""
        item, mesh = active_terrain(context), active_mesh(context)
        every = handles.handles_of(mesh) if mesh else []
        for number, gizmo in enumerate(self.gizmos):
            shown: Any = gizmo
            shown.hide = number >= len(every)
            shown.place, shown.line = None, []
            if item and mesh and not shown.hide:
                handle = every[number]
                place = handles.place_of(mesh, handle, number)
                (shown.place,) = _on_screen(context, item, [place]) or (None,)
                guide = handles.on_surface(mesh, handle.guide)
                shown.line = _on_screen(context, item, guide)


def _on_screen(
    context: bpy.types.Context, item: bpy.types.Object, points: list[Vector]
) -> list[tuple[float, float]]:
    """Return points in an object's space as pixels of the region, without those behind the view."""
    view: Any = context.region_data
    matrix: Any = item.matrix_world
    shown = (location_3d_to_region_2d(context.region, view, matrix @ point) for point in points)
    return [(pixel.x, pixel.y) for pixel in shown if pixel is not None]


def _draw_line(points: list[tuple[float, float]], color: Any, width: float) -> None:
    if len(points) < 2:
        return
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINE_STRIP", {"pos": [(*point, 0.0) for point in points]})
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width)
    _draw(batch, shader, color)


def _draw_disk(middle: tuple[float, float], color: Any, radius: float) -> None:
    angles = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * radius + middle
    fan = [(0, n, n + 1) for n in range(1, CORNERS - 1)]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, "TRIS", {"pos": ring.tolist()}, indices=fan)
    _draw(batch, shader, color)


def _draw(batch: Any, shader: Any, color: Any) -> None:
    shader.uniform_float("color", color)
    gpu.state.blend_set("ALPHA")
    batch.draw(shader)
    gpu.state.blend_set("NONE")
