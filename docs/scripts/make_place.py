# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the files of the guide *A real place in five minutes*: a valley that does not exist.

    python docs/scripts/make_place.py FOLDER

Needs NumPy alone. Writes two neighboring elevation files (west.tif, east.tif) in UTM, an aerial
image with its world file (aerial.png) and an OpenStreetMap file (map.osm) of one landscape.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from terrain_addon.core import formats, noise  # noqa: E402
from terrain_addon.core.analysis.derivatives import hillshade  # noqa: E402
from terrain_addon.core.elevation import Georeference, System, common_system  # noqa: E402
from terrain_addon.core.output import write_png  # noqa: E402

Floats = NDArray[np.floating[Any]]

SAMPLES, STEP = 257, 5.0
"""Points along the sides of an elevation file, and meters between them. Both share a column."""
SIZE = 2 * (SAMPLES - 1) * STEP, (SAMPLES - 1) * STEP
PIXEL = 1.25
SYSTEM, CORNER = System.coded(32632), (400_000.0, 5_200_000.0)
ROAD, TRACK, RIVER = 9.0, 6.0, 16.0
"""Widths in meters."""
LAKE, LAKE_RADII, LAKE_HEIGHT = (1750.0, 285.0), (150.0, 95.0), 548.0


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    x, y = (np.arange(0.0, size + STEP, STEP) for size in SIZE)
    land = heights(x, y)
    for name, first in (("west", 0), ("east", SAMPLES - 1)):
        write_heights(folder / f"{name}.tif", land[:, first : first + SAMPLES], first * STEP)
    write_aerial(folder / "aerial.png", land)
    write_map(folder / "map.osm")


def river(x: Floats) -> Floats:
    """Return the northing of the river's middle."""
    return 640 + 150 * np.sin(x / 330) + 55 * np.sin(x / 130 + 1)


def from_river(x: Floats, y: Floats) -> Floats:
    """Return the distance from the river's middle, in meters north of it."""
    steepness = 150 / 330 * np.cos(x / 330) + 55 / 130 * np.cos(x / 130 + 1)
    return (y - river(x)) / np.hypot(1, steepness)


def smooth(t: Floats) -> Floats:
    """Return 0 below 0, 1 above 1, and a smooth step between."""
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def heights(x: Floats, y: Floats) -> Floats:
    """Return the land (rows, columns) above columns and rows: a valley between ridges, and a lake
    on its southern shoulder."""
    east, north = np.meshgrid(x, y)
    away = np.abs(from_river(east, north))
    ridges = noise.sample_grid(
        "opensimplex2", x / 560, y / 560, fractal="ridged", octaves=5, gain=0.4, seed=4
    )
    slope = smooth((away - 100) / 620)
    floor = 500 + 0.012 * east + 0.04 * np.minimum(away, 140)
    land = floor + 150 * slope + 190 * slope * (0.5 + 0.5 * ridges.astype(np.float64))
    level = 1 - smooth((lake_distance(east, north) - 1.0) / 1.4)
    return land + level * (LAKE_HEIGHT - land)


def lake_distance(x: Floats, y: Floats) -> Floats:
    """Return how far from the lake's middle places are: 1 is its shore."""
    east, north = (x - LAKE[0]) / LAKE_RADII[0], (y - LAKE[1]) / LAKE_RADII[1]
    return np.hypot(east, north) / shore(np.arctan2(north, east))


def shore(angle: Floats) -> Floats:
    """Return how far the shore is from the lake's middle, relative to its radii."""
    return 1 + 0.11 * np.cos(3 * angle + 1) + 0.07 * np.cos(5 * angle)


def lines() -> dict[str, tuple[dict[str, str], Floats]]:
    """Return tags and places (n, 2), in meters from the corner, of what the map shows."""
    along = np.arange(0.0, SIZE[0] + 1, 20)
    turn = np.linspace(0, 2 * np.pi, 41)
    bridge = 1120.0
    bank = float(river(np.array(bridge)))
    track = [
        (bridge, bank + 60), (bridge + 12, bank), (bridge + 40, bank - 60), (1260, 470),
        (1340, 400), (1430, 360), (1520, 372), (1590, 390),
    ]  # fmt: skip
    outward = np.column_stack([np.cos(turn), np.sin(turn)]) * shore(turn)[:, None]
    return {
        "river": (
            {"waterway": "river", "name": "Made-up River", "width": f"{RIVER:g}"},
            np.column_stack([along, river(along)])[::-1],
        ),
        "lake": ({"natural": "water", "name": "Made-up Lake"}, outward * LAKE_RADII + LAKE),
        "road": (
            {"highway": "secondary", "width": f"{ROAD:g}"},
            np.column_stack([along, river(along) + 60]),
        ),
        "track": ({"highway": "track", "width": f"{TRACK:g}"}, rounded(np.array(track))),
    }


def rounded(corners: Floats, times: int = 3) -> Floats:
    """Return a line with its corners cut, again and again."""
    for _ in range(times):
        a, b = corners[:-1], corners[1:]
        inner = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
        corners = np.concatenate([corners[:1], inner[1:-1], corners[-1:]])
    return corners


def write_heights(path: Path, land: Floats, west: float) -> None:
    """Write an elevation file, whose first column lies that far east of the corner."""
    corner = CORNER[0] + west, CORNER[1]
    place = Georeference(corner, (STEP, 0.0), (0.0, STEP), SYSTEM)
    rows = np.ascontiguousarray(land, np.float32)
    ends = float(rows.min()), float(rows.max())
    formats.write(path, formats.HeightRows(rows.shape, [rows], range=ends, georeference=place))


def write_map(path: Path) -> None:
    """Write an OpenStreetMap file."""
    osm = ElementTree.Element("osm", version="0.6")
    ways: list[ElementTree.Element] = []
    number = 0
    plane = common_system(SYSTEM)
    for way_number, (tags, places) in enumerate(lines().values(), 1):
        way = ElementTree.Element("way", id=str(way_number))
        first = number + 1
        closed = np.allclose(places[0], places[-1])
        for place in places[:-1] if closed else places:
            number += 1
            lon, lat = plane.to_lonlat(*(place + CORNER))
            where = {"id": str(number), "lon": f"{float(lon):.7f}", "lat": f"{float(lat):.7f}"}
            ElementTree.SubElement(osm, "node", where)
            ElementTree.SubElement(way, "nd", ref=str(number))
        if closed:
            ElementTree.SubElement(way, "nd", ref=str(first))
        for key, value in tags.items():
            ElementTree.SubElement(way, "tag", k=key, v=value)
        ways.append(way)
    osm.extend(ways)
    ElementTree.ElementTree(osm).write(path, encoding="utf-8", xml_declaration=True)


def write_aerial(path: Path, land: Floats) -> None:
    """Write an image of the land from above, with its world file and the name of its system."""
    x, y = (np.arange(PIXEL / 4, size, PIXEL / 2) for size in SIZE)
    down, across = np.gradient(land, STEP)
    light = hillshade(land.astype(np.float32), STEP, STEP)
    rough, light = (finer(one, x / STEP, y / STEP) for one in (np.hypot(down, across), light))
    colors = seen_from_above(x, y, rough, light)
    colors = colors.reshape(len(y) // 2, 2, len(x) // 2, 2, 3).mean(axis=(1, 3))  # smooth edges
    colors = (np.clip(colors, 0, 1) * 255).astype(np.uint8)
    write_png(path, np.ascontiguousarray(colors[::-1]), level=6)
    top = CORNER[1] + SIZE[1] - PIXEL / 2
    numbers = PIXEL, 0, 0, -PIXEL, CORNER[0] + PIXEL / 2, top
    path.with_suffix(".pgw").write_text("".join(f"{number}\n" for number in numbers))
    path.with_suffix(".prj").write_text("EPSG:32632\n")


def finer(values: Floats, columns: Floats, rows: Floats) -> Floats:
    """Return values between samples, linearly along both axes."""
    numbers = [np.arange(count) for count in values.shape]
    wide = np.stack([np.interp(columns, numbers[1], row) for row in values])
    return np.stack([np.interp(rows, numbers[0], column) for column in wide.T], axis=1)


def seen_from_above(x: Floats, y: Floats, rough: Floats, light: Floats) -> Floats:
    """Return sRGB colors (rows, columns, 3): meadows, fields in the valley, woods on rough slopes,
    water and roads."""
    east, north = np.meshgrid(x, y)
    away = from_river(east, north)
    grain = np.random.default_rng(7).random(rough.shape)
    patches = noise.sample_grid("opensimplex2", x / 160, y / 160, fractal="fbm", octaves=5, seed=9)
    colors = np.empty((*rough.shape, 3))
    colors[:] = (0.42, 0.45, 0.26)
    colors *= (1 + 0.18 * patches + 0.08 * (grain - 0.5))[..., None]
    flat = (np.abs(away) < 135) & (np.abs(away) > 16)
    colors[flat] = fields(east, north, grain)[flat]
    woods = (patches + 2.2 * np.clip(rough - 0.4, -0.3, 0.2) > 0.1) & (np.abs(away) > 120)
    crowns = noise.sample_grid("cellular", x / 9, y / 9, seed=3)
    dark = np.multiply.outer(0.8 + 0.35 * crowns + 0.25 * (grain - 0.5), (0.21, 0.28, 0.16))
    woods &= lake_distance(east, north) > 1.06
    colors[woods] = dark[woods]
    colors *= (0.55 + 0.6 * light)[..., None]
    ways = lines()
    colors[near(ways["track"][1], x, y, TRACK / 2)] = (0.62, 0.58, 0.48)
    colors[near(ways["road"][1], x, y, ROAD / 2)] = (0.55, 0.55, 0.54)
    colors[np.abs(away) < RIVER / 2 + 3] = (0.5, 0.47, 0.38)
    colors[np.abs(away) < RIVER / 2] = (0.17, 0.26, 0.26)
    colors[lake_distance(east, north) < 1] = (0.11, 0.2, 0.24)
    return colors


def fields(x: Floats, y: Floats, grain: Floats) -> Floats:
    """Return colors of long fields, side by side, with furrows along them."""
    u, v = 0.94 * x + 0.34 * y, 0.94 * y - 0.34 * x
    strip = np.floor(v / 95).astype(int)
    field = np.floor((u + strip * 37) / 62).astype(int)
    crops = np.array([(0.55, 0.52, 0.28), (0.36, 0.44, 0.2), (0.46, 0.38, 0.27),
                      (0.66, 0.6, 0.36), (0.3, 0.37, 0.17), (0.48, 0.5, 0.27)])  # fmt: skip
    chosen = np.random.default_rng(5).integers(0, len(crops), (64, 128))
    colors = crops[chosen[strip % 64, field % 128]]
    colors *= (0.95 + 0.05 * np.sin(u / 0.9) + 0.06 * grain)[..., None]
    hedge = (np.mod(v, 95) < 4) | (np.mod(u + strip * 37, 62) < 1.6)
    colors[hedge] = (0.2, 0.26, 0.12)
    return colors


def near(line: Floats, x: Floats, y: Floats, reach: float) -> NDArray[np.bool_]:
    """Return which places of a grid are within reach of a line."""
    out = np.zeros((len(y), len(x)), bool)
    for a, b in pairwise(line):
        low, high = np.minimum(a, b) - reach, np.maximum(a, b) + reach
        columns, rows = (
            slice(*np.searchsorted(axis, ends))
            for axis, ends in zip((x, y), zip(low, high, strict=True), strict=True)
        )
        east, north = np.meshgrid(x[columns] - a[0], y[rows] - a[1])
        (dx, dy), length = b - a, float(np.hypot(*(b - a)))
        t = np.clip((east * dx + north * dy) / length**2, 0, 1)
        out[rows, columns] |= np.hypot(east - t * dx, north - t * dy) < reach
    return out


if __name__ == "__main__":
    main(Path(sys.argv[1]))
