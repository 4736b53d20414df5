# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import hydrology as hy
from terrain_addon.core.analysis.derivatives import steepness
from terrain_addon.core.erosion.rivers import solver
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.surface.surface import REACH, sample_surface
from terrain_addon.core.hydrology.d8 import NONE, receivers
from terrain_addon.core.numerics.progress import Cancelled
from tests.core.erosion.lands import EXTENT, axis, hills, island


def settings(**changes: Any) -> SurfaceSettings:
    """Quick ones, with those changes."""
    return SurfaceSettings(**{"resolution": "128", **changes})


PLAIN, FINE = settings(), settings(resolution="256")


def eroded(terrain, how=PLAIN, samples=256, sea=None, seed=0, **options):
    drainage = drain(terrain, EXTENT / max(terrain.shape), how, sea=sea, seed=seed)
    rows, columns = (samples * side // max(terrain.shape) or 1 for side in terrain.shape)
    spacing = EXTENT / samples
    x: Any = (np.arange(columns) - columns / 2 + 0.5) * spacing
    y: Any = (np.arange(rows) - rows / 2 + 0.5) * spacing
    return sample_surface(drainage, x, y, how, seed=seed, **options)


def below_spill(height, sea=None):
    outlets = hy.border(height.shape)
    if sea is not None:
        outlets |= height <= sea
    level = hy.spill_levels(height, hy.route(height, outlets))
    return float((level > height + 1e-6 * np.ptp(height)).mean())


def test_eroded_land_drains_and_the_raw_land_does_not():
    terrain = hills(256, 256, octaves=8)
    assert below_spill(terrain) > 0.1
    assert below_spill(eroded(terrain)) < 0.03


def test_rock_shows_on_steep_ground_and_soil_covers_the_rest():
    terrain = hills(128, 128)
    smooth = eroded(terrain, settings(gully_depth=0.0, rock_roughness=0.0))
    rock = np.abs(eroded(terrain, settings(gully_depth=0.0, rock_roughness=1.0)) - smooth)
    along_y, along_x = np.gradient(smooth, EXTENT / 256)
    slope = np.hypot(along_y, along_x)
    gentle, steep = (rock[(slope > low) & (slope < low + 0.1)].mean() for low in (0.1, 0.6))
    assert steep > 0.5
    assert gentle < 0.04 * steep


def rock_alone(x, y, spacing):
    """What rock adds, on ground that does not slide."""
    terrain, bare = hills(128, 128), {"gully_depth": 0.0, "talus": 89.0}
    drainage = drain(terrain, EXTENT / 128, settings(**bare))
    made = [
        sample_surface(
            drainage, x, y, settings(**bare, rock_roughness=share), spacing=(spacing, spacing)
        )
        for share in (1.0, 0.0)
    ]
    return made[0] - made[1]


def test_rock_has_edges_and_does_not_lift_the_ground():
    x = axis(1024)[400:800]
    rock = rock_alone(x, x, x[1] - x[0])
    assert abs(rock.mean()) < 0.1 * rock.std()
    bend = 4 * rock[1:-1, 1:-1] - rock[:-2, 1:-1] - rock[2:, 1:-1]
    bend -= rock[1:-1, :-2] + rock[1:-1, 2:]
    skew = ((bend - bend.mean()) ** 3).mean() / bend.std() ** 3
    assert skew > 0.4  # crests are sharper than creases; 0 for fBm


def test_rock_shows_no_lines_of_its_lattice():
    cell = 0.93 * PLAIN.unit(EXTENT) / 8
    rows = np.arange(-80, 80) * cell / 2  # on lines of the fourth octave, and halfway between
    rock = rock_alone(axis(2000), rows, cell / 8)
    assert abs(rock[::2].mean() - rock[1::2].mean()) < 0.07 * rock.std()  # Perlin noise: 0.15


def test_all_rain_leaves_through_the_outlets():
    drainage = drain(hills(128, 128), EXTENT / 128, PLAIN)
    assert drainage.area[drainage.directions == NONE].sum() == pytest.approx(
        drainage.height.size * drainage.spacing**2, rel=1e-4
    )


def test_same_bits_with_any_threads_and_bands():
    terrain = hills(100, 140)
    drainage = drain(terrain, EXTENT / 140, PLAIN)
    x, y = axis(311), axis(203)
    expected = sample_surface(drainage, x, y, PLAIN)
    for threads, band in ((2, 32), (4, 32), (1, 7), (2, 500)):
        assert_array_equal(
            sample_surface(drainage, x, y, PLAIN, threads=threads, band=band), expected
        )
    again = drain(terrain, EXTENT / 140, PLAIN)
    assert_array_equal(again.height, drainage.height)


def test_tiles_have_no_seams():
    drainage = drain(island(100), EXTENT / 100, PLAIN, sea=0.0)
    x = axis(300)
    whole = sample_surface(drainage, x, x, PLAIN)
    tile = sample_surface(drainage, x[100:220], x[50:150], PLAIN)
    inside = slice(REACH, -REACH)
    assert_array_equal(tile[inside, inside], whole[50:150, 100:220][inside, inside])


def test_resolutions_agree():
    terrain = hills(256, 256)
    drainage = drain(terrain, EXTENT / 256, FINE)
    coarse = sample_surface(drainage, axis(512), axis(512), FINE)
    fine = sample_surface(drainage, axis(1024), axis(1024), FINE)
    fine = fine.reshape(512, 2, 512, 2).mean((1, 3))
    assert np.corrcoef(coarse.ravel(), fine.ravel())[0, 1] > 0.99
    assert np.sqrt(((coarse - fine) ** 2).mean()) < 0.15 * fine.std()


def straight_share(drainage: Any, least: int = 8) -> float:
    """Of the river cells on sediment, how many begin a straight run along the grid."""
    tree, below = hy.build_tree(drainage.directions), receivers(drainage.directions)
    step, run = below - np.arange(below.size), np.ones(below.size, int)
    for cell in tree.order:  # upstream
        if step[cell] and step[cell] == step[below[cell]]:
            run[cell] = run[below[cell]] + 1
    river = (
        (drainage.area > drainage.unit**2)
        & (drainage.deposition > 0.5)
        & (drainage.directions != NONE)
    )
    return float((run[river.ravel()] >= least).mean())


@pytest.mark.slow
def test_rivers_wind_over_plains(monkeypatch: pytest.MonkeyPatch):
    """Without swells those of this land run straight along the grid for a fifth of their way."""
    terrain = {"type": "plateau", "age": 0.75, "incision": 60.0, "valley_floor": 0.9}
    lands = [hills(128, 128, seed) for seed in range(4)]

    def share() -> float:
        made = (drain(one, EXTENT / 128, FluvialSettings(**terrain)) for one in lands)
        return float(np.mean([straight_share(one) for one in made]))

    wound = share()
    monkeypatch.setattr(solver, "swelled", lambda height, filled, *_, **__: filled)
    plain = share()
    assert wound < 0.75 * plain


def test_no_frame_along_the_border():
    height = eroded(hills(256, 256))
    rough = np.hypot(0, np.diff(height, 2, axis=0))
    inside = rough[:, 30:-30].mean()
    border = (rough[:, :4].mean() + rough[:, -4:].mean()) / 2
    assert 0.6 < border / inside < 1.4


@pytest.mark.parametrize("seed", [4, 6])
@pytest.mark.parametrize("changes", [{"strength": 4.0}, {"valley_spacing": EXTENT / 5}])
def test_no_scarps_between_basins_of_well_worn_land(changes, seed):
    drainage = drain(hills(256, 256, seed), EXTENT / 256, FluvialSettings(**changes), seed=seed)
    inside = slice(24, -24)
    slopes = steepness(drainage.height[inside, inside], drainage.spacing, drainage.spacing)
    steep, steepest = np.quantile(slopes, [0.9, 0.999])
    assert steepest < 2.4 * steep  # 2.9 to 6.7 with outlets at the heights of the land before


def test_relic_land_wears_with_age():
    terrain = 100 + 0.1 * hills(128, 128)
    relief = []
    volume = []
    for age in (0.1, 0.5, 0.9):
        height = eroded(terrain, settings(type="plateau", age=age, incision=60.0))
        volume.append(float(height.mean()))
        relief.append(float(np.ptp(height)))
    assert volume[0] > volume[1] > volume[2]
    assert max(relief) < 160


def halves(values, usual=1.0):
    """A factor on the left half of a land of 128 x 128 cells."""
    factor = np.full((128, 128), usual, np.float32)
    factor[:, :64] = values
    return factor


def left_and_right(changed, usual):
    """Mean change of the land's two halves, well apart from each other."""
    change = changed - usual
    half = change.shape[1] // 2
    return float(change[:, : half - 8].mean()), float(change[:, half + 8 :].mean())


@pytest.mark.parametrize(
    "mode", [{}, {"type": "plateau", "incision": 80.0, "age": 0.6}], ids=["uplift", "plateau"]
)
def test_hard_rock_stands_higher_and_soft_rock_lower(mode):
    terrain, how = hills(128, 128), settings(**mode)
    usual = drain(terrain, EXTENT / 128, how).height
    for hardness, sign in ((8.0, 1), (0.2, -1)):
        changed = drain(terrain, EXTENT / 128, how, hardness=halves(hardness)).height
        left, right = left_and_right(changed, usual)
        assert sign * left > 3 * abs(right)
        assert sign * left > 1.0


def test_more_rain_cuts_deeper():
    terrain = hills(128, 128)
    usual = drain(terrain, EXTENT / 128, PLAIN)
    for rain, sign in ((6.0, -1), (0.2, 1)):
        wet = drain(terrain, EXTENT / 128, PLAIN, rain=halves(rain))
        left, _ = left_and_right(wet.height, usual.height)
        assert sign * left > 1.0
    twice = drain(terrain, EXTENT / 128, PLAIN, rain=halves(2.0, 2.0))
    assert twice.area[twice.directions == NONE].sum() == pytest.approx(
        2 * 1e6 * (152 / 128) ** 2, rel=1e-3
    )


def test_usual_rock_and_rain_change_nothing():
    terrain, same = hills(64, 64), np.ones((64, 64), np.float32)
    usual = drain(terrain, EXTENT / 64, PLAIN)
    made = drain(terrain, EXTENT / 64, PLAIN, hardness=same, rain=same)
    assert_allclose(made.height, usual.height, atol=1e-3)


def test_hardness_follows_the_land_whatever_its_resolution():
    coarse, fine = np.ones((64, 64), np.float32), np.ones((256, 256), np.float32)
    coarse[:, :32], fine[:, :128] = 5.0, 5.0
    a = drain(hills(64, 64), EXTENT / 64, PLAIN, hardness=coarse).height
    b = drain(hills(256, 256), EXTENT / 256, PLAIN, hardness=fine).height
    assert np.corrcoef(a.ravel(), b.ravel())[0, 1] > 0.97


def test_valley_spacing_sets_the_number_of_streams():
    terrain = hills(128, 128)
    heads = []
    for spacing in (30.0, 120.0):
        height = eroded(
            terrain, settings(valley_spacing=spacing, gully_depth=0.0, rock_roughness=0.0)
        )
        heads.append(np.abs(np.diff(height, 2)).mean())
    assert heads[0] > 1.3 * heads[1]


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (2, 3), (7, 300), (64, 64)])
def test_any_size_and_proportion(shape):
    height = eroded(hills(*shape), samples=max(shape))
    assert height.shape == shape
    assert np.isfinite(height).all()


@pytest.mark.parametrize("mode", ["uplift", "plateau"])
@pytest.mark.parametrize("sea", [None, 0.0, 5.0, 20.0])
def test_flat_land_and_land_below_the_sea(mode, sea):
    flat = np.full((40, 30), 5.0, np.float32)
    height = eroded(flat, settings(type=mode), samples=64, sea=sea)
    assert np.isfinite(height).all()
    assert height.min() > -200
    if sea == 20.0 and mode == "uplift":
        np.testing.assert_allclose(height, 5.0, atol=1.0)


@pytest.mark.parametrize(
    "extreme",
    [
        {"strength": 0.0},
        {"strength": 100.0, "concavity": 1.0},
        {"valley_spacing": 1e6},
        {"valley_spacing": 1e-3},
        {"talus": 1.0, "rounding": 1.0},
        {"talus": 89.0, "rounding": 0.0},
        {"type": "plateau", "age": 1.0, "incision": 1e5},
        {"type": "plateau", "age": 0.0, "strata_contrast": 1.0, "strata_thickness": 1e-2},
        {"gully_depth": 10.0, "gully_octaves": 8, "rock_roughness": 10.0},
        {"beach_width": 1e5, "beach_slope": 45.0, "cliff_height": 0.0},
        {"sea_rise": 1e5},
    ],
)
def test_extreme_settings_give_a_defined_result(extreme):
    assert np.isfinite(eroded(island(64), settings(**extreme), samples=64, sea=0.0)).all()


def test_extreme_heights():
    for factor in (1e-4, 1e4):
        height = eroded(hills(64, 64) * np.float32(factor), samples=64)
        assert np.isfinite(height).all()


def test_bad_input_is_refused():
    terrain = hills(16, 16)
    usual = np.ones_like(terrain)
    for name in ("hardness", "rain"):
        other: dict[str, Any] = {name: np.ones((3, 4), np.float32)}
        with pytest.raises(
            ValueError, match=rf"{name} has the shape \(3, 4\), the terrain \(16, 16\)"
        ):
            drain(terrain, 1.0, PLAIN, **other)
        for wrong in (0.0, -1.0, np.nan, np.inf):
            usual[2, 3] = wrong
            bad: dict[str, Any] = {name: usual}
            with pytest.raises(ValueError, match=f"{name} must be finite and above zero"):
                drain(terrain, 1.0, PLAIN, **bad)
    for spacing in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="spacing must be finite and above zero, not"):
            drain(terrain, spacing, PLAIN)
    for sea in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="height of the sea must be finite, not"):
            drain(terrain, 1.0, PLAIN, sea=sea)
    terrain[3, 4] = np.inf
    with pytest.raises(ValueError, match="finite"):
        drain(terrain, 1.0, PLAIN)


def test_progress_rises_and_cancelling_stops():
    terrain, seen = hills(64, 64), []
    drainage = drain(terrain, EXTENT / 64, PLAIN, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    calls = iter(range(1000))
    with pytest.raises(Cancelled):
        drain(terrain, EXTENT / 64, PLAIN, cancelled=lambda: next(calls) > 5)
    with pytest.raises(Cancelled):
        sample_surface(drainage, axis(64), axis(64), PLAIN, cancelled=lambda: True)


def test_river_beds_are_carved_and_tiles_fit():
    how = settings(rivers=2.0, min_catchment_area=1.0)
    drainage = drain(hills(128, 128), EXTENT / 128, how)
    x = axis(256)
    before, after = sample_surface(drainage, x, x, PLAIN), sample_surface(drainage, x, x, how)
    assert (after <= before).all()
    assert 0.005 < (after < before).mean() < 0.2
    tile = sample_surface(drainage, x[60:200], x[40:180], how, spacing=(EXTENT / 256, EXTENT / 256))
    inside = slice(REACH, -REACH)
    assert_array_equal(tile[inside, inside], after[40:180, 60:200][inside, inside])


@pytest.mark.parametrize("sea", [None, 0.0])
def test_strips_of_the_surface_show_nowhere(sea, monkeypatch):
    drainage = drain(hills(128, 128), EXTENT / 128, PLAIN, sea=sea)
    x, reported = axis(200), []
    whole = sample_surface(drainage, x, x, PLAIN)
    monkeypatch.setattr("terrain_addon.core.erosion.surface.surface.STRIP", 1)
    monkeypatch.setattr("terrain_addon.core.erosion.surface.surface.STRIP_REACHES", 1)
    assert_array_equal(sample_surface(drainage, x, x, PLAIN, progress=reported.append), whole)
    assert reported == sorted(reported) and reported[-1] == 1
    assert len(reported) > 4


def test_gullies_leave_crests_calm():
    """Stripes that cross a crest would set a row of cones on it."""
    drainage = drain(hills(128, 128), EXTENT / 128, PLAIN)
    x = axis(512)
    bare = sample_surface(drainage, x, x, settings(gully_depth=0.0, rock_roughness=0.0))
    change = sample_surface(drainage, x, x, settings(gully_depth=1.0, rock_roughness=0.0)) - bare
    size = int(0.25 * drainage.unit / (EXTENT / 512))
    above = (bare - box(bare, size)) / drainage.unit
    gy, gx = np.gradient(bare, EXTENT / 512)
    steep = np.hypot(gx, gy) > 0.3
    crests, sides = steep & (above > 0.05), steep & (np.abs(above) < 0.01)
    assert crests.mean() > 0.01
    assert change[crests].mean() < 0.6 * change[sides].mean()


def test_layers_of_rock_go_on_above_the_land_that_is_lifted():
    """Hard rock on top would grow without measure."""
    how = settings(strata_contrast=0.5, strata_thickness=15.0, strength=0.3)
    soft = drain(hills(128, 128), EXTENT / 128, settings(strength=0.3)).height
    hard = drain(hills(128, 128), EXTENT / 128, how).height
    assert np.ptp(hard) < 2 * np.ptp(soft)


@pytest.mark.parametrize("mode", ["uplift", "plateau"])
def test_gentler_slopes_where_asked(mode):
    """Set low, the steepest slope binds but for what rises between two steps."""
    terrain, steep = hills(128, 128), {}
    for talus in (10.0, 20.0, 37.0):
        how = settings(type=mode, age=0.6, incision=1500.0, talus=talus, resolution="256")
        made = drain(terrain, EXTENT / 128, how)
        slope = np.degrees(np.arctan(steepness(made.height, made.spacing, made.spacing)))
        steep[talus] = float(np.quantile(slope, 0.75))
    assert steep[10.0] < 20
    assert steep[10.0] < 0.75 * steep[20.0]
    assert steep[20.0] < 35 < steep[37.0]
