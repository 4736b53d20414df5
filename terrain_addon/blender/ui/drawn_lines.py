# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines over the curves that were drawn for terrains, in the color of their objects.

Blender draws all curves alike, one pixel wide, and straight through hills between their points.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import bpy
import gpu
import numpy as np
from bpy.app.handlers import persistent
from gpu_extras.batch import batch_for_shader
from mathutils import Color
from numpy.typing import NDArray

from ..app.registration import handlers_factory
from ..data.terrains import is_terrain_object, terrain_of
from ..live.watch import EDITS
from ..mesh.drawn_shapes import FOLLOWED
from ..mesh.sculpted import heights_at
from ..objects.drawn_objects import is_drawn, kept_on_ground, splines_of, values_of
from ..objects.vectors import is_imported

WIDTH, BORDER = 2.5, 1.0
"""Pixels of a line, and of the border on either side of it."""
STEPS = 12
"""Straight parts between two points of a Bézier curve."""
SHADE = (0.0, 0.0, 0.0, 0.55)
"""Border of a curve that is not selected."""

MOST_POINTS = 4096
"""Points of a line on the ground."""
Line = NDArray[np.float32]


@dataclass
class _State:
    """State between calls.

    Attributes
    ----------
    lines : those of curves by their session_uid, with what they follow from
    batches : the same as they are drawn, with the lines they were made from
    """

    lines: dict[int, tuple[object, Sequence[Line]]] = field(
        default_factory=dict[int, tuple[object, Sequence[Line]]]
    )
    batches: dict[int, tuple[Sequence[Line], Any]] = field(
        default_factory=dict[int, tuple[Sequence[Line], Any]]
    )


_state = _State()
_handles: list[Any] = []


def _draw() -> None:
    """Draw over one viewport, with its overlays."""
    context = bpy.context
    overlay: Any = cast(Any, context.space_data).overlay
    if not (overlay.show_overlays and overlay.show_extras):
        return
    shader: Any = None
    for item in _curves(context):
        if shader is None:  # no work in viewports without curves
            shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
            shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
            gpu.state.blend_set("ALPHA")
        _draw_curve(context, shader, item)
    if shader is not None:
        gpu.state.blend_set("NONE")


def _curves(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Yield the drawn curves that the viewport shows and that terrains follow, or may as they were
    imported, but those in Edit Mode, whose points a line would cover."""
    names = {name for sources in FOLLOWED.terrains.values() for name in sources.names}
    names |= {
        item.name for item in context.visible_objects if item.type == "CURVE" and is_imported(item)
    }
    for name in sorted(names):
        item = bpy.data.objects.get(name)
        if item is None or not is_drawn(item) or cast(Any, item.data).is_editmode:
            continue
        if item.visible_get(viewport=cast(Any, context.space_data)):
            yield item


def _draw_curve(context: bpy.types.Context, shader: Any, item: bpy.types.Object) -> None:
    """Draw all lines of a curve with a border, which is as Blender colors what is selected."""
    scale = context.preferences.system.ui_scale
    color = Color(cast(Any, item.color)[:3]).from_scene_linear_to_srgb()
    passes = ((_border(context, item), WIDTH + 2 * BORDER), ((*color, 1.0), WIDTH))
    batch = _batch(shader, item)
    if batch is None:
        return
    for shown, width in passes:
        shader.uniform_float("color", shown)
        shader.uniform_float("lineWidth", width * scale)
        batch.draw(shader)


def _batch(shader: Any, item: bpy.types.Object) -> Any:
    """Return the lines of a curve as they are drawn, None if it has none."""
    lines = shown_lines(item)
    known = _state.batches.get(item.session_uid)
    if known is None or known[0] is not lines:
        parts = [np.repeat(line, 2, axis=0)[1:-1] for line in lines]
        content: Any = parts and {"pos": np.concatenate(parts)}
        batch = batch_for_shader(shader, "LINES", content) if content else None
        known = _state.batches[item.session_uid] = lines, batch
    return known[1]


def _border(context: bpy.types.Context, item: bpy.types.Object) -> tuple[float, ...]:
    theme: Any = cast(Any, context.preferences.themes[0]).view_3d
    if not item.select_get():
        return SHADE
    active = item == context.view_layer.objects.active
    return (*(theme.object_active if active else theme.object_selected)[:3], 1.0)


def shown_lines(item: bpy.types.Object) -> Sequence[Line]:
    """Return the lines of a curve as they are drawn, in the coordinates of the world.

    Curves whose points are kept on the ground follow it between them too.
    """
    source = _source(item)
    known = _state.lines.get(item.session_uid)
    if known is None or known[0] != source:
        lines = list(lines_of(item))
        if _lies_on_ground(item):
            with suppress(ValueError):  # of a mesh that is no grid any more
                lines = [_on_ground(line, cast(Any, item.parent)) for line in lines]
        known = _state.lines[item.session_uid] = source, lines
    return known[1]


def _source(item: bpy.types.Object) -> object:
    """Return what the lines of a curve follow from.

    Its points are not compared: reading 10,000 splines takes 0.1 s, and this is asked at each
    redraw.
    """
    places = tuple(np.array(item.matrix_world).ravel().tolist())
    parent = item.parent
    if parent is None or not is_terrain_object(parent):
        return places, EDITS[cast(Any, item.data).session_uid]
    mesh = cast(bpy.types.Mesh, parent.data)
    ground = (mesh.session_uid, terrain_of(mesh).built, mesh.is_editmode)
    return places, EDITS[cast(Any, item.data).session_uid], ground


def _lies_on_ground(item: bpy.types.Object) -> bool:
    """Return whether the points of a curve are kept on the surface of its terrain."""
    parent = item.parent
    if parent is None or not is_terrain_object(parent) or cast(Any, parent.data).is_editmode:
        return False
    return any(curve == item for curve, _ in kept_on_ground(cast(Any, parent.data)))


def _on_ground(line: Line, terrain: bpy.types.Object) -> Line:
    """Return a line on the surface of a terrain, with points a cell apart or less."""
    mesh, matrix = cast(bpy.types.Mesh, terrain.data), np.array(terrain.matrix_world)
    inside = np.linalg.inv(matrix)
    plan = (line @ inside[:3, :3].T + inside[:3, 3])[:, :2]
    settings = terrain_of(mesh)
    cell = max(settings.size_x, settings.size_y) / settings.resolution
    run = np.append(0.0, np.cumsum(np.hypot(*np.diff(plan, axis=0).T)))
    between = np.linspace(0, run[-1], min(int(run[-1] / cell) + 2, MOST_POINTS))
    places = np.union1d(run, between)
    x, y = (np.interp(places, run, column) for column in plan.T)
    points = np.stack([x, y, heights_at(mesh, x, y)], axis=1)
    return (points @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def lines_of(item: bpy.types.Object) -> Iterator[Line]:
    """Yield the splines of a curve as points (n, 3) in the coordinates of the world."""
    matrix = np.array(item.matrix_world)
    for spline, points, names in splines_of(item):
        if len(points) > 1:
            places = (values_of(points, name)[:, :3] for name in names)
            line = _line(*places, closed=spline.use_cyclic_u)
            yield (line @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def _line(
    points: NDArray[np.float64], *handles: NDArray[np.float64], closed: bool
) -> NDArray[np.float64]:
    """Return points along a spline with handles on the left and right of each of its points, or
    without any."""
    every = [points, *handles]
    if closed:
        every = [np.concatenate([one, one[:1]]) for one in every]
    if not handles:
        return every[0]
    points, left, right = every
    t = np.linspace(0, 1, STEPS, endpoint=False)[:, None]
    a, b, c, d = (one[:, None] for one in (points[:-1], right[:-1], left[1:], points[1:]))
    curve = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return np.concatenate([curve.reshape(-1, 3), points[-1:]])


@persistent
def _forget(*_: Any) -> None:
    """Forget all lines: undo changes curves without an update of the dependency graph."""
    _state.lines.clear()
    _state.batches.clear()


_add_handlers, _remove_handlers = handlers_factory(
    {"undo_post": _forget, "redo_post": _forget, "load_post": _forget}
)


def register() -> None:
    _add_handlers()
    if not bpy.app.background:
        space: Any = bpy.types.SpaceView3D
        _handles.append(space.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    _remove_handlers()
    _forget()
    while _handles:
        cast(Any, bpy.types.SpaceView3D).draw_handler_remove(_handles.pop(), "WINDOW")
