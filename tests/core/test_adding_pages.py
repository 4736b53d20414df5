# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/adding-*.md work in a copy of the sources, in the files that they name."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "adding-a-layer.md": "example_waves",
    "adding-a-mask.md": "example_circle",
}
"""The key of each example, which is part of the names of the general tests of it."""
ELSEWHERE = ("erosion", "hydrology", "noise", "test_from_ant.py", Path(__file__).name)
"""Tests of other things, which take long to collect."""
FILE = re.compile(r"[Cc]reate\s+`([\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What pytest says about the general tests of all examples, and about their own tests."""
    clone = tmp_path_factory.mktemp("clone")
    ignored = shutil.ignore_patterns(*ELSEWHERE)
    shutil.copytree(ROOT / "terrain_addon", clone / "terrain_addon")
    shutil.copytree(ROOT / "tests" / "core", clone / "tests" / "core", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", clone)
    shutil.copy(ROOT / "tests" / "conftest.py", clone / "tests")
    for page in PAGES:
        files = FILE.findall((ROOT / "docs" / page).read_text("utf-8"))
        assert len(files) == 2, f"{page}: expected a module and its test"
        for name, code in files:
            (clone / name).write_text(code, "utf-8")
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(
        [*command, "-k", " or ".join(PAGES.values()), "tests/core"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("key", PAGES.values())
def test_the_general_tests_and_its_own_pass(report, key):
    passed = [line for line in report.splitlines() if key in line and "PASSED" in line]
    assert [line for line in passed if f"[{key}]" in line]
    assert [line for line in passed if f"test_{key}.py" in line]
