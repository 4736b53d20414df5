# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry point, in a Python that older interpreters understand: they are told what is needed."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"Python 3.11 or newer is needed, {sys.executable} is {sys.version.split()[0]}. "
        "Name a newer one: make PYTHON=/path/to/python3.13 ..."
    )

from .command import main

main(sys.argv[1:])
