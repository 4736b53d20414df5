# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels along contours: where lines are straightest, never upside down, apart from each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles
from .lines import Contour

ROOM = 1.4
"""Length of the gap in a line, in widths of its label."""
SHORTEST, EVERY = 12.0, 100.0
"""Length of the shortest line that has a label, and of line for each of several labels, in heights
of a digit."""
APART = 10.0
"""Distance of the middles of two labels at least, in heights of a digit."""
CANDIDATES = 64
"""Places on a line that are compared for each label."""


@dataclass(frozen=True)
class Label:
    """A label on a line.

    Attributes
    ----------
    text : what it says
    x, y : its middle, in meters
    angle : degrees counterclockwise, from -90 to 90: readable from below
    begin, end : distance along the line, in meters, between which it has a gap
    """

    text: str
    x: float
    y: float
    angle: float
    begin: float
    end: float


def labels(
    lines: Sequence[Contour], size: float, half_x: float, half_y: float
) -> dict[int, list[Label]]:
    """Return the labels of the index contours, by their number among the lines.

    Each goes where the line, over the length of the label, is straightest. The longest lines come
    first; a label that has no room is left out.

    Parameters
    ----------
    lines : contours
    size : height of digits in meters
    half_x, half_y : labels stay within this distance from the middle

    Examples
    --------
    >>> line = Contour(100.0, np.float64([[90, 0], [-90, 0]]), True)
    >>> labels([line], 5.0, 100.0, 100.0)[0][0].angle
    0.0
    """
    placed: dict[int, list[Label]] = {}
    middles = np.empty((0, 2))
    order = sorted(
        (place for place, line in enumerate(lines) if line.is_index),
        key=lambda place: -lines[place].length,
    )
    for place in order:
        line = lines[place]
        text = f"{line.level:.10g}"
        width = ROOM * size * 0.6 * len(text)
        if line.length < max(SHORTEST * size, 2 * width):
            continue
        count = max(1, round(line.length / (EVERY * size)))
        for label in _on(line, text, width, count, (half_x - width / 2, half_y - width / 2)):
            middle = np.array([[label.x, label.y]])
            if (np.hypot(*(middles - middle).T) < max(APART * size, 1.5 * width)).any():
                continue
            middles = np.append(middles, middle, axis=0)
            placed.setdefault(place, []).append(label)
    return placed


def gaps(line: Contour, own: Sequence[Label]) -> list[Doubles]:
    """Return the parts of a line beside its labels.

    Examples
    --------
    >>> line = Contour(0.0, np.float64([[0, 0], [10, 0]]))
    >>> [part.tolist() for part in gaps(line, [Label("0", 5.0, 0.0, 0.0, 4.0, 6.0)])]
    [[[0.0, 0.0], [4.0, 0.0]], [[6.0, 0.0], [10.0, 0.0]]]
    """
    along = _distances(line.points)
    ends = [
        0.0,
        *(end for one in sorted(own, key=lambda one: one.begin) for end in (one.begin, one.end)),
    ]
    ends.append(float(along[-1]))
    parts: list[Doubles] = []
    for begin, end in zip(ends[::2], ends[1::2], strict=True):
        if end > begin:
            inner = line.points[(along > begin) & (along < end)]
            first, last = (_at(line.points, along, np.array([place])) for place in (begin, end))
            parts.append(np.concatenate([first, inner, last]))
    return parts


def _on(
    line: Contour, text: str, width: float, count: int, half: tuple[float, float]
) -> list[Label]:
    """Return the best place for a label on each of so many stretches of a line."""
    along = _distances(line.points)
    length = float(along[-1])
    found: list[Label] = []
    for stretch in range(count):
        begins = np.linspace(stretch, stretch + 1, CANDIDATES) * (length / count)
        begins = begins[begins + width <= length]
        ends = begins + width
        steps = np.linspace(0, 1, 9)
        places = _at(line.points, along, begins[:, None] + width * steps).reshape(-1, 9, 2)
        chord = places[:, -1] - places[:, 0]
        span = np.maximum(np.hypot(*chord.T), 1e-12)
        aside = places - places[:, :1]
        away = np.abs(aside[..., 0] * chord[:, None, 1] - aside[..., 1] * chord[:, None, 0])
        bend = away.max(axis=1) / span
        middle = places.mean(axis=1)
        bend[(np.abs(middle) > half).any(axis=1) | (span < 0.8 * width)] = np.inf
        if not bend.size or not np.isfinite(bend.min()):
            continue
        best = int(bend.argmin())
        x, y = middle[best]
        angle = _readable(*chord[best])
        found.append(Label(text, float(x), float(y), angle, float(begins[best]), float(ends[best])))
    return found


def _readable(x: float, y: float) -> float:
    """Return the angle of a direction, or of the opposite one, that text can be read in.

    Examples
    --------
    >>> [_readable(-1, 0), _readable(0, -1), _readable(-1, 1)]
    [0.0, 90.0, -45.0]
    """
    angle = math.degrees(math.atan2(y, x))
    turned = angle - 180 * round(angle / 180)
    return 90.0 if abs(turned) == 90 else turned + 0.0


def _distances(points: Doubles) -> Doubles:
    return np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))


def _at(points: Doubles, along: Doubles, where: Doubles) -> Doubles:
    """Return the points at distances along a line."""
    columns = [np.interp(where, along, points[:, axis]) for axis in (0, 1)]
    return np.stack(columns, axis=-1)
