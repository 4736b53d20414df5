# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders of rivers on wide valley floors.

A bend is about eleven widths of the river long (Leopold and Wolman 1960: 10.9 w^1.01), and follows
a sine-generated curve, whose direction is a sine of the way along it: of all curves of its length
it bends least (Langbein and Leopold 1966). The floor bounds how far it swings, and steep rivers run
straight (Rosgen 1994).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from ...hydrology import RiverLine
from ...numerics.arrays import Doubles
from ...numerics.progress import Cancel, poll
from ..rivers.drainage import Drainage
from ..rivers.drawn.course import run_of
from .along_rivers import joined, least, left_of, rooms, steady, varying

WAVELENGTH = 12.0
"""Length of a bend over the width of the river; 10 to 14 are measured."""
WIDE = 4.0
"""Width of a floor, in widths of the river, from which on the river meanders."""
SWING = 1.15
"""Largest angle in radians between the river and its valley: at it the river is 1.4 times as long
as the valley."""
ABOVE = 0.3
"""Height above the river, in widths, up to which ground is its floor."""
FINEST = 4
"""Points of a line on a cell of the drainage grid."""
SHORTEST = 32
"""Points of the shortest bends: on eight cells or fewer they would look like kinks."""
STEEP = 0.02, 0.04
"""Slopes from which rivers bend less, and from which they do not (types C and E, and B, of Rosgen
1994)."""
SHIFT, UNEVEN = 0.8, 0.35
"""Deviations of the bends from a regular wave: in radians, and as a share of their swing."""
VARYING = 5.0
"""Wavelengths over which they vary."""

ANGLES: Doubles = np.linspace(0, SWING, 65)
"""Largest angles between a river and its valley, for which the curves are known."""
_TURNS: Doubles = np.pi * (np.arange(256) + 0.5) / 256
_BESSEL: list[Doubles] = [
    np.cos(n * _TURNS - ANGLES[:, None] * np.sin(_TURNS)).mean(axis=1) for n in range(4)
]
_STRETCH: Doubles = 1 / (2 * np.pi * _BESSEL[0])
ALONG, ACROSS, THIRD = _STRETCH * _BESSEL[2], _STRETCH * 2 * _BESSEL[1], _STRETCH * _BESSEL[3] / 1.5
"""Amplitudes, in wavelengths, of the waves that make up a sine-generated curve: of twice its
frequency along the valley, and of its own and three times its frequency across."""
MOST = float((ACROSS + THIRD)[-1])
"""Largest swing to one side, in wavelengths."""


def meandering(
    rivers: Sequence[RiverLine],
    drainage: Drainage,
    amount: float,
    seed: int = 0,
    cancelled: Cancel | None = None,
    *,
    calm: Sequence[Doubles] = (),
) -> list[RiverLine]:
    """Return rivers that meander where their floors are wider than `WIDE` widths.

    Parameters
    ----------
    rivers : sequence of RiverLine
        Those of the drainage; lines that flow into others end on points of these.
    drainage : Drainage
        The terrain.
    amount : float
        Share of the full swing, 0 to 1.
    seed : int, default 0
        Seed of the bends.
    calm : sequence of ndarray of float64, optional
        0 to 1 at the points of each river: the share of their swing that bends lack.

    Returns
    -------
    list of RiverLine
        The same rivers, in their order; heights and flow are those of the valley beside each point.
    """
    if amount <= 0:
        return list(rivers)
    made: list[RiverLine] = []
    moved: dict[tuple[float, float], tuple[float, float]] = {}
    for number, river in enumerate(rivers):
        poll(cancelled)
        bent = _bent(river, drainage, amount, seed, calm[number] if calm else None)
        made.append(river if bent is None else bent[0])
        if bent is not None:
            before = zip(river.x[:-1].tolist(), river.y[:-1].tolist(), strict=True)
            after = (np.interp(bent[1][:-1], bent[2], line).tolist() for line in bent[0].fields[:2])
            moved.update(zip(before, zip(*after, strict=True), strict=True))
    return [joined(river, moved.get((float(river.x[-1]), float(river.y[-1])))) for river in made]


def _bent(
    river: RiverLine, drainage: Drainage, amount: float, seed: int, calm: Doubles | None = None
) -> tuple[RiverLine, Doubles, Doubles] | None:
    """Return a river with its bends, and meters along its valley of the points that it had and has;
    None where it has no bends."""
    own = np.append(river.width[:-1], river.width[-2])  # the last may be that of the river it joins
    step = drainage.spacing / FINEST
    if WAVELENGTH * own.max() < SHORTEST * step:
        return None
    run = run_of(np.stack([river.x, river.y], axis=1))
    at: Doubles = np.linspace(0.0, float(run[-1]), math.ceil(run[-1] / step) + 1)
    fine = RiverLine(*(np.interp(at, run, values) for values in river.fields))
    count = round(WAVELENGTH * float(np.median(np.interp(at, run, own))) / step)
    width = steady(np.interp(at, run, own), count)  # a confluence would make a step in a bend
    wave = WAVELENGTH * width
    axis = [steady(steady(line, count), count) for line in (fine.x, fine.y)]
    middle, room, wide = _floor(drainage, axis, left_of(axis), fine.z, width, step)
    wide *= np.clip(np.minimum(at, at[-1] - at) / wave, 0, 1) * (wave >= SHORTEST * step)
    if calm is not None:
        wide *= 1 - np.interp(at, run, calm)
    if not wide.any():
        return None
    sides: list[Doubles] = [*left_of(axis)]
    axis = [line + wide * middle * side for line, side in zip(axis, sides, strict=True)]
    sides = [*left_of(axis)]
    way = run_of(np.stack(axis, axis=1))  # bends are measured along the valley
    usual = float(np.median(wave))
    unlike = [varying(drainage, axis, VARYING * usual, seed + part) for part in (0, 1)]
    most = np.minimum((room - width / 2) / wave, amount * MOST)
    most *= wide * np.clip(1 - UNEVEN + UNEVEN * unlike[1], 0, 1)
    turns = np.append(0.0, np.cumsum(np.diff(way) / wave[1:]))
    ahead, across = _curve(2 * np.pi * turns + SHIFT * unlike[0], most)
    straight, there = 1 - np.clip(3 * wide, 0, 1), way + wave * ahead
    x, y = (
        np.interp(there, way, straight * old + (1 - straight) * line)
        + wave * across * np.interp(there, way, side)
        for old, line, side in zip((fine.x, fine.y), axis, sides, strict=True)
    )
    return dataclasses.replace(fine, x=x, y=y), run, at


def _curve(phase: Doubles, swing: Doubles) -> tuple[Doubles, Doubles]:
    """Return the shift along the valley and across it, in wavelengths, of points at some phase of
    sine-generated curves that swing so far."""
    known = ACROSS + THIRD
    along, across, third = [np.interp(swing, known, one) for one in (ALONG, ACROSS, THIRD)]
    return along * np.sin(2 * phase), across * np.cos(phase) + third * np.cos(3 * phase)


def _floor(
    drainage: Drainage,
    axis: Sequence[Doubles],
    normal: Doubles,
    height: Doubles,
    width: Doubles,
    step: float,
) -> tuple[Doubles, Doubles, Doubles]:
    """Return how far the middle of a river's floor is to the left of it, half the width of the
    floor, and the share of its swing that the river has on it."""
    count = round(WAVELENGTH * float(np.median(width)) / step)
    level = steady(height, count)  # a river on the cells falls in steps
    farthest = width / 2 + max(WIDE, WAVELENGTH * MOST) * width
    found = rooms(drainage, axis, normal, level + ABOVE * width, farthest)
    left, right = (steady(least(room, count // 8), count) for room in found)
    wide = np.clip((left + right) / width - WIDE, 0, 1)  # in full from one width more
    slope = steady(-np.gradient(level, step), count)
    wide *= np.clip((STEEP[1] - slope) / (STEEP[1] - STEEP[0]), 0, 1)
    return (left - right) / 2, (left + right) / 2, wide
