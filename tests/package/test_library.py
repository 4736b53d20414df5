# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package: built by pip, installed beside NumPy, used from outside the clone."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.package.build import ROOT

EVALUATE = """
from terrain_addon.core import evaluate, presets
recipe = presets.load("island")
print(evaluate(recipe, recipe.grid(33)).height.shape)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(
        *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"),
        *("--wheel-dir", str(folder), str(ROOT)),
        cwd=folder,
    )
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment that has the wheel and this environment's NumPy."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", str(folder), cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "numpy.pth").write_text(str(Path(np.__file__).parents[1]))
    python = folder / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", str(python)),
        *("install", "--no-deps", "--no-index", "--quiet", str(wheel)),
        cwd=folder,
    )
    return python.parent


def test_the_package_has_the_version_of_the_extension(
    wheel: Path, programs: Path, tmp_path: Path
) -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert wheel.name == f"orogen-{manifest['version']}-py3-none-any.whl"
    printed = run(str(programs / "orogen"), "--version", cwd=tmp_path)
    assert printed.startswith(f"Orogen {manifest['version']}, ")


def test_the_package_holds_the_code_its_data_and_its_licenses(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        licenses = {Path(name).name for name in archive.namelist() if "/licenses/" in name}
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "terrain_addon").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert packed == expected
    assert "terrain_addon/py.typed" in packed
    assert licenses == {"LICENSE", "LICENSE-FastNoiseLite.txt"}


def test_its_commands_run_outside_the_clone(programs: Path, tmp_path: Path) -> None:
    listed = run(str(programs / "python"), "-m", "terrain_addon", "presets", cwd=tmp_path)
    assert "island" in listed
    assert run(str(programs / "orogen"), "presets", cwd=tmp_path) == listed
    make = (str(programs / "python"), "-m", "terrain_addon", "height", "island", "x.npy")
    run(*make, "--resolution", "65", cwd=tmp_path)
    assert np.load(tmp_path / "x.npy").shape == (65, 65)


def test_three_lines_evaluate_a_recipe(programs: Path, tmp_path: Path) -> None:
    assert run(str(programs / "python"), "-c", EVALUATE, cwd=tmp_path).strip() == "(33, 33)"


def run(*command: str, cwd: Path) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
