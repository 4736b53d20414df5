# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip in a throw-away profile: installed by Blender's own operator, used and removed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("use_extension.py")


@pytest.fixture(scope="module")
def session(package: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the driver; return the folder that all its writable places lie in, and its output."""
    place = tmp_path_factory.mktemp("session")
    places = {name: place / name for name in ("profile", "home", "temporary", "work")}
    for folder in places.values():
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(package)],
        cwd=places["work"],
        env=os.environ
        | {
            "BLENDER_USER_RESOURCES": str(places["profile"]),
            "HOME": str(places["home"]),
            "TMPDIR": str(places["temporary"]),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    print(done.stdout)
    assert done.returncode == 0
    return place, done.stdout


def test_it_installs_works_and_can_be_disabled_twice(session: tuple[Path, str]) -> None:
    _, output = session
    assert "FAIL" not in output
    assert output.count("ok   a terrain can be added") == 2


def test_blender_reports_no_trouble(session: tuple[Path, str]) -> None:
    _, output = session
    assert "Traceback" not in output
    assert "Error" not in output


def test_nothing_is_written_outside_the_extensions_folders(session: tuple[Path, str]) -> None:
    place, _ = session
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    blenders_own = ("profile/extensions/.cache/", "profile/extensions/user_default/.blender_ext/")
    extensions_own = "profile/extensions/.user/user_default/orogen/"
    assert not {name for name in files if not name.startswith((*blenders_own, extensions_own))}
