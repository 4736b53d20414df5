# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons with pictures: what is under a picture does what its name says."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from terrain_addon.blender.data import pictures, previews
from terrain_addon.blender.properties import biomes, user_presets
from terrain_addon.blender.ui import menus, tiles
from terrain_addon.core import presets
from terrain_addon.core.layers import LAYERS

MOST_BYTES = 100_000
"""Of all pictures of layers, in the zip."""


class Layout:
    """Notes buttons and pictures in the order in which they are drawn, as (what, value)."""

    def __init__(self, drawn: list[tuple[str, Any]]) -> None:
        self.__dict__["drawn"] = drawn

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def row(self, **_: Any) -> "Layout":
        return Layout(self.drawn)

    column = row

    def operator(self, name: str, text: str = "", **_: Any) -> Any:
        button = Button()
        high = self.__dict__.get("scale_y", 1.0)
        self.drawn.append((f"{name} {high:g}", (text.strip(), button)))
        return button

    def template_icon(self, icon: int, **_: Any) -> None:
        self.drawn.append(("picture", icon))

    def label(self, **_: Any) -> None:
        pass

    separator = menu = label


class Button:
    """Takes the values of an operator."""

    enabled = True


def targets(drawn: list[tuple[str, Any]], of: str = "") -> dict[str, tuple[int, str]]:
    """Return picture and name of each value, or of those ``of`` a property; what is under the
    picture must do as the name."""
    found = {}
    for (below, under), (what, picture), (call, name) in zip(
        drawn, drawn[1:], drawn[2:], strict=False
    ):
        if what == "picture" and isinstance(under, tuple) and not under[0]:
            (text, shown), (_, hidden) = name, under
            assert vars(shown) == vars(hidden)
            assert float(below.split()[1]) > float(call.split()[1])
            ((prop, value),) = vars(shown).items()
            if prop == (of or prop):
                found[value] = picture, text
    return found


def drawn_by(menu: Any) -> list[tuple[str, Any]]:
    drawn: list[tuple[str, Any]] = []
    view = type("View", (), {"layout": Layout(drawn)})()
    menu.draw(view, bpy.context)
    return drawn


@pytest.fixture(autouse=True)
def numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each picture a number: without a window, Blender has none for them."""
    known: dict[str, int] = {}

    def number(key: Any, stamp: Any = None) -> int:
        return known.setdefault(str(key), 1000 + len(known))

    def of_file(path: Path, stamp: Any = None) -> int:
        return number(path) if path.is_file() else 0

    monkeypatch.setattr(previews, "of_file", of_file)
    monkeypatch.setattr(previews, "icon", number)


@pytest.mark.parametrize("menu", [menus.TERRAIN_MT_add, menus.TERRAIN_MT_preset_load])
def test_each_preset_is_under_its_picture(menu: Any) -> None:
    wanted = {
        name: (user_presets.icon(name), presets.label(name)) for name in user_presets.built_in()
    }
    assert targets(drawn_by(menu)) == wanted
    assert len({picture for picture, _ in wanted.values()}) == len(wanted) > 17


def test_each_kind_of_layer_has_a_picture_of_its_own() -> None:
    files = list(pictures.LAYERS.iterdir())
    assert sorted(path.stem for path in files) == sorted(LAYERS)
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    wanted = {key: (pictures.of_layer(key), kind.label) for key, kind in LAYERS.items()}
    assert targets(drawn_by(menus.TERRAIN_MT_layer_add), "kind") == wanted
    assert len({picture for picture, _ in wanted.values()} - {0}) == len(LAYERS)


def test_each_ready_biome_is_under_its_picture() -> None:
    wanted = {name: (biomes.icon(name), presets.label(name)) for name in biomes.ready()}
    assert targets(drawn_by(menus.TERRAIN_MT_layer_add), "biome") == wanted
    assert len({picture for picture, _ in wanted.values()} - {0}) == len(wanted) == 7


def test_each_palette_has_a_picture_of_its_colors() -> None:
    wanted = {
        name: (pictures.of_palette(name), presets.label(name)) for name in presets.palette_names()
    }
    assert targets(drawn_by(menus.TERRAIN_MT_palette_load)) == wanted
    assert len({picture for picture, _ in wanted.values()} - {0}) == len(wanted)


def test_without_pictures_the_names_are_buttons() -> None:
    drawn: list[tuple[str, Any]] = []
    many = [tiles.Tile(str(n), 0, {"preset": str(n)}) for n in range(7)]
    tiles.draw(Layout(drawn), "terrain.add", {"Own": many}, columns=3, size=4.0)
    assert sorted(text for _, (text, _) in drawn) == list("0123456")


def test_pictures_of_layers_and_biomes_are_in_one_row_of_columns() -> None:
    """Blender draws a second row beside the last column of the first, out of the window."""
    rows: list[Layout] = []

    class Menu(Layout):
        def row(self, **_: Any) -> Layout:
            rows.append(self)
            return Layout(self.drawn)

    view: Any = type("View", (), {"layout": Menu([])})()
    menus.TERRAIN_MT_layer_add.draw(view, bpy.context)
    assert len(rows) == 1
