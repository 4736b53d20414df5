# SPDX-License-Identifier: GPL-3.0-or-later
"""One module deletes, renames and replaces files, and one writes arrays."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWNER = ROOT / "terrain_addon" / "core" / "settings" / "owned_files.py"
ARRAYS = OWNER.with_name("array_files.py")
PRODUCT = [ROOT / "__init__.py", *sorted((ROOT / "terrain_addon").rglob("*.py"))]

MODULES = {"os", "shutil", "pathlib"}
FUNCTIONS = {"remove", "unlink", "rmdir", "removedirs", "rename", "renames", "replace", "rmtree"}
FUNCTIONS |= {"move", "truncate"}
NUMPY = {"np", "numpy"}
ARRAY_WRITERS = {"save", "savez", "savez_compressed", "savetxt", "write_array"}


def deletions(tree: ast.AST) -> set[int]:
    """Lines that delete, rename or replace a file, or take a function that does."""
    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Attribute | ast.Call)
        and (_is_import(node) or _is_function(node) or _is_method_of_path(node))
    }


def _is_import(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.ImportFrom)
        and node.module in MODULES
        and bool(FUNCTIONS & {one.name for one in node.names})
    )


def _is_function(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr in FUNCTIONS
        and isinstance(node.value, ast.Name)
        and node.value.id in MODULES
    )


def _is_method_of_path(node: ast.AST) -> bool:
    """By its arguments: `str.replace` takes two, `dataclasses.replace` names, `unlink` of a
    collection an object."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    name, named = node.func.attr, {one.arg for one in node.keywords}
    if name == "unlink":
        return not node.args
    if name == "replace":
        return len(node.args) == 1 - len(named) and named <= {"target"}
    return name in {"rename", "rmdir"}


def array_writers(tree: ast.AST) -> set[int]:
    """Lines that write an array by NumPy, which ignores full disks."""
    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (
            node.attr == "tofile"
            or (node.attr in ARRAY_WRITERS and ast.unparse(node.value).split(".")[0] in NUMPY)
        )
    }


@cache
def parsed(path: Path) -> ast.AST:
    return ast.parse(path.read_text("utf-8"))


def found(paths: list[Path], lines: Callable[[ast.AST], set[int]]) -> list[str]:
    return [
        f"{path.relative_to(ROOT).as_posix()}:{line}"
        for path in paths
        for line in sorted(lines(parsed(path)))
    ]


def test_one_module_deletes_and_renames_files() -> None:
    """It knows which are Orogen's own: use it, instead of adding another."""
    assert len(PRODUCT) > 300
    assert found([one for one in PRODUCT if one != OWNER], deletions) == []
    assert found([OWNER], deletions)


def test_one_module_writes_arrays() -> None:
    assert found([one for one in PRODUCT if one != ARRAYS], array_writers) == []


@pytest.mark.parametrize(
    "line",
    [
        "path.unlink()",
        "path.unlink(missing_ok=True)",
        "(folder / name).rename(other)",
        "new.replace(target)",
        "new.replace(target=target)",
        "folder.rmdir()",
        "os.remove(path)",
        "os.replace(a, b)",
        "run(os.unlink)",
        "shutil.rmtree(folder, ignore_errors=True)",
        "shutil.move(a, b)",
        "from shutil import rmtree",
        "from os import path, rename as give",
    ],
)
def test_deletions_are_seen(line: str) -> None:
    assert deletions(ast.parse(line)) == {1}


@pytest.mark.parametrize(
    "line",
    [
        "text.replace('a', 'b')",
        "dataclasses.replace(recipe, seed=3)",
        "dataclasses.replace(output, target=BOTH)",
        "replace(recipe, seed=3)",
        "scene.collection.objects.unlink(item)",
        "items.remove(3)",
        "bpy.data.images.remove(image)",
    ],
)
def test_other_calls_are_not(line: str) -> None:
    assert not deletions(ast.parse(line))


@pytest.mark.parametrize(
    "line", ["np.save(path, a)", "np.lib.format.write_array(file, a)", "a.tofile(file)"]
)
def test_writers_of_arrays_are_seen(line: str) -> None:
    assert array_writers(ast.parse(line)) == {1}
