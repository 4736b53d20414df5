# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``presets``."""

from __future__ import annotations

import argparse

from ...core import presets
from ...core.recipe import biomes
from ..command import Command, CommandResult
from ..console import Console


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--biomes", action="store_true", help="list the biomes instead")


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    if options.biomes:
        about = {name: biomes.about(name) for name in biomes.names()}
    else:
        about = {name: presets.load(name).about for name in presets.names()}
    return CommandResult("\n".join(f"{name:20} {text}" for name, text in about.items()), about)


PRESETS = Command("presets", "list the presets", ("presets", "presets --biomes"), _arguments, _run)
