# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids of ESRI: as text (.asc), and as floats with a header file (.flt, .hdr)."""
