# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion of the command line in a shell, with argcomplete."""

from __future__ import annotations

import argparse
import os

from .libraries import library

ASKED = "_ARGCOMPLETE"
"""Environment variable that a shell sets to ask how a line may go on."""


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks, and exit; otherwise return at once.

    Raises ValueError if a shell asks and argcomplete is not installed.
    """
    if ASKED in os.environ:
        library("argcomplete", "completion").autocomplete(parser)
