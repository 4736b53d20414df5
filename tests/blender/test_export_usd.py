# SPDX-License-Identifier: GPL-3.0-or-later
"""USD files have the colors of the terrain under the name that readers of USD show."""

import re
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.operators import export_usd

pytestmark = pytest.mark.skipif(
    not bpy.app.build_options.usd, reason="bpy was built without USD: use a build with it"
)
POINTS = 33


def pxr(name: str) -> Any:
    """A module of USD; Blender from 4.4 on shows those that it ships with."""
    if expose := getattr(bpy.utils, "expose_bundled_modules", None):
        expose()
    return pytest.importorskip(f"pxr.{name}", reason="this bpy has no pxr: use 4.5 or later")


def state():
    """What an export must keep."""
    kinds = (bpy.data.objects, bpy.data.meshes, bpy.data.scenes)
    names = [sorted(one.name for one in kind) for kind in kinds]
    return names, bpy.context.object, [one.name for one in bpy.context.selected_objects]


@pytest.fixture
def isle() -> Any:
    bpy.ops.terrain.add(preset="crater_field", resolution=POINTS)
    item: Any = bpy.context.object
    item.name = "Isle"
    item.location = 7.0, 8.0, 9.0
    return item


def colors_of(item):
    stored = np.empty(POINTS * POINTS * 4, np.float32)
    item.data.attributes["Color"].data.foreach_get("color", stored)
    return stored.reshape(-1, 4)[:, :3]


@pytest.mark.parametrize("suffix", [".usdc", ".usda"])
def test_pxr_reads_the_colors_points_and_place(tmp_path, isle, suffix):
    usd, geometry = pxr("Usd"), pxr("UsdGeom")
    path = tmp_path / f"isle{suffix}"
    assert bpy.ops.terrain.export_usd(filepath=str(path)) == {"FINISHED"}
    stage = usd.Stage.Open(str(path))
    (prim,) = (one for one in stage.Traverse() if one.IsA(geometry.Mesh))
    assert "/Isle/" in str(prim.GetPath())
    mesh = geometry.Mesh(prim)
    expected = np.empty(POINTS * POINTS * 3, np.float32)
    isle.data.vertices.foreach_get("co", expected)
    assert np.allclose(mesh.GetPointsAttr().Get(), expected.reshape(-1, 3), atol=1e-4)
    colors = np.array(mesh.GetDisplayColorAttr().Get())
    assert mesh.GetDisplayColorPrimvar().GetInterpolation() == "vertex"
    assert colors.std() > 0.01 and np.allclose(colors, colors_of(isle), atol=1e-6)
    place = geometry.XformCache().GetLocalToWorldTransform(prim).ExtractTranslation()
    assert tuple(place) == pytest.approx((7, 8, 9))


@pytest.mark.smoke
def test_the_file_states_the_colors_and_nothing_stays(tmp_path, isle):
    before = state()
    path = tmp_path / "isle.usda"
    assert bpy.ops.terrain.export_usd(filepath=str(path)) == {"FINISHED"}
    assert state() == before and "Color" in isle.data.attributes
    text = path.read_text()
    assert "material:binding" not in text  # it would be gray, and hide the colors
    (values,) = re.findall(r"color3f\[\] primvars:displayColor = \[(.*?)\]", text)
    colors = np.array(re.findall(r"[-\d.e]+", values), np.float32).reshape(-1, 3)
    assert np.allclose(colors, colors_of(isle), atol=1e-5)


def test_materials_that_usd_holds_are_exported(tmp_path, isle):
    material: Any = bpy.data.materials.new("Photo")
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    tree = material.node_tree
    surface = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = bpy.data.images.new("Photo", 4, 4)
    tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    isle.data.materials[0] = material
    path = tmp_path / "isle.usda"
    assert bpy.ops.terrain.export_usd(filepath=str(path)) == {"FINISHED"}
    assert "rel material:binding" in path.read_text()
    assert (tmp_path / "textures").is_dir() and isle.data.materials[0] == material


def test_nothing_stays_after_an_error(tmp_path, isle, monkeypatch):
    before = state()
    (tmp_path / "taken.usdc").mkdir()
    with pytest.raises(RuntimeError, match=r"taken\.usdc was not written"):
        bpy.ops.terrain.export_usd(filepath=str(tmp_path / "taken.usdc"))
    assert state() == before
    with pytest.raises(RuntimeError, match=r"isle\.obj: a USD file ends with \.usdc"):
        bpy.ops.terrain.export_usd(filepath=str(tmp_path / "isle.obj"))

    def failing(*_: Any) -> None:
        raise ValueError("The disk is full")

    monkeypatch.setattr(export_usd, "_write", failing)
    with pytest.raises(RuntimeError, match="The disk is full"):
        bpy.ops.terrain.export_usd(filepath=str(tmp_path / "isle.usdc"))
    assert state() == before
