# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a terrain was edited by hand, cached: panels are drawn with each mouse move."""

import time
from dataclasses import dataclass
from typing import Any

import bpy

from ..data.terrains import terrain_of
from ..live.rebuild import is_edited

REST = 50
"""Validity of a check relative to its duration, which is 60 ms for 2049 x 2049 points."""


@dataclass
class _Check:
    """The mesh checked last, until when the result is valid, and the result."""

    state: Any = None
    until: float = 0.0
    edited: bool = False


_last = _Check()


def seems_edited(mesh: bpy.types.Mesh) -> bool:
    """Whether points had been edited by hand at the last check, a moment ago."""
    state = (mesh.session_uid, terrain_of(mesh).built, bpy.context.mode)
    begun = time.perf_counter()
    if state != _last.state or begun > _last.until:
        _last.state, _last.edited = state, is_edited(mesh)
        now = time.perf_counter()
        _last.until = now + REST * (now - begun)
    return _last.edited
