# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the figures of docs/guide/noise.md: python docs/scripts/make_noise_figures.py

Needs NumPy alone; figures go to docs/pictures/: two sheets as PNG, two diagrams as SVG.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT))

from terrain_addon.core import noise  # noqa: E402
from terrain_addon.core.output import write_png  # noqa: E402

Gray = NDArray[np.uint8]

SIDE, GAP = 180, 6

BASES = [
    "perlin", "value", "value_cubic", "white",
    "opensimplex2", "opensimplex2s", "cellular", "noiselib",
    "cosine_value", "hash_perlin", "permutation_perlin",
]  # fmt: skip
FRACTALS = [
    "fbm", "ridged", "billow", "ping_pong",
    "multifractal", "hetero_terrain", "hybrid_multifractal", "ridged_multifractal",
    "swiss", "jordan", "damped_fbm",
]  # fmt: skip


def main() -> None:
    """Make all figures."""
    PICTURES.mkdir(exist_ok=True)
    x = np.arange(SIDE) / 36
    cells = [noise.sample_grid(basis, x, x, seed=3) for basis in BASES]
    write_png(PICTURES / "noise_bases.png", sheet([gray(field) for field in cells]))
    terrains = [
        noise.sample_grid("perlin", x / 2, x / 2, seed=8, fractal=name, octaves=7)
        for name in FRACTALS
    ]
    write_png(PICTURES / "noise_fractals.png", sheet([hillshade(field) for field in terrains]))
    for name, text in (("separable", diagram()), ("diagonals", diagonals())):
        path = PICTURES / f"noise_{name}.svg"
        path.write_text(text, encoding="utf-8", newline="\n")


def gray(field: NDArray[np.float32]) -> Gray:
    """Return values from black to white, Y upwards."""
    low, high = field.min(), field.max()
    return ((field[::-1] - low) / (high - low) * 255).astype(np.uint8)


def hillshade(field: NDArray[np.float32]) -> Gray:
    """Return heights lit from the upper left, Y upwards; heights spread alike, so that forms can be
    compared."""
    slope_y, slope_x = np.gradient(field / field.std() * 7)
    light = (slope_y - slope_x + 1.2) / np.sqrt(1 + slope_x**2 + slope_y**2) / 1.9
    return (np.clip(light, 0, 1)[::-1] * 255).astype(np.uint8)


def sheet(tiles: list[Gray], columns: int = 4) -> Gray:
    """Return tiles row by row with white gaps."""
    rows = -(-len(tiles) // columns)
    step = SIDE + GAP
    out = np.full((rows * step - GAP, columns * step - GAP), 255, np.uint8)
    for number, tile in enumerate(tiles):
        top, left = (place * step for place in divmod(number, columns))
        out[top : top + SIDE, left : left + SIDE] = tile
    return out


def diagram() -> str:
    """Draw how a band of grid rows comes from the lattice rows around it."""
    cell, cells_x, cells_y = 80, 5, 3
    width, height = cells_x * cell, cells_y * cell
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -30 {width + 330} {height + 70}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect x="-20" y="-30" width="{width + 330}" height="{height + 70}" fill="white"/>',
    ]
    band = (cell + 18, cell + 62)
    parts.append(
        f'<rect x="0" y="{band[0]}" width="{width}" height="{band[1] - band[0]}" fill="#ffe9b8"/>'
    )
    for k in range(cells_x + 1):
        parts.append(line(k * cell, 0, k * cell, height, "#bbbbbb", 1))
    for k in range(cells_y + 1):
        near = k in (1, 2)
        parts.append(line(0, k * cell, width, k * cell, "#2266cc" if near else "#bbbbbb",
                          3 if near else 1))  # fmt: skip
    for y in range(band[0] + 5, band[1], 9):
        parts.append(line(0, y, width, y, "#cc7700", 1))
    for i in range(cells_x + 1):
        for j in range(cells_y + 1):
            parts.append(arrow(i, j, cell))
    notes = [
        (cell + 4, "#2266cc", "lattice row j: P and Q,"),
        (cell + 20, "#2266cc", "one value per grid column"),
        ((band[0] + band[1]) // 2 + 12, "#cc7700", "grid rows: each the sum of"),
        ((band[0] + band[1]) // 2 + 28, "#cc7700", "4 weighted lattice rows"),
        (2 * cell + 18, "#2266cc", "lattice row j + 1: P and Q"),
        (12, "#444444", "gradients at lattice points"),
    ]
    for y, color, text in notes:
        parts.append(f'<text x="{width + 14}" y="{y}" fill="{color}">{text}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)


def diagonals() -> str:
    """Draw the triangular lattice, and rows of samples along the diagonals of a grid."""
    cell, width, height, step = 120, 400, 280, 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 {width + 330} {height + 40}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect x="-20" y="-20" width="{width + 330}" height="{height + 40}" fill="white"/>',
        f'<clipPath id="grid"><rect width="{width}" height="{height}"/></clipPath>',
        '<g clip-path="url(#grid)">',
    ]
    vertices: list[str] = []
    for row in range(1, 12):
        across = row * cell / np.sqrt(3)  # x + y of a lattice row
        parts.append(line(across, 0, 0, across, "#2266cc", 2))
        for column in range(-5, 6):
            if (row + column) % 2 == 0:
                x, y = (across + column * cell) / 2, (across - column * cell) / 2
                vertices.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#2266cc"/>')
                for right, up in ((1, -1), (1, 1), (2, 0)):
                    other, side = (row + right) * cell / np.sqrt(3), (column + up) * cell
                    end = (other + side) / 2, (other - side) / 2
                    parts.append(line(x, y, *end, "#cccccc", 1))
    chosen = 18 * step  # x + y of the samples of one diagonal
    parts.append(line(chosen, 0, 0, chosen, "#ffe9b8", 11))
    for x in range(step // 2, width, step):
        for y in range(step // 2, height, step):
            on = x + y == chosen
            color = "#cc7700" if on else "#999999"
            parts.append(f'<circle cx="{x}" cy="{y}" r="{3.5 if on else 1.5}" fill="{color}"/>')
    parts += [*vertices, "</g>"]
    notes = [
        (40, "#2266cc", "lattice rows, where x + y is the same:"),
        (56, "#2266cc", "their nearest vertices and gradients,"),
        (72, "#2266cc", "one value per diagonal the other way"),
        (130, "#cc7700", "samples of one diagonal: as far from"),
        (146, "#cc7700", "a lattice row, all of them"),
        (204, "#777777", "triangles of the lattice"),
    ]
    for y, color, text in notes:
        parts.append(f'<text x="{width + 14}" y="{y}" fill="{color}">{text}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)


def line(x0: float, y0: float, x1: float, y1: float, color: str, width: float) -> str:
    return (
        f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" '
        f'stroke="{color}" stroke-width="{width}"/>'
    )


def arrow(i: int, j: int, cell: int) -> str:
    angle = 2.4 * i + 1.7 * j * j
    x, y = i * cell, j * cell
    end = x + 16 * np.cos(angle), y + 16 * np.sin(angle)
    dot = f'<circle cx="{x}" cy="{y}" r="3" fill="#444444"/>'
    return dot + line(x, y, *end, "#444444", 2)


if __name__ == "__main__":
    main()
