# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a scene lies on the Earth, in custom properties of the scene that BlenderGIS reads too.

``SRID`` names the coordinate system, ``crs x`` and ``crs y`` are the coordinates of the scene's
origin, ``longitude`` and ``latitude`` its place in degrees, and ``scale`` the units of the system
in a unit of the scene, 1 where it is missing. They are 64-bit numbers, which objects do not have.
"""

from typing import Any

import bpy
from mathutils import Vector

from ...core.elevation import Georeference, Origin, system_in, wkt

SYSTEM, X, Y, SCALE = "SRID", "crs x", "crs y", "scale"
LONGITUDE, LATITUDE = "longitude", "latitude"
KEYS = (SYSTEM, X, Y, SCALE, LONGITUDE, LATITUDE)
SAME_SCALE = 1e-9
"""Share by which a scene's scale may differ from 1 without being stored."""


def units_of_meter(scene: bpy.types.Scene) -> float:
    """Return how many units of a scene Blender counts as a meter."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else round(1 / settings.scale_length, 6)


def is_placed(scene: bpy.types.Scene) -> bool:
    """Return whether a scene has a place."""
    return all(key in scene for key in (SYSTEM, X, Y))


def origin_of(scene: bpy.types.Scene) -> Origin:
    """Return the place of a scene's origin.

    Raises ValueError for a scene without one, and for a system or numbers that are not known.
    """
    if not is_placed(scene):
        raise ValueError("The scene has no place: add a terrain from an elevation file first")
    name = str(scene[SYSTEM]).strip()
    try:
        system = system_in(f"EPSG:{name}" if name.isdigit() else name)
        return Origin(system, float(scene[X]), float(scene[Y]))
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"The place of this scene is not known ({error}): correct its custom properties, or "
            "clear its place"
        ) from None


def scale_of(scene: bpy.types.Scene) -> float:
    """Return the units of the scene's coordinate system in a unit of the scene."""
    scale: Any = scene.get(SCALE, 1.0)
    return float(scale) if isinstance(scale, (int, float)) and scale > 0 else 1.0


def clear(scene: bpy.types.Scene) -> None:
    """Forget the place of a scene."""
    for key in KEYS:
        if key in scene:
            del scene[key]


def place(scene: bpy.types.Scene, item: bpy.types.Object, lies: Georeference, size: Any) -> str:
    """Move a terrain to its place in a scene, whose place it sets where there is none.

    Parameters
    ----------
    item : the object; the first one of a scene comes to the 3D cursor
    lies : coordinates of columns and rows that are meters from its center
    size : meters along x and y

    Returns
    -------
    str : what else is to be said of it, empty where all is plain

    Raises
    ------
    ValueError : a system that is not converted to that of the scene, a place too far away
    """
    if not is_placed(scene):
        _begin(scene, Origin.at(lies))
    origin, scale = origin_of(scene), scale_of(scene)
    lie = origin.lie(lies, size)
    item.location = lie.offset[0] / scale, lie.offset[1] / scale, 0.0
    item.rotation_euler = 0.0, 0.0, lie.angle
    up = origin.system.unit if not origin.system.geographic else 1.0
    item.scale = lie.scale[0] / scale, lie.scale[1] / scale, 1 / (scale * up)
    return _said(origin, lie.angle, lie.off * up)


def _begin(scene: bpy.types.Scene, origin: Origin) -> None:
    """Give a scene its place: that of a terrain at the 3D cursor."""
    cursor = scene.cursor.location
    scale = 1 / (units_of_meter(scene) * origin.system.unit)
    x, y = origin.x - cursor.x * scale, origin.y - cursor.y * scale
    code = origin.system.code
    authority = "EPSG" if origin.system.epsg else "ESRI"
    scene[SYSTEM] = f"{authority}:{code}" if code else wkt(origin.system)
    scene[X], scene[Y] = x, y
    if abs(scale - 1) > SAME_SCALE:
        scene[SCALE] = scale
    degrees = Origin(origin.system, x, y).lonlat(0, 0)
    if degrees:
        scene[LONGITUDE], scene[LATITUDE] = degrees


def _said(origin: Origin, angle: float, off: float) -> str:
    """Tell that a terrain is turned, and by how much its border misses its place."""
    parts: list[str] = []
    if abs(angle) > 1e-3:
        parts.append(f"turned by {angle * 57.29578:.2f} degrees to lie in {origin.system.title}")
    if off > 1:
        parts.append(
            f"its border is up to {off:.3g} m off: import it with System: The Scene's to fit it"
        )
    return ", ".join(parts)


def coordinates(scene: bpy.types.Scene, at: Vector) -> tuple[float, float]:
    """Return the coordinates of a point of a scene, in its system.

    Raises ValueError for a scene without a place.
    """
    origin, scale = origin_of(scene), scale_of(scene)
    return origin.x + at.x * scale, origin.y + at.y * scale


def degrees(scene: bpy.types.Scene, at: Vector) -> tuple[float, float] | None:
    """Return longitude and latitude of a point of a scene; None where they are not known.

    Raises ValueError for a scene without a place.
    """
    scale = scale_of(scene)
    return origin_of(scene).lonlat(at.x * scale, at.y * scale)
