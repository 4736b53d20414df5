# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a command of the command line."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import Any

import numpy as np

from ..core.numerics import user_message
from ..version import version
from . import streams
from .command import Command, Group, UsageError
from .commands import COMMANDS
from .console import Console
from .extras.completion import complete

PROGRAM = "orogen"
EXIT_CODES = """exit codes:
  0    the command is done
  1    it failed, and older files are as they were; or its result could not be
       printed; stderr says why
  2    a command, an option or its value is not valid
  130  it was stopped with Ctrl-C
  141  the program that reads the output ended, as head does"""


def main(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run one command and return the exit code.

    Parameters
    ----------
    arguments : what the user types after the name of the program; by default those of the process
    program : the name of the program, for help and messages

    Returns
    -------
    int : 0 success, 1 failure, 2 invalid arguments, 130 interrupted, 141 nobody reads the output
    """
    streams.prepare()
    console = Console(PROGRAM)
    try:
        code = _run(arguments, program, console)
    except KeyboardInterrupt:
        console.warn("stopped")
        code = 130
    except streams.ReaderGone:
        code = streams.BROKEN_PIPE
    except (ValueError, OSError, MemoryError, BrokenExecutor) as error:
        console.warn(user_message(error))
        code = 2 if isinstance(error, UsageError) else 1
    finally:
        console.close()
    return streams.finish(code, PROGRAM)


def _run(arguments: Sequence[str] | None, program: str, console: Console) -> int:
    """Run the command that the arguments name, and return the exit code."""
    parser = _parser(program)
    complete(parser)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    console.as_json = options.json
    done = options.run(options, console)
    console.result(done.text, done.data)
    return 0


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Orogen, the terrain generator.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"Orogen {version()}, NumPy {np.__version__}, Python {platform.python_version()}",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        _add(commands, command, program)
    return parser


def _add(commands: Any, one: Command | Group, program: str) -> None:
    if isinstance(one, Group):
        group = commands.add_parser(one.name, help=one.help, description=one.help)
        below = group.add_subparsers(required=True, metavar="COMMAND")
        for command in one.commands:
            _add(below, command, f"{program} {one.name}")
        return
    title = "examples" if len(one.examples) > 1 else "example"
    parser = commands.add_parser(
        one.name,
        help=one.help,
        description=one.help[0].upper() + one.help[1:],
        epilog="\n".join([f"{title}:", *(f"  {program} {text}" for text in one.examples)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=one.run)
