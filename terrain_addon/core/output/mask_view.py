# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask view: the values of a mask or field as colors, and a legend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..analysis import fields
from ..evaluation.heightfield import Heightfield
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.blocks import BAND, parts
from ..numerics.srgb import linear
from ..recipe.palette import LEAST_RANGE
from ..recipe.recipe import Layer

LAYER_MASKS = "layer"
"""Shows the masks of one layer, in place of a name in `fields.FIELDS`."""

RAMP = ("#5A5CC8", "#4A80D2", "#3BA3C8", "#45BE9C", "#8AD36C", "#D2E05C", "#FFF6B0")
"""From low to high, evenly spaced. Lightness increases and the hue changes, so that slopes in the
shade do not look like low values; the first color is not dark, so that relief shows."""
WHEEL = ("#4C78D8", "#C8B13A", "#D9694F", "#3FA98C", "#4C78D8")
"""Of directions: the ground falls to +Y, +X, -Y, -X and +Y again."""
STEPS = 1024
OUTLIERS = 0.01
"""Share of the points whose values may lie beyond a range around 0: with the few extreme values of
a curvature inside, all others would look the same."""
SAMPLE = 65536
"""Points that suffice to find that share."""


@dataclass(frozen=True)
class MaskView:
    """What the colors of a terrain show instead of its palette.

    Attributes
    ----------
    mask : a name in `fields.FIELDS`, or `LAYER_MASKS`
    place : number of the layer, from the ground up, for `LAYER_MASKS`
    """

    mask: str
    place: int = -1


@dataclass(frozen=True)
class Legend:
    """What the colors mean.

    Attributes
    ----------
    text : such as "Slope, 0 to 90 degrees"; without colors, why there is nothing to show
    low, high : the values at the ends of the ramp
    colors : the ramp from low to high in even steps, sRGB as "#RRGGBB"
    """

    text: str
    low: str = ""
    high: str = ""
    colors: tuple[str, ...] = ()


@small_ufunc_buffer()
def field_colors(name: str, terrain: Heightfield) -> tuple[Floats, Legend]:
    """Return linear RGBA (ny, nx, 4) of a field, and its legend; ValueError when no layer produces
    it."""
    about = fields.FIELDS[name]
    try:
        values = terrain.fields[name]
    except KeyError:
        raise ValueError(f"No layer produces {about.label!r}. {about.help}") from None
    low, high = about.natural or _range(values)
    colors = WHEEL if about.circular else RAMP
    legend = _legend(about.label, low, high, fields.UNITS.get(about.unit, ""), colors)
    return ramp(values, low, high, colors), legend


@small_ufunc_buffer()
def weight_colors(layer: Layer, weight: Floats) -> tuple[Floats, Legend]:
    """Return linear RGBA (ny, nx, 4) of a layer's weight, and its legend."""
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
    """Return the lowest and highest value; where both signs occur, a range around 0."""
    low, high = float(values.min()), float(values.max())
    if low >= 0 or high <= 0:
        return low, high
    sizes = np.abs(values.reshape(-1)[:: max(1, values.size // SAMPLE)])
    most = float(np.quantile(sizes, 1 - OUTLIERS)) or max(-low, high)
    return -most, most


def ramp(values: Floats, low: float, high: float, colors: tuple[str, ...]) -> Floats:
    """Return linear RGBA (..., 4) float32 of values, which are clipped to ``low`` to ``high``.

    An empty range has the color of its low end.
    """
    table = _table(colors)
    scale = np.float32((STEPS - 1) / (high - low) if high - low > LEAST_RANGE else 0.0)
    out = np.empty((values.size, 4), np.float32)
    flat = values.reshape(-1)
    for part in parts(flat.size, BAND):
        place = np.clip(flat[part], np.float32(low), np.float32(high))
        place -= np.float32(low)
        place *= scale
        place += np.float32(0.5)
        np.take(table, place.astype(np.intp), axis=0, out=out[part], mode="clip")
    return out.reshape(*values.shape, 4)


def _table(colors: tuple[str, ...]) -> Floats:
    """Return linear RGBA of `STEPS` positions on a ramp."""
    knots, steps = np.linspace(0, 1, len(colors)), np.linspace(0, 1, STEPS)
    ends = np.stack([linear(color) for color in colors])
    table = np.stack([np.interp(steps, knots, ends[:, n]) for n in range(4)], 1)
    return table.astype(np.float32)
