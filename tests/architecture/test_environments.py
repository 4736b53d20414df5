# SPDX-License-Identifier: GPL-3.0-or-later
"""The pinned environments: complete, exact, and those of the Blender releases promised."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.environments.environments import BLENDER_LTS, ENVIRONMENTS, Environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=ENVIRONMENTS.values(), ids=list(ENVIRONMENTS))
def environment(request: pytest.FixtureRequest) -> Environment:
    return request.param


def test_every_requirement_is_pinned_exactly_and_once(environment: Environment) -> None:
    lines = environment.requirements().splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    names = [re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in lines]
    assert len(names) == len(set(names))
    assert {"numpy", "pytest", "hypothesis"} <= set(names)


def test_a_blender_environment_has_the_release_that_it_is_named_after() -> None:
    for name, environment in ENVIRONMENTS.items():
        if environment.has_blender:
            release = name.removeprefix("blender-")
            assert re.search(rf"^bpy=={re.escape(release)}\.\d+$", environment.requirements(), re.M)
    assert set(BLENDER_LTS) < set(ENVIRONMENTS)


def test_the_oldest_blender_is_the_one_that_the_manifest_asks_for() -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    releases = [name.removeprefix("blender-") for name in ENVIRONMENTS if "blender" in name]
    assert manifest["blender_version_min"] == f"{min(releases)}.0"
