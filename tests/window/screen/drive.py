# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a driver step by step: what it yields are seconds in which Blender draws and listens."""

import importlib
import os
import runpy
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from types import ModuleType

import bpy

LONGEST = 60.0
"""Seconds after which what is waited for is missing."""


class Ui:
    """What a driver is given: the mouse, the keyboard and a camera."""

    out = "/tmp/run/out"
    """The folder that is kept."""

    def view3d(self) -> bpy.types.Area:
        window = bpy.context.window_manager.windows[0]
        return next(area for area in window.screen.areas if area.type == "VIEW_3D")

    def region(self, kind: str) -> bpy.types.Region:
        return next(region for region in self.view3d().regions if region.type == kind)

    def screen_xy(self, region: bpy.types.Region, x: float, y: float) -> tuple[float, float]:
        """Pixels of a region (from its bottom left) as pixels of the screen (from its top left)."""
        window = bpy.context.window_manager.windows[0]
        return region.x + x, window.height - (region.y + y)

    def open_tab(self, category: str) -> Iterator[float]:
        """Show the sidebar with that tab."""
        self.view3d().spaces.active.show_region_ui = True
        yield 1.0  # a hidden sidebar has no tabs yet
        self.region("UI").active_panel_category = category
        self.view3d().tag_redraw()
        yield 1.0

    def plain_view(self) -> bpy.types.RegionView3D:
        """The view of the viewport, without grid, axes, cursor and outlines: for pictures."""
        space = self.view3d().spaces.active
        overlay = space.overlay
        overlay.show_outline_selected = overlay.show_floor = overlay.show_cursor = False
        overlay.show_axis_x = overlay.show_axis_y = overlay.show_extras = False
        return space.region_3d

    def module(self, name: str) -> ModuleType:
        """A module of the installed extension, such as ``core``."""
        addons = [addon.module for addon in bpy.context.preferences.addons]
        extension = next(one for one in addons if one.endswith("orogen"))
        return importlib.import_module(f"{extension}.terrain_addon.{name}")

    def wait_until(
        self, reached: Callable[[], bool], what: str, longest: float = LONGEST
    ) -> Iterator[float]:
        """A timer follows curves after the next redraw, which takes seconds on a busy machine."""
        until = time.monotonic() + longest
        while not reached():
            assert time.monotonic() < until, what
            yield 0.1

    def xdotool(self, *arguments: object) -> None:
        subprocess.run(["xdotool", *map(str, arguments)], check=True, timeout=20)

    def click(self, x: float, y: float) -> Iterator[float]:
        self.xdotool("mousemove", int(x), int(y))
        yield 0.4
        self.xdotool("mousedown", 1)
        yield 0.2
        self.xdotool("mouseup", 1)
        yield 0.6

    def press(self, key: str) -> Iterator[float]:
        """A key, with the mouse over the viewport."""
        x, y = self.screen_xy(self.region("WINDOW"), 300, 300)
        self.xdotool("mousemove", int(x), int(y))
        yield 0.4
        self.xdotool("key", key)
        yield 1.0

    def drag(self, x0: float, y0: float, x1: float, y1: float) -> Iterator[float]:
        """In relative moves: while a number is dragged, Blender itself moves the pointer."""
        self.xdotool("mousemove", int(x0), int(y0))
        yield 0.4
        self.xdotool("mousedown", 1)
        yield 0.2
        for _ in range(8):
            self.xdotool("mousemove_relative", "--", round((x1 - x0) / 8), round((y1 - y0) / 8))
            yield 0.1
        self.xdotool("mouseup", 1)
        yield 0.6

    def find_button(
        self, what: str, key: str = "ctrl+shift+c", across: float = 0.55, start: int = 20
    ) -> Generator[float, None, tuple[float, float]]:
        """Screen position of a button in the sidebar, by what Blender copies from it.

        With Ctrl-Shift-C that is the data path of a setting, with Ctrl-C the call of an operator.
        It is looked for that far from the left, as a share of the sidebar's width, and from
        ``start`` pixels below the top on.
        """
        region = self.region("UI")
        manager = bpy.context.window_manager
        for y in range(start, region.height, 11):
            x, screen_y = self.screen_xy(region, region.width * across, region.height - y)
            self.xdotool("mousemove", int(x), int(screen_y))
            yield 0.08
            manager.clipboard = ""
            self.xdotool("key", key)
            yield 0.05
            if manager.clipboard == what:
                return x, screen_y
        raise AssertionError(f"there is no button for {what} in the sidebar")

    def shot(self, name: str) -> None:
        """Leave a picture of the screen in the output folder."""
        subprocess.run(["import", "-window", "root", f"{name}.png"], check=True, timeout=60)


def tick() -> float | None:
    try:
        return float(next(steps) or 0.05)
    except StopIteration:
        print("driver ended", flush=True)
        bpy.ops.wm.quit_blender()  # the regular way: a crash at the end is seen
    except BaseException:
        fail()
    return None


def fail() -> None:
    traceback.print_exc()
    Ui().shot("failure")
    sys.stdout.flush()
    os._exit(1)


try:
    steps = runpy.run_path("/tmp/run/driver.py", run_name="driver")["drive"](Ui())
    bpy.app.timers.register(tick, first_interval=2.0, persistent=True)
except BaseException:
    fail()
