# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion that keeps the forms of a terrain, on real terrain and on made ones."""

from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import (
    Erosion,
    Grid,
    HeightMap,
    Layer,
    Map,
    Recipe,
    evaluate,
    hydrology as hy,
    presets,
)
from terrain_addon.core.erosion.rivers.base_level import kept_level
from terrain_addon.core.erosion.rivers.keeping import risen
from terrain_addon.core.recipe import default_settings_for

SIDE, CELL, FINER = 256, 83.0, 2
EXTENT = SIDE * CELL
GRID = Grid.pixels(EXTENT, EXTENT, SIDE * FINER, SIDE * FINER)


@cache
def data() -> Map:
    """Heights of the Jacksboro fault, which Matplotlib has as a sample."""
    path = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(path) as sample:
        values = sample["elevation"][:SIDE, :SIDE].astype(np.float32)[::-1].copy()
    return Map("Data", values, to_border=False, spacing=(CELL, CELL), in_meters=True)


def real(*layers: Erosion) -> Recipe:
    land = Layer.of(HeightMap(source="Data", values="meters"))
    return Recipe(size_x=EXTENT, size_y=EXTENT, layers=(land, *layers), maps=(data(),))


@cache
def height_of(*layers: Erosion) -> np.ndarray:
    return evaluate(real(*layers), GRID, fields=()).height


def keeping(**changes: object) -> Erosion:
    return Erosion(**{"type": "keep", "resolution": "auto", **changes})


def test_ranges_crests_and_valleys_stay():
    before, after = height_of(), height_of(keeping())
    assert np.corrcoef(before.ravel(), after.ravel())[0, 1] > 0.995
    assert abs(after.mean() - before.mean()) < 0.01 * np.ptp(before)
    for share in (0.01, 0.5, 0.99):
        moved = np.quantile(after, share) - np.quantile(before, share)
        assert abs(moved) < 0.03 * np.ptp(before)
    # Mountains that rise with their heights become others.
    other = height_of(Erosion(resolution="auto"))
    assert np.corrcoef(before.ravel(), other.ravel())[0, 1] < 0.9


def test_valleys_become_deeper_and_more_so_with_strength():
    before = height_of()
    tree = hy.route(before)
    area = hy.drainage_area(tree, GRID.dx) / CELL**2
    steep = np.hypot(*np.gradient(before, GRID.dx)) > 0.15
    valleys, crests = steep & (area > 4), steep & (area < 0.3)
    cut = [
        float((before - height_of(keeping(strength=strength)))[where].mean())
        for strength in (0.3, 1.0, 3.0)
        for where in (valleys, crests)
    ]
    depths = np.subtract(cut[::2], cut[1::2])
    assert 0 < depths[0] < depths[1] < depths[2]


def test_rivers_stay_within_a_cell_of_the_data():
    def streams(height: np.ndarray, least: float) -> np.ndarray:
        return hy.drainage_area(hy.route(height), GRID.dx) > least * CELL**2

    def widened(marked: np.ndarray) -> np.ndarray:
        padded, steps = np.pad(marked, FINER), range(2 * FINER + 1)
        rows, columns = marked.shape
        return np.any([padded[j : j + rows, i : i + columns] for j in steps for i in steps], axis=0)

    after = height_of(keeping())
    for least in (60, 600):
        rivers = streams(height_of(), least)
        assert rivers.sum() > 200
        assert (rivers & widened(streams(after, least / 2))).sum() > 0.95 * rivers.sum()


def test_without_strength_or_detail_nothing_changes():
    same = keeping(strength=0.0, rounding=0.0, talus=80.0, gully_depth=0.0, rock_roughness=0.0)
    assert np.abs(height_of(same) - height_of()).max() < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("rivers", [0.0, 1.0])
def test_windows_agree_to_the_bit(rivers: float):
    recipe = real(keeping(rivers=rivers))
    whole = evaluate(recipe, GRID, fields=()).height
    for i, j, nx, ny in ((0, 0, 60, 50), (200, 130, 133, 50)):
        window = evaluate(recipe, GRID.window(i, j, nx, ny), fields=()).height
        assert np.array_equal(window, whole[j : j + ny, i : i + nx])


def test_an_island_keeps_its_coast_and_its_sea_floor():
    island = presets.load("island")
    bare = next(n for n, one in enumerate(island.layers) if isinstance(one.settings, Erosion))
    below = Recipe(
        size_x=island.size_x, size_y=island.size_y, layers=island.layers[:bare], seed=island.seed
    )
    grid = below.pixel_grid(256)
    before = evaluate(below, grid, fields=()).height
    eroded = (*below.layers, Layer.of(keeping(sea=True, coastal_plain=10.0)))
    after = evaluate(
        Recipe(size_x=below.size_x, size_y=below.size_y, layers=eroded, seed=below.seed),
        grid,
        fields=(),
    ).height
    assert ((before > 0) != (after > 0)).mean() < 0.01
    deep = before < -20
    assert deep.any()
    moved = np.abs(after - before)[deep]
    assert np.quantile(moved, 0.99) < 0.5
    assert moved.max() < 2.0  # where steep ground slides


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans())
def test_a_terrain_rises_by_the_means_of_what_it_lost(
    rows: int, columns: int, seed: int, coast: bool
):
    rng = np.random.default_rng(seed)
    terrain = rng.uniform(-1, 2, (rows, columns)).astype(np.float32)
    lost = rng.uniform(0, 0.5, (rows, columns)).astype(np.float32)
    sea = (0.0, 0.5) if coast else None
    rise = risen(terrain - lost, terrain, 1.0, sea) - (terrain - lost)
    wanted, radius = lost.astype(np.float64), 4
    if coast:
        wanted[terrain <= 0] = 0
    for _ in range(3):
        padded = np.pad(wanted, radius, "edge")
        around = np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1,) * 2)
        wanted = around.mean((2, 3))
    if coast:
        share = np.clip(terrain.astype(np.float64) / 0.5, 0, 1)
        wanted *= share * share * (3 - 2 * share)
    np.testing.assert_allclose(rise, wanted, atol=1e-5)


def test_water_leaves_where_it_did():
    terrain = np.random.default_rng(3).uniform(-1, 2, (9, 12)).astype(np.float32)
    level = kept_level(terrain, None)
    field = np.zeros_like(terrain)
    level.hold(field)
    inside = field[1:-1, 1:-1]
    assert not inside.any()
    field[1:-1, 1:-1] = terrain[1:-1, 1:-1]
    assert np.array_equal(field, terrain)
    drowned = kept_level(terrain, (0.5, 0.25))
    assert drowned.outlets[terrain <= 0.5].all()
    drowned.hold(field)
    assert (field[terrain <= 0.5] == 0.25).all()
    assert np.array_equal(field[terrain > 0.5], terrain[terrain > 0.5])


def test_a_new_erosion_keeps_the_forms_of_real_terrain():
    def kind(*layers: Layer) -> Erosion:
        return default_settings_for(Erosion, EXTENT, EXTENT, (0.0, 500.0), layers=layers)

    assert kind(*real().layers).type == "keep"
    assert kind(*presets.load("alps").layers).type == kind().type == "uplift"
    assert kind(*real().layers).valley_spacing < kind().valley_spacing / 3
