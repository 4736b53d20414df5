# SPDX-License-Identifier: GPL-3.0-or-later
"""Export Tiles and what is already where it writes."""

from pathlib import Path

import bpy
import pytest

from terrain_addon.core import Recipe
from terrain_addon.core.settings import work_folder


def export(add, target: Path):
    """Export flat ground."""
    add(Recipe(size_x=300.0, size_y=300.0))
    settings = bpy.context.scene.terrain_world
    settings.target, settings.spacing = str(target), 20.0
    settings.side, settings.workers = 16, 1
    return bpy.ops.terrain.world_export()


def test_an_export_deletes_no_folder_of_the_user(add, tmp_path):
    thesis = tmp_path / "tiles.unfinished" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("years of work")
    with pytest.raises(RuntimeError, match="tiles.unfinished is in the way, and Orogen did not"):
        export(add, tmp_path / "tiles")
    assert thesis.read_text() == "years of work"
    assert [one.name for one in tmp_path.iterdir()] == ["tiles.unfinished"]


def test_one_export_at_a_time_plans_into_a_folder(add, tmp_path):
    target = tmp_path / "tiles"
    with work_folder(tmp_path / "tiles.unfinished", f"the plan of {target}"):
        with pytest.raises(RuntimeError, match="Another process is at work on the plan of"):
            export(add, target)
        assert not target.exists()
    assert bpy.ops.terrain.world_export() == {"FINISHED"}
    assert [one.name for one in tmp_path.iterdir()] == ["tiles"]
