# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a terrain was edited by hand, for panels: they ask with each move of the mouse."""

import time
from dataclasses import dataclass
from typing import Any

import bpy

from ..data.terrains import terrain_of
from ..live.rebuild import is_edited

REST = 50
"""A look is good for so many times as long as it took, which is 60 ms of 2049 x 2049 points."""


@dataclass
class _Look:
    """Which mesh was looked at, until when that is good, and what was seen."""

    asked: Any = None
    until: float = 0.0
    edited: bool = False


_last = _Look()


def seems_edited(mesh: bpy.types.Mesh) -> bool:
    """Whether points had been moved by hand when last looked at, a moment ago."""
    asked = (mesh.session_uid, terrain_of(mesh).built, mesh.is_editmode)
    begun = time.perf_counter()
    if asked != _last.asked or begun > _last.until:
        _last.asked, _last.edited = asked, is_edited(mesh)
        now = time.perf_counter()
        _last.until = now + REST * (now - begun)
    return _last.edited
