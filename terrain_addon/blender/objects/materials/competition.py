# SPDX-License-Identifier: GPL-3.0-or-later
"""Which surface class shows at a point where the palette blends several.

A class with weight w and preference b shows in proportion to (w 2^b)^sharpness, so that classes
without weight never show, those with the full weight always do, and borders between them wander.
"""

from typing import Any

from ....core.recipe import SURFACES
from .nodes import Nodes, new_group

SHARPNESS = 10.0
FULL_LOG = 1e-12
"""A total below which no class shows."""


def make(name: str) -> Any:
    """The node group: from weights to the classes that show."""
    nodes, i, out = new_group(
        name,
        {
            "Ground": (0.0, 0.0, 0.0, 0.0),
            "Sand": 0.0,
            "Cover": (0.0, 0.0, 0.0, 0.0),
            "Ice": 0.0,
            "Coarse": 0.0,
            "Fine": 0.0,
            "Slope": 0.0,
            "Shade": 0.0,
            "Hollow": 0.0,
            "Broad Hollow": 0.0,
            "Moisture": 0.0,
            "Deposition": 0.0,
            "Snow Depth": 0.0,
            "Wander": 1.0,
            "Sharpness": SHARPNESS,
            "Snow Slope": 42.0,
            "Rock Slope": 38.0,
        },
        {"Ground": "Color", "Sand": "Float", "Cover": "Color", "Ice": "Float", "Any": "Float"},
    )
    weights = split(nodes, i["Ground"], i["Sand"], i["Cover"], i["Ice"])
    biases = _preferences(nodes, i)
    shares = {key: _share(nodes, weights[key], biases[key], i["Sharpness"]) for key in SURFACES}
    total = nodes.sum(*shares.values())
    norm = nodes.math("DIVIDE", 1.0, nodes.math("MAXIMUM", total, FULL_LOG))
    shares = {key: nodes.times(share, norm) for key, share in shares.items()}
    _join(nodes, shares, out)
    nodes.connect(nodes.math("GREATER_THAN", total, FULL_LOG), out["Any"])
    nodes.arrange()
    return nodes.tree


def split(nodes: Nodes, ground: Any, sand: Any, cover: Any, ice: Any) -> dict[str, Any]:
    """The weights by class; the fourth of each set is apart, as an alpha is."""
    sockets: list[Any] = []
    for color, last in ((ground, sand), (cover, ice)):
        parts = nodes.add("SeparateColor")
        nodes.connect(color, parts.inputs[0])
        sockets += [*parts.outputs[:3], last]
    return dict(zip(SURFACES, sockets, strict=True))


def _join(nodes: Nodes, shares: dict[str, Any], out: Any) -> None:
    found = list(shares.values())
    for color, last, four in (("Ground", "Sand", found[:4]), ("Cover", "Ice", found[4:])):
        joined = nodes.add("CombineColor")
        for share, target in zip(four, joined.inputs, strict=False):
            nodes.connect(share, target)
        nodes.connect(joined.outputs[0], out[color])
        nodes.connect(four[3], out[last])


def _share(nodes: Nodes, weight: Any, bias: Any, sharpness: Any) -> Any:
    preferred = nodes.times(weight, nodes.math("POWER", 2.0, bias))
    return nodes.math("POWER", preferred, sharpness)


def _preferences(nodes: Nodes, i: Any) -> dict[str, Any]:
    """Logarithms of how much each class prefers a point, by noise, slope, aspect and hollows."""
    coarse, fine = (nodes.times(i[name], i["Wander"]) for name in ("Coarse", "Fine"))
    steep = nodes.times(nodes.math("SUBTRACT", i["Slope"], i["Rock Slope"]), 1 / 8)
    steep = nodes.math("MAXIMUM", steep, -2.0)
    hollow, broad, shade = i["Hollow"], i["Broad Hollow"], i["Shade"]
    too_steep_for_snow = nodes.times(
        nodes.math("MAXIMUM", nodes.math("SUBTRACT", i["Slope"], i["Snow Slope"]), 0.0), -1 / 5
    )
    snow = nodes.sum(
        nodes.times(shade, 0.9),
        nodes.times(hollow, 0.5),
        nodes.times(fine, 0.9),
        nodes.times(coarse, 0.6),
        too_steep_for_snow,
    )
    return {
        "rock": nodes.sum(
            nodes.times(steep, 0.9), nodes.times(hollow, -0.6), nodes.times(fine, 1.0)
        ),
        "scree": nodes.sum(
            nodes.times(hollow, 0.7), nodes.times(fine, -0.8), nodes.times(coarse, 0.4)
        ),
        "soil": nodes.sum(nodes.times(coarse, 0.8), nodes.times(fine, -0.5)),
        "sand": nodes.sum(
            nodes.times(steep, -0.4), nodes.times(fine, 0.4), nodes.times(i["Deposition"], 0.7)
        ),
        "grass": nodes.sum(
            nodes.times(steep, -0.5),
            nodes.times(fine, -0.8),
            nodes.times(coarse, -0.9),
            nodes.times(i["Moisture"], 0.4),
        ),
        "wood": nodes.sum(
            nodes.times(broad, 0.9),
            nodes.times(shade, 0.8),
            nodes.times(fine, 1.2),
            nodes.times(coarse, 1.0),
            nodes.math("MINIMUM", nodes.times(steep, -0.5), 0.0),
        ),
        "snow": nodes.sum(snow, nodes.math("MINIMUM", i["Snow Depth"], 1.5)),
        "ice": snow,
    }
