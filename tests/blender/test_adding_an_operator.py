# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of docs/adding-an-operator.md works in a copy of the sources, as the page says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-an-operator.md"
SOURCES = ("blender_manifest.toml", "__init__.py", "pyproject.toml", "tests/conftest.py")
TESTS = ("tests/blender/conftest.py", "tests/blender/test_operators.py")
FILE = re.compile(r"[Cc]reate\s+`([\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
MENU = "terrain_addon/blender/ui/menus.py"
MENU_ENTRY = re.compile(r"```python\n( +layout\.operator\(.*?\n)```")


def test_the_operator_of_the_page_is_registered_and_works(tmp_path):
    shutil.copytree(ROOT / "terrain_addon", tmp_path / "terrain_addon")
    (tmp_path / "tests" / "blender").mkdir(parents=True)
    for name in (*SOURCES, *TESTS):
        shutil.copy(ROOT / name, tmp_path / name)
    page = PAGE.read_text("utf-8")
    (_, _), (own_test, _) = files = FILE.findall(page)
    for name, code in files:
        (tmp_path / name).write_text(code, "utf-8")
    (entry,) = MENU_ENTRY.findall(page)
    menus = (tmp_path / MENU).read_text("utf-8")
    before, menu = menus.split("class TERRAIN_MT_terrain(", 1)
    start = "        layout = self.layout\n"
    menu = menu.replace(start, start + entry, 1)
    (tmp_path / MENU).write_text(f"{before}class TERRAIN_MT_terrain({menu}", "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(
        [*command, "-k", "every_operator or example_flood", own_test, *TESTS[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr
