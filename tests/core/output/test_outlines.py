# SPDX-License-Identifier: GPL-3.0-or-later
import math

import numpy as np
import pytest

from terrain_addon.core import Grid, Shape
from terrain_addon.core.output.triangulation import SolidSettings, TriangleMesh, solid
from terrain_addon.core.shapes import CLOSED

GRID = Grid.points(200.0, 150.0, 129, 97)
HEIGHT = (5 * np.sin(GRID.x / 20) + 4 * np.cos(GRID.y[:, None] / 15)).astype(np.float32)
ANGLES = np.linspace(0, 2 * np.pi, 90, endpoint=False)
CIRCLE = 50 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
STAR = CIRCLE * np.where(np.arange(90) % 18 < 9, 1.2, 0.5)[:, None]
BEYOND = np.array([(-300.0, -20.0), (20.0, -20.0), (20.0, 300.0), (-300.0, 300.0)])


def volume(mesh: TriangleMesh) -> float:
    a, b, c = (mesh.vertices.astype(np.float64)[mesh.triangles[:, n]] for n in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("points", [CIRCLE, STAR, BEYOND], ids=["circle", "star", "beyond"])
def test_a_solid_within_an_outline_is_watertight(points: np.ndarray) -> None:
    outline = Shape.of("Outline", [points], CLOSED).areas
    mesh, _ = solid(GRID, HEIGHT, SolidSettings(error=0.05), outline)
    edges = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    forth, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all()
    assert {*map(tuple, forth.tolist())} == {*map(tuple, forth[:, ::-1].tolist())}
    assert len(np.unique(mesh.triangles)) == len(mesh.vertices)
    assert volume(mesh) > 0
    assert np.ptp(mesh.vertices[:, :2], axis=0).max() == pytest.approx(200, rel=0.02)


def test_the_volume_is_that_of_the_outline() -> None:
    outline = Shape.of("Outline", [CIRCLE], CLOSED).areas
    settings = SolidSettings(longest_side=100.0, thickness=10.0)
    mesh, error = solid(GRID, np.zeros(GRID.shape, np.float32), settings, outline)
    width = np.ptp(mesh.vertices[:, 0])
    assert width == pytest.approx(100, rel=2e-3)
    assert volume(mesh) == pytest.approx(math.pi * (width / 2) ** 2 * 10, rel=0.005)
    assert error < 1e-5
    assert len(mesh.triangles) < 12_000  # large triangles inside


def test_an_outline_beside_the_terrain_is_refused() -> None:
    outline = Shape.of("Outline", [CIRCLE + 900], CLOSED).areas
    with pytest.raises(ValueError, match="holds no point of the terrain"):
        solid(GRID, HEIGHT, SolidSettings(), outline)
