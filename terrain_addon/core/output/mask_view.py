# SPDX-License-Identifier: GPL-3.0-or-later
"""A mask to look at: its values as colours, and in words what the colours mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..analysis import fields
from ..evaluation.heightfield import Heightfield
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.srgb import linear
from ..recipe.palette import BAND, LEAST_RANGE
from ..recipe.recipe import Layer

LAYER = "layer"
"""Stands for the masks of one layer, where `fields.FIELDS` names a mask of the terrain."""

RAMP = ("#5A5CC8", "#4A80D2", "#3BA3C8", "#45BE9C", "#8AD36C", "#D2E05C", "#FFF6B0")
"""From low to high, evenly. Each is lighter than the one before, and of another hue, so that slopes
in the shade are not taken for low values; the first is not dark, so that forms show."""
WHEEL = ("#4C78D8", "#C8B13A", "#D9694F", "#3FA98C", "#4C78D8")
"""Of directions: where the ground falls to +Y, +X, -Y, -X and +Y again."""
STEPS = 1024
OUTERMOST = 0.01
"""Share of the points whose values may lie beyond a range with 0 in its middle: curvatures have
few that are far out, and would all look the same beside them."""
SAMPLE = 65536
"""Points that are enough to find that share."""


@dataclass(frozen=True)
class Shown:
    """What is looked at instead of the colours."""

    mask: str
    """A name in `fields.FIELDS`, or `LAYER`."""
    place: int = -1
    """Number of the layer, from the ground up, for `LAYER`."""


@dataclass(frozen=True)
class Legend:
    """What the colours mean."""

    text: str
    """In words, such as "Slope, 0 to 90 degrees"; without ends, why there is nothing to see."""
    low: str = ""
    high: str = ""
    """The values at the ends of the ramp."""
    colors: tuple[str, ...] = ()
    """The ramp from low to high, in even steps: sRGB, as "#RRGGBB"."""


@small_ufunc_buffer()
def field_colors(name: str, field: Heightfield) -> tuple[Floats, Legend]:
    """Linear RGBA (ny, nx, 4) of a mask of a terrain, and what it means.

    ValueError for a mask that no layer has left.
    """
    about = fields.FIELDS[name]
    try:
        values = field.fields[name]
    except KeyError:
        raise ValueError(f"No layer leaves the mask {about.label!r}. {about.help}") from None
    low, high = about.natural or _range(values)
    colors = WHEEL if about.circular else RAMP
    legend = _legend(about.label, low, high, fields.UNITS.get(about.unit, ""), colors)
    return ramp(values, low, high, colors), legend


@small_ufunc_buffer()
def weight_colors(layer: Layer, weight: Floats) -> tuple[Floats, Legend]:
    """Linear RGBA (ny, nx, 4) of where a layer acts, and what it means."""
    colors = ramp(weight, 0.0, 1.0, RAMP)
    if not layer.masks:
        return colors, Legend("No mask: the layer acts everywhere", "0", "1", RAMP)
    title = "Where the active layer acts" if layer.on else "Where the layer would act if on"
    return colors, _legend(title, 0, 1, "", RAMP)


def _legend(title: str, low: float, high: float, unit: str, colors: tuple[str, ...]) -> Legend:
    ends = _number(low), _number(high)
    text = f"{title}, {ends[0]} to {ends[1]} {unit}".rstrip()
    return Legend(text, ends[0], ends[1], colors)


def _number(value: float) -> str:
    return f"{value + 0:.0f}" if abs(value) >= 100 else f"{value + 0:.3g}"


def _range(values: Floats) -> tuple[float, float]:
    """Lowest and highest value; where both signs occur, a range with 0 in its middle."""
    low, high = float(values.min()), float(values.max())
    if low >= 0 or high <= 0:
        return low, high
    sizes = np.abs(values.reshape(-1)[:: max(1, values.size // SAMPLE)])
    most = float(np.quantile(sizes, 1 - OUTERMOST)) or max(-low, high)
    return -most, most


def ramp(values: Floats, low: float, high: float, colors: tuple[str, ...]) -> Floats:
    """Linear RGBA (..., 4) float32 of values; those beyond ``low`` to ``high`` take the ends.

    The low end is all there is of a range without extent.
    """
    table = _table(colors)
    scale = np.float32((STEPS - 1) / (high - low) if high - low > LEAST_RANGE else 0.0)
    out = np.empty((values.size, 4), np.float32)
    flat = values.reshape(-1)
    for start in range(0, flat.size, BAND):
        part = slice(start, start + BAND)
        place = np.clip(flat[part], np.float32(low), np.float32(high))
        place -= np.float32(low)
        place *= scale
        place += np.float32(0.5)
        np.take(table, place.astype(np.intp), axis=0, out=out[part], mode="clip")
    return out.reshape(*values.shape, 4)


def _table(colors: tuple[str, ...]) -> Floats:
    """Linear RGBA of `STEPS` places on a ramp."""
    knots, steps = np.linspace(0, 1, len(colors)), np.linspace(0, 1, STEPS)
    ends = np.stack([linear(color) for color in colors])
    table = np.stack([np.interp(steps, knots, ends[:, n]) for n in range(4)], 1)
    return table.astype(np.float32)
