# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: they read settings, call the core, write the mesh and report."""

from ..app.registration import package_factory

register, unregister = package_factory(__name__)
