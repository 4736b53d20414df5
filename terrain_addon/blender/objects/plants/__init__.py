# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of a terrain: points with attributes, models, and the nodes that show them."""
