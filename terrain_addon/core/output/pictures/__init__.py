# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of terrains: a block for menus, an overview for panels."""
