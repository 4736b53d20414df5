# SPDX-License-Identifier: GPL-3.0-or-later
"""The pinned environments: complete, exact, and those of the supported Blender releases."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.environments import PYTHONS, requirements

ROOT = Path(__file__).parents[2]
BLENDERS = [name for name in PYTHONS if name.startswith("blender-")]


@pytest.mark.parametrize("name", PYTHONS)
def test_every_requirement_is_pinned_exactly_and_once(name: str) -> None:
    lines = requirements(name).splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    names = [re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in lines]
    assert len(names) == len(set(names))
    assert {"numpy", "pytest", "hypothesis"} <= set(names)


@pytest.mark.parametrize("name", BLENDERS)
def test_a_blender_environment_has_the_release_that_it_is_named_after(name: str) -> None:
    release = name.removeprefix("blender-")
    assert re.search(rf"^bpy=={re.escape(release)}\.\d+$", requirements(name), re.M)


def test_the_oldest_blender_is_the_one_that_the_manifest_asks_for() -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    oldest = min(BLENDERS).removeprefix("blender-")
    assert manifest["blender_version_min"] == f"{oldest}.0"


def test_the_oldest_numpy_is_the_one_that_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (minimum,) = (re.match(r"numpy>=(.+)", one) for one in project["dependencies"])
    assert minimum is not None
    assert re.search(rf"^numpy=={re.escape(minimum[1])}\.\d+$", requirements("core-oldest"), re.M)


def test_pre_commit_runs_the_pinned_ruff() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pin = re.search(r"^ruff==(.+)$", requirements("checks"), re.M)
    assert pin is not None
    assert f"rev: v{pin[1]}\n" in hooks
