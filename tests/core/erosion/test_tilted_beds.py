# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilted beds of rock: a hardness of place that gives terrain a direction."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import Map, Palette, Recipe, Region, evaluate
from terrain_addon.core.analysis.realism.directions import by_aspect, stream_direction
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.surface.surface import sample_surface
from terrain_addon.core.erosion.tilted_beds import TiltedBeds
from terrain_addon.core.hydrology import drainage_area, route, stream_order
from terrain_addon.core.layers.shape.erosion import erosion
from terrain_addon.core.output import evaluate_colored
from tests.core.erosion.lands import EXTENT, axis, hills
from tests.core.erosion.test_fluvial import settings

BEDS = TiltedBeds(strike=25.0, dip=35.0, spacing=120.0, bends=0.5, seed=4)
X = np.linspace(-500, 500, 200)
GROUND = {"kind": "fractal_noise", "settings": {"size": 500.0, "height": 200.0, "octaves": 3}}


def recipe(*, ground=GROUND, seed=1, **settings):
    erosion = {"resolution": "128", "valley_spacing": 45.0, **settings}
    return Recipe.from_dict(
        {"schema": 1, "seed": seed, "layers": [ground, {"kind": "erosion", "settings": erosion}]}
    )


def test_any_window_of_the_beds_has_the_bits_of_the_whole():
    whole = BEDS.hardness(X, X)
    assert_array_equal(BEDS.hardness(X[30:77], X[101:103]), whole[101:103, 30:77])
    assert whole.dtype == np.float32
    assert whole.min() == -1
    assert whole.max() == 1
    assert abs(whole.mean()) < 0.1
    again = dataclasses.replace(BEDS, seed=5).hardness(X, X)
    assert np.corrcoef(whole.ravel(), again.ravel())[0, 1] < 0.5


@pytest.mark.parametrize("strike", [0.0, 25.0, 90.0, -130.0])
def test_beds_run_along_their_strike(strike):
    hard = dataclasses.replace(BEDS, strike=strike, bends=0.3).hardness(X, X)
    up, right = np.gradient(hard.astype(np.float64))
    tensor = ((right + 1j * up) ** 2).mean() / (right**2 + up**2).mean()
    across = np.degrees(np.angle(tensor)) / 2
    assert (across - strike) % 180 == pytest.approx(90, abs=8)
    assert abs(tensor) > 0.6


@pytest.mark.parametrize(
    ("dip", "share"), [(35.0, 0.8355), (60.0, 0.625), (90.0, 0.5), (0.0, 0.95)]
)
def test_the_gentler_the_beds_the_longer_their_dip_slope(dip, share):
    """To the left of the strike hardness rises slowly, and falls at the scarp."""
    beds = TiltedBeds(strike=0.0, dip=dip, spacing=120.0, bends=0.0, seed=4)
    assert beds.dip_slope == pytest.approx(share, abs=0.005)
    place = np.linspace(0, 1, 1001)
    rising = np.diff(beds._sawtooth(place)) > 0
    assert rising.mean() == pytest.approx(share, abs=0.005)
    assert rising[:400].all()
    assert_allclose(beds._sawtooth(place)[[0, -1]], -1)


@pytest.mark.slow
def test_terrain_takes_the_direction_of_its_beds():
    """Streams, slopes and ground alike, which no other setting of erosion does."""

    def measured(**settings):
        terrain = evaluate(recipe(**settings), recipe().pixel_grid(256))
        tree = route(terrain.height)
        order = stream_order(tree, drainage_area(tree, 1.0) > 60)
        slopes, counts = by_aspect(terrain.height, terrain.grid.dx)
        return stream_direction(tree.directions, order), np.log(slopes.max() / slopes.min()), counts

    plain, beds = measured(), measured(bed_contrast=0.8, strike=0.0)
    assert beds[0] > plain[0] + 0.1
    assert beds[1] > plain[1] + 0.1
    # Dip slopes face the way the beds dip, to the right of the strike: more ground does.
    assert beds[2][6] > 1.1 * beds[2][2]


@pytest.mark.parametrize("contrast", [0.0, 0.6])
def test_rivers_and_the_field_read_one_hardness(contrast, monkeypatch):
    made = recipe(bed_contrast=contrast, rock_hardness_variation=0.3)
    read = []
    solve = erosion.Grids.of

    def noted(*args, hardness, **kwargs):
        read.append(hardness)
        return solve(*args, hardness=hardness, **kwargs)

    monkeypatch.setattr(erosion.Grids, "of", noted)
    grid = made.pixel_grid(256)  # that of the solve, for 128 cells
    field = evaluate(made, grid).fields["hardness"]
    assert_array_equal(
        field, np.clip(np.log2(read[0].astype(np.float64)) / 4 + 0.5, 0, 1, dtype="f4")
    )
    assert np.ptp(field) > 0.3


def test_soft_rock_is_smoother_than_hard_rock():
    """On the surface, with the rivers solved for the same rock."""

    def surfaces(contrast):
        made = recipe(
            ground={"kind": "ramp", "settings": {"height": 400.0}},
            bed_contrast=contrast,
            strike=0.0,
            bends=0.0,
            gully_depth=0.0,
            rock_roughness=1.0,
        )
        grid = made.grid(257)
        terrain = evaluate(made, grid, fields=("hardness",))
        z = terrain.height.astype(np.float64)
        rough = np.abs(z[2:, 1:-1] + z[:-2, 1:-1] + z[1:-1, 2:] + z[1:-1, :-2] - 4 * z[1:-1, 1:-1])
        return rough, terrain.fields["hardness"][1:-1, 1:-1]

    rough, hard = surfaces(0.9)
    assert rough[hard > 0.8].mean() > 2 * rough[hard < 0.2].mean()


def test_without_contrast_the_other_settings_of_beds_change_nothing():
    plain = evaluate(recipe(), recipe().grid(65))
    other = recipe(strike=80.0, dip=10.0, bed_spacing=1.0, bends=0.0)
    assert_array_equal(evaluate(other, other.grid(65)).height, plain.height)
    assert (plain.fields["hardness"] == 0.5).all()


def test_beds_and_map_multiply():
    hard = Map("Hard", np.array([[0.0, 1.0]], np.float32), to_border=False)
    made = dataclasses.replace(recipe(bed_contrast=0.5, hardness_map="Hard"), maps=(hard,))
    bare = recipe(bed_contrast=0.5)
    field, alone = (evaluate(one, one.grid(65)).fields["hardness"] for one in (made, bare))
    left, right = np.s_[:, :10], np.s_[:, -10:]
    assert_allclose(field[left], alone[left], atol=0.08)
    assert field[right].mean() > alone[right].mean() + 0.3


def test_colors_follow_the_rock():
    region = Region(name="Hard", based_on="hardness", low=0.6, high=0.7, color="#FF0000")
    made = dataclasses.replace(
        recipe(bed_contrast=0.8), palette=Palette(regions=(Region(color="#000000"), region))
    )
    terrain, coloring = evaluate_colored(made, made.grid(65))
    hard = terrain.fields["hardness"]
    assert coloring.colors[hard > 0.72][:, 0].min() > 0.9
    assert coloring.colors[hard < 0.58][:, 0].max() < 0.1


def test_ledges_show_in_proportion_where_rock_is_softer():
    how = settings(strata_contrast=0.8, gully_depth=0.0, rock_roughness=0.0)
    drainage = drain(hills(128, 128), EXTENT / 128, how)
    where = axis(256)

    def surface(hardness):
        rock = None if hardness is None else np.full((256, 256), hardness, np.float32)
        return sample_surface(drainage, where, where, how, hardness=rock)

    bare, half, whole = (surface(hardness) for hardness in (0.0, 0.5, 1.0))
    assert_array_equal(whole, surface(None))
    assert np.abs(whole - bare).mean() > 0.1
    assert np.abs(half - bare).mean() == pytest.approx(np.abs(whole - bare).mean() / 2, rel=0.1)
