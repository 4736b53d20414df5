# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension's zip with the builder that Blender ships, and validate it.

Run in an environment with bpy: python -m tests.package.build FOLDER
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class BuildError(Exception):
    """Blender's builder or validator refused; the message is what it printed."""


def build(folder: Path, source: Path = ROOT) -> Path:
    """Build and validate the extension in `source`; return its zip, made in `folder`.

    Raises
    ------
    BuildError
        The manifest or the zip is not valid.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.zip"):
        old.unlink()
    _write_manual(source)
    _blender_ext("build", "--source-dir", str(source), "--output-dir", str(folder))
    (package,) = folder.glob("*.zip")
    _blender_ext("validate", str(package))
    return package


def _write_manual(source: Path) -> None:
    """Write the pages that Help and F1 open into the extension."""
    program, folder = source / "docs/scripts/make_manual.py", source / "terrain_addon/manual"
    subprocess.run([sys.executable, str(program), str(folder)], check=True)


def _blender_ext(command: str, *arguments: str) -> None:
    scripts = _blender_scripts()
    program = scripts / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    tags = scripts / "modules" / "_bpy_internal" / "extensions" / "tags.py"
    done = subprocess.run(
        [sys.executable, str(program), command, "--valid-tags", str(tags), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(done.stdout)


def _blender_scripts() -> Path:
    """Return the `scripts` folder of the bpy wheel, found without importing bpy."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError("Building needs an environment with Blender: make build")
    (scripts,) = Path(spec.submodule_search_locations[0]).glob("*/scripts")
    return scripts


if __name__ == "__main__":
    try:
        print(f"Built {build(Path(sys.argv[1]))}")
    except BuildError as error:
        sys.exit(str(error))
