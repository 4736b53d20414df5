# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes and drivers that stay with their layer or color.

Blender's animation refers to a setting by its place in a list, as in ``terrain.layers[1].opacity``,
so these paths are renumbered when the items of a list change places.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import bpy

from ..app.undo import note_new_data

LAYERS = "terrain.layers"
REGIONS = "terrain.palette.regions"
_SETTINGS = "terrain."

Places = Mapping[int, int]
"""New places of the items that stay, by their old places."""
_Rename = Callable[[str], str]


def after_adding(count: int, place: int) -> Places:
    """Return the places of ``count`` items after one is inserted at ``place``."""
    return {old: old + (old >= place) for old in range(count)}


def after_removing(count: int, place: int) -> Places:
    """Return the places of ``count`` items after the one at ``place`` is removed."""
    return {old: old - (old > place) for old in range(count) if old != place}


def after_moving(count: int, start: int, end: int) -> Places:
    """Return the places of ``count`` items after the one at ``start`` moves to ``end``."""
    order = list(range(count))
    order.insert(end, order.pop(start))
    return {old: new for new, old in enumerate(order)}


def renumber(mesh: bpy.types.Mesh, items: str, places: Places) -> None:
    """Update the animation of a mesh for new places of its ``items``, LAYERS or REGIONS.

    Animation of items without a place is removed. Raises ValueError, and changes nothing, if that
    is impossible now.
    """
    _rename_all(mesh, partial(_renamed, items, places), _rename_curves)


def rename_settings(mesh: bpy.types.Mesh, rename: Callable[[str], str]) -> None:
    """Rename the paths of keyframes and drivers of a terrain's settings.

    Keyframes of a path that has some already are added to them. ValueError as in `renumber`.
    """

    def renamed(path: str) -> str:
        return rename(path) if path.startswith(_SETTINGS) else path

    _rename_all(mesh, renamed, _join_curves)


def forget(mesh: bpy.types.Mesh) -> None:
    """Remove keyframes and drivers of all settings of a terrain; ValueError as in `renumber`."""
    _rename_all(mesh, lambda path: "" if path.startswith(_SETTINGS) else path, _rename_curves)


def _rename_all(
    mesh: bpy.types.Mesh, rename: _Rename, apply: Callable[[Any, _Rename], None]
) -> None:
    data = mesh.animation_data
    if data is None:
        return
    _keep_to_itself(mesh, data, rename)
    for action, slot in {(p.action, _slot(p)) for p in _players(data) if p.action}:
        for curves in _curves(action, slot):
            apply(curves, rename)
    apply(data.drivers, rename)
    for curve in data.drivers:
        _rename_sources(curve.driver, mesh, rename)


def is_animated(mesh: bpy.types.Mesh) -> bool:
    """Return whether keyframes or drivers animate a setting of this terrain."""
    return bool(animated_paths(mesh))


def animated_paths(mesh: bpy.types.Mesh) -> set[str]:
    """Return the paths of the terrain's settings that keyframes or drivers animate."""
    data = mesh.animation_data
    if data is None:
        return set()
    played = [_curves(p.action, _slot(p)) for p in _players(data) if p.action]
    paths = {curve.data_path for found in played for curves in found for curve in curves}
    paths |= {curve.data_path for curve in data.drivers}
    return {path for path in paths if path.startswith(_SETTINGS)}


def _renamed(items: str, places: Places, path: str) -> str:
    """Return the new path of the setting at ``path``, "" if it is gone."""
    found = re.match(re.escape(items) + r"\[(\d+)\]", path)
    if not found:
        return path
    place = places.get(int(found[1]))
    return "" if place is None else f"{items}[{place}]{path[found.end() :]}"


def _rename_curves(curves: Any, rename: _Rename) -> None:
    for curve in list(curves):
        path = rename(curve.data_path)
        if not path:
            curves.remove(curve)
        elif path != curve.data_path:
            curve.data_path = path


def _join_curves(curves: Any, rename: _Rename) -> None:
    """Rename curves; one whose new path exists already leaves its keyframes to that one."""
    for curve in list(curves):
        path = rename(curve.data_path)
        if path == curve.data_path:
            continue
        other = next((curve for curve in curves if curve.data_path == path), None)
        if other is None:
            curve.data_path = path
            continue
        for point in curve.keyframe_points:
            other.keyframe_points.insert(*point.co)
        curves.remove(curve)


def _rename_sources(driver: Any, mesh: bpy.types.Mesh, rename: _Rename) -> None:
    """Update the settings of the mesh that a driver reads; paths to removed items stay."""
    for variable in driver.variables:
        for target in variable.targets:
            path = rename(target.data_path) if target.id == mesh else ""
            if path and path != target.data_path:
                target.data_path = path


def _players(data: Any) -> Iterator[Any]:
    """Yield everything that plays actions on a mesh: its animation data and its NLA strips."""
    yield data
    for track in data.nla_tracks:
        yield from _strips(track.strips)


def _strips(strips: Iterable[Any]) -> Iterator[Any]:
    for strip in strips:
        yield strip
        yield from _strips(strip.strips)  # of a meta strip


def _slot(player: Any) -> Any:
    """Return the slot of its action that a player plays; None before Blender 4.4, which has no
    slots."""
    return getattr(player, "action_slot", None)


def _curves(action: Any, slot: Any) -> Iterator[Any]:
    """Yield the collections of F-curves in an action, or in a slot of it."""
    if not hasattr(action, "layers"):
        yield action.fcurves
        return
    for layer in action.layers if slot else ():
        for strip in layer.strips:
            if bag := strip.channelbag(slot):
                yield bag.fcurves


def _keep_to_itself(mesh: bpy.types.Mesh, data: Any, rename: _Rename) -> None:
    """Copy the actions to be changed that something else plays too."""
    copies: dict[Any, Any] = {}
    for player in _players(data):
        action, slot = player.action, _slot(player)
        if action is None:
            continue
        if action not in copies:
            if not _is_changed(action, slot, rename) or not _is_shared(mesh, action, slot):
                continue
            if data.use_tweak_mode:  # Blender does not allow another action now
                raise ValueError("Leave the NLA's Tweak Mode first: others share its action")
            note_new_data()
            copies[action] = action.copy()
        player.action = copies[action]
        if slot:
            player.action_slot = next(s for s in player.action.slots if s.handle == slot.handle)


def _is_changed(action: Any, slot: Any, rename: _Rename) -> bool:
    paths = (curve.data_path for curves in _curves(action, slot) for curve in curves)
    return any(rename(path) != path for path in paths)


def _is_shared(mesh: bpy.types.Mesh, action: Any, slot: Any) -> bool:
    """Return whether anything but this mesh plays the action or, if it has slots, that slot."""
    users = slot.users() if slot else bpy.data.user_map(subset=[action])[action]
    return bool(action.library) or any(user != mesh for user in users)
