# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups in a terrain's list of layers: read, rearranged, and their order in the interface.

A group follows its layers in the collection, as in a recipe, and is drawn above them.
"""

from collections.abc import Sequence
from typing import Any

from ...core import Group
from ...core.layers import Node, flattened, path_to, tree
from ..data import keyframes
from ..data.terrains import active_layer


def is_group(item: Any) -> bool:
    """Return whether an item of the list is a group."""
    return item.kind == Group.key


def tree_of(terrain: Any) -> tuple[Node, ...]:
    """Return the layers of a terrain as a tree; without groups if their counts do not fit."""
    counts = [item.count if is_group(item) else None for item in terrain.layers]
    try:
        return tree(counts)
    except ValueError:  # a script removed layers from the collection
        return tuple(Node(n, None if count is None else ()) for n, count in enumerate(counts))


def node_at(terrain: Any, place: int) -> Node:
    """Return the node of an entry."""
    return path_to(tree_of(terrain), place)[-1]


def groups_over(terrain: Any, place: int) -> list[Any]:
    """Return the groups that hold the entry at a place, from the innermost."""
    items = enumerate(terrain.layers)
    return [item for n, item in items if is_group(item) and n - item.count <= place < n]


def palette_of(terrain: Any) -> tuple[Any, str]:
    """Return the palette that is edited, and the path of its colors for animation: that of the
    active group if it has colors of its own, otherwise that of the terrain."""
    item, place = active_layer(terrain), terrain.active_layer
    if item is None or not is_group(item) or not item.own_colors:
        return terrain.palette, keyframes.REGIONS
    return item.palette, f"{keyframes.LAYERS}[{place}].palette.regions"


def arrange(terrain: Any, nodes: Sequence[Node], active: int) -> None:
    """Give the list the order of a tree, whose places are those that the entries have now.

    Entries without a node are removed, nodes beyond the last entry are new. The entry at
    ``active`` is the active one afterwards. Keyframes and drivers follow; ValueError, and nothing
    changes, if that is impossible now.
    """
    entries, layers = flattened(nodes), terrain.layers
    places = {old: new for new, (old, _) in enumerate(entries)}
    keyframes.renumber(terrain.id_data, keyframes.LAYERS, places)
    while len(layers) <= max(places, default=-1):
        layers.add()
    standing = list(range(len(layers)))
    for place in reversed(range(len(layers))):
        if place not in places:
            layers.remove(place)
            standing.pop(place)
    for new, (old, count) in enumerate(entries):
        at = standing.index(old)
        if at != new:
            layers.move(at, new)
            standing.insert(new, standing.pop(at))
        if layers[new].count != (count or 0):
            layers[new].count = count or 0
    terrain.active_layer = places.get(active, max(0, min(active, len(layers) - 1)))


def drawn_order(nodes: Sequence[Node]) -> list[int]:
    """Return the places of entries in the order in which the interface lists them, groups above
    their layers.

    >>> drawn_order(tree([None, None, 1, None]))
    [0, 2, 1, 3]
    """
    order: list[int] = []
    for node in nodes:
        order += [node.place, *drawn_order(node.members or ())]
    return order
