# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors by height, slope and fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..analysis.fields import FIELDS, choices as field_choices
from ..erosion.glaciers.snow_line import SnowLine
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.blocks import parts
from ..numerics.srgb import encoded, hex_code, linear
from ..settings.params import (
    Settings,
    angle_param,
    checked_list,
    checked_parts,
    checked_values,
    factor_param,
    meters,
    param,
)
from . import surfaces
from .mixing import LEAST_SPAN, Above, Coat, Ramps, Vectors, smooth_ramps, threshold_ramps
from .surfaces import SURFACES, one_hot

MAX_REGIONS = 32
HIGHEST_START = 1e6
BAND = 131072  # points at a time: temporaries stay in the processor's cache
USUAL_GAP = 100.0  # meters from a lone region to the next
LEAST_RANGE = 1e-30  # meters: terrain with less is flat
BY_HEIGHT = "height"  # what most regions are based on
USUAL_LIMITS = (0.2, 0.8)  # where the color of a field begins and is full, as shares of its range
ROCK = ("rock_on_slopes", (True,))
_value_param = partial(param, min=-1e7, max=1e7, shown_if=("based_on", tuple(FIELDS)))
GROWING = ("grass", "wood")
"""Surface classes whose colors by fields do not cover groups."""


class Region(Settings):
    """A color and where it shows.

    Based on height: from its start up to the next such region's start. Based on a field: on top of
    all others where the field is high, or low if ``low`` is above ``high``.
    """

    name: str = param("Color", "Name", "Name of the color")
    color: str = param("#808080", "Color", "Color of the ground there", color=True)
    surface: str = param(
        surfaces.AUTOMATIC,
        "Surface",
        "What the ground is made of, which the natural material shows",
        choices=surfaces.choices(),
    )
    based_on: str = param(
        BY_HEIGHT,
        "Based On",
        "What the color depends on; fields without the layer they need show no color",
        choices=[
            (BY_HEIGHT, "Height", "From its start up to the start of the next color by height"),
            *field_choices(),
        ],
    )
    start: float = param(
        0.0,
        "Start",
        "Height at which the color begins, in the unit of the palette's heights",
        min=-HIGHEST_START,
        max=HIGHEST_START,
        shown_if=("based_on", (BY_HEIGHT,)),
    )
    low: float = _value_param(
        USUAL_LIMITS[0], "From", "Value of the field at which the color begins to show"
    )
    high: float = _value_param(
        USUAL_LIMITS[1], "Full At", "Value of the field at which the color is full"
    )

    @property
    def field(self) -> str:
        """Name of the field that it is based on, "" for height."""
        return "" if self.based_on == BY_HEIGHT else self.based_on

    @property
    def surface_class(self) -> str:
        """Key of its class in `SURFACES`."""
        if self.surface != surfaces.AUTOMATIC:
            return self.surface
        return surfaces.suggested(self.name, self.color)

    @classmethod
    def of_field(cls, name: str) -> Region:
        """Return a region based on a field, within the middle of its natural range."""
        field = FIELDS[name]
        low, high = field.natural or (0.0, 1.0)
        begin, end = (low + share * (high - low) for share in USUAL_LIMITS)
        return cls(name=field.label, color=field.color, based_on=name, low=begin, high=end)

    def unit_of(self, name: str) -> str:
        if name in ("low", "high") and self.field:
            return FIELDS[self.field].unit
        return super().unit_of(name)

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        if name == "surface" and self.surface == surfaces.AUTOMATIC:
            return SURFACES[self.surface_class].label
        return FIELDS[self.field].values if name == "based_on" and self.field else ""

    def weight(self, values: Floats) -> Floats:
        """Return the weight of the color, 0 to 1, at these values of its field."""
        span = self.high - self.low
        if abs(span) <= LEAST_SPAN:
            return (values >= np.float32(self.low)).astype(np.float32)
        weight = (values - np.float32(self.low)) * np.float32(1 / span)
        return np.clip(weight, np.float32(0), np.float32(1), out=weight)


class Palette(Settings):
    """Colors of a terrain: regions by height, rock on steep slopes, and regions by fields on top.

    The lowest and the highest region by height have no end. Regions by height are sorted by their
    start; those by fields follow, each on top of the last. There are 1 to 32 regions, and a list
    of them is accepted.

    Raises
    ------
    ValueError
        A value out of range, or ``regions`` that is not a list of 1 to 32 regions.

    Examples
    --------
    >>> import numpy as np
    >>> sand, snow = Region(color="#D9C79B"), Region(start=50.0, color="#FFFFFF")
    >>> palette = Palette(measure="meters", regions=[sand, snow], blend=0.0)
    >>> palette.colors(np.float32([[60.0]]), None, 0.0, 100.0)
    array([[[1., 1., 1., 1.]]], dtype=float32)
    """

    measure: str = param(
        "relative",
        "Heights",
        "How the starts of the colors are measured",
        choices=[
            ("relative", "Relative", "0 is the lowest point of the terrain, 1 the highest"),
            (
                "signed",
                "Signed (-1..1)",
                "0 is the height 0, 1 and -1 the full height above and below it",
            ),
            ("meters", "Meters", "Heights in meters"),
        ],
    )
    full_height: float = param(
        100.0,
        "Full Height",
        "Height that counts as 1",
        unit="m",
        min=1e-6,
        max=1e6,
        shown_if=("measure", ("signed",)),
    )
    blending: str = param(
        "smooth",
        "Blending",
        "How neighboring colors blend",
        choices=[
            ("smooth", "Smooth", "A ramp of adjustable width across each border"),
            (
                "threshold",
                "Threshold",
                "Just below the next start, its color is mixed in by a fixed factor",
            ),
        ],
    )
    blend: float = factor_param(
        0.3,
        "Blend",
        "From hard steps (0) to a continuous ramp (1)",
        shown_if=("blending", ("smooth",)),
    )
    threshold: float = param(
        0.025,
        "Threshold",
        "Distance below the next start from which its color is mixed in",
        min=0.0,
        max=1e6,
        soft_max=0.2,
        shown_if=("blending", ("threshold",)),
    )
    factor: float = factor_param(
        0.5,
        "Factor",
        "Share of the next color that is mixed in",
        shown_if=("blending", ("threshold",)),
    )
    rock_on_slopes: bool = param(False, "Rock on Slopes", "Color steep ground as rock")
    rock_color: str = param(
        "#6B645C", "Rock Color", "Color of steep ground", color=True, shown_if=ROCK
    )
    rock_slope: float = angle_param(
        38.0, "From Slope", "Slope at which rock begins to show", shown_if=ROCK
    )
    rock_fade: float = angle_param(
        8.0, "Fade", "Slope range over which rock fades in", shown_if=ROCK
    )
    image: str = param(
        "",
        "Image",
        "Image that covers the terrain from border to border, on top of all colors where it is not "
        "transparent",
        unit="image",
    )
    regions: tuple[Region, ...] = (Region(name="Ground", start=0.0, color="#808080"),)
    areas: tuple[tuple[str, Palette], ...] = ()
    """Palettes of groups, by the fields that say where: see :attr:`.Recipe.colors`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "regions", checked_parts(self.regions, Region, "regions"))
        if not 1 <= len(self.regions) <= MAX_REGIONS:
            raise ValueError(f"regions: a palette has 1 to {MAX_REGIONS}, not {len(self.regions)}")
        by_height = sorted(
            (region for region in self.regions if not region.field), key=lambda r: r.start
        )
        by_field = (region for region in self.regions if region.field)
        object.__setattr__(self, "regions", (*by_height, *by_field))

    @property
    def by_height(self) -> tuple[Region, ...]:
        """The regions by height, lowest first; a gray one if there is none."""
        return tuple(region for region in self.regions if not region.field) or (
            Region(name="Ground"),
        )

    @property
    def by_field(self) -> tuple[Region, ...]:
        """The regions by fields, each on top of the last."""
        return tuple(region for region in self.regions if region.field)

    @property
    def snow_line(self) -> SnowLine | None:
        """Where the lowest snow by height begins; None if there is none."""
        starts = (region.start for region in self.by_height if region.surface_class == "snow")
        start = next(starts, None)
        if start is None:
            return None
        scale = self.full_height if self.measure == "signed" else 1.0
        return SnowLine(scale * start, relative=self.measure == "relative")

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that regions and areas are based on, each once."""
        names = [*(region.field for region in self.by_field), *(name for name, _ in self.areas)]
        return tuple(dict.fromkeys(names))

    @property
    def needs_slope(self) -> bool:
        """Whether rock shows on slopes, in an area of its own too."""
        return self.rock_on_slopes or any(own.rock_on_slopes for _, own in self.areas)

    def with_fields(self, ranges: Mapping[str, tuple[float, float]]) -> Palette:
        """Add a region for each field that has none, its color fading in over that range.

        Fields for which there is no room are left out.
        """
        new = [
            dataclasses.replace(Region.of_field(name), low=low, high=high)
            for name, (low, high) in ranges.items()
            if name not in self.fields
        ]
        room = MAX_REGIONS - len(self.regions)
        return dataclasses.replace(self, regions=(*self.regions, *new[:room])) if new else self

    def unit_of(self, name: str) -> str:
        if name == "threshold":
            return "m" if self.measure == "meters" else ""
        return super().unit_of(name)

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        if not self.image:  # as in files saved before there was one
            del data["image"]
        return {**data, "regions": [region.to_dict() for region in self.regions]}

    @classmethod
    def from_dict(cls, data: Any, path: str) -> Palette:
        values = checked_values(cls, data, path, also=("regions",))
        if "regions" in data:
            regions = checked_list(data["regions"], f"{path}.regions")
            if not 1 <= len(regions) <= MAX_REGIONS:
                raise ValueError(f"{path}.regions: there must be 1 to {MAX_REGIONS} regions")
            values["regions"] = tuple(
                Region.from_dict(item, f"{path}.regions[{i}]") for i, item in enumerate(regions)
            )
        return cls(**values)

    def region_after(self, below: Region) -> Region:
        """Return a new region halfway between a region and the next higher one, in the mean color.

        After a region by a field, it is based on height and above all others. Above the highest
        region it lies halfway to the top of the terrain or, where the measure does not define the
        top, as far above it as the next lower region is below.
        """
        names = {region.name for region in self.regions}
        number = len(self.regions) + 1
        while f"Color {number}" in names:
            number += 1
        below = self.by_height[-1] if below.field else below
        higher = [region for region in self.by_height if region.start > below.start]
        above = higher[0] if higher else self._beyond(below)
        colors = linear(below.color)[:3].astype(np.float64), linear(above.color)[:3]
        light = (colors[0] + colors[1]) / 2
        return Region(
            name=f"Color {number}",
            start=(below.start + above.start) / 2,
            color=hex_code(encoded(light).tolist()),
        )

    def _beyond(self, highest: Region) -> Region:
        """Return an assumed white region above the highest one."""
        end = 1.0
        if self.measure == "meters" or highest.start >= end:
            lower = [region.start for region in self.by_height if region.start < highest.start]
            gap = highest.start - max(lower) if lower else USUAL_GAP
            end = highest.start + 2 * gap
        return Region(start=min(end, HIGHEST_START), color="#FFFFFF")

    def measured(self, height: Floats, low: float, high: float) -> Floats:
        """Return the heights in the palette's measure; the terrain ranges from ``low`` to ``high``
        meters."""
        if self.measure == "meters":
            return height
        if self.measure == "signed":
            return height * np.float32(1 / self.full_height)
        span = high - low
        return (height - np.float32(low)) * np.float32(1 / span if span > LEAST_RANGE else 0.0)

    @small_ufunc_buffer()
    def colors(
        self,
        height: Floats,
        slope: Floats | None,
        low: float,
        high: float,
        cover: Floats | None = None,
        values: Mapping[str, Floats] | None = None,
    ) -> Floats:
        """Return the color of each point, mixed in linear light.

        Parameters
        ----------
        height : ndarray of float32, shape (...)
            Meters.
        slope : ndarray of float32, shape (...) or None
            Degrees, or None; needed for rock only.
        low, high : float
            Range of the whole terrain in meters.
        cover : ndarray of float32, optional
            Result of :meth:`cover` or :meth:`.Recipe.cover`.
        values : mapping of str to ndarray of float32, optional
            The fields of :attr:`areas` by name; areas without one show no colors of their own.

        Returns
        -------
        ndarray of float32, shape (..., 4)
            Linear RGBA with alpha 1.
        """
        coat = self._colors_over(cover)
        painted = self._painted(height, slope, low, high, [coat], values or {})
        return painted[0].reshape(*height.shape, 4)

    @small_ufunc_buffer()
    def colors_and_classes(
        self,
        height: Floats,
        slope: Floats | None,
        low: float,
        high: float,
        values: Mapping[str, Floats],
        cover: Floats | None,
    ) -> tuple[Floats, Floats]:
        """Return the colors of :meth:`colors`, and the weights of the surface classes in two sets
        of four, (2, ..., 4) float32, as attributes of a mesh have them.

        Both together take less time than one after the other. Parameters are those of
        :meth:`surface_weights`, and the ``cover`` of :meth:`colors`.
        """
        classes = self._class_vectors
        coats = [self._colors_over(cover)]
        for half in (slice(0, 4), slice(4, 8)):
            coats.append(self._coat(_halved(classes, half), values))
        out = np.empty((2, height.size, 4), np.float32)
        colors = self._painted(height, slope, low, high, coats, values, [None, *out])[0]
        return colors.reshape(*height.shape, 4), out.reshape(2, *height.shape, 4)

    def surface_weights(
        self,
        height: Floats,
        slope: Floats | None,
        low: float,
        high: float,
        values: Mapping[str, Floats],
    ) -> Floats:
        """Return the weights of the surface classes, mixed as the colors are.

        Parameters
        ----------
        height, slope : ndarray of float32, shape (...)
            Meters and degrees, as for :meth:`colors`.
        low, high : float
            Lowest and highest point in meters.
        values : mapping of str to ndarray of float32
            Fields of the shape of the heights by name, as for :meth:`cover`.

        Returns
        -------
        ndarray of float32, shape (..., 8)
            Weights in the order of `SURFACES`, whose sum is 1.

        Examples
        --------
        >>> import numpy as np
        >>> palette = Palette(regions=[Region(name="Meadow"), Region(name="Snow", start=0.5)])
        >>> palette.surface_weights(np.float32([0.0, 1.0]), None, 0.0, 1.0, {}).argmax(1)
        array([4, 6])
        """
        return self.mixed(height, slope, low, high, values, self._class_vectors)

    @property
    def _class_vectors(self) -> Vectors:
        """The weights of the surface classes of each region."""
        ground = [one_hot(region.surface_class) for region in self.by_height]
        over = [one_hot(region.surface_class) for region in self.by_field]
        areas = [own._class_vectors for _, own in self.areas]
        return Vectors(ground, one_hot(surfaces.ROCK), over, areas)

    @small_ufunc_buffer()
    def mixed(
        self,
        height: Floats,
        slope: Floats | None,
        low: float,
        high: float,
        values: Mapping[str, Floats],
        vectors: Vectors,
    ) -> Floats:
        """Return the vectors of the regions, mixed as the colors are, (..., n) float32; for the
        other parameters see :meth:`surface_weights`."""
        coat = self._coat(vectors, values)
        painted = self._painted(height, slope, low, high, [coat], values)
        return painted[0].reshape(*height.shape, -1)

    def _colors_over(self, cover: Floats | None) -> Coat:
        """Return the colors, below a result of :meth:`cover`."""
        covers = None if cover is None else cover.reshape(-1, 4)

        def top(part: slice, out: Floats) -> None:
            if covers is not None:
                out *= np.float32(1) - covers[part, 3:]
                out += covers[part]

        areas = [own._ground for _, own in self.areas]
        return Coat(*self._ground, top, areas)

    @property
    def _ground(self) -> tuple[Floats, Floats]:
        """The colors of the regions by height, and that of rock."""
        ground = [linear(region.color) for region in self.by_height]
        return np.stack(ground), linear(self.rock_color)

    def _coat(self, vectors: Vectors, values: Mapping[str, Floats]) -> Coat:
        """Return vectors of the regions, those by fields of these values on top."""
        over = [
            (self._over(one, values), vector)
            for one, vector in zip(self.by_field, vectors.over, strict=True)
            if one.field in values
        ]

        def top(part: slice, out: Floats) -> None:
            for weight, vector in over:
                out += weight(part)[:, None] * (vector - out)

        areas = [(np.stack(one.ground), one.rock) for one in vectors.areas]
        return Coat(np.stack(vectors.ground), vectors.rock, top, areas)

    def _over(self, region: Region, values: Mapping[str, Floats]) -> Callable[[slice], Floats]:
        """Return what computes the weight of a region by a field at a part of the points. What
        grows gives way to groups, whose ground is another."""
        field = values[region.field].reshape(-1)
        grows = region.surface_class in GROWING
        areas = [values[name].reshape(-1) for name, _ in self.areas if grows and name in values]

        def weight(part: slice) -> Floats:
            found = region.weight(field[part])
            for area in areas:
                found *= np.float32(1) - area[part]
            return found

        return weight

    def _painted(
        self,
        height: Floats,
        slope: Floats | None,
        low: float,
        high: float,
        coats: Sequence[Coat],
        values: Mapping[str, Floats],
        outs: Sequence[Floats | None] = (None,),
    ) -> list[Floats]:
        """Return the rows of each coat at all points, (points, n) float32, in arrays of ``outs``
        where there are any. What coats have in common is computed once.

        ``values`` holds the fields of areas, whose ground and rock lie below the regions by fields.
        """
        made = [
            np.empty((height.size, coat.rock.size), np.float32) if out is None else out
            for coat, out in zip(coats, outs, strict=True)
        ]
        heights = height.reshape(-1)
        slopes = None if slope is None else slope.reshape(-1)
        ends = low, high
        grounds = [self._grounds([(coat.ground, coat.rock) for coat in coats], ends)]
        weights: list[Floats] = []
        for n, (name, own) in enumerate(self.areas):
            if name in values:
                grounds.append(own._grounds([coat.areas[n] for coat in coats], ends))
                weights.append(values[name].reshape(-1))
        for part in parts(height.size, BAND):
            steep = None if slopes is None else slopes[part]
            rows = [out[part] for out in made]
            grounds[0](heights[part], steep, rows)
            for paint, weight in zip(grounds[1:], weights, strict=True):
                _mix_area(paint, heights[part], steep, weight[part], rows)
            for coat, out in zip(coats, rows, strict=True):
                coat.top(part, out)
        return made

    def _grounds(
        self, coats: Sequence[tuple[Floats, Floats]], ends: tuple[float, float]
    ) -> Callable[[Floats, Floats | None, Sequence[Floats]], None]:
        """Return what writes the ground and rock of coats at some heights and slopes."""
        ramps = self._ramps
        tables = [ramps.table(ground) for ground, _ in coats]

        def paint(heights: Floats, slopes: Floats | None, outs: Sequence[Floats]) -> None:
            with np.errstate(over="ignore"):  # infinity is above all regions, as it should be
                places = ramps.places(self.measured(heights, *ends))
            rock = None
            if slopes is not None and self.rock_on_slopes:
                rock = Above.of(slopes, self.rock_slope, self.rock_fade)
            for (_, row), table, out in zip(coats, tables, outs, strict=True):
                np.take(table, places, axis=0, out=out, mode="clip")
                if rock is not None:
                    rock.mix(row, out)

        return paint

    @property
    def _ramps(self) -> Ramps:
        starts = np.array([region.start for region in self.by_height])
        if self.blending == "smooth":
            return smooth_ramps(starts, self.blend)
        return threshold_ramps(starts, self.threshold, self.factor)

    @property
    def surface_colors(self) -> dict[str, Floats]:
        """Mean linear RGB of the colors of each surface class that the palette uses.

        Colors of water do not count where the class has others.
        """
        found: dict[str, list[Floats]] = {}
        own = (region for _, palette in self.areas for region in palette.by_height)
        regions = sorted(
            (*self.by_height, *self.by_field, *own), key=lambda r: surfaces.is_water(r.color)
        )
        for region in regions:
            if surfaces.is_water(region.color) and region.surface_class in found:
                continue
            found.setdefault(region.surface_class, []).append(linear(region.color)[:3])
        for palette in (self, *(palette for _, palette in self.areas)):
            if palette.rock_on_slopes:
                found.setdefault(surfaces.ROCK, []).append(linear(palette.rock_color)[:3])
        return {key: np.mean(colors, axis=0) for key, colors in found.items()}

    @small_ufunc_buffer()
    def cover(self, values: Mapping[str, Floats]) -> Floats | None:
        """Return the layer of colors by fields: (..., 4) float32, linear RGB times alpha, and
        alpha.

        ``values`` holds fields of one shape by name. None if no region is based on any of them.
        """
        over = [region for region in self.by_field if region.field in values]
        if not over:
            return None
        out = np.zeros((values[over[0].field].size, 4), np.float32)
        layers = [(self._over(one, values), linear(one.color)) for one in over]
        for part in parts(len(out), BAND):
            for weight, color in layers:
                out[part] += weight(part)[:, None] * (color - out[part])
        return out.reshape(*values[over[0].field].shape, 4)


def _halved(classes: Vectors, half: slice) -> Vectors:
    """Return a part of each vector."""
    ground, over = ([one[half] for one in rows] for rows in (classes.ground, classes.over))
    areas = [_halved(one, half) for one in classes.areas]
    return Vectors(ground, classes.rock[half], over, areas)


def _mix_area(
    paint: Callable[[Floats, Floats | None, Sequence[Floats]], None],
    heights: Floats,
    slopes: Floats | None,
    weight: Floats,
    outs: Sequence[Floats],
) -> None:
    """Mix the ground of an area into the rows of some points, by its weight there."""
    inside = np.flatnonzero(weight)
    if not inside.size:
        return
    share = weight[inside][:, None]
    owns = [np.empty((inside.size, out.shape[1]), np.float32) for out in outs]
    paint(heights[inside], None if slopes is None else slopes[inside], owns)
    for own, out in zip(owns, outs, strict=True):
        below = out[inside]
        own -= below
        own *= share
        own += below
        out[inside] = own
