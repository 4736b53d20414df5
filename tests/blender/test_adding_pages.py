# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of docs/developer/adding-*.md work in Blender, in a copy of the sources."""

import pytest

from tests.adding_pages import copied, follow, passing

SOURCES = (
    "blender_manifest.toml",
    "__init__.py",
    "tests/blender/conftest.py",
    "tests/blender/enabled.py",
)
TESTS = [
    f"tests/blender/{name}.py"
    for name in ("test_operators", "test_properties", "test_bake", "test_bake_sets")
]
CHOSEN = "every_operator or properties or example or set_may_hold or dialog"


@pytest.mark.nightly("processes")
def test_the_general_tests_and_that_of_the_operator_pass(tmp_path):
    copied(tmp_path, [*SOURCES, *TESTS])
    for kind in ("a-layer", "a-mask", "an-image-kind", "an-operator"):
        follow(f"adding-{kind}.md", tmp_path)
    report = passing(tmp_path, "-k", CHOSEN, "tests/blender")
    assert "test_the_sea_covers_the_share PASSED" in report
    assert report.count("[example_bands] PASSED") == 3
    assert report.count("every_operator") == 2
