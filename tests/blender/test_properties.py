# SPDX-License-Identifier: GPL-3.0-or-later
"""Every declared setting is a Blender property, and keeps its value."""

import addon_utils
import bpy
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.blender import property_groups
from terrain_addon.blender.mesh.signature import Signature
from terrain_addon.blender.properties.declare import permanent_number
from terrain_addon.blender.properties.recipe import MASK, read, write
from terrain_addon.core import Layer, Palette, Recipe, Region, Water
from terrain_addon.core.layers import LAYERS, MASKS, LayerContext, LayerKind, layer
from terrain_addon.core.settings import Settings, param, settings_of
from terrain_addon.core.settings.params import length_param


def groups(terrain):
    """(settings class, property group) of everything that a terrain with one layer holds."""
    item = terrain.layers[0] if terrain.layers else terrain.layers.add()
    region = (
        terrain.palette.regions[0] if terrain.palette.regions else terrain.palette.regions.add()
    )
    return [
        (Recipe, terrain),
        (Water, terrain.water),
        (Palette, terrain.palette),
        (Region, region),
        (Layer, item),
        *((kind, getattr(item, key)) for key, kind in LAYERS.items()),
        *((mask, getattr(item, MASK + key)) for key, mask in MASKS.items()),
    ]


def declared(group, name):
    """A property by name; ours rather than one that every group has (name)."""
    return [prop for prop in group.bl_rna.properties if prop.identifier == name][-1]


@pytest.mark.smoke
def test_properties_have_the_declared_limits_texts_and_units():
    for cls, group in groups(bpy.data.meshes.new("Land").terrain):
        for setting in settings_of(cls):
            prop = declared(group, setting.name)
            assert prop.name == setting.label
            assert prop.description == setting.help
            assert not prop.description.endswith(".")
            convert = np.radians if setting.unit == "deg" else float
            for limit, known in (("min", "hard_min"), ("max", "hard_max")):
                value = getattr(setting, limit)
                if value is not None and setting.kind in ("float", "int"):
                    assert getattr(prop, known) == pytest.approx(convert(value), rel=1e-6)
            units = {"m": ("DISTANCE", "LENGTH"), "deg": ("ANGLE", "ROTATION")}
            if setting.unit in units:
                assert (prop.subtype, prop.unit) == units[setting.unit]
            if setting.unit == "factor":
                assert prop.subtype == "FACTOR"
            if setting.kind == "color":
                assert prop.subtype == "COLOR_GAMMA"
            if setting.kind == "choice":
                assert [i.identifier for i in prop.enum_items] == [c.key for c in setting.choices]
                assert [i.description for i in prop.enum_items] == [c.help for c in setting.choices]


def test_a_drag_of_a_length_is_in_proportion_to_its_usual_value_and_has_no_soft_limit():
    """Blender changes a number field by a hundredth of its step for each pixel."""
    for cls, group in groups(bpy.data.meshes.new("Land").terrain):
        for setting in (one for one in settings_of(cls) if one.unit == "m"):
            prop = declared(group, setting.name)
            assert (prop.soft_min, prop.soft_max) == (prop.hard_min, prop.hard_max)
            if setting.default:
                share = prop.step / 100 / abs(setting.default)
                assert share <= 0.051 and (share >= 0.012 or prop.step == 1), setting.name
            else:
                assert 0.01 <= prop.step / 100 <= 5, setting.name
    terrain = bpy.data.meshes.new("Land").terrain.bl_rna.properties
    assert terrain["size_x"].step == 2000


def test_numbers_that_files_hold_for_choices_differ_and_suit_buttons():
    for cls, _ in groups(bpy.data.meshes.new("Land").terrain):
        for setting in settings_of(cls):
            numbers = {permanent_number(choice.key) for choice in setting.choices}
            assert len(numbers) == len(setting.choices)
            assert all(np.float32(number) == number for number in numbers)


def values(setting):
    """Values that a setting may have, as short decimals like those that people write."""
    if setting.kind == "choice":
        return st.sampled_from([choice.key for choice in setting.choices])
    if setting.kind == "bool":
        return st.booleans()
    if setting.kind == "text":
        texts = st.text(st.characters(codec="ascii", categories=("L", "N")), max_size=20)
        curves = st.sampled_from(["", "0 0, 0.25 0.75, 1 1"])
        return {"curve": curves, "grid": st.just("")}.get(setting.unit, texts)
    if setting.kind == "color":
        return st.integers(0, 0xFFFFFF).map(lambda rgb: f"#{rgb:06X}")
    low = -1e6 if setting.min is None else setting.min
    high = 1e6 if setting.max is None else setting.max
    if setting.kind == "int":
        return st.integers(int(low), int(high))
    decimals = st.floats(low, high).map(lambda value: round(float(f"{value:.6g}"), 6))
    return decimals.map(lambda value: min(max(value, low), high))


def settings(cls: type[Settings]):
    return {s.name: values(s) for s in settings_of(cls)}


layers = st.sampled_from(list(LAYERS.values())).flatmap(
    lambda kind: st.builds(
        Layer,
        settings=st.builds(kind, **settings(kind)),
        masks=st.tuples(
            *(st.one_of(st.none(), st.builds(m, **settings(m))) for m in MASKS.values())
        ).map(lambda masks: tuple(mask for mask in masks if mask)),
        **settings(Layer),
    )
)
recipes = st.builds(
    Recipe,
    layers=st.lists(layers, max_size=4).map(tuple),
    water=st.builds(Water, **settings(Water)),
    palette=st.builds(
        Palette,
        regions=st.lists(
            st.builds(Region, **settings(Region)),
            min_size=1,
            max_size=5,
            unique_by=lambda region: region.start,
        ).map(tuple),
        **settings(Palette),
    ),
    **settings(Recipe),
)


@given(recipes)
def test_a_recipe_comes_back_from_the_properties_as_it_was(recipe):
    terrain = bpy.data.meshes.new("Land").terrain
    write(terrain, recipe)
    assert read(terrain) == recipe


@given(st.floats(0, 90, width=32))
def test_angles_are_read_as_the_shortest_degrees(angle):
    terrain = bpy.data.meshes.new("Land").terrain
    terrain.palette.rock_slope = np.radians(angle)
    short = read(terrain).palette.rock_slope
    assert short == pytest.approx(angle, abs=1e-5)
    assert len(str(short)) <= 14
    stored = terrain.palette.rock_slope
    terrain.palette.rock_slope = np.radians(short)
    assert terrain.palette.rock_slope == stored


@pytest.mark.smoke
def test_a_fresh_terrain_has_the_default_settings():
    assert read(bpy.data.meshes.new("Land").terrain) == Recipe()


@pytest.fixture
def ramp(extension_id):
    """A kind of layer that is registered for one test only."""
    addon_utils.disable(extension_id)

    @layer("ramp_of_a_test", label="Ramp", help="Ascend along X")
    class Ramp(LayerKind):
        steepness: float = param(
            0.5, label="Steepness", help="Metres per metre", min=-4.0, max=4.0, soft_max=1.0
        )
        reverse: bool = param(False, label="Reverse", help="Descend instead")
        fade: float = length_param(0.0, label="Fade", help="A length without soft limits")

        def apply(self, work: LayerContext):
            sign = -1 if self.reverse else 1
            rise = (sign * self.steepness * work.grid.x).astype(np.float32)
            return np.broadcast_to(rise, work.grid.shape).copy()

    addon_utils.enable(extension_id)
    yield Ramp
    addon_utils.disable(extension_id)
    LAYERS.remove("ramp_of_a_test")
    addon_utils.enable(extension_id)


def test_a_new_kind_of_layer_is_a_property_a_menu_entry_and_shapes_the_mesh(ramp, add):
    item = add(Recipe(size_x=100.0, size_y=100.0), resolution=11)
    terrain = item.data.terrain
    kinds = bpy.ops.terrain.layer_add.get_rna_type().properties["kind"].enum_items
    assert "ramp_of_a_test" in kinds
    bpy.ops.terrain.layer_add(kind="ramp_of_a_test")
    group = terrain.layers[0].ramp_of_a_test
    assert group.bl_rna.properties["steepness"].soft_max == 1.0
    assert [vertex.co.z for vertex in item.data.vertices[:2]] == [-25.0, -20.0]
    group.steepness = 1.0
    assert item.data.vertices[0].co.z == -50.0
    group.reverse = True
    assert item.data.vertices[0].co.z == 50.0
    made = read(terrain)
    assert made.layers == (Layer.of(ramp(steepness=1.0, reverse=True)),)
    assert Recipe.from_json(made.to_json()) == made


@pytest.mark.slow
@given(text=st.text() | st.lists(st.text("12.ab-", min_size=1), min_size=8).map(" ".join))
def test_any_text_can_be_read_as_what_a_mesh_was_built_from(text):
    found = Signature.parse(text)
    assert found == Signature() or Signature.parse(str(found)) == found


def test_what_a_mesh_was_built_from_can_be_read_back(recipe):
    written = Signature.of(recipe, recipe.grid(17))
    assert Signature.parse(str(written)) == written


def test_a_chosen_field_fits_its_mask_once(add, monkeypatch):
    """It fitted the mask again for the field that it wrote, up to the limit of recursion."""
    terrain = add().data.terrain
    group = terrain.layers[1].mask_field
    group.field = "valley"
    group.use = True
    fitted = []
    fit = property_groups.fit_mask
    monkeypatch.setattr(
        property_groups, "fit_mask", lambda *given, **named: fitted.append(fit(*given, **named))
    )
    group.field = "slope"
    assert len(fitted) == 1
