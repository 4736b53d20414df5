# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages of each side form a low building: each floor imports only the floors below it.

That there are no circles at any level is a contract of import-linter.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ADDON = Path(__file__).parents[2] / "terrain_addon"
MOST_FLOORS = 11


@pytest.mark.parametrize("side", ["core", "blender"])
def test_imports_are_few_floors_deep(side: str) -> None:
    below: dict[str, set[str]] = {}
    for path in (ADDON / side).rglob("*.py"):
        module = path.relative_to(ADDON).with_suffix("").parts
        used = {target[1] for target in imports(path, module) if target[0] == side}
        below.setdefault(module[1], set()).update(used - {module[1]})

    @cache
    def floor(package: str) -> int:
        return 1 + max(map(floor, below.get(package, ())), default=0)

    assert max(map(floor, below)) <= MOST_FLOORS


def imports(path: Path, module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Relative imports of a module, as paths of two names: the side and its package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = module[: len(module) - node.level]
            names = node.module.split(".") if node.module else [one.name for one in node.names[:1]]
            yield (*base, *names, "__init__")[:2]
