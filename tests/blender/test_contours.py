# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours of the active terrain, as curves and as files."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest


def test_contours_are_curves_at_their_heights(add) -> None:
    item = add()
    assert bpy.ops.terrain.contours(interval=10.0, index=2) == {"FINISHED"}
    collection = bpy.data.collections["Land Contours"]
    curves = {one.name: one.data for one in collection.objects}
    assert {*curves} == {"Land Contours", "Land Index Contours"}
    assert all(one.parent == item for one in collection.objects)
    for name, step in (("Land Contours", 10), ("Land Index Contours", 20)):
        for spline in curves[name].splines:
            heights = {round(point.co.z, 3) for point in spline.points}
            assert len(heights) == 1
            assert round(heights.pop(), 2) % step == 0
    plain = {round(spline.points[0].co.z) for spline in curves["Land Contours"].splines}
    assert all(level % 20 for level in plain)


def test_contours_are_written_as_files(add, tmp_path: Path) -> None:
    add()
    path = tmp_path / "map.svg"
    bpy.ops.terrain.export_contours(filepath=str(path), interval=10.0)
    assert path.read_text().startswith("<svg")
    path = tmp_path / "map.geojson"
    bpy.ops.terrain.export_contours(filepath=str(path), interval=10.0, file_format=".geojson")
    data = json.loads(path.read_text())
    assert np.array(data["features"][0]["geometry"]["coordinates"]).shape[1] == 2
    assert "middle of the terrain" in data["coordinates"]
    with pytest.raises(RuntimeError, match="set a smaller one"):
        bpy.ops.terrain.export_contours(filepath=str(path), interval=1e5, base=5e4)
