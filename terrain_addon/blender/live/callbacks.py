# SPDX-License-Identifier: GPL-3.0-or-later
"""The update callbacks of the settings of a terrain."""

import dataclasses
from typing import Any

from ...core.output import LAYER_MASKS
from ..properties.recipe import read_palette, write_palette
from . import dragging, node_results
from .rebuild import LONG_PATIENCE, is_quiet, quiet, request


def changed(group: Any, context: Any) -> None:
    """Rebuild the terrain; the update callback of all settings that change the mesh."""
    if not is_quiet():
        request(group.id_data)
        dragging.changed(group.id_data, context)
        node_results.soon([group.id_data])


def mask_view_changed(terrain: Any, context: Any) -> None:
    """Show another mask; the update callback of the mask view, whose menu may take a while."""
    if not is_quiet():
        request(terrain.id_data, LONG_PATIENCE)


def colored(item: Any, context: Any) -> None:
    """Give a group the colors of the terrain to start from; the update callback of its switch."""
    if item.own_colors and not item.palette.regions and not is_quiet():
        with quiet():
            own = read_palette(item.id_data.terrain.palette)
            write_palette(item.palette, dataclasses.replace(own, regions=own.by_height, image=""))
    changed(item, context)


def folded(item: Any, context: Any) -> None:
    """Make a group active whose active layer it hides; the update callback of its triangle."""
    terrain = item.id_data.terrain
    place = next((n for n, one in enumerate(terrain.layers) if one == item), -1)
    if item.folded and place - item.count <= terrain.active_layer < place:
        terrain.active_layer = place


def layer_chosen(terrain: Any, context: Any) -> None:
    """Show the mask of another layer; the update callback of the active layer."""
    if terrain.mask_view == LAYER_MASKS:
        mask_view_changed(terrain, context)
