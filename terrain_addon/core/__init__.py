# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator as a library: NumPy and the standard library only, no Blender.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> bake, formats.write, realism.measure``

Settings of each kind of layer and mask are classes here: ``Layer.of(Erosion(), masks=(...))``.

Examples
--------
>>> from terrain_addon.core import FractalNoise, HeightMask, Layer, Recipe, Smooth, evaluate
>>> hills = Layer.of(FractalNoise(height=200.0, octaves=6))
>>> plains = Layer.of(Smooth(radius=50.0), masks=(HeightMask(high=0.0),))
>>> recipe = Recipe(seed=7, layers=(hills, plains))
>>> terrain = evaluate(recipe, recipe.grid(65))
>>> terrain.height.shape, terrain.fields["slope"].shape
((65, 65), (65, 65))
"""

from . import analysis, erosion, formats, hydrology, noise, shapes
from .analysis import realism
from .evaluation.cache import Cache
from .evaluation.heightfield import Heightfield
from .evaluation.solution import Solution
from .evaluation.solving import solve
from .evaluation.solving_fields import solve_fields
from .evaluation.stack import evaluate
from .formats import elevation
from .layers.generate.diamond_square import DiamondSquare
from .layers.generate.fault import Fault
from .layers.generate.fractal_noise import FractalNoise
from .layers.generate.height_map import HeightMap
from .layers.generate.patterns.cracks import Cracks
from .layers.generate.patterns.craters import Craters
from .layers.generate.patterns.dunes import Dunes
from .layers.generate.patterns.hills import Hills
from .layers.generate.patterns.mesa import Mesa
from .layers.generate.patterns.plates import Plates
from .layers.generate.patterns.ramp import Ramp
from .layers.generate.patterns.rings import Rings
from .layers.generate.patterns.volcano import Volcano
from .layers.generate.patterns.waves import Waves
from .layers.generate.range import Range
from .layers.maps import Map
from .layers.masks.field import FieldMask
from .layers.masks.height import HeightMask
from .layers.masks.inside_shape import InsideShapeMask
from .layers.masks.map import MapMask
from .layers.masks.near_shape import NearShapeMask
from .layers.masks.noise import NoiseMask
from .layers.masks.slope import SlopeMask
from .layers.shape.erosion.coast import CoastLayer
from .layers.shape.erosion.erosion import Erosion
from .layers.shape.erosion.gullies import GulliesLayer
from .layers.shape.erosion.snow import Snow
from .layers.shape.erosion.strata import StrataLayer
from .layers.shape.erosion.thermal_erosion import ThermalErosion
from .layers.shape.falloff import Falloff
from .layers.shape.lake import Lake
from .layers.shape.levels import Levels
from .layers.shape.pad import Pad
from .layers.shape.river import River
from .layers.shape.road import Road
from .layers.shape.smooth import Smooth
from .layers.shape.stamp import Stamp
from .layers.shape.terrace import Terrace
from .numerics.grid import Grid
from .numerics.progress import Cancelled
from .output import checks
from .output.images.baking import Image, bake
from .output.images.settings import Bake
from .recipe import presets
from .recipe.palette import Palette, Region
from .recipe.recipe import Layer, Recipe, Water
from .shapes import Shape

__all__ = [
    "Bake",
    "Cache",
    "Cancelled",
    "CoastLayer",
    "Cracks",
    "Craters",
    "DiamondSquare",
    "Dunes",
    "Erosion",
    "Falloff",
    "Fault",
    "FieldMask",
    "FractalNoise",
    "Grid",
    "GulliesLayer",
    "HeightMap",
    "HeightMask",
    "Heightfield",
    "Hills",
    "Image",
    "InsideShapeMask",
    "Lake",
    "Layer",
    "Levels",
    "Map",
    "MapMask",
    "Mesa",
    "NearShapeMask",
    "NoiseMask",
    "Pad",
    "Palette",
    "Plates",
    "Ramp",
    "Range",
    "Recipe",
    "Region",
    "Rings",
    "River",
    "Road",
    "Shape",
    "SlopeMask",
    "Smooth",
    "Snow",
    "Solution",
    "Stamp",
    "StrataLayer",
    "Terrace",
    "ThermalErosion",
    "Volcano",
    "Water",
    "Waves",
    "analysis",
    "bake",
    "checks",
    "elevation",
    "erosion",
    "evaluate",
    "formats",
    "hydrology",
    "noise",
    "presets",
    "realism",
    "shapes",
    "solve",
    "solve_fields",
]
