# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import os

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, evaluate, presets
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.layers import LAYERS
from tests.schema.golden import recorded


def test_saved_presets_come_back(tmp_path):
    folder = tmp_path / "new" / "folder"
    recipe = Recipe(seed=5, layers=(Layer.of(LAYERS["terrace"]()),))
    path = presets.save("My Mesa", recipe, folder)
    assert path == folder / "My Mesa.json"
    assert presets.names(folder) == ["My Mesa"]
    assert presets.load("My Mesa", folder) == recipe
    presets.save("My Mesa", Recipe(), folder)
    assert presets.load("My Mesa", folder) == Recipe()
    assert [p.name for p in folder.iterdir()] == ["My Mesa.json"]


@pytest.mark.parametrize("name", ["", "  ", "a/b", "../up", ".hidden", "..", "two\nlines"])
def test_names_that_cannot_be_files(name, tmp_path):
    with pytest.raises(ValueError, match="cannot name a preset"):
        presets.save(name, Recipe(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_name_is_no_text_is_left_out(tmp_path):
    presets.save("good", Recipe(), tmp_path)
    try:
        (tmp_path / os.fsdecode(b"lat\xe9in.json")).write_text("{}")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert presets.names(tmp_path) == ["good"]
    assert presets.unusable(tmp_path) == ["lat\N{REPLACEMENT CHARACTER}in.json"]


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_one_bad_entry_hides_no_other_preset(tmp_path):
    presets.save("Good", Recipe(), tmp_path)
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "dangling.json").symlink_to("gone.json")
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    assert presets.names(tmp_path) == ["Good"]
    bad = ["dangling.json", "folder.json", "loop.json", "pipe.json"]
    assert presets.unusable(tmp_path) == bad
    assert presets.names(tmp_path / "Good.json") == []  # no folder at all
    for name in ("loop", "dangling", "folder", "pipe"):
        with pytest.raises(ValueError, match="there are Good"):
            presets.load(name, tmp_path)


@pytest.mark.parametrize("text", ['{"about": "\\ud83c land"}', '{"\\udc00": 1}'])
def test_half_a_character_is_reported(text, tmp_path):
    (tmp_path / "half.json").write_text(text)
    with pytest.raises(ValueError, match=r"half.json cannot be read: it holds half a character"):
        presets.load("half", tmp_path)
    (tmp_path / "half.json").write_text('{"about": "\\ud83c\\udfd4 land"}')
    assert presets.load("half", tmp_path).about == "\U0001f3d4 land"


def test_what_cannot_be_loaded_is_named(tmp_path):
    with pytest.raises(ValueError, match="no preset named 'nowhere'"):
        presets.load("nowhere", tmp_path)
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ValueError, match="broken.json cannot be read"):
        presets.load("broken", tmp_path)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="binary.json cannot be read"):
        presets.load("binary", tmp_path)
    (tmp_path / "odd.json").write_text('{"seed": "x"}')
    with pytest.raises(ValueError, match="odd.seed: expected a whole number"):
        presets.load("odd", tmp_path)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="deep.json cannot be read"):
        presets.load("deep", tmp_path)
    (tmp_path / "twice.json").write_text('{"seed": 1, "seed": 2}')
    with pytest.raises(ValueError, match="twice.json cannot be read: it has 'seed' twice"):
        presets.load("twice", tmp_path)
    (tmp_path / "marked.json").write_text('{"seed": 7}', encoding="utf-8-sig")
    assert presets.load("marked", tmp_path).seed == 7
    (tmp_path / "folder.json").mkdir()
    assert "folder" not in presets.names(tmp_path)
    with pytest.raises(ValueError, match="no palette named 'nowhere'"):
        presets.load_palette("nowhere")


def test_labels():
    assert presets.label("rolling_downs") == "Rolling Downs"
    assert presets.label("My mesa") == "My mesa"


@pytest.mark.parametrize("name", presets.names())
def test_every_preset_that_comes_along_is_read_as_it_is_written(name):
    recipe = presets.load(name)
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.about


def test_a_preset_makes_land(sampled_preset):
    recipe = presets.load(sampled_preset)
    height = evaluate(recipe, recipe.grid(33)).height
    assert np.isfinite(height).all() and np.ptp(height) > 0


def test_presets_are_listed_by_the_groups_of_their_files(tmp_path):
    for name, group in {"cone": "Shapes", "hill": "", "ring": "Shapes"}.items():
        presets.save(name, Recipe(group=group), tmp_path)
    groups = presets.grouped(presets.names(tmp_path), tmp_path)
    assert groups == {"": ["hill"], "Shapes": ["cone", "ring"]}
    assert next(iter(groups)) == ""


def test_plasma_has_land_and_sea_whatever_the_seed():
    recipe = recorded("plasma")
    for seed in range(10):
        terrain = evaluate(dataclasses.replace(recipe, seed=seed), recipe.grid(65)).height
        assert 0.15 < np.mean(terrain < recipe.water.level) < 0.7
        assert terrain.max() > 200


def separate(terrain):
    """Numbers of cells of the pieces of a mask that hang together by their sides, falling."""
    names = np.where(terrain, np.arange(1, terrain.size + 1).reshape(terrain.shape), 0)
    for _ in range(terrain.size):
        p = np.pad(names, 1)
        around = [p[1:-1, 1:-1], p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]]
        spread = np.where(terrain, np.max(around, axis=0), 0)
        if np.array_equal(spread, names):
            break
        names = spread
    return np.sort(np.unique(names[terrain], return_counts=True)[1])[::-1]


@pytest.mark.slow
def test_the_archipelago_is_many_islands_within_its_sea():
    recipe = presets.load("archipelago")
    shares, counts = [], []
    for seed in range(6):
        terrain = (
            evaluate(dataclasses.replace(recipe, seed=seed), recipe.pixel_grid(160)).height > 0
        )
        border = np.concatenate([terrain[0], terrain[-1], terrain[:, 0], terrain[:, -1]])
        assert not border.any()
        pieces = separate(terrain)
        shares.append(pieces[0] / pieces.sum())
        counts.append((pieces > 40).sum())
    assert np.mean(shares) < 0.5  # the largest island
    assert min(counts) >= 4


@pytest.mark.slow
def test_the_rocky_coast_has_land_and_sea_sand_and_platforms_in_any_place():
    recipe, middles = presets.load("rocky_coast"), []
    for seed in range(6):
        made = evaluate(dataclasses.replace(recipe, seed=seed), recipe.grid(129))
        land = made.height > 0
        assert 0.2 < land.mean() < 0.9
        middles.append(np.argwhere(land).mean(axis=0))
        assert made.fields["beach"].max() > 0.9 and made.fields["platform"].max() > 0.9
        assert 45 < np.median(made.height[land]) < 75
    assert np.ptp(middles, axis=0).min() > 15, "not always on the same side"


@pytest.mark.slow
def test_the_volcanic_island_has_a_caldera_within_its_sea():
    recipe = presets.load("volcanic_island")
    for seed in range(3):
        made = evaluate(dataclasses.replace(recipe, seed=seed), recipe.grid(129))
        height, middle = made.height, made.height[58:71, 58:71]
        border = np.concatenate([height[0], height[-1], height[:, 0], height[:, -1]])
        assert border.max() < 0 < middle.min()
        assert np.median(middle) < 0.6 * height.max(), "the floor lies below its rim"


def test_plasma_has_no_peaks_on_a_square_net():
    recipe = recorded("plasma")
    h = evaluate(recipe, recipe.grid(1025)).height.astype(float)
    bend = np.abs(h[:-2, 1:-1] + h[2:, 1:-1] + h[1:-1, :-2] + h[1:-1, 2:] - 4 * h[1:-1, 1:-1])
    assert bend[127::128, 127::128].mean() < 1.6 * np.median(bend)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dunes", "star_dunes", "barchan_field"])
def test_dunes_have_slip_faces_that_sand_can_have(name):
    recipe = presets.load(name)
    grid = recipe.grid(600)
    for seed in range(3):
        height = evaluate(dataclasses.replace(recipe, seed=seed), grid).height.astype(float)
        slope = np.degrees(np.arctan(np.hypot(*np.gradient(height, grid.dy, grid.dx))))
        assert np.percentile(slope, 99.9) < 36
        assert np.mean(slope > 27) > 0.02


@pytest.mark.slow
def test_tops_of_mesas_are_even():
    """Bare of the roughness of their cliffs: what is level has no bumps and pits."""
    recipe = presets.load("mesa")
    for seed in range(3):
        h = evaluate(dataclasses.replace(recipe, seed=seed), recipe.grid(601)).height.astype(float)
        dy, dx = np.gradient(h, recipe.size_x / 600)
        slope = np.hypot(dx, dy)
        top = (h > np.percentile(h, 75)) & (slope < np.tan(np.radians(25)))
        assert top.mean() > 0.05
        assert np.percentile(slope[top], 75) < np.tan(np.radians(5))


@pytest.mark.slow
def test_gullies_of_the_volcano_run_down_its_flanks():
    """What is finer than a ridge changes around the cone, not along its radii: ribs that leave each
    ridge at an angle, as on a fishbone, change along both."""
    recipe = presets.load("volcano")
    cone = next(one for one in recipe.layers if one.name == "Cone")
    centered = dataclasses.replace(
        cone, settings=dataclasses.replace(cone.settings, wander=0.0, collapse=0.0)
    )
    recipe = dataclasses.replace(
        recipe, layers=tuple(centered if one is cone else one for one in recipe.layers)
    )
    grid = recipe.grid(512)
    height = evaluate(recipe, grid).height
    along_y, along_x = np.gradient(height - box(height, 6), grid.dy, grid.dx)
    x, y = grid.x[None, :], grid.y[:, None]
    radius = np.hypot(x, y)
    flank = (radius > 500) & (radius < 1400)
    down = ((along_x * x + along_y * y) / radius)[flank]
    around = ((along_y * x - along_x * y) / radius)[flank]
    assert np.sqrt((around**2).mean() / (down**2).mean()) > 1.7


def test_valley_spacing_is_a_number_that_its_slider_starts_from():
    for name in presets.names():
        for one in presets.load(name).layers:
            assert getattr(one.settings, "valley_spacing", 1.0) > 0, name


@pytest.mark.slow
def test_fjords_reach_into_land_whose_place_differs_from_seed_to_seed():
    recipe = presets.load("fjords")
    quarters = set()
    for seed in range(1, 6):
        sea = evaluate(dataclasses.replace(recipe, seed=seed), recipe.grid(65)).height < 0
        assert 0.04 < sea.mean() < 0.5
        shares = {(j, i): sea[32 * j :, 32 * i :][:33, :33].mean() for j in (0, 1) for i in (0, 1)}
        quarters.add(min(shares, key=shares.__getitem__))
    assert len(quarters) > 1, "the land lies always in the same corner"


@pytest.mark.slow
def test_terraces_follow_contours_on_slopes_that_are_not_steep():
    """Treads are where the ground was steep enough to need them, and nowhere on the plain."""
    recipe = presets.load("terraced_hills")
    layers, grid = recipe.layers, recipe.grid(257)
    hills = evaluate(dataclasses.replace(recipe, layers=layers[:-1]), grid).height.astype(float)
    moved = evaluate(recipe, grid).height - hills
    slope = np.degrees(np.arctan(np.hypot(*np.gradient(hills, grid.dy, grid.dx))))
    terraced = (slope > 16) & (slope < 29)
    assert terraced.mean() > 0.3
    assert np.abs(moved[terraced]).mean() > 0.5
    elsewhere = np.abs(moved[(slope < 9) | (slope > 38)])
    assert np.percentile(elsewhere, 99) < 0.1  # all but where the two ways to take a slope differ


@pytest.mark.slow
def test_peaks_pierce_the_ice_cap_and_the_plain_lies_below_its_front():
    """Ice is as gentle as ice sheets are: below 15 degrees; a plain, below 2."""
    shares = {}
    for name, gentle in {"ice_cap": 15.0, "mountain_front": 2.0}.items():
        recipe = presets.load(name)
        grid = recipe.grid(129)
        for seed in (1, 2):
            h = evaluate(dataclasses.replace(recipe, seed=seed), grid).height.astype(float)
            slope = np.degrees(np.arctan(np.hypot(*np.gradient(h, grid.dy, grid.dx))))
            shares[name, seed] = (slope < gentle).mean(), (slope > 25).mean()
    for key, (flat, steep) in shares.items():
        assert flat > 0.35 and steep > 0.03, (key, flat, steep)
