# SPDX-License-Identifier: GPL-3.0-or-later
"""Several images of a terrain: the same as one by one, from one evaluation where that helps."""

import dataclasses
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import (
    Bake,
    Cache,
    Cancelled,
    Layer,
    Recipe,
    Region,
    bake,
    evaluate,
    presets,
    solve,
)
from terrain_addon.core.analysis import AREAS, FIELDS, HABITAT
from terrain_addon.core.erosion.rivers.solver import eroded
from terrain_addon.core.erosion.surface import eroded_terrain
from terrain_addon.core.evaluation import by_rows
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.output import ImageSet, check_bake, fields_of, kept_terrain
from terrain_addon.core.output.images import baking


def of(key, **settings):
    return Layer.of(LAYERS[key](**settings))


HILLS = Recipe(
    size_x=600.0,
    size_y=450.0,
    layers=(of("fractal_noise", octaves=4, height=80.0), of("smooth", radius=12.0)),
    palette=presets.load_palette("alpine"),
)
ERODED = dataclasses.replace(
    HILLS,
    layers=(*HILLS.layers, of("erosion", resolution="128"), of("snow", line=0.0)),
    palette=dataclasses.replace(
        HILLS.palette, regions=(*HILLS.palette.regions, Region.of_field("erosion_depth"))
    ),
)
GRID = HILLS.pixel_grid(48)


def all_of(recipe, **common):
    pictures = [Bake(image=key, **common) for key in ("heightmap", "color", "normal", "slope")]
    fields = [Bake(image="field", field=name, **common) for name in fields_of(recipe)]
    return [*pictures, *fields, Bake(image="noise", **common)]


@pytest.fixture(autouse=True, scope="module")
def small_windows():
    """Several windows even for the small images of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (baking, by_rows, kept_terrain):
            patch.setattr(module, "WINDOW", 700)
        yield


@pytest.fixture
def evaluations(monkeypatch):
    """The shape of each evaluation from now on."""
    shapes = []

    def noted(recipe, grid, **named):
        shapes.append(grid.shape)
        return evaluate(recipe, grid, **named)

    monkeypatch.setattr(by_rows, "evaluate", noted)
    return shapes


@pytest.fixture
def solved(monkeypatch):
    """The drainages that are solved from now on."""
    made = []

    def noted(*given, **named):
        made.append(given)
        return eroded(*given, **named)

    monkeypatch.setattr(eroded_terrain, "eroded", noted)
    return made


def samples(shapes):
    return sum(ny * nx for ny, nx in shapes)


def same(made, alone):
    np.testing.assert_array_equal(made.pixels, alone.pixels)
    assert (made.low, made.high) == (alone.low, alone.high)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [HILLS, ERODED], ids=["hills", "eroded"])
@given(data=st.data())
def test_any_images_in_any_order_are_those_made_alone(recipe, data):
    block = data.draw(st.sampled_from([1, 3]))
    values = data.draw(st.sampled_from(["normalized", "meters"]))
    several = all_of(recipe, pixel_step=block, values=values)
    several = data.draw(st.lists(st.sampled_from(several), min_size=1, max_size=5))
    together = ImageSet(recipe, GRID, several)
    for n, settings in enumerate(several):
        same(together.make(n), bake(recipe, GRID, settings))


def test_images_of_different_blocks_are_those_made_alone():
    several = [Bake(pixel_step=2), Bake(image="slope"), Bake(image="normal", pixel_step=3)]
    together = ImageSet(ERODED, GRID, several)
    for n, settings in enumerate(several):
        same(together.make(n), bake(ERODED, GRID, settings))


def test_an_eroded_terrain_is_evaluated_once(evaluations, solved):
    several = all_of(ERODED)[:-1]
    together = ImageSet(ERODED, GRID, several)
    for n in range(len(several)):
        together.make(n)
    assert GRID.nx * GRID.ny < samples(evaluations) < 1.5 * GRID.nx * GRID.ny
    assert len(solved) == 1


def test_an_image_uses_the_solution_that_a_cache_knows(solved):
    cache = Cache()
    evaluate(ERODED, ERODED.grid(33), cache=cache)
    assert len(solved) == 1
    for several in ([Bake()], [Bake(), Bake(image="color")]):
        together = ImageSet(ERODED, GRID, several, cache=cache)
        for n in range(len(several)):
            together.make(n)
    bake(ERODED, GRID, Bake(), solution=solve(ERODED, cache=cache))
    assert len(solved) == 1


def test_an_image_of_one_layer_solves_nothing(solved):
    ImageSet(ERODED, GRID, [Bake(image="noise")]).make(0)
    bake(ERODED, GRID, Bake(image="noise"))
    assert not solved


def test_images_after_one_of_a_layer_share_a_solution(solved):
    together = ImageSet(ERODED, GRID, [Bake(image="noise"), Bake(), Bake(image="color")])
    for n in range(3):
        together.make(n)
    assert len(solved) == 1


def test_another_terrain_is_evaluated_in_windows_for_each_image(evaluations):
    several = [Bake(), Bake(image="slope")]
    together = ImageSet(HILLS, GRID, several)
    for n in range(2):
        together.make(n)
    assert len(evaluations) > 2 and max(ny for ny, _ in evaluations) < GRID.ny
    assert 2 * GRID.nx * GRID.ny < samples(evaluations) < 3 * GRID.nx * GRID.ny


def test_without_the_memory_to_keep_it_the_terrain_is_evaluated_for_each_image(evaluations, solved):
    several = [Bake(), Bake(image="field", field="flow")]
    together = ImageSet(ERODED, GRID, several, free=10_000)
    made = [together.make(n) for n in range(2)]
    assert samples(evaluations) > 2 * GRID.nx * GRID.ny
    assert len(solved) == 1
    for image, settings in zip(made, several, strict=True):
        same(image, bake(ERODED, GRID, settings))


@pytest.mark.slow
def test_a_whole_heightfield_takes_a_plane_for_the_heights_and_one_for_each_field_shown():
    grid = ERODED.pixel_grid(512)
    plane = 4 * grid.nx * grid.ny
    several = [Bake(), Bake(image="normal"), Bake(image="field", field="flow")]

    def peak(make):
        tracemalloc.start()
        make()
        now, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return now, most

    def make_all():
        for n in range(3):
            together.make(n)

    together = ImageSet(ERODED, grid, several)
    alone = max(peak(lambda s=s: bake(ERODED, grid, s))[1] for s in several)
    left, most = peak(make_all)
    assert most < alone + 2.5 * plane
    assert left < plane / 4, "the land is let go with the last image"


def test_progress_grows_to_one_and_a_set_that_was_stopped_can_go_on():
    reported = []
    together = ImageSet(ERODED, GRID, [Bake(), Bake(image="field", field="ridge")])
    with pytest.raises(Cancelled):
        together.make(0, cancelled=lambda: True)
    for n in range(2):
        reported.clear()
        made = together.make(n, lambda share, text: reported.append(share))
        assert reported == sorted(reported) and reported[-1] == 1 and len(reported) > 2
        same(made, bake(ERODED, GRID, together.several[n]))


def test_stopping_between_windows_of_a_whole_heightfield():
    together = ImageSet(ERODED, GRID, [Bake(), Bake(image="slope"), Bake(image="normal")])
    together.make(0)
    reported = []
    with pytest.raises(Cancelled):
        together.make(1, lambda share, text: reported.append(share), lambda: bool(reported))
    assert len(reported) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Bake(image="field", field="flow"), "No layer of this terrain produces 'Flow'"),
        (Bake(image="noise", layer=3), "There is no layer 3: the terrain has 2"),
        (Bake(image="noise", layer=2), "Layer 2, Smooth, shapes the terrain below it"),
    ],
)
def test_an_impossible_image_is_reported_before_anything_is_made(evaluations, settings, message):
    with pytest.raises(ValueError, match=message):
        ImageSet(HILLS, GRID, [Bake(), settings])
    with pytest.raises(ValueError, match=message):
        check_bake(HILLS, settings)
    with pytest.raises(ValueError, match=message):
        bake(HILLS, GRID, settings)
    assert not evaluations


def test_fields_of_a_terrain_are_those_of_its_active_layers():
    left = {"flow", "erosion_depth", "deposition", "hardness", "snow"}
    by_others = {"road", "lava", "beach", "platform", *AREAS}
    assert set(fields_of(ERODED)) == set(FIELDS) - by_others
    assert set(fields_of(HILLS)) == set(FIELDS) - by_others - left
    off = [dataclasses.replace(layer, enabled=False) for layer in ERODED.layers]
    assert fields_of(dataclasses.replace(ERODED, layers=tuple(off))) == fields_of(HILLS)


@pytest.mark.parametrize("key", LAYERS)
def test_a_layer_leaves_the_masks_that_it_names(key):
    recipe = Recipe(layers=(*HILLS.layers, Layer.of(LAYERS[key]())))
    made = evaluate(recipe, recipe.grid(17)).fields
    left = {name for name in made if not FIELDS[name].make} - {*HABITAT}
    assert left == set(LAYERS[key].produces)
