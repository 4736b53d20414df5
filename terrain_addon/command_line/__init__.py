# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line, without Blender: ``orogen``, ``python -m terrain_addon``.

Each command is a module in :mod:`.commands`.
"""

from .main import main as main
