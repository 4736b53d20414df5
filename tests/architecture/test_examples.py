# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the core's docstrings print what they say.

pytest's own --doctest-modules would import a second copy of each module, under the name of the
clone's folder, because the __init__.py for Blender makes that a package.
"""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def modules_with_examples() -> list[str]:
    paths = sorted((ROOT / "terrain_addon" / "core").rglob("*.py"))
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples(
    name: str, pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = [doctest.OPTIONFLAGS_BY_NAME[one] for one in pytestconfig.getini("doctest_optionflags")]
    found = doctest.testmod(import_module(name), optionflags=sum(flags))
    assert found.attempted
    assert not found.failed
