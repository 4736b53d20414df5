# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels show of a mesh, cached: they are drawn with each mouse move."""

import time
from dataclasses import dataclass
from typing import Any

import bpy

from ..data.terrains import terrain_of
from ..live.rebuild import is_edited
from ..mesh.terrain_mesh import HEIGHT, range_of, range_of_points

REST = 50
"""Validity of a check relative to its duration, which is 60 ms for 2049 x 2049 points."""


@dataclass
class _Check:
    """The mesh checked last, until when the result is valid, and the result.

    ``ends`` are the lowest and highest point of an edited mesh.
    """

    state: Any = None
    until: float = 0.0
    edited: bool = False
    ends: tuple[float, float] | None = None


@dataclass
class _Heights:
    """The mesh read last, and its lowest and highest point."""

    state: Any = None
    ends: tuple[float, float] | None = None


_last = _Check()
_heights = _Heights()


def seems_edited(mesh: bpy.types.Mesh) -> bool:
    """Return whether points had been edited by hand at the last check, a moment ago."""
    state = (mesh.session_uid, terrain_of(mesh).built, bpy.context.mode)
    begun = time.perf_counter()
    if state != _last.state or begun > _last.until:
        _last.state, _last.edited = state, is_edited(mesh)
        _last.ends = range_of_points(mesh) if _last.edited else None
        now = time.perf_counter()
        _last.until = now + REST * (now - begun)
    return _last.edited


def height_range(mesh: bpy.types.Mesh) -> tuple[float, float] | None:
    """Return the lowest and highest point in meters that the last rebuild made; None if unknown."""
    state = (mesh.session_uid, terrain_of(mesh).built, len(mesh.vertices))
    if state != _heights.state:
        _heights.state, _heights.ends = state, range_of(mesh, HEIGHT)
    return _heights.ends


def shown_range(mesh: bpy.types.Mesh) -> tuple[float, float] | None:
    """Return the lowest and highest point in meters, with edits by hand; None if unknown."""
    return _last.ends if seems_edited(mesh) else height_range(mesh)
