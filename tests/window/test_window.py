# SPDX-License-Identifier: GPL-3.0-or-later
"""Run each driver of this folder in a real window; see README.md."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from tests.core.formats.test_geotiff import geo, written

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build"
MAKE_PLACE = HERE.parents[1] / "docs" / "scripts" / "make_place.py"
SMOKE = {"drive_sliders", "drive_delete", "drive_drawing", "drive_bake_set", "drive_export"}
"""What carries the product: add and drag, undo, draw, bake, export."""
DRIVERS = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.smoke] if path.stem in SMOKE else [])
    for path in sorted(HERE.glob("drive_*.py"))
]


@pytest.fixture(scope="session")
def package() -> Path:
    """The newest zip that `make build` left."""
    found = sorted(BUILD.glob("*.zip"), key=lambda path: path.stat().st_mtime)
    if not found:
        pytest.skip("there is no zip in build/: run `make build`")
    return found[-1]


@pytest.fixture(scope="session")
def runner() -> str:
    """The command that opens a window and runs a driver in it."""
    if named := os.environ.get("WINDOW_RUNNER"):
        return named
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a virtual screen takes root on Debian; or name a WINDOW_RUNNER")
    log = BUILD / "window" / "setup.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        made = subprocess.run([HERE / "screen" / "setup.sh"], stdout=out, stderr=out, check=False)
    if made.returncode:
        last = log.read_text().splitlines()[-1:]
        reported = f"no Blender with a window could be set up here, see {log}: {last}"
        if os.environ.get("CI") == "true":
            pytest.fail(reported)
        pytest.skip(reported)
    return str(HERE / "screen" / "run.sh")


def write_elevation(path: Path) -> None:
    """Write the elevation sample of Matplotlib as a GeoTIFF file in degrees."""
    sample = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(sample) as data:
        west, north, step = (float(data[name]) for name in ("xmin", "ymax", "dx"))
        keys = ((1024, 2), (1025, 2), (2048, 4326))
        place = geo(tie=(0, 0, 0, west, north, 0), scale=(step, step, 0), keys=keys)
        written(path, data["elevation"], compression="zlib", predictor=2, extratags=place)


def drive(runner: str, package: Path, driver: Path, out: Path) -> tuple[int, str]:
    """Run a driver once; return its exit code and what Blender printed, which `out` holds too."""
    with (out / "blender.log").open("w") as log:
        run = subprocess.run(
            [runner, str(package), str(driver), str(out)],
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=600,
        )
    return run.returncode, (out / "blender.log").read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("driver", DRIVERS)
def test_driver(driver: Path, package: Path, runner: str) -> None:
    out = BUILD / "window" / driver.stem
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    if driver.stem in {"drive_drop", "drive_elevation", "drive_fit", "drive_vectors"}:
        write_elevation(out / "jacksboro.tif")
    if driver.stem == "drive_real_place":
        subprocess.run([sys.executable, MAKE_PLACE, out], check=True)
    code, said = drive(runner, package, driver, out)
    if code or "driver ended" not in said or "Python script error" in said:
        left = ", ".join(sorted(path.name for path in out.iterdir()))
        pytest.fail(f"exit code {code}; {out} has {left}\n{said[-5000:]}")


BROKEN = """
import bpy

def drive(ui):
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="dunes", resolution=33)
    yield from ui.press("a")
    yield from ui.wait_until(lambda: False, "the sky has not fallen", longest=0.5)
"""


def test_a_driver_that_fails_leaves_what_tells_why(
    package: Path, runner: str, tmp_path: Path
) -> None:
    """A picture of the window, all that was done to it, and what the extension knew then."""
    driver, out = tmp_path / "broken.py", tmp_path / "out"
    driver.write_text(BROKEN)
    out.mkdir()
    code, said = drive(runner, package, driver, out)
    assert code and "AssertionError: the sky has not fallen" in said
    assert (out / "failure.png").stat().st_size > 10_000
    events = (out / "events.log").read_text().splitlines()
    assert any(line.endswith("xdotool key a") for line in events)
    assert events[-2].endswith("failed: AssertionError('the sky has not fallen')")
    terrain = json.loads((out / "state.json").read_text())["terrains"]["Dunes"]
    assert terrain["current"] and terrain["recipe"]["layers"]
    assert terrain["heights"][0] < terrain["heights"][1]
