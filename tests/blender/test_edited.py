# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel sees of edits by hand."""

import time

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.ui import edited


def test_the_panel_sees_edits_a_moment_later(add):
    mesh = add(resolution=65).data
    assert not edited.seems_edited(mesh)
    mesh.vertices[1000].co.z += 5.0
    assert rebuild.is_edited(mesh)
    end = time.monotonic() + 10
    while not edited.seems_edited(mesh) and time.monotonic() < end:
        time.sleep(0.01)
    assert edited.seems_edited(mesh)


def test_a_look_is_good_for_a_while_and_for_one_mesh_as_it_is(add, monkeypatch):
    looks = []

    def is_edited(mesh):
        looks.append(mesh.name)
        time.sleep(0.02)  # then it is good for a second
        return False

    monkeypatch.setattr(edited, "is_edited", is_edited)
    first, second = add().data, add().data
    for mesh in (first, first, first, second, second, first):
        assert not edited.seems_edited(mesh)
    assert looks == [first.name, second.name, first.name]
    first.terrain.layers[0].fractal_noise.height += 10.0  # which makes it again
    edited.seems_edited(first)
    assert len(looks) == 4
