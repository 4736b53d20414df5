# SPDX-License-Identifier: GPL-3.0-or-later
"""The gallery shows every preset as it is."""

import runpy
from pathlib import Path

import pytest

from terrain_addon.core import presets

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = DOCS / "scripts" / "make_gallery.py"


def test_the_page_is_what_the_script_writes_and_each_preset_has_a_picture():
    written = (DOCS / "guide" / "gallery.md").read_text(encoding="utf-8")
    assert written == runpy.run_path(str(SCRIPT))["page"]()
    for name in presets.names():
        assert f"(../pictures/{name}.jpg)" in written
        assert presets.load(name).about in written


def test_a_preset_without_a_line_and_a_line_without_a_preset_are_named(monkeypatch):
    page = runpy.run_path(str(SCRIPT))["page"]
    monkeypatch.setattr(presets, "names", lambda: ["alps", "new_place"])
    with pytest.raises(ValueError, match="differ: archipelago.*new_place"):
        page()
