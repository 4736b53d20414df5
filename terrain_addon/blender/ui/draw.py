# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings drawn from their declarations."""

from collections.abc import Iterable
from typing import Any

import bpy

from ...core import Setting, Settings, settings_of

Layout = bpy.types.UILayout


def settings(layout: Layout, group: Any, cls: type[Settings], skip: Iterable[str] = ()) -> None:
    """All settings of a class that have a meaning now; the advanced ones in a panel of their own.

    ``group`` is the property group that holds them.
    """
    shown = [s for s in settings_of(cls) if s.name not in skip and _is_shown(s, group)]
    for one in shown:
        if not one.advanced:
            setting(layout, group, one)
    advanced = [s for s in shown if s.advanced]
    if advanced:
        header, body = layout.panel(f"terrain_advanced_{cls.__name__}", default_closed=True)
        header.label(text="Advanced")
        if body:
            for one in advanced:
                setting(body, group, one)


def setting(layout: Layout, group: Any, one: Setting) -> None:
    """One setting; a slider where it has soft limits on both sides."""
    limits = (one.soft_min, one.min), (one.soft_max, one.max)
    bounded = all(any(limit is not None for limit in pair) for pair in limits)
    slider = one.kind in ("float", "int") and bounded and one.soft_max is not None
    layout.prop(group, one.name, slider=slider or one.unit == "factor")


def _is_shown(one: Setting, group: Any) -> bool:
    if one.shown_if is None:
        return True
    name, values = one.shown_if
    return getattr(group, name) in values
