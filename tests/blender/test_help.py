# SPDX-License-Identifier: GPL-3.0-or-later
"""Help in the header of each panel, and what F1 opens on each setting and operator."""

import webbrowser
from pathlib import Path
from typing import Any

import bpy
import pytest

from terrain_addon.blender.app import manual
from terrain_addon.blender.ui.data_tab import sidebar_panels
from terrain_addon.blender.ui.help import Helped
from terrain_addon.core import Recipe
from terrain_addon.core.layers import LAYERS, MASKS

SCRIPTS = Path(__file__).parents[2] / "docs" / "scripts"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual as the zip has it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(SCRIPTS)
        import make_manual  # pyright: ignore[reportMissingImports]

        target = tmp_path_factory.mktemp("manual")
        make_manual.main(target)
    return target


def opened(name: str) -> str | None:
    """Return what F1 opens, as Blender looks it up."""
    found = bpy.types.WM_OT_doc_view_manual._lookup_rna_url(name, verbose=False)
    return found or None


def has(folder: Path, page: str) -> bool:
    name, _, heading = page.partition("#")
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    return not heading or f'id="{heading}"' in text


def test_every_page_and_its_heading_exist(folder: Path) -> None:
    pages = {page for _, page in manual.pages()}
    pages |= {panel.page for panel in sidebar_panels()}
    assert len(pages) > 40
    assert not [page for page in sorted(pages) if not has(folder, page)]


def test_every_panel_has_help(add: Any) -> None:
    panels = list(sidebar_panels())
    assert len(panels) > 15 and all(issubclass(panel, Helped) for panel in panels)
    assert {panel.draw_header_preset for panel in panels} == {Helped.draw_header_preset}
    item = add(Recipe(layers=()), 9)
    bpy.ops.terrain.layer_add(kind="volcano")
    assert item.data.terrain.layers[0].kind == "volcano"
    (layer,) = (panel for panel in panels if panel.bl_idname == "TERRAIN_PT_layer")
    assert layer.page_in(layer, bpy.context) == "reference#volcano-volcano"


@pytest.mark.smoke
def test_f1_opens_the_page_of_a_setting_on_disk_and_on_the_site(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {
        "bpy.types.TERRAIN_PG_layer_erosion.strength": "reference#erosion-erosion",
        "bpy.types.TERRAIN_PG_layer_fractal_noise.size": "reference#fractal-noise-fractal_noise",
        "bpy.types.TERRAIN_PG_layer.opacity": "user-guide#layers",
        "bpy.types.TERRAIN_PG_terrain.seed": "user-guide#adjust-it",
        "bpy.ops.terrain.add": "user-guide#add-a-terrain",
        "bpy.ops.terrain.add_elevation": "from-an-elevation-file",
        "bpy.ops.terrain.bake_set": "user-guide#bake",
    }
    monkeypatch.setattr(manual, "FOLDER", folder)
    for name, page in names.items():
        file, _, heading = page.partition("#")
        address = (folder / f"{file}.html").as_uri()
        assert opened(name) == (f"{address}#{heading}" if heading else address)
    monkeypatch.setattr(manual, "FOLDER", folder / "missing")
    site = "https://github.com/orogen-terrain/orogen/blob/main/docs"
    assert opened("bpy.ops.terrain.bake") == f"{site}/guide/user-guide.md#bake"
    shown = opened("bpy.types.TERRAIN_PG_layer_snow.line")
    assert shown == f"{site}/reference.md#snow-snow"


def test_every_setting_and_operator_has_a_page() -> None:
    groups = [f"layer_{key}" for key in LAYERS] + [f"mask_{key}" for key in MASKS]
    names = [f"bpy.types.TERRAIN_PG_{group}.x" for group in groups]
    names += [f"bpy.types.{one}.x" for one in dir(bpy.types) if one.startswith("TERRAIN_PG_")]
    names += [f"bpy.ops.terrain.{name}" for name in dir(bpy.ops.terrain)]
    assert not [name for name in names if not opened(name)]


def test_the_button_opens_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    bpy.ops.terrain.help(page="worlds")
    assert addresses == [manual.url("worlds")]
