# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make quick` and `make test` leave out, and why; CONTRIBUTING.md has the rules as text.

- slow: the mean of a test function is more than a second of CPU time. No test can state the seconds
  of one processor, but each run names the functions that are above and not marked.
- nightly: statistics over many terrains, processes that run Python again and again, memory of grids
  of a thousand points a side, or more than ten examples of Hypothesis. The mark says which.
- smoke: run in every supported Blender release, and in the five window drivers of each run.
"""

import ast
from functools import cache
from pathlib import Path

from tests.times import SLOW, functions_of, unmarked

ROOT = Path(__file__).parents[2]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
REASONS = {"statistics", "processes", "memory", "examples"}
EXAMPLES = 10


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """Return the marks, calls and arguments in all tests, with the file of each."""
    kinds = (ast.Attribute, ast.Call, ast.keyword)
    return [
        (path.relative_to(ROOT).as_posix(), node)
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    ]


def marked(name: str) -> list[str]:
    """Return the file of each use of a mark."""
    return [
        place
        for place, node in nodes()
        if isinstance(node, ast.Attribute)
        and node.attr == name
        and ast.unparse(node) == f"pytest.mark.{name}"
    ]


def calls(function: str) -> list[tuple[str, ast.Call]]:
    """Return the calls of a method by its name, such as `parametrize`, with the file of each."""
    return [
        (place, node)
        for place, node in nodes()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == function
    ]


def test_a_nightly_test_has_one_of_four_reasons() -> None:
    reasons = [ast.literal_eval(argument) for _, call in calls("nightly") for argument in call.args]
    assert set(reasons) <= REASONS
    assert len(reasons) == len(marked("nightly")), "a mark without a reason"


def test_smoke_tests_are_those_of_blender() -> None:
    places = {place.split("/")[1] for place in marked("smoke")}
    assert places == {"blender", "window"}


def test_quick_tests_have_no_more_examples_than_the_profile() -> None:
    """More are a matter of the profile `nightly`, for all tests at once."""
    beyond = [
        place
        for place, node in nodes()
        if isinstance(node, ast.keyword)
        and node.arg == "max_examples"
        and ast.literal_eval(node.value) > EXAMPLES
    ]
    assert not beyond


def test_one_law_is_tested_with_four_presets() -> None:
    """Through the fixture `sampled_preset`, unless the law is one of the presets themselves."""
    swept = {
        place
        for place, call in calls("parametrize")
        if any(ast.unparse(argument) == "presets.names()" for argument in call.args)
    }
    assert swept <= {"tests/core/recipe/test_presets.py"}


def test_a_function_is_slow_by_the_mean_of_its_tests() -> None:
    lines = [
        f"{SLOW * 1.9}\t\ttests/a.py::test_half[1]",
        f"{SLOW * 0.2}\t\ttests/a.py::test_half[2]",
        f"{SLOW * 1.9}\t\ttests/a.py::test_mean[1]",
        f"{SLOW * 0.0}\t\ttests/a.py::test_mean[x\t[2]]",
        f"{SLOW * 9}\tslow\ttests/a.py::test_marked",
    ]
    assert [each.name for each in functions_of(lines)] == [
        "tests/a.py::test_marked",
        "tests/a.py::test_half",
        "tests/a.py::test_mean",
    ]
    assert [each.name for each in unmarked(functions_of(lines))] == ["tests/a.py::test_half"]
