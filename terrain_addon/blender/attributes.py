# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of meshes as arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES: dict[str, tuple[str, int, type]] = {
    "FLOAT": ("value", 1, np.float32),
    "FLOAT2": ("vector", 2, np.float32),
    "FLOAT_VECTOR": ("vector", 3, np.float32),
    "FLOAT_COLOR": ("color", 4, np.float32),
    "BYTE_COLOR": ("color", 4, np.float32),
    "INT": ("value", 1, np.int32),
    "INT8": ("value", 1, np.int32),
    "BOOLEAN": ("value", 1, np.bool_),
}
"""By the attribute's type: name in foreach_get, components, dtype."""


def values_of(attribute: Any) -> NDArray[Any]:
    """What an attribute of one of these types holds: (elements, components)."""
    field, size, dtype = TYPES[attribute.data_type]
    values = np.empty(len(attribute.data) * size, dtype)
    attribute.data.foreach_get(field, values)
    return values.reshape(-1, size)
