# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups in a list of layers, as a tree.

In the list a group follows its members, and counts them. Here a list is known by its counts: the
number of members of each entry, None for a layer that is no group. Trees hold places in the list
only, so that lists of any kind can be rearranged with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .kind import LayerKind

Counts = Sequence[int | None]


@dataclass(frozen=True)
class Node:
    """A layer or a group, and the members of a group from the ground up; None of a layer."""

    place: int
    members: tuple[Node, ...] | None = None

    @property
    def size(self) -> int:
        """Number of entries in the list."""
        return 1 + sum(node.size for node in self.members or ())

    @property
    def layers(self) -> tuple[int, ...]:
        """Places of the layers in it that are no groups."""
        if self.members is None:
            return (self.place,)
        return tuple(place for node in self.members for place in node.layers)


def tree(counts: Counts) -> tuple[Node, ...]:
    """Return the layers and groups of a list from the ground up.

    Raises ValueError for a group that counts more than there is, or parts of another group.

    >>> [(node.place, node.size) for node in tree([None, None, 1, None])]
    [(0, 1), (2, 2), (3, 1)]
    """
    nodes: list[Node] = []
    for place, count in enumerate(counts):
        members: list[Node] = []
        left = count or 0
        while left > 0 and nodes:
            members.append(nodes.pop())
            left -= members[-1].size
        if left:
            raise ValueError(f"layers[{place}]: a group cannot have {count} layers here")
        nodes.append(Node(place, None if count is None else tuple(reversed(members))))
    return tuple(nodes)


def flattened(nodes: Sequence[Node]) -> list[tuple[int, int | None]]:
    """Return the entries of a list: the place that each had, and its count now.

    >>> flattened(tree([None, None, 1]))
    [(0, None), (1, None), (2, 1)]
    """
    entries: list[tuple[int, int | None]] = []
    for node in nodes:
        if node.members is not None:
            entries += flattened(node.members)
        entries.append((node.place, None if node.members is None else node.size - 1))
    return entries


def kept(nodes: Sequence[Node], keep: Callable[[int], bool]) -> tuple[Node, ...]:
    """Return the nodes at places to keep. Groups take their members with them.

    >>> flattened(kept(tree([None, None, 2, None]), lambda place: place != 0))
    [(1, None), (2, 1), (3, None)]
    """
    return tuple(
        node if node.members is None else Node(node.place, kept(node.members, keep))
        for node in nodes
        if keep(node.place)
    )


def filled(nodes: Sequence[Node], also: int | None = None) -> tuple[Node, ...]:
    """Return the nodes without groups that have no layers, except one at the place ``also``."""
    found: list[Node] = []
    for node in nodes:
        members = None if node.members is None else filled(node.members, also)
        if members is None or members or node.place == also:
            found.append(Node(node.place, members))
    return tuple(found)


def opened_at(counts: Counts) -> list[int]:
    """Return for each entry the first one of its group, or itself: it is blended onto the terrain
    below that one.

    >>> opened_at([None, None, 1, None])
    [0, 1, 1, 3]
    """
    return [place - (count or 0) for place, count in enumerate(counts)]


def ordered(
    nodes: Sequence[Node], kinds: Sequence[LayerKind], whole: Callable[[int], bool]
) -> tuple[Node, ...]:
    """Return nodes in the order in which they are applied: from the ground up, except that a layer
    that erosion must keep comes after the last erosion above it.

    Where it is in a group below that erosion, its group is split: a second one of the same masks
    holds it after the erosion. Groups that are not ``whole``, which blend otherwise than by
    replacing the terrain, are not split.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, FractalNoise, Group, Lake, Smooth
    >>> kinds = [FractalNoise(), Lake(), Group(count=2), Erosion(), Smooth()]
    >>> nodes = tree([kind.holds for kind in kinds])
    >>> flattened(ordered(nodes, kinds, lambda place: False))
    [(0, None), (1, None), (2, 2), (3, None), (4, None)]
    >>> flattened(ordered(nodes, kinds, lambda place: True))
    [(0, None), (2, 1), (3, None), (1, None), (2, 1), (4, None)]
    """
    eroded = [any(kinds[place].follows_courses for place in node.layers) for node in nodes]
    last = max((n for n, erodes in enumerate(eroded) if erodes), default=-1)
    sorted_nodes: list[Node] = []
    waiting: list[Node] = []
    for n, node in enumerate(nodes):
        if node.members is not None:
            node = Node(node.place, ordered(node.members, kinds, whole))
        now, later = _split(node, kinds, whole) if n < last else (node, None)
        sorted_nodes += [now] if now else []
        waiting += [later] if later else []
        if n == last:
            sorted_nodes += waiting
    return tuple(sorted_nodes)


def _split(
    node: Node, kinds: Sequence[LayerKind], whole: Callable[[int], bool]
) -> tuple[Node | None, Node | None]:
    """Return what of a node is applied in its place, and what waits for the erosion above it."""
    if node.members is None:
        return (None, node) if kinds[node.place].waits_for_erosion else (node, None)
    if not whole(node.place):
        return node, None
    parts = [_split(member, kinds, whole) for member in node.members]
    now = tuple(part for part, _ in parts if part)
    later = tuple(part for _, part in parts if part)
    if not later:
        return node, None
    return Node(node.place, now) if now else None, Node(node.place, later)


def spliced(
    nodes: Sequence[Node], place: int, make: Callable[[Node], Sequence[Node]]
) -> tuple[Node, ...]:
    """Return nodes in which what ``make`` returns is in place of one of them, at any depth.

    >>> flattened(spliced(tree([None, None, 1]), 2, lambda group: group.members))
    [(0, None), (1, None)]
    """
    found: list[Node] = []
    for node in nodes:
        if node.place == place:
            found += make(node)
        elif node.members:
            found.append(Node(node.place, spliced(node.members, place, make)))
        else:
            found.append(node)
    return tuple(found)


def moved(
    nodes: Sequence[Node], place: int, step: int, is_open: Callable[[int], bool]
) -> tuple[Node, ...]:
    """Return nodes in which a layer or a group moves by one place, down (-1) or up (1) the stack.

    It goes into a group beside it that ``is_open``, and out of its own at the end of it.

    Examples
    --------
    >>> nodes = tree([None, None, 1])
    >>> [flattened(moved(nodes, 0, 1, lambda group: opens)) for opens in (True, False)]
    [[(0, None), (1, None), (2, 2)], [(1, None), (2, 1), (0, None)]]
    >>> flattened(moved(nodes, 1, -1, bool))
    [(0, None), (1, None), (2, 0)]
    """
    at = next((n for n, node in enumerate(nodes) if node.place == place), None)
    if at is None:
        return tuple(part for node in nodes for part in _moved_within(node, place, step, is_open))
    rest, node = [*nodes[:at], *nodes[at + 1 :]], nodes[at]
    if not 0 <= at + step < len(nodes):
        return tuple(nodes)
    beside = nodes[at + step]
    if beside.members is None or not is_open(beside.place):
        rest.insert(at + step, node)
    else:
        members = (node, *beside.members) if step > 0 else (*beside.members, node)
        rest[rest.index(beside)] = Node(beside.place, members)
    return tuple(rest)


def _moved_within(
    group: Node, place: int, step: int, is_open: Callable[[int], bool]
) -> Sequence[Node]:
    """Return a group in which a node moves, and beside it the node if it moves out."""
    members = group.members or ()
    if not members:
        return [group]
    last = members[-1 if step > 0 else 0]
    if last.place != place:
        return [Node(group.place, moved(members, place, step, is_open))]
    rest = Node(group.place, members[:-1] if step > 0 else members[1:])
    return [rest, last] if step > 0 else [last, rest]


def path_to(nodes: Sequence[Node], place: int) -> tuple[Node, ...]:
    """Return the groups that hold an entry, from the outermost, and the entry's own node."""
    for node in nodes:
        if node.place == place:
            return (node,)
        if found := path_to(node.members or (), place):
            return (node, *found)
    return ()
