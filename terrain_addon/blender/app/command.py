# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line inside Blender: ``blender --command terrain``.

It runs in Blender's own Python, as another process: there Ctrl-C stops it as anywhere, which
Blender does not pass to Python, and it can have processes of its own.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy

NAME = "terrain"
PACKAGE = Path(__file__).parents[2]
PROGRAM = f"blender --command {NAME}"
START = """
import sys
sys.path.insert(0, {folder!r})
from {package}.command_line import main
sys.exit(main(program={program!r}))
"""


def run(arguments: list[str]) -> int:
    """Run a command with the arguments behind ``blender --command terrain``; its exit code."""
    if not os.access(sys.executable, os.X_OK):
        print("This Blender has no Python program to run commands with", file=sys.stderr)
        return 1
    start = START.format(folder=str(PACKAGE.parent), package=PACKAGE.name, program=PROGRAM)
    process = subprocess.Popen([sys.executable, "-E", "-s", "-c", start.strip(), *arguments])
    while True:
        try:
            code = process.wait()
            return code if code >= 0 else 128 - code  # as shells do for one that a signal ended
        except KeyboardInterrupt:  # it reaches both processes: that one ends in its own way
            pass


def register() -> None:
    _registered.append(bpy.utils.register_cli_command(NAME, run))


def unregister() -> None:
    bpy.utils.unregister_cli_command(_registered.pop())


_registered: list[Any] = []
