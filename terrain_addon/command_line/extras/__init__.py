# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line does with optional libraries; the core and the extension never import it.

Each module names its extra of the Python package: ``pip install "orogen[dask]"``.
"""

from .libraries import library

__all__ = ["library"]
