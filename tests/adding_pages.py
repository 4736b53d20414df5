# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow the pages adding-*.md in a copy of the sources: create files and make edits."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = re.compile(r"[Cc]reate\s+`([\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
IMAGE_KIND = re.compile(r"```python\n(class (\w+)\(ImageKind\):\n.*?)```", re.DOTALL)
IMAGE_KINDS = "terrain_addon/core/output/images/kinds.py"
MENU_ENTRY = re.compile(r"```python\n( +layout\.operator\(.*?\n)```")
MENUS = "terrain_addon/blender/ui/menus.py"
MENU = re.compile(r"class TERRAIN_MT_terrain\(.*?\n        layout = self\.layout\n", re.DOTALL)


def copied(clone: Path, names: Iterable[str]) -> None:
    """Copy the sources and the named files to an empty folder."""
    shutil.copytree(ROOT / "terrain_addon", clone / "terrain_addon")
    for name in ("pyproject.toml", "tests/conftest.py", "tests/times.py", *names):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)


def follow(page: str, clone: Path) -> None:
    """Do what a page says, unless it has been done already."""
    text = (ROOT / "docs" / "developer" / page).read_text("utf-8")
    for name, code in FILE.findall(text):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(code, "utf-8")
    for code, name in IMAGE_KIND.findall(text):
        _edit(clone / IMAGE_KINDS, f"{name}()", "FieldImage()", f"FieldImage(), {name}()")
        _edit(clone / IMAGE_KINDS, code, "\nIMAGES: ", f"\n{code}\n\nIMAGES: ")
    for entry in MENU_ENTRY.findall(text):
        (start,) = MENU.findall((clone / MENUS).read_text("utf-8"))
        _edit(clone / MENUS, entry, start, start + entry)


def _edit(path: Path, done: str, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    if done not in text:
        assert text.count(old) == 1, (path, old)
        path.write_text(text.replace(old, new), "utf-8")


def passing(clone: Path, *arguments: str) -> str:
    """What pytest says about tests of the copy, all of which must pass."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(
        [*command, *arguments], cwd=clone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
