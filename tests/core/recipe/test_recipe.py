# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from terrain_addon.core import Layer, Palette, Recipe, Region
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.recipe import MAX_LAYERS, grouped, layers_from_json, layers_to_json
from terrain_addon.core.recipe.recipe import SCHEMA
from tests.core.strategies import recipes


@given(recipes())
def test_any_recipe_survives_json(recipe):
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert hash(again) == hash(recipe)
    assert again.to_json() == recipe.to_json()


def test_what_is_missing_takes_its_default():
    assert Recipe.from_dict({}) == Recipe()
    made = Recipe.from_dict({"layers": [{"kind": "fractal_noise"}]})
    assert made.layers == (Layer.of(LAYERS["fractal_noise"]()),)


def test_the_schema_is_written_and_a_newer_one_refused():
    assert Recipe().to_dict()["schema"] == SCHEMA
    with pytest.raises(ValueError, match="a newer version made this recipe"):
        Recipe.from_dict({"schema": SCHEMA + 1})
    for wrong in (0, "1", 1.0, True, None):
        with pytest.raises(ValueError, match="recipe.schema: expected a whole number"):
            Recipe.from_dict({"schema": wrong})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "recipe: expected an object"),
        ({"sees": 1}, "recipe.sees: unknown setting"),
        ({"seed": 2**31}, "recipe.seed: 2147483648 is above"),
        ({"size_x": 0}, "recipe.size_x: 0 is below"),
        ({"layers": {}}, "recipe.layers: expected a list"),
        ({"layers": [3]}, r"recipe.layers\[0\]: expected an object"),
        ({"layers": [{}]}, r"recipe.layers\[0\].kind: there is no layer named None"),
        ({"layers": [{"kind": "fog"}]}, r"layers\[0\].kind: there is no layer named 'fog'; known"),
        (
            {
                "layers": [
                    {"kind": "smooth"},
                    {"kind": "fractal_noise", "settings": {"octaves": 99}},
                ]
            },
            r"recipe.layers\[1\].settings.octaves: 99 is above the largest value, 32",
        ),
        ({"layers": [{"kind": "smooth", "opacity": 2}]}, r"layers\[0\].opacity: 2 is above"),
        ({"layers": [{"kind": "smooth", "blend": "x"}]}, r"layers\[0\].blend: 'x' is not one of"),
        ({"layers": [{"kind": "smooth", "masks": []}]}, r"layers\[0\].masks: expected an object"),
        (
            {"layers": [{"kind": "smooth", "masks": {"fog": {}}}]},
            r"layers\[0\].masks: there is no mask named 'fog'",
        ),
        (
            {"layers": [{"kind": "smooth", "masks": {"slope": {"low": 91}}}]},
            r"layers\[0\].masks.slope.low: 91 is above",
        ),
        (
            {"layers": [{"kind": "group", "layers": [{"kind": "group", "layers": {}}]}]},
            r"recipe.layers\[0\].layers\[0\].layers: expected a list",
        ),
        (
            {"layers": [{"kind": "group"}, {"kind": "smooth", "layers": []}]},
            r"recipe.layers\[1\].layers: unknown setting",
        ),
        (
            {"layers": [{"kind": "group", "layers": [{"kind": "smooth", "settings": {"x": 1}}]}]},
            r"recipe.layers\[0\].layers\[0\].settings.x: unknown setting",
        ),
        ({"layers": [{"kind": "group", "settings": {"count": 0}}]}, "settings.count: unknown"),
        ({"water": {"level": "high"}}, "recipe.water.level: expected a number"),
        ({"attributes": [["a"]]}, r"recipe.attributes\[0\]: there is no field named \['a'\]"),
        ({"attributes": [{}]}, r"recipe.attributes\[0\]: there is no field named {}"),
        ({"seed": 2**31}, r"above the largest value, 2147483647$"),
        ({"size_x": 1e8}, r"above the largest value, 10000000$"),
        ({"seed": 10**400}, r"recipe.seed: \(a number of about 401 digits\) is above"),
        ({"seed": -(10**5000)}, r"recipe.seed: -\(a number of about 5001 digits\) is below"),
        ({"about": 10**5000}, r"recipe.about: expected a text, not \(a number of about 5001"),
        ({"schema": 10**5000}, "newer version"),
        ({"palette": {"regions": []}}, "recipe.palette.regions: there must be 1 to 32"),
        (
            {"palette": {"regions": [{"color": "red"}]}},
            r"recipe.palette.regions\[0\].color: expected an sRGB color",
        ),
    ],
)
def test_mistakes_are_named_by_their_path(data, message):
    with pytest.raises(ValueError, match=message):
        Recipe.from_dict(data)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(number):
    with pytest.raises(ValueError, match="recipe.size_x: .* is not a finite number"):
        Recipe.from_json(f'{{"size_x": {number}}}')


@pytest.mark.parametrize("text", ["", "{", "[1,", "null"])
def test_text_that_is_no_recipe(text):
    with pytest.raises(ValueError, match=r"not a recipe|expected an object"):
        Recipe.from_json(text)


def test_groups_contain_their_layers_in_json():
    smooth = Layer.of(LAYERS["smooth"]())
    recipe = Recipe(layers=(smooth, *grouped([*grouped([smooth], name="Inner")], name="Outer")))
    data = recipe.to_dict()["layers"]
    assert [one["name"] for one in data] == ["Smooth", "Outer"]
    assert [one["name"] for one in data[1]["layers"]] == ["Inner"]
    assert "count" not in data[1]["settings"]
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert layers_from_json(layers_to_json(recipe.layers[1:])) == recipe.layers[1:]


@pytest.mark.parametrize("counts", [(None, 2), (None, None, 1, 2, 1)])
def test_groups_hold_whole_layers_and_groups(counts):
    """No group holds more than there is, or a part of another one."""
    kinds = {None: LAYERS["smooth"]()}
    layers = [kinds.get(count) or LAYERS["group"](count=count) for count in counts]
    with pytest.raises(ValueError, match=r"layers\[\d\]: a group cannot have \d layers here"):
        Recipe(layers=layers)


def test_groups_are_nested_as_deep_as_there_are_layers():
    data = {"kind": "smooth"}
    for _ in range(MAX_LAYERS + 2):
        data = {"kind": "group", "layers": [data]}
    with pytest.raises(ValueError, match=r"nested too deeply"):
        Recipe.from_dict({"layers": [data]})


def test_limits_that_concern_the_whole():
    layer = Layer.of(LAYERS["smooth"]())
    with pytest.raises(ValueError, match=f"65 layers are more than {MAX_LAYERS}"):
        Recipe(layers=(layer,) * 65)
    mask = MASKS["slope"]()
    with pytest.raises(ValueError, match="masks: each kind can be used once"):
        Layer.of(LAYERS["smooth"](), masks=(mask, mask))


def test_layers_take_their_usual_name_and_blend():
    assert Layer.of(LAYERS["fractal_noise"]()).blend == "add"
    assert Layer.of(LAYERS["smooth"]()).blend == "replace"
    assert Layer.of(LAYERS["smooth"]()).name == "Smooth"
    assert Layer.of(LAYERS["smooth"](), name="", blend="min").to_dict()["blend"] == "min"


@pytest.mark.parametrize(
    ("size", "resolution", "points", "pixels"),
    [
        ((1000, 1000), 257, (257, 257), (257, 257)),
        ((2000, 1000), 513, (513, 257), (513, 256)),
        ((1000, 2000), 512, (257, 512), (256, 512)),
        ((1000, 1), 100, (100, 2), (100, 2)),
        ((1000, 1000), (3, 7), (3, 7), (3, 7)),
    ],
)
def test_resolution_counts_along_the_longer_side(size, resolution, points, pixels):
    recipe = Recipe(size_x=size[0], size_y=size[1])
    grid = recipe.grid(resolution)
    assert (grid.nx, grid.ny) == points
    assert recipe.grid(resolution).x[0] == -size[0] / 2
    image = recipe.pixel_grid(resolution)
    assert (image.nx, image.ny) == pixels


@pytest.mark.parametrize("resolution", [1, 0, -5, (1, 5), (5, 0)])
def test_a_resolution_needs_two_points(resolution):
    with pytest.raises(ValueError, match="at least 2 points"):
        Recipe().grid(resolution)


def test_json_is_plain():
    data = json.loads(Recipe(layers=(Layer.of(LAYERS["falloff"]()),)).to_json())
    assert data["layers"][0]["kind"] == "falloff"
    assert data["layers"][0]["settings"]["shape"] == "rounded_square"


def test_attributes_are_kept_and_checked():
    recipe = Recipe(attributes=("flow", "ridge"))
    assert Recipe.from_json(recipe.to_json()) == recipe
    with pytest.raises(ValueError, match=r"recipe\.attributes\[1\]: there is no field named 'fog'"):
        Recipe.from_dict({"attributes": ["flow", "fog"]})
    with pytest.raises(ValueError, match="expected a list"):
        Recipe.from_dict({"attributes": "flow"})


def nested(depth):
    data = []
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize("key", ["seed", "about", "layers", "water", "attributes", "schema"])
def test_deep_data_is_refused_briefly(key):
    for data in (nested(100_000), [nested(100_000)]):
        for whole in ({key: data}, {"layers": [{key: data}]}, {"layers": [{"kind": data}]}):
            with pytest.raises(ValueError, match="recipe") as error:
                Recipe.from_dict(whole)
            assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "not a recipe: it is nested too deeply"),
        ('{"seed": ' + "9" * 5000 + "}", "not a recipe: it holds a number that is too long"),
    ],
)
def test_text_that_python_cannot_take(text, message):
    with pytest.raises(ValueError, match=message):
        Recipe.from_json(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "not a recipe: it is no text in UTF-8"),
        (None, "not a recipe: it is no text but None"),
        ('{"seed": 1, "seed": 2}', "not a recipe: it has 'seed' twice in one object"),
        ('{"water": {"level": 1, "show": true, "level": 1}}', "it has 'level' twice"),
    ],
)
def test_what_is_no_clear_text(text, message):
    with pytest.raises(ValueError, match=message):
        Recipe.from_json(text)


@pytest.mark.parametrize("text", ["\ufeff", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_is_no_harm(text):
    rest = '{"seed": 5, "about": "\u00e4"}'
    whole = text + (rest if isinstance(text, str) else rest.encode())
    assert Recipe.from_json(whole) == Recipe(seed=5, about="\u00e4")


def test_a_resolution_is_whole_numbers():
    recipe = Recipe(size_x=300.0, size_y=100.0)
    assert recipe.grid([5, 7]) == recipe.grid((5, 7))
    nine: Any = np.int64(9)
    assert recipe.grid(nine) == recipe.grid(9)
    pairs: list[Any] = [
        (5.0, 5.0),
        [5, 5.5],
        "55",
        b"ab",
        bytearray(b"ab"),
        (1, 5),
        (5,),
        (5, 5, 5),
        (5, 10**400),
    ]
    numbers: list[Any] = [5.0, 1, 2**31, 10**400, None]
    for wrong in pairs + numbers:
        with pytest.raises(ValueError, match="resolution"):
            recipe.grid(wrong)


def test_lists_and_bare_kinds_become_what_a_recipe_holds():
    noise, mask = LAYERS["fractal_noise"](seed=3), MASKS["height"]()
    layer = Layer.of(LAYERS["smooth"](), masks=[mask])
    recipe = Recipe(layers=[noise, layer], attributes=["flow", "ridge"], maps=[])
    assert recipe.layers == (Layer.of(noise), Layer.of(LAYERS["smooth"](), masks=(mask,)))
    assert set(recipe.attributes) == {"ridge", "flow"} and recipe.maps == ()
    palette = Palette(regions=[Region(), Region(start=0.5)])
    assert palette == Palette(regions=(Region(), Region(start=0.5)))
    assert len({recipe, dataclasses.replace(recipe, palette=palette)}) == 2


@pytest.mark.parametrize(
    ("cls", "values", "message"),
    [
        (Recipe, {"layers": LAYERS["smooth"]()}, "layers: expected a list, not Smooth"),
        (Recipe, {"layers": [LAYERS["smooth"]]}, r"layers\[0\]: expected a Layer, not <class"),
        (Recipe, {"layers": [LAYERS["smooth"](), {}]}, r"layers\[1\]: expected a Layer, not {}"),
        (Recipe, {"water": True}, "water: expected a Water, not True"),
        (Recipe, {"palette": "alpine"}, "palette: expected a Palette, not 'alpine'"),
        (Recipe, {"attributes": "ridge"}, "attributes: expected a list, not 'ridge'"),
        (Recipe, {"attributes": ["fog"]}, r"attributes\[0\]: there is no field named 'fog'"),
        (Recipe, {"attributes": [[]]}, r"attributes\[0\]: there is no field named \[\]"),
        (Recipe, {"maps": [np.zeros((2, 2))]}, r"maps\[0\]: expected a Map, not array"),
        (Layer, {"settings": None}, "settings: expected a LayerKind, not None"),
        (Layer.of, {"settings": 3}, "settings: expected a LayerKind, not 3"),
        (Layer.of, {"settings": LAYERS["smooth"](), "masks": MASKS["height"]()}, "masks: expected"),
        (Layer.of, {"settings": LAYERS["smooth"](), "masks": [1]}, r"masks\[0\]: expected a Mask"),
        (Palette, {"regions": [("Sand", 0.0)]}, r"regions\[0\]: expected a Region, not \('Sand'"),
        (Palette, {"regions": []}, "regions: a palette has 1 to 32, not 0"),
    ],
)
def test_what_is_no_part_is_refused_when_it_is_put_in(cls, values, message):
    with pytest.raises(ValueError, match=message):
        cls(**values)
