# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw what the terrain follows, keep what was sculpted, and spread objects over it."""
