# SPDX-License-Identifier: GPL-3.0-or-later
"""The update callbacks of the settings of a terrain."""

from typing import Any

from ...core.output import LAYER_MASKS
from . import dragging
from .rebuild import LONG_PATIENCE, is_quiet, request


def changed(group: Any, context: Any) -> None:
    """Of all settings that change the mesh."""
    if not is_quiet():
        request(group.id_data)
        dragging.changed(group.id_data, context)


def mask_view_changed(terrain: Any, context: Any) -> None:
    """Of the mask view: a menu may take longer than a slider."""
    if not is_quiet():
        request(terrain.id_data, LONG_PATIENCE)


def layer_chosen(terrain: Any, context: Any) -> None:
    """Of the active layer, whose mask may be shown."""
    if terrain.mask_view == LAYER_MASKS:
        mask_view_changed(terrain, context)
