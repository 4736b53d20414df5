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
    "adding-an-image-kind.md": "example_bands",
    "adding-a-file-format.md": "example_csv",
}
"""The key of each example, which is in the names of its tests."""
FILE = re.compile(r"[Cc]reate\s+`([\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
EXPORT = re.compile(r"```python\n(from \.\S+ import (\w+))\n```")
FACADE = "terrain_addon/core/__init__.py"
IMAGE_KIND = re.compile(r"```python\n(class (\w+)\(ImageKind\):\n.*?)```", re.DOTALL)
IMAGE_KINDS = "terrain_addon/core/output/images/kinds.py"
OTHER_TESTS = ("erosion", "hydrology", "noise", "test_from_ant.py", Path(__file__).name)
"""They take long to collect."""


def follow(page, clone):
    """Do what a page says: create its files, export its class, extend the table of image kinds."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    for name, code in FILE.findall(text):
        (clone / name).write_text(code, "utf-8")
    for statement, name in EXPORT.findall(text):
        edit(clone / FACADE, "\n__all__ = [\n", f'\n{statement}\n\n__all__ = [\n    "{name}",\n')
    for code, name in IMAGE_KIND.findall(text):
        edit(clone / IMAGE_KINDS, "\nIMAGES: ", f"\n{code}\n\nIMAGES: ")
        edit(clone / IMAGE_KINDS, "Normal(), ", f"Normal(), {name}(), ")


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What pytest says about the general tests of all examples, and about their own tests."""
    clone = tmp_path_factory.mktemp("clone")
    ignored = shutil.ignore_patterns(*OTHER_TESTS)
    shutil.copytree(ROOT / "terrain_addon", clone / "terrain_addon")
    shutil.copytree(ROOT / "tests" / "core", clone / "tests" / "core", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "schema", clone / "tests" / "schema")
    shutil.copy(ROOT / "pyproject.toml", clone)
    shutil.copy(ROOT / "tests" / "conftest.py", clone / "tests")
    for page in PAGES:
        follow(page, clone)
    golden = [sys.executable, "-m", "tests.schema.golden"]
    subprocess.run(golden, cwd=clone, check=True, capture_output=True)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(
        [*command, "-k", " or ".join([*PAGES.values(), "facade", "has_a_file"]), "tests/core"],
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
    assert [line for line in passed if f"test_{key}.py" in line]
    assert key == "example_csv" or [line for line in passed if f"[{key}]" in line]
