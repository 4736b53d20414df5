# SPDX-License-Identifier: GPL-3.0-or-later
"""Export by mouse: choose an engine, copy its numbers, export, cancel; and the command line."""

import json
import subprocess
from pathlib import Path

import bpy
import numpy as np

FOLDER = Path("/tmp/exported")
SIZE = 129
OUTPUT, HEADER = 150, 205
"""Distance of the header of Output from the top of the sidebar with all panels closed, and that of
Export within it."""
EXPORT, COPY = 250, 360
"""Distances from there below which the buttons are looked for."""
UNITY = 75
"""Distance of that item from the menu's button."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data.terrain


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=SIZE)
        bpy.ops.view3d.view_selected()
    yield from ui.open_tab("Terrain")
    for down in (13, 38, OUTPUT, HEADER):  # close Terrain and Layers, open Export
        yield from ui.click_sidebar(down)
    yield from chosen(ui)
    yield from exported(ui)
    yield from canceled(ui)
    from_a_shell()


def chosen(ui):
    """The engine, in its menu; the numbers follow."""
    x, y = yield from ui.find_button("terrain.export.engine", start=HEADER + 20)
    yield from ui.click(x, y)
    yield from ui.click(x, y + UNITY)
    assert terrain().export.engine == "unity"
    terrain().export.unity.size, terrain().export.folder = str(SIZE), str(FOLDER)
    yield 0.5
    ui.shot("export-1-unity")


def exported(ui):
    """The files hold the heights of the mesh, the clipboard the numbers of the manifest."""
    yield from ui.press_button("bpy.ops.terrain.export()", HEADER + EXPORT)
    exporting = ui.module("blender.bake.exporting").exporter
    yield from ui.wait_until(lambda: not exporting.is_busy(), "the export does not end")
    yield 0.5
    ui.shot("export-2-done")
    text, failed = exporting.message(terrain().id_data)
    assert not failed and "Read back: " in text, text
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    enter = manifest["import_settings"]
    stored = np.fromfile(FOLDER / "Alps.raw", "<u2").astype(np.float64)  # south first
    heights = stored / 65535 * enter["Terrain Height"] + enter["Position Y"]
    error = np.abs(heights - ui.heights("Alps")).max()
    half = (manifest["high"] - manifest["low"]) / 65535 / 2
    assert 0 < error <= 1.01 * half, (error, half)
    yield from ui.press_button("bpy.ops.terrain.export_copy()", HEADER + COPY)
    lines = dict(line.split(": ") for line in bpy.context.window_manager.clipboard.splitlines())
    assert list(lines) == list(enter), lines
    assert np.isclose(float(lines["Terrain Height"]), enter["Terrain Height"], rtol=1e-8, atol=0)


def canceled(ui):
    """Esc leaves the earlier export as it was."""
    before = (FOLDER / "manifest.json").read_bytes()
    terrain().export.unity.size = "4097"
    yield from ui.press_button("bpy.ops.terrain.export()", HEADER + EXPORT)
    exporting = ui.module("blender.bake.exporting").exporter
    yield from ui.wait_until(lambda: (exporting.progress() or (0,))[0] > 0, "nothing is exported")
    ui.shot("export-3-running")
    yield from ui.press("Escape")
    yield from ui.wait_until(lambda: not exporting.is_busy(), "the export is not canceled")
    assert (FOLDER / "manifest.json").read_bytes() == before


def from_a_shell():
    """Blender runs a command, and passes its exit code on."""
    command = [bpy.app.binary_path, "--command", "terrain"]
    out = FOLDER.with_suffix(".npy")
    made = subprocess.run(
        [*command, "height", "mesa", str(out), "--resolution", "65", "--json"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["high"] == np.load(out).max()
    wrong = subprocess.run(
        [*command, "nothing"], capture_output=True, text=True, check=False, timeout=60
    )
    assert wrong.returncode == 2 and "usage: blender --command terrain" in wrong.stderr
