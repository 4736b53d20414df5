# SPDX-License-Identifier: GPL-3.0-or-later
"""The preferences of the extension, and what follows from them where Blender has no window."""

import threading

import bpy
import pytest

from terrain_addon.blender.app.preferences import computes_in_background
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.surface import is_current
from terrain_addon.core import presets


@pytest.fixture
def preferences(extension_id):
    found = bpy.context.preferences.addons[extension_id].preferences
    yield found
    found.property_unset("in_background")


def test_computing_in_the_background_is_the_default(preferences):
    assert preferences.in_background


@pytest.mark.parametrize("wished", [True, False])
def test_without_a_window_everything_is_computed_at_once(add, preferences, wished):
    """A script in background mode has no timers: it would never see a result."""
    preferences.in_background = wished
    assert not computes_in_background(bpy.context)
    mesh = add(presets.load("alps"), resolution=513).data
    mesh.terrain.seed += 1
    assert not rebuild.is_busy()
    assert is_current(mesh)
    assert threading.active_count() == 1
