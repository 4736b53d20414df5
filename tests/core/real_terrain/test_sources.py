# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files as maps of a recipe, and recipes made from them."""

import numpy as np
import pytest
import tifffile
from hypothesis import given, strategies as st

from terrain_addon.core import HeightMap, Layer, Recipe, elevation, evaluate, formats, real_terrain
from terrain_addon.core.formats import RawLayout
from terrain_addon.core.real_terrain import Source
from tests.core.formats.test_geotiff import geo, real, written

PROJECTED = ((1024, 1), (1025, 2), (3072, 32617), (3076, 9001))


def dem(path, height=None, scale=(90.0, 90.0, 0.0), keys=PROJECTED, **tags):
    return written(
        path, real() if height is None else height, extratags=geo(scale=scale, keys=keys, **tags)
    )


numbers = st.one_of(st.none(), st.floats(-1e4, 1e4))
sources = st.builds(
    Source,
    paths=st.lists(st.sampled_from(("a.tif", "//b c.hgt", "/x/d#1.asc")), min_size=1).map(tuple),
    fill=st.booleans(),
    every=st.sampled_from((1, 2, 16)),
    spacing=numbers, low=numbers, high=numbers,
    unit=st.sampled_from((None, "us-ft", "deg")), heights=st.sampled_from((None, "ft")),
    layout=st.builds(
        RawLayout,
        columns=st.sampled_from((None, 7)),
        bits=st.sampled_from((None, 16)),
        order=st.sampled_from((None, "little", "big")),
        kind=st.sampled_from((None, "u", "i", "f")),
        north_first=st.booleans(),
    ),
)  # fmt: skip


@given(sources)
def test_the_text_of_a_source_says_all_of_it(source):
    assert Source.parse(str(source)) == source


@pytest.mark.parametrize("text", ["", "Paint", "dem.tif.001", "a.tif;b", "#fill", "a.png.blend"])
def test_other_names_are_no_elevation_files(text):
    assert Source.parse(text) is None and not real_terrain.is_elevation(text)
    with pytest.raises(ValueError, match="names no elevation file"):
        real_terrain.map_of(text)


@pytest.mark.parametrize("option", ["fil", "every=3", "bits=x", "order=middle", "spacing=", "a=1"])
def test_unknown_options_are_refused_by_name(option):
    with pytest.raises(ValueError, match="every is one of|no option of an elevation file"):
        Source.parse(f"dem.tif#{option}")


def test_paths_are_relative_to_the_folder_that_they_are_for(tmp_path):
    (tmp_path / "maps").mkdir()
    path = dem(tmp_path / "maps" / "dem.tif")
    source = Source.parse(f"{path}#fill").within(tmp_path / "scenes")
    assert str(source) == "//../maps/dem.tif#fill"
    assert source.files(tmp_path / "scenes")[0].resolve() == path
    assert str(source.within(tmp_path, tmp_path / "scenes")) == "//maps/dem.tif#fill"
    assert real_terrain.map_of("//maps/dem.tif", tmp_path).in_meters


def test_real_terrain_has_its_size_its_heights_and_colors_by_height(tmp_path):
    recipe = real_terrain.load_recipe(str(dem(tmp_path / "dem.tif")))
    assert (recipe.size_x, recipe.size_y) == (130 * 90.0, 102 * 90.0)
    made = evaluate(recipe, recipe.grid((131, 103)))
    np.testing.assert_allclose(made.height, real()[::-1], atol=2e-3)
    assert not recipe.water.show and recipe.palette.measure == "meters"
    starts = {one.name: one.start for one in recipe.palette.regions}
    assert starts["Forest"] < starts["Heath"] < 1076 < starts["Alpine Meadow"] < starts["Snow"]


def test_belts_and_rock_cover_shares_of_real_terrain(tmp_path):
    recipe = real_terrain.load_recipe(str(dem(tmp_path / "dem.tif")))
    made, palette = evaluate(recipe, recipe.grid((131, 103))), recipe.palette
    for region, share in zip(palette.regions[1:4], (0.3, 0.5, 0.88), strict=True):
        assert (made.height < region.start).mean() == pytest.approx(share, abs=0.02)
    rock = (made.fields["slope"] > palette.rock_slope).mean()
    assert 0.002 < rock < 0.1
    flat = real_terrain.load_recipe(str(dem(tmp_path / "flat.tif", real() / 100)))
    assert flat.palette.rock_slope == 16.0


def test_terrain_above_the_tree_line_has_no_woods(tmp_path):
    recipe = real_terrain.load_recipe(str(dem(tmp_path / "high.tif", real() + 3000)))
    first = next(one for one in recipe.palette.regions if one.name == "Alpine Meadow")
    assert first.start < recipe.maps[0].range[0] + 150


def test_a_sea_shows_where_terrain_lies_below_it(tmp_path):
    recipe = real_terrain.load_recipe(str(dem(tmp_path / "coast.tif", real() - 400)))
    assert recipe.water.show and recipe.water.level == 0
    names = [one.name for one in recipe.palette.regions]
    assert names[0] == "Deep Sea" and names[-1] == "Snow"
    deep = real_terrain.load_recipe(str(dem(tmp_path / "deep.tif", real() - 4000)))
    assert not deep.water.show


def test_a_recipe_reads_its_files_from_its_own_folder(tmp_path, monkeypatch):
    dem(tmp_path / "dem.tif")
    layer = Layer.of(HeightMap(source="//dem.tif", fit="true"))
    (tmp_path / "own.json").write_text(Recipe(layers=(layer,)).to_json())
    monkeypatch.chdir(tmp_path.parent)
    recipe = real_terrain.load_recipe(str(tmp_path / "own.json"))
    assert recipe.maps[0].name == "//dem.tif" and recipe.maps[0].spacing == (90, 90)
    (tmp_path / "dem.tif").unlink()
    with pytest.raises(ValueError, match=r"dem\.tif is missing: choose it again"):
        real_terrain.load_recipe(str(tmp_path / "own.json"))
    painted = Recipe(layers=(Layer.of(HeightMap(source="Paint")),))
    (tmp_path / "own.json").write_text(painted.to_json())
    with pytest.raises(ValueError, match="has a map 'Paint', which is not given"):
        real_terrain.load_recipe(str(tmp_path / "own.json"))


def test_several_files_are_one_terrain(tmp_path):
    whole = real(61, 80)
    dem(tmp_path / "west.tif", whole[:, :41])
    east = geo(tie=(0, 0, 0, 500000.0 + 40 * 90, 5200000.0, 0), scale=(90, 90, 0), keys=PROJECTED)
    written(tmp_path / "east.tif", whole[:, 40:], extratags=east)
    found = real_terrain.map_of("west.tif;east.tif", tmp_path)
    np.testing.assert_array_equal(found.values, whole[::-1])


def test_every_other_sample_keeps_the_extent_and_the_mean(tmp_path):
    dem(tmp_path / "dem.tif", real(101, 129))
    whole, part = (real_terrain.map_of(f"dem.tif{end}", tmp_path) for end in ("", "#every=4"))
    assert part.values.shape == (26, 33) and part.size == whole.size
    assert part.values.mean() == pytest.approx(whole.values.mean(), abs=6)


def test_large_voids_are_filled_only_if_the_name_says_so(tmp_path):
    height = real()
    height[20:70, 30:90] = -32768
    dem(tmp_path / "dem.tif", height)
    with pytest.raises(ValueError, match=r"dem\.tif: A void is large"):
        real_terrain.map_of("dem.tif", tmp_path)
    assert np.isfinite(real_terrain.map_of("dem.tif#fill", tmp_path).values).all()


def test_raw_numbers_need_a_range_and_a_spacing(tmp_path):
    numbers = np.linspace(0, 65535, 65 * 65).reshape(65, 65).astype("<u2")
    numbers.tofile(tmp_path / "hill.raw")
    text = str(tmp_path / "hill.raw")
    with pytest.raises(ValueError, match=r"hill\.raw does not say what heights .* #low=0,high"):
        real_terrain.load_recipe(text)
    with pytest.raises(ValueError, match=r"hill\.raw does not say how far apart .* #spacing=30"):
        real_terrain.load_recipe(f"{text}#low=0,high=900")
    recipe = real_terrain.load_recipe(f"{text}#spacing=2,low=100,high=900,order=little,columns=65")
    assert recipe.size_x == 128 and recipe.maps[0].range == pytest.approx((100, 900))
    assert real_terrain.map_of(text).range == (0, 1)  # as a map, it is 0 to 1


def test_truncated_and_wrong_endian_raw_files_are_said(tmp_path):
    numbers = (real(64, 64) * 10).astype("<u2")
    path = tmp_path / "hill.raw"
    path.write_bytes(numbers.tobytes()[:-3])
    with pytest.raises(ValueError, match=r"hill\.raw: its 8189 bytes are no square of numbers"):
        real_terrain.load_recipe(f"{path}#spacing=90,low=0,high=6553.5")
    numbers.tofile(path)
    with pytest.raises(ValueError, match=r"hill\.raw: 64 x 65 numbers .* do not take the 8192"):
        real_terrain.map_of(f"{path}#columns=64,rows=65")
    right = real_terrain.map_of(f"{path}#low=0,high=6553.5").values
    np.testing.assert_allclose(right, real(64, 64), atol=0.2)  # little-endian is guessed
    wrong = real_terrain.map_of(f"{path}#order=big,low=0,high=6553.5").values
    assert np.abs(np.diff(wrong)).mean() > 50 * np.abs(np.diff(right)).mean()  # as it was asked for
    floats = real(64, 64).astype(">f4")
    floats.tofile(path)
    wrong_end = f"{path}#type=float,order=little,spacing=90"
    with pytest.raises(ValueError, match=r"heights from .* which are none of terrain"):
        real_terrain.load_recipe(wrong_end)
    np.testing.assert_array_equal(real_terrain.map_of(f"{path}#type=float").values, real(64, 64))


def test_degrees_without_a_note_are_degrees(tmp_path):
    degrees = {"scale": (1 / 1200, 1 / 1200, 0), "keys": ()}
    tags = geo(tie=(0, 0, 0, -84.41, 36.73, 0), **degrees)
    path = written(tmp_path / "bare.tif", real(), extratags=tags)
    model = formats.read(path)
    assert model.spacing == pytest.approx((74.4, 92.5), abs=0.3)
    assert "The file names no coordinate system: degrees assumed." in model.notes
    tags = geo(tie=(0, 0, 0, 500000.0, 5200000.0, 0), **degrees)
    path = written(tmp_path / "nowhere.tif", real(), extratags=tags)
    with pytest.raises(ValueError, match=r"nowhere\.tif: .* at a place that is none: state"):
        formats.read(path)
    assert real_terrain.load_recipe(f"{path}#spacing=90").size_x == 130 * 90


@pytest.mark.parametrize(
    ("height", "scale", "message"),
    [
        (real() * 1000, 90.0, "heights from .* which are none of terrain"),
        (-real() * 100, 90.0, "heights from .* which are none of terrain"),
        (real(), 1e6, "outside its projection: state the spacing"),
        (np.full((40, 50), -9999.0, np.float32), 90.0, "nothing but voids"),
    ],
)
def test_absurd_numbers_and_files_of_voids_are_said(tmp_path, height, scale, message):
    path = dem(tmp_path / "odd.tif", height, (scale, scale, 0.0))
    with pytest.raises(ValueError, match=message):
        real_terrain.load_recipe(str(path))


def test_unsigned_numbers_without_a_place_are_no_meters(tmp_path):
    """Terrain tools write them from the lowest to the highest point."""
    values = np.linspace(0, 65535, 40 * 40).reshape(40, 40).astype(np.uint16)
    tifffile.imwrite(tmp_path / "gaea.tif", values, photometric="minisblack", metadata=None)
    assert real_terrain.map_of("gaea.tif", tmp_path).range == (0, 1)
    signed = values.astype(np.int32).astype(np.float32)
    tifffile.imwrite(tmp_path / "float.tif", signed, photometric="minisblack", metadata=None)
    assert formats.read(tmp_path / "float.tif").stored is None


def test_a_picture_is_not_taken_for_a_damaged_file(tmp_path):
    tifffile.imwrite(tmp_path / "rgb.tif", np.zeros((8, 9, 3), np.uint8), photometric="rgb")
    with pytest.raises(elevation.Picture, match=r"rgb\.tif: it is a picture"):
        formats.read(tmp_path / "rgb.tif")
    tifffile.imwrite(tmp_path / "zstd.tif", np.zeros((8, 9, 3), np.uint8), photometric="rgb",
                     compression="zstd")  # fmt: skip
    with pytest.raises(ValueError, match="ZSTD") as found:
        formats.read(tmp_path / "zstd.tif")
    assert not isinstance(found.value, elevation.Picture)
