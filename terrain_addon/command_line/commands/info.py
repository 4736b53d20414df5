# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``info``."""

from __future__ import annotations

import argparse

from ..command import Command, CommandResult
from ..console import Console
from ..elevation_files import add_files, described, read_files


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    return described(options.files, read_files(options))


INFO = Command(
    "info",
    "show the size, spacing, range and place of elevation files",
    ("info N46E007.hgt", "info --json tile_1.tif tile_2.tif"),
    add_files,
    _run,
)
