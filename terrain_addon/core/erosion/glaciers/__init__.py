# SPDX-License-Identifier: GPL-3.0-or-later
"""Glaciers: their flow along the drainage, the troughs that they cut, and their moraines."""
