# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds of tiles: their folders, their tiles as meshes, and runs in other processes."""

from ..app.registration import package_factory

register, unregister = package_factory(__name__)
