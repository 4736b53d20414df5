# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the Python interpreters of this machine, by version."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PROBE = "import sys, platform; print(sys.executable, platform.python_version(), sep='\\n')"


@dataclass(frozen=True)
class Interpreter:
    """A Python that starts: its executable and its full version, such as `3.13.0`."""

    executable: str
    version: str

    def can_make_venvs(self) -> bool:
        """Whether `venv` is complete (Debian ships `ensurepip` in a package of its own)."""
        return _output(self.executable, "-c", "import ensurepip, venv") is not None


@cache
def find(version: str) -> Interpreter | None:
    """Return a Python of `version` ("3.13"), one that can make environments where possible."""
    found = [
        interpreter
        for candidate in _candidates(version)
        if (interpreter := _probe(candidate)) and interpreter.version.startswith(f"{version}.")
    ]
    return next((one for one in found if one.can_make_venvs()), found[0] if found else None)


def _candidates(version: str) -> Iterator[str]:
    """Executables worth asking: those on PATH first, then those that pyenv keeps."""
    for name in (f"python{version}", "python3"):
        for folder in os.get_exec_path():
            if path := shutil.which(name, path=folder):
                yield path
    root = os.environ.get("PYENV_ROOT") or _output("pyenv", "root") or "~/.pyenv"
    installed = Path(root.strip()).expanduser().glob(f"versions/{version}.*/bin/python{version}")
    yield from sorted(map(str, installed), reverse=True)


@cache
def _probe(candidate: str) -> Interpreter | None:
    """Start `candidate`; None if it does not start, as a pyenv shim without a version."""
    answer = _output(candidate, "-c", _PROBE)
    return Interpreter(*answer.splitlines()) if answer else None


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
