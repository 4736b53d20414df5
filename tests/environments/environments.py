# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual environments with exact pins, made once and kept outside the clone."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from . import headers, interpreters, system_packages
from .interpreters import Interpreter

_REQUIREMENTS = Path(__file__).parent / "requirements"


@dataclass(frozen=True)
class Environment:
    """A pinned set of packages and the Python versions that it can be made with."""

    name: str
    pythons: tuple[str, ...]

    @property
    def has_blender(self) -> bool:
        return self.name.startswith("blender")

    @property
    def has_oracles(self) -> bool:
        return "pyfastnoiselite==" in self.requirements()

    def interpreter(self) -> Interpreter | None:
        """Return the first interpreter of this machine that fits, or None."""
        return next(filter(None, map(interpreters.find, self.pythons)), None)

    def requirements(self) -> str:
        """Return all pins, those of included files too."""
        return _read_requirements(_REQUIREMENTS / f"{self.name}.txt")


ENVIRONMENTS = {
    environment.name: environment
    for environment in (
        Environment("core", ("3.13", "3.12", "3.11")),
        Environment("checks", ("3.13", "3.12", "3.11")),
        Environment("blender-4.2", ("3.11",)),
        Environment("blender-4.5", ("3.11",)),
        Environment("blender-5.2", ("3.13",)),
    )
}
# What `blender` alone stands for: the newest LTS release that this machine can run.
BLENDER_LTS = ("blender-5.2", "blender-4.5")


def prepare(environment: Environment, interpreter: Interpreter) -> Path:
    """Return the folder of the programs of `environment`, which is made first where missing.

    A stamp file, written last, marks a complete environment: what an interrupted run left
    behind is made anew. A lock keeps two runs from making the same one.

    Raises
    ------
    SystemExit
        Something is missing on this machine, or pip failed; the message says what.
    """
    folder = _cache_folder() / f"{environment.name}-{_fingerprint(environment, interpreter)}"
    stamp = folder / "complete"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists():
            _make(environment, interpreter, folder)
            stamp.touch()
    return folder / "bin"


def _make(environment: Environment, interpreter: Interpreter, folder: Path) -> None:
    start = time.monotonic()
    _say(f"Making the environment {environment.name} (Python {interpreter.version}) in {folder}")
    _require_system_packages(environment, interpreter)
    shutil.rmtree(folder, ignore_errors=True)
    _run(interpreter.executable, "-m", "venv", str(folder))
    python = str(folder / "bin" / "python")
    requirements = str(_REQUIREMENTS / f"{environment.name}.txt")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "-qq")
    _run(*pip, "install", "--only-binary", ":all:", "--requirement", requirements)
    if environment.has_blender:
        # Ends without Python's own shutdown, which some releases of bpy do not survive.
        _run(python, "-c", "import bpy, os; os._exit(0)")
    if environment.has_oracles and (trouble := headers.fetch(folder / "include")):
        _say(f"FastNoiseLite.h is missing, nothing will be compiled with it: {trouble}")
    _say(f"Made {environment.name} in {time.monotonic() - start:.0f} s")


def _require_system_packages(environment: Environment, interpreter: Interpreter) -> None:
    packages = [] if not environment.has_blender else system_packages.missing_libraries()
    if not interpreter.can_make_venvs():
        packages.insert(0, f"python{interpreter.version.rpartition('.')[0]}-venv")
    system_packages.require(packages)


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "procedural-terrain" / "envs"


def _fingerprint(environment: Environment, interpreter: Interpreter) -> str:
    parts = [environment.requirements(), interpreter.executable, interpreter.version]
    if environment.has_oracles:
        parts.append(headers.SHA256)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _read_requirements(path: Path) -> str:
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            lines.append(_read_requirements(path.parent / line[3:].strip()))
        elif line and not line.startswith("#"):
            lines.append(line)
    return "\n".join(lines)


def _run(*command: str) -> None:
    done = subprocess.run(command, stdout=sys.stderr, check=False)
    if done.returncode:
        sys.exit(f"Failed (exit code {done.returncode}): {' '.join(command)}")


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
