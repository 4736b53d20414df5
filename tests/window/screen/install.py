# SPDX-License-Identifier: GPL-3.0-or-later
"""Install and enable the zip, as a user does who drags it into Blender."""

import os
import traceback

import bpy

try:
    preferences = bpy.context.preferences
    preferences.view.show_splash = False
    preferences.use_preferences_save = False
    bpy.ops.extensions.package_install_files(
        filepath="/tmp/run/extension.zip", repo="user_default", enable_on_install=True
    )
    assert any(name.startswith("bl_ext.user_default.") for name in preferences.addons.keys())  # noqa: SIM118
    bpy.ops.wm.save_userpref()
except BaseException:
    traceback.print_exc()
    os._exit(3)
