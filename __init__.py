# SPDX-License-Identifier: GPL-3.0-or-later
if __package__:  # Blender loads this folder as a package; test tools look at it on its own.
    from .terrain_addon import register as register, unregister as unregister
