# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for every file of the repository."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT_SUFFIXES = {"", ".json", ".md", ".py", ".toml", ".txt", ".yml"}
AS_PUBLISHED = ("LICENSE", "tests/reference/")


@cache
def files(suffix: str | None = None) -> list[str]:
    """Paths of the files that git tracks or would track, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())
    return [name for name in names if suffix is None or name.endswith(suffix)]


def text_of(name: str) -> str:
    return (ROOT / name).read_bytes().decode("utf-8")


def addon_files() -> list[str]:
    return [name for name in files(".py") if name.startswith("terrain_addon/")]


def test_every_script_states_its_license() -> None:
    scripts = [name for name in files() if Path(name).suffix in {".py", ".sh"}]
    header = "# SPDX-License-Identifier: GPL-3.0-or-later"
    assert not [name for name in scripts if header not in text_of(name).splitlines()[:2]]


def test_text_files_end_in_one_newline_and_lines_in_no_blanks() -> None:
    untidy: list[str] = []
    for name in files():
        if Path(name).suffix not in TEXT_SUFFIXES or name.startswith(AS_PUBLISHED):
            continue
        text = text_of(name)
        if "\r" in text or (text and not text.endswith("\n")) or text.endswith("\n\n"):
            untidy.append(f"{name}: line ends")
        untidy += [
            f"{name}:{number}"
            for number, line in enumerate(text.split("\n"), start=1)
            if line != line.rstrip()
        ]
    assert not untidy


def test_the_extension_imports_itself_relatively_and_leaves_the_search_path() -> None:
    """Blender gives the package another name, which differs from one repository to the next."""
    assert not [
        f"{name}:{node.lineno}"
        for name in addon_files()
        for node in ast.walk(ast.parse(text_of(name)))
        if _depends_on_the_search_path(node)
    ]


def _depends_on_the_search_path(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.split(".")[0] == "terrain_addon" for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            absolute = not level and (module or "").split(".")[0] == "terrain_addon"
            return absolute or any(alias.name == "*" for alias in names)
        case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
            return True
    return False


def test_blender_gets_annotations_as_objects() -> None:
    """Properties are declared as annotations, which must not become strings."""
    assert not [
        name
        for name in addon_files()
        if name.startswith("terrain_addon/blender/")
        and "from __future__ import annotations" in text_of(name).splitlines()
    ]
