# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands, one module each, in the order of the help.

To add one, write a module with a :class:`~..command.Command` and name it here.
"""

from ..command import Command, Group
from .bake import BAKE
from .check import CHECK
from .contours import CONTOURS
from .convert import CONVERT
from .export import EXPORT
from .fit import FIT
from .height import HEIGHT
from .info import INFO
from .plants import PLANTS
from .presets import PRESETS
from .realism import REALISM
from .world import WORLD

COMMANDS: tuple[Command | Group, ...] = (
    PRESETS,
    HEIGHT,
    CONTOURS,
    BAKE,
    EXPORT,
    PLANTS,
    WORLD,
    CHECK,
    REALISM,
    FIT,
    INFO,
    CONVERT,
)
