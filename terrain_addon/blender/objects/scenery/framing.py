# SPDX-License-Identifier: GPL-3.0-or-later
"""Where to place a camera: what a terrain fills, what stands in the way."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ....core.analysis import Outlook, Sun, Valley, largest_valley, outlooks
from ...data.attributes import values_of

Doubles = NDArray[np.float64]

_AT_A_TIME = 1 << 17
"""Points that are transformed together: a large mesh needs little more memory than its points."""
_CELLS = 96
"""Cells along the longer side of the coarse ground, at most: each has points of the mesh."""
_FREE = 0.25
"""Share of the way to the terrain's center in which nothing may stand before the camera."""
_ABOVE = 0.02
"""Least height of the camera above the ground, relative to the terrain's extent."""
_STEEPEST = 70.0
_SENSOR = 36.0
"""Width of the sensor of Blender's cameras, in mm."""
_DEEP, _CUT = 0.12, 0.016
"""Least depth of a valley that is shown unasked, relative to the terrain's relief and extent: not
the troughs between dunes."""
_OVER_FLOOR = 0.8
"""Height of a camera in a valley above its floor, relative to the valley's depth."""
_VALLEY_LENS = 26.0
_VALLEY_TILT = -5.0
"""Degrees by which it looks up: the horizon is a little above the middle."""
_FREE_WAY, _FREE_SHARE = 12.0, 0.05
"""Distance in which nothing may stand before a viewer: in heights of their eyes, and at most as a
share of the terrain's extent."""
_ROUGH = 0.3
"""Slope of the ground in front of a viewer, up or down, from which another place is better."""
_DOWN, _LOWEST = 0.02, 0.2
"""Slope by which viewers look below the middle between the horizon and the skyline, at eye level,
and what is added high above the ground, at most."""


class View(NamedTuple):
    """What a camera is to show."""

    azimuth: float
    """From the terrain's center to the camera, in degrees from the terrain's +X."""
    elevation: float
    """Least elevation of the camera, in degrees."""
    fill: float
    """Width of the picture at the center, relative to what is above the sea."""
    lens: float = 35.0
    """Focal length in mm."""
    horizon: bool = True
    """Whether the horizon is in the picture; otherwise the terrain's center is in its middle."""


class HighestPoints:
    """The ground of a terrain, coarsely: the highest point of each cell of a grid.

    Coordinates are those of the world, turned about Z with the terrain.
    """

    def __init__(self, terrain: bpy.types.Object, *, mirrored: bool, level: float) -> None:
        """Read the mesh. Mirrored copies surround it, or a sea that hides all below ``level``."""
        matrix = terrain.matrix_world
        self.name = terrain.name
        self.scale = matrix.to_scale().z
        self.yaw = matrix.to_euler().z
        points = _Points(terrain, Matrix.Rotation(-self.yaw, 4, "Z") @ matrix)
        self.low, self.high, _ = _bounds(points, -math.inf)
        self.extent = float(max(*(self.high - self.low)[:2], 1e-6))
        self.mirrored = mirrored
        low, high, mean = _bounds(points, level if self.high[2] > level else -math.inf)
        self.center = np.append((low + high)[:2] / 2, mean)
        self.shown = float(max(*(high - low)[:2], 1e-6))
        self.sea = level
        self.outside = level if level > -math.inf else float(self.low[2])
        size = np.maximum(self.high - self.low, 1e-9)[:2]
        points_across = math.sqrt(len(points) / size.prod()) * self.extent
        self.cell = self.extent / max(2, min(_CELLS, int(points_across) - 1))
        self._counts = np.maximum(np.rint(size / self.cell), 1).astype(int)
        self._top = np.full(self._counts.prod(), self.outside)
        sums = np.zeros((2, self._counts.prod()))
        for some in points:
            cells = self._cells(some[:, :2])[0]
            np.maximum.at(self._top, cells, some[:, 2])
            sums += [np.bincount(cells, part, sums.shape[1]) for part in (some[:, 2], None)]

        with np.errstate(invalid="ignore"):
            self._mean = (sums[0] / sums[1]).reshape(self._counts[::-1])

    def heights(self, places: Doubles) -> Doubles:
        """Return the highest ground around places: (n, 2)."""
        cells, inside = self._cells(places)
        return np.where(inside, self._top[cells], self.outside)

    def valley(self) -> Valley | None:
        """Return the view up the largest valley, in the coordinates of the ground.

        None without a valley, and where a cell has no point, as in meshes of large triangles.
        """
        if not np.isfinite(self._mean).all():
            return None
        found = largest_valley(self._mean, self.cell)
        if found is None:
            return None
        x, y = (float(low) + self.cell / 2 for low in self.low[:2])
        start, end = ((east + x, north + y) for east, north in (found.start, found.end))
        return found._replace(start=start, end=end)

    def outlooks(self, above: float, sun: Sun) -> list[Outlook]:
        """Return the best views from above the ground, in its coordinates; best first."""
        if not np.isfinite(self._mean).all():
            return []
        x, y = (float(low) + self.cell / 2 for low in self.low[:2])
        found = outlooks(self._mean, self.cell, above, level=self.sea, sun=sun)
        return [one._replace(place=(one.place[0] + x, one.place[1] + y)) for one in found]

    def _cells(self, places: Doubles) -> tuple[Any, NDArray[np.bool_]]:
        share = (places - self.low[:2]) / np.maximum(self.high - self.low, 1e-9)[:2]
        inside: Any = ((share >= 0) & (share <= 1)).all(axis=1) | self.mirrored
        share = 1 - np.abs(share % 2 - 1)
        cells = np.clip((share * self._counts).astype(np.intp), 0, self._counts - 1)
        return cells[:, 1] * self._counts[0] + cells[:, 0], inside


class Shot(NamedTuple):
    """A camera in the coordinates of the ground."""

    place: Doubles
    toward: Doubles
    """Where it looks: a vector of length 1."""
    lens: float
    above: float = math.inf
    """Height above the ground, where the ground is close."""

    def azimuth(self, ground: HighestPoints) -> float:
        """Return where it looks in the world, in degrees from +X."""
        return math.degrees(math.atan2(self.toward[1], self.toward[0]) + ground.yaw)


def overview(scene: bpy.types.Scene, ground: HighestPoints, view: View) -> Shot:
    """Return a shot of the whole ground.

    The camera is placed higher than wanted where the ground would hide the view.
    """
    across, up = _half_angles(scene, view.lens)
    distance = view.fill * ground.shown / 2 / math.tan(across)
    elevation = view.elevation
    place, toward = _place(ground, view, elevation, distance, up)
    while elevation < _STEEPEST and not _is_clear(ground, place, toward, distance, across, up):
        elevation += 2.0
        place, toward = _place(ground, view, elevation, distance, up)
    return _above(ground, Shot(place, toward, view.lens))


def up_valley(ground: HighestPoints, *, asked: bool) -> Shot | None:
    """Return a shot up the largest valley, from above its floor.

    None if there is no valley, or none that is deep and was not ``asked`` for.
    """
    valley = ground.valley()
    least = max(_DEEP * float(ground.high[2] - ground.low[2]), _CUT * ground.extent)
    if valley is None or not (asked or valley.depth >= least):
        return None
    place = np.array([*valley.start, valley.floor + _OVER_FLOOR * valley.depth])
    level = np.subtract(valley.end, valley.start)
    toward = np.append(level / np.linalg.norm(level), math.tan(math.radians(_VALLEY_TILT)))
    return _above(ground, Shot(place, toward / np.linalg.norm(toward), _VALLEY_LENS))


def from_outlook(
    scene: bpy.types.Scene, ground: HighestPoints, above: float, sun: Sun
) -> Shot | None:
    """Return a shot from a height above dry ground, with nothing close in front of it.

    None if there is no such place.
    """
    way = min(_FREE_WAY * above, _FREE_SHARE * ground.extent)
    rays = _Rays(scene, ground)
    found = ground.outlooks(above, sun)
    shots = [shot for one in found if (shot := _free_shot(rays, one, above, way))]
    if way < 2 * ground.cell:  # Outlooks know little of ground so near.
        shots.sort(key=lambda shot: _is_rough(rays, shot, way))
    return next(iter(shots), None)


class _Rays:
    """Rays through a scene, in the coordinates of the ground."""

    def __init__(self, scene: bpy.types.Scene, ground: HighestPoints) -> None:
        self._scene, self.ground = scene, ground
        self._turn = Matrix.Rotation(ground.yaw, 4, "Z")
        self._graph = bpy.context.evaluated_depsgraph_get()

    def _cast(self, place: Any, toward: Any, distance: float) -> tuple[Any, ...]:
        start, way = (self._turn @ Vector([*map(float, one)]) for one in (place, toward))
        return self._scene.ray_cast(self._graph, start, way, distance=float(distance))

    def is_free(self, place: Any, toward: Any, distance: float) -> bool:
        """Return whether nothing is in the way."""
        return not self._cast(place, toward, distance)[0]

    def height(self, x: float, y: float) -> float | None:
        """Return the height of the ground; None where water, a bridge or a tree is above it."""
        high = self.ground.high[2] + _ABOVE * self.ground.extent
        down = high - self.ground.low[2] + self.ground.extent
        hit, at, _, _, item, _ = self._cast((x, y, high), (0.0, 0.0, -1.0), down)
        return at.z if hit and item.name == self.ground.name else None


def _free_shot(rays: _Rays, outlook: Outlook, above: float, way: float) -> Shot | None:
    """Return the shot of an outlook; None if it is not on the ground, or something is close."""
    height = rays.height(*outlook.place)
    if height is None:
        return None
    place = np.array([*outlook.place, height + above])
    if not all(rays.is_free(place, (*ray, 0.0), way) for ray in _fan(outlook.azimuth)):
        return None
    # Lower from higher up, so that the ground below is in the picture.
    down = _DOWN + min(_LOWEST, 8.0 * above / rays.ground.extent)
    level = [math.cos(outlook.azimuth), math.sin(outlook.azimuth)]
    toward = np.array([*level, outlook.skyline / 2 - down])
    return Shot(place, toward / np.linalg.norm(toward), _VALLEY_LENS, above)


def _is_rough(rays: _Rays, shot: Shot, way: float) -> bool:
    """Return whether the ground in front is under water or not level.

    Single triangles of the mesh, and the lines in which they meet the water, would be large in the
    picture.
    """
    x, y, eyes = shot.place.tolist()
    for east, north in _fan(math.atan2(shot.toward[1], shot.toward[0])):
        for away in (way / 4, way / 2, way):
            height = rays.height(x + east * away, y + north * away)
            if height is None or abs(height - eyes + shot.above) > _ROUGH * away:
                return True
    return False


def _fan(azimuth: float) -> Iterator[tuple[float, float]]:
    """Yield level directions across a picture, by their X and Y."""
    for turned in np.radians((-30.0, -15.0, 0.0, 15.0, 30.0)):
        yield math.cos(azimuth + turned), math.sin(azimuth + turned)


def _above(ground: HighestPoints, shot: Shot) -> Shot:
    """Return a shot from above the ground."""
    place = shot.place.copy()
    least = ground.heights(place[None, :2])[0] + _ABOVE * ground.extent
    place[2] = max(place[2], least)
    return shot._replace(place=place)


def camera(ground: HighestPoints, shot: Shot) -> bpy.types.Object:
    """Return a camera for a shot, not linked to any scene yet."""
    data = bpy.data.cameras.new("Terrain Camera")
    data.lens = shot.lens
    data.dof.use_dof = False
    data.clip_start = min(ground.extent * 5e-4, shot.above / 20)
    data.clip_end = ground.extent * 100
    turn = Matrix.Rotation(ground.yaw, 4, "Z")
    item = bpy.data.objects.new("Terrain Camera", data)
    item.location = turn @ Vector(shot.place.tolist())
    item.rotation_euler = (turn @ Vector(shot.toward.tolist())).to_track_quat("-Z", "Y").to_euler()
    return item


def _half_angles(scene: bpy.types.Scene, lens: float) -> tuple[float, float]:
    """Return half the angle of view across and up, in radians; ``lens`` is the focal length in mm
    for the longer side."""
    render = scene.render
    width = render.resolution_x * render.pixel_aspect_x
    height = render.resolution_y * render.pixel_aspect_y
    half = _SENSOR / 2 / lens / max(width, height)
    return math.atan(half * width), math.atan(half * height)


def _place(
    ground: HighestPoints, view: View, elevation: float, distance: float, up: float
) -> tuple[Doubles, Doubles]:
    """Return the place of the camera and where it looks."""
    a, e = math.radians(view.azimuth), math.radians(elevation)
    away = np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])
    down = e
    if view.horizon:  # a strip of sky, unless the terrain would leave the picture at the bottom
        down = max(0.68 * up, e - 0.5 * up)
    toward = -np.array([math.cos(a), math.sin(a), math.tan(down)])
    return ground.center + away * distance, toward / np.linalg.norm(toward)


def _is_clear(
    ground: HighestPoints,
    place: Doubles,
    toward: Doubles,
    distance: float,
    across: float,
    up: float,
) -> bool:
    """Return whether a camera is above the ground, with nothing close in front of it."""
    if place[2] < ground.heights(place[None, :2])[0] + _ABOVE * ground.extent:
        return False
    right = np.cross(toward, [0.0, 0.0, 1.0])
    right /= max(np.linalg.norm(right), 1e-9)
    above = np.cross(right, toward)
    x, y = np.meshgrid(np.linspace(-1, 1, 7) * math.tan(across), np.linspace(-1, 0, 4))
    rays = toward + x[..., None] * right + (y * math.tan(up))[..., None] * above
    way = np.linspace(0.02, _FREE, 16)[:, None, None, None] * distance
    points = (place + way * rays).reshape(-1, 3)
    return bool((points[:, 2] > ground.heights(points[:, :2])).all())


class _Points:
    """The points of a mesh after a transformation, some at a time: iterates over (n, 3) arrays."""

    def __init__(self, terrain: bpy.types.Object, matrix: Matrix) -> None:
        mesh: Any = terrain.data
        self._points = values_of(mesh.attributes["position"])
        self._turn = np.array(matrix)

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[Doubles]:
        for start in range(0, len(self._points), _AT_A_TIME):
            some = self._points[start : start + _AT_A_TIME]
            yield np.einsum("ni,ji->nj", some, self._turn[:3, :3]) + self._turn[:3, 3]


def _bounds(points: _Points, level: float) -> tuple[Doubles, Doubles, float]:
    """Return the ends and the mean height of the points above a level."""
    low, high = np.full(3, math.inf), np.full(3, -math.inf)
    total, count = 0.0, 0
    for some in points:
        above = some[some[:, 2] > level]
        if len(above):
            low, high = np.minimum(low, above.min(axis=0)), np.maximum(high, above.max(axis=0))
            total, count = total + above[:, 2].sum(), count + len(above)
    return low, high, total / count
