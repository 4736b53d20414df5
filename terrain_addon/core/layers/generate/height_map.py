# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights from an elevation file, an image, an attribute or a vertex group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import height_param, param
from ..context import LayerContext
from ..kind import GENERATE, NEARBY, LayerKind, layer
from ..maps import Map, Placement

AUTO, METERS, UNIT = "auto", "meters", "unit"
STRETCH, CONTAIN, COVER, TRUE_SIZE = "stretch", "contain", "cover", "true"


def values_param(unit: str) -> str:
    """Return a setting for what the values of a map stand for; ``unit`` says what 0 to 1 means."""
    return param(
        AUTO,
        "Values",
        "What the values of the map stand for",
        choices=[
            (AUTO, "Automatic", "Meters if the file says so, otherwise 0 to 1"),
            (METERS, "Meters", "Heights in meters"),
            (UNIT, "0 to 1", unit),
        ],
    )


@layer(
    "height_map",
    "Height Map",
    "Heights from an elevation file, an image or a painted map",
    group=GENERATE,
    icon="IMAGE_DATA",
)
class HeightMap(LayerKind):
    """A map as heights: a smooth surface through its samples, averaged where points are farther
    apart than they are."""

    depends_on = NEARBY  # on the distance of points: they are averages where it is larger
    repeats = False
    heights = ("low", "high", "exaggeration", "offset")
    new_defaults: ClassVar[Mapping[str, object]] = {"exaggeration": 1.0, "scale": 1.0}
    # meters stay meters, whatever the extent
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No map yet: flat"}

    source: str = param(
        "",
        "Map",
        "Elevation file, image, other terrain, attribute or vertex group; without one, the layer "
        "is flat. Files of one mosaic are separated by semicolons",
        unit="map",
    )
    values: str = values_param("Shares of the way from Low to High")
    low: float = height_param(
        0.0,
        "Low",
        "Height where the map is 0",
        soft_min=-500.0,
        soft_max=500.0,
        shown_if=("values", (AUTO, UNIT)),
    )
    high: float = height_param(
        100.0,
        "High",
        "Height where the map is 1; other values are in proportion",
        soft_min=-500.0,
        shown_if=("values", (AUTO, UNIT)),
    )
    exaggeration: float = param(
        1.0,
        "Exaggeration",
        "Factor on heights in meters",
        min=-1e4,
        max=1e4,
        soft_min=0.0,
        soft_max=5.0,
        shown_if=("values", (AUTO, METERS)),
    )
    offset: float = height_param(
        0.0,
        "Raise",
        "Added to heights in meters",
        soft_min=-2000.0,
        shown_if=("values", (AUTO, METERS)),
    )
    fit: str = param(
        STRETCH,
        "Fit",
        "Size of the map on the terrain",
        choices=[
            (STRETCH, "Stretch", "As wide and deep as the terrain"),
            (CONTAIN, "Contain", "In its own proportions, all of it on the terrain"),
            (COVER, "Cover", "In its own proportions, the whole terrain covered"),
            (TRUE_SIZE, "True Size", "In meters; stretched if the file does not state them"),
        ],
    )
    scale: float = param(
        1.0, "Scale", "Factor on that size", min=1e-3, max=1e3, soft_min=0.1, soft_max=4.0
    )
    x: float = param(0.0, "X", "Middle of the map, from the middle of the terrain", unit="m")
    y: float = param(0.0, "Y", "Middle of the map, from the middle of the terrain", unit="m")
    angle: float = param(
        0.0, "Rotation", "Turns the map counterclockwise", unit="deg", min=-360.0, max=360.0
    )

    def unit_of(self, name: str) -> str:
        scales = name == "exaggeration" or (name == "scale" and self.fit == TRUE_SIZE)
        return "m" if scales else super().unit_of(name)  # a larger terrain has a larger map

    def has_meters(self, values: Map) -> bool:
        """Return whether the values of a map are taken as meters."""
        return values.in_meters if self.values == AUTO else self.values == METERS

    def placement(self, values: Map, size_x: float, size_y: float) -> Placement:
        """Return where a map lies on a terrain of that size in meters.

        Examples
        --------
        >>> wide = Map("Wide", np.zeros((3, 5), np.float32), spacing=(30.0, 30.0))
        >>> [HeightMap(fit=fit).placement(wide, 100.0, 100.0).size for fit in ("contain", "true")]
        [(100.0, 50.0), (120.0, 60.0)]
        """
        rows, columns = values.values.shape
        width, depth = values.size or (float(max(columns - 1, 1)), float(max(rows - 1, 1)))
        factors = (size_x / width, size_y / depth)
        if self.fit == STRETCH or (self.fit == TRUE_SIZE and values.size is None):
            size = (size_x, size_y)
        else:
            factor = {CONTAIN: min(factors), COVER: max(factors), TRUE_SIZE: 1.0}[self.fit]
            size = (width * factor, depth * factor)
        scaled = size[0] * self.scale, size[1] * self.scale
        return Placement(scaled, (self.x, self.y), self.angle)

    def apply(self, context: LayerContext) -> Floats:
        if not self.source:
            return context.zeros() + np.float32(0.0 if self.values == METERS else self.low)
        found = context.map_named(self.source)
        place = self.placement(found, context.size_x, context.size_y)
        heights = found.surface(context.grid, place, context.cancelled)
        factor, base = self.high - self.low, self.low
        if self.has_meters(found):
            factor, base = self.exaggeration, self.offset
        if factor != 1:
            heights *= np.float32(factor)
        if base:
            heights += np.float32(base)
        return heights
