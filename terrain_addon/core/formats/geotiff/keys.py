# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of a GeoTIFF file, which name its coordinate system.

Source: OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019, section 7 and annex B.
"""

from __future__ import annotations

from .tags import GEO_DOUBLES, GEO_KEYS, Tags

MODEL_TYPE, RASTER_TYPE = 1024, 1025
GEOGRAPHIC, ANGULAR_UNIT, PROJECTED, LINEAR_UNIT = 2048, 2054, 3072, 3076
LINEAR_SIZE, VERTICAL_UNIT = 3077, 4099
USER_DEFINED = 32767
FEET = {9002: 0.3048, 9003: 1200 / 3937, 9005: 0.3047972654, 9094: 0.304799710181508,
        9095: 0.3048007491}  # fmt: skip
"""Meters in a foot: international, US survey, Clarke's, Gold Coast and Indian (EPSG registry)."""
METER, KILOMETER = 9001, 9036
UNIT_NAMES = {9002: "feet", 9003: "US survey feet", 9005: "Clarke's feet"}


def read_keys(tags: Tags) -> dict[int, float]:
    """Numbers by key; keys with texts are left out."""
    values = tags.numbers.get(GEO_KEYS)
    doubles = tags.doubles(GEO_DOUBLES)
    keys: dict[int, float] = {}
    if values is None or values.size < 4:
        return keys
    count = min(int(values[3]), values.size // 4 - 1)
    for entry in values[4 : 4 + 4 * count].reshape(-1, 4):
        key, place, _, value = (int(one) for one in entry)
        if place == 0:
            keys[key] = value
        elif place == GEO_DOUBLES and value < doubles.size:
            keys[key] = float(doubles[value])
    return keys
