# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions of the core."""


class Cancelled(Exception):
    """Raised inside a long step when its ``cancelled`` callable says so; no result exists."""
