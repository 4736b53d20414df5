# SPDX-License-Identifier: GPL-3.0-or-later
"""Which surface class shows at a point where the palette blends several.

A class with weight w and preference b shows in proportion to (sqrt(w) 2^b)^sharpness, so that
classes without weight never show, those with the full weight always do, and borders between them
wander: farther by the root, as weights change fast where slopes do.
"""

from typing import Any

from ...core.recipe import SURFACES
from .node_trees import add, arrange, connect, grouped, math, new_group, out, plus, times, weighted

SHARPNESS = 7.0
LOG_2 = 0.6931
SMALLEST, LARGEST = -60.0, 120.0
"""Limits of the logarithms of shares: infinite ones would have no sum, and none at all would be
black ground."""
FULL_LOG = 1e-30
"""A total below which no class shows."""
PLACES = {
    "Coarse": 0.0,
    "Fine": 0.0,
    "Slope": 0.0,
    "Shade": 0.0,
    "Hollow": 0.0,
    "Broad Hollow": 0.0,
    "Moisture": 0.0,
    "Deposition": 0.0,
    "Snow Depth": 0.0,
    "Wander": 1.5,
    "Snow Slope": 42.0,
    "Rock Slope": 38.0,
}
"""What classes prefer places by, with default values."""


def make(name: str) -> Any:
    """Return the node group: from weights to the classes that show."""
    tree, i, result = new_group(
        name,
        {
            "Ground": (0.0, 0.0, 0.0, 0.0),
            "Sand": 0.0,
            "Cover": (0.0, 0.0, 0.0, 0.0),
            "Ice": 0.0,
            **PLACES,
            "Sharpness": SHARPNESS,
            "Nearness": 0.0,
        },
        {"Ground": "Color", "Sand": "Float", "Cover": "Color", "Ice": "Float", "Any": "Float"},
    )
    weights = split(tree, i["Ground"], i["Sand"], i["Cover"], i["Ice"])
    biases = grouped(tree, "Terrain Preferences", _preferences, {name: i[name] for name in PLACES})
    sharpness = times(tree, i["Sharpness"], math(tree, "ADD", i["Nearness"], 1.0))
    most = math(tree, "DIVIDE", LARGEST, sharpness)
    least = math(tree, "DIVIDE", SMALLEST, sharpness)
    limits = {"Sharpness": sharpness, "Least": least, "Most": most}
    shares = {
        key: grouped(
            tree, "Terrain Share", _share, {"Weight": weights[key], "Bias": biases[key], **limits}
        )["Share"]
        for key in SURFACES
    }
    total = plus(tree, *shares.values())
    norm = math(tree, "DIVIDE", 1.0, math(tree, "MAXIMUM", total, FULL_LOG))
    shares = {key: times(tree, share, norm) for key, share in shares.items()}
    _join(tree, shares, result)
    connect(tree, math(tree, "GREATER_THAN", total, FULL_LOG), result["Any"])
    arrange(tree)
    return tree


def split(tree: Any, ground: Any, sand: Any, cover: Any, ice: Any) -> dict[str, Any]:
    """Return the weights by class; the fourth of each set is apart, as an alpha is."""
    sockets: list[Any] = []
    for color, last in ((ground, sand), (cover, ice)):
        parts = add(tree, "ShaderNodeSeparateColor")
        connect(tree, color, parts.inputs[0])
        sockets += [*parts.outputs[:3], last]
    return dict(zip(SURFACES, sockets, strict=True))


def _join(tree: Any, shares: dict[str, Any], out: Any) -> None:
    found = list(shares.values())
    for color, last, four in (("Ground", "Sand", found[:4]), ("Cover", "Ice", found[4:])):
        joined = add(tree, "ShaderNodeCombineColor")
        for share, target in zip(four, joined.inputs, strict=False):
            connect(tree, share, target)
        connect(tree, joined.outputs[0], out[color])
        connect(tree, four[3], out[last])


def _share(tree: Any, i: Any) -> dict[str, Any]:
    # Cycles takes less time for an exponential than for a power. The last power comes after the
    # weight, as 0 times one that overflows would be no number.
    bias = add(tree, "ShaderNodeClamp", {0: i["Bias"], 1: i["Least"], 2: i["Most"]})
    liking = math(tree, "EXPONENT", times(tree, out(bias), LOG_2))
    preferred = times(tree, math(tree, "SQRT", i["Weight"]), liking)
    return {"Share": math(tree, "POWER", preferred, i["Sharpness"])}


def _preferences(tree: Any, i: Any) -> dict[str, Any]:
    """Return the logarithms of how much each class prefers a point, by noise, slope, aspect and
    hollows."""
    coarse, fine = (times(tree, i[name], i["Wander"]) for name in ("Coarse", "Fine"))
    steep = times(tree, math(tree, "SUBTRACT", i["Slope"], i["Rock Slope"]), 1 / 8)
    steep = math(tree, "MAXIMUM", steep, -2.0)
    hollow, broad, shade = i["Hollow"], i["Broad Hollow"], i["Shade"]
    too_steep = math(tree, "SUBTRACT", i["Slope"], i["Snow Slope"])
    snow = weighted(
        tree,
        (math(tree, "MAXIMUM", too_steep, 0.0), -1 / 5),
        (shade, 0.9),
        (hollow, 0.5),
        (fine, 0.8),
        (coarse, 0.6),
    )
    wood = weighted(tree, (broad, 0.9), (shade, 0.8), (fine, 1.2), (coarse, 1.0))
    return {
        "rock": weighted(tree, (steep, 0.9), (hollow, -1.2), (fine, 1.4)),
        "scree": weighted(tree, (hollow, 1.0), (fine, -0.8), (coarse, 0.4)),
        "soil": weighted(tree, (coarse, 0.8), (fine, -0.5)),
        "sand": weighted(
            tree,
            (steep, -0.4),
            (math(tree, "MAXIMUM", steep, 0.0), -1.2),  # it slides off
            (fine, 0.4),
            (i["Deposition"], 0.7),
        ),
        "grass": weighted(
            tree, (steep, -0.5), (hollow, 0.6), (fine, -1.0), (coarse, -0.7), (i["Moisture"], 0.4)
        ),
        "wood": math(tree, "MULTIPLY_ADD", math(tree, "MAXIMUM", steep, 0.0), -0.5, wood),
        "snow": plus(tree, snow, math(tree, "MINIMUM", i["Snow Depth"], 1.5)),
        "ice": snow,
    }
