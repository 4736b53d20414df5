# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingerprints of node trees, which tell whether their results are out of date.

Blender reports changes only of trees that an object in the scene uses, and undo reports none.
"""

from typing import Any

import bpy

from .node_values import trees_in

_UNSEEN = {
    *("rna_type", "location", "location_absolute", "width", "width_hidden", "height", "select"),
    *("show_options", "show_preview", "show_texture", "hide", "parent", "color", "color_tag"),
    *("use_custom_color", "dimensions", "warning_propagation"),
    *("inputs", "outputs", "internal_links"),
}
"""Properties of nodes that the result does not follow from. Those of what a node holds, such as the
colors of a ramp, count."""


def fingerprint(tree: Any) -> list[Any]:
    """Return all of a node tree and its groups that a result follows from, as plain values.

    Objects and other data-blocks that it reads count by their names alone.
    """
    return [[_tree_facts(one), one.name] for one in trees_in(tree)]


def _tree_facts(tree: Any) -> list[Any]:
    links = [
        (one.from_node.name, one.from_socket.identifier, one.to_node.name, one.to_socket.identifier)
        for one in tree.links
        if not one.is_muted
    ]
    made = [
        (node.name, node.bl_idname, _facts(node), [_default(one) for one in node.inputs])
        for node in tree.nodes
    ]
    sockets = [
        (one.name, one.in_out, one.socket_type, _default(one))
        for one in tree.interface.items_tree
        if one.item_type == "SOCKET"
    ]
    return [sorted(links), made, sockets]


def _facts(data: Any, depth: int = 0) -> list[Any]:
    """Return the values of a node and of what belongs to it, such as the colors of a ramp."""
    found: list[Any] = []
    for prop in data.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type" or name.startswith("bl_") or (not depth and name in _UNSEEN):
            continue
        value = getattr(data, name)
        if prop.type == "COLLECTION":
            found += [_facts(one, depth + 1) for one in value] if depth < 4 else []
        elif prop.type == "POINTER":
            found.append(_pointed(value, depth))
        else:
            found.append(_plain(value))
    return found


def _pointed(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (bpy.types.ID, bpy.types.Node)):
        return value and value.name
    return _facts(value, depth + 1) if depth < 4 else None


def _default(socket: Any) -> Any:
    value = getattr(socket, "default_value", None)
    return value.name if isinstance(value, bpy.types.ID) else _plain(value)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, set):
        return sorted(value)
    try:
        return [float(one) for one in value]
    except (TypeError, ValueError):
        return str(type(value))
