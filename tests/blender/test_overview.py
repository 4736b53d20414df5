# SPDX-License-Identifier: GPL-3.0-or-later
"""The overview in the panel: made from the mesh, only when that has changed, and not kept."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data import previews
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.ui import overview_panel
from terrain_addon.core import Water


@pytest.fixture
def made(monkeypatch):
    """How often a picture was made since."""
    found = []
    overview = overview_panel.overview

    def counted(*args):
        found.append(args)
        return overview(*args)

    monkeypatch.setattr(overview_panel, "overview", counted)
    return found


def test_it_is_made_once_for_each_state_and_from_the_mesh_alone(add, made, monkeypatch):
    mesh = add().data
    evaluated = []
    make_surface = rebuild.make_surface
    monkeypatch.setattr(
        rebuild, "make_surface", lambda *a, **k: evaluated.append(a) or make_surface(*a, **k)
    )
    for _ in range(3):
        assert overview_panel.update(mesh)
    assert len(made) == 1 and not evaluated
    mesh.terrain.profile.at = 0.25
    mesh.terrain.profile.along = "y"
    assert overview_panel.update(mesh) and len(made) == 2 and not evaluated
    mesh.terrain.seed = 8
    assert overview_panel.update(mesh) and len(made) == 3
    mesh.terrain.palette.regions[0].color = (1, 0, 0)
    assert overview_panel.update(mesh) and len(made) == 4
    mesh.terrain.water.show = True
    assert overview_panel.update(mesh) and len(made) == 5
    assert made[-1][-1] == Water().level
    other = add().data
    assert overview_panel.update(other) and len(made) == 6


def test_it_shows_the_heights_and_colors_of_the_mesh(add, made):
    mesh = add().data
    overview_panel.update(mesh)
    grid, height, colors, line, sea = made[0]
    stored = np.empty(33 * 33, np.float32)
    mesh.attributes["height"].data.foreach_get("value", stored)
    np.testing.assert_array_equal(height.reshape(-1), stored)
    assert colors.shape == (33, 33, 4) and grid.shape == (33, 33)
    assert (line.along, line.at, sea) == ("x", 0.5, None)


def test_all_pictures_are_one_preview(add):
    for _ in range(3):
        mesh = add().data
        for seed in range(5):
            mesh.terrain.seed = seed
            assert overview_panel.update(mesh)
    keys = [key for key in previews._collection() if not key.endswith(".png")]
    assert [key for key in keys if key == overview_panel.KEY] == [overview_panel.KEY]
    picture = previews._collection()[overview_panel.KEY]
    assert tuple(picture.image_size) == (256, 256)
    pixels = np.empty(256 * 256 * 4, np.float32)
    picture.image_pixels_float.foreach_get(pixels)
    assert pixels.max() > 0.5


def test_a_mesh_without_heights_has_no_picture(add, made):
    mesh = add().data
    mesh.attributes.remove(mesh.attributes["height"])
    assert not overview_panel.update(mesh)
    bpy.ops.terrain.rebuild()
    assert overview_panel.update(mesh)
    mesh.attributes.remove(mesh.attributes["Color"])
    mesh.attributes.new("Color", "FLOAT", "POINT")
    mesh.terrain.profile.at = 0.1
    assert not overview_panel.update(mesh)
    mesh.terrain.built = ""
    assert not overview_panel.update(mesh)


def test_deleted_points_leave_no_picture(add):
    mesh = add().data
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not overview_panel.update(mesh)


def test_disabling_frees_the_pictures_and_enabling_makes_new_ones(add, extension_id):
    import addon_utils

    overview_panel.update(add().data)
    before = previews.generation()
    addon_utils.disable(extension_id)
    try:
        assert previews._pictures.collection is None
    finally:
        addon_utils.enable(extension_id)
    assert previews.generation() == before + 1
    assert overview_panel.update(add().data)
