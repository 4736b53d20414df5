# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions of the core."""


class Cancelled(Exception):
    """Raised inside a long step when its ``cancelled`` callable says so; no result exists."""


def told(error: BaseException) -> str:
    """An error in a sentence for the user."""
    if isinstance(error, MemoryError):
        return "There is not enough memory: lower the resolution"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    return f"An error in Procedural Terrain, please report it: {type(error).__name__}: {error}"
