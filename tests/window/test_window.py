# SPDX-License-Identifier: GPL-3.0-or-later
"""Run each driver of this folder in a real window; see README.md."""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from tests.core.elevation.test_geotiff import geo, written

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build"
TRIES = 2  # a mouse on a machine that is short of breath misses now and then


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


@pytest.mark.parametrize("driver", sorted(HERE.glob("drive_*.py")), ids=lambda path: path.stem)
def test_driver(driver: Path, package: Path, runner: str) -> None:
    out = BUILD / "window" / driver.stem
    out.mkdir(parents=True, exist_ok=True)
    if driver.stem in {"drive_drop", "drive_elevation", "drive_fit"}:
        write_elevation(out / "jacksboro.tif")
    said = ""
    for _ in range(TRIES):
        run = subprocess.run(
            [runner, str(package), str(driver), str(out)],
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        reported = run.stdout + run.stderr
        if (
            run.returncode == 0
            and "driver ended" in reported
            and "Python script error" not in reported
        ):
            return
        said += run.stdout[-3000:] + run.stderr[-3000:]
    pytest.fail(said)
