# SPDX-License-Identifier: GPL-3.0-or-later
"""Dunes that stand apart: barchans, stars and parabolic dunes, one to a cell.

Their forms follow the descriptions of McKee (1979). Coordinates are in cells with the wind along
the first, heights 0 to 1, and ``steepest`` is the fall of such a height over one cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .... import noise
from ....numerics.arrays import Doubles, Floats

SMALLER = 0.65
"""How much smaller than the largest the smallest dunes of a very patchy field are."""
HALF_WIDTH, BRINK, HORN = 0.46, -0.12, 0.42
"""Of a barchan: half its width, the place of the brink's middle, and how far horns reach beyond."""
WINDWARD = 0.5
"""Length of a barchan's windward side."""
NOSE, ARM, BLUNT = 0.42, 0.55, 2.4
"""Of a parabolic dune: the place of its nose, how far arms trail, and the exponent of their
curve."""
FACE, GENTLE = 0.78, 0.3
"""Slopes of its slip face, across the crest, which falls too, and of its windward side, in slopes
that sand holds."""
ARMS = (3, 5)
"""Least and most arms of a star."""
LENGTH = (0.45, 0.95)
"""Length of an arm."""
ALONE = 0.93
"""Slope of the flanks of an arm, in slopes that sand holds: arms that melt together are steeper."""
CREST = 0.015
"""Radius of the crest of an arm, in cells: edges of a mesh do not follow it, and make teeth of a
sharp one."""
MELT = 12.0
"""How narrow the hollows between arms are: the larger, the narrower."""
Dune = tuple[Floats, Floats, Floats, Floats, Floats]


def _each(a: Doubles, b: Doubles, seed: int, patchiness: float) -> Iterator[Dune]:
    """Yield, for each dune that may reach the points, their places in sizes of the dune, its size,
    and two random numbers."""
    for along, across, first, second in noise.scattered(a, b, seed, 1.0):
        size = np.asarray(1 - np.float32(SMALLER * patchiness) * first * first, np.float32)
        yield along / size, across / size, size, first, second


def barchans(a: Doubles, b: Doubles, seed: int, steepest: float, patchiness: float) -> Floats:
    """Return the heights of crescents whose horns point down the wind."""
    height = np.zeros(a.shape, np.float32)
    for along, across, size, _, random in _each(a, b, seed, patchiness):
        t = np.clip(across / np.float32(HALF_WIDTH), -1, 1)
        # One horn is longer than the other.
        horn = np.float32(HORN) * (1 + np.float32(0.8) * (random - np.float32(0.5)) * np.sign(t))
        beyond = along - (np.float32(BRINK) + horn * t * t)
        crest = 1 - t * t
        rise = np.clip(
            beyond / (np.float32(WINDWARD) * np.sqrt(crest) + np.float32(1e-3)) + 1, 0, 1
        )
        windward = crest * rise * rise * (2 - rise)
        lee = crest - _fall(2 * horn * t, -2 * t, steepest) * beyond
        dune = np.where(beyond < 0, windward, np.maximum(lee, 0))
        np.maximum(height, np.where(np.abs(t) < 1, dune * size, 0), out=height)
    return height


def _fall(turned: NDArray[Any], lower: NDArray[Any], steepest: float) -> NDArray[Any]:
    """Return the fall along the wind of a slip face, whose slope is ``steepest``, by how the place
    and the height of its brink change across the wind, per half width."""
    turned, lower = turned / HALF_WIDTH, lower / HALF_WIDTH
    square = 1 + turned * turned
    room = steepest**2 * square - lower * lower
    return (np.sqrt(np.maximum(room, 0)) - turned * lower) / square


def parabolic(a: Doubles, b: Doubles, seed: int, steepest: float, patchiness: float) -> Floats:
    """Return the heights of dunes whose noses move on while plants hold their arms."""
    height = np.zeros(a.shape, np.float32)
    for along, across, size, first, second in _each(a, b, seed, patchiness):
        width = np.float32(0.26) + np.float32(0.12) * second
        t = np.minimum(np.abs(across) / width, np.float32(1.3))
        uneven = (first * np.float32(17.3)) % 1 - np.float32(0.5)
        arm = np.float32(ARM) * (1 + np.float32(0.5) * uneven * np.sign(across))
        beyond = along - (np.float32(NOSE) - arm * t ** np.float32(BLUNT))
        turned = np.float32(BLUNT) * arm * t ** np.float32(BLUNT - 1) / width
        beyond /= np.sqrt(1 + turned * turned)
        end = np.clip((along + np.float32(0.75)) / np.float32(0.4), 0, 1)
        crest = np.maximum(1 - np.float32(0.75) * t ** np.float32(1.5), 0)
        crest *= end * end * (3 - 2 * end)
        fall = np.where(beyond > 0, np.float32(FACE) * beyond, np.float32(-GENTLE) * beyond)
        dune = crest - np.float32(steepest) * fall
        np.maximum(height, dune * size, out=height)
    return height


def stars(a: Doubles, b: Doubles, seed: int, steepest: float, patchiness: float) -> Floats:
    """Return the heights of peaks with three to five winding arms."""
    total = np.zeros(a.size, np.float32)
    for dune in _each(a, b, seed, patchiness):
        near = np.maximum(1 - dune[0] * dune[0] - dune[1] * dune[1], 0).ravel()
        reached = np.flatnonzero(near)  # a third of the points
        near = near[reached]
        along, across, size, first, second = (
            np.broadcast_to(part, a.shape).ravel()[reached] for part in dune
        )
        count = ARMS[0] + np.floor(second * (ARMS[1] - ARMS[0] + 1))
        for k in range(ARMS[1]):
            arm = _arm(along, across, first, second, (k, count), steepest, CREST / size)
            shown = np.exp(np.float32(MELT) * np.maximum(arm * size, -1)) * near
            total[reached] += np.where(k < count, shown, 0)
    total = total.reshape(a.shape)
    # A smooth maximum of all arms and the ground: hollows between arms are round.
    return np.asarray(np.log1p(total) / np.float32(MELT), np.float32)


def _arm(
    along: Floats,
    across: Floats,
    first: Floats,
    second: Floats,
    number: tuple[int, Floats],
    steepest: float,
    radius: Floats,
) -> Floats:
    """Return the height of one of the arms of a star, below 0 beside it."""
    k, count = number
    long = np.abs((first * np.float32(61.7) + np.float32(0.618 * k)) % 1 - np.float32(0.5)) * 2
    random = (second * np.float32(41.3) + np.float32(0.755 * k)) % 1 - np.float32(0.5)
    turn = 2 * np.float32(math.pi) * (first * np.float32(7.3) + (k + random / 2) / count)
    cos, sin = np.cos(turn), np.sin(turn)
    out, aside = along * cos + across * sin, across * cos - along * sin
    bend = np.float32(1.6) * random
    aside += bend * out * out
    aside /= np.sqrt(1 + (2 * bend * out) ** 2)
    length = LENGTH[0] + np.float32(LENGTH[1] - LENGTH[0]) * long
    t = np.maximum(out, 0) / length
    crest = 1 - np.float32(0.75) * t - np.float32(0.6) * t * t
    down = (np.float32(0.75) + np.float32(1.2) * t) / length
    # Flanks and crest together are as steep as sand is, and flanks at least half as steep.
    flank = np.sqrt(np.maximum((ALONE * steepest) ** 2 - down * down, (steepest / 2) ** 2))
    away = np.sqrt(np.minimum(out, 0) ** 2 + aside * aside + radius * radius)
    return np.asarray(crest - flank * (away - radius), np.float32)


FORMS: dict[str, Callable[[Doubles, Doubles, int, float, float], Floats]] = {
    "barchan": barchans,
    "star": stars,
    "parabolic": parabolic,
}
LEAST = {"barchan": 4.5, "star": 2.4, "parabolic": 5.0}
"""Least ``steepest`` of each form: sides other than the slip faces are gentler than they are."""
