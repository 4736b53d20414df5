# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a program in one of the project's pinned environments, which is made where it is missing.

python3 -m tests.environments run NAME PROGRAM ARGUMENT...   a program of environment NAME
python3 -m tests.environments path NAME                      print the folder of its programs
python3 -m tests.environments skipped                        name the Blenders left out here

NAME is core, checks, blender-4.2, blender-4.5, blender-5.2, or blender for the newest LTS
release that this machine has a Python for.
"""

import os
import sys
from pathlib import Path

from . import interpreters
from .environments import BLENDER_LTS, ENVIRONMENTS, Environment, prepare


def main(arguments: list[str]) -> None:
    match arguments:
        case ["run", name, program, *rest]:
            _run(_resolve(name), program, rest)
        case ["path", name]:
            print(_programs(_resolve(name)))
        case ["skipped"]:
            for environment in _left_out():
                print(f"SKIPPED: {_reason(environment)}")
        case _:
            sys.exit(__doc__)


def _run(environment: Environment, program: str, arguments: list[str]) -> None:
    """Replace this process by a program of the environment, such as `python` or `pytest`.

    A Blender release whose Python is missing is left out with a loud line, so that the rest of
    a test run can go on. In CI that is an error: there, every release must be tested.
    """
    if environment in _left_out() and os.environ.get("CI") != "true":
        print(f"\n{'=' * 80}\nSKIPPED: {_reason(environment)}\n{'=' * 80}\n", flush=True)
        return
    programs = _programs(environment)
    os.environ["PATH"] = os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath)))
    os.environ["PYTHONNOUSERSITE"] = "1"
    try:
        os.execv(programs / program, [program, *arguments])
    except FileNotFoundError:
        sys.exit(f"The environment {environment.name} has no program {program!r}")


def _programs(environment: Environment) -> Path:
    interpreter = environment.interpreter()
    if interpreter is None:
        sys.exit(_reason(environment))
    return prepare(environment, interpreter)


def _resolve(name: str) -> Environment:
    """Return the environment called `name`; `blender` is the newest LTS that can run here."""
    if name == "blender":
        releases = [ENVIRONMENTS[release] for release in BLENDER_LTS]
        usable = [release for release in releases if release.interpreter()]
        if not usable:
            sys.exit(
                "Blender as a Python module needs Python 3.13 (Blender 5.2) or 3.11 "
                f"(Blender 4.5). Found: {_found()}. Install one of the two, with pyenv for "
                "instance: pyenv install 3.13"
            )
        return usable[0]
    if name not in ENVIRONMENTS:
        sys.exit(f"No environment is called {name!r}. There are: {', '.join(ENVIRONMENTS)}")
    return ENVIRONMENTS[name]


def _left_out() -> list[Environment]:
    return [one for one in ENVIRONMENTS.values() if one.has_blender and not one.interpreter()]


def _reason(environment: Environment) -> str:
    return (
        f"{environment.name} needs Python {' or '.join(environment.pythons)}, which is neither "
        f"on PATH nor kept by pyenv. Found: {_found()}"
    )


def _found() -> str:
    versions = (f"3.{minor}" for minor in range(8, 16))
    found = [one for version in versions if (one := interpreters.find(version))]
    return ", ".join(f"Python {one.version} ({one.executable})" for one in found) or "none"
