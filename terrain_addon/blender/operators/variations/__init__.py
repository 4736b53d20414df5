# SPDX-License-Identifier: GPL-3.0-or-later
"""Nine variations of a terrain, as pictures over the viewport: click one."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ....core import Recipe
from ....core.layers import LayerKind
from ....core.recipe import nine_values, variable_settings
from ....core.settings import Setting, settings_of
from ...app.preferences import computes_in_background
from ...app.registration import registered
from ...data import units
from ...data.terrains import active_layer, active_mesh, terrain_of
from ...live import rebuild
from ...live.variations import variations
from ...properties.choices import kept
from ...properties.declare import enum_items, to_blender
from ...properties.recipe import read, read_layer
from ..base import OnTerrain, Result, reporting
from .sheet import Sheet

SEED = "seed"
"""Name of the setting of the terrain; those of a layer have its prefix."""
LAYER = "layer."
DIGITS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
KEYS = {key: n for n, digit in enumerate(DIGITS) for key in (digit, f"NUMPAD_{n + 1}")}
"""Places on the sheet by key."""


@dataclass(frozen=True)
class _Subject:
    """A setting that varies, of a layer or of the terrain, with its nine values.

    Attributes
    ----------
    group : holds the setting
    layer : place of the layer; None for the terrain
    label : what the sheet is called
    at_hand : its value now
    """

    setting: Setting
    group: Any
    layer: int | None
    label: str
    at_hand: float
    values: tuple[float, ...]

    @classmethod
    def of(cls, terrain: Any, name: str) -> "_Subject":
        """Return the setting of that name; ValueError if the terrain has none."""
        if name == SEED:
            setting = next(setting for setting in settings_of(Recipe) if setting.name == SEED)
            values = nine_values(setting, terrain.seed)
            return cls(setting, terrain, None, "Seed of Terrain", terrain.seed, values)
        item = active_layer(terrain)
        settings = read_layer(item).settings if item else None
        setting = dict(_varying(settings)).get(name) if settings else None
        if settings is None or setting is None:
            raise ValueError(
                f"The active layer has no setting {name.removeprefix(LAYER)!r} to vary"
            )
        at_hand = getattr(settings, setting.name)
        label, values = f"{item.name}: {setting.label}", nine_values(setting, at_hand)
        group = getattr(item, item.kind)
        return cls(setting, group, terrain.active_layer, label, at_hand, values)

    def write(self, place: int) -> None:
        """Give the setting one of its values."""
        setattr(self.group, self.setting.name, to_blender(self.setting, self.values[place]))

    def varied(self, recipe: Recipe, value: float) -> Recipe:
        """Return a recipe of the terrain with another value."""
        change = {self.setting.name: value}
        if self.layer is None:
            return dataclasses.replace(recipe, **change)
        layers = list(recipe.layers)
        settings = dataclasses.replace(layers[self.layer].settings, **change)
        layers[self.layer] = dataclasses.replace(layers[self.layer], settings=settings)
        return dataclasses.replace(recipe, layers=tuple(layers))

    def texts(self) -> list[str]:
        """Return the values with their units; the one at hand is marked."""
        return [
            units.value(self.setting, value) + (" (now)" if value == self.at_hand else "")
            for value in self.values
        ]


def _varying(settings: LayerKind) -> Iterator[tuple[str, Setting]]:
    """Yield the settings of a layer that have an effect and nine values, by their names here."""
    known = {setting.name: setting for setting in settings_of(type(settings))}
    for setting in variable_settings(type(settings)):
        bounded = setting.soft_max is not None or setting.max is not None
        if setting.has_effect(settings, known) and (getattr(settings, setting.name) or bounded):
            yield LAYER + setting.name, setting


def setting_items(operator: Any, context: Any) -> Any:
    """List the seed of the terrain and the settings of its active layer that can vary."""
    mesh = active_mesh(context) if context else None
    item = active_layer(terrain_of(mesh)) if mesh else None
    try:
        settings = [*_varying(read_layer(item).settings)] if item else []
    except ValueError:  # of a newer version, or out of range
        settings = []
    source = [
        (SEED, "Seed of Terrain", "Other terrains of the same kind", "FILE_REFRESH"),
        *((name, setting.label, setting.help, "NONE") for name, setting in settings),
    ]
    return kept("variations", source, enum_items)


@registered
class TERRAIN_OT_variations(OnTerrain):
    """Compare nine pictures of the terrain with other seeds, or other values of a setting"""

    bl_idname = "terrain.variations"
    bl_label = "Variations"

    setting: EnumProperty(
        name="Setting", description="What differs between the pictures", items=setting_items
    )
    number: IntProperty(
        name="Picture",
        description="Which of the nine, from the top left to the bottom right",
        default=1,
        min=1,
        max=9,
        options={"SKIP_SAVE"},
    )

    _sheet: Sheet | None = None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return self._open(context)

    @reporting
    def _open(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        subject = _Subject.of(terrain, self.setting)
        recipe = read(terrain)
        self._sheet = Sheet.over(context, subject.label, subject.texts())
        variations.start([subject.varied(recipe, value) for value in subject.values])
        if not computes_in_background(context):
            variations.finish()
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        sheet = self._sheet
        if sheet is None or not sheet.point_at(context, event.mouse_x, event.mouse_y):
            return self._close({"CANCELLED"})
        if event.value == "PRESS" and event.type in ("ESC", "RIGHTMOUSE"):
            return self._close({"CANCELLED"})
        place = KEYS.get(event.type)
        if event.type == "LEFTMOUSE":
            if not sheet.is_under_mouse and event.value == "PRESS":
                return self._close({"CANCELLED"})
            place = sheet.hovered
        if place is None or event.value != "PRESS":
            return {"RUNNING_MODAL"}
        self._close({"FINISHED"})
        self.number = place + 1
        return self.execute(context)

    def cancel(self, context: bpy.types.Context) -> None:
        self._close({"CANCELLED"})

    def _close(self, result: Result) -> Result:
        """Remove the sheet, and stop making pictures."""
        if self._sheet:
            self._sheet.close()
            self._sheet = None
        variations.cancel()
        variations.reset()
        return result

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        subject = _Subject.of(terrain, self.setting)
        with rebuild.one_rebuild(mesh):
            subject.write(self.number - 1)
        return {"FINISHED"}


def unregister() -> None:
    """Remove a sheet that is still shown."""
    Sheet.close_all()
