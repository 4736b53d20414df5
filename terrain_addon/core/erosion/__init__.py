# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion: what water, gravity and waves make of a land.

`drainage.drain` finds the rivers of a whole land on a grid of fixed resolution and lets them wear
it; `surface.surface` shows the result at any points. The other modules do one thing each on any
land: gullies, talus, strata, snow, coasts, river beds. Heights and lengths are in metres; inside
the solver they are in units of the valley spacing, which makes it independent of scale.
"""
