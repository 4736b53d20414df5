# SPDX-License-Identifier: GPL-3.0-or-later
"""Run each driver of this folder in a real window; see README.md."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build"
RUNNER = os.environ.get("WINDOW_RUNNER")


@pytest.fixture(scope="session")
def package() -> Path:
    """The newest zip that `make build` left."""
    found = sorted(BUILD.glob("*.zip"), key=lambda path: path.stat().st_mtime)
    if not found:
        pytest.skip("there is no zip in build/: run `make build`")
    return found[-1]


@pytest.mark.skipif(not RUNNER, reason="WINDOW_RUNNER names no command that opens a window")
@pytest.mark.parametrize("driver", sorted(HERE.glob("drive_*.py")), ids=lambda path: path.stem)
def test_driver(driver: Path, package: Path) -> None:
    out = BUILD / "window" / driver.stem
    out.mkdir(parents=True, exist_ok=True)
    run = subprocess.run(
        [str(RUNNER), str(package), str(driver), str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "driver ended" in run.stdout
