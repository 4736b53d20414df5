# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings drawn from their declarations."""

from collections.abc import Iterable
from typing import Any

import bpy

from ...core import Setting, Settings, settings_of

Layout = bpy.types.UILayout
WIDEST_SLIDER = 1e5


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
    """One setting; a slider where its limits leave a range that one can be dragged through."""
    low = one.min if one.soft_min is None else one.soft_min
    high = one.max if one.soft_max is None else one.soft_max
    slider = low is not None and high is not None and high - low <= WIDEST_SLIDER
    layout.prop(group, one.name, slider=slider)


def _is_shown(one: Setting, group: Any) -> bool:
    if one.shown_if is None:
        return True
    name, values = one.shown_if
    return getattr(group, name) in values
