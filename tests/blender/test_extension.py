# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as Blender sees it: enabled, disabled and enabled again."""

import addon_utils
import bpy


def test_it_is_enabled(extension_id: str) -> None:
    assert addon_utils.check(extension_id) == (True, True)
    assert hasattr(bpy.types.Mesh, "terrain")


def test_disabling_removes_all_that_enabling_added(extension_id: str) -> None:
    before = _registered()
    addon_utils.disable(extension_id)
    try:
        without = _registered()
        assert not hasattr(bpy.types.Mesh, "terrain")
        assert "add" not in dir(bpy.ops.terrain)
    finally:
        addon_utils.enable(extension_id)
    assert without < before
    assert _registered() == before


def test_each_test_starts_with_an_empty_scene() -> None:
    assert not bpy.data.objects
    assert not bpy.data.meshes


def _registered() -> set[str]:
    """Names of all registered classes, and of the properties added to data-blocks and scene."""
    owners = (bpy.types.Mesh, bpy.types.Object, bpy.types.Scene, bpy.types.WindowManager)
    properties = {
        f"{owner.__name__}.{name}"
        for owner in owners
        for name, _ in owner.bl_rna.properties.items()
    }
    return properties | set(dir(bpy.types))
