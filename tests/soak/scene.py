# SPDX-License-Identifier: GPL-3.0-or-later
"""What actions on a scene share: the objects to act on, and the modules of the extension."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import bpy

MOST_OBJECTS = 20
MOST_LAYERS = 6


class Scene:
    """A scene that actions change: its generator, its folder, whether the extension is enabled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.enabled = True
        self.rng = Random()
        self.note = ""
        """What the action did, for the report of a failure."""

    def module(self, name: str) -> Any:
        """Return a module of the extension as it is enabled now."""
        return sys.modules[f"terrain_addon.{name}"]

    def has(self, item: Any) -> bool:
        """Tell if an object is a terrain."""
        return self.enabled and bool(item) and item.type == "MESH" and item.data.terrain.is_terrain

    def terrain_meshes(self) -> list[Any]:
        return [mesh for mesh in bpy.data.meshes if self.enabled and mesh.terrain.is_terrain]

    def pick(self) -> Any:
        """Return any mesh object, most often a terrain, made active and selected; or None."""
        meshes = [
            item
            for item in bpy.context.view_layer.objects
            if item.type == "MESH" and not item.hide_get()
        ]
        terrains = [item for item in meshes if self.has(item)]
        if terrains and self.rng.random() < 0.85:
            meshes = terrains
        if not meshes:
            return None
        select(item := self.rng.choice(meshes))
        return item

    def pick_terrain(self) -> Any:
        """Return a terrain that is of this file, made active and selected; or None."""
        item = self.pick()
        return item if self.has(item) and not item.data.library else None

    def pick_own(self) -> Any:
        """Return a mesh object without links and overrides, in Object Mode; or None."""
        self.object_mode()
        item = self.pick()
        linked = item and (item.library or item.data.library or item.override_library)
        return None if not item or linked or item.data.override_library else item

    def object_mode(self) -> None:
        if bpy.context.mode != "OBJECT" and bpy.context.object:
            bpy.ops.object.mode_set(mode="OBJECT")
            self.notify()

    def notify(self) -> None:
        """Call what the message bus calls in a window."""
        if self.enabled:
            bus = self.module("blender.live.message_bus")
            bus._on_mode()
            bus._on_active()

    def follow(self) -> None:
        """Call what timers call in a window."""
        if self.enabled:
            self.module("blender.live.shapes").follow()

    def settle(self) -> None:
        bpy.context.view_layer.update()
        if self.enabled:
            self.module("blender.objects.orphans").sweep()
            for _ in range(3):
                self.follow()
                bpy.context.view_layer.update()

    def room(self, more: int = 0) -> bool:
        return len(bpy.data.objects) < MOST_OBJECTS + more


Action = Callable[[Scene], object]
ACTIONS: dict[Action, float] = {}
"""Actions and how often they are chosen."""


def action(weight: float) -> Callable[[Action], Action]:
    """Declare an action."""

    def declared(do: Action) -> Action:
        ACTIONS[do] = weight
        return do

    return declared


def select(*items: Any) -> None:
    """Select objects and no others; the first becomes the active one."""
    for other in bpy.data.objects:
        with suppress(RuntimeError):  # in no view layer
            other.select_set(False)
    for item in items:
        item.select_set(True)
    bpy.context.view_layer.objects.active = items[0]
