# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains with drawn rivers, and how much of their water runs along the lines."""

from dataclasses import dataclass

import numpy as np

from terrain_addon.core import Layer, Map, Recipe, evaluate, solve
from terrain_addon.core.erosion.surface.eroded_terrain import ErodedTerrain
from terrain_addon.core.hydrology import border, route
from terrain_addon.core.hydrology.d8 import NONE, OFFSETS, receivers
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.shapes import Shape

SIZE = 1000.0


def winding(start, end, amplitude=40.0, waves=3.0, count=120):
    """A line that winds from point to point, (n, 2)."""
    u = np.linspace(0, 1, count)
    start, end = np.asarray(start, np.float64), np.asarray(end, np.float64)
    way = end - start
    across = np.array([-way[1], way[0]]) / np.hypot(*way)
    swing = amplitude * np.sin(waves * np.pi * u) * np.sin(np.pi * u) ** 0.3
    return start + u[:, None] * way + swing[:, None] * across


LINES = {
    "ridge": [winding((-420, 60), (500, -60))],
    "inland": [winding((-380, 300), (120, -40))],
    "sea": [winding((0, 120), (430, 160))],
    "meeting": [winding((-380, 300), (500, -250)), winding((-350, -350), (0, 0))],
    "crossing": [winding((-380, 300), (500, -250)), winding((-350, -350), (350, 380))],
}
"""Rivers through a ridge, ending inland, into the sea, meeting, and crossing."""


def recipe(case, seed, resolution="256", **river):
    """A terrain with the rivers of a case, and an Erosion layer above them."""
    layers = [Layer.of(LAYERS["fractal_noise"](octaves=4, height=130, size=400))]
    x = np.linspace(-SIZE / 2, SIZE / 2, 257)
    maps = ()
    if case in ("ridge", "sea"):
        ridge = 160 * np.exp(-((x[None] / 110) ** 2)) * (1 - 0.2 * np.sin(x[:, None] / 150))
        dome = 130 * (1 - (np.hypot(x[None], x[:, None]) / 400) ** 2)
        broad = np.maximum(dome, -40) if case == "sea" else ridge
        maps = (Map("Broad", broad.astype(np.float32)),)
        layers = [
            Layer.of(LAYERS["fractal_noise"](octaves=4, height=40, size=400)),
            Layer.of(LAYERS["height_map"](source="Broad", high=1.0), blend="add"),
        ]
    layers.append(Layer.of(LAYERS["river"](source="Lines", **river)))
    layers.append(Layer.of(LAYERS["erosion"](resolution=resolution, sea=case == "sea")))
    shapes = (Shape.of("Lines", LINES[case]),)
    return Recipe(seed=seed, layers=tuple(layers), shapes=shapes, maps=maps)


@dataclass
class Along:
    """How far the water runs along the lines.

    Attributes
    ----------
    cells : share of the line's points in cells of the drainage that the flow from the source passes
    rises : cells of that flow that are higher than the one before
    dams : cells of it with lower land beside them that is no river
    samples : share of the samples along the lines whose water runs along them on the surface
    off : largest distance of the flow from the lines, in cells
    drawn : share of what was drawn on the terrain that the flow passes
    """

    cells: float
    rises: int
    dams: int
    samples: float
    off: float
    drawn: float


def measured(made, points):
    """What becomes of the rivers of a recipe on a drainage grid, and on a grid of some points."""
    solution = solve(made)
    drainage = drainage_of(solution)
    lines = lines_of(drainage)
    paths, off, shares = [], 0.0, []
    every = np.concatenate(lines)
    for line in lines:
        path = flow_from(drainage, line[0])
        x, y = cell_places(drainage, path)
        off = max(off, float(distance(x, y, every).max()) / drainage.spacing)
        line = line[(np.abs(line) < SIZE / 2).all(axis=1)]
        shares.append(
            distance(line[:, 0], line[:, 1], np.stack([x, y], 1)) < 1.1 * drainage.spacing
        )
        paths.append(path)
    rises, dams = uphill(drainage, paths)
    passed = np.concatenate([np.stack(cell_places(drainage, path), 1) for path in paths])
    (shape,) = made.shapes
    asked = sampled(np.split(shape.points[:, :2], shape.starts[1:]))
    if drainage.sea is not None:
        asked = asked[[drainage.height.ravel()[cell_of(drainage, one)] > 0 for one in asked]]
    missed = distance(*asked.T, passed) >= 1.1 * drainage.spacing
    grid = made.grid(points)
    height = evaluate(made, grid, solution=solution).height
    samples = np.concatenate(
        [runs_along(height, grid, line, every, drainage.sea) for line in lines]
    )
    share, surface = float(np.concatenate(shares).mean()), float(samples.mean())
    return Along(share, rises, dams, surface, off, 1 - float(missed.mean()))


def sampled(lines):
    """Points of lines on the terrain, 2 m apart."""
    found = []
    for line in lines:
        run = np.append(0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
        places = np.arange(0, run[-1], 2.0)
        found.append(np.stack([np.interp(places, run, one) for one in line.T], 1))
    every = np.concatenate(found)
    return every[(np.abs(every) < SIZE / 2).all(axis=1)]


def drainage_of(solution):
    """The drainage of the one Erosion layer, after its glaciers if it has some."""
    *_, terrain = (one for one in solution.parts.values() if isinstance(one, ErodedTerrain))
    return terrain.drainage


def lines_of(drainage):
    """The rivers' ways as they were drawn and led on, (n, 2) each."""
    x, y = drainage.drawn.points[:2]
    return np.split(np.stack([x, y], 1), drainage.drawn.ends[:-1])


def flow_from(drainage, point):
    """Cells from that of a point down to an outlet."""
    below = receivers(drainage.directions)
    path = [cell_of(drainage, point)]
    while below[path[-1]] != path[-1]:
        path.append(int(below[path[-1]]))
    return np.array(path)


def cell_of(drainage, point):
    column = round((point[0] - drainage.x0) / drainage.spacing)
    row = round((point[1] - drainage.y0) / drainage.spacing)
    return row * drainage.height.shape[1] + column


def cell_places(drainage, cells):
    j, i = np.divmod(cells, drainage.height.shape[1])
    return drainage.x0 + i * drainage.spacing, drainage.y0 + j * drainage.spacing


def distance(x, y, line):
    """Distances of points from the nearest of dense points."""
    points = zip(x, y, strict=True)
    return np.array([np.hypot(line[:, 0] - a, line[:, 1] - b).min() for a, b in points])


def uphill(drainage, paths):
    """Cells higher than the one before, and those above land beside them."""
    flat, (rows, columns) = drainage.height.ravel(), drainage.height.shape
    wet = drainage.directions.ravel() == NONE  # the sea, and the rim of the padding
    for path in paths:
        wet[path] = True
    rises = sum(int((np.diff(flat[path]) > 0).sum()) for path in paths)
    dams = 0
    for path in paths:
        j, i = np.divmod(path[:-1], columns)
        for dj, di in OFFSETS:
            row, column = j + dj, i + di
            known = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
            near = (row * columns + column)[known]
            dams += int((~wet[near] & (flat[near] < flat[path[:-1]][known])).sum())
    return rises, dams


STEPS, NEAR = 6, 3
"""Steps over which the water of a sample is followed, and samples that it may be off the line."""


def runs_along(height, grid, line, every, sea):
    """For each sample along a line whether its water runs on along the rivers, to the border or
    into the sea."""
    out = border(height.shape)
    if sea is not None:
        out |= height <= sea
    below = receivers(route(height, out).directions)
    run = np.append(0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
    x, y = (np.interp(np.arange(0, run[-1], grid.dx), run, one) for one in line.T)
    i, j = (
        np.rint((x - grid.x0) / grid.dx).astype(int),
        np.rint((y - grid.y0) / grid.dy).astype(int),
    )
    inside = (i > 0) & (j > 0) & (i < grid.nx - 1) & (j < grid.ny - 1)
    start = (j * grid.nx + i)[inside]
    end = start
    for _ in range(STEPS):
        end = below[end]
    row, column = np.divmod(end, grid.nx)
    px, py = grid.x[column], grid.y[row]
    near = distance(px, py, every) <= NEAR * grid.dx
    own = np.stack([x, y], 1)
    ahead = np.array([np.hypot(*(own - [a, b]).T).argmin() for a, b in zip(px, py, strict=True)])
    joined = distance(px, py, own) > NEAR * grid.dx  # it is in the river that the line joins
    onward = (ahead >= np.flatnonzero(inside)) | joined
    return (near & onward) | out.ravel()[end]
