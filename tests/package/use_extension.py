# SPDX-License-Identifier: GPL-3.0-or-later
"""Install the zip given as argument, use it, disable and enable it twice, remove it.

Runs in a Blender of its own, with a throw-away profile; ends with 0 when all went well.
"""

import os
import sys
import traceback
from pathlib import Path

import bpy

ID = "orogen"
EXTENSION = f"bl_ext.user_default.{ID}"


def main(package: str) -> None:
    search_path = list(sys.path)
    bpy.ops.extensions.package_install_files(
        filepath=package, repo="user_default", enable_on_install=True
    )
    installed = Path(bpy.utils.user_resource("EXTENSIONS", path="user_default")) / ID
    _expect(installed.is_dir(), f"installed in {installed}")
    _expect_enabled(True)
    _use()
    for _ in range(2):
        bpy.ops.preferences.addon_disable(module=EXTENSION)
        _expect_enabled(False)
        bpy.ops.preferences.addon_enable(module=EXTENSION)
        _expect_enabled(True)
    _use()
    _expect(sys.path == search_path, "sys.path is as it was")
    bpy.ops.extensions.package_uninstall(repo_directory=str(installed.parent), pkg_id=ID)
    _expect_enabled(False)
    _expect(not installed.exists(), f"removed from {installed}")


def _use() -> None:
    """Add a terrain with the default settings and look at its mesh."""
    _expect(bpy.ops.terrain.add() == {"FINISHED"}, "a terrain can be added")
    mesh = bpy.context.object.data
    _expect(len(mesh.vertices) >= 4 and len(mesh.polygons) >= 1, "it has a mesh")
    heights = [vertex.co.z for vertex in mesh.vertices]
    _expect(max(heights) > min(heights), "which is not flat")


def _expect_enabled(enabled: bool) -> None:
    state = "enabled" if enabled else "disabled"
    _expect((EXTENSION in bpy.context.preferences.addons) == enabled, f"listed as {state}")
    _expect(hasattr(bpy.types.Mesh, "terrain") == enabled, f"Mesh.terrain {state}")
    _expect(("add" in dir(bpy.ops.terrain)) == enabled, f"operators {state}")


def _expect(truth: bool, what: str) -> None:
    print("ok  " if truth else "FAIL", what, flush=True)
    if not truth:
        raise AssertionError(what)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BaseException:
        traceback.print_exc()
        status = 1
    else:
        status = 0
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # Some releases of bpy crash while the interpreter shuts down.
