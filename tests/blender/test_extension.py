# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as Blender sees it: enabled, disabled and enabled again."""

import inspect
import pkgutil
from importlib import import_module

import addon_utils
import bpy
import pytest

from terrain_addon.blender import operators, ui

INTERFACE = (bpy.types.Operator, bpy.types.Panel, bpy.types.Menu, bpy.types.UIList)


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
@pytest.mark.parametrize("package", [operators, ui], ids=["operators", "ui"])
def test_all_interface_classes_are_registered(package):
    """Only base classes are not: others derive from them."""
    names = [found.name for found in pkgutil.iter_modules(package.__path__)]
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    found = {cls for one in modules for _, cls in inspect.getmembers(one, inspect.isclass)}
    leaves = {cls for cls in found if issubclass(cls, INTERFACE) and not cls.__subclasses__()}
    assert len(leaves) > 5
    assert [cls for cls in leaves - set(INTERFACE) if not cls.is_registered] == []


def test_a_new_module_with_an_operator_is_found(extension_id: str, tmp_path, monkeypatch) -> None:
    (tmp_path / "new_operator.py").write_text(
        "import bpy\nclass TERRAIN_OT_new(bpy.types.Operator):\n"
        "    bl_idname, bl_label = 'terrain.new', 'New'\n"
    )
    addon_utils.disable(extension_id)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(operators, "__path__", [*operators.__path__, str(tmp_path)])
            addon_utils.enable(extension_id)
            assert "new" in dir(bpy.ops.terrain)
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
