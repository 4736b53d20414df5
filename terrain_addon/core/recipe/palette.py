# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors by height, slope and masks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..analysis import fields
from ..numerics.arrays import Doubles, Floats, small_ufunc_buffer
from ..numerics.blocks import parts
from ..numerics.srgb import encoded, hex_code, linear
from ..settings.params import Settings, checked_list, checked_parts, checked_values, meters, param

MAX_REGIONS = 32
HIGHEST_START = 1e6
BAND = 32768  # points at a time: temporaries stay in the processor's cache
TABLE = 16384  # steps of the table of a smooth palette
LEAST_SPAN = 1e-4  # of starts or slopes: closer together float32 has no room for ramps
USUAL_GAP = 100.0  # meters from a lone region to the next
LEAST_RANGE = 1e-30  # meters: land with less is flat
BY_HEIGHT = "height"  # what most regions go by
USUAL_LIMITS = (0.2, 0.8)  # where the color of a mask begins and ends, as shares of its range


class Region(Settings):
    """A color and where it lies.

    By height: from its start up to the next such region's start. By a mask: on top of all others
    where the mask is high, or low if ``low`` is the higher one.
    """

    name: str = param("Color", label="Name", help="Name of the color, for your own orientation")
    color: str = param(
        "#808080", label="Color", help="What the ground there is colored", color=True
    )
    based_on: str = param(
        BY_HEIGHT,
        label="Based On",
        help="What chooses the ground; without the layer that a mask needs there is no color",
        choices=[
            (BY_HEIGHT, "Height", "From its start up to the start of the next color by height"),
            *fields.choices(),
        ],
    )
    start: float = param(
        0.0,
        label="Start",
        help="Height at which the color begins, in the palette's measure",
        min=-HIGHEST_START,
        max=HIGHEST_START,
        shown_if=("based_on", (BY_HEIGHT,)),
    )
    low: float = param(
        USUAL_LIMITS[0],
        label="From",
        help="Value of the mask at which the color begins to show",
        min=-1e7,
        max=1e7,
        shown_if=("based_on", tuple(fields.FIELDS)),
    )
    high: float = param(
        USUAL_LIMITS[1],
        label="Full At",
        help="Value of the mask at which the color has taken over",
        min=-1e7,
        max=1e7,
        shown_if=("based_on", tuple(fields.FIELDS)),
    )

    @property
    def mask(self) -> str:
        """Name of the mask that it goes by, "" for a region by height."""
        return "" if self.based_on == BY_HEIGHT else self.based_on

    @classmethod
    def of_mask(cls, mask: str) -> Region:
        """A region by a mask, within the middle of its natural range."""
        field = fields.FIELDS[mask]
        low, high = field.natural or (0.0, 1.0)
        begin, end = (low + share * (high - low) for share in USUAL_LIMITS)
        return cls(name=field.label, color=field.color, based_on=mask, low=begin, high=end)

    def unit_of(self, name: str) -> str:
        if name in ("low", "high") and self.mask:
            return fields.FIELDS[self.mask].unit
        return super().unit_of(name)

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        return fields.FIELDS[self.mask].values if name == "based_on" and self.mask else ""

    def weight(self, mask: Floats) -> Floats:
        """How far the color has taken over, 0 to 1, where the mask has these values."""
        span = self.high - self.low
        if abs(span) <= LEAST_SPAN:
            return (mask >= np.float32(self.low)).astype(np.float32)
        weight = (mask - np.float32(self.low)) * np.float32(1 / span)
        return np.clip(weight, np.float32(0), np.float32(1), out=weight)


class Palette(Settings):
    """Regions by height, how they blend, rock on steep ground, and regions by masks on top.

    The lowest region by height reaches down without end, the highest up without end. They are
    kept sorted by their start; those by masks follow in the order in which they cover each other.
    There are 1 to 32 regions.
    """

    measure: str = param(
        "relative",
        label="Heights",
        help="What the starts of the colors mean",
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
        label="Full Height",
        help="Height that counts as 1",
        unit="m",
        min=1e-6,
        max=1e6,
        shown_if=("measure", ("signed",)),
    )
    blending: str = param(
        "smooth",
        label="Blending",
        help="How neighboring colors run into each other",
        choices=[
            ("smooth", "Smooth", "A ramp across each border, as wide as you like"),
            (
                "threshold",
                "Threshold",
                "Just below the next start that color is mixed in by a fixed factor",
            ),
        ],
    )
    blend: float = param(
        0.3,
        label="Blend",
        help="From hard steps (0) to a continuous ramp (1)",
        unit="factor",
        shown_if=("blending", ("smooth",)),
    )
    threshold: float = param(
        0.025,
        label="Threshold",
        help="How far below the next start that color begins to be mixed in",
        min=0.0,
        max=1e6,
        soft_max=0.2,
        shown_if=("blending", ("threshold",)),
    )
    factor: float = param(
        0.5,
        label="Factor",
        help="How much of the next color is mixed in",
        unit="factor",
        shown_if=("blending", ("threshold",)),
    )
    rock_on_slopes: bool = param(False, label="Rock on Slopes", help="Color steep ground as rock")
    rock_color: str = param(
        "#6B645C",
        label="Rock Color",
        help="Color of steep ground",
        color=True,
        shown_if=("rock_on_slopes", (True,)),
    )
    rock_slope: float = param(
        38.0,
        label="From Slope",
        help="Slope at which rock begins to show",
        unit="deg",
        min=0.0,
        max=90.0,
        shown_if=("rock_on_slopes", (True,)),
    )
    rock_fade: float = param(
        8.0,
        label="Fade",
        help="Slope over which rock takes over",
        unit="deg",
        min=0.0,
        max=90.0,
        shown_if=("rock_on_slopes", (True,)),
    )
    regions: tuple[Region, ...] = (Region(name="Land", start=0.0, color="#808080"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "regions", checked_parts(self.regions, Region, "regions"))
        if not 1 <= len(self.regions) <= MAX_REGIONS:
            raise ValueError(f"regions: a palette has 1 to {MAX_REGIONS}, not {len(self.regions)}")
        by_height = sorted((one for one in self.regions if not one.mask), key=lambda r: r.start)
        by_mask = (one for one in self.regions if one.mask)
        object.__setattr__(self, "regions", (*by_height, *by_mask))

    @property
    def by_height(self) -> tuple[Region, ...]:
        """The regions by height, from the lowest up; a gray one if there is none."""
        return tuple(one for one in self.regions if not one.mask) or (Region(name="Land"),)

    @property
    def by_mask(self) -> tuple[Region, ...]:
        """The regions by masks, each on top of the last."""
        return tuple(one for one in self.regions if one.mask)

    @property
    def masks(self) -> tuple[str, ...]:
        """Names of the masks that color, each once."""
        return tuple(dict.fromkeys(one.mask for one in self.by_mask))

    def with_fields(self, ranges: Mapping[str, tuple[float, float]]) -> Palette:
        """Add a region for each field that has none, its color fading in over that range.

        Fields for which there is no room are left out.
        """
        new = [
            dataclasses.replace(Region.of_mask(name), low=low, high=high)
            for name, (low, high) in ranges.items()
            if name not in self.masks
        ]
        room = MAX_REGIONS - len(self.regions)
        return dataclasses.replace(self, regions=(*self.regions, *new[:room])) if new else self

    def unit_of(self, name: str) -> str:
        if name == "threshold":
            return "m" if self.measure == "meters" else ""
        return super().unit_of(name)

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "regions": [region.to_dict() for region in self.regions]}

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
        """A new region half way from one of them to the next higher, in the color between both.

        After a region by a mask it is one by height too, above all others. Above the highest one
        it lies half way to the top of the land; where heights in meters do not tell where that is,
        as far up as the region below lies down.
        """
        names = {region.name for region in self.regions}
        number = len(self.regions) + 1
        while f"Color {number}" in names:
            number += 1
        below = self.by_height[-1] if below.mask else below
        higher = [region for region in self.by_height if region.start > below.start]
        above = higher[0] if higher else self._beyond(below)
        return Region(
            name=f"Color {number}",
            start=(below.start + above.start) / 2,
            color=_mean_color(below.color, above.color),
        )

    def _beyond(self, highest: Region) -> Region:
        """A white region that is thought of above the highest one."""
        end = 1.0
        if self.measure == "meters" or highest.start >= end:
            lower = [one.start for one in self.by_height if one.start < highest.start]
            gap = highest.start - max(lower) if lower else USUAL_GAP
            end = highest.start + 2 * gap
        return Region(start=min(end, HIGHEST_START), color="#FFFFFF")

    def measured(self, height: Floats, low: float, high: float) -> Floats:
        """Heights (meters) in the palette's measure; the land ranges from ``low`` to ``high``."""
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
    ) -> Floats:
        """Linear RGBA of each point, (..., 4) float32 with alpha 1.

        ``height`` in meters and ``slope`` in degrees (needed only for rock) have the same shape;
        ``low`` to ``high`` is the terrain's range in meters. ``cover`` is what lies on top, as
        :meth:`cover` makes it. Colors are mixed in linear light.
        """
        out = np.empty((height.size, 4), np.float32)
        heights = height.reshape(-1)
        slopes = None if slope is None or not self.rock_on_slopes else slope.reshape(-1)
        covers = None if cover is None else cover.reshape(-1, 4)
        mix = _smooth_mix(self) if self.blending == "smooth" else _threshold_mix(self)
        for part in parts(height.size, BAND):
            with np.errstate(over="ignore"):  # infinity lies beyond all regions, as it should
                mix(self.measured(heights[part], low, high), out[part])
            if slopes is not None:
                _add_rock(self, slopes[part], out[part])
            if covers is not None:
                out[part] *= np.float32(1) - covers[part, 3:]
                out[part] += covers[part]
        return out.reshape(*height.shape, 4)

    @small_ufunc_buffer()
    def cover(self, masks: Mapping[str, Floats]) -> Floats | None:
        """What regions by masks lay over the ground: (..., 4) float32, linear RGB times alpha.

        None where they have none of these masks, which all have the shape of the ground.
        """
        over = [one for one in self.by_mask if one.mask in masks]
        if not over:
            return None
        out = np.zeros((masks[over[0].mask].size, 4), np.float32)
        layers = [(one, linear(one.color), masks[one.mask].reshape(-1)) for one in over]
        for part in parts(len(out), BAND):
            for region, color, values in layers:
                weight = region.weight(values[part])[:, None]
                out[part] += weight * (color - out[part])
        return out.reshape(*masks[over[0].mask].shape, 4)


def _mean_color(one: str, other: str) -> str:
    """The sRGB hex color half way between two, in linear light as all colors are mixed."""
    light = (linear(one)[:3].astype(np.float64) + linear(other)[:3]) / 2
    return hex_code(encoded(light).tolist())


def _table(palette: Palette) -> tuple[Doubles, Floats]:
    """Starts and linear colors of the regions by height."""
    starts = np.array([region.start for region in palette.by_height])
    return starts, np.stack([linear(region.color) for region in palette.by_height])


def _smooth_mix(palette: Palette) -> Any:
    """Ramps across each border, over the given share of the half regions on both sides."""
    starts, colors = _table(palette)
    widths = np.diff(starts)
    above = np.append(widths[1:], widths[-1:])
    lows = starts[1:] - palette.blend * widths / 2
    highs = starts[1:] + palette.blend * above / 2
    knots = np.stack([lows, highs], 1).reshape(-1)
    if palette.blend == 0 or knots.size == 0 or knots[-1] - knots[0] < LEAST_SPAN:
        return _threshold_mix(dataclasses.replace(palette, threshold=0.0))
    values = np.repeat(colors, 2, axis=0)[1:-1]
    # A look-up in a fine table is six times as fast as interpolating three channels at each point,
    # and its steps lie far below those of a screen.
    steps = np.linspace(float(knots[0]), float(knots[-1]), TABLE)
    table = np.empty((TABLE, 4), np.float32)
    for channel in range(4):
        table[:, channel] = np.interp(steps, knots, values[:, channel])
    scale = (TABLE - 1) / (knots[-1] - knots[0])

    def mix(value: Floats, out: Floats) -> None:
        place = (value - np.float32(knots[0])) * np.float32(scale)
        place += np.float32(0.5)
        np.clip(place, np.float32(0), np.float32(TABLE - 1), out=place)
        np.take(table, place.astype(np.intp), axis=0, out=out, mode="clip")

    return mix


def _threshold_mix(palette: Palette) -> Any:
    """Hard steps; closer than the threshold below the next start, its color is mixed in."""
    starts, colors = _table(palette)
    following = np.append(colors[1:], colors[-1:], axis=0)
    mixed = colors + np.float32(palette.factor) * (following - colors)
    table = np.stack([colors, mixed], 1).reshape(-1, 4)
    # Float32 borders: a height of exactly a region's start belongs to that region.
    borders = starts[1:].astype(np.float32)
    near = np.maximum(starts[1:] - palette.threshold, starts[:-1]).astype(np.float32)
    edges = np.stack([near, borders], 1).reshape(-1)

    def mix(value: Floats, out: Floats) -> None:
        np.take(table, np.searchsorted(edges, value, side="right"), axis=0, out=out)

    return mix


def _add_rock(palette: Palette, slope: Floats, out: Floats) -> None:
    """Mix the rock color into the points that are steep enough, usually few of all."""
    steep = np.flatnonzero(slope >= np.float32(palette.rock_slope))
    if not steep.size:
        return
    weight = np.ones(steep.size, np.float32)
    if palette.rock_fade > LEAST_SPAN:
        weight = (slope[steep] - np.float32(palette.rock_slope)) / np.float32(palette.rock_fade)
        np.minimum(weight, np.float32(1), out=weight)
    below = out[steep]
    out[steep] = below + weight[:, None] * (linear(palette.rock_color) - below)
