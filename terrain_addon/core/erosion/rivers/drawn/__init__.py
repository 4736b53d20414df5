# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers that were drawn: lines on all grids of the erosion, and beds that are held along them."""
