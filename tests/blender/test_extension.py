# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as Blender sees it: enabled, disabled and enabled again."""

import inspect
import pkgutil
from importlib import import_module

import addon_utils
import bpy
import pytest

from terrain_addon import blender
from terrain_addon.blender import operators

INTERFACE = (bpy.types.Operator, bpy.types.Panel, bpy.types.Menu, bpy.types.UIList)
PACKAGE = (blender.__path__, f"{blender.__name__}.")


@pytest.mark.smoke
def test_it_is_enabled(extension_id: str) -> None:
    assert addon_utils.check(extension_id) == (True, True)
    assert hasattr(bpy.types.Mesh, "terrain")


@pytest.mark.smoke
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


@pytest.mark.smoke
def test_all_interface_classes_are_registered():
    """Only base classes, from which others derive, are not registered."""
    modules = [import_module(found.name) for found in pkgutil.walk_packages(*PACKAGE)]
    classes = {cls for one in modules for _, cls in inspect.getmembers(one, inspect.isclass)}
    leaves = {
        cls
        for cls in classes
        if cls.__module__.startswith(PACKAGE[1])
        if issubclass(cls, INTERFACE) and not cls.__subclasses__()
    }
    assert len(leaves) > 60
    assert [cls for cls in leaves if not cls.is_registered] == []


def test_a_marked_class_of_any_name_is_registered(extension_id, tmp_path, monkeypatch) -> None:
    (tmp_path / "new_operator.py").write_text(
        "import bpy\nfrom ..app.registration import registered\n"
        "@registered\nclass Flood(bpy.types.Operator):\n"
        "    bl_idname, bl_label = 'terrain.new', 'New'\n"
        "class Unmarked(Flood):\n    bl_idname = 'terrain.unmarked'\n"
    )
    addon_utils.disable(extension_id)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(operators, "__path__", [*operators.__path__, str(tmp_path)])
            addon_utils.enable(extension_id)
            assert "new" in dir(bpy.ops.terrain)
            assert "unmarked" not in dir(bpy.ops.terrain)
            addon_utils.disable(extension_id)
        assert "new" not in dir(bpy.ops.terrain)
    finally:
        addon_utils.enable(extension_id)


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
