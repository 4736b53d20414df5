# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the bridges and culverts that carry roads over drawn rivers.

A simple model of boxes: a deck with a parapet on either side, a wall under each end, and piers
under long decks, none of them in the water.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..earthworks import Bridges
from ..evaluation.cache import Cache
from ..evaluation.layer_step import Run
from ..evaluation.layer_times import LayerTimes
from ..evaluation.solution import KnownParts
from ..evaluation.solving import whole_step
from ..layers.shape.road import Road
from ..numerics.arrays import Doubles, Indices
from ..numerics.progress import Cancel, never_cancelled
from ..recipe.recipe import Layer, Recipe
from .water_meshes import WaterMesh

LIFT = 0.03
"""Meters of the deck above the road that it continues: surfaces at one height would flicker."""
THICKNESS, SLENDER, THICKEST = 0.5, 25.0, 2.5
"""Least meters of a deck, its span over its thickness, and most meters."""
PARAPET_HEIGHT, PARAPET_WIDTH = 0.9, 0.25
WALL = 0.6
"""Meters of the walls under both ends, along the road."""
FOOT = 1.0
"""Meters of walls and piers below the ground."""
BAY = 25.0
"""Largest distance of piers in meters."""
PIER = 1.2
"""Meters of a pier along the road."""


def roads_of(
    recipe: Recipe, cache: Cache | None = None, cancelled: Cancel | None = None
) -> dict[Layer, Bridges]:
    """Return the roads of a recipe, at their levels and with their bridges, by layer."""
    cache = Cache() if cache is None else cache
    parts = KnownParts(cache.parts, None)
    run = Run(recipe, cancelled or never_cancelled, cache, LayerTimes(), parts)
    found: dict[Layer, Bridges] = {}
    for n, layer in enumerate(recipe.active):
        if isinstance(layer.settings, Road):
            laid = whole_step(run, n).solved(layer.settings)
            if laid is not None:
                found[layer] = laid
    return found


def bridge_mesh(
    recipe: Recipe, cache: Cache | None = None, cancelled: Cancel | None = None
) -> WaterMesh:
    """Return the bridges and culverts of all roads that show them as one mesh of boxes.

    Its values are "span", the meters along the road of the bridge that a point belongs to, and
    "culvert", 1 for culverts and 0 for bridges.

    Parameters
    ----------
    cache : may know the roads
    cancelled : polled every few milliseconds

    Examples
    --------
    >>> from terrain_addon.core import Layer, River, Road, Shape
    >>> shapes = (
    ...     Shape.of("Stream", [[(0, -400), (0, 400)]]),
    ...     Shape.of("Path", [[(-400, 0), (400, 0)]]),
    ... )
    >>> layers = Layer.of(River(source="Stream")), Layer.of(Road(source="Path"))
    >>> mesh = bridge_mesh(Recipe(size_x=1000.0, size_y=1000.0, layers=layers, shapes=shapes))
    >>> len(mesh.points) > 0, sorted(mesh.values)
    (True, ['culvert', 'span'])
    """
    made = [(np.empty((0, 3)), np.empty((0, 4), np.intp), np.empty(0), np.empty(0))]
    count = 0
    roads = roads_of(recipe, cache, cancelled) if recipe.may_have_bridges else {}
    shown = [laid for layer, laid in roads.items() if layer.settings.shows_bridges]
    for laid in shown:
        for bridge, large in enumerate(laid.is_large.tolist()):
            points, faces = _model(laid, bridge)
            distance = laid.roads.distance[laid.deck(bridge)]
            span = np.full(len(points), distance[-1] - distance[0])
            made.append((points, faces + count, span, np.full(len(points), float(not large))))
            count += len(points)
    points, faces, span, culvert = (np.concatenate(part) for part in zip(*made, strict=True))
    values = {"span": span.astype(np.float32), "culvert": culvert.astype(np.float32)}
    return WaterMesh(points.astype(np.float32), faces.astype(np.int32), values)


def _model(laid: Bridges, bridge: int) -> tuple[Doubles, Indices]:
    """Return points and quads of one bridge."""
    prisms = list(_parts(laid, bridge))
    counts = np.cumsum([0, *(len(points) for points, _ in prisms)])[:-1]
    faces = [quads + start for (_, quads), start in zip(prisms, counts, strict=True)]
    return np.concatenate([points for points, _ in prisms]), np.concatenate(faces)


def _parts(laid: Bridges, bridge: int) -> Iterator[tuple[Doubles, Indices]]:
    """Yield its deck, parapets, walls and piers."""
    some = laid.deck(bridge)
    roads, ground = laid.roads, laid.ground[some]
    line = np.stack([roads.x[some], roads.y[some]], axis=1)
    top, half = roads.level[some] + LIFT, roads.half[some]
    along = roads.distance[some] - roads.distance[some.start]
    thick = min(max(THICKNESS, along[-1] / SLENDER), THICKEST)
    yield _prism(line, -half, half, top - thick, top)
    for side in (-1, 1):
        edge, inner = side * half, side * (half - PARAPET_WIDTH)
        low, high = np.minimum(edge, inner), np.maximum(edge, inner)
        yield _prism(line, low, high, top, top + PARAPET_HEIGHT)
    walls = [float(roads.distance[end] - roads.distance[some.start]) for end in laid.spans[bridge]]
    supports = [(place, WALL) for place in walls]
    supports += [(place, PIER) for place in _piers(laid, bridge, walls)]
    for place, width in supports:
        ends = np.clip([place - width / 2, place + width / 2], 0, along[-1])
        part: Doubles = np.stack([np.interp(ends, along, line[:, k]) for k in (0, 1)], axis=1)
        level, foot, wide = (np.interp(ends, along, one) for one in (top, ground, half))
        share = 0.95 if width == WALL else 0.5
        lowest = np.full(2, min(foot.min(), (level - thick).min()) - FOOT)
        yield _prism(part, -share * wide, share * wide, lowest, level - thick)


def _piers(laid: Bridges, bridge: int, walls: list[float]) -> Iterator[float]:
    """Yield meters along a deck where it has piers: at even distances between its walls, but not in
    the water."""
    some = laid.deck(bridge)
    along = laid.roads.distance[some] - laid.roads.distance[some.start]
    bays = math.ceil((walls[1] - walls[0]) / BAY)
    places: list[float] = np.linspace(walls[0], walls[1], bays + 1)[1:-1].tolist()
    for place in places:
        x, y = (float(np.interp(place, along, axis[some])) for axis in (laid.roads.x, laid.roads.y))
        if not laid.is_wet(x, y, PIER):
            yield place


def _prism(
    line: Doubles, right: Doubles, left: Doubles, low: Doubles, high: Doubles
) -> tuple[Doubles, Indices]:
    """Return a closed box along a line, (n, 2), from ``right`` to ``left`` of it and from ``low``
    to ``high``: its points and quads."""
    way = np.gradient(line, axis=0)
    way /= np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-12)[:, None]
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)
    sides = [line + offset[:, None] * across for offset in (right, left)]
    corners = [np.column_stack([side, z]) for z in (low, high) for side in sides]
    points = np.stack(corners, axis=1).reshape(-1, 3)
    ring = np.array([[2, 0], [3, 2], [1, 3], [0, 1]])  # right, top, left, bottom
    here = 4 * np.arange(len(line) - 1)[:, None, None] + ring
    quads = np.concatenate([here, here[..., ::-1] + 4], axis=2).reshape(-1, 4)
    last = 4 * (len(line) - 1)
    ends = np.array([[0, 2, 3, 1], [last, last + 1, last + 3, last + 2]])
    return points, np.concatenate([quads, ends])
