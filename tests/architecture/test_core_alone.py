# SPDX-License-Identifier: GPL-3.0-or-later
"""The core runs on NumPy and the standard library alone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Refuses every import from outside, whether it is installed here or not, then imports all of the
# core. NumPy comes first: what it tries to import for itself is its own affair.
IMPORT_ALL_OF_THE_CORE = """
import importlib.abc, pkgutil, sys
import numpy, numpy.fft, numpy.linalg, numpy.polynomial, numpy.random, numpy.typing

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"terrain_addon", "numpy", *sys.stdlib_module_names}:
            raise ImportError(f"the core must not import {name}")
        if name.startswith("terrain_addon.") and not name.startswith("terrain_addon.core"):
            raise ImportError(f"the core must not import {name}")

sys.meta_path.insert(0, Refuse())
import terrain_addon.core

def fail(name):
    raise

modules = list(pkgutil.walk_packages(terrain_addon.core.__path__, "terrain_addon.core.", fail))
for module in modules:
    importlib.import_module(module.name)
print(len(modules))
"""


def test_every_module_of_the_core_imports_without_blender() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL_OF_THE_CORE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10
