# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a recipe to a place: settings whose terrain has the measures of an elevation model."""

from .evolution import Evolution
from .fit import BEST, SEEDS, Fit, Fitted, fit
from .target import FitTarget, windows
from .variables import Variable, variables

__all__ = [
    "BEST",
    "SEEDS",
    "Evolution",
    "Fit",
    "FitTarget",
    "Fitted",
    "Variable",
    "fit",
    "variables",
    "windows",
]
