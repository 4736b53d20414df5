# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours as a drawing, SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..numerics.arrays import Doubles
from .labeling import gaps, labels
from .lines import Contour

WIDTH = 1600
"""Pixels of the longer side."""
TEXT = 18
"""Pixels of the height of labels."""
THIN, BOLD = 1.2, 2.6
"""Pixels of lines."""
COLOR = "#8a5a2b"
"""Brown, as on most maps."""


def svg(lines: Sequence[Contour], size_x: float, size_y: float) -> str:
    """Return contours as the text of an SVG file, north up; index contours are bold and labeled.

    Parameters
    ----------
    lines : contours
    size_x, size_y : meters of the terrain, which is as large as the drawing

    Examples
    --------
    >>> line = Contour(50.0, np.float64([[-50, 0], [50, 0]]))
    >>> svg([line], 100.0, 50.0).splitlines()[3]
    '<path d="M0 400L1600 400"/>'
    """
    scale = WIDTH / max(size_x, size_y)
    width, height = round(size_x * scale), round(size_y * scale)
    texts = labels(lines, TEXT / scale, size_x / 2, size_y / 2)

    def pixels(points: Doubles) -> Doubles:
        return (points * [1, -1] + [size_x / 2, size_y / 2]) * scale

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for is_index, stroke in ((False, THIN), (True, BOLD)):
        out.append(
            f'<g fill="none" stroke="{COLOR}" stroke-width="{stroke}" stroke-linejoin="round">'
        )
        for place, line in enumerate(lines):
            if line.is_index == is_index:
                parts = [_path(pixels(part)) for part in gaps(line, texts.get(place, ()))]
                out.append(f'<path d="{"".join(parts)}"/>')
        out.append("</g>")
    out.append(
        f'<g fill="{COLOR}" stroke="#fff" stroke-width="5" paint-order="stroke" '
        f'font-family="sans-serif" font-size="{TEXT}" text-anchor="middle">'
    )
    for label in (label for own in texts.values() for label in own):
        ((x, y),) = pixels(np.array([[label.x, label.y]]))
        out.append(
            f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" '
            f'transform="rotate({-label.angle:.1f} {x:.1f} {y:.1f})">{label.text}</text>'
        )
    return "\n".join([*out, "</g>", "</svg>", ""])


def _path(points: Doubles) -> str:
    """Return the data of a path, with a tenth of a pixel."""
    text = "L".join(f"{x:.6g} {y:.6g}" for x, y in points.round(1))
    return f"M{text}"
