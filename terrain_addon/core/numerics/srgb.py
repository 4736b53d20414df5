# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between sRGB "#RRGGBB", as in recipes, and linear light (IEC 61966-2-1)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

Number = TypeVar("Number", np.float32, np.float64)


def channels(code: str) -> tuple[float, ...]:
    """Return red, green and blue of "#RRGGBB", 0 to 1, in sRGB."""
    return tuple(int(code[k : k + 2], 16) / 255 for k in (1, 3, 5))


def hex_code(rgb: Iterable[float]) -> str:
    """Format red, green and blue, 0 to 1, as "#RRGGBB"; the inverse of :func:`channels`."""
    return "#" + "".join(f"{round(channel * 255):02X}" for channel in rgb)


@lru_cache(maxsize=256)  # a change of a color asks for each of a palette several times
def linear(code: str) -> Floats:
    """Return the linear RGBA of "#RRGGBB", alpha 1, read-only.

    Examples
    --------
    >>> linear("#FF0080").round(3).tolist()[:2]
    [1.0, 0.0]
    """
    light = np.append(decoded(np.array(channels(code))), 1.0).astype(np.float32)
    light.flags.writeable = False
    return light


def decoded(srgb: NDArray[Number]) -> NDArray[Number]:
    """Return the linear values of sRGB values from 0 to 1; the inverse of :func:`encoded`."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def encoded(light: NDArray[Number]) -> NDArray[Number]:
    """Encode linear values from 0 to 1 in sRGB."""
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
