# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a driver step by step: what it yields are seconds in which Blender draws and listens."""

import faulthandler
import importlib
import json
import os
import runpy
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from types import ModuleType
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

LONGEST = 60.0
"""Seconds after which what is waited for is missing."""
STARTED = time.monotonic()
DRAW_MENU = (0.66, 38)
"""The Draw menu in the header of the panel Layers while Terrain is closed: how far across the
sidebar, and pixels below its top."""
COLUMNS = {"by hand": -390, "ready-made": -240, "selected": -80}
"""The columns of that menu, in pixels right of the mouse that opens it: a narrow window would move
them."""
FIRST_KIND, ROW = 79, 23
"""Its first layer below the mouse, and the distance to the next."""
DRAWN_KINDS = ("fault", "range", "lake", "pad", "river", "road", "stamp")
"""Layers in the order of the menu."""
MENU_STEP = 10
"""Pixels from a place in a menu that is asked to the next: an entry is 20 high."""
NOISE_ISLAND = {
    "size_x": 2000.0,
    "size_y": 2000.0,
    "layers": [
        {"kind": "fractal_noise", "settings": {"size": 520.0, "height": 150.0, "octaves": 7}},
        {"kind": "fractal_noise", "settings": {"fractal": "ridged", "size": 610.0, "octaves": 6}},
        {"kind": "falloff", "settings": {"depth": 240.0}},
        {"kind": "levels"},
        {"kind": "levels", "masks": {"height": {"low": -1e5, "high": 0.0, "fade": 0.0}}},
    ],
}
"""A terrain of noise, which is soon made: nothing is eroded."""
Place = tuple[float, float]


class WINDOW_MT_as_in_header(bpy.types.Menu):
    """A menu under the mouse whose entries ask, as in a header: Blender's popups execute them."""

    bl_label = ""
    entries = ""

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator_context = "INVOKE_REGION_WIN"
        self.layout.menu_contents(self.entries)


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

    def extension(self) -> str:
        """The name of the installed extension, as a module and in the preferences."""
        addons = [addon.module for addon in bpy.context.preferences.addons]
        return next(one for one in addons if one.endswith("orogen"))

    def module(self, name: str) -> ModuleType:
        """A module of the installed extension, such as ``core``."""
        return importlib.import_module(f"{self.extension()}.terrain_addon.{name}")

    def wait_until(
        self, reached: Callable[[], bool], what: str, longest: float = LONGEST
    ) -> Iterator[float]:
        """A timer follows curves after the next redraw, which takes seconds on a busy machine."""
        self.log(f"wait until not: {what}")
        until = time.monotonic() + longest
        while not reached():
            assert time.monotonic() < until, what
            yield 0.1
        self.log("reached")

    def add_noise_island(self, name: str, resolution: int) -> None:
        """Add a terrain of five layers without erosion, as the active object in the view."""
        recipe = self.module("core").Recipe.from_dict(NOISE_ISLAND)
        make_terrain = self.module("blender.operators.add").make_terrain
        item = make_terrain(name, recipe, resolution, bpy.context.scene.collection)
        item.select_set(True)
        bpy.context.view_layer.objects.active = item
        with bpy.context.temp_override(area=self.view3d(), region=self.region("WINDOW")):
            bpy.ops.view3d.view_selected()

    def heights(self, item: str) -> NDArray[np.float32]:
        """The height of each point of an object, which is looked up: undo replaces objects."""
        mesh = bpy.data.objects[item].data
        points = np.empty((len(mesh.vertices), 3), np.float32)
        mesh.attributes["position"].data.foreach_get("vector", points.reshape(-1))
        return points[:, 2].copy()

    def rebuilt(self, item: str) -> Iterator[float]:
        """Give control back until the terrain is what its recipe describes, and has been drawn."""
        current = self.module("blender.live.surface").is_current
        yield from self.wait_until(
            lambda: current(bpy.data.objects[item].data), f"{item} is not rebuilt"
        )
        yield 0.3

    def reshaped(self, item: str, before: NDArray[np.float32], what: str) -> Iterator[float]:
        """Wait until the heights are others."""
        yield from self.wait_until(lambda: not np.array_equal(self.heights(item), before), what)

    def restored(self, item: str, wanted: NDArray[np.float32], what: str) -> Iterator[float]:
        """Wait until the heights are these, bit for bit."""
        yield from self.wait_until(lambda: np.array_equal(self.heights(item), wanted), what)

    def log(self, event: str) -> None:
        """Add an event to the log of this run, with the seconds since its start."""
        with open("events.log", "a", encoding="utf-8") as log:
            log.write(f"{time.monotonic() - STARTED:8.2f}  {event}\n")

    def state(self) -> dict[str, Any]:
        """What the extension knows of each terrain, and what it is busy with."""
        rebuild, queue, recipe, surface, data = (
            self.module(f"blender.{name}")
            for name in (
                "live.rebuild",
                "bake.queue",
                "properties.recipe",
                "live.surface",
                "data.terrains",
            )
        )
        terrains = {
            item.name: {
                "recipe": recipe.read_bare(item.data.terrain).to_dict(),
                "built": item.data.terrain.built,
                "current": surface.is_current(item.data),
                "mode": item.mode,
                "heights": [float(end(self.heights(item.name))) for end in (np.min, np.max)],
            }
            for item in bpy.data.objects
            if data.is_terrain_object(item)
        }
        return {
            "terrains": terrains,
            "objects": {item.name: item.type for item in bpy.data.objects},
            "images": sorted(bpy.data.images.keys()),
            "mode": bpy.context.mode,
            "rebuilding": rebuild.is_busy(),
            "baking": queue.bakes.is_busy(),
        }

    def handled(self) -> Iterator[float]:
        """Wait until Blender has drawn the viewport twice: what was sent before is handled then."""
        for _ in range(2):
            before = drawn[0]
            for area in bpy.context.window_manager.windows[0].screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
                    yield from self.wait_until(lambda n=before: drawn[0] > n, "a redraw")

    def xdotool(self, *arguments: object) -> None:
        self.log(f"xdotool {' '.join(map(str, arguments))}")
        subprocess.run(["xdotool", *map(str, arguments)], check=True, timeout=20)

    def click(self, x: float, y: float) -> Iterator[float]:
        self.xdotool("mousemove", int(x), int(y))
        yield 0.4
        self.xdotool("mousedown", 1)
        yield 0.2
        self.xdotool("mouseup", 1)
        yield 0.6  # a second click at once would be a double one
        yield from self.handled()

    def press(self, key: str) -> Iterator[float]:
        """A key, with the mouse over the viewport."""
        x, y = self.screen_xy(self.region("WINDOW"), 300, 300)
        self.xdotool("mousemove", int(x), int(y))
        yield 0.4
        self.xdotool("key", key)
        yield 0.5
        yield from self.handled()

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
        yield from self.handled()

    def activate(self, *names: str) -> None:
        """Select objects, the last one active."""
        bpy.ops.object.select_all(action="DESELECT")
        for name in names:
            bpy.data.objects[name].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[names[-1]]
        bpy.ops.ed.undo_push(message="selected")

    def stroke(self, start: Place, end: Place) -> Iterator[float]:
        """Drag between two places, as shares of the viewport's width and height."""
        region = self.region("WINDOW")
        ends = (
            self.screen_xy(region, a * region.width, b * region.height) for a, b in (start, end)
        )
        yield from self.drag(*(number for place in ends for number in place))

    def choose_drawing(self, column: str, down: int, shot: str = "") -> Iterator[float]:
        """Open the Draw menu and click in a column, that many pixels below the mouse."""
        region, (across, top) = self.region("UI"), DRAW_MENU
        x, y = self.screen_xy(region, region.width * across, region.height - top)
        yield from self.click(x, y)
        yield 0.5
        if shot:
            self.shot(shot)
        yield from self.click(x + COLUMNS[column], y + down)
        yield 1.5

    def choose_drawn_layer(self, column: str, kind: str) -> Iterator[float]:
        """Choose a layer in the Draw menu."""
        yield from self.choose_drawing(column, FIRST_KIND + ROW * DRAWN_KINDS.index(kind))

    def draw_by_hand(self, item: str, kind: str, start: Place, end: Place) -> Iterator[float]:
        """Draw the curve of a new layer of a terrain with one stroke, and stay in Edit Mode."""
        self.activate(item)
        before = self.heights(item)
        yield from self.choose_drawn_layer("by hand", kind)
        assert bpy.context.mode == "EDIT_CURVE", bpy.context.mode
        yield from self.stroke(start, end)
        yield from self.reshaped(item, before, f"the {kind} is not followed")

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
        seen: list[str] = []
        for y in range(start, region.height, 11):
            x, screen_y = self.screen_xy(region, region.width * across, region.height - y)
            self.xdotool("mousemove", int(x), int(screen_y))
            yield 0.08
            manager.clipboard = ""
            self.xdotool("key", key)
            yield 0.05
            if manager.clipboard == what:
                return x, screen_y
            seen.append(manager.clipboard)
        raise AssertionError(f"there is no button for {what} in the sidebar, but {set(seen)}")

    def choose_entry(
        self, menu: str, call: str, shot: str = "", across: float = 0.3
    ) -> Iterator[float]:
        """Open a menu under the mouse, at a share of the viewport's width, move down to the entry
        that calls an operator, click it."""
        region, manager = self.region("WINDOW"), bpy.context.window_manager
        x, y = self.screen_xy(region, region.width * across, region.height * 0.95)
        self.xdotool("mousemove", int(x), int(y))
        yield 0.4
        WINDOW_MT_as_in_header.entries = menu
        with bpy.context.temp_override(area=self.view3d(), region=region):
            bpy.ops.wm.call_menu(name=WINDOW_MT_as_in_header.__name__)
        yield from self.handled()
        seen: list[str] = []
        for _ in range(int(y), manager.windows[0].height - MENU_STEP, MENU_STEP):
            self.xdotool("mousemove_relative", "--", 0, MENU_STEP)
            yield 0.1
            manager.clipboard = ""
            self.xdotool("key", "ctrl+c")
            yield 0.1
            if manager.clipboard.startswith(call):
                break
            seen.append(manager.clipboard)
        else:
            raise AssertionError(f"{menu} has no entry {call}, but {set(seen)}")
        for pixels in (3, -3):  # copying took the entry from the mouse
            self.xdotool("mousemove_relative", "--", pixels, 0)
            yield 0.3
        if shot:
            self.shot(shot)
        self.xdotool("mousedown", 1)
        yield 0.2
        self.xdotool("mouseup", 1)
        yield from self.handled()

    def file_browser(self) -> Iterator[float]:
        """Wait until a file browser has opened."""
        yield from self.wait_until(lambda: self._browser() is not None, "no file browser opened")
        yield 1.0

    def _browser(self) -> bpy.types.Area | None:
        windows = bpy.context.window_manager.windows
        areas = (area for window in windows for area in window.screen.areas)
        return next((area for area in areas if area.type == "FILE_BROWSER"), None)

    def click_sidebar(self, down: float, across: float = 0.3) -> Iterator[float]:
        """Click that many pixels below the top, at a share of the width: on a panel's header."""
        region = self.region("UI")
        yield from self.click(*self.screen_xy(region, region.width * across, region.height - down))
        yield 0.3

    def press_button(self, call: str, start: int = 20, across: float = 0.6) -> Iterator[float]:
        """Find the button in the sidebar that calls an operator, and click it."""
        x, y = yield from self.find_button(call, key="ctrl+c", across=across, start=start)
        yield from self.click(x, y)
        yield 0.3

    def choose_file(self, name: str, shot: str) -> Iterator[float]:
        """Choose a file of the output folder in a file browser that fills the window."""
        params = yield from self._listed(name)
        window = bpy.context.window_manager.windows[0]
        yield from self.click(window.width * 0.3, window.height * 0.108)
        assert params.filename == name, params.filename
        yield from self._accept(shot)

    def choose_files(self, part: str, shot: str) -> Iterator[float]:
        """Choose all files of the output folder with that part in their name."""
        yield from self._listed(part)
        window = bpy.context.window_manager.windows[0]
        self.xdotool("mousemove", int(window.width * 0.3), int(window.height * 0.108))
        yield 0.4
        self.xdotool("key", "a")
        yield 0.5
        yield from self._accept(shot)

    def _listed(self, part: str) -> Generator[float, None, Any]:
        """List the files of the output folder with that part in their name."""
        browser = self._browser()
        assert browser, "no file browser is open"
        params = browser.spaces.active.params
        params.directory, params.filter_search = self.out.encode(), part
        yield 1.0
        return params

    def _accept(self, shot: str) -> Iterator[float]:
        """Press the button at the lower right of the file browser."""
        self.shot(shot)
        window = bpy.context.window_manager.windows[0]
        yield from self.click(window.width * 0.954, window.height * 0.956)
        yield 1.0

    def shot(self, name: str) -> None:
        """Leave a picture of the screen in the output folder."""
        self.log(f"picture {name}")
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
    """Leave the error, a screenshot, the events and the state of the terrains, and end."""
    traceback.print_exc()
    ui = Ui()
    ui.log(f"failed: {sys.exception()!r}")
    ui.shot("failure")
    try:
        state = ui.state()
    except Exception as error:
        state = {"error": repr(error)}
    with open("state.json", "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)
    sys.stdout.flush()
    os._exit(1)


drawn = [0]
"""How often a viewport was drawn."""


def count_drawn() -> None:
    drawn[0] += 1


bpy.utils.register_class(WINDOW_MT_as_in_header)
bpy.types.SpaceView3D.draw_handler_add(count_drawn, (), "WINDOW", "POST_PIXEL")
# Where Blender hangs, its stacks are in the log before the runner ends it.
faulthandler.dump_traceback_later(float(os.environ["WINDOW_SECONDS"]) - 15, exit=True)
try:
    steps = runpy.run_path("/tmp/run/driver.py", run_name="driver")["drive"](Ui())
    bpy.app.timers.register(tick, first_interval=2.0, persistent=True)
except BaseException:
    fail()
