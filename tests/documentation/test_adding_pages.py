# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the pages adding-*.md work in a copy of the sources."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import FractalNoise, Grid, Recipe, evaluate, layers, solve
from terrain_addon.core.layers import LAYERS, kind
from terrain_addon.core.numerics.arrays import Floats
from terrain_addon.core.settings.plain_data import plain_data
from tests.adding_pages import ROOT, copied, follow, passing

pytestmark = pytest.mark.nightly("processes")

PAGES = {
    "adding-a-layer.md": "example_waves",
    "adding-a-mask.md": "example_circle",
    "adding-an-image-kind.md": "example_bands",
    "adding-a-file-format.md": "example_csv",
}
"""The key of each example, which is in the names of its tests."""
OTHER_TESTS = (
    *("erosion", "hydrology", "noise", "test_from_ant.py", "test_soak.py", "test_streams.py"),
    Path(__file__).name,
)
"""They take long to collect, or need files that are not copied."""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What pytest says about the general tests of all examples, and about their own tests."""
    clone = tmp_path_factory.mktemp("clone")
    copied(clone, ())
    ignored = shutil.ignore_patterns(*OTHER_TESTS)
    shutil.copytree(ROOT / "tests" / "core", clone / "tests" / "core", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "schema", clone / "tests" / "schema")
    shutil.copy(ROOT / "tests" / "environments.py", clone / "tests")
    for page in PAGES:
        follow(page, clone)
    chosen = " or ".join([*PAGES.values(), "facade", "registered_format"])
    return passing(clone, "-k", chosen, "tests/core")


@pytest.mark.parametrize("page", PAGES)
def test_the_general_tests_and_its_own_pass(report, page):
    key = PAGES[page]
    passed = [line for line in report.splitlines() if key in line and "PASSED" in line]
    assert [line for line in passed if f"test_{key}.py" in line]
    assert key == "example_csv" or [line for line in passed if f"[{key}]" in line]


def test_the_layer_that_depends_on_the_whole_terrain_is_the_same_in_windows():
    page = (ROOT / "docs" / "developer" / "adding-a-layer.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(@plain_data.*?class ExampleLevel.*?)```", page, re.DOTALL)
    names = (
        vars(layers)
        | vars(kind)
        | {"dataclass": dataclass, "plain_data": plain_data, "Floats": Floats, "Grid": Grid}
    )
    exec(code, names)
    try:
        recipe = Recipe(layers=(FractalNoise(), LAYERS["example_level"]()))
        solution, grid = solve(recipe), recipe.grid(129)
        whole = evaluate(recipe, grid, solution=solution).height
        part = evaluate(recipe, grid.window(9, 7, 50, 40), solution=solution).height
    finally:
        LAYERS.remove("example_level")
    np.testing.assert_array_equal(part, whole[7:47, 9:59])
    assert abs(whole.min()) < 0.02 * np.ptp(whole)
