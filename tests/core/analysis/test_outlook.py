# SPDX-License-Identifier: GPL-3.0-or-later
"""The places from which a terrain is worth a picture."""

import math

import numpy as np

from terrain_addon.core.analysis import Sun, outlooks

SPACING = 50.0
Y, X = np.mgrid[0:60, 0:80] * SPACING


def hill(x, y, height=400.0, radius=300.0):
    return height * np.exp(-((X - x) ** 2 + (Y - y) ** 2) / (2 * radius**2))


def off(angle, wanted):
    return abs(math.remainder(angle - wanted, 2 * math.pi))


def test_the_best_view_is_of_the_highest_hill_from_level_ground():
    ground = hill(1000, 1500, height=150) + hill(2800, 1500)
    for view in outlooks(ground, SPACING, 2.0)[:5]:
        x, y = view.place
        assert off(view.azimuth, math.atan2(1500 - y, 2800 - x)) < math.radians(40)
        row, column = round(y / SPACING), round(x / SPACING)
        slopes = np.gradient(ground, SPACING)
        assert math.hypot(*(part[row, column] for part in slopes)) < 0.15


def test_nobody_stands_behind_a_wall_or_in_the_sea():
    ground = hill(2000, 1500)
    ground[:, 58:60] = 900.0  # a wall
    ground[:, :20] = -5.0
    for view in outlooks(ground, SPACING, 2.0, level=0.0):
        assert view.place[0] >= 20 * SPACING
        way = np.array(view.place) + 200 * np.array(
            [math.cos(view.azimuth), math.sin(view.azimuth)]
        )
        assert not 57.5 <= way[0] / SPACING <= 59.5
    assert outlooks(ground - 2000, SPACING, 2.0, level=0.0) == []
    assert outlooks(ground[:7], SPACING, 2.0) == []


def lit_share(ground, view, sun):
    """Share of the land along a line of sight that the sun reaches, point by point."""
    at, steps = np.array(view.place), np.linspace(100, 1500, 8)
    toward, light = (
        np.array([math.cos(angle), math.sin(angle)])
        for angle in (view.azimuth, view.azimuth + sun.aside)
    )

    def height(place):
        column, row = np.clip(np.rint(place / SPACING).astype(int), 0, (79, 59))
        return ground[row, column]

    lit = [
        all(
            height(here + away * light) - height(here) <= away * sun.slope
            for away in np.arange(SPACING, 800, SPACING)
        )
        for here in (at + step * toward for step in steps)
    ]
    return np.mean(lit)


def test_land_in_the_sun_is_looked_at():
    ground = np.max([hill(x, y, 350, 150) for x in (700, 2100, 3300) for y in (800, 2200)], axis=0)
    sun = Sun(math.radians(60.0), math.tan(math.radians(12.0)))
    aware, blind = (
        np.mean([lit_share(ground, view, sun) for view in outlooks(ground, SPACING, 2.0, sun=one)])
        for one in (sun, None)
    )
    assert aware > blind + 0.1


def test_the_foreground_faces_the_sun():
    ground = hill(2800, 1500) + 30 * np.sin(X / 150)  # too gentle for shadows
    sun = Sun(math.radians(60.0), math.tan(math.radians(23.0)))
    down, right = np.gradient(ground, SPACING)

    def facing(view):
        """Mean light on the ground from 50 to 300 m, where level ground has 1."""
        at = np.array(view.place) / SPACING
        away = np.arange(1, 7)[:, None] * [math.cos(view.azimuth), math.sin(view.azimuth)]
        columns, rows = np.rint(at + away).astype(int).T
        toward = view.azimuth + sun.aside
        rise = right[rows, columns] * math.cos(toward) + down[rows, columns] * math.sin(toward)
        return (1 - rise / sun.slope).mean()

    aware, blind = (
        np.mean([facing(view) for view in outlooks(ground, SPACING, 2.0, sun=one)])
        for one in (sun, None)
    )
    assert aware > blind + 0.12


def test_land_is_looked_at_rather_than_sea():
    coast = np.where(X < 3000, 50 + 40 * np.sin(X / 200) * np.sin(Y / 200), -20)
    shares = []
    for view in outlooks(coast, SPACING, 100.0, level=0.0):
        x = view.place[0] + np.linspace(100, 1500, 8) * math.cos(view.azimuth)
        shares.append(np.mean(np.abs(x) < 3000))
    assert np.mean(shares) > 0.9
