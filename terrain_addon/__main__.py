# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the core from a shell: ``python -m terrain_addon --help``."""

import sys

from .command_line import main

sys.exit(main(program="python -m terrain_addon"))
