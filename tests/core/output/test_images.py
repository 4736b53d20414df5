# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Bake, Cancelled, Grid, Layer, Recipe, Region, bake, evaluate, presets
from terrain_addon.core.analysis import fields
from terrain_addon.core.evaluation import by_rows
from terrain_addon.core.layers import LAYERS, SHAPE, WHOLE, LayerKind, layer
from terrain_addon.core.output import IMAGES, kept_terrain
from terrain_addon.core.output.images import baking, kinds as image_kinds


def of(key, **settings):
    return Layer.of(LAYERS[key](**settings))


RECIPE = Recipe(
    size_x=600.0,
    size_y=450.0,
    layers=(
        of("fractal_noise", octaves=4, height=80.0),
        of("falloff", depth=100.0),
        of("smooth", radius=12.0),
    ),
    palette=presets.load_palette("alpine"),
)
GRID = RECIPE.pixel_grid(64)


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    """Several windows even for the small images of the tests."""
    for module in (baking, by_rows, kept_terrain):
        monkeypatch.setattr(module, "WINDOW", 700)


@pytest.mark.parametrize("image", IMAGES)
def test_pixels_are_what_blender_takes(image):
    made = bake(RECIPE, GRID, Bake(image=image))
    assert made.pixels.shape == (48, 64, 4)
    assert made.pixels.dtype == np.float32 and made.pixels.flags.c_contiguous
    assert np.isfinite(made.pixels).all()
    assert (made.pixels[..., 3] == 1).all()
    assert made.pixels[..., :3].min() >= 0 and made.pixels[..., :3].max() <= 1


@pytest.mark.parametrize("image", IMAGES)
def test_gray_images_are_those_that_say_so(image):
    red, green, blue, _ = np.moveaxis(bake(RECIPE, GRID, Bake(image=image)).pixels, -1, 0)
    assert ((red == green) & (green == blue)).all() == IMAGES[image].gray


@pytest.mark.parametrize("image", IMAGES)
def test_windows_do_not_show(image, monkeypatch):
    made = bake(RECIPE, GRID, Bake(image=image)).pixels
    for module in (baking, by_rows):
        monkeypatch.setattr(module, "WINDOW", 10**9)
    np.testing.assert_array_equal(made, bake(RECIPE, GRID, Bake(image=image)).pixels)


def test_a_heightmap_is_the_terrain():
    height = evaluate(RECIPE, GRID).height
    meters = bake(RECIPE, GRID, Bake(values="meters"))
    for channel in range(3):
        np.testing.assert_array_equal(meters.pixels[..., channel], height)
    assert (meters.low, meters.high) == (height.min(), height.max())
    made = bake(RECIPE, GRID, Bake(values="normalized"))
    assert (made.pixels[..., 0].min(), made.pixels[..., 0].max()) == (0, 1)
    again = made.low + made.pixels[..., 0] * (made.high - made.low)
    np.testing.assert_allclose(again, height, atol=1e-4)


def test_flat_terrain_is_black():
    made = bake(Recipe(), Recipe().pixel_grid(8), Bake())
    assert made.pixels[..., :3].max() == 0 and (made.low, made.high) == (0, 0)


def test_colours_are_the_palette():
    margin = evaluate(RECIPE, GRID.padded(1))
    height, slope = margin.height[1:-1, 1:-1], margin.fields["slope"][1:-1, 1:-1]
    expected = RECIPE.palette.colors(
        height.copy(), slope.copy(), float(height.min()), float(height.max())
    )
    np.testing.assert_array_equal(bake(RECIPE, GRID, Bake(image="color")).pixels, expected)


@pytest.mark.parametrize("name", ["ridge", "aspect", "slope"])
def test_masks_with_a_range_are_shown_within_it(name):
    field = fields.FIELDS[name]
    radius = fields.radius_of(RECIPE.size_x, RECIPE.size_y)
    margin = fields.reach(name, GRID.dx, GRID.dy, radius)
    values = evaluate(RECIPE, GRID.padded(margin)).fields[name][margin:-margin, margin:-margin]
    raw = bake(RECIPE, GRID, Bake(image="field", field=name, values="meters"))
    np.testing.assert_array_equal(raw.pixels[..., 1], values)
    made = bake(RECIPE, GRID, Bake(image="field", field=name))
    assert field.high
    assert (made.low, made.high) == (field.low, field.high)
    np.testing.assert_allclose(made.pixels[..., 0], values / field.high, atol=1e-6)


@pytest.mark.parametrize("name", ["wetness", "lake_depth"])
def test_fields_of_the_whole_terrain_are_baked_in_one_piece(name, monkeypatch):
    monkeypatch.setattr(baking, "WINDOW", GRID.nx * 10)
    terrain = evaluate(RECIPE, GRID.padded(1)).fields[name][1:-1, 1:-1]
    made = bake(RECIPE, GRID, Bake(image="field", field=name, values="meters"))
    np.testing.assert_array_equal(made.pixels[..., 0], terrain)


def test_masks_without_a_range_reach_from_black_to_white():
    made = bake(RECIPE, GRID, Bake(image="field", field="plan_curvature"))
    assert made.low < 0 < made.high
    assert (made.pixels[..., 0].min(), made.pixels[..., 0].max()) == (0, 1)


def test_masks_that_layers_leave_are_baked_and_missed():
    snowy = dataclasses.replace(RECIPE, layers=(*RECIPE.layers, of("snow", line=0.0)))
    made = bake(snowy, GRID, Bake(image="field", field="snow", values="meters"))
    np.testing.assert_array_equal(made.pixels[..., 0], evaluate(snowy, GRID).fields["snow"])
    with pytest.raises(ValueError, match="produces 'Snow'"):
        bake(RECIPE, GRID, Bake(image="field", field="snow"))


def test_colours_by_masks_are_in_the_image():
    more = (Region.of_field("hillshade"), Region.of_field("ridge"))
    palette = dataclasses.replace(RECIPE.palette, regions=(*RECIPE.palette.regions, *more))
    tinted = dataclasses.replace(RECIPE, palette=palette)
    margin = fields.reach("ridge", GRID.dx, GRID.dy, fields.radius_of(600, 450))
    terrain, inside = evaluate(tinted, GRID.padded(margin)), (slice(margin, -margin),) * 2
    height, slope, ridge, sun = (
        np.ascontiguousarray(part[inside])
        for part in (
            terrain.height,
            *(terrain.fields[name] for name in ("slope", "ridge", "hillshade")),
        )
    )
    cover = palette.cover({"ridge": ridge, "hillshade": sun})
    expected = palette.colors(height, slope, float(height.min()), float(height.max()), cover)
    made = bake(tinted, GRID, Bake(image="color")).pixels
    np.testing.assert_array_equal(made, expected)
    assert np.abs(made - bake(RECIPE, GRID, Bake(image="color")).pixels).max() > 0.05
    missing = dataclasses.replace(
        palette, regions=(*palette.by_height, Region.of_field("erosion_depth"))
    )
    plain = bake(dataclasses.replace(RECIPE, palette=missing), GRID, Bake(image="color")).pixels
    np.testing.assert_array_equal(plain, bake(RECIPE, GRID, Bake(image="color")).pixels)


def test_normals_and_slopes_are_central_differences_at_the_border_too():
    height = evaluate(RECIPE, GRID.padded(1)).height.astype(float)
    gx = (height[1:-1, 2:] - height[1:-1, :-2]) / (2 * GRID.dx)
    gy = (height[2:, 1:-1] - height[:-2, 1:-1]) / (2 * GRID.dy)
    normal = np.stack([-gx, -gy, np.ones_like(gx)], -1) / np.sqrt(1 + gx**2 + gy**2)[..., None]
    made = bake(RECIPE, GRID, Bake(image="normal")).pixels
    np.testing.assert_allclose(made[..., :3] * 2 - 1, normal, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(made[..., :3] * 2 - 1, axis=-1), 1, atol=1e-5)
    other = bake(RECIPE, GRID, Bake(image="normal", green="directx")).pixels
    np.testing.assert_allclose(other[..., 1], 1 - made[..., 1], atol=1e-6)
    np.testing.assert_array_equal(other[..., [0, 2]], made[..., [0, 2]])
    slope = bake(RECIPE, GRID, Bake(image="slope")).pixels[..., 0]
    np.testing.assert_allclose(slope, np.arctan(np.hypot(gx, gy)) / (np.pi / 2), atol=1e-5)


def test_a_slope_to_the_north_is_light_in_opengl_green():
    """Row 0 is the south: land that falls towards +Y leans to +Y."""
    falling = of("falloff", shape="y", curve=1.0, shift=1.0, depth=300.0)
    recipe = Recipe(layers=(falling,))
    green = bake(recipe, recipe.pixel_grid(32), Bake(image="normal")).pixels[..., 1]
    assert (green[20:] > 0.5).all() and (green[:12] < 0.5).all()


def test_blocks_repeat_every_nth_sample():
    whole = bake(RECIPE, GRID, Bake(values="meters")).pixels
    local = dataclasses.replace(RECIPE, layers=RECIPE.layers[:2])
    exact = bake(local, GRID, Bake(values="meters")).pixels
    for size in (2, 4, 8, 5, 100):
        made = bake(RECIPE, GRID, Bake(values="meters", pixel_step=size)).pixels
        assert made.shape == whole.shape and made.flags.c_contiguous
        for j, i in np.ndindex(*whole.shape[:2]):
            assert made[j, i, 0] == made[j // size * size, i // size * size, 0]
        blocks = bake(local, GRID, Bake(values="meters", pixel_step=size)).pixels
        np.testing.assert_allclose(
            blocks[::size, ::size], exact[::size, ::size], atol=0 if size in (2, 4, 8) else 1e-3
        )


def test_noise_shows_one_layer_alone():
    made = bake(RECIPE, GRID, Bake(image="noise", layer=1))
    alone = evaluate(Recipe(size_x=600.0, size_y=450.0, layers=RECIPE.layers[:1]), GRID).height
    assert (made.low, made.high) == (alone.min(), alone.max())
    expected = (alone - alone.min()) / (alone.max() - alone.min())
    np.testing.assert_allclose(made.pixels[..., 1], expected, atol=1e-6)
    with pytest.raises(ValueError, match="There is no layer 4: the terrain has 3"):
        bake(RECIPE, GRID, Bake(image="noise", layer=4))
    with pytest.raises(ValueError, match="Layer 2, Falloff, shapes the terrain below it"):
        bake(RECIPE, GRID, Bake(image="noise", layer=2))


def test_progress_and_cancel():
    reported = []
    bake(RECIPE, GRID, Bake(), progress=lambda share, text: reported.append(share))
    assert (
        reported == sorted(reported)
        and reported[0] == 0
        and reported[-1] == 1
        and len(reported) > 10
    )
    with pytest.raises(Cancelled):
        bake(RECIPE, GRID, Bake(), cancelled=lambda: True)


def test_a_layer_that_depends_on_the_whole_is_solved_once_and_applied_in_windows():
    shapes, solved = [], []

    @layer("whole_of_a_test", label="Whole", help="For a test", group=SHAPE)
    class Whole(LayerKind):
        depends_on = WHOLE

        def solve(self, context):
            height = context.heights_below(Grid.cells(context.size_x, context.size_y, 64))
            solved.append(height.mean())
            return solved[-1]

        def apply(self, context):
            shapes.append(context.grid.shape)
            return context.height - context.solved

    try:
        recipe = dataclasses.replace(RECIPE, layers=(*RECIPE.layers, Layer.of(Whole())))
        made = bake(recipe, GRID, Bake(values="meters")).pixels[..., 0]
    finally:
        LAYERS.remove("whole_of_a_test")
    assert len(shapes) > 2 and max(shapes) < GRID.shape
    plain = bake(RECIPE, GRID, Bake(values="meters")).pixels[..., 0]
    np.testing.assert_array_equal(made, plain - solved[0])


def test_memory_beside_the_pixels_is_small(monkeypatch):
    monkeypatch.undo()
    grid = RECIPE.pixel_grid(2048)
    tracemalloc.start()
    made = bake(RECIPE, grid, Bake())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - made.pixels.nbytes < 22e6, "whatever the size of the image"


@given(low=st.floats(-9e3, 9e3), span=st.floats(1e-3, 9e3), share=st.floats(0, 1))
def test_normalized_terrain_reaches_from_exactly_0_to_exactly_1(low, span, share):
    heights = np.array([low, low + share * span, low + span], np.float32)
    made = image_kinds.normalized(heights, float(heights[0]), float(heights[2]))
    assert made[0] == 0
    assert made[2] == 1 or heights[0] == heights[2]
    assert 0 <= made[1] <= 1
