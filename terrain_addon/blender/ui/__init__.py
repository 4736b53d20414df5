# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, panels, menus and shortcuts."""

from ..app.registration import package_factory

register, unregister = package_factory(__name__)
