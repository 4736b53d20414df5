# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/adding-*.md work in a copy of the sources, in the files that they name."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adding_pages import ROOT, copied, follow, passing

PAGES = {
    "adding-a-layer.md": "example_waves",
    "adding-a-mask.md": "example_circle",
    "adding-an-image-kind.md": "example_bands",
    "adding-a-file-format.md": "example_csv",
}
"""The key of each example, which is in the names of its tests."""
OTHER_TESTS = ("erosion", "hydrology", "noise", "test_from_ant.py", Path(__file__).name)
"""They take long to collect."""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What pytest says about the general tests of all examples, and about their own tests."""
    clone = tmp_path_factory.mktemp("clone")
    copied(clone, ())
    ignored = shutil.ignore_patterns(*OTHER_TESTS)
    shutil.copytree(ROOT / "tests" / "core", clone / "tests" / "core", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "schema", clone / "tests" / "schema")
    for page in PAGES:
        follow(page, clone)
    golden = [sys.executable, "-m", "tests.schema.golden"]
    subprocess.run(golden, cwd=clone, check=True, capture_output=True)
    chosen = " or ".join([*PAGES.values(), "facade", "has_a_file", "registered_format"])
    return passing(clone, "-k", chosen, "tests/core")


@pytest.mark.parametrize("page", PAGES)
def test_the_general_tests_and_its_own_pass(report, page):
    key = PAGES[page]
    passed = [line for line in report.splitlines() if key in line and "PASSED" in line]
    assert [line for line in passed if f"test_{key}.py" in line]
    assert key == "example_csv" or [line for line in passed if f"[{key}]" in line]
