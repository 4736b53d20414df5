# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command of the command line is."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .console import Console


class UsageError(ValueError):
    """An argument that has no meaning, whatever files there are."""


@dataclass(frozen=True)
class CommandResult:
    """What a command has done.

    Attributes
    ----------
    text : for people; printed without ``--json``
    data : plain data for programs; printed with ``--json``
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Command:
    """A command.

    Attributes
    ----------
    name : what the user types
    help : one line about it
    examples : command lines, without the name of the program
    arguments : declares the arguments; ``--json`` is declared for all commands
    run : does it. ValueError, OSError and MemoryError become one line of text; it reports
        progress to the console, and prints nothing itself
    """

    name: str
    help: str
    examples: tuple[str, ...]
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], CommandResult]


@dataclass(frozen=True)
class Group:
    """Commands under one word, such as ``world run``."""

    name: str
    help: str
    commands: tuple[Command, ...]
