# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps: a height map at the places of empties."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.grid import Grid
from ...settings.params import factor_param, height_param, param, size_param
from ...shapes import PLACE, Shape
from ..blend import BLENDS
from ..context import LayerContext
from ..generate.height_map import AUTO, CONTAIN, UNIT, HeightMap, values_param
from ..handles import Handle, length_handle, object_handle
from ..kind import NEARBY, SHAPE, LayerKind, layer
from ..maps import Map, Placement

ADD, HIGHER, LOWER, REPLACE = "add", "max", "min", "replace"
LEAST_SIDE = 1e-3
"""Meters; smaller stamps leave no mark."""


@layer("stamp", "Stamp", "A height map at the places of empties", group=SHAPE, icon="CLIPUV_HLT")
class Stamp(LayerKind):
    """Puts a map on the terrain at each place of a shape, one after the other.

    Place, rotation and scale of an empty are those of its stamp, also the vertical scale; a
    negative scale mirrors it. Points of curves and loose points of meshes are places too, scaled by
    their radius.
    """

    drawn = PLACE
    depends_on = NEARBY  # on the distance of points, as Height Map
    unset_notes: ClassVar[Mapping[str, str]] = {
        "source": "No map yet: no stamps",
        "places": "No places yet: no stamps",
    }

    source: str = param(
        "",
        "Map",
        "Elevation file, image, other terrain, attribute or vertex group; files of one mosaic are "
        "separated by semicolons",
        unit="map",
    )
    places: str = param(
        "", "Places", "Empty or collection of empties, each of which places a stamp", unit="shape"
    )
    mode: str = param(
        ADD,
        "Mode",
        "How a stamp joins the terrain",
        choices=[
            (ADD, "Add", "The stamp is added; the height of its empty does not matter"),
            (HIGHER, "Higher of Both", "Where the stamp on its empty is higher"),
            (LOWER, "Lower of Both", "Where the stamp on its empty is lower"),
            (REPLACE, "Replace", "The stamp on its empty replaces the terrain"),
        ],
    )
    values: str = values_param("Shares of Height")
    height: float = height_param(
        100.0,
        "Height",
        "Height where the map is 1, at a scale of 1",
        soft_min=-500.0,
        shown_if=("values", (AUTO, UNIT)),
    )
    size: float = size_param(200.0, "Size", "Longer side of a stamp at a scale of 1")
    falloff: float = factor_param(
        0.5, "Falloff", "Share of the way from its border to its middle over which a stamp fades in"
    )

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        shape = shapes.get(self.places)
        if shape is None or not len(places := shape.places()):
            return ()
        origin, across = places[-1][:2, :2]
        wide = math.hypot(*across)
        if wide < LEAST_SIDE:
            return ()
        middle, scale = (float(origin[0]), float(origin[1])), wide / 2
        direction = float(across[0] / wide), float(across[1] / wide)
        size = length_handle("Size", "size", self.size, middle, direction, scale=scale)
        return (dataclasses.replace(object_handle(shape), place=middle, guide=origin[None]), size)

    def apply(self, context: LayerContext) -> Floats:
        context.poll()
        out = context.height.copy()
        if not self.source:
            return out
        found = context.map_named(self.source)
        every = list(self._placed(found, context.shape_named(self.places).places()))
        for number, (place, base, scale) in enumerate(every):
            context.poll()
            context.progress(number / len(every))
            self._stamp(out, found, place, base, scale, context)
        return out

    def _placed(self, found: Map, places: Doubles) -> Iterator[tuple[Placement, float, float]]:
        """Yield where stamps lie, the height that they stand on, and their vertical scale."""
        width, depth = HeightMap(fit=CONTAIN).placement(found, self.size, self.size).size
        for origin, across, along, up in places:
            wide = math.hypot(across[0], across[1])
            # Along the normal of the X axis: what is sheared stays a rectangle.
            deep = float(across[0] * along[1] - across[1] * along[0]) / wide if wide else 0.0
            size = width * wide, depth * deep
            if min(abs(side) for side in size) > LEAST_SIDE:
                angle = math.degrees(math.atan2(across[1], across[0]))
                middle = float(origin[0]), float(origin[1])
                yield Placement(size, middle, angle), float(origin[2]), float(up[2])

    def _stamp(
        self,
        out: Floats,
        found: Map,
        place: Placement,
        base: float,
        scale: float,
        context: LayerContext,
    ) -> None:
        """Put one stamp on heights."""
        rows, columns = _around(place, context.grid)
        if rows.start >= rows.stop or columns.start >= columns.stop:
            return
        grid = context.grid.window(
            columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start
        )
        in_meters = HeightMap(values=self.values).has_meters(found)
        rise = found.surface(grid, place, context.cancelled)
        rise *= np.float32(scale if in_meters else scale * self.height)
        below = out[rows, columns]
        if self.mode != ADD:
            rise += np.float32(base)
        made = BLENDS[self.mode][2](below, rise)
        u, v = place.shares(grid.x[None], grid.y[:, None])
        weight = (self._fade(u) * self._fade(v)).astype(np.float32)
        below += weight * (made - below)

    def _fade(self, share: Doubles) -> Doubles:
        """Return 1 in the middle, 0 at the border and beyond, by a place from -0.5 to 0.5."""
        inside = 1 - 2 * np.abs(share)
        if not self.falloff:
            return (inside >= 0).astype(np.float64)
        t = np.clip(inside / self.falloff, 0, 1)
        return t * t * (3 - 2 * t)


def _around(place: Placement, grid: Grid) -> tuple[slice, slice]:
    """Return rows and columns of the samples that a stamp may cover."""
    reach = math.hypot(*place.size) / 2
    x, y = place.center
    top, bottom = np.searchsorted(grid.y, (y - reach, y + reach)).tolist()
    left, right = np.searchsorted(grid.x, (x - reach, x + reach)).tolist()
    return slice(top, bottom), slice(left, right)
