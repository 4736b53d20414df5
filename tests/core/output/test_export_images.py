# SPDX-License-Identifier: GPL-3.0-or-later
"""The images of exports: colors, normals, masks, weights whose sum is 1, and control maps."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from terrain_addon.core import (
    Erosion,
    FractalNoise,
    Heightfield,
    Imagery,
    Layer,
    Palette,
    Recipe,
    Region,
    Snow,
    evaluate,
    presets,
)
from terrain_addon.core.analysis.fields import reach
from terrain_addon.core.evaluation.by_rows import evaluate_by_rows
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.layers import MASKS as KINDS
from terrain_addon.core.numerics import srgb
from terrain_addon.core.output.engines import ENGINES
from terrain_addon.core.output.exports import Exported, ExportSettings, export
from terrain_addon.core.output.exports.weights import control_map, layer_names, quantized_weights
from terrain_addon.core.recipe.surfaces import SURFACES
from tests.core.output import engine_readers
from tests.core.output.engine_readers import channel, decoded, place_of

SNOW = Region(name="Snow", color="#FFFFFF", based_on="snow", low=0.1, high=1.0)
PALETTE = presets.load("alps").palette
RECIPE = Recipe(
    size_x=640.0,
    size_y=640.0,
    layers=(
        FractalNoise(height=150.0, octaves=4),
        Erosion(resolution="128", rivers=1.0),
        Layer.of(Snow(line=20.0)),
    ),
    palette=dataclasses.replace(PALETTE, regions=(*PALETTE.regions, SNOW), rock_on_slopes=True),
)


def made(folder: Path, key: str, size: int, **others: Any) -> Exported:
    return export(RECIPE, ExportSettings(engine=key, size=size, **others), folder / key)


def test_masks_of_layers_are_their_weights_in_any_tiles(tmp_path: Path):
    masked = Layer.of(Snow(line=20.0), name="Steep Snow!", masks=(KINDS["slope"](),))
    rough = Layer.of(
        FractalNoise(size=60.0, height=20.0), name="Rough", masks=(KINDS["height"](low=0.0),)
    )
    recipe = dataclasses.replace(RECIPE, layers=(*RECIPE.layers[:2], rough, masked))
    masks = ("slope", "layer:Rough", "layer:Steep Snow!")
    asked = {"engine": "plain", "masks": masks, "color": False, "normal": False}
    whole = export(recipe, ExportSettings(size=65, **asked), tmp_path / "whole")
    tiles = export(recipe, ExportSettings(size=33, tiles_x=2, tiles_y=2, **asked), tmp_path / "t")
    found = joined(whole, "mask")
    assert list(found) == ["slope", "layer-rough", "layer-steep-snow"]
    for place, name in ((2, "layer-rough"), (3, "layer-steep-snow")):
        weight = layer_weight(recipe, place, recipe.grid(65))
        assert 0 < weight.mean() < 1
        assert_array_equal(found[name], np.rint(weight * 255))
    for name, image in joined(tiles, "mask").items():
        assert_array_equal(image, found[name])
    (about,) = (one for one in whole.manifest["files"] if one["path"].endswith("layer-rough.png"))
    assert (about["low"], about["high"], about["unit"]) == (0.0, 1.0, "")


def test_masks_of_layers_made_in_several_bands_are_their_weights(tmp_path: Path):
    rough = Layer.of(
        FractalNoise(size=60.0, height=20.0), name="Rough", masks=(KINDS["height"](low=0.0),)
    )
    recipe = Recipe(size_x=640.0, size_y=640.0, layers=(FractalNoise(height=150.0), rough))
    grid = recipe.grid(1025)
    assert sum(1 for _ in evaluate_by_rows(recipe, grid)) > 1
    asked = {"masks": ("layer:Rough",), "color": False, "normal": False}
    done = export(recipe, ExportSettings(engine="plain", size=1025, **asked), tmp_path / "out")
    weight = layer_weight(recipe, 1, grid)
    assert_array_equal(joined(done, "mask")["layer-rough"], np.rint(weight * 255))


@pytest.mark.parametrize(
    ("names", "mask", "message"),
    [
        (["A"], "layer:B", "no layer with masks is named 'B'; there are A"),
        ([], "layer:B", "no layer with masks is named 'B'; none has masks"),
        (["A", "A"], "layer:A", "several layers are named 'A': rename one"),
    ],
)
def test_masks_of_unknown_layers_are_refused_with_those_that_are_known(
    names: list[str], mask: str, message: str, tmp_path: Path
):
    layers = tuple(Layer.of(FractalNoise(), name=one, masks=(KINDS["slope"](),)) for one in names)
    asked = ExportSettings(engine="plain", size=33, masks=(mask,))
    with pytest.raises(ValueError, match=re.escape(message)):
        export(Recipe(layers=(*RECIPE.layers, *layers)), asked, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def joined(done: Exported, kind: str, reads: Any = decoded) -> dict[str, np.ndarray]:
    """The images of a kind by name, their tiles joined; those that meet must have equal samples."""
    (nx, ny), (side, _) = done.manifest["points"], done.manifest["tile_points"]
    found: dict[str, np.ndarray] = {}
    for one in done.manifest["files"]:
        if one["kind"] != kind:
            continue
        x, y = place_of(done.manifest["engine"], one["path"], done.manifest["tiles"][1])
        tile = reads(done.folder / one["path"])
        name = one["path"].split("_")[1].partition(".")[0]
        whole = found.setdefault(name, np.full((ny, nx, *tile.shape[2:]), -1, np.int64))
        part = whole[y * (side - 1) :, x * (side - 1) :][:side, :side]
        seen = part >= 0
        assert_array_equal(part[seen], tile[seen])
        part[:] = tile
    assert all((one >= 0).all() for one in found.values())
    return found


@pytest.fixture(scope="module")
def tiled(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """Nine tiles of 33 samples with all images."""
    folder = tmp_path_factory.mktemp("tiled")
    masks = ("slope", "ridge", "wetness", "snow")
    return made(folder, "unity", 33, tiles_x=3, tiles_y=3, weights="packed", masks=masks)


def inside(values: np.ndarray) -> np.ndarray:
    return values[1:-1, 1:-1]


SIZES = {"unreal": [64, 127], "unity": [33, 65], "terrain3d": [65, 129]}
MASKS = ("slope", "snow")


@pytest.mark.slow
@pytest.mark.parametrize("key", ENGINES)
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_all_images_of_each_engine_are_those_of_the_recipe(
    key: str, tmp_path: Path, data: st.DataObject
):
    """By readers of others, over sizes, tiles, ranges and ways to pack weights."""
    if ENGINES[key].controls:
        pytest.importorskip("OpenEXR")
    height, size = data.draw(st.tuples(st.sampled_from([5.0, 90.0, 900.0]), _sizes(key)))
    tiles, packing = data.draw(
        st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from(["packed", "separate"]))
    )
    if ENGINES[key].controls and tiles == 1:
        size -= 1  # tiles share their borders, one alone has none
    layers = (FractalNoise(height=height, octaves=4), *RECIPE.layers[1:])
    recipe = dataclasses.replace(RECIPE, layers=layers)
    about = ExportSettings(
        engine=key, size=size, tiles_x=tiles, tiles_y=tiles, weights=packing, masks=MASKS
    )
    done = export(recipe, about, tmp_path / key)
    terrain = evaluate(recipe, recipe.grid(tuple(done.manifest["points"])).padded(1))
    error = np.abs(engine_readers.whole(done.folder, done.manifest) - inside(terrain.height)).max()
    assert error <= done.verification.half_step * 1.001 + 1e-8
    _check_colors(done, recipe, terrain)
    _check_normals(done, terrain)
    masks = joined(done, "mask")
    listed = [one for one in done.manifest["files"] if one["kind"] == "mask"]
    for name in MASKS:
        low, high = next((one["low"], one["high"]) for one in listed if name in one["path"])
        off = np.abs(low + masks[name] / 255 * (high - low) - inside(terrain.fields[name]))
        assert off.max() <= 0.51 / 255 * (high - low), name
    if not ENGINES[key].controls:  # whose bits another test compares with these weights
        _check_weights(done, recipe, masks)


def _sizes(key: str) -> st.SearchStrategy[int]:
    return st.sampled_from(SIZES.get(key, [65, 129] if key == "hterrain" else [40, 97]))


def _check_colors(done: Exported, recipe: Recipe, terrain: Heightfield) -> None:
    found = joined(done, "color")["color"]
    if materials := ENGINES[done.manifest["engine"]].materials:
        colors = {tuple(one) for one in found.reshape(-1, 3).tolist()}
        assert colors <= {materials[key] for key in SURFACES} and len(colors) >= 2
        return
    height = inside(terrain.height)
    cover = recipe.palette.cover(terrain.fields)
    ends = float(height.min()), float(height.max())
    colors = recipe.palette.colors(terrain.height, terrain.fields["slope"], *ends, cover)
    expected = np.rint(srgb.encoded(np.clip(inside(colors)[..., :3], 0, 1)) * 255)
    assert np.abs(found - expected).max() <= 1 and expected.std(axis=(0, 1)).min() > 5


def _check_normals(done: Exported, terrain: Heightfield) -> None:
    """By finite differences; green is down in DirectX, up in OpenGL."""
    gy, gx = np.gradient(terrain.height.astype(float), terrain.grid.dy, terrain.grid.dx)
    green = 1 if done.manifest["engine"] == "unreal" else -1
    normal = np.stack([-inside(gx), green * inside(gy), np.ones_like(inside(gx))], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    found = joined(done, "normal")["normal"]
    assert np.abs(found - (normal + 1) / 2 * 255).max() < 0.52


def _check_weights(done: Exported, recipe: Recipe, masks: dict[str, np.ndarray]) -> None:
    images = [one[..., None] if one.ndim == 2 else one for one in joined(done, "weights").values()]
    stack = np.concatenate(images, axis=-1)
    names = layer_names(recipe.palette, MASKS)
    assert (stack.sum(-1) == 255).all() and (stack[..., len(names) :] == 0).all()
    listed = {name for one in done.manifest["files"] for name in one.get("layers", ())}
    assert listed == set(names)
    assert np.abs(stack[..., len(names) - 1] - masks["snow"]).max() <= 1


def test_masks_are_fields_of_the_whole(tiled: Exported):
    """Also those that look far, or depend on all heights."""
    grid = RECIPE.grid((97, 97))
    margin = reach("ridge", grid.dx, grid.dy, RECIPE.wide_radius)
    wide = evaluate(RECIPE, grid.padded(margin))
    found = joined(tiled, "mask")
    about = {one["path"].split("_")[1]: one for one in tiled.manifest["files"] if "low" in one}
    assert set(found) == {"slope", "ridge", "wetness", "snow"}
    for name, image in found.items():
        low, high = about[name]["low"], about[name]["high"]
        values = wide.fields[name][margin:-margin, margin:-margin]
        error = np.abs(low + image / 255 * (high - low) - values).max()
        assert error <= 0.51 / 255 * (high - low), name
        assert image.max() > 200 or name == "slope"
    assert about["slope"]["high"] == 90 and about["snow"]["unit"] == "m"


def test_the_sum_of_all_weights_is_one(tiled: Exported):
    images = joined(tiled, "weights")
    layers = [
        name
        for one in tiled.manifest["files"]
        if one["kind"] == "weights" and one["path"].endswith("_0_0.png")
        for name in one["layers"]
    ]
    assert layers == layer_names(RECIPE.palette, ("slope", "ridge", "wetness", "snow"))
    assert {"rock-on-slopes", "snow", "snow-2", "snow-3"} <= set(layers)
    stack = np.concatenate(list(images.values()), axis=-1)
    assert (stack.sum(-1) == 255).all()
    assert (stack[..., len(layers) :] == 0).all()
    masks = joined(tiled, "mask")
    last = stack[..., len(layers) - 1]
    assert np.abs(last - masks["snow"]).max() <= 1


def test_tiles_have_the_colors_of_the_image_of_the_palette(tmp_path: Path):
    pixels = np.full((40, 50, 4), 255, np.uint8)
    pixels[..., 0] = np.arange(50) * 5
    pixels[..., 1] = np.arange(40)[:, None] * 6
    palette = dataclasses.replace(RECIPE.palette, image="Aerial")
    imagery = Imagery("Aerial", pixels)
    recipe = dataclasses.replace(RECIPE, palette=palette, imagery=imagery)
    about = ExportSettings(engine="plain", size=33, tiles_x=2, tiles_y=2)
    found = joined(export(recipe, about, tmp_path / "plain"), "color")["color"]
    grid = recipe.grid(found.shape[:2][::-1])
    colors = imagery.cover(grid, recipe.size_x, recipe.size_y)[..., :3]
    expected = np.rint(srgb.encoded(colors) * 255)
    assert np.abs(found - expected).max() <= 1


def test_colors_follow_from_their_weights(tmp_path: Path):
    """The weights times the colors of the regions are the color image."""
    done = made(tmp_path, "unreal", 127, weights="separate")
    images = joined(done, "weights")
    palette = RECIPE.palette
    codes = [one.color for one in palette.by_height]
    codes += [palette.rock_color, *(one.color for one in palette.by_field)]
    light = sum(
        image[..., None] / 255 * srgb.linear(code)[:3]
        for image, code in zip(images.values(), codes, strict=True)
    )
    found = srgb.encoded(np.clip(np.asarray(light), 0, 1)) * 255
    assert np.abs(found - joined(done, "color")["color"]).max() <= 4
    assert sum(image.max() > 128 for image in images.values()) >= 4


@given(
    shares=arrays(
        np.float32,
        st.tuples(st.integers(1, 9), st.integers(1, 33)),
        elements=st.floats(0, 1, width=32),
    )
)
def test_bytes_of_any_weights_have_the_sum_255(shares: np.ndarray):
    shares[:, 0] += np.float32(0.01)
    found = quantized_weights(shares)
    assert found.dtype == np.uint8 and (found.sum(1, dtype=int) == 255).all()
    exact = shares.astype(float) / shares.sum(1, keepdims=True, dtype=float) * 255
    assert np.abs(found - exact).max() < 1


def test_terrain3d_gets_a_control_map(tmp_path: Path):
    pytest.importorskip("OpenEXR")
    done = made(tmp_path, "terrain3d", 65, tiles_x=2, tiles_y=2, weights="packed")
    bits = joined(done, "control", lambda path: channel(path).view(np.uint32))["control"]
    base, overlay, blend = bits >> 27, bits >> 22 & 31, bits >> 14 & 255
    assert not (bits & 0x3FFF).any()
    plain = made(tmp_path, "plain", 129, weights="separate")
    stack = np.stack(list(joined(plain, "weights").values()), -1)
    order = np.argsort(-stack, -1, kind="stable")[..., :2]
    assert_array_equal(np.sort(order, -1), np.stack([base, overlay], -1))
    shown = np.take_along_axis(stack, overlay[..., None], -1)[..., 0]
    below = np.take_along_axis(stack, base[..., None], -1)[..., 0]
    assert np.abs(blend - shown / (shown + below) * 255).max() <= 0.51
    listed = next(one for one in done.manifest["files"] if one["kind"] == "control")
    assert listed["layers"] == layer_names(RECIPE.palette, ())


def test_a_control_map_of_one_texture_shows_it():
    assert_array_equal(control_map(np.full((2, 1), 255, np.uint8)), [0, 0])


def test_a_control_map_has_at_most_32_textures(tmp_path: Path):
    regions = [Region(name=f"Color {n}", start=n / 40) for n in range(32)]
    recipe = dataclasses.replace(RECIPE, palette=Palette(regions=regions, rock_on_slopes=True))
    about = ExportSettings(engine="terrain3d", size=64, weights="packed")
    with pytest.raises(ValueError, match="at most 32 textures, not 33: use fewer colors or masks"):
        export(recipe, about, tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_roblox_gets_the_exact_colors_of_its_materials(tmp_path: Path):
    done = made(tmp_path, "roblox", 100, normal=False)
    found = joined(done, "color")["color"]
    known = {ENGINES["roblox"].materials[key] for key in SURFACES}
    colors = {tuple(one) for one in found.reshape(-1, 3).tolist()}
    assert colors <= known and len(colors) >= 3


def test_the_card_names_layers_and_ranges(tiled: Exported):
    text = (tiled.folder / "README.txt").read_text()
    assert "terrain_weights1_0_0.png (weights: " in text
    assert "terrain_slope_0_0.png (mask, 0 to 90 deg)" in text
    assert {one["kind"] for one in tiled.manifest["files"]} == {
        "height", "color", "normal", "mask", "weights",
    }  # fmt: skip
    assert all((tiled.folder / one["path"]).is_file() for one in tiled.manifest["files"])
