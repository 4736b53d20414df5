# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and solutions of the terrains shown last, for rebuilds and bakes; any thread uses it."""

from ...core import Cache

CACHE = Cache()
