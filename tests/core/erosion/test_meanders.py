# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders on wide floors, and beds that begin with no width."""

import dataclasses
import itertools

import numpy as np
import pytest

from terrain_addon.core import evaluate, presets, solve
from terrain_addon.core.erosion.rivers.drainage import Drainage
from terrain_addon.core.erosion.surface.channels import carve
from terrain_addon.core.erosion.surface.meanders import meandering
from terrain_addon.core.hydrology import RiverLine
from terrain_addon.core.hydrology.d8 import NONE

CELL, WIDTH = 8.0, 10.0


def floor(half):
    """A valley that falls by 0.2 %, with a level floor that is so many meters wide on either side,
    and the river in its middle."""
    shape = 101, 301
    y = CELL * np.arange(-50.0, shape[0] - 50)
    x = CELL * np.arange(float(shape[1]))
    height = (0.5 * np.maximum(np.abs(y)[:, None] - half, 0) - 0.002 * x).astype(np.float32)
    zero = np.zeros(shape, np.float32)
    codes = np.full(shape, NONE, np.uint8)
    place = {"spacing": CELL, "x0": 0.0, "y0": float(y[0]), "unit": 400.0, "sea": None}
    drainage = Drainage(height, codes, zero, zero, zero, None, **place)
    ones = np.ones(x.size)
    return drainage, RiverLine(x, 0 * x, -0.002 * x, WIDTH * ones, 1e6 * ones, ones)


def bends(line):
    """Wavelength, largest distance from the valley's axis, and sinuosity, without both ends."""
    inner = (line.x > 300) & (line.x < 2000)
    x, y = line.x[inner], line.y[inner]
    crossings = x[1:][np.diff(np.sign(y)) != 0]
    length = np.hypot(np.diff(x), np.diff(y)).sum()
    wave = 2 * np.diff(crossings).mean() if len(crossings) > 2 else 0.0
    return wave, np.abs(y).max(), length / np.ptp(x)


@pytest.mark.parametrize("seed", [1, 2])
def test_bends_on_a_wide_floor_are_10_to_14_widths_long(seed):
    """Leopold and Wolman (1960): 10.9 w^1.01 feet, most between 10 and 14 widths. Rivers count as
    meandering from a sinuosity of 1.3 or so (1.5 is their limit for the whole river)."""
    drainage, river = floor(200.0)
    wave, _, sinuosity = bends(meandering([river], drainage, 1.0, seed)[0])
    assert 10 < wave / WIDTH < 14
    assert 1.1 < sinuosity < 1.5


def uneven_floor(seed):
    """A valley that winds, with a floor of 2 to 6 widths on either side of a river that strays on
    it, and grows downstream, most where others join it."""
    random = np.random.default_rng(seed)
    shape = 151, 501
    y, x = CELL * np.arange(-75.0, 76.0), CELL * np.arange(float(shape[1]))
    width = 8 + x / 1000 + 2.0 * (x > 1200) + 3.0 * (x > 2600)
    middle = 120 * np.sin(x / 400)
    half = width * (4 + 2 * np.sin(x / 310 + seed))
    height = (0.5 * np.maximum(np.abs(y[:, None] - middle) - half, 0) - 0.002 * x).astype("f4")
    zero, codes = np.zeros(shape, np.float32), np.full(shape, NONE, np.uint8)
    place = {"spacing": CELL, "x0": 0.0, "y0": float(y[0]), "unit": 400.0, "sea": None}
    stray = np.cumsum(random.choice([-1.0, 0.0, 1.0], x.size))
    stray = stray - np.convolve(np.pad(stray, 12, "edge"), np.ones(25) / 25, "valid")
    course = middle + np.clip(CELL * np.convolve(stray, [0.25, 0.5, 0.25], "same"), -20, 20)
    river = RiverLine(x, course, -0.002 * x, width, 1e4 * width**2, np.ones(x.size))
    return Drainage(height, codes, zero, zero, zero, None, **place), river


def lengths_of_bends(line):
    """Wavelengths in widths: twice the chord from where the river turns the other way to where it
    turns back, of bends that are half a width deep or more."""
    way = np.append(0.0, np.cumsum(np.hypot(np.diff(line.x), np.diff(line.y))))
    at = np.arange(0.0, way[-1], 1.0)
    x, y, width = (np.interp(at, way, values) for values in (line.x, line.y, line.width))
    even = np.ones(9) / 9
    x, y = (np.convolve(values, even, "valid") for values in (x, y))
    (dx, dy), width = (np.gradient(values) for values in (x, y)), width[4:-4]
    turn = np.sign(dx * np.gradient(dy) - dy * np.gradient(dx))
    edges = np.flatnonzero(np.diff(turn))

    def deep(a, b):
        chord = np.array([x[b] - x[a], y[b] - y[a]])
        away = (x[a : b + 1] - x[a]) * chord[1] - (y[a : b + 1] - y[a]) * chord[0]
        return np.abs(away).max() / max(np.hypot(*chord), 1e-9) / width[a]

    while len(edges) > 3:
        depths = [deep(a, b) for a, b in itertools.pairwise(edges)]
        k = int(np.argmin(depths))
        if depths[k] > 0.5:
            break
        edges = np.delete(edges, [k, k + 1])
    chords = np.hypot(np.diff(x[edges]), np.diff(y[edges]))
    return 2 * chords / width[edges[:-1]]


@pytest.mark.parametrize("seed", [0, 2])
def test_most_bends_are_10_to_14_widths_long_on_uneven_floors_too(seed):
    """The median and both quartiles are, also where the river grows and strays."""
    drainage, river = uneven_floor(seed)
    lengths = lengths_of_bends(meandering([river], drainage, 1.0, seed)[0])[1:-1]
    assert lengths.size > 30
    assert 10.5 < np.quantile(lengths, 0.25) < np.quantile(lengths, 0.75) < 13.5


def test_the_floor_bounds_the_bends():
    swings = [bends(meandering([floor(half)[1]], floor(half)[0], 1.0)[0])[1] for half in (24, 200)]
    assert 2 < swings[0] < 24 < swings[1] < 40


@pytest.mark.parametrize(("half", "amount"), [(12.0, 1.0), (200.0, 0.0)])
def test_no_bends_on_narrow_floors_and_without_the_setting(half, amount):
    drainage, river = floor(half)
    made = meandering([river], drainage, amount)[0]
    np.testing.assert_array_equal(made.y, river.y)


def test_a_tributary_ends_on_the_river_that_has_moved():
    drainage, river = floor(200.0)
    k = 150
    y = np.linspace(-300.0, 0.0, 40)
    ones = np.ones(y.size)
    side = RiverLine(np.full(y.size, river.x[k]), y, 0.1 - 1e-3 * y, ones, 1e4 * ones, ones)
    main, made = meandering([river, side], drainage, 1.0)
    away = np.hypot(main.x - made.x[-1], main.y - made.y[-1])
    assert away.min() < CELL / 4
    assert made.x[0] == side.x[0] and made.y[0] == side.y[0]


def test_heights_fall_along_bends():
    drainage, river = floor(200.0)
    assert (np.diff(meandering([river], drainage, 1.0)[0].z) <= 0).all()


def test_tapered_beds_begin_with_no_width_and_depth():
    x = np.arange(0.0, 200.0, 2.0)
    ground = np.zeros((x.size, x.size), np.float32)
    way = np.linspace(50.0, 190.0, 60)
    head = np.sqrt(np.clip((way - 50) / (12 * 8), 0, 1))
    ones = np.ones(way.size)
    river = RiverLine(way, 100 * ones, 0 * ones, 8 * ones, ones, head)
    blunt, tapered = (
        carve(ground, x, x, (2.0, 2.0), [river], tapered=tapered) for tapered in (False, True)
    )
    source, middle = np.abs(x - 51).argmin(), np.abs(x - 150).argmin()
    assert blunt[:, source].min() < -0.8
    assert tapered[:, source].min() > -0.4
    cut = (tapered < -0.1).sum(axis=0)
    assert cut[source] <= 2 < cut[middle] and (np.diff(cut[source : middle + 1]) >= -1).all()
    np.testing.assert_array_equal(blunt[:, middle:], tapered[:, middle:])


def test_windows_of_a_terrain_with_meanders_have_the_bits_of_the_whole():
    made = presets.load("eroded_hills")
    noise, eroding, soil = made.layers
    settings = dataclasses.replace(
        eroding.settings, meanders=1.0, tapered_beds=True, resolution="128"
    )
    layers = (noise, dataclasses.replace(eroding, settings=settings), soil)
    made = dataclasses.replace(made, layers=layers)
    solution, grid = solve(made), made.grid(129)
    whole = evaluate(made, grid, solution=solution).height
    part = evaluate(made, grid.window(30, 40, 50, 33), solution=solution).height
    np.testing.assert_array_equal(part, whole[40:73, 30:80])
